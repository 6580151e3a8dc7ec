"""What a sub-question found: a turn of the scout machine, read back from memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from arxivscout.agent.checkpoints import ScoutSaver, set_up_checkpoints
from arxivscout.agent.context import ScoutContext
from arxivscout.agent.graph import build_graph
from arxivscout.agent.held_threads import HeldThread
from arxivscout.agent.run import run_turn
from arxivscout.agent.services import Services
from arxivscout.agent.stopping import apart
from arxivscout.errors import DatabaseError, ThreadBusy
from arxivscout.memory.evidence import Call, TurnRead, answered_turn, stored_vectors
from arxivscout.memory.knowledge import papers_by_ids
from arxivscout.memory.paper_filter import NO_FILTER, PaperFilter
from arxivscout.memory.recall import LEAST_SCORE, LEAST_SHARE_OF_BEST
from arxivscout.memory.retrieval import papers_within, search_papers
from arxivscout.papers import PaperHit, one_line, parse_papers
from arxivscout.reports.report import Search

_WHERE = {"search_papers": "papers held", "search_arxiv": "arXiv", "read_paper": "one paper"}
BOUNDS = ("category", "since", "until", "author")
SEARCHING = ("search_papers", "search_arxiv")
BOUNDED_K = 12  # papers of the search that a job makes itself
# Jobs that go on in one conversation take turns; a worker that died holds it for half a minute.
BUSY_S = 600.0


class Scouts:
    """The scout machine of each person, made once; safe to use from several threads."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._graphs: dict[str, Any] = {}
        self._making = threading.Lock()

    def of(self, user: str) -> Any:
        """The compiled graph, with this person's checkpoints."""
        with self._making:
            if user not in self._graphs:
                set_up_checkpoints(self._services.database)
                saver = ScoutSaver(self._services.database, user)
                self._graphs[user] = build_graph(self._services, saver)
            return self._graphs[user]


def answered(
    services: Services,
    scouts: Scouts,
    job: Mapping[str, Any],
    thread: str,
    turn_id: UUID,
    question: str,
) -> TurnRead:
    """The turn that answers the question: one that is stored, else it is asked now.

    Raises:
        Fatal: there is no answer.
    """
    user, model = job["user"], job["model"]
    found = answered_turn(services.database, user, thread, turn_id)
    if found and (found.question, found.model) == (question, model):
        return found
    begun = time.monotonic()

    def ask() -> None:
        for _ in run_turn(
            services,
            scouts.of(user),
            user=user,
            thread_id=thread,
            turn_id=turn_id,
            question=question,
            model=model,
            held=HeldThread(),
            resume=False,
            bounds={name: job.get(name) for name in BOUNDS},
        ):
            pass

    while True:
        try:
            apart(ask)
        except ThreadBusy:
            if time.monotonic() - begun > BUSY_S:
                raise
            time.sleep(1)
            continue
        break
    found = answered_turn(services.database, user, thread, turn_id)
    if found is None:
        raise DatabaseError(
            "A sub-question was answered, but the database did not keep it.",
            "Run the batch again when the database is back.",
        )
    return found


def hits_of(
    services: Services, question: str, found: TurnRead, job: Mapping[str, Any], *, wished: bool
) -> tuple[list[PaperHit], list[Search]]:
    """The papers that the turn cited or found and that fit, best first, and its searches.

    Where it searched for nothing, or the job has bounds of its own, a search is made besides.

    Args:
        wished: the turn searched within what the person prefers, so that one without is wanted:
            what is left out is to be told.
    """
    trail = [_search(question, call) for call in found.calls if call.tool in _WHERE]
    cited = [str(each["arxiv_id"]) for each in found.citations]
    shown = [
        paper.arxiv_id
        for call in found.calls
        if call.tool in _WHERE
        for paper in parse_papers(call.output)
    ]
    bounds = bounds_of(job)
    scores: dict[str, float] = {}
    searched = any(call.tool in SEARCHING for call in found.calls)
    if wished or bounds != NO_FILTER or not searched:
        began = time.perf_counter()
        hits = _search_within(services, question, bounds)
        scores = {hit.paper.arxiv_id: hit.score for hit in hits}
        trail.append(
            Search(
                question=question,
                query=question,
                where=_WHERE["search_papers"],
                found=len(hits),
                seconds=round(time.perf_counter() - began, 3),
                note=_note(job),
            )
        )
    ids = list(dict.fromkeys([*cited, *shown, *scores]))
    vectors = stored_vectors(services.database, ids)
    asked = services.embedder.query_array(question)
    scores = {key: max(float(vector @ asked), 0.0) for key, vector in vectors.items()} | scores
    least = max(LEAST_SCORE, LEAST_SHARE_OF_BEST * max(scores.values(), default=0.0))
    with services.database.shared() as conn:
        passing = papers_within(conn, ids, bounds)
        papers = papers_by_ids(conn, [each for each in ids if each in passing])
    kept = [
        PaperHit(paper=paper, score=min(scores.get(paper.arxiv_id, LEAST_SCORE), 1.0), legs={})
        for paper in papers
        if paper.arxiv_id in cited or scores.get(paper.arxiv_id, 0.0) >= least
    ]
    return sorted(kept, key=lambda hit: -hit.score), trail


def failures(found: TurnRead) -> list[str]:
    """The searches of the turn that failed, a line each; where the turn tells why, it has told."""
    return [
        f"{_WHERE[call.tool]} could not be searched: {one_line(call.error)[:200]}"
        for call in found.calls
        if call.tool in SEARCHING
        and call.status != "success"
        and not any(why in call.error for why in found.degraded)
    ]


def bounds_of(job: Mapping[str, Any]) -> PaperFilter:
    """The job's own bounds."""
    return ScoutContext(**{name: job.get(name) for name in BOUNDS}).bounds


def _note(job: Mapping[str, Any]) -> str:
    words = {"author": "by", "category": "in", "since": "published since", "until": "until"}
    if not job.get("since"):
        words["until"] = "published until"
    return " ".join(f"{word} {job[name]}" for name, word in words.items() if job.get(name))


def _search_within(services: Services, question: str, bounds: PaperFilter) -> list[PaperHit]:
    vector = services.embedder.embed_query(question)
    with services.database.shared() as conn:
        return search_papers(conn, text=question, vector=vector, filters=bounds, k=BOUNDED_K)


def _search(question: str, call: Call) -> Search:
    arguments = call.arguments
    query = str(arguments.get("query") or arguments.get("arxiv_id") or "")
    bounds = [f"{name} {value}" for name, value in arguments.items() if name in BOUNDS and value]
    failed = f"{call.status}: {one_line(call.error)[:200]}" if call.status != "success" else ""
    return Search(
        question=question,
        query=one_line(query),
        where=_WHERE[call.tool],
        found=len(parse_papers(call.output)),
        seconds=round(call.seconds, 3),
        note="; ".join(filter(None, [", ".join(bounds), failed])),
    )
