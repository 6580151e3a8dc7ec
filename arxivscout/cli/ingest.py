"""`arxivscout ingest`: papers from files, from arXiv and from Hugging Face data sets."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import (
    AuthorOption,
    CategoryOption,
    EmbeddingOption,
    JsonOption,
    SinceOption,
    UntilOption,
    WorkersOption,
    check_range,
    clean_date,
)
from arxivscout.cli.storing import store_and_tell
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.app import Scout
    from arxivscout.ingest import IngestReport
    from arxivscout.papers import Paper, Skipped

    Records = Iterable[Paper | Skipped]

MOST = 30_000
EXAMPLES = """\
\b
Examples:
  arxivscout ingest file papers.jsonl.gz more.csv
  arxivscout ingest arxiv --query "graph neural networks" --since 2024 --max 200
  arxivscout ingest arxiv --category quant-ph --since 2024-01 --max 500
  arxivscout ingest arxiv --ids 0712.2288,hep-th/9901001
  arxivscout ingest hf --limit 1000
  arxivscout ingest pdf 2212.11867 papers/*.pdf
"""

FIELDS = """\
\b
Fields of a record (those of the Kaggle snapshot and of nick007x/arxiv-papers will do too):
  needed   arxiv_id, title, abstract
  authors  a list of names, or one text
  topics   categories, primary_category
  dates    published, updated (YYYY-MM-DD)
  more     version, doi, journal_ref, comments, withdrawn, source
"""

app = typer.Typer(
    help="Bring papers in; what is held already is not embedded again.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=EXAMPLES,
)


@app.command("file", epilog=FIELDS)
def from_files(
    context: typer.Context,
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH...", help="JSONL, JSON, CSV or Parquet, each also .gz."),
    ],
    embedding: EmbeddingOption = None,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Papers from files: ours, the Kaggle snapshot's or the Hugging Face data set's fields."""
    from arxivscout.papers import Skipped
    from arxivscout.sources.files import read_papers

    readable: list[Path] = []
    records: list[Records] = []
    first_problem: UsageError | None = None
    for path in paths:
        try:
            records.append(read_papers(path))
            readable.append(path)
        except UsageError as problem:
            first_problem = first_problem or problem
            records.append([Skipped(str(path), problem.cause)])
    if first_problem is not None and not readable:
        raise first_problem
    _ingest(
        context,
        lambda _: chain(*records),
        as_json,
        total=lambda: _lines(readable),
        embedding=embedding,
        workers=workers,
    )


@app.command("arxiv")
def from_arxiv(
    context: typer.Context,
    query: Annotated[str | None, typer.Option(help="Words that the papers should have.")] = None,
    ids: Annotated[
        list[str] | None, typer.Option(help="arXiv ids or addresses, with commas or repeated.")
    ] = None,
    category: CategoryOption = None,
    author: AuthorOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    most: Annotated[int, typer.Option("--max", help=f"How many at most, 1 to {MOST}.")] = 100,
    embedding: EmbeddingOption = None,
    as_json: JsonOption = False,
) -> None:
    """Papers from arXiv's API, by words, category, author or id: one request in three seconds."""
    check_range(most, "--max", 1, MOST)
    wanted = [one for text in ids or [] for one in text.replace(",", " ").split()]
    others = [query, category, author, since, until]
    if wanted:
        if any(others):
            raise UsageError("--ids goes with no other condition.", "Give one or the other.")
        _ingest(
            context,
            lambda scout: scout.arxiv.try_afresh().by_ids(wanted),
            as_json,
            total=len(wanted),
            embedding=embedding,
        )
        return
    if not any(others):
        raise UsageError("Nothing is asked for.", "Give --query, --category, --author or --ids.")
    first, last = clean_date(since, "--since"), clean_date(until, "--until", end=True)
    if first and last and first > last:
        raise UsageError(f"--since {since} is later than --until {until}.")

    def harvest(scout: Scout) -> Records:
        return scout.arxiv.try_afresh().harvest(
            query or "",
            category=category,
            author=author,
            since=first,
            until=last,
            max_results=most,
        )

    _ingest(context, harvest, as_json, total=most, embedding=embedding)


@app.command("hf")
def from_hugging_face(
    context: typer.Context,
    dataset: Annotated[
        str | None, typer.Argument(help="owner/name on the Hub, or a folder of data files.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="How many records at most.")] = None,
    embedding: EmbeddingOption = None,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Papers from a Hugging Face data set, streamed (default: nick007x/arxiv-papers)."""
    from arxivscout.sources.huggingface import DEFAULT_DATASET, stream_papers

    def stream(scout: Scout) -> Records:
        return stream_papers(dataset or DEFAULT_DATASET, limit, offline=scout.settings.offline)

    _ingest(context, stream, as_json, total=limit, embedding=embedding, workers=workers)


def _ingest(
    context: typer.Context,
    source: Callable[[Scout], Records],
    as_json: bool,
    *,
    total: int | Callable[[], int | None] | None,
    embedding: str | None = None,
    workers: str | None = None,
) -> None:
    """Store the papers that `source` gives, and tell what became of them; see `store_and_tell`."""
    from arxivscout.cli import render
    from arxivscout.embedding.on_ray import at_work

    expected = total() if callable(total) else total

    def work(scout: Scout, progress: Callable[[IngestReport], None]) -> IngestReport:
        with at_work(workers, scout.embedder, scout.settings) as embedder:
            return scout.ingest(
                source(scout),
                embedder=embedder,
                expected=expected,
                progress=progress,
                notice=render.note,
            )

    store_and_tell(context, work, as_json, total=expected, embedding=embedding)


def _lines(paths: list[Path]) -> int | None:
    """About how many records the files have: their lines; None where a line is no record."""
    lines = 0
    for path in paths:
        kinds = {suffix.lower() for suffix in path.suffixes}
        if not kinds & {".jsonl", ".ndjson", ".csv"}:
            return None
        opened = gzip.open if kinds & {".gz", ".gzip"} else open
        try:
            with opened(path, "rb") as file:
                while chunk := file.read(1 << 20):
                    lines += chunk.count(b"\n")
        except (OSError, EOFError):
            return None  # the reader will say what is wrong
    return lines
