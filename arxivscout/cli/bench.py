"""`arxivscout bench`: measure, on this machine and on real papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arxivscout.cli.door import JsonOption, door
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.bench.trust import Result

app = typer.Typer(help="Measure how good the answers are.", no_args_is_help=True)
CASES = Path("tests") / "benchmarks" / "trust" / "cases.jsonl"


@app.callback()
def bench() -> None:
    """Measure how good the answers are."""


@app.command("trust")
def trust(
    context: typer.Context,
    cases: Annotated[
        Path | None, typer.Option(help="Cases as JSON lines (default: those of the checkout).")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder with records; cases are made of their abstracts too."),
    ] = None,
    papers: Annotated[int, typer.Option(help="How many abstracts of --data.")] = 200,
    misses: Annotated[
        bool, typer.Option("--misses", help="Show each case that went wrong.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """How far answers can be trusted: what the check catches, by class, and its false alarms.

    Scripted answers go through the check, questions through turns of the extractive model over the
    starter collection in a home of their own, gone at the end.
    """
    from arxivscout.bench.mechanical import mechanical_cases
    from arxivscout.bench.trust import check_case, held_ids, report
    from arxivscout.bench.trust_cases import load_cases, load_library
    from arxivscout.bench.trust_questions import ask_cases, starter_scout
    from arxivscout.cli import render
    from arxivscout.resources import folder

    path = cases or folder("data").parent / CASES
    if cases is None and not path.is_file():
        raise UsageError("No cases came along with this installation.", "Name them with --cases.")
    settings = door(context).settings()
    library = load_library((folder("data") / "starter.jsonl").read_text("utf-8").splitlines())
    written = load_cases(path, library)
    held = held_ids(library.papers.values())
    made = list(mechanical_cases(data, papers)) if data else []
    with (
        render.getting_ready(quiet=as_json) as notice,
        starter_scout(settings, notice=notice) as scout,
    ):
        embed = scout.embedder.embed_array
        results = [check_case(case, held, embed) for case in written if case.answer is not None]
        results += ask_cases(scout, [case for case in written if case.answer is None])
        by_rule = [check_case(case, frozenset(), embed) for case in made]
    found = {"cases": report(results)} | ({"mechanical": report(by_rule)} if made else {})
    if as_json:
        render.json_out(found)
        return
    for name, parts in found.items():
        for part, classes in parts.items():
            _show(f"{name}, {part}", classes)
    if misses:
        for result in [*results, *by_rule]:
            if not result.right:
                _miss(result)


def _show(title: str, classes: dict[str, Any]) -> None:
    from arxivscout.cli import render

    render.line(f"\n{title}", "bold")
    rows = [
        (
            kind,
            f"{each['right']}/{each['cases']}",
            f"{100 * each['share']:.1f} %",
            f"{each['ms']:g}",
        )
        for kind, each in classes.items()
    ]
    render.table(("class", "right", "share", "ms"), rows, folded=0)


def _miss(result: Result) -> None:
    from arxivscout.cli import render

    case = result.case
    render.line(f"\n{case.kind} · {case.id}", "bold")
    render.line(f"Q: {case.question}")
    if case.answer:
        render.line(f"A: {case.answer}")
    for line in result.told:
        render.line(f"  {line}", "dim")
