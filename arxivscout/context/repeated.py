"""A question that was answered before: which one, from what, and what is new since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arxivscout.context.budget import shorten
from arxivscout.context.same_question import same_question
from arxivscout.context.segments import Item
from arxivscout.papers import neutralise, one_line
from arxivscout.papers.rendering import ANSWERED_BEFORE, NEW_SINCE

_ANSWER = 120  # tokens of the earlier answer


def answered_before(
    question: str, earlier: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """The newest of the recalled messages whose turn answered the same question, from papers.

    Args:
        question: as it is understood.
        earlier: rows of recall's "earlier".
    """
    same = [
        row
        for row in earlier
        if row.get("question") and row.get("cited") and not same_question(question, row["question"])
    ]
    return max(same, key=lambda row: str(row["at"]), default=None)


def repeated_item(row: Mapping[str, Any], new: Sequence[str]) -> Item:
    """The line that tells a model of it.

    Args:
        row: what `answered_before` gave.
        new: ids of fitting papers that were stored since.
    """
    answer = row["text"] if row["role"] == "assistant" else row.get("other_text") or ""
    said = shorten(neutralise(one_line(str(answer))), _ANSWER)
    parts = [
        f"- {str(row['at'])[:10]} (thread {_name(row)}): {ANSWERED_BEFORE}",
        f"asked: {neutralise(one_line(row['question']))[:300]}",
        f"from: {_cited(row['cited'].split())}",
        f"{NEW_SINCE}: {_cited(new) or 'nothing that fits'}",
        f"answered: {said}",
    ]
    return Item(" | ".join(parts), row["id"], 9.0)


def _cited(ids: Sequence[str]) -> str:
    return ", ".join(f"[arXiv:{each}]" for each in dict.fromkeys(ids))


def _name(row: Mapping[str, Any]) -> str:
    return neutralise(str(row.get("thread_id") or "?")).replace(")", "")
