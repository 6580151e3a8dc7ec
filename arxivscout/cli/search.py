"""`arxivscout search`: the papers held, by meaning and by words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import (
    AuthorOption,
    CategoryOption,
    JsonOption,
    SinceOption,
    UntilOption,
    UserOption,
    check_range,
    clean_date,
    door,
)
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.memory.marks import Marked
    from arxivscout.papers import PaperHit, PaperQuery
    from arxivscout.scout import Scout

MOST = 200
# Embedders that know English alone, by the beginnings of their names.
ENGLISH_EMBEDDERS = ("all-MiniLM", "static-")
EXAMPLES = """\
\b
Examples:
  arxivscout search "quantum teleportation"
  arxivscout search "galaxy rotation curves" --category astro-ph --since 2005 --until 2015-06
  arxivscout search "graph neural networks" --author Leskovec --k 20 --json
  arxivscout search "atention is all you need" --why
  arxivscout search '"dark matter" title:halo cat:astro-ph.* year:2005..2010 -simulation'
"""


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("search", epilog=EXAMPLES)(search)


def search(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(help="What the papers should be about.")],
    category: CategoryOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    author: AuthorOption = None,
    k: Annotated[int, typer.Option("--k", "-k", help=f"How many, 1 to {MOST}.")] = 10,
    diverse: Annotated[
        bool, typer.Option("--diverse", help="Papers that differ from each other.")
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Why each is there: scores, ranks, matching words.")
    ] = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search the papers held, best first; near-identical ones are one hit.

    The words may hold operators: "a phrase", -word, author:, title:, cat:cs.CL, cat:cs.*,
    year:2019..2023, since:2024-06, until:, id:. What a phrase stands in comes first; -author:,
    -title:, -cat: and -id: leave out. like:ID finds papers like one that is held.
    """
    from arxivscout.cli import render
    from arxivscout.papers import one_line, parse_query

    asked = one_line(" ".join(query))
    if not asked:
        raise UsageError("The query is empty.", 'Search for words: arxivscout search "…"')
    first = clean_date(since, "--since")
    last = clean_date(until, "--until", end=True)
    if first and last and first > last:
        raise UsageError(f"--since {since} is later than --until {until}.")
    check_range(k, "--k", 1, MOST)
    read = parse_query(asked)
    tell_notes(read)
    with door(context).scout(user) as scout:
        hits = scout.search(
            asked,
            category=one_line(category) if category else None,
            since=first,
            until=last,
            author=one_line(author) if author else None,
            k=k,
            diverse=diverse,
            notice=render.note,
        )
        tell_language(read.text, scout)
        marks = scout.library.marks(ids=[hit.paper.arxiv_id for hit in hits])
    tell_mended(hits)
    show_hits(hits, marks, ranked=bool(read.text or read.like), why=why, as_json=as_json)
    if not hits and not as_json:
        render.note("No paper held fits. `arxivscout ingest arxiv --query …` brings more in.")


def tell_notes(query: PaperQuery) -> None:
    """Say what looks like an operator and is searched for as words."""
    from arxivscout.cli import render
    from arxivscout.papers.query_notes import check_asks, notes_on

    check_asks(query)
    for note in notes_on(query):
        render.note(f"{note}. Taken as words.")


def tell_mended(hits: Sequence[PaperHit]) -> None:
    """Say which words were misspelled, and what was searched for instead."""
    from arxivscout.cli import render

    for typed, meant in hits[0].mended if hits else ():
        render.note(f"No paper has '{typed}': searched for '{meant}'.")


def tell_language(text: str, scout: Scout) -> None:
    """Say that an English embedder won't understand a question in another language."""
    from arxivscout.cli import render
    from arxivscout.papers.language import MULTILINGUAL_EMBEDDER, language_of

    language = language_of(text)
    if language and scout.embedder.identity.name.startswith(ENGLISH_EMBEDDERS):
        render.note(
            f"This looks like {language}, and the embedder knows English only: names, ids and "
            "formulas are found, other words hardly. Ask in English, or set "
            f"ARXIVSCOUT_EMBEDDING={MULTILINGUAL_EMBEDDER} and run `arxivscout db reembed`."
        )


def show_hits(
    hits: Sequence[PaperHit],
    marks: Sequence[Marked],
    *,
    as_json: bool,
    ranked: bool = True,
    why: bool = False,
    numbered: bool = False,
) -> None:
    """Papers found as a table or as JSON, with what the person marked them with.

    Args:
        ranked: by how well they fit words; else they only passed a filter, and have no score.
        why: whether the table tells why each is there; JSON always does.
        numbered: whether its rows have numbers, which the chat's commands take.
    """
    from arxivscout.cli import render
    from arxivscout.memory.fit import fits

    marked = {each.arxiv_id: each for each in marks}
    if as_json:
        render.json_out(
            [
                {
                    "arxiv_id": hit.paper.arxiv_id,
                    "title": hit.paper.title,
                    "score": round(hit.score, 4) if ranked else None,
                    "submission_date": hit.paper.submission_date,
                    "categories": list(hit.paper.categories),
                }
                | ({"also": list(hit.also)} if hit.also else {})
                | ({"mended": dict(hit.mended)} if hit.mended else {})
                | ({"why": hit.why()} if hit.ranks else {})
                | (marked[hit.paper.arxiv_id].to_json() if hit.paper.arxiv_id in marked else {})
                for hit in hits
            ]
        )
    elif hits:
        columns = ("score", "arXiv", "date", "categories", *(["why"] if why else []), "title")
        rows = [
            (
                f"{hit.score:.2f}" if ranked else "",
                *_row(hit, marked.get(hit.paper.arxiv_id), why=why),
            )
            for hit in hits
        ]
        if numbered:
            columns = ("", *columns)
            rows = [(str(place), *row) for place, row in enumerate(rows, start=1)]
        render.table(columns, rows, folded=len(columns) - 1)
        if hits[0].ranks and not fits(hits):
            render.note("Nothing held fits these words well; these are the nearest.")


def _row(hit: PaperHit, mark: Marked | None, *, why: bool) -> tuple[str, ...]:
    paper = hit.paper
    withdrawn = " (WITHDRAWN)" if paper.withdrawn else ""
    also = f" (also {', '.join(hit.also)})" if hit.also else ""
    return (
        paper.arxiv_id,
        paper.submission_date or "?",
        " ".join(paper.categories[:2]),
        *([_why(hit)] if why else []),
        f"{paper.title}{withdrawn}{also}{f' [{mark}]' if mark else ''}",
    )


def _why(hit: PaperHit) -> str:
    legs = [f"{name} {hit.legs[name]:.2f} (#{rank})" for name, rank in hit.ranks.items()]
    return "; ".join(filter(None, [hit.exact, *legs, " ".join(hit.words)]))
