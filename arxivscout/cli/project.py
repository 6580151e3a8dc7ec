"""`arxivscout project`: threads, papers and findings that belong together, and where they stand."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, door, jsonable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.memory.project import Project
    from arxivscout.memory.project_summary import Detail, Progress

EPILOG = """\
\b
Examples:
  arxivscout project new thesis --goal "Halo masses of dwarf galaxies"
  arxivscout chat --project thesis
  arxivscout project add thesis 2505.21638 --thread reading
  arxivscout project show thesis
  arxivscout project summary thesis
  arxivscout project close thesis
"""
NameArgument = Annotated[
    str, typer.Argument(metavar="PROJECT", help="Its name, or how its id begins.")
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")]

app = typer.Typer(
    help="Keep threads, papers and findings together, and sum them up.",
    epilog=EPILOG,
    no_args_is_help=True,
)


@app.command()
def new(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called.")],
    goal: Annotated[str | None, typer.Option("--goal", help="What it is for.")] = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Begin a project."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        made = scout.projects.new(name, goal)
    if as_json:
        render.json_out(jsonable(made))
    else:
        command = f"arxivscout chat --project {shlex.quote(made.name)}"
        render.line(f"Begun: {made.name}. `{command}` works on it.")


@app.command("list")
def list_projects(
    context: typer.Context, user: UserOption = None, as_json: JsonOption = False
) -> None:
    """List your projects, open ones first."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        found = scout.projects.all()
    if as_json:
        render.json_out([jsonable(each) for each in found])
    else:
        show_projects(found)


@app.command()
def show(
    context: typer.Context, name: NameArgument, user: UserOption = None, as_json: JsonOption = False
) -> None:
    """Show what a project has: what was found out, decided and is open, papers and threads."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        found, stands = scout.projects.progress(name)
    if as_json:
        render.json_out({**jsonable(found), **jsonable(stands)})
    else:
        show_project(found, stands)


@app.command()
def summary(
    context: typer.Context, name: NameArgument, user: UserOption = None, as_json: JsonOption = False
) -> None:
    """Sum a project up: progress, decisions, what is to do, papers and threads; it is kept."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        found, text = scout.projects.summarize(name)
    if as_json:
        render.json_out({"project": found.name, "summary": text})
    else:
        render.document(text)


@app.command()
def add(
    context: typer.Context,
    name: NameArgument,
    papers: Annotated[
        list[str] | None, typer.Argument(metavar="[ARXIV_ID]...", help="Papers.")
    ] = None,
    threads: Annotated[
        list[str] | None, typer.Option("--thread", "-t", help="A thread; may be repeated.")
    ] = None,
    memories: Annotated[
        list[str] | None,
        typer.Option("--memory", help="A memory, by id or its words; may be repeated."),
    ] = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let papers, threads and memories belong to a project."""
    from arxivscout.cli import render
    from arxivscout.errors import UsageError

    if not (papers or threads or memories):
        raise UsageError("Nothing is to be added.", "Give arXiv ids, --thread or --memory.")
    with door(context).scout(user) as scout:
        added = scout.projects.add(
            name, papers=papers or (), thread_ids=threads or (), memories=memories or ()
        )
    if as_json:
        render.json_out({"project": name, "added": added})
    else:
        render.line(f"Added to {name}: {added}.")


@app.command()
def close(
    context: typer.Context,
    name: NameArgument,
    yes: YesOption = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Close a project: its details go into the archive, its summary stays."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        named = scout.projects.named(name).name
        if not yes and not render.confirm(
            f"Close {named} and archive its details?", otherwise="--yes closes it without asking."
        ):
            render.note("It stays open.")
            raise typer.Exit(1)
        found, text, archived = scout.projects.close(named)
    if as_json:
        render.json_out({"project": found.name, "archived": archived, "summary": text})
        return
    render.document(text)
    render.line(f"Closed; {archived:,} memories are in the archive.", "dim")


@app.command()
def reopen(
    context: typer.Context, name: NameArgument, user: UserOption = None, as_json: JsonOption = False
) -> None:
    """Open a closed project again, with what closing it archived."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        found, restored = scout.projects.reopen(name)
    if as_json:
        render.json_out({"project": found.name, "restored": restored})
    else:
        render.line(f"{found.name} is open again; {restored:,} memories are back.")


def show_projects(found: Sequence[Project], current: str | None = None) -> None:
    """The projects as a table; `current`, the open thread's, is marked."""
    from arxivscout.cli import render

    if not found:
        render.note("No project yet: `arxivscout project new NAME` begins one.")
        return
    render.table(
        ("", "project", "threads", "papers", "begun", "goal"),
        [
            (
                "•" if each.name == current else "",
                each.name,
                str(each.threads),
                str(each.papers),
                render.day(each.created_at),
                f"(closed) {each.goal or ''}".strip() if each.closed_at else each.goal or "",
            )
            for each in found
        ],
        folded=5,
    )


def show_project(found: Project, stands: Progress) -> None:
    """All that a project has."""
    from arxivscout.cli import render

    state = f"closed {render.day(found.closed_at)}" if found.closed_at else "open"
    render.line(f"{found.name} · {state} · begun {render.day(found.created_at)}", "bold")
    if found.goal:
        render.line(found.goal)
    for title, details in (
        ("Progress", stands.findings),
        ("Decisions", stands.decisions),
        ("To do", stands.to_do),
    ):
        _show_details(title, details)
    if stands.papers:
        render.line("\nPapers", "bold")
        for arxiv_id, paper_title in stands.papers:
            render.hanging(f"  [arXiv:{arxiv_id}] ", paper_title)
    if stands.threads:
        render.line("\nThreads", "bold")
        for name, turns, day in stands.threads:
            render.line(f"  {name} · {turns} turn{'s' if turns != 1 else ''} · {day or 'no turn'}")


def _show_details(title: str, details: Sequence[Detail]) -> None:
    from arxivscout.cli import render
    from arxivscout.papers import one_line

    if not details:
        return
    render.line(f"\n{title}", "bold")
    for each in details:
        render.hanging("  ", one_line(each.text))
        where = f" · thread {each.thread_id}" if each.thread_id else ""
        render.line(f"    {each.day}{where} · id {str(each.id)[:8]}", "dim")
