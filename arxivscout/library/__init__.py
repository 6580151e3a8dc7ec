"""A person's library: papers cited, marked, compared, and exchanged with other programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory import marks as marked
from arxivscout.memory.knowledge import papers_by_ids
from arxivscout.memory.marks import STATUSES, Marked, Status
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper, PaperHit, PaperId, clean_text
from arxivscout.papers.citing import FORMATS, Format, Own, render_citations
from arxivscout.papers.tags import LONGEST_TAG, MOST_TAGS, clean_tag

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.library.comparing import Comparison
    from arxivscout.library.importing import ImportReport
    from arxivscout.sources.arxiv_api import ArxivClient

Notice = Callable[[str], None]

LONGEST_NOTE = 20_000
MOST_SIMILAR = 200


def quiet(text: str) -> None:
    """Tell nobody."""


class Library:
    """What one person does with papers beside asking. Ids may be in any form arXiv has."""

    def __init__(
        self, database: Database, embedder: Embedder, arxiv: ArxivClient, user: str
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._arxiv = arxiv
        self._user = user

    # citing

    def cite(self, ids: Sequence[str], format: Format = "bibtex", *, notice: Notice = quiet) -> str:
        """Bibliography entries of these papers, in their order: `bibtex`, `ris`, `csl` (JSON) or
        `markdown`.

        Args:
            notice: is told where another version was asked for than is held, and what is withdrawn.

        Raises:
            UsageError: no arXiv id, no such format.
            NotFound: some are not held; the line names them, and nothing is given.
        """
        _check_format(format)
        wanted = [_paper_id(text) for text in ids]
        papers = self._held([each.value for each in wanted])
        for paper, each in zip(papers, wanted, strict=True):
            if each.version and paper.version and each.version != paper.version:
                notice(f"arXiv:{each} was asked for; what is held is v{paper.version}.")
            if paper.withdrawn:
                notice(f"arXiv:{paper.arxiv_id} is withdrawn.")
        return render_citations(papers, format)

    def export(
        self, format: Format = "bibtex", tag: str | None = None, *, notice: Notice = quiet
    ) -> str:
        """The bibliography of the library, or of what has a tag, by arXiv id: with tags and notes,
        as `import_bib` takes them in again.

        Args:
            notice: is told of which papers little is known, as they are wanted and not held.
        """
        _check_format(format)
        found = {each.arxiv_id: each for each in self.marks(tag=tag)}
        missing = sorted(each.arxiv_id for each in found.values() if not each.held)
        if missing:
            notice(f"Wanted, not held, and so no more than id and title: {', '.join(missing)}.")
        held = {
            paper.arxiv_id: paper
            for paper in self._held([each.arxiv_id for each in found.values() if each.held])
        }
        return render_citations(
            [held.get(each) or _wanted(found[each]) for each in sorted(found)],
            format,
            {
                each.arxiv_id: Own(
                    each.tags,
                    each.note or "",
                    read="" if each.status == "unread" else each.status,
                    wanted=not each.held,
                )
                for each in found.values()
            },
        )

    # marks

    def tag(self, arxiv_id: str, *tags: str, remove: bool = False) -> Marked:
        """Put tags on a paper, or take them off; the paper's marks as they are then.

        Raises:
            UsageError: no arXiv id, no tag, or more than a paper can have.
            NotFound: the paper is neither held nor in the library.
        """
        cleaned = [_tag(text) for text in tags]
        if not cleaned:
            raise UsageError("No tag is given.", "Name one or more.")
        if remove:
            return self._mark(arxiv_id, dropped=cleaned)
        return self._mark(arxiv_id, tags=cleaned)

    def note(self, arxiv_id: str, text: str) -> Marked:
        """Set the note on a paper, in place of the one before; "" takes it away.

        Raises:
            UsageError: no arXiv id, or the note is too long.
            NotFound: the paper is neither held nor in the library.
        """
        return self._mark(arxiv_id, note=_note_text(text))

    def read(self, arxiv_id: str, status: Status = "read") -> Marked:
        """Say how far a paper is read: `unread`, `reading`, `read`.

        Raises:
            UsageError: no arXiv id, no such status.
            NotFound: the paper is neither held nor in the library.
        """
        return self._mark(arxiv_id, status=_status(status))

    def remove(self, arxiv_id: str) -> None:
        """Take a paper out of the library, marks and all; the paper itself stays.

        Raises:
            NotFound: it is not in the library.
        """
        value = _paper_id(arxiv_id).value
        with self._database.transaction(self._user) as conn:
            if not marked.unmark(conn, value):
                raise NotFound(f"arXiv:{value} is not in your library.")

    def marks(
        self,
        *,
        ids: Sequence[str] | None = None,
        tag: str | None = None,
        status: str | None = None,
    ) -> list[Marked]:
        """The papers of the library, the one last marked first; all conditions must hold."""
        wanted = None if ids is None else [_paper_id(text).value for text in ids]
        with self._database.transaction(self._user) as conn:
            return marked.marks(
                conn,
                ids=wanted,
                tag=None if tag is None else _tag(tag),
                status=None if status is None else _status(status),
            )

    def _mark(
        self,
        arxiv_id: str,
        *,
        status: Status | None = None,
        tags: Sequence[str] = (),
        dropped: Sequence[str] = (),
        note: str | None = None,
    ) -> Marked:
        value = _paper_id(arxiv_id).value
        with self._database.transaction(self._user) as conn:
            if not marked.mark(conn, value, status=status, tags=tags, dropped=dropped, note=note):
                raise _not_held([value])
            now = marked.marks(conn, ids=[value])[0]
            if tags and len(now.tags) > MOST_TAGS:  # nothing of it is kept
                raise UsageError(
                    f"arXiv:{value} would have {len(now.tags):,} tags.",
                    f"A paper has up to {MOST_TAGS}.",
                )
            return now

    # exchange

    def import_bib(self, path: Path | str, *, notice: Notice = quiet) -> ImportReport:
        """Take a BibTeX file's papers into the library; see `library.importing`.

        Raises:
            UsageError: the file can't be read.
        """
        from arxivscout.library.importing import import_bib

        return import_bib(
            Path(path), self._database, self._embedder, self._arxiv, self._user, notice=notice
        )

    # looking around

    def similar(self, arxiv_id: str, k: int = 10, *, notice: Notice = quiet) -> list[PaperHit]:
        """The `k` papers held that are nearest to this one, best first, without itself and without
        withdrawn ones.

        Args:
            notice: is told which withdrawn papers were left out.

        Raises:
            UsageError: no arXiv id, or its vector is missing.
            NotFound: it is not held.
        """
        from arxivscout.memory.similar import neighbours

        value = _paper_id(arxiv_id).value
        with self._database.shared() as conn:
            found = neighbours(conn, value, max(0, min(k, MOST_SIMILAR)))
        if found is None:
            raise _not_held([value])
        if not found.has_vector:
            raise UsageError(f"arXiv:{value} has no vector.", "`arxivscout db reembed` makes it.")
        if found.paper.withdrawn:
            notice(f"arXiv:{value} itself is withdrawn.")
        if found.withdrawn:
            names = ", ".join(f"arXiv:{paper.arxiv_id}" for paper in found.withdrawn)
            notice(f"Left out because withdrawn: {names}.")
        return found.hits

    def compare(self, ids: Sequence[str]) -> Comparison:
        """Two to ten papers side by side: question, method, data, findings, limits.

        Raises:
            UsageError: no arXiv id, fewer than two papers or more than ten.
            NotFound: some are not held.
        """
        from arxivscout.library.comparing import MOST, compare

        wanted = list(dict.fromkeys(_paper_id(text).value for text in ids))
        if not 2 <= len(wanted) <= MOST:
            few = "are too many" if len(wanted) > MOST else "is too few"
            raise UsageError(f"{len(wanted)} {few} to compare.", f"Name 2 to {MOST} papers.")
        return compare(self._held(wanted), self._embedder.text_array)

    def _held(self, wanted: Sequence[str]) -> list[Paper]:
        with self._database.shared() as conn:
            papers = papers_by_ids(conn, wanted)
        held = {paper.arxiv_id for paper in papers}
        missing = list(dict.fromkeys(value for value in wanted if value not in held))
        if missing:
            raise _not_held(missing)
        return papers


def _paper_id(text: str) -> PaperId:
    try:
        return PaperId.parse(text)
    except ValueError as error:
        raise UsageError(f"{error}.") from None


def _wanted(mark: Marked) -> Paper:
    """What is known of a paper that is not held: the id, which carries the month, and a title."""
    month = PaperId.parse(mark.arxiv_id).month
    return Paper(arxiv_id=mark.arxiv_id, title=mark.title, abstract="", published=month)


def _not_held(missing: Sequence[str]) -> NotFound:
    names = ", ".join(f"arXiv:{value}" for value in missing)
    return NotFound(
        f"{names} {'is' if len(missing) == 1 else 'are'} not held.",
        f"`arxivscout ingest arxiv --ids {','.join(missing)}` fetches "
        f"{'it' if len(missing) == 1 else 'them'}.",
    )


def _check_format(format: str) -> None:
    if format not in FORMATS:
        raise UsageError(f"There is no format {format!r}.", f"Use {', '.join(FORMATS)}.")


def _tag(text: str) -> str:
    tag = clean_tag(text)
    if tag is None:
        raise UsageError(
            f"{text[:60]!a} is no tag.", f"A tag has 1 to {LONGEST_TAG} characters, no comma."
        )
    return tag


def _note_text(text: str) -> str:
    note = clean_text(text).strip()
    if len(note) > LONGEST_NOTE:
        raise UsageError(f"The note has {len(note):,} characters.", f"At most {LONGEST_NOTE:,}.")
    return note


def _status(text: str) -> Status:
    for status in STATUSES:
        if text.strip().lower() == status:
            return status
    raise UsageError(f"There is no status {text!r}.", f"Use {', '.join(STATUSES)}.")
