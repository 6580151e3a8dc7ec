"""The second stage of a search: who judges question and paper together puts the first in order.

Bounded in time. Where it fails, the order of the first stage holds, and that is said.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from arxivscout.agent.answering import usage_of
from arxivscout.agent.services import Services
from arxivscout.errors import ConfigurationError, ModelError, NotReranked, ScoutError
from arxivscout.llm.reranking import Ordered, ask_order
from arxivscout.papers import PaperHit
from arxivscout.papers.rendering import CLOSING, OPENING, neutralise
from arxivscout.prompting import render

T = TypeVar("T")

CANDIDATES = 20  # of the first stage; what stands further back is rarely what was meant
MODEL_S = 12.0
SCORES_S = 8.0
LOADING_S = 25.0  # a cross-encoder's first use
MOST_ABSTRACT = 700  # characters of each paper that are read
PROMPT_SHARE = 0.5  # of the model's window
CHARACTERS_A_TOKEN = 3


@dataclass(frozen=True, slots=True)
class Reranked:
    """Hits in their new order, if they were `judged`; `problem` says why they were not."""

    hits: list[PaperHit]
    judged: bool = False
    usage: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""


def reranker_name(services: Services, model: str | None) -> str:
    """What orders hits, as a cached order is kept under; "" if nothing does."""
    how = services.settings.rerank
    if how == "model":
        return f"model {model or services.settings.model}"
    return "" if how == "off" else how


def rerank(
    services: Services,
    question: str,
    hits: Sequence[PaperHit],
    model: str | None = None,
    *,
    seconds: float | None = None,
) -> Reranked:
    """The hits, those that the question names first, withdrawn ones last, the others judged.

    Args:
        model: the chat model's name; None: the settings'.
        seconds: that the judge has, if not as long as its kind takes.
    """
    judged = movable(hits)
    if len(judged) < 2:
        return Reranked(list(hits))
    usage: Mapping[str, Any] = {}
    try:
        if services.settings.rerank == "model":
            ordered = _by_model(services, question, judged, model, seconds)
            places, usage = ordered.places, usage_of(ordered.reply)
        else:
            places = _by_cross_encoder(services, question, judged, seconds)
    except (NotReranked, ConfigurationError, ModelError) as error:
        return Reranked(list(hits), problem=error.cause)
    if places is None:
        problem = "the model gave no order of them"
        return Reranked(list(hits), usage=usage, problem=problem)
    order = [judged[place].paper.arxiv_id for place in places]
    return Reranked(in_order(hits, order), True, usage)


def movable(hits: Sequence[PaperHit]) -> list[PaperHit]:
    """Those of the first candidates whose place is a matter of judgement."""
    return [hit for hit in hits[:CANDIDATES] if hit.exact is None and not hit.paper.withdrawn]


def in_order(hits: Sequence[PaperHit], order: Sequence[str]) -> list[PaperHit]:
    """The hits with the papers of `order` in that order; `ranks` tells the new place of each."""
    held = {hit.paper.arxiv_id: hit for hit in movable(hits)}
    moved = [
        replace(held[arxiv_id], ranks={**held[arxiv_id].ranks, "reranked": place})
        for place, arxiv_id in enumerate(order, start=1)
        if arxiv_id in held
    ]
    among = {hit.paper.arxiv_id for hit in moved}
    first = hits[:CANDIDATES]
    named = [hit for hit in first if hit.exact is not None]
    withdrawn = [hit for hit in first if hit.exact is None and hit.paper.arxiv_id not in among]
    return [*named, *moved, *withdrawn, *hits[CANDIDATES:]]


def _by_model(
    services: Services,
    question: str,
    hits: Sequence[PaperHit],
    model: str | None,
    seconds: float | None,
) -> Ordered:
    name = model or services.settings.model
    chosen = services.settings.model_named(name)
    if chosen.model == "extractive":
        raise NotReranked("the extractive model judges no order: name a chat model")
    window = chosen.context_window or services.settings.context_window
    room = int(window * PROMPT_SHARE * CHARACTERS_A_TOKEN) // len(hits)
    prompt = render(
        "rerank",
        question=neutralise(question),
        papers=_numbered(hits, max(min(room - 150, MOST_ABSTRACT), 0)),
        count=str(len(hits)),
    )
    chat = services.chat_model(name)
    longest = seconds or _longest(services, MODEL_S)
    # Who waits goes on in time; the call ends by itself after it, and shuts its connection.
    return _in_time(lambda: ask_order(chat, prompt, len(hits), seconds=longest + 1), longest)


def _by_cross_encoder(
    services: Services, question: str, hits: Sequence[PaperHit], seconds: float | None
) -> list[int]:
    encoder = services.cross_encoder(services.settings.rerank.partition(":")[2])
    texts = [f"{hit.paper.title}. {hit.paper.abstract}" for hit in hits]
    longest = seconds or _longest(services, SCORES_S if encoder.loaded else LOADING_S)
    scores = _in_time(lambda: encoder.scores(question, texts), longest)
    return sorted(range(len(hits)), key=lambda place: -scores[place])


def _longest(services: Services, usual: float) -> float:
    """Seconds for the judge, so that a tool still answers in its time."""
    return min(usual, services.settings.tool_timeout_s * 0.8)


def _in_time(work: Callable[[], T], seconds: float) -> T:
    """What `work` gives; what takes longer goes on in a thread that keeps nobody from leaving."""
    given: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            given.append(work())
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True, name="re-ranking")
    thread.start()
    thread.join(seconds)
    if failed:
        if isinstance(failed[0], ScoutError):
            raise failed[0]
        reason = f"{type(failed[0]).__name__}: {failed[0]}".partition("\n")[0][:200]
        raise NotReranked(f"the judge failed ({reason})") from failed[0]
    if not given:
        raise NotReranked(f"the judge took longer than {seconds:g} s")
    return given[0]


def _numbered(hits: Sequence[PaperHit], abstract: int) -> str:
    lines = [
        f"{place}. {neutralise(hit.paper.title)[:200]}\n"
        f"   {neutralise(hit.paper.abstract)[:abstract]}"
        for place, hit in enumerate(hits, start=1)
    ]
    return "\n".join([OPENING, *lines, CLOSING])
