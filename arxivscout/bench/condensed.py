"""What of a thread is still said in the summaries that stand in its place.

Of the messages that a summary condenses, and of those that a summary of summaries does: the share
of the decisions, numbers, dates and paper ids, as the rules find them, and of the words that answer
what is asked of the thread, which no rule has found.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from arxivscout.bench.long_threads import said_in, thread_user
from arxivscout.context.budget import count_tokens
from arxivscout.context.importance import DATE, decides, facts
from arxivscout.papers import find_paper_ids, one_line
from arxivscout.papers.sentences import split_sentences

if TYPE_CHECKING:
    from arxivscout.bench.conversations import Conversation
    from arxivscout.memory.postgres import Database

KINDS = ("decisions", "numbers", "dates", "ids", "answers")
DEPTHS = {1: "a summary", 2: "a summary of summaries"}

_CONDENSED = """
WITH RECURSIVE beneath AS (
    SELECT metadata ->> 'said' AS said, content, summary_id, 1 AS depth FROM conversational_memory
    WHERE user_id = scout_user() AND summary_id IS NOT NULL
    UNION ALL
    SELECT said, beneath.content, above.summary_id, depth + 1
    FROM beneath JOIN summary_memory AS above ON above.langchain_id = beneath.summary_id
    WHERE above.summary_id IS NOT NULL
)
SELECT depth, said, beneath.content, langchain_id, summary.content
FROM beneath JOIN summary_memory AS summary ON summary.langchain_id = beneath.summary_id
WHERE depth <= 2
"""


def kept(database: Database, conversations: Sequence[Conversation]) -> list[dict[str, Any]]:
    """Shares of what is kept, for each depth of condensing, of threads that were replayed."""
    held: dict[tuple[int, str], list[float]] = defaultdict(list)
    before: dict[int, int] = defaultdict(int)
    after: dict[int, int] = defaultdict(int)
    for conversation in conversations:
        answers = {said for asked in conversation.asked for said in asked.evidence}
        user = thread_user(conversation)
        (rows,) = database.batch(user, [(_CONDENSED, {})])
        summaries = {(depth, summary_id): text for depth, _, _, summary_id, text in rows}
        for (depth, _), text in summaries.items():
            after[depth] += count_tokens(text)
        for depth, said, content, _, summary in rows:
            before[depth] += count_tokens(content)
            for kind, share in _shares(content, summary):
                held[depth, kind].append(share)
            if said in answers:
                held[depth, "answers"].append(said_in(content, summary))
    return [
        {
            "in": name,
            **{kind: _mean(held[depth, kind]) for kind in KINDS},
            "told": sum(len(held[depth, kind]) for kind in KINDS[:-1]),
            "of the tokens": round(after[depth] / before[depth], 4),
        }
        for depth, name in DEPTHS.items()
        if before[depth]
    ]


def _shares(content: str, summary: str) -> Iterator[tuple[str, float]]:
    """(kind, 1 or 0) of each decision and fact: whether the summary has it."""
    there = {fact.casefold() for fact in facts(summary)}
    for sentence in split_sentences(content):
        if decides(sentence):
            yield "decisions", float(one_line(sentence) in summary)
        for fact in facts(sentence):
            kind = "numbers"
            if DATE.fullmatch(fact):
                kind = "dates"
            elif find_paper_ids(fact):
                kind = "ids"
            yield kind, float(fact.casefold() in there)


def _mean(shares: Sequence[float]) -> float | None:
    return round(statistics.fmean(shares), 4) if shares else None
