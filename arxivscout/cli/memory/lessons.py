"""`arxivscout memory lessons` and `episodes`: what turns have taught, and the turns themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, check_range, door, jsonable

if TYPE_CHECKING:
    from arxivscout.memory.lesson import Lesson
    from arxivscout.reflection.episode import Episode

LESSONS = """\
\b
Examples:
  arxivscout memory lessons
  arxivscout memory lessons "how long answers should be" --limit 3
  arxivscout memory lessons --ended --json
"""
EPISODES = """\
\b
Examples:
  arxivscout memory episodes
  arxivscout memory episodes "dark matter in clusters" --limit 5
"""

QueryArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[QUERY]", help="Only what is nearest to these words.")
]
LimitOption = Annotated[int, typer.Option(help="How many at most, 1 to 1000.")]


def register(group: typer.Typer) -> None:
    """Hang the commands on the group `memory`."""
    group.command("lessons", epilog=LESSONS)(lessons)
    group.command("episodes", epilog=EPISODES)(episodes)


def lessons(
    context: typer.Context,
    query: QueryArgument = None,
    ended: Annotated[bool, typer.Option("--ended", help="Also those that held once.")] = False,
    limit: LimitOption = 50,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """What earlier turns have taught, with the cases for and against."""
    from arxivscout.cli import render

    check_range(limit, "--limit", 1, 1000)
    with door(context).scout(user) as scout:
        found = scout.lessons.held(" ".join(query or []), limit=limit, ended=ended)
    if as_json:
        render.json_out([jsonable(each) for each in found])
        return
    if not found:
        render.note("Nothing was learned yet: `arxivscout reflect` looks back on your turns.")
    for each in found:
        show_lesson(each)


def show_lesson(lesson: Lesson) -> None:
    """A lesson in two or three lines."""
    from arxivscout.cli import render

    render.line(f"learned: {lesson.statement}")
    cases = f"{lesson.cases_for} for, {lesson.cases_against} against"
    about = [lesson.kind, cases, render.day(lesson.at), f"id {lesson.id}"]
    if lesson.ended_at is not None:
        about.append(f"ended {render.day(lesson.ended_at)}")
    render.line("    " + " · ".join(about), "dim")
    if lesson.reason:
        render.line(f"    because {lesson.reason}", "dim")


def episodes(
    context: typer.Context,
    query: QueryArgument = None,
    limit: LimitOption = 20,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Your turns: what was asked, planned and done, what came of it, what you said of it."""
    from arxivscout.cli import render

    check_range(limit, "--limit", 1, 1000)
    with door(context).scout(user) as scout:
        found = scout.lessons.episodes(" ".join(query or []), limit=limit)
    if as_json:
        render.json_out([_plain(each) for each in found])
        return
    if not found:
        render.note("No turn has left an episode yet.")
    for each in found:
        _show(each)


def _show(episode: Episode) -> None:
    from arxivscout.cli import render

    render.line(episode.request)
    done = ", ".join(f"{each.tool} ({each.status})" for each in episode.actions)
    render.line(f"    plan: {episode.thought}" + (f" · done: {done}" if done else ""), "dim")
    said = f"{episode.feedback}{f': {episode.note}' if episode.note else ''}"
    about = [episode.outcome, episode.feedback and said, render.day(episode.at)]
    about.append(episode.thread_id and f"thread {episode.thread_id}")
    render.line("    " + " · ".join(each for each in about if each), "dim")


def _plain(episode: Episode) -> dict[str, object]:
    """An episode as scripts read it, without its vector."""
    plain = jsonable(episode)
    for name in ("vector", "changed_at"):
        del plain[name]
    return plain
