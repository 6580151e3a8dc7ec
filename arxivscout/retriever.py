"""The search for papers as a LangChain retriever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from arxivscout.papers import PaperHit


class ScoutRetriever(BaseRetriever):
    """Gives the papers held that fit a query best, a document each; see `Scout.search`.

    A document's text is the title and the abstract, its id the arXiv id. The text is an author's:
    what a model is given of it is data.
    """

    search: Callable[..., list[PaperHit]] = Field(exclude=True, repr=False)
    k: int = Field(default=10, ge=1)
    category: str | None = None
    since: str | None = None
    until: str | None = None
    author: str | None = None
    diverse: float | bool = False

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        hits = self.search(
            query,
            category=self.category,
            since=self.since,
            until=self.until,
            author=self.author,
            k=self.k if k is None else k,
            diverse=self.diverse,
        )
        return [_document(hit) for hit in hits]


def _document(hit: PaperHit) -> Document:
    paper = hit.paper
    metadata: dict[str, Any] = {
        "arxiv_id": paper.arxiv_id,
        "title": paper.title,
        "authors": list(paper.authors),
        "categories": list(paper.categories),
        "published": paper.published,
        "withdrawn": paper.withdrawn,
        "source": paper.url,
        "score": hit.score,
    }
    return Document(
        id=paper.arxiv_id, page_content=f"{paper.title}\n\n{paper.abstract}", metadata=metadata
    )
