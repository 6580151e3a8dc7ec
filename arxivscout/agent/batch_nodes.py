"""The nodes of a research job."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4, uuid5

from langgraph.config import get_config
from langgraph.runtime import Runtime

from arxivscout.agent.batch_papers import JobPapers
from arxivscout.agent.batch_report import assembled, excerpts_for, judged
from arxivscout.agent.batch_state import BatchState, Research
from arxivscout.agent.batch_writing import content_of, writer_of
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
from arxivscout.errors import UsageError
from arxivscout.memory.looked_at import remember_cited
from arxivscout.memory.remembering import consent
from arxivscout.memory.threads import MOST_NAME, job_thread
from arxivscout.papers import PaperHit, clean_text
from arxivscout.reports.report import Section, Sentence
from arxivscout.research.evidence import Finding, merge
from arxivscout.research.map import positions
from arxivscout.research.planning import MOST, sub_questions
from arxivscout.research.themes import themes
from arxivscout.research.weighing import relevant

if TYPE_CHECKING:
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
        self._held = JobPapers(services)
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
        writer, most = writer_of(self._services, state["model"]), MOST[depth] - 1
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
        held = self._held.papers(key for each in findings for key, _ in each["hits"])
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
        if (
            writer_of(self._services, state["model"]) is None
        ):  # a model leaves out what does not answer
            withdrawn = [each for each in merged if each.paper.withdrawn]
            merged = [*relevant(state["question"], merged, self._embed), *withdrawn]
        merged, left_out = without_unwanted(merged, wishes)
        merged = merged[:MOST_PAPERS]
        vectors = self._held.vectors([each.paper for each in merged])
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

    def check(self, state: BatchState) -> dict[str, Any]:
        """Every sentence beside the papers that it cites, as the chat's answers are checked."""
        drafts = sorted(state.get("drafts", []), key=lambda each: int(each["place"]))
        parts = [
            Section(title="", paragraphs=(tuple(Sentence(**each) for each in state["brief"]),)),
            *(Section(**content_of(each)) for each in drafts),
        ]
        papers = self._held.papers(each["arxiv_id"] for each in state["evidence"])
        checked, problems = judged(parts, papers, excerpts_for(self._services, parts), self._embed)
        return {
            "checked": [section.model_dump(mode="json") for section in checked],
            "problems": problems,
        }

    def report(self, state: BatchState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """All of it as one value; what it cites is remembered as what its turns cite."""
        papers = self._held.papers(each["arxiv_id"] for each in state["evidence"])
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


def _uuid(given: object) -> str:
    try:
        return str(UUID(str(given))) if given else str(uuid4())
    except ValueError:
        raise UsageError(f"The job's id {str(given)[:60]!a} is no UUID.", "Leave it out.") from None
