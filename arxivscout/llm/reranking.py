"""A chat model puts papers in order: asked once, for a list of numbers and nothing else."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arxivscout.llm.reply import RetryPolicy, stream_reply

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage

_NUMBER = re.compile(r"\d+")
# A list, or numbers with signs between them; a sentence with numbers in it is no order.
_ONLY_NUMBERS = re.compile(r"[\s\d,;>\[\]().]*")
_FENCE = re.compile(r"```(?:json)?|`")


@dataclass(frozen=True, slots=True)
class Ordered:
    """Places of what was given, from 0, best first; None if the `reply` is no order."""

    places: list[int] | None
    reply: AIMessage


def ask_order(model: BaseChatModel, prompt: str, count: int, *, seconds: float) -> Ordered:
    """The order that the model gives to `count` papers, which the prompt numbers from 1.

    Raises:
        ModelError: it failed or took too long.
    """
    from langchain_core.messages import HumanMessage

    reply = stream_reply(
        model,
        [HumanMessage(prompt)],
        deadline=time.monotonic() + seconds,
        policy=RetryPolicy(max_retries=0),
    )
    return Ordered(order_in(str(reply.text), count), reply)


def order_in(text: str, count: int) -> list[int] | None:
    """The places, from 0, that the text orders; None unless it has each number once."""
    text = _FENCE.sub("", text).strip()
    if not _ONLY_NUMBERS.fullmatch(text):
        return None
    found = _NUMBER.findall(text)
    if len(found) != count or any(len(each) > 6 for each in found):
        return None
    places = [int(each) - 1 for each in found]
    return places if sorted(places) == list(range(count)) else None
