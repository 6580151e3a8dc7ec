"""ArxivScout, a research companion for arXiv that remembers.

What is exported is loaded when it is first used: importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arxivscout.app import open_scout
    from arxivscout.embedding import load_embedder
    from arxivscout.memory.manager import MemoryManager
    from arxivscout.memory.opening import open_database
    from arxivscout.memory.postgres import Database
    from arxivscout.memory.stores import (
        StoreManager,
        create_conversational_history_table,
        create_tool_log_table,
    )
    from arxivscout.papers import Paper, PaperId
    from arxivscout.retriever import ScoutRetriever
    from arxivscout.scout import Scout
    from arxivscout.settings import Settings, load_settings

__version__ = "0.1.0"

_HOMES = {
    "Database": "arxivscout.memory.postgres",
    "MemoryManager": "arxivscout.memory.manager",
    "Paper": "arxivscout.papers",
    "PaperId": "arxivscout.papers",
    "Scout": "arxivscout.scout",
    "ScoutRetriever": "arxivscout.retriever",
    "Settings": "arxivscout.settings",
    "StoreManager": "arxivscout.memory.stores",
    "create_conversational_history_table": "arxivscout.memory.stores",
    "create_tool_log_table": "arxivscout.memory.stores",
    "load_embedder": "arxivscout.embedding",
    "load_settings": "arxivscout.settings",
    "open_database": "arxivscout.memory.opening",
    "open_scout": "arxivscout.app",
}

__all__ = [
    "Database",
    "MemoryManager",
    "Paper",
    "PaperId",
    "Scout",
    "ScoutRetriever",
    "Settings",
    "StoreManager",
    "create_conversational_history_table",
    "create_tool_log_table",
    "load_embedder",
    "load_settings",
    "open_database",
    "open_scout",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
