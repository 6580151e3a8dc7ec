"""Tool calls by schema: which bound tool a message names, and its arguments out of the text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from arxivscout.llm.terms import stem, words_of

Tools = Mapping[str, Mapping[str, Any]]  # name → JSON schema of the parameters

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)")
_QUOTED = re.compile(r"[\"“”«„]([^\"“”«»„]{1,500})[\"“”»]|(?<!\w)['‘]([^'’]{1,300})['’](?!\w)")
_PLACE = re.compile(
    r"\b(?:in|at|for|about|of|to|named|called|on)\s+"
    r"([^\W\d_a-z][\w'’.-]*(?:,?\s+[^\W\d_a-z][\w'’.-]*)*)"
)
_VERBS = frozenset(
    map(
        stem,
        "get fetch find make create generate do run use compute calculate call tool set".split(),
    )
)


def named_tool(text: str, tools: Tools, *, exact: bool) -> str | None:
    """The tool that `text` asks for, or None.

    Args:
        text: what the person wrote.
        tools: those that may be called.
        exact: only a name written out counts; otherwise also one all of whose words occur.
    """
    for name in sorted(tools, key=len, reverse=True):
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            return name
    if exact:
        return None
    said = {stem(word) for word in words_of(text)}
    for name in tools:
        words = {stem(word) for word in re.split(r"[_\W]+", name) if word} - _VERBS
        if words and words <= said:
            return name
    return None


def fill_arguments(name: str, schema: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Arguments for the tool `name` found in `text`, of the types that `schema` wants.

    Explicit values (`x=3`, `name(3, "a")`) go first, then numbers and quoted strings in order.
    Required ones always get a value; optional ones only if they are named.
    """
    properties: Mapping[str, Any] = schema.get("properties") or {}
    required = schema.get("required") or []
    positional = _positional(name, text)
    body = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text)
    pool = _Pool(body)
    arguments: dict[str, Any] = {}
    for i, (key, wanted) in enumerate(properties.items()):
        wanted = _resolved(wanted, schema)
        given = _explicit(key, text)
        if given is None and i < len(positional):
            given = positional[i]
        if given is not None and (value := _converted(given, wanted)) is not None:
            arguments[key] = value
        elif key in required:
            arguments[key] = pool.value(key, wanted, schema)
    return arguments


class _Pool:
    """What a text offers for arguments, each number and quotation given out once."""

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.split())[:2000]
        self.numbers = _NUMBER.findall(self.text)
        self.strings = [a or b for a, b in _QUOTED.findall(self.text)]

    def value(self, key: str, wanted: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
        if "const" in wanted:
            return wanted["const"]
        if options := wanted.get("enum"):
            lowered = self.text.lower()
            return next((o for o in options if str(o).lower() in lowered), options[0])
        match _type(wanted):
            case "integer":
                return int(float(self.numbers.pop(0))) if self.numbers else 0
            case "number":
                return float(self.numbers.pop(0)) if self.numbers else 0.0
            case "boolean":
                return not re.search(r"\b(?:no|not|false|off|without)\b", self.text, re.IGNORECASE)
            case "array":
                items = _resolved(wanted.get("items") or {"type": "string"}, schema)
                count = len(self.numbers) if _type(items) in ("integer", "number") else 1
                return [self.value(key, items, schema) for _ in range(max(count, 1))]
            case "object":
                inner = {**wanted, "$defs": schema.get("$defs", {})}
                return {
                    name: self.value(name, _resolved(part, inner), inner)
                    for name, part in (wanted.get("properties") or {}).items()
                    if name in (wanted.get("required") or [])
                }
            case "null":
                return None
            case _:
                return self._string(key)

    def _string(self, key: str) -> str:
        if self.strings:
            return str(self.strings.pop(0))
        if key not in ("query", "text", "question") and (place := _PLACE.search(self.text)):
            return str(place[1]).strip(" .,")
        return self.text.strip() or key


def _positional(name: str, text: str) -> list[str]:
    found = re.search(rf"(?<!\w){re.escape(name)}\(([^()]{{0,500}})\)", text)
    if not found or not found[1].strip():
        return []
    return [part.strip() for part in found[1].split(",") if "=" not in part]


def _explicit(key: str, text: str) -> str | None:
    found = re.search(
        rf"(?<!\w){re.escape(key)}\s*[=:]\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s,;)]+))", text
    )
    return next((group for group in found.groups() if group is not None), None) if found else None


def _converted(given: str, wanted: Mapping[str, Any]) -> Any:
    """`given` as the type that is wanted, or None if it is no such thing."""
    plain = given.strip().strip("\"'")
    if options := wanted.get("enum"):
        return next((option for option in options if str(option) == plain), None)
    try:
        match _type(wanted):
            case "integer":
                return int(plain)
            case "number":
                return float(plain)
            case "boolean":
                return {"true": True, "false": False}.get(plain.lower())
            case "string":
                return plain
            case _:
                return None
    except ValueError:
        return None


def _resolved(wanted: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A property's schema with its reference followed and the first real alternative taken."""
    for _ in range(8):
        if "$ref" in wanted:
            wanted = (schema.get("$defs") or {}).get(wanted["$ref"].rpartition("/")[2], {})
        elif alternatives := wanted.get("anyOf") or wanted.get("oneOf") or wanted.get("allOf"):
            wanted = next((a for a in alternatives if a.get("type") != "null"), alternatives[0])
        else:
            break
    return wanted


def _type(wanted: Mapping[str, Any]) -> str:
    kind = wanted.get("type", "object" if "properties" in wanted else "string")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    return str(kind)
