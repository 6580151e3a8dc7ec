"""The filter language of `langchain_postgres.PGVectorStore`, as SQL with every value bound.

    {"subjects": {"$ilike": "%cs.CL%"}, "year": {"$gte": 2015}}
    {"$or": [{"topic": "memory"}, {"$not": {"source.name": {"$in": ["a", "b"]}}}]}

Typed columns are compared as text; any other name is a key of the JSON metadata, a dotted one a
path in it, compared as the type of the value it is compared with. The rows are those that the
library returns, with two differences: what it refuses only in the database, with a driver's error,
is refused here with a ValueError; and a stored value that is no number or no boolean does not match
a number or a boolean, where the library fails on the whole query.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from psycopg.sql import SQL, Composable, Composed, Identifier, Placeholder

Parameters = dict[str, Any]

_COMPARISONS: dict[str, SQL] = {
    "$eq": SQL("="),
    "$ne": SQL("<>"),
    "$lt": SQL("<"),
    "$lte": SQL("<="),
    "$gt": SQL(">"),
    "$gte": SQL(">="),
    "$like": SQL("LIKE"),
    "$ilike": SQL("ILIKE"),
}
_OPERATORS = {*_COMPARISONS, "$in", "$nin", "$between", "$exists"}
_DEEPEST = 64

_NUMBER = r"[ \t\n]*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-2]?[0-9]{1,2})?[ \t\n]*"

# How a JSON field, which is text, is read as the type of the value beside it.
_AS_TYPE: dict[type, LiteralString] = {
    str: "{field}",
    int: "CASE WHEN {field} ~ {number} THEN {field}::numeric END",
    float: "CASE WHEN {field} ~ {number} THEN {field}::float8 END",
    bool: "CASE WHEN lower({field}) ~ {boolean} THEN {field}::boolean END",
    datetime.date: "{field}::date",
    datetime.datetime: "{field}::timestamp",
    datetime.time: "{field}::time",
}
_CAST: dict[type, LiteralString] = {
    str: "text",
    int: "numeric",
    float: "float8",
    bool: "boolean",
    datetime.date: "date",
    datetime.datetime: "timestamp",
    datetime.time: "time",
    UUID: "uuid",
}
_BOOLEAN = "^(t|tr|tru|true|y|ye|yes|on|1|f|fa|fal|fals|false|n|no|of|off|0)$"


def compile_filter(
    filter: Mapping[str, Any] | None, typed_columns: Sequence[str] = ()
) -> tuple[Composable, Parameters]:
    """A condition for a WHERE clause and what is bound to it; no filter is always true.

    Args:
        filter: conditions in PGVectorStore's language.
        typed_columns: names that are text columns of the table instead of metadata keys.

    Raises:
        ValueError: a filter that the language does not have, with the reason.
    """
    if filter is None:
        return SQL("true"), {}
    compiler = _Compiler(frozenset(typed_columns))
    clause = compiler.clause(filter, depth=0)
    return clause or SQL("true"), compiler.parameters


class _Compiler:
    def __init__(self, typed_columns: frozenset[str]) -> None:
        self.parameters: Parameters = {}
        self._typed = typed_columns

    def clause(self, filter: Any, depth: int) -> Composable | None:
        """One level of the filter; None where it says nothing."""
        if not isinstance(filter, Mapping):
            raise ValueError(f"a filter must be a dict, not {type(filter).__name__}: {filter!r}")
        if depth > _DEEPEST:
            raise ValueError(f"a filter may be nested {_DEEPEST} levels deep, no more")
        if any(not isinstance(name, str) for name in filter):
            raise ValueError(f"the names in a filter must be text: {list(filter)}")
        if len(filter) == 1:
            name, value = next(iter(filter.items()))
            if name.startswith("$"):
                return self._logical(name, value, depth)
        parts = [self._condition(name, value) for name, value in filter.items()]
        return _joined(" AND ", parts) if parts else None

    def _logical(self, name: str, value: Any, depth: int) -> Composable | None:
        operator = name.lower()
        if operator in ("$and", "$or"):
            if not isinstance(value, list) or not value:
                raise ValueError(f"{name} takes a list of filters, not {value!r}")
            parts = [self.clause(item, depth + 1) for item in value]
            if len(parts) == 1:
                return parts[0]
            return _joined(" AND " if operator == "$and" else " OR ", _all_said(name, parts))
        if operator == "$not":
            if not isinstance(value, list | Mapping) or not value:
                raise ValueError(f"{name} takes a filter or a list of filters, not {value!r}")
            items = value if isinstance(value, list) else [value]
            parts = [self.clause(item, depth + 1) for item in items]
            return _joined(
                " AND ", [SQL("NOT ({})").format(part) for part in _all_said(name, parts)]
            )
        raise ValueError(f"expected $and, $or, $not or the name of a field, not {name!r}")

    def _condition(self, name: str, value: Any) -> Composable:
        if name.startswith("$"):
            raise ValueError(f"{name} can't stand beside other conditions: use $and")
        if not all(part.isidentifier() for part in name.split(".")):
            raise ValueError(f"{name!r} is no name of a field")
        operator, operand = "$eq", value
        if isinstance(value, Mapping):
            if len(value) != 1:
                raise ValueError(f"{name} takes one operator, not {len(value)}: {list(value)[:3]}")
            operator, operand = next(iter(value.items()))
            if operator not in _OPERATORS:
                raise ValueError(f"{operator!r} is no operator: {', '.join(sorted(_OPERATORS))}")
        if operator == "$exists":
            if not isinstance(operand, bool):
                raise ValueError(f"$exists takes true or false, not {operand!r}")
            missing = SQL("IS NOT NULL") if operand else SQL("IS NULL")
            return SQL("({} {})").format(self._column(name, str), missing)
        if operator in ("$in", "$nin"):
            return self._membership(name, operator, operand)
        if operator == "$between":
            return self._between(name, operand)
        if operator in ("$like", "$ilike") and not isinstance(operand, str | None):
            raise ValueError(f"{operator} takes text, not {operand!r}")
        field = self._column(name, self._type(name, operand))
        return SQL("({} {} {})").format(field, _COMPARISONS[operator], self._bind(name, operand))

    def _membership(self, name: str, operator: str, operand: Any) -> Composable:
        if not isinstance(operand, list | tuple):
            raise ValueError(f"{operator} takes a list, not {operand!r}")
        for item in operand:
            if isinstance(item, bool) or not isinstance(item, str | int | float):
                raise ValueError(f"{operator} takes text and numbers, not {item!r}")
        items: list[Any] = list(operand)
        if not items and not self._is_column(name):
            raise ValueError(f"{operator} of a metadata key takes a list with something in it")
        kinds = {self._type(name, item) for item in items} or {str}
        if kinds == {int, float}:
            kinds, items = {float}, [float(item) for item in items]
        if len(kinds) > 1:
            raise ValueError(f"{operator} takes values of one type, not {operand!r}")
        (kind,) = kinds
        bound = self._place(items)
        array = SQL("{}::" + _CAST[kind] + "[]").format(bound)
        test = SQL("({} = ANY ({}))") if operator == "$in" else SQL("({} <> ALL ({}))")
        return test.format(self._column(name, kind), array)

    def _between(self, name: str, operand: Any) -> Composable:
        try:
            low, high = operand
        except (TypeError, ValueError):
            raise ValueError(f"$between takes two values, not {operand!r}") from None
        kinds = [self._type(name, low), self._type(name, high)]
        if kinds[0] is not kinds[1] and not set(kinds) <= {int, float}:
            raise ValueError(f"$between takes two values of one type, not {operand!r}")
        return SQL("({} BETWEEN {} AND {})").format(
            self._column(name, kinds[0]), self._bind(name, low), self._bind(name, high)
        )

    def _is_column(self, name: str) -> bool:
        """Whether `name` is a column of its own; a path cannot lead into one."""
        first, _, rest = name.partition(".")
        column = first in self._typed or first in ("langchain_id", "content", "embedding")
        if column and rest:
            raise ValueError(f"{first} is a column and has no {rest!r} in it")
        return column

    def _type(self, name: str, value: Any) -> type:
        kind = type(value)
        if self._is_column(name):
            wanted = UUID if name == "langchain_id" else str
            if name != "embedding" and (value is None or kind is str or kind is wanted):
                return wanted
        elif kind in _AS_TYPE:
            return kind
        raise ValueError(f"{name} can't be compared with {value!r} ({kind.__name__})")

    def _column(self, name: str, kind: type) -> Composable:
        if self._is_column(name):
            return Identifier(name)
        field = SQL("(langchain_metadata #>> {}::text[])").format(self._place(name.split(".")))
        template = _AS_TYPE[kind]
        if kind is str:
            return field
        return SQL("(" + template + ")").format(
            field=field, number=SQL("'^" + _NUMBER + "$'"), boolean=SQL("'" + _BOOLEAN + "'")
        )

    def _bind(self, name: str, value: Any) -> Composable:
        if name == "langchain_id" and isinstance(value, str):
            value = UUID(value)  # a ValueError where it is none
        return SQL("{}::" + _CAST[self._type(name, value)]).format(self._place(value))

    def _place(self, value: Any) -> Placeholder:
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and ("\x00" in text or not _is_unicode(text)):
                raise ValueError(f"{text!r} is no text that can be stored, or searched for")
        key = f"filter_{len(self.parameters)}"
        self.parameters[key] = value
        return Placeholder(key)


def _all_said(name: str, parts: Sequence[Composable | None]) -> list[Composable]:
    said = [part for part in parts if part is not None]
    if len(said) < len(parts):
        raise ValueError(f"{name} takes filters with something in them")
    return said


def _joined(word: LiteralString, parts: Sequence[Composable]) -> Composed:
    return SQL("({})").format(SQL(word).join(parts))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
