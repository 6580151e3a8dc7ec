"""The nodes of a reflection: each reads state, calls one room, returns what changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from langgraph.config import get_config
from langgraph.runtime import Runtime

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.distilling import distilled, reads_by_model
from arxivscout.agent.identity import person_of
from arxivscout.agent.reflection_state import ReflectionState, draft_from_json, draft_to_json
from arxivscout.agent.services import Services
from arxivscout.errors import DatabaseError, ThreadBusy
from arxivscout.memory import episode, lesson, reflections
from arxivscout.memory.lease import ACQUIRE, HELD, RELEASE, lease_parameters
from arxivscout.memory.lesson_learning import RULES, Learned, learn_all, preview
from arxivscout.memory.reflections import LEASE
from arxivscout.memory.remembering import consent
from arxivscout.memory.turn_record import STAY_ERASED
from arxivscout.memory.vector_memory import Vector
from arxivscout.reflection.distilling import distil
from arxivscout.reflection.drafts import Draft

ASKED_FOR = "asked for"
LONGEST_S = 300.0  # of a run, that its lease is prolonged
MOST_CALLS_A_DAY = 24  # of a chat model, for one person
_IS_HELD = f"SELECT {HELD}"


class ReflectionNodes:
    """The nodes over one process's services."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def begin(self, state: ReflectionState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Whether it is time and allowed; then the person's lease, so that one runs at a time."""
        services, context = self._services, runtime.context or ScoutContext()
        user = person_of(services, context, get_config())
        begun: dict[str, Any] = {
            "user": user,
            "model": context.model or services.settings.model,
            "why": state.get("why") or ASKED_FOR,
            "run_id": "",
            "status": "running",
            "seen": [],
            "fresh": 0,
            "known": [],
            "drafts": [],
            "learned": [],
            "reviewed": 0,
            "problems": [],
            "usage": {},
            "error": None,
        }
        if not consent(services.database, user).may_learn("lesson"):
            return {**begun, "status": "not allowed"}
        if state.get("if_due"):
            with services.database.transaction(user) as conn:
                why = reflections.due(conn, services.settings.reflect_after)
            if why is None:
                return {**begun, "status": "not due"}
            begun["why"] = why
        if state.get("dry_run"):
            return begun
        return {**begun, **self._alone(user, begun["why"], begun["model"])}

    def review(self, state: ReflectionState) -> dict[str, Any]:
        """The newest episodes: which there are, and how many are new since the last time."""
        with self._services.database.transaction(state["user"]) as conn:
            found = episode.recent(conn, reflections.WINDOW, reflections.DAYS)
        return {
            "seen": [[str(each.id), _iso(each.changed_at)] for each in found],
            "reviewed": len(found),
            "fresh": sum(not each.reflected for each in found),
        }

    def recall(self, state: ReflectionState) -> dict[str, Any]:
        """What is known already."""
        with self._services.database.transaction(state["user"]) as conn:
            return {"known": [str(each.id) for each in lesson.known(conn)]}

    def distil(self, state: ReflectionState) -> dict[str, Any]:
        """What the episodes teach: by rule, and by one call of the model for those that are new."""
        services, user = self._services, state["user"]
        seen = {each for each, _ in state["seen"]}
        with services.database.transaction(user) as conn:
            episodes = episode.recent(conn, reflections.WINDOW, reflections.DAYS)
            known, stated = lesson.known(conn), lesson.stated(conn)
            calls = reflections.calls_today(conn)
        episodes = [each for each in episodes if str(each.id) in seen]
        drafts = [draft_to_json(each, RULES) for each in distil(episodes, stated)]
        fresh = [each for each in episodes if not each.reflected]
        if not fresh or state.get("by_rules") or not reads_by_model(services, state["model"]):
            return {"drafts": drafts}
        if calls >= MOST_CALLS_A_DAY:
            problem = f"the model was asked {calls} times within a day: by rules alone"
            return {"drafts": drafts, "problems": [*state["problems"], problem]}
        told = distilled(services, state["model"], fresh, known)
        return {
            "drafts": [*drafts, *(draft_to_json(each, state["model"]) for each in told.drafts)],
            "usage": told.usage,
            "problems": [*state["problems"], *told.problems],
            "status": "failed" if told.failed else state["status"],
        }

    def write(self, state: ReflectionState) -> dict[str, Any]:
        """Bring the drafts in, in one transaction with the marks on what was reflected on.

        Raises:
            ThreadBusy: the lease was lost meanwhile: nothing is stored.
        """
        services, user = self._services, state["user"]
        drafts = [draft_from_json(each) for each in state["drafts"]]
        given = self._with_vectors(user, drafts)
        seen = [(UUID(each), datetime.fromisoformat(at)) for each, at in state["seen"]]
        ids = [each for each, _ in seen]
        if state.get("dry_run"):
            with services.database.transaction(user) as conn:
                learned = preview(conn, given, ids)
            return {"learned": _told(learned), "status": "dry run"}
        failed = state["status"] == "failed"
        left_to_model = state.get("by_rules") and reads_by_model(services, state["model"])
        run = UUID(state["run_id"])
        held = lease_parameters(LEASE, run)
        with services.database.transaction(user) as conn:
            conn.execute(STAY_ERASED, {"begun": state["begun"]})
            if not (conn.execute(_IS_HELD, held).fetchone() or [False])[0]:
                raise ThreadBusy("Another reflection has begun meanwhile; nothing was stored.")
            changed = _told(learn_all(conn, given, ids))
            reflections.finish(
                conn,
                run,
                seen=[] if left_to_model else seen,
                lessons=len(changed),
                usage=state["usage"],
                problems=state["problems"],
                failed=failed,
            )
            conn.execute(RELEASE, held)
        services.leases.let_go(run)
        return {"learned": changed, "status": "failed" if failed else "done"}

    def give_up(self, state: ReflectionState, problem: str) -> None:
        """Note a run that failed, and give its lease back."""
        if not state.get("run_id"):
            return
        run, user = UUID(state["run_id"]), state["user"]
        try:
            with self._services.database.transaction(user) as conn:
                reflections.finish(conn, run, usage=state["usage"], problems=[problem], failed=True)
        except DatabaseError:
            pass  # the next run says that this one was stopped
        self._services.leases.release(run)

    def _with_vectors(
        self, user: str, drafts: Sequence[tuple[Draft, str]]
    ) -> list[tuple[Draft, str, Vector]]:
        """The drafts with their statements' vectors; only what is not known yet is embedded."""
        with self._services.database.transaction(user) as conn:
            vectors = {each.statement: each.vector for each in lesson.known(conn) if each.vector}
        new = [d.statement for d, _ in drafts if d.statement not in vectors]
        if new:
            made = self._services.embedder.embed_documents(new)
            vectors |= dict(zip(new, made, strict=True))
        return [(draft, by, vectors[draft.statement]) for draft, by in drafts]

    def _alone(self, user: str, why: str, model: str) -> dict[str, Any]:
        """The lease on the person's reflections, and the run's row.

        Raises:
            ThreadBusy: another process has it.
        """
        services = self._services
        while True:
            holder = uuid4()
            with services.database.transaction(user) as conn:
                if conn.execute(ACQUIRE, lease_parameters(LEASE, holder)).fetchone():
                    run, begun = reflections.begin(conn, holder, why, model)
                    break
            if not services.leases.take_from_dead(user, LEASE):
                raise ThreadBusy(
                    "Another process is reflecting on your episodes right now.",
                    "Wait until it is done.",
                )
        services.leases.hold(user, LEASE, run, LONGEST_S)
        return {"run_id": str(run), "begun": begun.isoformat()}


def _told(learned: Sequence[Learned]) -> list[dict[str, Any]]:
    """The changes, in the order in which they were made; what stays as it was is none."""
    return [
        {
            "id": str(each.id) if each.id else None,
            "change": each.change,
            "kind": each.kind,
            "statement": each.statement,
            "why": each.why,
        }
        for each in learned
        if each.change != "unchanged"
    ]


def _iso(at: datetime | None) -> str:
    assert at is not None
    return at.isoformat()
