"""What becomes of candidates, gathered so that it is written in a few statements."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from psycopg import Connection

from arxivscout.memory.candidate import THINGS
from arxivscout.memory.gate import rows
from arxivscout.memory.gate.judging import Judgement, keys_for, other_names, sought_by
from arxivscout.memory.gate.rows import Held
from arxivscout.memory.metadata import merged

Action = Literal["added", "merged", "superseded", "kept_beside", "unchanged"]
_OF_ONE_TURN = ("thread_id", "turn_id", "category", "name")
_NEAR = 0.4  # cosine from which candidates of one batch are compared


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a candidate.

    `id` is the memory that now says it. `other` is the one that it took the place of
    (`superseded`), or beside which it stands although they look alike.
    """

    id: UUID
    action: Action
    other: UUID | None
    why: str


@dataclass(slots=True)
class Batch:
    """Candidates that are decided together.

    `new` are those that were added, written already or not; `contradictions` pairs of them with
    memories that say the opposite.
    """

    table: str
    at: datetime | None
    new: list[Held] = field(default_factory=list)
    contradictions: list[tuple[UUID, UUID]] = field(default_factory=list)
    _unwritten: dict[UUID, Held] = field(default_factory=dict)
    _changed: dict[UUID, Held] = field(default_factory=dict)
    _ended: dict[UUID, tuple[UUID, str]] = field(default_factory=dict)
    _gone: set[UUID] = field(default_factory=set)
    _keyed: dict[str, list[Held]] = field(default_factory=dict)

    def holds(self, held: Held) -> bool:
        """Whether a memory that was found still holds."""
        return held.id not in self._gone

    def near(self, held: Held) -> list[tuple[Held, float]]:
        """The candidates added before that `held` may be, the likest first."""
        sharing = {
            each.id: each for key in sought_by(held) for each in self._keyed.get(key, ()) if key
        }
        found = {
            one: (each, _cosine(held, each))
            for one, each in list(sharing.items())[: rows.MOST_SHARING]
        }
        if held.kind not in THINGS and held.vector is not None:
            for each in self.new:
                if each.id not in found and each.kind not in THINGS:
                    likeness = _cosine(held, each)
                    if likeness >= _NEAR:
                        found[each.id] = (each, likeness)
        alive = [pair for pair in found.values() if self.holds(pair[0])]
        return sorted(alive, key=lambda pair: -pair[1])[: rows.MOST_KEYED]

    def settle(self, conn: Connection[Any], new: Held, judgement: Judgement) -> Outcome:
        """Do what was judged, or note it down to be written with the rest."""
        kept = judgement.into or new
        for old, why in judgement.ends:
            if old.id in self._unwritten:
                self.write(conn)
            self._ended[old.id] = (kept.id, why)
            self._changed.pop(old.id, None)
            self._gone.add(old.id)
        if judgement.into is not None:
            changed = _merge(kept, new)
            if changed and kept.id not in self._unwritten:
                self._changed[kept.id] = kept
            action: Action = "merged" if changed else "unchanged"
            if judgement.ends:
                return Outcome(kept.id, "superseded", judgement.ends[0][0].id, judgement.why)
            return Outcome(kept.id, action, None, judgement.why)
        self._add(new)
        if judgement.ends:
            return Outcome(new.id, "superseded", judgement.ends[0][0].id, judgement.why)
        if judgement.beside is None:
            return Outcome(new.id, "added", None, judgement.why)
        if judgement.contradicts:
            self.contradictions.append((new.id, judgement.beside.id))
        return Outcome(new.id, "kept_beside", judgement.beside.id, judgement.why)

    def write(self, conn: Connection[Any]) -> None:
        """Write what was noted down: first what ends, as names are there once."""
        ended = [(one, *successor) for one, successor in self._ended.items()]
        rows.end(conn, self.table, ended, self.at)
        rows.insert(conn, self.table, list(self._unwritten.values()), self.at)
        rows.change(conn, self.table, list(self._changed.values()))
        self._ended, self._unwritten, self._changed = {}, {}, {}

    def _add(self, new: Held) -> None:
        self.new.append(new)
        self._unwritten[new.id] = new
        for key in new.keys:
            self._keyed.setdefault(key, []).append(new)


def _merge(kept: Held, new: Held) -> bool:
    """Bring what `new` adds into `kept`; say whether that is anything."""
    before = replace(kept, metadata=dict(kept.metadata))
    thing = new.kind in THINGS
    names = [kept.name, *kept.aliases, new.name, *new.aliases]
    kept.aliases = other_names(kept.kind, kept.name, [name for name in names if name])
    if thing and new.text not in (*kept.aliases, kept.name) and kept.text == kept.name:
        kept.text, kept.vector, kept.embedded = new.text, new.vector, new.vector is not None
    kept.kind = kept.kind or new.kind
    kept.reason = kept.reason or new.reason
    kept.quote = kept.quote or new.quote
    kept.source = kept.source or (new.source if thing else None)
    kept.confidence = max(kept.confidence, new.confidence)
    kept.filed_under = kept.filed_under or new.filed_under
    kept.project_id = kept.project_id or new.project_id
    # A statement is also the turn's that says it again: taking back the first leaves it. What has a
    # name is held by the edges of the turns that name it.
    if not thing and new.turn_id is not None:
        kept.turn_id, kept.thread_id = new.turn_id, new.thread_id
    kept.metadata = _both(kept.metadata, new.metadata, thing)
    if not kept.embedded and kept.text == new.text and new.vector is not None:
        kept.vector, kept.embedded = new.vector, True
    if kept == before:
        return False
    keys = keys_for(kept.kind, kept.text, kept.name, kept.aliases)
    kept.keys = list(dict.fromkeys([*keys, *kept.keys]))
    return True


def _both(kept: dict[str, Any], new: dict[str, Any], thing: bool) -> dict[str, Any]:
    """Metadata of both; papers that support a statement add up."""
    if thing:
        told = {key: value for key, value in new.items() if key not in _OF_ONE_TURN}
        return merged(kept, {**told, **kept})
    # What it was taken for first it stays: a decision said again in passing is one still.
    of_first = {key: kept[key] for key in ("category", "type") if key in kept}
    both = merged(kept, new) | of_first
    papers = [*(kept.get("arxiv_ids") or []), *(new.get("arxiv_ids") or [])]
    if papers:
        both["arxiv_ids"] = list(dict.fromkeys(papers))
    return both


def _cosine(one: Held, other: Held) -> float:
    if one.vector is None or other.vector is None:
        return 0.0
    import numpy as np  # slow to load, and only batches with candidates compare any

    a, b = np.asarray(one.vector, np.float32), np.asarray(other.vector, np.float32)
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size else 0.0
