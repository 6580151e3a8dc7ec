"""Chat models by name: the extractive one, any OpenAI-compatible server, any provider."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from arxivscout.errors import ConfigurationError
from arxivscout.llm.beside import PlainReplies
from arxivscout.llm.failures import ContextTooLong, Failure, classify, model_error, scrub
from arxivscout.llm.line import http_client
from arxivscout.llm.reply import Retry, RetryPolicy, model_name, stream_reply
from arxivscout.settings import ModelSettings

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel

__all__ = [
    "ContextTooLong",
    "Failure",
    "Retry",
    "RetryPolicy",
    "classify",
    "load_chat_model",
    "model_error",
    "model_name",
    "stream_reply",
]

_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN)\b")
_PACKAGE = re.compile(
    r"pip install (?:-U |--upgrade )?([a-z0-9][\w.\-]*)|requires the `?([a-z0-9][\w.\-]*)`? "
)


def load_chat_model(model: ModelSettings, embedder: Embeddings) -> BaseChatModel:
    """The chat model that `model` names, its own retries off; nothing is sent yet.

    Args:
        model: "extractive"; any name with a `base_url`, which is asked through OpenAI's protocol;
            or `provider:model`.
        embedder: what the extractive model judges relevance with.

    Raises:
        ConfigurationError: an unknown provider, a package that isn't installed, a missing key.
    """
    if model.model == "extractive":
        from arxivscout.llm.extractive import ExtractiveChatModel

        return ExtractiveChatModel(embedder=embedder)
    if model.base_url:
        return _compatible(model, model.base_url)
    return _provider(model)


def _compatible(model: ModelSettings, base_url: str) -> BaseChatModel:
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError(
            f"The model's address {scrub(base_url)!r} is no http address.",
            "It looks like http://127.0.0.1:8080/v1.",
        )
    key = model.api_key
    if key is None and not parts.hostname.endswith("openai.com"):
        # Local servers ask for none, and the person's OpenAI key is no business of another server.
        key = SecretStr("none")
    try:
        made = ChatOpenAI(
            model=model.model.removeprefix("openai:"),
            base_url=base_url,
            api_key=key,
            timeout=model.timeout_s,
            max_retries=0,
            stream_usage=True,
            use_responses_api=False,
            **_known_line(ChatOpenAI),
        )
    except Exception as error:  # noqa: BLE001 - the boundary to the provider's library
        raise _unusable(model, error) from None
    made.client = PlainReplies(made.client)
    return made


def _provider(model: ModelSettings) -> BaseChatModel:
    from langchain.chat_models import init_chat_model
    from pydantic import ValidationError

    given: dict[str, Any] = {}
    if model.api_key is not None:
        given["api_key"] = model.api_key.get_secret_value()
    limits: dict[str, Any] = {"timeout": model.timeout_s, "max_retries": 0}
    try:
        try:
            made: BaseChatModel = init_chat_model(model.model, **given, **limits)
        except (TypeError, ValidationError) as error:
            if _VARIABLE.search(str(error)):
                raise
            made = init_chat_model(model.model, **given)  # one that takes no limits
        if hasattr(made, "openai_api_base"):  # it speaks OpenAI's protocol
            limits |= _known_line(type(made))
            made = init_chat_model(model.model, **given, **limits)
            made.client = PlainReplies(made.client)  # type: ignore[attr-defined]
    except Exception as error:  # noqa: BLE001 - the boundary to the provider's library
        raise _unusable(model, error) from None
    return made


def _known_line(kind: type[BaseChatModel]) -> dict[str, Any]:
    """What lets a model of this kind be hung up on; a proxy that its library reads is kept."""
    proxy = kind.model_fields["openai_proxy"].get_default(call_default_factory=True)
    return {"http_client": http_client(proxy or None), "openai_proxy": ""}


def _unusable(model: ModelSettings, error: Exception) -> ConfigurationError:
    """The clear line for a chat model that can't even be made."""
    secrets = [model.api_key.get_secret_value()] if model.api_key else []
    text = " ".join(str(error).split())
    if isinstance(error, ImportError):
        found = _PACKAGE.search(text)
        package = next((g for g in found.groups() if g), "") if found else ""
        package = package or "langchain-" + model.model.partition(":")[0].replace("_", "-")
        return ConfigurationError(
            f"The model {model.model} needs the package {package}, which is not installed.",
            f"Install it with: pip install {package}",
        )
    if (variable := _VARIABLE.search(text)) or "api_key" in text:
        name = variable.group() if variable else "ARXIVSCOUT_MODEL_API_KEY"
        return ConfigurationError(
            f"The model {model.model} needs a key, and {name} is not set.",
            f"Set {name} or ARXIVSCOUT_MODEL_API_KEY; without a key, ARXIVSCOUT_MODEL=extractive "
            "answers in quoted sentences.",
        )
    if "infer model provider" in text or "Unsupported" in text:
        text = "no provider is called " + repr(model.model.partition(":")[0])
    return ConfigurationError(
        f"The model {model.model} can't be used: {scrub(text, secrets)}.",
        "Name it as provider:model, such as openai:gpt-4o-mini.",
    )
