"""`arxivscout ingest pdf`, `ingest fulltext` and `passages`: full texts brought in and searched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arxivscout.cli.door import (
    CategoryOption,
    JsonOption,
    SinceOption,
    UntilOption,
    check_range,
    clean_date,
    door,
)
from arxivscout.cli.ingest import app as ingest_app
from arxivscout.cli.storing import store_and_tell
from arxivscout.errors import SourceError, UsageError

if TYPE_CHECKING:
    from arxivscout.memory.passage_search import PassageHit
    from arxivscout.papers import PaperId, Skipped
    from arxivscout.papers.passages import Passage
    from arxivscout.scout import Scout
    from arxivscout.sources.documents import Document

MOST = 100
MOST_AROUND = 5
KINDS = ("pdf", "html", "records")
SUFFIXES = (".pdf", ".html", ".htm")
PDF_EXAMPLES = """\
\b
Examples:
  arxivscout ingest pdf 2212.11867 hep-th/9901001
  arxivscout ingest pdf papers/
  arxivscout ingest pdf draft.pdf --id 2212.11867
"""
EXAMPLES = """\
\b
Examples:
  arxivscout passages "how the light curves were fitted"
  arxivscout passages "convergence rate" --paper 2212.11867 --around 1
  arxivscout passages "transmission spectra" --category astro-ph.EP --kind pdf --json
"""


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("passages", epilog=EXAMPLES)(passages)


@ingest_app.command("pdf", epilog=PDF_EXAMPLES)
def from_documents(
    context: typer.Context,
    wanted: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH|ID...", help="PDF or HTML files, folders of them, or arXiv ids."
        ),
    ],
    arxiv_id: Annotated[
        str | None, typer.Option("--id", help="The paper that a file is of, if nothing tells.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Full texts from PDF or HTML: files, all in a folder, or what arXiv has under an id.

    A file's paper is told by its name (2212.11867v2.pdf, hep-th_9901001.pdf), by arXiv's stamp on
    its first page, or by --id. A record that is not held yet is fetched from arXiv.
    """
    from arxivscout.papers import PaperId

    given = _parsed(arxiv_id) if arxiv_id is not None else None
    targets: list[Path | PaperId] = []
    for each in wanted:
        path = Path(each).expanduser()
        try:
            targets += _in(path) if path.exists() else [PaperId.parse(each)]
        except ValueError:
            raise UsageError(f"{each} is neither a file nor an arXiv id.") from None
    if given is not None and len(targets) > 1:
        raise UsageError("--id says what one file is of, and there are several.")
    store_and_tell(
        context,
        lambda scout, progress: scout.ingest_full_texts(
            _documents(scout, targets, given), progress=progress
        ),
        as_json,
        total=len(targets),
        what="full texts",
    )


def _in(path: Path) -> list[Path]:
    """The file, or the documents in the folder, by name."""
    if not path.is_dir():
        return [path]
    found = [each for each in path.iterdir() if each.suffix.lower() in SUFFIXES and each.is_file()]
    if not found:
        raise UsageError(f"{path} holds no {', '.join(SUFFIXES)} file.", "Name another folder.")
    return sorted(found)


def _documents(
    scout: Scout, targets: list[Path | PaperId], given: PaperId | None
) -> Iterator[Document | Skipped]:
    from arxivscout.papers import Skipped
    from arxivscout.sources.documents import document_at, document_of

    arxiv = scout.arxiv.try_afresh()
    for target in targets:
        try:
            yield (
                document_at(target, given)
                if isinstance(target, Path)
                else document_of(arxiv, target)
            )
        except (SourceError, UsageError) as problem:
            yield Skipped(str(target), str(problem).removeprefix(f"{target} "))


@ingest_app.command("fulltext")
def from_records(
    context: typer.Context,
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="JSONL, also .gz: a paper in each record.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Full texts from a file of records.

    A record has arxiv_id, title, abstract and paragraphs: [{section, text}], as unarXive's have;
    and bibliography: [{raw, arxiv_id, doi}] and license, where known.
    """
    from arxivscout.sources.documents import read_full_texts

    documents = read_full_texts(path)
    store_and_tell(
        context,
        lambda scout, progress: scout.ingest_full_texts(documents, progress=progress),
        as_json,
        total=None,
        what="full texts",
    )


def passages(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(help="What the passages should be about.")],
    paper: Annotated[str | None, typer.Option(help="In this paper alone: an arXiv id.")] = None,
    category: CategoryOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    kind: Annotated[str | None, typer.Option(help="Of document: pdf, html or records.")] = None,
    licence: Annotated[str | None, typer.Option(help="Part of its licence, as by/4.0.")] = None,
    around: Annotated[
        int, typer.Option(help=f"Passages before and behind each, 0 to {MOST_AROUND}.")
    ] = 0,
    k: Annotated[int, typer.Option("--k", "-k", help=f"How many, 1 to {MOST}.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Search the full texts held for passages, best first. Operators as in `search`."""
    from arxivscout.cli import render
    from arxivscout.memory.paper_filter import PaperFilter
    from arxivscout.memory.passage_search import TextFilter
    from arxivscout.papers import one_line

    asked = one_line(" ".join(query))
    if not asked:
        raise UsageError("The query is empty.", 'Search for words: arxivscout passages "…"')
    if kind is not None and kind not in KINDS:
        raise UsageError(f"There is no kind {kind!r}.", f"Take one of {', '.join(KINDS)}.")
    check_range(k, "--k", 1, MOST)
    check_range(around, "--around", 0, MOST_AROUND)
    filters = TextFilter(
        papers=PaperFilter(
            category=one_line(category) if category else None,
            since=clean_date(since, "--since"),
            until=clean_date(until, "--until", end=True),
            only_ids=(_parsed(paper).value,) if paper else (),
        ),
        kind=kind,
        licence=licence,
    )
    with door(context).scout(quiet=as_json) as scout:
        hits = scout.passages(asked, filters=filters, k=k, around=around)
    if as_json:
        render.json_out([_told(hit) for hit in hits])
        return
    for hit in hits:
        _show(hit)
    if not hits:
        render.note("No full text held fits. `arxivscout ingest pdf ID` brings one in.")


def _parsed(text: str) -> PaperId:
    from arxivscout.papers import PaperId

    try:
        return PaperId.parse(text)
    except ValueError as reason:
        raise UsageError(f"{reason}.") from None


def _told(hit: PassageHit) -> dict[str, Any]:
    return {
        "arxiv_id": hit.paper.arxiv_id,
        "title": hit.paper.title,
        "score": round(hit.score, 4),
        "legs": {name: round(value, 4) for name, value in hit.legs.items()},
        "position": hit.position,
        **_of_passage(hit.passage),
        "kind": hit.kind,
        "licence": hit.licence,
        "version": hit.version,
        "submission_date": hit.paper.submission_date,
        "before": [_of_passage(each) for each in hit.before],
        "behind": [_of_passage(each) for each in hit.behind],
    }


def _of_passage(passage: Passage) -> dict[str, Any]:
    return {
        "section": list(passage.path),
        "page": passage.page,
        "last_page": passage.last_page,
        "text": passage.text,
    }


def _show(hit: PassageHit) -> None:
    from arxivscout.cli import render

    render.line(f"{hit.score:.2f} arXiv:{hit.paper.arxiv_id} {hit.paper.title}", "bold")
    if hit.passage.place:
        render.line(hit.passage.place, "dim")
    for passage in (*hit.before, hit.passage, *hit.behind):
        render.line(passage.text)
        render.line()
