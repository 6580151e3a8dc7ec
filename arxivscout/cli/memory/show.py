"""`arxivscout memory show` and `search`: what is remembered about and for a person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import (
    JsonOption,
    UserOption,
    check_range,
    clean_moment,
    clean_words,
    door,
    jsonable,
)
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.app import Scout
    from arxivscout.memory.overview import MemoryItem, Seen

# What a person said comes before what they looked at, of which there is far more.
SHOWN = ("preference", "lesson", "decision", "correction", "finding", "fact", "question", "note",
         "summary", "paper")  # fmt: skip
KINDS = (*SHOWN, "author", "method", "dataset", "concept", "tool", "organisation", "workflow",
         "episode")  # fmt: skip

SHOWING = """\
\b
Examples:
  arxivscout memory
  arxivscout memory show preference
  arxivscout memory show --as-of 2026-03
  arxivscout memory show --project thesis --archived
"""
SEARCHING = """\
\b
Examples:
  arxivscout memory search dark matter
  arxivscout memory search --archived --kind finding halo masses
"""
KindOption = Annotated[str | None, typer.Option(help=f"Only one kind: {', '.join(KINDS)}.")]
CategoryOption = Annotated[
    str | None, typer.Option(help="Only what is filed there; `memory categories` lists them.")
]
ProjectOption = Annotated[str | None, typer.Option(help="Only what belongs to this project.")]
AsOfOption = Annotated[
    str | None,
    typer.Option(
        metavar="WHEN", help="What held then, or at the end of it (YYYY[-MM[-DD[THH:MM]]])."
    ),
]
NONE_FITS = "No memory is like that."
ArchivedOption = Annotated[bool, typer.Option("--archived", help="Only what rests in the archive.")]

# `1. search_papers(query=dark matter, k=8) -> ok · 8 papers found · 50 ms`
_CALL = re.compile(r"\d+\. (?P<tool>\w+)\((?P<given>.*)\) -> ")
_ARGUMENT = re.compile(r"(\w+)=(.*?)(?:, (?=\w+=)|\Z)")


def register(group: typer.Typer) -> None:
    """Hang the commands on the group `memory`."""
    group.command("show", epilog=SHOWING)(show)
    group.command("search", epilog=SEARCHING)(search)


def show(
    context: typer.Context,
    only: Annotated[
        str | None, typer.Argument(metavar="KIND", help=f"Only one kind: {', '.join(KINDS)}.")
    ] = None,
    kind: KindOption = None,
    limit: Annotated[int, typer.Option(help="How many of each kind, 1 to 1000.")] = 20,
    category: CategoryOption = None,
    project: ProjectOption = None,
    as_of: AsOfOption = None,
    archived: ArchivedOption = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what is remembered: by kind, the newest first."""
    check_range(limit, "--limit", 1, 1000)
    if only and kind and only != kind:
        raise UsageError(f"Two kinds are asked for, {only} and {kind}.", "Give one.")
    kind = only or kind
    with door(context).scout(user) as scout:
        items = remembered(scout, kind, limit, seen(scout, category, project, as_of, archived))
    _tell(items, kind, as_json, some=bool(category or project or as_of or archived))


def search(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="What to look for.")],
    kind: KindOption = None,
    limit: Annotated[int, typer.Option(help="How many, 1 to 1000.")] = 10,
    category: CategoryOption = None,
    project: ProjectOption = None,
    as_of: AsOfOption = None,
    archived: ArchivedOption = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the memories that fit, by meaning, words and what they are joined to; the best first."""
    check_range(limit, "--limit", 1, 1000)
    asked, kind = clean_words(words, "question", "Give words to look for."), known_kind(kind)
    with door(context).scout(user) as scout:
        wanted = seen(scout, category, project, as_of, archived)
        items = scout.rights.search(asked, kind, limit, wanted)
    _tell(items, kind, as_json, some=True)


def _tell(items: Sequence[MemoryItem], kind: str | None, as_json: bool, *, some: bool) -> None:
    """Print them; `some`: it was not asked for all."""
    from arxivscout.cli import render

    if as_json:
        render.json_out([jsonable(item) for item in items])
    elif not items and some:
        render.note(NONE_FITS)
    else:
        show_memories(items, kind)


def seen(
    scout: Scout,
    category: str | None = None,
    project: str | None = None,
    as_of: str | None = None,
    archived: bool = False,
) -> Seen:
    """Which memories the options mean.

    Raises:
        UsageError: no such day.
        NotFound: no such project or category.
    """
    from arxivscout.memory.categories import named
    from arxivscout.memory.overview import Seen

    if category is not None:
        with scout.database.transaction(scout.user) as conn:
            category = named(conn, category).name
    return Seen(
        category=category,
        project_id=scout.projects.named(project).id if project else None,
        as_of=clean_moment(as_of, "--as-of"),
        archived="only" if archived else "without",
    )


def known_kind(kind: str | None) -> str | None:
    """The kind, also in capitals or the plural; None, for any, stays so.

    Raises:
        UsageError: there is no such kind.
    """
    if kind is None:
        return None
    for known in (kind.lower(), kind.lower().removesuffix("s")):
        if known in KINDS:
            return known
    raise UsageError(f"No memory is of the kind {kind!r}.", f"Kinds: {', '.join(KINDS)}.")


def remembered(
    scout: Scout, kind: str | None, limit: int, wanted: Seen | None = None
) -> list[MemoryItem]:
    """The newest `limit` memories of one kind, or of each that is shown unasked.

    Raises:
        UsageError: there is no such kind.
    """
    known = known_kind(kind)
    kinds = [known] if known else SHOWN
    return [item for each in kinds for item in scout.memories(each, limit, wanted)]


def worked(workflow: str) -> str:
    """A way of working as a person reads it: the question, the tools in order, how it ended.

    It is stored as the model reads it: `task: …`, a numbered line a call, `outcome: …`.
    """
    from arxivscout.cli.activity import saying

    told = []
    for line in workflow.splitlines():
        label, _, rest = line.partition(": ")
        if label in ("task", "outcome"):
            told.append(f"“{rest}”" if label == "task" else f"    {rest}")
        elif call := _CALL.match(line):
            told.append(f"    {saying(call['tool'], dict(_ARGUMENT.findall(call['given'])))}")
        else:
            told.append(line)
    return "\n".join(told)


def show_memories(items: Sequence[MemoryItem], kind: str | None) -> None:
    """A line a memory, with its date and where it comes from."""
    from arxivscout.cli import render

    if not items:
        render.note(f"No {kind} is remembered yet." if kind else "Nothing is remembered yet.")
    for item in items:
        told = f"learned: {item.text}" if item.kind == "lesson" else item.text
        render.line(worked(item.text) if item.kind == "workflow" else told)
        source = [
            item.kind,
            render.day(item.at),
            item.thread_id and f"thread {item.thread_id}",
            item.project and f"project {item.project}",
            item.filed_under,
            item.archived_at and f"archived {render.day(item.archived_at)}",
            item.valid_to and f"until {render.day(item.valid_to)}",
            f"id {item.id[:8]}",
        ]
        render.line("    " + " · ".join(each for each in source if each), "dim")
        if item.reason:
            why = item.reason if item.kind == "episode" else f"because {item.reason}"
            render.line(f"    {why}", "dim")
