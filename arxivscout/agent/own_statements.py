"""What the person said of themselves, told for a model: what holds, what held, and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time

from arxivscout.agent.memory_lists import listed, shown
from arxivscout.agent.said_here import NOT_STORED, OWN, said_here
from arxivscout.agent.tools import ToolResult, TurnScope
from arxivscout.errors import ToolInputError
from arxivscout.memory.candidate import STATEMENTS
from arxivscout.memory.remembering import consent
from arxivscout.memory.threads import existing
from arxivscout.memory.time_words import time_asked
from arxivscout.memory.truth import Belief, said_of, true_at
from arxivscout.papers import neutralise
from arxivscout.statements.answering import answer
from arxivscout.statements.asking import OwnQuestion, perhaps_own
from arxivscout.statements.bearing import Said, one_at_a_time, says
from arxivscout.statements.likewords import Words
from arxivscout.statements.naming import words_about
from arxivscout.statements.stating import tells_of_change

# With what the rules save a wish for which none was given.
_NO_REASONS = ("stated by the researcher", "the researcher asked to remember it")
MOST_READ = 2_000  # statements that are looked through for what bears on a question


def held_then(scope: TurnScope, query: str, k: int) -> ToolResult:
    """What the person said that held at the end of a time they name, and until when it did.

    Raises:
        ToolInputError: the query names no time.
    """
    periods = time_asked(query, datetime.now(UTC).date()).periods
    if not periods:
        raise ToolInputError("The query names no time.", "Say when: “in March”, “2026-03-14”.")
    when = datetime.combine(periods[0][1], time.max, UTC)
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    with scope.transaction() as conn:
        found = true_at(conn, when, kinds=STATEMENTS, limit=k)
    found = [each for each in found if each.thread_id not in allowed.hidden]
    if allowed.choice == "nothing":
        found = [each for each in found if each.thread_id == scope.thread_id]
    return listed(
        [
            f"- {each.valid_from:%Y-%m-%d} (id {each.id}, {each.kind}, thread "
            f"{neutralise(each.thread_id or '?')}): {shown(each.text)}"
            + (f" | until {each.valid_to:%Y-%m-%d}" if each.valid_to else "")
            + (f": {neutralise(each.why)}" if each.why else "")
            for each in found
        ],
        "memories",
    )


def said(scope: TurnScope, query: str, k: int) -> ToolResult:
    """What the person said of what a query names: what holds, and what did before, until when.

    A question of themselves is answered: the answer first, then what it rests on.
    """
    if asked := perhaps_own(query):
        return _answered(asked, statements(scope), query, k)
    words, whole = words_about(query), Words(query)
    known = statements(scope)
    found = [each for each in known if says(each.text, query)] or [
        each for each in known if (own := words_about(each.text)) and whole.has_all(own)
    ]
    if not found:
        found = statements(scope, words, k if words else MOST_READ)
    if not words:  # whether, when or why anything changed
        found = [each for each in found if each.valid_to or tells_of_change(each.text)]
    return listed([_said_line(each) for each in found[:k]], "memories")


def statements(scope: TurnScope, words: Sequence[str] = (), limit: int = MOST_READ) -> list[Belief]:
    """What the person said that names the words, as far as they let it be told here."""
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    with scope.transaction() as conn:
        found = said_of(conn, words, OWN, hidden=allowed.hidden, limit=limit)
        there = existing(conn, {each.thread_id for each in found if each.thread_id})
    found = [each if each.thread_id in there else replace(each, thread_id=None) for each in found]
    if allowed.choice == "nothing":
        found = [each for each in found if each.thread_id == scope.thread_id]
    if not allowed.may_learn("fact"):
        found = [*said_here(scope, words), *found]
    return found


def of_oneself(scope: TurnScope, k: int) -> ToolResult:
    """All that the person told of themselves and that holds now, the newest first."""
    known = statements(scope)
    said = [_as_said(each, place) for place, each in enumerate(known)]
    holding = [known[int(each.ref)] for each in one_at_a_time(said) if each.until is None]
    return listed([_said_line(each) for each in holding[:k]], "memories")


def _answered(asked: OwnQuestion, found: Sequence[Belief], query: str, k: int) -> ToolResult:
    said = [_as_said(each, place) for place, each in enumerate(found)]
    text, rests = answer(asked, said, _as_of(asked, query))
    lines = [_said_line(found[int(each.ref)]) for each in rests[:k]]
    result = listed(lines, "memories")
    return replace(result, text=f"{text}\n\n{result.text}") if lines else result


def _as_said(belief: Belief, place: int) -> Said:
    """A statement as it is answered from; `place`: in its list, in which the newest is first."""
    return Said(
        shown(belief.text),
        belief.valid_from.astimezone().date(),
        belief.valid_to.astimezone().date() if belief.valid_to else None,
        kind=belief.kind,
        reason="" if belief.reason in _NO_REASONS else shown(belief.reason or ""),
        thread=neutralise(belief.thread_id or ""),  # none of one that was deleted
        next=shown(belief.next or ""),
        next_reason=shown(belief.next_reason or ""),
        ref=str(place),
        nth=-place,
    )


def _as_of(asked: OwnQuestion, query: str) -> date | None:
    """The past day as of which a question asks, if it does."""
    if not asked.day or asked.asks in ("when", "how long") or asked.before:
        return None
    periods = time_asked(query, datetime.now(UTC).date()).periods
    return periods[0][1] if periods else None


def _said_line(belief: Belief) -> str:
    ended = ""
    if belief.valid_to:
        by = f": “{shown(belief.next)}”" if belief.next else ""
        because = f", because {shown(belief.next_reason)}" if belief.next_reason else ""
        ended = f" (until {belief.valid_to.astimezone():%Y-%m-%d}{by}{because})"
    return (
        f"- {belief.valid_from.astimezone():%Y-%m-%d} "
        f"({'' if belief.id == NOT_STORED else f'id {belief.id}, '}{belief.kind}, thread "
        f"{neutralise(belief.thread_id or '?')}): {shown(belief.text)}{ended}"
        + (f" | because: {neutralise(belief.reason)}" if belief.reason else "")
    )
