"""`arxivscout bench`: measure, on this machine and on real papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arxivscout.cli.bench_context import context_
from arxivscout.cli.bench_dedup import dedup
from arxivscout.cli.bench_memory import memory
from arxivscout.cli.bench_retrieval import retrieval
from arxivscout.cli.door import JsonOption, check_range, door
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.bench.batch import Run
    from arxivscout.bench.trust import Result

app = typer.Typer(help="Measure answers, searches and batches.", no_args_is_help=True)
CASES = Path("tests") / "benchmarks" / "trust" / "cases.jsonl"


@app.callback()
def bench() -> None:
    """Measure answers, searches and batches."""


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
        embed = scout.embedder.text_array
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


app.command("retrieval")(retrieval)
app.command("dedup")(dedup)
app.command("memory")(memory)
app.command("context")(context_)


@app.command("graph")
def graph(
    context: typer.Context,
    entities: Annotated[int, typer.Option(help="How many entities one person has.")] = 100_000,
    relations: Annotated[int, typer.Option(help="How many relations join them.")] = 1_000_000,
    as_json: JsonOption = False,
) -> None:
    """How fast a graph is walked at size: neighbours, paths, what a question leads to.

    The graph is made in a database of its own below the home (a minute, once); some of its nodes
    are hubs that tens of thousands of others point to.
    """
    from arxivscout.bench.graph import measure
    from arxivscout.cli import render
    from arxivscout.embedding import load_embedder

    check_range(entities, "--entities", 2_000, 10_000_000)
    check_range(relations, "--relations", 2_000, 100_000_000)
    settings = door(context).settings()
    identity = load_embedder(settings).identity
    found = measure(settings, identity, entities, relations, render.note)
    if as_json:
        render.json_out(found)
        return
    rows = [(name, *(f"{value:g}" for value in each.values())) for name, each in found.items()]
    render.table(("asked", *next(iter(found.values()))), rows, folded=0)


@app.command("batch")
def batch(
    context: typer.Context,
    jobs: Annotated[int, typer.Option(help="How many jobs.")] = 100,
    concurrency: Annotated[
        list[int] | None, typer.Option(help="Jobs at a time; more than once for several.")
    ] = None,
    kills: Annotated[int, typer.Option(help="How often a worker is killed, at random.")] = 20,
    database_kills: Annotated[int, typer.Option(help="How often the database is.")] = 2,
    slow: Annotated[
        int, typer.Option(help="Jobs with a model of 2 s a call, 1 and 4 at a time.")
    ] = 32,
    as_json: JsonOption = False,
) -> None:
    """How fast batches are over the papers held, and whether kills lose or double a job.

    It works in the name of a person made for it, whose memory is deleted at the end.
    """
    import os

    from arxivscout.bench.batch import Bench, slow_model
    from arxivscout.cli import render

    user = f"bench batch {os.getpid()}"
    with door(context).scout(user, quiet=as_json) as scout:
        bench = Bench(scout.database, scout.settings.home, user, jobs)
        runs: list[Run] = []
        amiss: list[str] = []
        try:
            for each in concurrency or [1, 2, 4]:
                runs.append(bench.timed(each))
                render.note(f"{runs[-1].to_json()}")
            if slow:
                with slow_model(2.0) as model:
                    for each in (1, 4):
                        runs.append(bench.timed(each, model=model, jobs=slow))
                        render.note(f"{runs[-1].to_json()}")
            if kills or database_kills:
                run, amiss = bench.killed(kills, database_kills)
                runs.append(run)
        finally:
            bench.clean_up()
    if as_json:
        render.json_out({"runs": [run.to_json() for run in runs], "amiss": amiss})
        return
    rows = [tuple(str(value) for value in run.to_json().values()) for run in runs]
    render.table(tuple(runs[0].to_json()), rows, folded=0)
    for line in amiss or ["no job was lost, doubled or half written"]:
        render.line(line)


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
