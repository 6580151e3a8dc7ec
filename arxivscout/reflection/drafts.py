"""What may become a lesson, before it is compared with what is known already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

Kind = Literal["fact", "rule", "preference", "gap"]
KINDS: tuple[Kind, ...] = ("fact", "rule", "preference", "gap")


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement with its cases.

    Attributes:
        concept: what it is about; one lesson of a kind holds for a concept at a time.
        supports: ids of the episodes that speak for it.
        against: ids of those that speak against it.
        holds: False if the cases have turned, so that such a lesson has ended.
        general: whether it counts whatever is asked, and not only on like requests.
    """

    kind: Kind
    concept: str
    statement: str
    reason: str = ""
    supports: tuple[UUID, ...] = ()
    against: tuple[UUID, ...] = ()
    holds: bool = True
    general: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """A lesson that holds, and the episodes that are its cases.

    Attributes:
        said: whether the person's own word is a case, too.
        by: rules, or the model that found it.
    """

    id: UUID
    kind: Kind
    concept: str
    statement: str
    vector: Sequence[float] = ()
    supports: frozenset[UUID] = frozenset()
    against: frozenset[UUID] = frozenset()
    said: bool = False
    by: str = ""

    @property
    def cases(self) -> frozenset[UUID]:
        return self.supports | self.against


def known_as(draft: Draft, known: Sequence[Known]) -> Known | None:
    """The lesson that a draft is about: of its kind, on its concept, or resting on its cases.

    A group's oldest request leaves the window of what is reflected on, and another leads it then:
    the cases tell that it is the same group. Preferences have fixed concepts.
    """
    alike = [each for each in known if each.kind == draft.kind]
    for each in alike:
        if each.concept == draft.concept:
            return each
    if draft.kind == "preference":
        return None
    cases = {*draft.supports, *draft.against}
    shared = [(len(cases & each.cases), each) for each in alike if cases & each.cases]
    return max(shared, key=lambda pair: pair[0])[1] if shared else None
