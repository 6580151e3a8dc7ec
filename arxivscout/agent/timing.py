"""How long a node takes, as the state carries it."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any

Node = Callable[..., Any]


def timed(name: str) -> Callable[[Node], Node]:
    """Add the node's milliseconds to what it returns."""

    def around(node: Node) -> Node:
        @functools.wraps(node)
        def measured(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            update = node(*args, **kwargs)
            spent = {name: (time.perf_counter() - started) * 1000}
            update["timings_ms"] = {**update.get("timings_ms", {}), **spent}
            return update

        return measured

    return around
