"""Which memory a candidate is, which ones it ends, and which it only looks like."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from math import inf

from arxivscout.memory.candidate import THINGS
from arxivscout.memory.gate.names import kind_of, name_keys, names_in, same_thing
from arxivscout.memory.gate.rows import Held
from arxivscout.memory.gate.verdict import Verdict, compare, statement_keys, substitutes
from arxivscout.preferences import Wishes, overridden, wishes_from_texts
from arxivscout.statements.roles import loosely

# What the person says of themselves and their work, whatever it was taken for.
_SAID = frozenset({"preference", "fact", "decision", "correction", ""})
Near = tuple[Held, float]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a candidate is: `into` the memory that says it already, the end of `ends`, each with
    why, or `beside` one that looks alike; with `contradicts` the two can't both be right.
    """

    into: Held | None = None
    ends: tuple[tuple[Held, str], ...] = ()
    beside: Held | None = None
    contradicts: bool = False
    why: str = "nothing like it is remembered"


def keys_for(kind: str, text: str, name: str | None, aliases: Sequence[str]) -> tuple[str, ...]:
    """What a memory is looked up by: a thing by its names, a statement by its words."""
    if kind in THINGS:
        return name_keys(kind, name or text, aliases)
    return statement_keys(text)


def sought_by(new: Held) -> list[str]:
    """The keys of what `new` may be or put right."""
    if not new.instead_of:
        return new.keys
    return list(dict.fromkeys([*new.keys, *keys_for(new.kind, new.instead_of, None, ())]))


def judge(new: Held, near: Iterable[Near]) -> Judgement:
    """Compare a candidate with the memories that it may be, the likest first."""
    if new.kind in THINGS:
        return _judge_thing(new, near)
    return _judge_statement(new, list(near))


def _judge_thing(new: Held, near: Iterable[Near]) -> Judgement:
    called = (new.name or new.text, *new.aliases)
    alike: list[Held] = []
    for held, _ in near:
        if held.text == new.text and held.kind in (new.kind, ""):
            return Judgement(into=held, why="the same words")
        if held.kind in THINGS and kind_of(held.kind) == kind_of(new.kind):
            theirs = (held.name or held.text, *held.aliases)
            if held.kind == new.kind and held.name is not None and held.name == new.name:
                return Judgement(into=held, why=f"also called {held.name}")
            if same_thing(new.kind, called, theirs):
                alike.append(held)
    if len(alike) == 1 or (alike and kind_of(new.kind) != "people"):
        return Judgement(into=alike[0], why=f"the same as {alike[0].name or alike[0].text}")
    if alike:
        return Judgement(beside=alike[0], why=f"{len(alike)} others may be meant by this name")
    return Judgement()


def _judge_statement(new: Held, near: list[Near]) -> Judgement:
    into: Held | None = None
    beside: Held | None = None
    contradicts, why = False, "nothing like it is remembered"
    ends: dict[int, tuple[Held, str]] = {}
    # What says it in the very words goes before what says it in others, however near that is.
    for held, likeness in sorted(near, key=lambda pair: pair[0].text != new.text):
        if not _comparable(new, held) or _of_one_sentence(new, held):
            continue
        if new.name and held.name == new.name and held.kind == new.kind:
            if held.text == new.text:
                into, why = into or held, "the same words"
            else:
                ends[id(held)] = (held, f"what is known of “{new.name}” now")
            continue
        if held.text == new.text:
            verdict = Verdict("same", "the same words")
        elif new.instead_of and held.text == new.instead_of:
            verdict = Verdict("contradicts", "put right by the person")
        else:
            verdict = compare(new.text, held.text, likeness)
        if verdict.relation == "same":
            if new.source and held.source and new.source != held.source:
                beside, why = beside or held, "another paper says the same"
            elif into is None:
                into, why = held, verdict.why
        elif verdict.relation == "contradicts":
            if _may_supersede(new, held):
                ends[id(held)] = (held, verdict.why)
            elif not contradicts:
                beside, contradicts, why = held, True, verdict.why
    if not ends and into is None and (of_one := _meant_loosely(new, near)):
        ends[id(of_one[0])] = of_one
    for held in _replaced_wishes(new, near):
        if _wish(held) == _wish(new):
            if into is None and not substitutes(new.text, held.text):
                into, why = held, "the same wish in other words"
        elif held is not into:
            ends.setdefault(id(held), (held, "the newer wish takes its place"))
    if into is not None:
        ends.pop(id(into), None)
    elif ends:
        why = next(iter(ends.values()))[1]
    return Judgement(into, tuple(ends.values()), beside, contradicts, why)


def _of_one_sentence(new: Held, held: Held) -> bool:
    """Whether both are parts of one sentence, which quotes both: "DESI and Planck data for the fit"
    tells of two, and neither takes the other's place.
    """
    if new.turn_id is None or new.turn_id != held.turn_id or new.text == held.text:
        return False
    return bool(new.quote) and new.quote == held.quote and new.text not in (new.quote or "")


def _meant_loosely(new: Held, near: Sequence[Near]) -> tuple[Held, str] | None:
    """The one memory that "the deadline" can mean, where it is another now; None if it is not
    clear which."""
    found = [
        (held, role)
        for held, _ in near
        if _comparable(new, held)
        and _may_supersede(new, held)
        and (role := loosely(new.text, held.text))
    ]
    return (found[0][0], f"another {found[0][1]} now") if len(found) == 1 else None


def _comparable(new: Held, held: Held) -> bool:
    if new.text == held.text and not (new.kind and held.kind):
        return True
    if new.kind in _SAID:
        return held.kind in _SAID
    return new.kind == held.kind


def _may_supersede(new: Held, held: Held) -> bool:
    """The person's newer word ends their older one; papers are kept side by side."""
    return not any(
        each.source or each.metadata.get("arxiv_ids") or each.kind == "question"
        for each in (new, held)
    )


def _replaced_wishes(new: Held, near: Sequence[Near]) -> list[Held]:
    """The preferences that change nothing any more once `new` is said."""
    if new.kind != "preference" or not _wish(new):
        return []
    held = [each for each, _ in near if each.kind == "preference" and each.text != new.text]
    held = [each for each in held if _wish(each)]
    held.sort(key=lambda each: each.updated_at.timestamp() if each.updated_at else inf)
    return [held[at] for at in overridden([each.text for each in held], new.text)]


def _wish(held: Held) -> Wishes:
    return _wish_of(held.text, datetime.now(UTC).date())


@lru_cache(maxsize=4_096)  # a person has few preferences, and each new one is compared with all
def _wish_of(text: str, today: date) -> Wishes:
    return wishes_from_texts([text], today=today)


def other_names(kind: str, kept: str | None, given: Iterable[str]) -> list[str]:
    """What a thing is called beside `kept`."""
    if kind not in THINGS or not kept:
        return list(dict.fromkeys(given))
    return [each for each in names_in("", given) if each != kept]
