"""Which tools a model is told of in a turn: a constant core, the usual ones, the thread's picks.

What it is told stays the same from turn to turn as far as it can, since providers keep a prompt's
beginning in a cache; and it takes a small window's room from what the tools are there for, so that
there each tool is told of in short.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arxivscout.agent.tools import ScoutTool

CORE = (
    "search_papers",
    "search_arxiv",
    "read_paper",
    "recall_memory",
    "save_memory",
    "forget_memory",
    "open_result",
)
# Bound besides, in windows that also have room for as much that is picked by what is asked.
USUAL = (
    "compare_papers",
    "update_memory",
    "read_tool_logs",
    "summarise_thread",
    "expand_summary",
)
MAX_PICKED = 12  # beside the core; the oldest picks of a long thread make room
MAX_BOUND = 40  # where the window has room for all there are; of more a model picks badly
UNBOUNDED = 1_000_000  # tokens


@dataclass(frozen=True, slots=True)
class Bound:
    """The tools of a turn by name, in the order in which the model is told of them; whether it is
    told in short; and how many tokens that takes."""

    names: list[str]
    short: bool
    tokens: int


def pick_tools(
    tools: Mapping[str, ScoutTool],
    found: Sequence[str],
    picked: Sequence[str],
    asked: Sequence[str] = (),
) -> list[str]:
    """Names of the tools picked for a thread, those last that find room first.

    What this turn's question plainly asks for, the best two of what was found for it, then earlier
    picks, which stay while there is room for them, then what else was found.
    """
    best, rest = found[:2], found[2:]
    names = dict.fromkeys([*asked, *best, *reversed(picked), *rest])
    return [name for name in names if name in tools and name not in CORE][:MAX_PICKED][::-1]


def bind_tools(
    tools: Mapping[str, ScoutTool], picked: Sequence[str], tokens: int = UNBOUNDED
) -> Bound:
    """All tools where `tokens` take them, else the core, the usual ones and the thread's picks.

    Where not even the core and the usual ones find room they are told of in short, and the core's
    last ones are left out.
    """
    fixed = [name for name in (*CORE, *USUAL) if name in tools]
    short = sum(tools[name].tokens_told(short=False) for name in fixed) > tokens
    cost = {name: tool.tokens_told(short=short) for name, tool in tools.items()}
    core = _as_many(CORE, cost, tokens)
    others = [name for name in tools if name not in CORE]
    room = tokens - sum(cost[name] for name in core)
    if len(tools) > MAX_BOUND or sum(cost[name] for name in others) > room:
        usual = [name for name in USUAL if name in tools]
        if sum(cost[name] for name in usual) > room:
            usual = []
        room -= sum(cost[name] for name in usual)
        first = [name for name in reversed(picked) if name not in usual]
        fitting = set(_as_many(first, cost, room))
        # Picks change: they stand behind what does not.
        others = usual + [name for name in tools if name in fitting]
    names = core + others
    return Bound(names, short, sum(cost[name] for name in names))


def _as_many(names: Iterable[str], cost: Mapping[str, int], tokens: int) -> list[str]:
    kept = []
    for name in names:
        if name in cost and cost[name] <= tokens:
            tokens -= cost[name]
            kept.append(name)
    return kept
