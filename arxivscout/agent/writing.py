"""What a model writes of a report: one prompt, and no citation of a paper that was not shown."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.messages import HumanMessage, SystemMessage

from arxivscout.agent.answering import usage_of
from arxivscout.agent.citations import CitationGuard
from arxivscout.agent.context import ScoutContext, budgets
from arxivscout.agent.services import Services
from arxivscout.checking.claims import find_claims
from arxivscout.context.budget import count_tokens, shorten
from arxivscout.errors import ModelError
from arxivscout.llm.failures import EmptyAnswer
from arxivscout.llm.reply import RetryPolicy, stream_reply
from arxivscout.papers import Paper, clean_text, render_papers
from arxivscout.prompting import render
from arxivscout.reports.report import Sentence

ROOM_SHARE = 0.6  # of the window for papers; rules, frame and answer take the rest
LEAST_PAPER_TOKENS = 60
LONGEST_PART = 20_000  # characters of a section or a brief; a model that goes on is in a loop


@dataclass(frozen=True, slots=True)
class Draft:
    """What the model wrote; "" where it could not, which `degraded` tells."""

    text: str
    usage: dict[str, Any] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)


class Writer:
    """Asks one model for parts of reports."""

    def __init__(self, services: Services, model: str) -> None:
        self._services = services
        self._model = model
        self._limits = budgets(services.settings, ScoutContext(model=model), model)

    def write(self, prompt: str, papers: Sequence[Paper] | None = None, **values: str) -> Draft:
        """Render `prompt`, ask, and keep only citations of `papers`.

        Args:
            prompt: a name in prompts/.
            papers: what its hole `papers` is filled with, as far as it fits, and `example` with
                the id of the first; None if it has neither.

        Raises:
            ConfigurationError: this model can't be used at all.
        """
        services = self._services
        room = int(self._limits.context_window * ROOM_SHARE) - self._limits.answer_tokens
        if papers is not None:
            values["papers"] = render_papers(_fitting(papers, room))
            values["example"] = papers[0].arxiv_id if papers else "0712.2288"
        retries = services.settings.model_named(self._model).max_retries
        messages = [SystemMessage(render("report")), HumanMessage(render(prompt, **values))]
        try:
            reply = stream_reply(
                services.chat_model(self._model),
                messages,
                deadline=time.monotonic() + self._limits.turn_timeout_s,
                policy=RetryPolicy(max_retries=retries),
            )
        except EmptyAnswer:
            return Draft("", {"model_calls": 1}, [f"the model gave nothing for {prompt}"])
        except ModelError as error:
            return Draft("", {"model_calls": 1}, [f"the model failed at {prompt}: {error.cause}"])
        known = {paper.arxiv_id for paper in papers or ()}
        guard = CitationGuard(known.__contains__, frozenset())
        text = clean_text(str(reply.text))
        guard.feed(text[:LONGEST_PART])
        guard.finish()
        taken_out = [
            f"a citation of a paper that was not shown was taken out: {each}"
            for each in guard.removed[:5]
        ]
        if len(text) > LONGEST_PART:
            taken_out.append(f"the model's {prompt} was cut at {LONGEST_PART:,} characters")
        return Draft(guard.text.strip(), usage_of(reply), taken_out if papers is not None else [])


def sentences_in(text: str) -> list[list[Sentence]]:
    """The paragraphs of a model's text as plain sentences, each with the papers that it cites."""
    paragraphs = []
    for block in text.split("\n\n"):
        sentences = [
            Sentence(text=claim.text, papers=tuple(dict.fromkeys(claim.cited)))
            for claim in find_claims(block)
            if claim.form != "heading" and claim.text.strip()
        ]
        if sentences:
            paragraphs.append(sentences)
    return paragraphs


def _fitting(papers: Sequence[Paper], tokens: int) -> list[Paper]:
    """The papers, best first, as far as they fit; abstracts are cut before papers are left out."""
    share = max(tokens // max(len(papers), 1), LEAST_PAPER_TOKENS)
    fitting: list[Paper] = []
    for paper in papers:
        cut = replace(paper, abstract=shorten(paper.abstract, share))
        tokens -= count_tokens(render_papers([cut]))
        if tokens < 0 and fitting:
            break
        fitting.append(cut)
    return fitting
