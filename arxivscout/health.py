"""What is set up, what is missing, how to mend it: works with everything broken."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arxivscout.errors import ScoutError

if TYPE_CHECKING:
    from arxivscout.settings import Settings

LEAST_FREE_GB = 1.0

_FIRST = "The first command that needs it sets it up, with a starter collection of papers."
_VERSIONS = """
SELECT current_setting('server_version'),
       (SELECT extversion FROM pg_extension WHERE extname = 'vector')
"""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: `ok` is None where it is missing and not needed."""

    name: str
    ok: bool | None
    detail: str
    mend: str = ""


def doctor(settings: Settings) -> list[Check]:
    """Look at all that ArxivScout stands on; a failing check never keeps others from running."""
    looks: list[tuple[str, Callable[[Settings], Check]]] = [
        ("python", _python),
        ("home", _home),
        ("database", _database),
        ("embedder", _embedder),
        ("chat model", _chat_model),
        ("arXiv", _arxiv),
        ("studio", _studio),
    ]
    checks = []
    for name, look in looks:
        try:
            checks.append(look(settings))
        except ScoutError as error:
            checks.append(Check(name, False, error.cause, error.mend))
        except Exception as error:  # noqa: BLE001 - a door: the doctor tells what is broken
            detail = f"{type(error).__name__}: {error}".partition("\n")[0]
            checks.append(Check(name, False, detail, "Report this: it should not happen."))
    return checks


def _python(settings: Settings) -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    return Check("python", sys.version_info >= (3, 11), version, "Install Python 3.11 or newer.")


def _home(settings: Settings) -> Check:
    home = settings.home
    existing = next(path for path in (home, *home.parents) if path.exists())
    if not os.access(existing, os.W_OK | os.X_OK):
        return Check(
            "home", False, f"{home} can't be written.", "Set ARXIVSCOUT_HOME to a folder of yours."
        )
    free = shutil.disk_usage(existing).free / 1e9
    return Check(
        "home",
        free >= LEAST_FREE_GB,
        f"{home}, {free:.1f} GB free",
        f"Free at least {LEAST_FREE_GB:g} GB there, or set ARXIVSCOUT_HOME.",
    )


def _database(settings: Settings) -> Check:
    from contextlib import closing

    from arxivscout.embedding import load_embedder
    from arxivscout.memory.cluster import is_made
    from arxivscout.memory.knowledge import paper_count
    from arxivscout.memory.opening import attach_database, is_ready
    from arxivscout.memory.spelling import has_trigrams

    if settings.database_url is None and not is_made(settings.home):
        return Check("database", None, "not made yet", _FIRST)
    where = "embedded" if settings.database_url is None else "given by ARXIVSCOUT_DATABASE_URL"
    identity = load_embedder(settings).identity
    with closing(attach_database(settings)) as database:
        if not is_ready(database, identity):
            return Check("database", None, f"{where}, not set up yet", _FIRST)
        with database.shared() as conn:
            row = conn.execute(_VERSIONS).fetchone()
            assert row is not None
            held = paper_count(conn)
            mends = has_trigrams(conn)
    detail = f"{where}, PostgreSQL {row[0]}, pgvector {row[1]}, {held:,} papers held"
    if not mends:
        detail += (
            "; misspelled words are not mended (as an administrator: CREATE EXTENSION pg_trgm;)"
        )
    return Check("database", True, detail)


def _embedder(settings: Settings) -> Check:
    from arxivscout.embedding import load_embedder

    embedder = load_embedder(settings)
    length = len(embedder.embed_query("hello"))
    return Check("embedder", True, f"{embedder.identity.name}, {length} dimensions")


def _chat_model(settings: Settings) -> Check:
    from arxivscout.embedding import load_embedder
    from arxivscout.llm.failures import scrub
    from arxivscout.llm.models import load_chat_model

    named = settings.model_named()
    load_chat_model(named, load_embedder(settings))
    if named.model == "extractive":
        return Check(
            "chat model",
            None,
            "extractive: answers with cited sentences of the papers, needs no key",
            "For answers in a model's own words: `arxivscout setup`.",
        )
    where = f" at {scrub(named.base_url)}" if named.base_url else ""
    return Check(
        "chat model",
        None,
        f"{named.model}{where} (set up, not asked)",
        "`arxivscout setup` asks whether it answers.",
    )


def _arxiv(settings: Settings) -> Check:
    if settings.offline:
        return Check("arXiv", None, "not asked: ARXIVSCOUT_OFFLINE is set")
    import httpx

    host = httpx.URL(settings.arxiv_url)
    try:
        httpx.head(host, timeout=5.0, follow_redirects=True)
    except httpx.HTTPError as error:
        return Check(
            "arXiv",
            None,
            f"{host.host} can't be reached ({type(error).__name__})",
            "Papers already held are searched without it.",
        )
    return Check("arXiv", True, f"{host.host} answers")


def _studio(settings: Settings) -> Check:
    from importlib.util import find_spec

    if find_spec("langgraph_cli") is None:
        return Check("studio", None, "not installed", "pip install 'langgraph-cli[inmem]'")
    return Check("studio", True, "installed; `make studio` starts it")
