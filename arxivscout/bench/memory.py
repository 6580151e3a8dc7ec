"""What memory brings back of what answers a question, by ways of recalling, at equal tokens.

The conversations of the bench of contexts, each of its messages also kept as a memory in a graph of
speakers, sessions and names. Apart from all questions stand those whose answer lies in several
places ("multi-hop"). No way asks a model.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arxivscout.bench import remembered
from arxivscout.bench.context import DEFAULT, SHARE, Replayed, among, plain_text, said_turn
from arxivscout.bench.conversations import Asked, Conversation
from arxivscout.context.budget import count_tokens
from arxivscout.context.working_memory import MESSAGE_TOKENS
from arxivscout.memory.graph import enrich
from arxivscout.memory.recall_stores import PLANNED_ONCE

if TYPE_CHECKING:
    from arxivscout.bench.context import Way

HYBRID = "hybrid"
VECTOR = "vector only"
_NAMES = {
    "sliding window": "sliding window",
    "summarisation": "summary",
    "vectors alone": VECTOR,
    DEFAULT: HYBRID,
}
GRAPH = "graph only"
REACHED = 60  # memories

_SAID = """
SELECT id::text, content, metadata ->> 'said' FROM conversational_memory
WHERE user_id = scout_user()
"""


@dataclass(frozen=True, slots=True)
class Result:
    """One question, by one way: shares of its evidence, tokens, and milliseconds."""

    way: str
    hops: bool
    evidence: float  # in the context
    at_10: float | None  # among the first ten messages, if they are ranked
    tokens: int
    ms: float


@dataclass(frozen=True, slots=True)
class Row:
    """One way, over the questions about some conversations: means, and the median of time."""

    conversations: str
    way: str
    results: Sequence[Result]

    def to_json(self) -> dict[str, Any]:
        """Plain values, rounded."""
        hops = [each for each in self.results if each.hops]
        return {
            "conversations": self.conversations,
            "way": self.way,
            "questions": len(self.results),
            "recall": _mean([each.evidence for each in self.results]),
            "multi-hop recall": _mean([each.evidence for each in hops]),
            "recall@10": _mean([each.at_10 for each in self.results]),
            "multi-hop recall@10": _mean([each.at_10 for each in hops]),
            "tokens": round(statistics.fmean(each.tokens for each in self.results)),
            "median_ms": round(statistics.median(each.ms for each in self.results), 1),
            "model calls": 0,
        }


class Remembered(Replayed):
    """Conversations that are stored and kept as memories, and what is asked about them."""

    def rows(self, conversations: Sequence[Conversation]) -> Iterator[Row]:
        """Of each way, for the first half of the conversations and for the second."""
        half = len(conversations) // 2
        parts = {"first half": conversations[:half], "second half": conversations[half:]}
        for name, part in parts.items():
            found: dict[str, list[Result]] = {}
            for conversation in part:
                remembered.keep(self.database, conversation)
                for result in self._results(conversation):
                    found.setdefault(result.way, []).append(result)
            yield from (Row(name, way, results) for way, results in found.items())

    def _results(self, conversation: Conversation) -> Iterator[Result]:
        history = [said_turn(each) for each in conversation.said]
        tokens = sum(count_tokens(each.text) + MESSAGE_TOKENS for each in history)
        whole = {each.id: plain_text(each.text) for each in conversation.said}
        room = int(tokens * SHARE)
        ways = self.ways(conversation, history, room)
        chosen: dict[str, Way] = {new: ways[old] for old, new in _NAMES.items()}
        chosen[GRAPH] = self._by_graph(conversation, room)
        for way in (*list(_NAMES.values())[:-1], GRAPH, HYBRID):
            for asked in conversation.asked:
                begun = time.perf_counter()
                context, ranked = chosen[way](asked)
                ms = (time.perf_counter() - begun) * 1000
                text = plain_text(context)
                evidence = statistics.fmean(whole[each] in text for each in asked.evidence)
                at_10 = among(ranked, asked, 10)
                yield Result(way, asked.hops, evidence, at_10, count_tokens(context), ms)

    def _by_graph(self, conversation: Conversation, room: int) -> Way:
        (rows,) = self.database.batch(conversation.user, [(_SAID, {})])
        held = {each: (content, said) for each, content, said in rows}

        def way(asked: Asked) -> tuple[str, Sequence[str]]:
            reached = self.database.batch(
                conversation.user,
                [(PLANNED_ONCE, {}), enrich.statement(asked.text, limit=REACHED)],
            )[-1]
            found = [held[str(row[0])] for row in reached if str(row[0]) in held]
            lines: list[str] = []
            left = room
            for content, _ in found:
                left -= count_tokens(content) + MESSAGE_TOKENS
                if left < 0:
                    break
                lines.append(content)
            return "\n".join(lines), [said for _, said in found]

        return way


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(statistics.fmean(known), 4) if known else None
