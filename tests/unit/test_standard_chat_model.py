"""langchain-tests' suites for chat models, run on the extractive model with the real embedder.

What it truly lacks is said here: it reads text only (no images, audio, PDF), knows no JSON mode,
and has no other model behind it that a call could choose.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_tests.integration_tests import ChatModelIntegrationTests
from langchain_tests.unit_tests import ChatModelUnitTests

from arxivscout.embedding import load_embedder
from arxivscout.embedding.base import Embedder
from arxivscout.llm.extractive import ExtractiveChatModel
from arxivscout.settings import load_settings


@cache
def embedder() -> Embedder:
    return load_embedder(load_settings({}))


class TestUnit(ChatModelUnitTests):
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return ExtractiveChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"embedder": embedder()}


class TestIntegration(ChatModelIntegrationTests):
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return ExtractiveChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"embedder": embedder()}
