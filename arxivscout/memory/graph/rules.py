"""The rules by which edges are inferred: a few that come along, and those a person adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory.graph.pattern import Rule, parse_rule
from arxivscout.memory.kept_text import kept_text
from arxivscout.papers import one_line

MOST_RULES = 50
LONGEST_NAME = 60

BUILT_IN = {
    "builds on": "?a extends ?b, ?b extends ?c => ?a builds_on ?c",
    "part of a whole": "?a part_of ?b, ?b part_of ?c => ?a part_of ?c",
    "depends in turn": "?a depends_on ?b, ?b depends_on ?c => ?a depends_on ?c",
}

_READ = "SELECT name, rule, active FROM graph_rule WHERE user_id = scout_user() ORDER BY name"

_PUT = """
INSERT INTO graph_rule (name, rule, active) VALUES (%(name)s, %(rule)s, %(active)s)
ON CONFLICT (user_id, name) DO UPDATE SET rule = excluded.rule, active = excluded.active
"""

_REMOVE = "DELETE FROM graph_rule WHERE user_id = scout_user() AND name = %(name)s"

_END = """
UPDATE relation_memory SET valid_to = clock_timestamp()
WHERE user_id = scout_user() AND derived_by = %(name)s AND valid_to IS NULL
"""

_COUNTS = """
SELECT derived_by, count(*) FROM relation_memory
WHERE user_id = scout_user() AND derived_by IS NOT NULL AND valid_to IS NULL GROUP BY derived_by
"""


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule under its name; `edges` is how many that hold it has inferred."""

    name: str
    rule: Rule
    active: bool = True
    built_in: bool = False
    edges: int = 0


def rules(conn: Connection[Any]) -> list[NamedRule]:
    """All rules of the person, those that come along first."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        own = {row[0]: row for row in cursor.execute(_READ)}
        counts: dict[str, int] = dict(cursor.execute(_COUNTS).fetchall())
    found = [
        NamedRule(name, parse_rule(text), name not in own, True, counts.get(name, 0))
        for name, text in BUILT_IN.items()
    ]
    found += [
        NamedRule(name, parse_rule(text), active, False, counts.get(name, 0))
        for name, text, active in own.values()
        if name not in BUILT_IN
    ]
    return found


def add_rule(conn: Connection[Any], text: str, name: str | None = None) -> NamedRule:
    """Add a rule, or put it in the place of the one of that name; without one its words are it.

    What the replaced one inferred ends. The caller infers anew. The very rule of one that is there
    stays that one.

    Raises:
        UsageError: it can't be read, the name is taken by one that comes along, or there are many.
    """
    rule = parse_rule(kept_text(text))
    held = {each.name: each for each in rules(conn)}
    same = next((each for each in held.values() if each.active and each.rule == rule), None)
    if same is not None and (name is None or one_line(name) == same.name):
        return same
    name = one_line(kept_text(name or "") or str(rule.head.predicate).replace("_", " "))
    if not name or len(name) > LONGEST_NAME:
        raise UsageError(f"A rule's name has 1 to {LONGEST_NAME} characters.", "Give it by --name.")
    if name in BUILT_IN:
        raise UsageError(f"The rule {name!r} comes along with ArxivScout.", "Give another --name.")
    if name not in held and len(held) >= MOST_RULES:
        raise UsageError(f"There are {MOST_RULES} rules already.", "Remove one first.")
    if name in held:
        conn.execute(_END, {"name": name})
    conn.execute(_PUT, {"name": name, "rule": str(rule), "active": True})
    return NamedRule(name, rule)


def remove_rule(conn: Connection[Any], name: str) -> NamedRule:
    """Take a rule away, or switch off one that comes along; what it inferred ends.

    Raises:
        NotFound: there is no such rule.
    """
    held = {each.name: each for each in rules(conn)}
    rule = held.get(one_line(name))
    if rule is None or not rule.active:
        raise NotFound(f"There is no rule {name!r}.", f"There are: {', '.join(held)}.")
    if rule.built_in:
        conn.execute(_PUT, {"name": rule.name, "rule": str(rule.rule), "active": False})
    else:
        conn.execute(_REMOVE, {"name": rule.name})
    conn.execute(_END, {"name": rule.name})
    return rule


def restore_rule(conn: Connection[Any], name: str) -> NamedRule:
    """Switch on again a rule that comes along.

    Raises:
        NotFound: none of that name is switched off.
    """
    for rule in rules(conn):
        if rule.name == one_line(name) and rule.built_in and not rule.active:
            conn.execute(_REMOVE, {"name": rule.name})
            return NamedRule(rule.name, rule.rule, True, True)
    raise NotFound(f"No rule {name!r} is switched off.")
