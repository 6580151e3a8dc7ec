"""A thread condensed when it has grown: after a turn, beside the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

from arxivscout.agent.services import Services
from arxivscout.agent.summarising import Summary, summarise
from arxivscout.context.budget import count_tokens
from arxivscout.context.condense import condense
from arxivscout.context.segments import Said
from arxivscout.context.working_memory import LAST_EXCHANGES, exchanges
from arxivscout.errors import DatabaseError
from arxivscout.memory import condensing
from arxivscout.memory.condensing import Waiting
from arxivscout.memory.forgotten import forgotten
from arxivscout.memory.turn import RECENT_MESSAGES

CONDENSE_ABOVE = 3_000  # tokens that no summary holds: then the oldest half of them is condensed
LENGTH = 0.25  # of what is condensed, aimed at; decisions and numbers may take more
MOST_STANDING = 6  # summaries of a thread that no other condenses; then the oldest half become one
SUMMARY_TOKENS = 1_000  # of a summary of summaries: what it leaves out stands in those
MOST_AT_ONCE = 50  # summaries after one turn; a long thread of before goes on after the next
MOST_BY_MODEL = 2  # of them; the rules make the rest

_STRATEGIES = ("summaries", "hybrid")  # those that read summaries in place of turns


def after_turn(services: Services, state: Mapping[str, Any]) -> None:
    """Condense the turn's thread in the background if it has grown enough."""
    if services.settings.working_memory in _STRATEGIES and _has_grown(state):
        user, thread_id = state["user"], state["thread_id"]
        services.later.run(lambda: condense_thread(services, user, thread_id))


def condense_thread(services: Services, user: str, thread_id: str) -> int:
    """Condense the oldest half of what waits until it is little enough; then summaries likewise.

    Returns:
        how many summaries were stored.
    """
    made = 0
    try:
        while made < MOST_AT_ONCE and _condense_once(
            services, user, thread_id, by_model=made < MOST_BY_MODEL
        ):
            made += 1
    except (DatabaseError, psycopg.Error):
        return made  # the next turn tries again
    return made


def _condense_once(services: Services, user: str, thread_id: str, *, by_model: bool) -> bool:
    with services.database.transaction(user) as conn:
        chosen = oldest_half(condensing.waiting(conn, thread_id))
        if not chosen:
            standing = condensing.standing(conn, thread_id)
            if len(standing) > MOST_STANDING:
                chosen = standing[: len(standing) // 2]
        gone = forgotten(conn)
    if not chosen:
        return False
    said = [(each.role, gone.said_by(each.role, each.content)) for each in chosen]
    whole = chosen[0].role != "summary"
    tokens = SUMMARY_TOKENS
    if whole:
        tokens = int(sum(count_tokens(content) for _, content in said) * LENGTH)
    if by_model:
        summary = summarise(services, said, tokens, whole=whole)
    else:
        summary = Summary(condense(said, tokens, whole=whole), extractive=True)
    first, last = min(each.at for each in chosen), max(each.at for each in chosen)
    text = f"{first:%Y-%m-%d} to {last:%Y-%m-%d}\n{summary.text}"
    vector = services.embedder.embed_query(text)
    with services.database.transaction(user) as conn:
        stored = condensing.condense(
            conn, thread_id, chosen, text, vector, extractive=summary.extractive
        )
    return stored is not None


def oldest_half(messages: Sequence[Waiting]) -> list[Waiting]:
    """The oldest whole exchanges that make up half of the tokens, if those are over the threshold;
    of a long thread that nobody condensed before, one threshold's worth at a time.

    The last exchanges always stay, and what an exchange is made of (a question, calls, results, the
    answer) stays together.
    """
    sizes = [count_tokens(each.content) for each in messages]
    if sum(sizes) <= CONDENSE_ABOVE:
        return []
    parted = exchanges([Said(each.role, each.content) for each in messages])
    half, end = min(sum(sizes) / 2, CONDENSE_ABOVE), 0
    for exchange in parted[: max(len(parted) - LAST_EXCHANGES, 0)]:
        last = exchange[-1][0] + 1
        if end and sum(sizes[:last]) > half:
            break
        end = last
    return list(messages[:end])


def _has_grown(state: Mapping[str, Any]) -> bool:
    """Whether so much waits, as far as the turn has seen its thread."""
    recent = state.get("recent") or ()
    waiting = [text for _, text, _, _, held in recent if not held]
    said = [*waiting, state["question"], state.get("answer") or ""]
    unseen = len(waiting) == RECENT_MESSAGES  # there may be as many before them
    return unseen or sum(map(count_tokens, said)) > CONDENSE_ABOVE
