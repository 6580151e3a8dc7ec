"""Which chat model a setting gives, and what is said when it can't be had."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from arxivscout.errors import ConfigurationError
from arxivscout.llm.extractive import ExtractiveChatModel
from arxivscout.llm.models import load_chat_model
from arxivscout.settings import ModelSettings


class NoEmbedder:
    """Stands where no vector is needed."""


def load(model: str, base_url: str | None = None, key: str | None = None):  # type: ignore[no-untyped-def]
    settings = ModelSettings(
        model=model, base_url=base_url, api_key=SecretStr(key) if key else None, timeout_s=7
    )
    return load_chat_model(settings, NoEmbedder())  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_API_BASE", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_a_server_of_ones_own_needs_no_key_and_gets_no_key_of_openai(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-personal-0123456789")
    model = load("openai:qwen2.5:7b", "http://127.0.0.1:8931/v1")
    assert model.model_name == "qwen2.5:7b"
    assert model.openai_api_base == "http://127.0.0.1:8931/v1"
    assert model.openai_api_key.get_secret_value() == "none"
    assert (model.max_retries, model.request_timeout) == (0, 7.0)
    assert load("x", "https://api.openai.com/v1").openai_api_key.get_secret_value().startswith("sk")


def test_a_provider_by_name_has_its_own_retries_off() -> None:
    model = load("openai:gpt-4o-mini", key="sk-given-0123456789")
    assert (model.model_name, model.max_retries, model.request_timeout) == ("gpt-4o-mini", 0, 7.0)


@pytest.mark.parametrize(
    ("model", "base_url", "words"),
    [
        ("openai:gpt-4o-mini", None, "OPENAI_API_KEY"),
        ("gpt-4o-mini", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("mistralai:small", None, "pip install langchain-mistralai"),
        ("nosuch:model", None, "no provider is called 'nosuch'"),
        ("x", "ftp://somewhere", "is no http address"),
    ],
)
def test_what_is_missing_is_named(model: str, base_url: str | None, words: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        load(model, base_url)
    assert words in str(raised.value) and "\n" not in str(raised.value)
    assert raised.value.mend


def test_extractive_is_ours() -> None:
    settings = ModelSettings(model="extractive")
    from arxivscout.embedding import load_embedder
    from arxivscout.settings import load_settings

    model = load_chat_model(settings, load_embedder(load_settings({})))
    assert isinstance(model, ExtractiveChatModel)
