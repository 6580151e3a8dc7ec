"""A chat model reads a turn for what the rules missed: one call, validated, nothing on trust."""

from __future__ import annotations

import logging
import time

from langchain_core.messages import HumanMessage

from arxivscout.agent.services import Services
from arxivscout.errors import ConfigurationError, ModelError
from arxivscout.learning import Learned, Turn
from arxivscout.learning.days import with_dates
from arxivscout.learning.values import Gathering
from arxivscout.llm.learning import Told, read_reply
from arxivscout.llm.reply import RetryPolicy, stream_reply
from arxivscout.papers.rendering import neutralise
from arxivscout.prompting import render

_log = logging.getLogger(__name__)

SECONDS = 60.0
MOST_WORDS, MOST_OF_A_PAPER = 6_000, 2_000  # characters that are shown
BY_MODEL = 0.6  # how sure it is that the source means it as the model took it
_KINDS = "fact, finding, decision, question"
_FILED = {"finding": "findings", "question": "open questions", "decision": "active projects"}


def asked(services: Services, name: str | None, turn: Turn, found: Learned) -> Learned:
    """What the turn's model adds to what the rules found; nothing without a chat model.

    What goes wrong is logged: the rules' part stands.
    """
    if services.settings.learning != "model":
        return Learned()
    try:
        chosen = services.settings.model_named(name or services.settings.model)
        if chosen.model == "extractive":
            return Learned()
        papers = {
            used.paper.arxiv_id: _shown(used.passages, used.paper.abstract) for used in turn.papers
        }
        prompt = render(
            "learn",
            words=neutralise(turn.words[:MOST_WORDS]),
            papers="\n".join(f"[{paper}] {neutralise(text)}" for paper, text in papers.items()),
            known="\n".join(f"- {neutralise(each.text)}" for each in found.candidates[:40]),
            kinds=_KINDS,
        )
        reply = stream_reply(
            services.chat_model(name or services.settings.model),
            [HumanMessage(prompt)],
            deadline=time.monotonic() + min(SECONDS, services.settings.turn_timeout_s),
            policy=RetryPolicy(max_retries=0),
        )
    except (ConfigurationError, ModelError) as error:
        _log.info("a model could not be asked what a turn teaches: %s", type(error).__name__)
        return Learned()
    told = read_reply(str(reply.text), turn.words, papers)
    if told.dropped:
        _log.info(
            "of what a model learned %d parts were dropped: %s",
            len(told.dropped),
            "; ".join(sorted(set(told.dropped))[:5]),
        )
    return _gathered(turn, told)


def _shown(passages: tuple[str, ...], abstract: str) -> str:
    return " ".join(" ".join(dict.fromkeys([*passages, abstract])).split())[:MOST_OF_A_PAPER]


def _gathered(turn: Turn, told: Told) -> Learned:
    to = Gathering(turn)
    for each in told.statements:
        if each.source is None:
            text = with_dates(each.text, turn.day)
        else:
            text = f"{each.text} [arXiv:{each.source}]"
        to.add(
            each.kind,
            text,
            reason=each.reason,
            quote=each.quote,
            source=each.source,
            confidence=BY_MODEL,
            filed_under=_FILED.get(each.kind),
            metadata={"arxiv_ids": [each.source]} if each.source else {},
        )
    for relation in told.relations:
        if relation.subject.lower() == "me":
            subject = to.person()
        else:
            subject = to.add(
                "concept",
                relation.subject,
                name=relation.subject,
                confidence=BY_MODEL,
                source=relation.source,
            )
        thing = to.add(
            relation.kind,
            relation.object,
            name=relation.object,
            confidence=BY_MODEL,
            source=relation.source,
        )
        to.link(
            subject,
            relation.predicate.replace(" ", "_").replace("-", "_"),
            thing,
            quote=relation.quote,
            source=relation.source,
            confidence=BY_MODEL,
        )
    return Learned(tuple(to.candidates), tuple(to.links.values()))
