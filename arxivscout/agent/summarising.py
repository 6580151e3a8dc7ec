"""What was said, condensed: by rule, or by the chat model where the settings let it.

A model's words are held against what was said; where it fails, the rules do it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import HumanMessage

from arxivscout.agent.measuring import EXTRACTIVE
from arxivscout.agent.services import Services
from arxivscout.context.checked_summary import checked_summary
from arxivscout.context.condense import condense
from arxivscout.errors import ConfigurationError, ModelError
from arxivscout.llm.reply import RetryPolicy, stream_reply
from arxivscout.papers import neutralise
from arxivscout.prompting import render

LONGEST_S = 60.0
WORDS_A_TOKEN = 0.75


@dataclass(frozen=True, slots=True)
class Summary:
    """The text, and whether it is made of the speakers' own sentences alone."""

    text: str
    extractive: bool


def summarise(
    services: Services, messages: Sequence[tuple[str, str]], tokens: int, *, whole: bool = True
) -> Summary:
    """A summary of `messages`, (role, text) each and oldest first, of about so many tokens.

    Args:
        whole: decisions and facts may take more, as `condense` has it.
    """
    settings = services.settings
    if settings.summaries == "model" and settings.model_named(settings.model).model != EXTRACTIVE:
        text = checked_summary(_asked(services, messages, tokens), messages, tokens)
        if text:
            return Summary(text, extractive=False)
    return Summary(condense(messages, tokens, whole=whole), extractive=True)


def _asked(services: Services, messages: Sequence[tuple[str, str]], tokens: int) -> str:
    """What the model answers; "" where it does not."""
    prompt = render(
        "condense",
        conversation="\n".join(f"{role}: {neutralise(text)}" for role, text in messages),
        words=str(max(int(tokens * WORDS_A_TOKEN), 20)),
    )
    try:
        reply = stream_reply(
            services.chat_model(services.settings.model),
            [HumanMessage(prompt)],
            deadline=time.monotonic() + LONGEST_S,
            policy=RetryPolicy(max_retries=0),
        )
    except (ConfigurationError, ModelError):
        return ""
    return str(reply.text)
