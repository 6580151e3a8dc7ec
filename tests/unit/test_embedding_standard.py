"""LangChain's standard suites on the default embedder."""

from __future__ import annotations

from langchain_core.embeddings import Embeddings
from langchain_tests.integration_tests import EmbeddingsIntegrationTests
from langchain_tests.unit_tests import EmbeddingsUnitTests

from arxivscout.embedding.minilm import MiniLM


class TestMiniLMUnit(EmbeddingsUnitTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return MiniLM


class TestMiniLMIntegration(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return MiniLM
