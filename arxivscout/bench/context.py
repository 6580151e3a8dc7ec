"""How much of what answers a question stands in the assembled context, at how many tokens.

Questions about long conversations are put to ways of filling the context: all of the history; the
strategies for the running thread, as if all had been said in one, and the messages nearest by
vector alone, at as many tokens as the default may take; and the default, what is recalled from
other threads.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from arxivscout.bench.conversations import Asked, Conversation, Said, replay
from arxivscout.context import segments
from arxivscout.context.assemble import assemble
from arxivscout.context.budget import count_tokens
from arxivscout.context.condense import condense
from arxivscout.context.earlier import earlier_items
from arxivscout.context.working_memory import MESSAGE_TOKENS, select_turns
from arxivscout.memory.opening import open_database
from arxivscout.memory.recall import recall
from arxivscout.memory.speakers import known_speakers, without_names
from arxivscout.memory.vector_memory import vector_text

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database
    from arxivscout.settings import Settings

DEPTHS = (5, 10, 20)
WINDOW = 16_000  # tokens of the model that the context is made for
ANSWER_TOKENS = 1_000
SHARE = 0.03  # of the full history's tokens, for every other way
DEFAULT = "default: recalled"
# Gives a question's context, and the ids of the messages that it ranked, best first.
Way = Callable[[Asked], tuple[str, "Sequence[str] | None"]]
_PLAIN = re.compile(r"\W+")

_BY_VECTOR = """
SELECT said.metadata ->> 'said', said.content
FROM message_index JOIN conversational_memory AS said ON said.id = langchain_id
WHERE message_index.user_id = scout_user()
ORDER BY (embedding <=> %(vector)s::vector) + 0 LIMIT 60
"""

_IDS = """
SELECT id::text, metadata ->> 'said' FROM conversational_memory WHERE user_id = scout_user()
"""


@dataclass(frozen=True, slots=True)
class Answered:
    """One question, by one way."""

    evidence: float  # share of the evidence in the context
    tokens: int
    ms: float
    ranked: tuple[float, ...]  # share of the evidence among the first 5, 10, 20; () if unranked


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over the questions about some conversations."""

    conversations: str
    way: str
    questions: int
    evidence: float
    tokens: float
    share: float  # of the full history's tokens
    ms: float
    ranked: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values, rounded."""
        return {
            "conversations": self.conversations,
            "context": self.way,
            "questions": self.questions,
            "evidence": round(self.evidence, 4),
            "tokens": round(self.tokens),
            "of history": round(self.share, 4),
            **{
                f"recall@{depth}": round(self.ranked[at], 4) if self.ranked else None
                for at, depth in enumerate(DEPTHS)
            },
            "median_ms": round(self.ms, 2),
        }


class Replayed:
    """Conversations that are stored, and what is asked about them."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self.database = database
        self.embedder = embedder

    def scores(self, conversations: Sequence[Conversation]) -> list[Scores]:
        """Of each way, for the first half of the conversations and for the second."""
        half = len(conversations) // 2
        parts = {"first half": conversations[:half], "second half": conversations[half:]}
        return [score for name, part in parts.items() if part for score in self._scores(name, part)]

    def _scores(self, name: str, conversations: Sequence[Conversation]) -> Iterator[Scores]:
        found: dict[str, list[Answered]] = {}
        full = []
        for conversation in conversations:
            history = [said_turn(each) for each in conversation.said]
            tokens = sum(count_tokens(each.text) + MESSAGE_TOKENS for each in history)
            whole = {each.id: plain_text(each.text) for each in conversation.said}
            ways = self.ways(conversation, history, int(tokens * SHARE))
            for way, fill in ways.items():
                for asked in conversation.asked:
                    begun = time.perf_counter()
                    context, ranked = fill(asked)
                    ms = (time.perf_counter() - begun) * 1000
                    text = plain_text(context)
                    found.setdefault(way, []).append(
                        Answered(
                            statistics.fmean(whole[each] in text for each in asked.evidence),
                            count_tokens(context),
                            ms,
                            _among_each(ranked, asked),
                        )
                    )
            full += [tokens] * len(conversation.asked)
        for way, answers in found.items():
            yield Scores(
                name,
                way,
                len(answers),
                statistics.fmean(each.evidence for each in answers),
                statistics.fmean(each.tokens for each in answers),
                statistics.fmean(
                    each.tokens / tokens for each, tokens in zip(answers, full, strict=True)
                ),
                statistics.median(each.ms for each in answers),
                tuple(
                    statistics.fmean(each)
                    for each in zip(*(a.ranked for a in answers), strict=True)
                ),
            )

    def ways(
        self, conversation: Conversation, history: Sequence[segments.Said], room: int
    ) -> dict[str, Way]:
        def still(text: str) -> Way:
            return lambda asked: (text, None)

        def strategy(name: Any) -> Way:
            kept, _ = select_turns(history, room, name)
            return still("\n".join(each.text for each in kept))

        summary = condense([(each.role, each.text) for each in history], room, whole=False)
        speakers = known_speakers(self.database, conversation.user)
        (rows,) = self.database.batch(conversation.user, [(_IDS, {})])
        return {
            "full history": still("\n".join(each.text for each in history)),
            "sliding window": strategy("window"),
            "summarisation": still(summary),
            "importance": strategy("importance"),
            "hybrid, one thread": strategy("hybrid"),
            "vectors alone": lambda asked: self._by_vector(conversation, asked, room),
            DEFAULT: lambda asked: self._recalled(conversation, asked, speakers, dict(rows)),
        }

    def _by_vector(
        self, conversation: Conversation, asked: Asked, room: int
    ) -> tuple[str, Sequence[str]]:
        (vector,) = self.embedder.embed_array([asked.text])
        bound = {"vector": vector_text(vector.tolist())}
        (rows,) = self.database.batch(conversation.user, [(_BY_VECTOR, bound)])
        lines: list[str] = []
        for _, text in rows:
            room -= count_tokens(text) + MESSAGE_TOKENS
            if room < 0:
                break
            lines.append(text)
        return "\n".join(lines), [said for said, _ in rows]

    def _recalled(
        self,
        conversation: Conversation,
        asked: Asked,
        speakers: Sequence[str],
        ids: dict[str, str],
    ) -> tuple[str, Sequence[str]]:
        vectors = self.embedder.embed_array([asked.text, without_names(asked.text, speakers)])
        whole, bare = (vector_text(each.tolist()) or "" for each in vectors)
        found = recall(
            self.database,
            user=conversation.user,
            thread_id="the question",
            turn_id=uuid4(),
            question=asked.text,
            vector=whole,
            said_vector=bare,
            speakers=speakers,
            now=conversation.ended + timedelta(days=1),
        )
        earlier = found.memory.get("earlier", [])
        assembled = assemble(
            system="",
            memory={"earlier": earlier_items(earlier)},
            recent=(),
            question="",
            window=WINDOW,
            answer_tokens=ANSWER_TOKENS,
            tools_tokens=0,
        )
        _, _, context = assembled.turn.partition(f"## {segments.MEMORY_SEGMENTS['earlier']}\n")
        return context.partition("\n</memory>")[0], [ids[row["id"]] for row in earlier]


@contextmanager
def stored(
    settings: Settings,
    embedder: Embedder,
    conversations: Sequence[Conversation],
    *,
    notice: Callable[[str], None],
) -> Iterator[Database]:
    """The conversations in a database of its own below the home, where they stay."""
    alone = settings.model_copy(
        update={
            "home": settings.home / "bench" / "context",
            "database_url": None,
            "admin_database_url": None,
        }
    )
    alone.home.mkdir(parents=True, exist_ok=True)
    database = open_database(alone, identity=embedder.identity, notice=notice)
    try:
        for conversation in conversations:
            if replay(database, embedder, conversation):
                notice(f"{conversation.name}: {len(conversation.said):,} messages stored")
        yield database
    finally:
        database.close()


def said_turn(said: Said) -> segments.Said:
    """A message as working memory has it."""
    return segments.Said("user", f"{said.speaker}: {said.text}", said.id)


def among(ranked: Sequence[str] | None, asked: Asked, depth: int) -> float | None:
    """Share of the evidence among the first messages; None if they are not ranked."""
    if ranked is None:
        return None
    evidence = set(asked.evidence)
    return len(set(ranked[:depth]) & evidence) / len(evidence)


def _among_each(ranked: Sequence[str] | None, asked: Asked) -> tuple[float, ...]:
    found = (among(ranked, asked, depth) for depth in DEPTHS)
    return tuple(share for share in found if share is not None)


def plain_text(text: str) -> str:
    """What letters and digits there are: what is shown may differ in signs."""
    return _PLAIN.sub(" ", text).strip().lower()
