"""The tool that asks the graph for all that several edges together fit."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from arxivscout.agent.graph_tools import AS_OF, LONGEST, graph_of, view_from
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.errors import ToolInputError
from arxivscout.memory.graph.matching import Matches, Row
from arxivscout.memory.graph.pattern import (
    MOST_CHARACTERS,
    Triple,
    Variable,
    parse_pattern,
)
from arxivscout.memory.graph.telling import explained
from arxivscout.papers import neutralise, one_line

MOST_EXPLAINED = 10  # rows told with the edges that say so

_FULL_TEXTS = "SELECT count(*) FROM full_text"


class Match(Arguments):
    pattern: str = Field(
        max_length=MOST_CHARACTERS,
        description="Edges `subject predicate object` between semicolons; a place is a ?variable "
        "or a name in quotes. Papers give written_by, cites, in_category, about (words in them); "
        "memory gives uses, extends, depends_on, works_on and the like. Papers by authors who "
        "worked on jets and cite 0704.0001: ?p written_by ?a; ?q written_by ?a; ?q about "
        '"jets"; ?p cites 0704.0001',
    )
    wanted: str = Field("", max_length=100, description="The variable asked for; else the first.")
    limit: int = Field(10, ge=1, le=50, description="How many at most.")
    as_of: str | None = Field(None, description=AS_OF)


def _match(
    scope: TurnScope, pattern: str, wanted: str = "", limit: int = 10, as_of: str | None = None
) -> ToolResult:
    triples = parse_pattern(pattern)
    places = [place for triple in triples for place in (triple.subject, triple.object)]
    variables = [place.name for place in places if isinstance(place, Variable)]
    asked = wanted.strip(" ?") or next(iter(variables), "")
    if asked and asked not in variables:
        raise ToolInputError(f"?{asked[:40]} does not stand in the pattern.")
    found = graph_of(scope).match(pattern, limit=limit, view=view_from(scope, as_of))
    lines = [line for at, row in enumerate(found.rows) for line in _row(at, row, asked)]
    if not lines:
        return ToolResult(_nothing(scope, triples), "nothing fits", empty=True)
    return ToolResult("\n".join([*lines, *_more(found)]), f"{len(found.rows)} found")


def _nothing(scope: TurnScope, triples: Sequence[Triple]) -> str:
    text = "Nothing that is held or remembered fits."
    if not any(triple.predicate == "cites" for triple in triples):
        return text
    with scope.services.database.shared() as conn:
        row = conn.execute(_FULL_TEXTS).fetchone()
    held = int(row[0]) if row else 0
    return f"{text} What cites what is known of papers whose full text is held: {held:,} of them."


def _row(at: int, row: Row, asked: str) -> list[str]:
    """A line for what is asked for, and one for each edge that says so."""
    node = row.bound.get(asked)
    lines = [f"{at + 1}. {_line(node.label) if node else 'It is so.'}"]
    if at < MOST_EXPLAINED:
        lines += [f"   - {_line(each)}" for each in explained(row.edges)]
    return lines


def _more(found: Matches) -> list[str]:
    return [] if found.complete else ["There may be more."]


def _line(text: str) -> str:
    return neutralise(one_line(text))[:LONGEST]


PATTERN_TOOLS = (
    ScoutTool(
        name="match",
        description=(
            "Find what fits several relations at once: papers by authors who worked on one thing "
            "and cite another, methods that extend one and use another."
        ),
        args_schema=Match,
        function=_match,
    ),
)
