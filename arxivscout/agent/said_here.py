"""What a person said in a thread of which nothing is remembered: known there, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from arxivscout.agent.tools import TurnScope
from arxivscout.learning import Turn, learned
from arxivscout.memory import conversation
from arxivscout.memory.truth import Belief
from arxivscout.statements.likewords import Words

MOST_HERE = 100  # messages that are read for it
OWN = ("fact", "preference", "decision", "question", "correction")


def said_here(scope: TurnScope, words: Sequence[str] = ()) -> list[Belief]:
    """The statements of this thread's messages that name the words, the newest first.

    Their ids name nothing that is stored.
    """
    with scope.transaction() as conn:
        messages = conversation.recent(conn, scope.thread_id, MOST_HERE)
    found: dict[str, Belief] = {}
    for message in messages:
        if message.role != "user" or str(message.turn_id) == scope.turn_id:
            continue
        turn = Turn(person=scope.user, words=message.content, at=message.at)
        for each in learned(turn).candidates:
            if each.kind in OWN and each.name is None and Words(each.text).has_all(words):
                found.pop(each.text, None)  # said again, it is the newest
                found[each.text] = Belief(
                    uuid4(), each.kind, each.text, None, each.reason, scope.thread_id,
                    message.at, None, None,
                )  # fmt: skip
    return list(found.values())[::-1]
