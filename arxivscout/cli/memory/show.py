"""`arxivscout memory show`: what is remembered about and for a person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, check_range, door, jsonable
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.app import Scout
    from arxivscout.memory.overview import MemoryItem

# What a person said comes before what they looked at, of which there is far more.
SHOWN = ("preference", "correction", "finding", "fact", "note", "summary", "paper")
KINDS = (*SHOWN, "workflow")

# `1. search_papers(query=dark matter, k=8) -> ok · 8 papers found · 50 ms`
_CALL = re.compile(r"\d+\. (?P<tool>\w+)\((?P<given>.*)\) -> ")
_ARGUMENT = re.compile(r"(\w+)=(.*?)(?:, (?=\w+=)|\Z)")


def register(group: typer.Typer) -> None:
    """Hang the command on the group `memory`."""
    group.command("show")(show)


def show(
    context: typer.Context,
    only: Annotated[
        str | None, typer.Argument(metavar="KIND", help=f"Only one kind: {', '.join(KINDS)}.")
    ] = None,
    kind: Annotated[str | None, typer.Option(help="The same, as an option.")] = None,
    limit: Annotated[int, typer.Option(help="How many of each kind, 1 to 1000.")] = 20,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what is remembered: by kind, the newest first."""
    check_range(limit, "--limit", 1, 1000)
    if only and kind and only != kind:
        raise UsageError(f"Two kinds are asked for, {only} and {kind}.", "Give one.")
    kind = only or kind
    with door(context).scout(user) as scout:
        items = remembered(scout, kind, limit)
    from arxivscout.cli import render

    if as_json:
        render.json_out([jsonable(item) for item in items])
    else:
        show_memories(items, kind)


def remembered(scout: Scout, kind: str | None, limit: int) -> list[MemoryItem]:
    """The newest `limit` memories of one kind, or of each but ways of working.

    Raises:
        UsageError: there is no such kind.
    """
    if kind is not None and kind not in KINDS:
        raise UsageError(f"No memory is of the kind {kind!r}.", f"Kinds: {', '.join(KINDS)}.")
    return [item for each in ([kind] if kind else SHOWN) for item in scout.memories(each, limit)]


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
        render.line(worked(item.text) if item.kind == "workflow" else item.text)
        source = [item.kind, render.day(item.at), item.thread_id and f"thread {item.thread_id}"]
        render.line("    " + " · ".join(each for each in source if each), "dim")
        if item.reason:
            render.line(f"    because {item.reason}", "dim")
