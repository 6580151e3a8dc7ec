"""What of the running conversation stays in the window: newest turns, this turn's results."""

from __future__ import annotations

from collections.abc import Sequence

from arxivscout.context.budget import count_tokens, shorten


def newest_turns(
    messages: Sequence[tuple[str, str]], tokens: int
) -> tuple[list[tuple[str, str]], int]:
    """The newest messages that fit into `tokens`, oldest first, beginning with the person's.

    Args:
        messages: (role, text), oldest first.
        tokens: room for all of them.

    Returns:
        the messages that stay, and how many were left out.
    """
    kept: list[tuple[str, str]] = []
    room = tokens
    for role, text in reversed(messages):
        short = shorten(text, max(min(room, tokens // 2), 0))
        if not short:
            break
        kept.insert(0, (role, short))
        room -= count_tokens(short) + 4
        if room <= 0:
            break
    while kept and kept[0][0] != "user":
        kept.pop(0)
    return kept, len(messages) - len(kept)


def fit_results(results: Sequence[str], tokens: int) -> list[str]:
    """Tool results shortened so that together they take at most `tokens`.

    The newest keep the most: each may use half of what is left, the last line (its status) stays.
    """
    if sum(map(count_tokens, results)) <= tokens:
        return list(results)
    fitted: list[str] = []
    room = max(tokens, 0)
    for position, result in enumerate(reversed(results)):
        last_one = position == len(results) - 1
        share = room if last_one else room // 2
        body, _, status = result.rpartition("\n")
        status_tokens = count_tokens(status) + 1
        short = shorten(body, max(share - status_tokens, 0))
        text = f"{short}\n{status}".strip() if status_tokens < share else shorten(result, share)
        room -= count_tokens(text)
        fitted.insert(0, text)
    return fitted
