"""The papers and full texts that are held: found, read, stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from arxivscout.errors import NotFound, UsageError
from arxivscout.scout.person import Notice, Person, quiet

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.ingest import IngestReport
    from arxivscout.memory.passage_search import PassageHit, TextFilter
    from arxivscout.papers import Paper, PaperHit, Skipped
    from arxivscout.retriever import ScoutRetriever
    from arxivscout.sources.documents import Document


class Holdings(Person):
    """Everybody's papers, searched in one person's name."""

    def as_retriever(
        self,
        *,
        k: int = 10,
        category: str | None = None,
        since: str | None = None,
        until: str | None = None,
        author: str | None = None,
        diverse: float | bool = False,
    ) -> ScoutRetriever:
        """The search for papers, so bounded, as a LangChain retriever."""
        from arxivscout.retriever import ScoutRetriever

        return ScoutRetriever(
            search=self.search,
            k=k,
            category=category,
            since=since,
            until=until,
            author=author,
            diverse=diverse,
        )

    def search(
        self,
        query: str,
        *,
        category: str | None = None,
        since: str | None = None,
        until: str | None = None,
        author: str | None = None,
        k: int = 10,
        diverse: float | bool = False,
        notice: Notice = quiet,
    ) -> list[PaperHit]:
        """The `k` papers held that fit best, best first; each tells why (`PaperHit.why`).

        Args:
            query: words and operators (`papers/query.py`); the other bounds hold as well.
            diverse: how much likeness to a better hit counts against one, 0 to 1; True: by half.
            notice: is told why hits were not re-ranked, where the settings want it.

        Raises:
            UsageError: it is made of operators whose values can't be used.
            NotFound: a paper that others are to be like is not held.
        """
        from arxivscout.memory.paper_filter import PaperFilter
        from arxivscout.papers import parse_query
        from arxivscout.papers.query_notes import check_asks

        asked = parse_query(query)
        check_asks(asked)
        filters = PaperFilter(category=category, since=since, until=until, author=author)
        if self.settings.rerank == "off":  # then no model is near, and its library stays unloaded
            from arxivscout.memory.paper_search import find_papers

            return find_papers(
                self.database, self.embedder, asked, filters=filters, k=k, diverse=diverse
            )
        from arxivscout.agent.searching import search_held

        found = search_held(self._services, self.user, asked, filters=filters, k=k, diverse=diverse)
        if found.degraded:
            notice(f"{found.degraded[:1].upper()}{found.degraded[1:]}")
        return found.hits

    def paper(self, arxiv_id: str) -> Paper:
        """The record of a paper that is held.

        Raises:
            UsageError: no arXiv id.
            NotFound: it is not held.
        """
        from arxivscout.memory.knowledge import paper_by_id
        from arxivscout.papers import PaperId

        try:
            wanted = PaperId.parse(arxiv_id)
        except ValueError as error:
            raise UsageError(f"{error}.") from None
        with self.database.shared() as conn:
            paper = paper_by_id(conn, wanted.value)
        if paper is None:
            raise NotFound(
                f"arXiv:{wanted.value} is not held.",
                f"`arxivscout ingest arxiv --ids {wanted.value}` fetches it.",
            )
        return paper

    def paper_count(self) -> int:
        """How many papers are held."""
        from arxivscout.memory.knowledge import paper_count

        with self.database.shared() as conn:
            return paper_count(conn)

    def only_starter(self) -> bool:
        """Whether the papers held are those that came along, and no others."""
        from arxivscout.memory.knowledge import only_starter

        with self.database.shared() as conn:
            return only_starter(conn)

    def ingest(
        self,
        records: Iterable[Paper | Skipped],
        *,
        embedder: Embedder | None = None,
        expected: int | None = None,
        progress: Callable[[IngestReport], None] | None = None,
        notice: Notice = quiet,
    ) -> IngestReport:
        """Store papers; see `arxivscout.ingest.ingest_papers`.

        Args:
            embedder: gives the vectors in the Scout's own one's place, and has its identity.
        """
        from arxivscout.ingest import ingest_papers

        return ingest_papers(
            self.database,
            embedder or self.embedder,
            records,
            expected=expected,
            progress=progress,
            notice=notice,
        )

    def ingest_full_texts(
        self,
        documents: Iterable[Document | Skipped],
        *,
        progress: Callable[[IngestReport], None] = lambda report: None,
    ) -> IngestReport:
        """Store full texts; see `arxivscout.ingest_fulltext.ingest_full_texts`."""
        from arxivscout.ingest_fulltext import ingest_full_texts

        return ingest_full_texts(
            self.database,
            self.embedder,
            documents,
            ask=lambda arxiv_id: self.arxiv.by_ids([arxiv_id]),
            progress=progress,
        )

    def passages(
        self, query: str, *, filters: TextFilter | None = None, k: int = 8, around: int = 0
    ) -> list[PassageHit]:
        """The `k` passages of the full texts held that fit best, best first.

        Args:
            query: words and the operators of a search for papers; `filters` hold as well.
            around: how many passages before and behind each come along.
        """
        from arxivscout.memory.passage_search import NO_TEXT_FILTER, search_passages
        from arxivscout.papers import parse_query

        asked = parse_query(query)
        filters = filters or NO_TEXT_FILTER
        with self.database.shared() as conn:
            return search_passages(
                conn,
                text=asked.text,
                vector=self.embedder.embed_query(asked.text),
                filters=replace(filters, papers=filters.papers.narrowed(asked)),
                k=k,
                around=around,
            )[0]
