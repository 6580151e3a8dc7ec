"""`arxivscout search`: the papers held, by meaning and by words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, check_range, clean_date, door
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.memory.marks import Marked
    from arxivscout.papers import PaperHit, PaperQuery

MOST = 200
FITS = 0.2  # what is not held scores 0.06 to 0.16 in the starter collection, what is 0.4 or more
EXAMPLES = """\
\b
Examples:
  arxivscout search "quantum teleportation"
  arxivscout search "galaxy rotation curves" --category astro-ph --since 2005 --until 2015-06
  arxivscout search "graph neural networks" --author Leskovec --k 20 --json
  arxivscout search '"dark matter" title:halo cat:astro-ph.* year:2005..2010 -simulation'
"""


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("search", epilog=EXAMPLES)(search)


def search(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(help="What the papers should be about.")],
    category: Annotated[
        str | None, typer.Option(help="arXiv category or archive, such as cs.LG or astro-ph.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="First date: YYYY, YYYY-MM or YYYY-MM-DD.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Last date, in the same forms.")] = None,
    author: Annotated[str | None, typer.Option(help="Part of an author's name.")] = None,
    k: Annotated[int, typer.Option("--k", "-k", help=f"How many, 1 to {MOST}.")] = 10,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search the papers held, best first.

    The words may hold operators: "a phrase", -word, author:, title:, cat:cs.CL, cat:cs.*,
    year:2019..2023, since:2024-06, until:, id:. What a phrase stands in comes first.
    """
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
    tell_ignored(read)
    with door(context).scout(user) as scout:
        hits = scout.search(
            asked,
            category=one_line(category) if category else None,
            since=first,
            until=last,
            author=one_line(author) if author else None,
            k=k,
        )
        marks = scout.library.marks(ids=[hit.paper.arxiv_id for hit in hits])
    show_hits(hits, marks, ranked=bool(read.text), as_json=as_json)
    if not hits and not as_json:
        from arxivscout.cli import render

        render.note("No paper held fits. `arxivscout ingest arxiv --query …` brings more in.")


def tell_ignored(query: PaperQuery) -> None:
    """Say which operators have a value that can't be used."""
    from arxivscout.cli import render

    if query.ignored:
        names = ", ".join(query.ignored)
        render.note(f"{names}: no value that can be searched by; taken as words.")


def show_hits(
    hits: Sequence[PaperHit], marks: Sequence[Marked], *, as_json: bool, ranked: bool = True
) -> None:
    """Papers found as a table or as JSON, with what the person marked them with.

    Args:
        ranked: by how well they fit words; else they only passed a filter, and have no score.
    """
    from arxivscout.cli import render

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
                | (marked[hit.paper.arxiv_id].to_json() if hit.paper.arxiv_id in marked else {})
                for hit in hits
            ]
        )
    elif hits:
        render.table(
            ("score", "arXiv", "date", "categories", "title"),
            [
                (f"{hit.score:.2f}" if ranked else "", *_row(hit, marked.get(hit.paper.arxiv_id)))
                for hit in hits
            ],
            folded=4,
        )
        if ranked and max(hit.score for hit in hits) < FITS:
            render.note("Nothing held fits these words well; these are the nearest.")


def _row(hit: PaperHit, mark: Marked | None) -> tuple[str, ...]:
    paper = hit.paper
    withdrawn = " (WITHDRAWN)" if paper.withdrawn else ""
    return (
        paper.arxiv_id,
        paper.submission_date or "?",
        " ".join(paper.categories[:2]),
        f"{paper.title}{withdrawn}{f' [{mark}]' if mark else ''}",
    )
