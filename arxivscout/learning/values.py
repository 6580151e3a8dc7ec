"""The frozen values: a turn that is over, and what it teaches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from arxivscout.memory.candidate import Candidate, Link
from arxivscout.papers import Paper
from arxivscout.redaction import redacted


@dataclass(frozen=True, slots=True)
class Used:
    """A paper that the answer cites, and the passages of it that bear the answer out, verbatim."""

    paper: Paper
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a person said, and which papers they were answered from. No answer: it teaches nothing.

    `person` is how they are called in memory, `words` their message, `before` their question
    before it in the same thread.
    """

    person: str
    words: str
    at: datetime
    papers: Sequence[Used] = ()
    before: str = ""
    thread_id: str | None = None
    turn_id: UUID | None = None

    @property
    def day(self) -> date:
        """The day of the turn where the person is."""
        return self.at.astimezone().date()


@dataclass(frozen=True, slots=True)
class Learned:
    """Candidates for memory in the order in which they were said, and the edges between them."""

    candidates: tuple[Candidate, ...] = ()
    links: tuple[Link, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.candidates)

    def only(self, places: Iterable[int]) -> Learned:
        """The candidates at these places, in their order, and the edges between them."""
        kept = sorted(set(places))
        new = {old: place for place, old in enumerate(kept)}
        return Learned(
            tuple(self.candidates[old] for old in kept),
            tuple(
                replace(link, subject=new[link.subject], object=new[link.object])
                for link in self.links
                if link.subject in new and link.object in new
            ),
        )


@dataclass(slots=True)
class Gathering:
    """Collects what a turn teaches: each thing and each statement once, nothing secret."""

    turn: Turn
    candidates: list[Candidate] = field(default_factory=list)
    links: dict[tuple[int, str, int], Link] = field(default_factory=dict)
    _places: dict[tuple[str, str], int] = field(default_factory=dict)

    def person(self) -> int:
        """The place of the person themselves."""
        name = self.turn.person
        return self.add("person", f"{name}, the researcher", name=name)

    def add(self, kind: str, text: str, **given: Any) -> int:
        """The place of the candidate, which is added if it is not there yet."""
        name = given.get("name")
        key = (kind, (name or text).casefold())
        if key not in self._places:
            self._places[key] = len(self.candidates)
            for part in ("name", "reason", "quote"):
                if given.get(part):
                    given[part] = redacted(given[part])
            self.candidates.append(
                Candidate(
                    kind,
                    redacted(text),
                    thread_id=self.turn.thread_id,
                    turn_id=self.turn.turn_id,
                    **given,
                )
            )
        return self._places[key]

    def link(self, subject: int, predicate: str, of: int, **given: Any) -> None:
        """Join two candidates; a thing is not joined to itself."""
        if subject != of:
            if given.get("quote"):
                given["quote"] = redacted(given["quote"])
            self.links.setdefault((subject, predicate, of), Link(subject, predicate, of, **given))
