"""`arxivscout batch`: research jobs from a file, many at a time, resumable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.batch_change import (
    BatchArgument,
    chosen_job,
    job_name,
    named_batch,
    register,
)
from arxivscout.cli.door import JsonOption, ModelOption, UserOption, check_range, door
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.reports.files import Format

EXAMPLES = """\
\b
Examples:
  arxivscout batch run questions.yaml --out reports
  arxivscout batch run questions.csv --out reports --concurrency 2 --budget 500k
  arxivscout batch run questions.jsonl --out reports --dry-run
  arxivscout batch status reports
  arxivscout batch show reports 3
  arxivscout batch retry reports
"""
TO_DO = ("new", "waiting", "running")
MOST_WORKERS = 8  # a pool of connections and a person's patience are shared by them
FormatsOption = Annotated[
    list[str] | None,
    typer.Option("--format", "-f", help="markdown, html, bib or json; more than once for several."),
]

app = typer.Typer(
    help="Research jobs from a file: reports by the morning.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=EXAMPLES,
)


@app.command("run")
def run(
    context: typer.Context,
    jobs: Annotated[
        Path, typer.Argument(metavar="JOBS", help="A YAML, JSON, JSONL or CSV file of questions.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the reports.")],
    name: Annotated[
        str | None,
        typer.Option(
            "--name", help="The batch's name, for several machines (default: the folder)."
        ),
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-c", help="Jobs under way at a time (1 to 8).")
    ] = 1,
    budget: Annotated[
        str | None,
        typer.Option("--budget", help="Stop at so many tokens (200k) or so much money ($2.50)."),
    ] = None,
    max_failures: Annotated[
        int | None, typer.Option("--max-failures", help="Stop after so many failed jobs.")
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", help="Seconds that one job may take.")
    ] = 1_800.0,
    formats: FormatsOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would run, and what it may cost.")
    ] = False,
    remote: Annotated[
        str | None,
        typer.Option("--remote", metavar="URL", help="Run the jobs on this LangGraph server."),
    ] = None,
    user: UserOption = None,
    model: ModelOption = None,
    as_json: JsonOption = False,
) -> None:
    """Work a file of questions off, one report each.

    The same command goes on where it was stopped, whatever stopped it; what is done is not done
    again. Several processes, or machines on one database, may run it at the same time.
    """
    from arxivscout.batch.job_file import read_jobs
    from arxivscout.batch.options import Budget, Options
    from arxivscout.cli import render
    from arxivscout.cli.batch_view import shown, tell_outcome, tell_plan

    given, chosen = read_jobs(jobs), _formats(formats)
    check_range(concurrency, "--concurrency", 1, MOST_WORKERS)
    if max_failures is not None:
        check_range(max_failures, "--max-failures", 1, 1_000_000)
    if not 0.1 <= timeout <= 86_400:
        raise UsageError(f"--timeout {timeout:g} is out of range.", "Give 0.1 to 86400 seconds.")
    options = Options(concurrency, Budget.parse(budget) if budget else None, max_failures, timeout)
    folder = out.expanduser().absolute()
    with door(context).scout(user, model=model, quiet=as_json) as scout:
        batches = scout.batches(model)
        if options.budget:
            batches.check_budget(given, options.budget)
        if dry_run:
            known = batches.known(name or str(folder))
            left = [job for job in given if known.get(job.key, "waiting") in TO_DO]
            tell_plan(batches.estimate(left), known, given, as_json=as_json)
            return
        with batches.machine(remote) as machine:
            batch_id = batches.open(name or str(folder), given, folder)
            outputs = batches.outputs(batch_id, folder, out.name or str(folder), chosen)
            outputs.catch_up()
            with shown(batches.counts(batch_id), quiet=as_json) as tell:
                try:
                    outcome = batches.runner(machine, batch_id, outputs, options, tell).run()
                except KeyboardInterrupt:
                    render.note("Stopped. What is done is kept; the same command goes on.")
                    raise
    tell_outcome(outcome, folder, as_json=as_json)


@app.command("list")
def list_batches(
    context: typer.Context, user: UserOption = None, as_json: JsonOption = False
) -> None:
    """List your batches, the one last worked at first."""
    from arxivscout.cli import batch_view as view
    from arxivscout.cli import render

    with door(context).scout(user, quiet=as_json) as scout:
        found = scout.batches().all()
    if as_json:
        render.json_out([view.batch_json(each) for each in found])
    elif found:
        render.table(
            ("batch", "done", "failed", "at work", "to do", "last worked at"),
            [
                (
                    each.name,
                    f"{each.counts.done} of {each.counts.total}",
                    str(each.counts.failed),
                    str(each.counts.at_work),
                    str(each.counts.to_do - each.counts.at_work),
                    f"{each.worked_at or each.created_at:%Y-%m-%d %H:%M}",
                )
                for each in found
            ],
            folded=0,
        )
    else:
        render.note("There is no batch. `arxivscout batch run JOBS --out DIR` begins one.")


@app.command("status")
def status(
    context: typer.Context,
    batch: BatchArgument,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how far a batch is, job by job."""
    from arxivscout.cli import batch_view as view
    from arxivscout.cli import render

    with door(context).scout(user, quiet=as_json) as scout:
        batches = scout.batches()
        found = named_batch(batches, batch)
        rows = batches.jobs(found.batch_id)
    if as_json:
        jobs = [view.job_json(row) for row in rows]
        render.json_out({**view.batch_json(found), "jobs": jobs})
        return
    render.table(
        ("job", "status", "seconds", "question"),
        [
            (
                job_name(row),
                view.status_of(row),
                view.seconds_of(row),
                "\n".join(filter(None, [str(row.spec["question"]), row.error])),
            )
            for row in rows
        ],
        folded=3,
    )
    counts = found.counts
    render.line(
        f"{counts.done} of {counts.total} done, {counts.failed} failed, {counts.waiting} waiting, "
        f"{counts.running} running, {counts.cancelled} cancelled"
    )


@app.command("show")
def show(
    context: typer.Context,
    batch: BatchArgument,
    job: Annotated[str, typer.Argument(metavar="JOB", help="Its id or number.")],
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the report of one job, or why there is none."""
    from arxivscout.cli import batch_view as view
    from arxivscout.cli import render

    with door(context).scout(user, quiet=as_json) as scout:
        batches = scout.batches()
        rows = batches.jobs(named_batch(batches, batch).batch_id)
        row = chosen_job(rows, job)
        report = batches.report(row.job_id)
    if as_json:
        render.json_out({**view.job_json(row), "report": report})
    elif report:
        from arxivscout.reports.markdown import to_markdown
        from arxivscout.reports.report import Report

        render.document(to_markdown(Report(**report)))
    else:
        why = f": {row.error}" if row.error else ""
        render.note(f"Job {job_name(row)} has no report: it is {view.status_of(row)}{why}")


def _formats(given: list[str] | None) -> tuple[Format, ...] | None:
    from arxivscout.reports.files import SUFFIXES

    if not given:
        return None
    known: dict[str, Format] = {end: each for each, end in SUFFIXES.items()}
    known |= {each: each for each in SUFFIXES}
    for each in given:
        if each.lower() not in known:
            raise UsageError(
                f"--format {each[:40]!a} is not known.", "Give markdown, html, bib or json."
            )
    return tuple(dict.fromkeys(known[each.lower()] for each in given))


register(app)
