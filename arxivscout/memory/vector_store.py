"""The open door for other LangChain code: `PGVectorStore` on our tables.

A thin subclass mends what langchain-postgres 0.0.19 has wrong. Its hybrid search keeps the first
query's words for every later query and gives back no more than `primary_top_k` rows; and its index
methods fail where an index exists, or where another login owns the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from langchain_core.documents import Document
from langchain_postgres import PGVectorStore
from langchain_postgres.v2.hybrid_search_config import HybridSearchConfig
from langchain_postgres.v2.indexes import BaseIndex

_K = 4  # the library's own default


class ScoutVectorStore(PGVectorStore):
    """A `PGVectorStore` whose hybrid search is of this query and whose indexes may exist."""

    hybrid: HybridSearchConfig | None = None

    def _words(self, query: str, k: int | None, given: dict[str, Any]) -> dict[str, Any]:
        """`given` with a fresh configuration for a search by words and by meaning."""
        if self.hybrid is None or "hybrid_search_config" in given:
            return given
        most = max(k or _K, self.hybrid.primary_top_k)
        fresh = replace(
            self.hybrid,
            fts_query=query,
            fusion_function_parameters={},
            primary_top_k=most,
            secondary_top_k=most,
        )
        return {**given, "hybrid_search_config": fresh}

    @staticmethod
    def _no_words(given: dict[str, Any]) -> dict[str, Any]:
        """`given` for a search by meaning alone."""
        return {"hybrid_search_config": None, **given}

    def similarity_search(
        self, query: str, k: int | None = None, filter: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        kwargs = self._words(query, k, kwargs)
        return list(super().similarity_search(query, k, filter, **kwargs))

    async def asimilarity_search(
        self, query: str, k: int | None = None, filter: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        kwargs = self._words(query, k, kwargs)
        return list(await super().asimilarity_search(query, k, filter, **kwargs))

    def similarity_search_with_score(
        self, query: str, k: int | None = None, filter: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        kwargs = self._words(query, k, kwargs)
        return list(super().similarity_search_with_score(query, k, filter, **kwargs))

    async def asimilarity_search_with_score(
        self, query: str, k: int | None = None, filter: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        kwargs = self._words(query, k, kwargs)
        return list(await super().asimilarity_search_with_score(query, k, filter, **kwargs))

    def similarity_search_with_score_by_vector(self, *args: Any, **kwargs: Any) -> Any:
        return super().similarity_search_with_score_by_vector(*args, **self._no_words(kwargs))

    async def asimilarity_search_with_score_by_vector(self, *args: Any, **kwargs: Any) -> Any:
        kwargs = self._no_words(kwargs)
        return await super().asimilarity_search_with_score_by_vector(*args, **kwargs)

    def similarity_search_by_vector(self, *args: Any, **kwargs: Any) -> Any:
        return super().similarity_search_by_vector(*args, **self._no_words(kwargs))

    async def asimilarity_search_by_vector(self, *args: Any, **kwargs: Any) -> Any:
        return await super().asimilarity_search_by_vector(*args, **self._no_words(kwargs))

    def max_marginal_relevance_search(self, *args: Any, **kwargs: Any) -> Any:
        return super().max_marginal_relevance_search(*args, **self._no_words(kwargs))

    async def amax_marginal_relevance_search(self, *args: Any, **kwargs: Any) -> Any:
        return await super().amax_marginal_relevance_search(*args, **self._no_words(kwargs))

    def apply_vector_index(
        self, index: BaseIndex, name: str | None = None, concurrently: bool = False
    ) -> None:
        if not self.is_valid_index(name or index.name):
            super().apply_vector_index(index, name, concurrently)

    async def aapply_vector_index(
        self, index: BaseIndex, name: str | None = None, concurrently: bool = False
    ) -> None:
        if not await self.ais_valid_index(name or index.name):
            await super().aapply_vector_index(index, name, concurrently)

    def apply_hybrid_search_index(self, concurrently: bool = False) -> None:
        if self.hybrid is None or not self.is_valid_index(self.hybrid.index_name):
            super().apply_hybrid_search_index(concurrently)

    async def aapply_hybrid_search_index(self, concurrently: bool = False) -> None:
        if self.hybrid is None or not await self.ais_valid_index(self.hybrid.index_name):
            await super().aapply_hybrid_search_index(concurrently)
