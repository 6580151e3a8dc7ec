"""How far the check can be trusted: scripted answers go through it as a turn's answer does."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from arxivscout.agent.citations import CitationGuard
from arxivscout.bench.trust_cases import Case
from arxivscout.checking.source import Source
from arxivscout.checking.support import Embed
from arxivscout.checking.verdicts import check_answer
from arxivscout.papers import Paper, PaperId, find_paper_ids


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case."""

    case: Case
    right: bool
    flagged_ids: frozenset[str] = frozenset()
    exact: bool = True  # the citations flagged are those that deserve it, and no others
    told: tuple[str, ...] = ()  # what was said of it, for who looks into a miss
    ms: float = 0.0


@dataclass(slots=True)
class Tally:
    """How one class went."""

    cases: int = 0
    right: int = 0
    exact: int = 0
    ms: list[float] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Counts, the share that went right, and milliseconds (median)."""
        middle = sorted(self.ms)[len(self.ms) // 2] if self.ms else 0.0
        return {
            "cases": self.cases,
            "right": self.right,
            "share": round(self.right / self.cases, 4) if self.cases else None,
            "exact": self.exact,
            "ms": round(middle, 1),
        }


def check_case(case: Case, held: frozenset[str], embed: Embed) -> Result:
    """Check one scripted answer as the graph does: ids while it streams, then what it says.

    Args:
        held: the ids of all papers that are stored, besides those of the case.
    """
    papers = {paper.arxiv_id: paper for paper in case.papers}
    mentioned = frozenset(found.value for found in find_paper_ids(case.question))
    guard = CitationGuard(lambda arxiv_id: arxiv_id in papers or arxiv_id in held, mentioned)
    answer = case.answer or ""
    for at in range(0, len(answer), 7):
        guard.feed(answer[at : at + 7])
    guard.finish()
    started = time.perf_counter()
    checked = check_answer(
        guard.text,
        {each: Source(papers[each]) for each in guard.cited if each in papers},
        embed,
        versions=guard.versions,
    )
    spent = (time.perf_counter() - started) * 1000
    amiss = {
        arxiv_id
        for arxiv_id, verdict in checked.verdicts.items()
        if verdict.problems or verdict.verdict in ("weak", "unsupported")
    }
    flagged = frozenset(amiss | {_without_version(text) for text in guard.removed})
    told = (
        *(f"taken out: {text}" for text in guard.removed),
        *(
            f"{arxiv_id}: {verdict.verdict} {'; '.join(verdict.problems)}"
            for arxiv_id, verdict in checked.verdicts.items()
        ),
        *checked.problems,
    )
    is_flagged = bool(flagged or checked.problems)
    right = is_flagged == case.flagged and (not case.ids or bool(case.ids & flagged))
    return Result(case, right, flagged, flagged == case.ids, told, spent)


def _without_version(text: str) -> str:
    try:
        return PaperId.parse(text).value
    except ValueError:
        return text.partition(":")[2].strip() or text


def by_class(results: Iterable[Result]) -> dict[str, Tally]:
    """The results added up by class, in the order in which classes appear."""
    tallies: dict[str, Tally] = {}
    for result in results:
        tally = tallies.setdefault(result.case.kind, Tally())
        tally.cases += 1
        tally.right += result.right
        tally.exact += result.exact
        tally.ms.append(result.ms)
    return tallies


def report(results: Sequence[Result]) -> dict[str, Any]:
    """By class, for both halves and all."""
    halves = {result.case.half for result in results if result.case.half}
    parts = {"all": list(results)} | {
        half: [result for result in results if result.case.half == half] for half in sorted(halves)
    }
    return {
        name: {kind: tally.to_json() for kind, tally in by_class(part).items()}
        for name, part in parts.items()
    }


def held_ids(papers: Iterable[Paper]) -> frozenset[str]:
    """Their arXiv ids."""
    return frozenset(paper.arxiv_id for paper in papers)
