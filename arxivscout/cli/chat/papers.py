"""Commands about papers: found, shown, cited, compared, marked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from arxivscout.cli import render
from arxivscout.errors import NotFound, UsageError
from arxivscout.papers import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.cli.chat.sitting import Chat
    from arxivscout.memory.marks import Marked, Status
    from arxivscout.papers import PaperHit
    from arxivscout.papers.citing import Format

_FOUND = 10
_STATUSES = ("unread", "reading", "read")
# A paper by its number in the last list, or of a footnote.
_NUMBERED = re.compile(r"(?<!\S)(-?id:|like:)\[?(\d{1,3})\]?(?=\s|$)", re.IGNORECASE)
_FORMATS = ("bibtex", "ris", "csl", "markdown")


def search(chat: Chat, rest: str) -> None:
    """Search the papers held."""
    from arxivscout.cli.search import tell_language, tell_mended, tell_notes
    from arxivscout.papers import parse_query

    typed = _NUMBERED.sub(lambda found: found[1] + chat.numbered(int(found[2])), rest)
    asked = parse_query(typed)
    tell_notes(asked)
    hits = chat.scout.search(typed, k=_FOUND)
    tell_language(asked.text, chat.scout)
    tell_mended(hits)
    _show_hits(chat, hits, "No paper held fits.", ranked=bool(asked.text or asked.like))


def cited(chat: Chat, rest: str) -> None:
    """The papers that this thread cites, or those that fit some words."""
    from arxivscout.history.transcript import cited_in

    scout = chat.scout
    if rest:
        search(chat, rest)
        return
    said = [e.text or "" for e in scout.history.events(chat.thread_id) if e.kind == "assistant"]
    ids = dict.fromkeys(each for text in said for each in cited_in(text))
    render.line("Cited in this thread:" if ids else "No paper is cited in this thread yet.", "dim")
    for arxiv_id in ids:
        try:
            paper = scout.paper(arxiv_id)
        except NotFound:
            continue
        render.source(arxiv_id, f"{paper.title} ({paper.submission_date or '?'})", paper.url)
    render.line(f"{scout.paper_count():,} papers held; /papers WORDS searches them.", "dim")
    chat.see(ids)


def paper(chat: Chat, rest: str) -> None:
    """A paper's record."""
    from arxivscout.cli.library import show_marks
    from arxivscout.cli.paper import show_paper

    (arxiv_id,) = ids_in(chat, rest, most=1)
    show_paper(chat.scout.paper(arxiv_id))
    show_marks(chat.scout.library.marks(ids=[arxiv_id]))
    chat.see([arxiv_id])


def similar(chat: Chat, rest: str) -> None:
    """The papers nearest to one."""
    (arxiv_id,) = ids_in(chat, rest, most=1)
    hits = chat.scout.library.similar(arxiv_id, k=_FOUND, notice=render.note)
    _show_hits(chat, hits, "No other paper is held.")


def compare(chat: Chat, rest: str) -> None:
    """Papers side by side."""
    from arxivscout.cli.cite import show_comparison

    ids = ids_in(chat, rest)
    show_comparison(chat.scout.library.compare(ids))
    chat.see(ids)


def cite(chat: Chat, rest: str) -> None:
    """Bibliography entries of papers named, or of the last answer's."""
    words = rest.split()
    format = words.pop(0).lower() if words and words[0].isalpha() else "bibtex"
    if format not in _FORMATS:
        raise UsageError(f"No style is called {format!r}.", f"There are {', '.join(_FORMATS)}.")
    ids = ids_in(chat, " ".join(words)) if words else [c.arxiv_id for c in chat.cited.values()]
    if not ids:
        raise UsageError("No answer cites a paper yet.", "Name papers: /cite bibtex 0712.2288")
    text = chat.scout.library.cite(ids, cast("Format", format), notice=render.note)
    render.document(text)


def read(chat: Chat, rest: str) -> None:
    """How far a paper is read; without a word, it is read."""
    named, _, status = rest.partition(" ")
    status = status.strip().lower() or "read"
    if status not in _STATUSES:
        raise UsageError(f"{status!r} is no reading mark.", f"There are {', '.join(_STATUSES)}.")
    (arxiv_id,) = ids_in(chat, named, most=1)
    _show_mark(chat.scout.library.read(arxiv_id, cast("Status", status)))


def tag(chat: Chat, rest: str) -> None:
    """Put tags on a paper, and take off those with a minus."""
    named, *tags = rest.split()
    (arxiv_id,) = ids_in(chat, named, most=1)
    put = [each for each in tags if not each.startswith("-")]
    off = [each[1:] for each in tags if each.startswith("-")]
    if not put and not off:
        raise UsageError("No tag is given.", "Usage: /tag ID TAG…")
    library = chat.scout.library
    if off:
        marked = library.tag(arxiv_id, *off, remove=True)
    if put:
        marked = library.tag(arxiv_id, *put)
    _show_mark(marked)


def note(chat: Chat, rest: str) -> None:
    """Set the note on a paper; show it without a text, take it away with a `-` in its place."""
    from arxivscout.cli.library import note_typed

    named, *_ = rest.split(maxsplit=1)
    (arxiv_id,) = ids_in(chat, named, most=1)
    marked = note_typed(chat.scout, arxiv_id, rest[len(named) :].strip())
    if marked:
        _show_mark(marked)
    if not marked or not marked.note:
        render.line("There is no note on it.", "dim")


def ids_in(chat: Chat, text: str, most: int | None = None) -> list[str]:
    """The arXiv ids in what was typed; a short number is one of the last list, or a footnote.

    Raises:
        UsageError: a word that is neither, or more than `most`.
    """
    from arxivscout.papers import PaperId

    ids = []
    for word in re.split(r"[\s,;]+", text.strip()):
        number = word.strip("[]")
        if number.isdecimal() and len(number) < 4:
            ids.append(chat.numbered(int(number)))
            continue
        try:
            ids.append(PaperId.parse(word).value)
        except ValueError as error:
            raise UsageError(
                f"{error}.", "Give an arXiv id, or a number of the last list or answer."
            ) from None
    if most is not None and len(ids) > most:
        raise UsageError(f"{len(ids)} papers are named.", f"Name {most}.")
    return ids


def _show_hits(
    chat: Chat, hits: Sequence[PaperHit], otherwise: str, *, ranked: bool = True
) -> None:
    from arxivscout.cli.search import show_hits

    ids = [hit.paper.arxiv_id for hit in hits]
    marks = chat.scout.library.marks(ids=ids)
    show_hits(hits, marks, ranked=ranked, as_json=False, numbered=True)
    if not hits:
        render.line(otherwise)
    chat.see(ids)
    chat.listed = dict(enumerate(ids, start=1))


def _show_mark(marked: Marked) -> None:
    from arxivscout.cli.library import show_marks

    render.line(one_line(f"arXiv:{marked.arxiv_id}  {marked.title}"))
    show_marks([marked])
