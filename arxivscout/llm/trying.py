"""Whether a model answers: one short request, before a person relies on it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from arxivscout.errors import ModelError
from arxivscout.llm.models import load_chat_model
from arxivscout.llm.reply import RetryPolicy, stream_reply

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
    from langchain_core.messages import HumanMessage

    seconds = min(model.timeout_s, LONGEST_S)
    chat = load_chat_model(model.model_copy(update={"timeout_s": seconds}), embedder)
    try:
        stream_reply(
            chat,
            [HumanMessage(_ASKED)],
            deadline=time.monotonic() + seconds,
            policy=RetryPolicy(max_retries=0),
        )
    except ModelError as error:
        return error.cause
    return None
