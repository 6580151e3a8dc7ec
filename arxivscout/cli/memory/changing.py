"""`arxivscout memory edit`, `forget`, `archive`, `restore` and `review`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, clean_words, door, jsonable
from arxivscout.errors import NotFound, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.app import Scout
    from arxivscout.memory.overview import MemoryItem
    from arxivscout.memory.policies import Proposal

FORGETTING = """\
\b
Examples:
  arxivscout memory forget 3f2a9c
  arxivscout memory forget "papers older than 2015"
  arxivscout memory forget 3f2a9c 81b0 --yes --reason "no longer true"
"""
EDITING = """\
\b
Examples:
  arxivscout memory edit 3f2a9c "I prefer papers from 2018 on."
"""
REVIEWING = """\
\b
Policies stand in config.toml:
  [policies]
  "active projects" = "archive after 90 days"
  "small talk" = "delete after 14 days"
\b
Examples:
  arxivscout memory review --dry-run
  arxivscout memory review --yes        (for cron)
"""
MemoriesArgument = Annotated[
    list[str], typer.Argument(metavar="MEMORY...", help="Ids, how they begin, or words of one.")
]
ReasonOption = Annotated[str | None, typer.Option("--reason", help="Why; the change log has it.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")]


def register(group: typer.Typer) -> None:
    """Hang the commands on the group `memory`."""
    group.command("edit", epilog=EDITING)(edit)
    group.command("forget", epilog=FORGETTING)(forget)
    group.command("archive")(archive)
    group.command("restore")(restore)
    group.command("review", epilog=REVIEWING)(review)


def edit(
    context: typer.Context,
    memory: Annotated[str, typer.Argument(help="Its id, how that begins, or words of it.")],
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What it says from now on.")],
    reason: ReasonOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a memory say something else; what it said before stays in its history."""
    from arxivscout.cli import render

    said = clean_words(text, "text", "Say what it says from now on.")
    with door(context).scout(user) as scout:
        found = scout.rights.named(memory)
        new = scout.rights.edit(found, said, reason)
    if as_json:
        render.json_out({"id": new, "was": found.id, "text": said})
    else:
        render.line(f"It says now (id {new[:8]}): {said}")


def forget(
    context: typer.Context,
    memories: MemoriesArgument,
    reason: ReasonOption = None,
    yes: YesOption = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Forget memories, once you said yes; `arxivscout memory undo` brings them back."""
    with door(context).scout(user) as scout:
        found = named(scout, memories, "forget", yes)
        for each in found:
            scout.rights.forget(each, reason)
    _tell("Forgotten", found, as_json)


def archive(
    context: typer.Context,
    memories: MemoriesArgument,
    reason: ReasonOption = None,
    yes: YesOption = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put memories into the archive: kept and found with --archived, no longer recalled unasked."""
    with door(context).scout(user) as scout:
        found = named(scout, memories, "archive", yes)
        for each in found:
            scout.rights.archive(each, reason)
    _tell("Archived", found, as_json)


def restore(
    context: typer.Context,
    memories: MemoriesArgument,
    reason: ReasonOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring memories back from the archive."""
    with door(context).scout(user) as scout:
        found = [scout.rights.named(each, "only") for each in memories]
        for each in found:
            scout.rights.restore(each, reason)
    _tell("Restored", found, as_json)


def review(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what is proposed.")] = False,
    yes: YesOption = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what policies and fading propose to archive or delete, and do it once you said yes."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        for category in scout.rights.strange_policies():
            render.note(f"A policy is for {category!r}, which is no category of yours.")
        proposed = scout.rights.review()
        if not as_json:
            show_proposals(proposed)
        done = 0
        if proposed and not dry_run:
            if not yes and not render.confirm(
                f"{_counted(proposed)}?", otherwise="--yes does it, --dry-run only lists it."
            ):
                render.note("Nothing is changed.")
                raise typer.Exit(1)
            done = scout.rights.follow(proposed)
    if as_json:
        render.json_out({"done": done, "proposed": [jsonable(each) for each in proposed]})
    elif done:
        render.line(f"Done: {done:,} of {len(proposed):,}; `arxivscout memory log` has each.")


def show_proposals(proposed: Sequence[Proposal]) -> None:
    """A line a proposal, and why."""
    from arxivscout.cli import render
    from arxivscout.papers import one_line

    if not proposed:
        render.line("Nothing is proposed.")
    for each in proposed:
        render.line(f"{each.do} {each.memory_kind or 'memory'}: {one_line(each.text)[:200]}")
        touched = f"untouched since {render.day(each.touched_at)}"
        render.line(f"    {each.why} · {touched} · id {str(each.id)[:8]}", "dim")


def _counted(proposed: Sequence[Proposal]) -> str:
    counts = Counter(each.do for each in proposed)
    told = [f"{do} {counts[do]:,}" for do in ("archive", "delete", "close") if counts[do]]
    return f"{told[0].capitalize()}" + "".join(f", {each}" for each in told[1:])


def named(scout: Scout, memories: Sequence[str], do: str, yes: bool) -> list[MemoryItem]:
    """The memories meant, each once, after the person said yes.

    Raises:
        UsageError: words name more than one; nobody is there to be asked.
        NotFound: they name none.
        typer.Exit: the person said no.
    """
    from arxivscout.cli import render
    from arxivscout.papers import one_line

    found = {each.id: each for each in (_named(scout, words, memories) for words in memories)}
    if not yes:
        for each in found.values():
            render.note(f"  {each.kind}: {one_line(each.text)[:200]}")
        what = "this memory" if len(found) == 1 else f"these {len(found)} memories"
        question = f"{do.capitalize()} {what}?"
        if not render.confirm(question, otherwise=f"--yes {do}s without asking."):
            render.note("Nothing is changed.")
            raise typer.Exit(1)
    return list(found.values())


def _named(scout: Scout, words: str, memories: Sequence[str]) -> MemoryItem:
    try:
        return scout.rights.named(words)
    except (NotFound, UsageError) as error:
        if len(memories) > 1 and isinstance(error, NotFound):
            error.mend = f"{error.mend} Words of one memory stand in quotation marks."
        raise


def _tell(done: str, found: Sequence[MemoryItem], as_json: bool) -> None:
    from arxivscout.cli import render
    from arxivscout.papers import one_line

    if as_json:
        render.json_out([jsonable(each) for each in found])
        return
    for each in found:
        render.line(f"{done}: {one_line(each.text)[:200]} (id {each.id[:8]})")
