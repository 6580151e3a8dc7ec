"""What the package exports, and that importing it costs nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import arxivscout

HEAVY = ("langchain_core", "langchain_postgres", "langgraph", "numpy", "psycopg", "sqlalchemy")


@pytest.mark.parametrize("name", arxivscout.__all__)
def test_everything_it_names_is_there(name: str) -> None:
    assert getattr(arxivscout, name).__name__ == name
    assert name in dir(arxivscout)


def test_what_it_does_not_name_is_not() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = arxivscout.nothing


def loaded_by(statement: str) -> set[str]:
    code = f"{statement}; import sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_it_loads_nothing_heavy() -> None:
    assert not loaded_by("import arxivscout") & set(HEAVY)


def test_the_manager_needs_no_langchain_postgres() -> None:
    names = "MemoryManager, StoreManager, create_tool_log_table"
    loaded = loaded_by(f"from arxivscout import {names}")
    assert not loaded & {"langchain_postgres", "langgraph", "sqlalchemy"}
