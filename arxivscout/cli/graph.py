"""`arxivscout graph`: what is joined to what, in a person's memory and among the papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, check_range, clean_moment, door
from arxivscout.cli.graph_rules import app as rule_app
from arxivscout.cli.graph_view import (
    around_json,
    event_json,
    matches_json,
    show_around,
    show_edges,
)

if TYPE_CHECKING:
    from arxivscout.app import Scout
    from arxivscout.memory.graph.node import View

EXAMPLES = """\
\b
Examples:
  arxivscout graph neighbours LoRA --depth 2
  arxivscout graph neighbours "my pipeline" --along depends_on --transitive
  arxivscout graph path LoRA "Ada Lovelace"
  arxivscout graph timeline "jet tagging" --as-of 2026-03
  arxivscout graph match '?p written_by ?a; ?q written_by ?a; ?q about "jets"; ?p cites 0704.0001'
  arxivscout graph rule add "?a extends ?b, ?b extends ?c => ?a builds_on ?c"

A thing goes by its name, an alias, an arXiv id, a memory's id, "me", or a key: author:ada lovelace.
"""
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", help="As it was known then: YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDTHH:MM."
    ),
]
Along = Annotated[
    list[str] | None,
    typer.Option("--along", help="Only this predicate, such as extends; may be repeated."),
]
Limit = Annotated[int, typer.Option(help="How many at most, 1 to 200.")]

app = typer.Typer(
    help="The graph: what is joined to what, since when, and who says so.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=EXAMPLES,
)
app.add_typer(rule_app, name="rule")


@app.command("neighbours")
def neighbours(
    context: typer.Context,
    name: Annotated[list[str], typer.Argument(metavar="NAME...", help="Of what.")],
    depth: Annotated[int, typer.Option(help="How many steps, 1 to 4.")] = 1,
    along: Along = None,
    transitive: Annotated[
        bool, typer.Option("--transitive", help="Follow one predicate to its end.")
    ] = False,
    backward: Annotated[
        bool, typer.Option("--backward", help="With --transitive: what leads here instead.")
    ] = False,
    limit: Limit = 10,
    as_of: AsOf = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """What a thing is joined to, the weightiest first."""
    from arxivscout.errors import UsageError

    check_range(depth, "--depth", 1, 4)
    check_range(limit, "--limit", 1, 200)
    if transitive and len(along or []) != 1:
        raise UsageError("--transitive follows one predicate.", "Name it: --along depends_on.")
    if backward and not transitive:
        raise UsageError("--backward goes with --transitive.", "Give both.")
    called = " ".join(name)
    with door(context).scout(user, quiet=as_json) as scout:
        view = _view(scout, as_of)
        if transitive and along:
            found = scout.graph.closure(called, along[0], backward=backward, view=view)
        else:
            found = scout.graph.neighbours(
                called, depth=depth, predicates=along or (), limit=limit, view=view
            )
    show_around(found, as_json)


@app.command("related")
def related(
    context: typer.Context,
    name: Annotated[list[str], typer.Argument(metavar="NAME...", help="To what.")],
    limit: Limit = 10,
    as_of: AsOf = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """What shares most with a thing: a rare neighbour in common counts for more."""
    from arxivscout.cli import render

    check_range(limit, "--limit", 1, 200)
    with door(context).scout(user, quiet=as_json) as scout:
        found = scout.graph.related(" ".join(name), limit=limit, view=_view(scout, as_of))
    if as_json:
        render.json_out(around_json(found))
    elif found.reached:
        render.table(
            ("score", "kind", "what", "in common"),
            [
                (
                    f"{each.score:.2f}",
                    each.node.kind,
                    each.node.label[:60],
                    "; ".join(node.label[:60] for node in each.shared[:5]),
                )
                for each in found.reached
            ],
            folded=3,
        )
    else:
        render.note(f"Nothing shares a neighbour with {found.starts[0].label}.")


@app.command("path")
def path(
    context: typer.Context,
    start: Annotated[str, typer.Argument(metavar="FROM")],
    end: Annotated[str, typer.Argument(metavar="TO")],
    along: Along = None,
    as_of: AsOf = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """The shortest way between two things, and what each step rests on."""
    from arxivscout.cli import render

    with door(context).scout(user, quiet=as_json) as scout:
        found = scout.graph.path(start, end, predicates=along or (), view=_view(scout, as_of))
    if as_json:
        render.json_out(None if found is None else [edge.to_json() for edge in found])
    elif found is None:
        render.note(f"No way of six steps leads from {start} to {end}.")
    elif not found:
        render.line("They are the same.")
    else:
        show_edges(found)


@app.command("timeline")
def timeline(
    context: typer.Context,
    about: Annotated[
        list[str] | None, typer.Argument(metavar="[ABOUT...]", help="A thing or a topic.")
    ] = None,
    thread: Annotated[
        str | None, typer.Option("--thread", "-t", help="What happened in this thread instead.")
    ] = None,
    limit: Limit = 50,
    as_of: AsOf = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """What was asked, read, learned, decided and superseded, in order."""
    from arxivscout.cli import render
    from arxivscout.errors import UsageError

    check_range(limit, "--limit", 1, 200)
    if bool(about) == bool(thread):
        raise UsageError("A timeline is of a topic or of a thread.", "Give one of them.")
    with door(context).scout(user, quiet=as_json) as scout:
        view = _view(scout, as_of, thread)
        if thread:
            events = scout.graph.timeline_of_thread(thread, limit=limit, view=view)
        else:
            events = scout.graph.timeline(" ".join(about or ()), limit=limit, view=view)
    if as_json:
        render.json_out([event_json(event) for event in events])
    elif events:
        for event in events:
            render.hanging(f"{render.minute(event.at)}  {event.what:<10}  ", event.text)
            if event.why:
                render.line(f"{'':30}{event.why}", "dim")
    else:
        render.note("Nothing is remembered of that.")


@app.command("match")
def match(
    context: typer.Context,
    pattern: Annotated[str, typer.Argument(help="Edges with ?variables, or JSON.")],
    limit: Limit = 20,
    as_of: AsOf = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """All that a pattern of several edges fits, each with the edges that say so.

    Beside what is remembered, papers give written_by, cites, in_category and about (words in them).
    """
    from arxivscout.cli import render

    check_range(limit, "--limit", 1, 200)
    with door(context).scout(user, quiet=as_json) as scout:
        found = scout.graph.match(pattern, limit=limit, view=_view(scout, as_of))
    if as_json:
        render.json_out(matches_json(found))
        return
    for number, row in enumerate(found.rows, start=1):
        bound = "  ".join(f"?{name} = {node.label}" for name, node in row.bound.items())
        render.line(f"{number}. {bound}", "bold")
        show_edges(row.edges, indent="   ")
    if not found.rows:
        render.note("Nothing fits.")
    elif not found.complete:
        render.note("There may be more: raise --limit, or name more in the pattern.")


def _view(scout: Scout, as_of: str | None, thread: str | None = None) -> View:
    """What held then, or at the end of the day, month or year given, but for private threads.

    Args:
        thread: one that is asked for by name, private or not.
    """
    from arxivscout.memory.graph.node import View
    from arxivscout.memory.remembering import consent

    when = clean_moment(as_of, "--as-of")
    return View(as_of=when, hidden=consent(scout.database, scout.user, thread).hidden)
