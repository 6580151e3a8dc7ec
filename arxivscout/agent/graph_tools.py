"""Tools over the graph: what a thing is joined to, how two are related, what happened with one."""

from __future__ import annotations

from pydantic import Field

from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.errors import ToolInputError
from arxivscout.memory.graph.node import View
from arxivscout.memory.graph.own import Around, Graph
from arxivscout.memory.graph.telling import explained
from arxivscout.memory.remembering import consent
from arxivscout.papers import clean_text, neutralise, one_line
from arxivscout.papers.dates import MOMENT_FORMS, moment_named

_NAME = "A method, data set, tool, author, topic or arXiv id; “me” is the researcher."
AS_OF = f"As it was known then: {MOMENT_FORMS}."
LONGEST = 300  # of a line
MOST_SHARED = 5  # neighbours that two things have in common, told of


class Neighbours(Arguments):
    name: str = Field(description=_NAME)
    depth: int = Field(1, ge=1, le=4, description="How many steps.")
    predicates: list[str] = Field(
        default_factory=list,
        max_length=10,
        description="Only along these, such as extends, uses, written_by, cites.",
    )
    transitive: bool = Field(False, description="Follow one predicate to its end.")
    backward: bool = Field(False, description="With transitive: what leads to the thing.")
    limit: int = Field(10, ge=1, le=50, description="How many at most.")
    as_of: str | None = Field(None, description=AS_OF)


class SharedNeighbours(Arguments):
    name: str = Field(description=_NAME)
    limit: int = Field(10, ge=1, le=50, description="How many at most.")


class Path(Arguments):
    start: str = Field(description=_NAME)
    end: str = Field(description=_NAME)
    as_of: str | None = Field(None, description=AS_OF)


class Timeline(Arguments):
    about: str = Field("", description=_NAME + " Empty: what happened in this thread.")
    limit: int = Field(20, ge=1, le=100, description="How many of the newest events.")
    as_of: str | None = Field(None, description=AS_OF)


def _neighbours(
    scope: TurnScope,
    name: str,
    depth: int = 1,
    predicates: list[str] | None = None,
    transitive: bool = False,
    backward: bool = False,
    limit: int = 10,
    as_of: str | None = None,
) -> ToolResult:
    graph, view, along = graph_of(scope), view_from(scope, as_of), predicates or []
    if transitive and len(along) != 1:
        raise ToolInputError("transitive follows one predicate.", "Give it in predicates.")
    if backward and not transitive:
        raise ToolInputError("backward goes with transitive.", "Give both.")
    if transitive:
        found = graph.closure(name, along[0], backward=backward, view=view)
        found = Around(found.starts, found.reached[:limit])
    else:
        found = graph.neighbours(name, depth=depth, predicates=along, limit=limit, view=view)
    lines = [f"- {_line(told)}" for each in found.reached for told in explained([each.via])]
    lines = list(dict.fromkeys(lines))
    return ToolResult(
        "\n".join([f"{_line(found.starts[0].label)}:", *lines]) if lines else _nothing(name),
        f"{len(found.reached)} neighbour{'' if len(found.reached) == 1 else 's'}",
        empty=not lines,
    )


def _related(scope: TurnScope, name: str, limit: int = 10, as_of: str | None = None) -> ToolResult:
    found = graph_of(scope).related(name, limit=limit, view=view_from(scope, as_of))
    lines = [
        f"- {_line(each.node.label)} ({each.node.kind}): both are joined to "
        f"{_line(', '.join(node.label for node in each.shared[:MOST_SHARED]))}"
        for each in found.reached
    ]
    start = _line(found.starts[0].label)
    text = "\n".join([f"{start} shares neighbours with:", *lines])
    return ToolResult(
        text if lines else f"Nothing shares a neighbour with {start}.",
        f"{len(lines)} related thing{'' if len(lines) == 1 else 's'}",
        empty=not lines,
    )


def _path(scope: TurnScope, start: str, end: str, as_of: str | None = None) -> ToolResult:
    found = graph_of(scope).path(start, end, view=view_from(scope, as_of))
    if found is None:
        text = f"No way of six steps leads from {_line(start)} to {_line(end)} in what is known."
        return ToolResult(text, "no way between them", empty=True)
    if not found:
        return ToolResult("They are the same thing.", "the same thing")
    lines = [f"{number}. {_line(told)}" for number, told in enumerate(explained(found), start=1)]
    return ToolResult("\n".join(lines), f"{len(lines)} step{'' if len(lines) == 1 else 's'}")


def _timeline(
    scope: TurnScope, about: str = "", limit: int = 20, as_of: str | None = None
) -> ToolResult:
    graph, view = graph_of(scope), view_from(scope, as_of)
    about = one_line(clean_text(about))
    if about:
        events = graph.timeline(about, limit=limit, view=view)
    else:
        events = graph.timeline_of_thread(scope.thread_id, limit=limit, view=view)
    lines = [
        f"- {event.at:%Y-%m-%d} {event.what}: {_line(event.text)}"
        + (f" | {_line(event.why)}" if event.why else "")
        for event in events
    ]
    return ToolResult(
        "\n".join(lines) or _nothing(about),
        f"{len(lines)} event{'' if len(lines) == 1 else 's'}",
        empty=not lines,
    )


def graph_of(scope: TurnScope) -> Graph:
    """The graph of the turn's person."""
    return Graph(scope.services.database, scope.services.embedder, scope.user)


def view_from(scope: TurnScope, as_of: str | None) -> View:
    """What may be seen from this thread.

    Raises:
        ToolInputError: `as_of` is no date.
    """
    when = moment_named(as_of) if as_of else None
    if as_of and when is None:
        raise ToolInputError(f"{as_of[:40]!a} is no date.", f"Use {MOMENT_FORMS}.")
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    return View(as_of=when, own=allowed.choice != "nothing", hidden=allowed.hidden)


def _line(text: str) -> str:
    return neutralise(one_line(text))[:LONGEST]


def _nothing(name: str) -> str:
    return f"Nothing is known of {_line(name)}." if name else "Nothing has happened yet."


GRAPH_TOOLS = (
    ScoutTool(
        name="neighbours",
        description=(
            "What a thing is joined to in memory and among the papers: what a method extends, who "
            "wrote a paper, what the researcher uses. With since when, and who says so."
        ),
        args_schema=Neighbours,
        function=_neighbours,
    ),
    ScoutTool(
        name="related",
        description=(
            "What has most in common with a thing: authors, methods, references joined to both."
        ),
        args_schema=SharedNeighbours,
        function=_related,
    ),
    ScoutTool(
        name="path",
        description=(
            "How two things are related: the shortest way between them, each step with what it "
            "rests on."
        ),
        args_schema=Path,
        function=_path,
    ),
    ScoutTool(
        name="timeline",
        description=(
            "What happened with a thing or topic, or in this thread, in order: asked, read, found, "
            "decided, superseded."
        ),
        args_schema=Timeline,
        function=_timeline,
    ),
)
