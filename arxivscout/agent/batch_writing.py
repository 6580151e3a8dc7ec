"""The nodes of a research job that write: sections and an answer in brief, by a model or quoted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.types import Send

from arxivscout.agent.batch_papers import JobPapers
from arxivscout.agent.batch_report import unquoted
from arxivscout.agent.batch_state import BatchState, Writing, of_the_job
from arxivscout.agent.services import Services
from arxivscout.agent.writing import Writer, sentences_in
from arxivscout.reports.report import Section, Sentence
from arxivscout.research.evidence import Evidence
from arxivscout.research.extractive import brief, sections


class BatchWriting:
    """The writing nodes over one process's services."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._held = JobPapers(services)
        self._embed = services.embedder.text_array

    def each_section(self, state: BatchState) -> list[Send] | str:
        """Every section goes to the model, side by side; the extractive one quotes all at once."""
        if not state["outline"] or writer_of(self._services, state["model"]) is None:
            return "quote"
        job = of_the_job(state)
        return [
            Send(
                "write_section",
                Writing(place=place, title=each["title"], papers=each["papers"], job=job),
            )
            for place, each in enumerate(state["outline"])
        ]

    def quote(self, state: BatchState) -> dict[str, Any]:
        """Brief and sections without a model: the sentences that answer, word for word."""
        evidence = self._held.evidence(state)
        labels = [each["theme"] for each in state["evidence"] if each["arxiv_id"] in evidence]
        names = [theme["name"] for theme in state["themes"]]
        kept = list(evidence.values())
        made = sections(state["question"], kept, labels, names, self._embed)
        said = brief(state["question"], kept, self._embed)
        return {
            "drafts": [
                {"place": place, **section.model_dump(mode="json")}
                for place, section in enumerate(made)
            ],
            "brief": [sentence.model_dump(mode="json") for sentence in said],
        }

    def write_section(self, state: Writing) -> dict[str, Any]:
        """One section by the model, from its own papers; quoted where the model fails."""
        job = state["job"]
        papers = list(self._held.papers(state["papers"]).values())
        draft = Writer(self._services, job["model"]).write(
            "section", papers, question=job["question"], title=state["title"]
        )
        paragraphs: Sequence[Sequence[Sentence]] = sentences_in(draft.text)
        degraded = list(draft.degraded)
        if not any(sentence.papers for paragraph in paragraphs for sentence in paragraph):
            if draft.text:
                degraded.append(f"the model cited nothing on {state['title']}: quoted instead")
            evidence = [Evidence(paper=each, score=1.0, questions=(), why="") for each in papers]
            alone = [0] * len(papers)
            made = sections(job["question"], evidence, alone, [state["title"]], self._embed)
            paragraphs = [paragraph for section in made for paragraph in section.paragraphs]
        section = Section(title=state["title"], paragraphs=tuple(map(tuple, paragraphs)))
        return {
            "drafts": [{"place": state["place"], **section.model_dump(mode="json")}],
            "usage": draft.usage,
            "degraded": degraded,
        }

    def write_brief(self, state: BatchState) -> dict[str, Any]:
        """The answer in brief, by the model from the sections; quoted where the model fails."""
        drafts = sorted(state["drafts"], key=lambda each: int(each["place"]))
        said = [Section(**content_of(each)) for each in drafts]
        cited = [key for section in said for p in section.paragraphs for s in p for key in s.papers]
        papers = list(
            self._held.papers(cited or [each["arxiv_id"] for each in state["evidence"]]).values()
        )
        draft = Writer(self._services, state["model"]).write(
            "brief",
            papers,
            question=state["question"],
            sections="\n\n".join(map(unquoted, said)),
        )
        sentences = [sentence for paragraph in sentences_in(draft.text) for sentence in paragraph]
        degraded = list(draft.degraded)
        if not any(sentence.papers for sentence in sentences):
            if draft.text:
                degraded.append("the model cited nothing in its answer in brief: quoted instead")
            evidence = list(self._held.evidence(state).values())
            sentences = list(brief(state["question"], evidence, self._embed))
        return {
            "brief": [sentence.model_dump(mode="json") for sentence in sentences],
            "usage": draft.usage,
            "degraded": degraded,
        }


def writer_of(services: Services, model: str) -> Writer | None:
    """Who writes; nobody with the extractive model, which quotes."""
    if services.settings.model_named(model).model == "extractive":
        return None
    return Writer(services, model)


def content_of(draft: Mapping[str, Any]) -> dict[str, Any]:
    """A draft without its place: the fields of its section."""
    return {name: value for name, value in draft.items() if name != "place"}
