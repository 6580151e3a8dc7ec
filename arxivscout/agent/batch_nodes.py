"""The nodes of a research job."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4, uuid5

import numpy as np
from langgraph.config import get_config
from langgraph.runtime import Runtime
from langgraph.types import Send

from arxivscout.agent.batch_report import assembled, excerpts_for, judged, unquoted
from arxivscout.agent.batch_state import BatchState, Research, Writing, of_the_job
from arxivscout.agent.context import ScoutContext
from arxivscout.agent.findings import answered, bounds_of, failures, hits_of
from arxivscout.agent.identity import person_of
from arxivscout.agent.preferring import (
    narrows,
    told,
    wanted_first,
    wishes_of,
    without_unwanted,
)
from arxivscout.agent.services import Services
from arxivscout.agent.writing import Writer, sentences_in
from arxivscout.errors import UsageError
from arxivscout.memory.evidence import stored_vectors
from arxivscout.memory.knowledge import papers_by_ids
from arxivscout.memory.looked_at import remember_cited
from arxivscout.memory.remembering import consent
from arxivscout.memory.threads import MOST_NAME, job_thread
from arxivscout.papers import Paper, PaperHit, clean_text
from arxivscout.reports.report import Section, Sentence
from arxivscout.research.evidence import Evidence, Finding, merge
from arxivscout.research.extractive import brief, sections
from arxivscout.research.map import positions
from arxivscout.research.planning import MOST, sub_questions
from arxivscout.research.themes import themes
from arxivscout.research.weighing import relevant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arxivscout.agent.findings import Scouts

MOST_PAPERS = 30  # of a report
MOST_SECTIONS = 5
_MARKUP = re.compile(r"[<>{}|`#]|https?:|:$")  # no search has such, nor the line above a list
_LIST_MARK = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+")


class BatchNodes:
    """The nodes over one process's services."""

    def __init__(self, services: Services, scouts: Scouts) -> None:
        self._services = services
        self._scouts = scouts
        self._embed = services.embedder.text_array

    def begin(self, state: BatchState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Who asks what, of which model; what an earlier run left is dropped."""
        context = runtime.context or ScoutContext()
        question = clean_text(str(state.get("question") or "")).strip()
        if not question:
            raise UsageError("The question is empty.", "Ask something.")
        if state.get("depth") not in (None, *MOST):
            raise UsageError(f"{str(state['depth'])[:40]!a} is no depth.", "Give 1, 2 or 3.")
        bounds_of(state)  # refuses what can't be used
        job_id = _uuid(state.get("job_id"))
        return {
            "question": question,
            "job_id": job_id,
            "depth": state.get("depth") or 2,
            "error": None,
            "user": self._person(runtime),
            "thread": context.thread or job_thread(job_id),
            "model": context.model or self._services.settings.model,
            "started_at": datetime.now(UTC).isoformat(),
            **dict.fromkeys(("findings", "drafts", "usage", "timings_ms", "degraded")),
        }

    def plan(self, state: BatchState) -> dict[str, Any]:
        """Which questions the question comes down to: itself, and those of the model or by rule."""
        question, depth = state["question"], state["depth"]
        by_rule = sub_questions(question, depth)
        writer, most = self._writer(state["model"]), MOST[depth] - 1
        if writer is None or not most:
            return {"sub_questions": by_rule}
        draft = writer.write("plan", question=question, most=str(most))
        lines = (_LIST_MARK.sub("", line).strip("*_ ") for line in draft.text.splitlines())
        planned = [line for line in lines if 8 <= len(line) <= 300 and not _MARKUP.search(line)][
            :most
        ]
        return {
            "sub_questions": list(dict.fromkeys([question, *planned])) if planned else by_rule,
            "usage": draft.usage,
            "degraded": draft.degraded,
        }

    def research(self, state: Research, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """One sub-question through the scout machine; what it found is read back from memory."""
        job = {**state["job"], "user": self._person(runtime)}
        question = state["question"]
        turn_id = uuid5(UUID(job["job_id"]), f"question {state['place']}")
        thread = job["thread"]
        if state["place"]:
            thread = f"{thread[: MOST_NAME - 2]}.{state['place'] + 1}"
        found = answered(self._services, self._scouts, job, thread, turn_id, question)
        wishes, _ = wishes_of(self._services, job["user"], job)
        hits, trail = hits_of(self._services, question, found, job, wished=narrows(wishes))
        finding = {
            "place": state["place"],
            "question": question,
            "turn_id": str(turn_id),
            "hits": [[hit.paper.arxiv_id, hit.score] for hit in hits],
            "trail": [each.model_dump() for each in trail],
        }
        degraded = [*found.degraded, *failures(found)]
        return {"findings": [finding], "usage": found.usage, "degraded": degraded}

    def merge(self, state: BatchState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """One entry a paper over all sub-questions, grouped and placed by meaning.

        What the person does not want is left out, and told.
        """
        findings = sorted(state["findings"], key=lambda each: int(each["place"]))
        held = self._papers(key for each in findings for key, _ in each["hits"])
        merged = merge(
            [
                Finding(
                    each["question"],
                    [
                        PaperHit(paper=held[key], score=score, legs={})
                        for key, score in each["hits"]
                        if key in held
                    ],
                )
                for each in findings
            ]
        )
        wishes, aside = wishes_of(self._services, self._person(runtime), state)
        merged = wanted_first(merged, wishes)
        if self._writer(state["model"]) is None:  # a model leaves out what does not answer
            withdrawn = [each for each in merged if each.paper.withdrawn]
            merged = [*relevant(state["question"], merged, self._embed), *withdrawn]
        merged, left_out = without_unwanted(merged, wishes)
        merged = merged[:MOST_PAPERS]
        vectors = self._vectors([each.paper for each in merged])
        grouped = themes([each.paper for each in merged], vectors)
        return {
            "evidence": [
                {
                    "arxiv_id": each.paper.arxiv_id,
                    "score": each.score,
                    "questions": list(each.questions),
                    "why": each.why,
                    "theme": int(label),
                    "place": [float(x), float(y)],
                }
                for each, label, (x, y) in zip(
                    merged, grouped.labels, positions(vectors), strict=True
                )
            ],
            "themes": [theme.model_dump() for theme in grouped.themes],
            "preferences": told(wishes, left_out, aside),
            "left_out": sum(map(len, left_out.values())),
        }

    def outline(self, state: BatchState) -> dict[str, Any]:
        """A section for each theme, that of the best papers first."""
        by_theme: dict[int, list[str]] = {}
        for each in state["evidence"]:
            by_theme.setdefault(each["theme"], []).append(each["arxiv_id"])
        return {
            "outline": [
                {"title": state["themes"][theme]["name"], "papers": papers}
                for theme, papers in list(by_theme.items())[:MOST_SECTIONS]
            ]
        }

    def each_section(self, state: BatchState) -> list[Send] | str:
        """Every section goes to the model, side by side; the extractive one quotes all at once."""
        if not state["outline"] or self._writer(state["model"]) is None:
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
        evidence = self._evidence(state)
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
        papers = list(self._papers(state["papers"]).values())
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
        said = [Section(**_content(each)) for each in drafts]
        cited = [key for section in said for p in section.paragraphs for s in p for key in s.papers]
        papers = list(
            self._papers(cited or [each["arxiv_id"] for each in state["evidence"]]).values()
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
            evidence = list(self._evidence(state).values())
            sentences = list(brief(state["question"], evidence, self._embed))
        return {
            "brief": [sentence.model_dump(mode="json") for sentence in sentences],
            "usage": draft.usage,
            "degraded": degraded,
        }

    def check(self, state: BatchState) -> dict[str, Any]:
        """Every sentence beside the papers that it cites, as the chat's answers are checked."""
        drafts = sorted(state.get("drafts", []), key=lambda each: int(each["place"]))
        parts = [
            Section(title="", paragraphs=(tuple(Sentence(**each) for each in state["brief"]),)),
            *(Section(**_content(each)) for each in drafts),
        ]
        papers = self._papers(each["arxiv_id"] for each in state["evidence"])
        checked, problems = judged(parts, papers, excerpts_for(self._services, parts), self._embed)
        return {
            "checked": [section.model_dump(mode="json") for section in checked],
            "problems": problems,
        }

    def report(self, state: BatchState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """All of it as one value; what it cites is remembered as what its turns cite."""
        papers = self._papers(each["arxiv_id"] for each in state["evidence"])
        user, thread = self._person(runtime), state["thread"]
        report = assembled(self._services, user, state, papers, self._embed)
        cited = [each.arxiv_id for each in report.papers if each.cited]
        may = consent(self._services.database, user, thread)
        if cited and may.may_learn("looked_at", "reading notes"):
            turn = UUID(min(state["findings"], key=lambda each: int(each["place"]))["turn_id"])
            question = state["question"]
            remember_cited(self._services.database, user, thread, turn, question, cited)
        return {"report": report.model_dump(mode="json")}

    def _person(self, runtime: Runtime[ScoutContext]) -> str:
        """Whose job it is: by the run itself, as a server's client can write into the state."""
        return person_of(self._services, runtime.context or ScoutContext(), get_config())

    def _papers(self, ids: Iterable[str]) -> dict[str, Paper]:
        wanted = list(dict.fromkeys(ids))
        with self._services.database.shared() as conn:
            return {paper.arxiv_id: paper for paper in papers_by_ids(conn, wanted)}

    def _vectors(self, papers: Sequence[Paper]) -> NDArray[np.float32]:
        """Shape (papers, dimension): those that are stored; others are embedded."""
        stored = stored_vectors(self._services.database, [each.arxiv_id for each in papers])
        missing = [each for each in papers if each.arxiv_id not in stored]
        if missing:
            made = self._services.embedder.embed_array([each.content for each in missing])
            stored |= {each.arxiv_id: row for each, row in zip(missing, made, strict=True)}
        dimension = self._services.embedder.identity.dimension
        rows = [stored[each.arxiv_id] for each in papers]
        return np.stack(rows) if rows else np.empty((0, dimension), np.float32)

    def _evidence(self, state: BatchState) -> dict[str, Evidence]:
        held = self._papers(each["arxiv_id"] for each in state["evidence"])
        return {
            each["arxiv_id"]: Evidence(
                paper=held[each["arxiv_id"]],
                score=each["score"],
                questions=tuple(each["questions"]),
                why=each["why"],
            )
            for each in state["evidence"]
            if each["arxiv_id"] in held
        }

    def _writer(self, model: str) -> Writer | None:
        """Who writes; nobody with the extractive model, which quotes."""
        if self._services.settings.model_named(model).model == "extractive":
            return None
        return Writer(self._services, model)


def _uuid(given: object) -> str:
    try:
        return str(UUID(str(given))) if given else str(uuid4())
    except ValueError:
        raise UsageError(f"The job's id {str(given)[:60]!a} is no UUID.", "Leave it out.") from None


def _content(draft: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in draft.items() if name != "place"}
