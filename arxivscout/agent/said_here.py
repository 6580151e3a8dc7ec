"""What a person said in a thread of which nothing is remembered: known there, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from arxivscout.agent.tools import TurnScope
from arxivscout.learning import Turn, learned
from arxivscout.memory import conversation
from arxivscout.memory.forgotten import forgotten
from arxivscout.memory.truth import Belief
from arxivscout.statements.likewords import Words
from arxivscout.statements.roles import another

NOT_STORED = UUID(int=0)  # for an id: there is nothing to forget or change
MOST_HERE = 100  # messages that are read for it
OWN = ("fact", "preference", "decision", "question", "correction")


def said_here(scope: TurnScope, words: Sequence[str] = ()) -> list[Belief]:
    """The statements of this thread's messages that name the words, the newest first."""
    with scope.transaction() as conn:
        messages = conversation.recent(conn, scope.thread_id, MOST_HERE)
        gone = forgotten(conn)
    found: dict[str, Belief] = {}
    before = ""
    for message in messages:
        if message.role != "user" or str(message.turn_id) == scope.turn_id:
            continue
        said = gone.without(message.content)
        turn = Turn(person=scope.user, words=said, at=message.at, before=before)
        before = said
        for each in learned(turn).candidates:
            if each.kind in OWN and each.name is None:
                ended = [text for text in found if text == each.text or another(each.text, text)]
                for text in ended:  # said again it is the newest; said otherwise it takes the place
                    del found[text]
                found[each.text] = Belief(
                    NOT_STORED, each.kind, each.text, None, each.reason, scope.thread_id,
                    message.at, None, None,
                )  # fmt: skip
    return [each for each in found.values() if Words(each.text).has_all(words)][::-1]
