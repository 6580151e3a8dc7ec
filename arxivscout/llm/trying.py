"""Whether a model answers: one short request, before a person relies on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arxivscout.llm.failures import classify, model_error
from arxivscout.llm.models import load_chat_model

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

    from arxivscout.settings import ModelSettings

LONGEST_S = 20.0  # a server of one's own may have to load the model first
_ASKED = "Answer with the word yes."


def try_model(model: ModelSettings, embedder: Embeddings) -> str | None:
    """Why the model does not answer, in a line; None when it does.

    Raises:
        ConfigurationError: it can't be used, with what is missing.
    """
    chat = load_chat_model(
        model.model_copy(update={"timeout_s": min(model.timeout_s, LONGEST_S)}), embedder
    )
    try:
        chat.invoke(_ASKED)
    except Exception as error:  # noqa: BLE001 - the boundary to the provider's library
        secrets = [model.api_key.get_secret_value()] if model.api_key else []
        return model_error(classify(error, secrets=secrets), model.model).cause
    return None
