"""The composition root: opens, wires and closes everything. The doors call it and nothing below."""

from __future__ import annotations

import atexit
import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from arxivscout.errors import EmbeddingMismatch
from arxivscout.health import Check, doctor
from arxivscout.scout import Notice, Scout, quiet
from arxivscout.settings import Settings, load_settings, tracing

if TYPE_CHECKING:
    from arxivscout.agent.services import Services
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database

LATER_S = 5.0  # what turns left to do may take so long when a process ends

__all__ = ["Check", "Scout", "doctor", "open_scout", "open_services", "server_services"]


@contextmanager
def open_services(
    settings: Settings, *, notice: Notice = quiet, known_user: str | None = None
) -> Iterator[Services]:
    """Open what a process works with, set up what is missing, and close all of it at the end.

    Args:
        notice: is told what takes long.
        known_user: for a server without authentication on loopback, whose memory it serves.

    Raises:
        Fatal: with the one line that tells the person what to do.
    """
    from arxivscout.agent.services import Services
    from arxivscout.llm.models import load_chat_model
    from arxivscout.memory.lease import LeaseKeeper
    from arxivscout.sources.arxiv_api import ArxivClient

    # psycopg warns of every statement that a failed pipeline skips; its error is raised anyway.
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    with ExitStack() as stack:
        settings, database, embedder = _open_database(settings, notice)
        stack.callback(database.close)
        leases = LeaseKeeper(
            database, longest=settings.turn_timeout_s + settings.tool_timeout_s + 60
        )
        stack.callback(leases.close)
        _start_collection(database, embedder, notice)

        @lru_cache(maxsize=8)
        def chat_model(name: str) -> Any:
            return load_chat_model(settings.model_named(name), embedder)

        services = Services(
            settings=settings,
            database=database,
            embedder=embedder,
            arxiv=ArxivClient(settings),
            leases=leases,
            chat_model=chat_model,
            known_user=known_user,
        )
        traced = tracing()
        if traced.langsmith:  # its client tells of every small thing that it does otherwise
            logging.getLogger("langsmith").setLevel(logging.ERROR)
        if traced.otel:
            from arxivscout.monitoring.otel import otel_traces

            services.callbacks += stack.enter_context(otel_traces(notice))
        stack.callback(services.later.wait, LATER_S)
        stack.callback(services.let_servers_go)
        yield services


@cache
def server_services() -> Services:
    """The services of a LangGraph server's process: opened once for all its graphs, closed at exit.

    Without authentication, on loopback, it serves the settings' user.
    """
    settings, stack = load_settings(), ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(open_services(settings, known_user=settings.user))


def _open_database(settings: Settings, notice: Notice) -> tuple[Settings, Database, Embedder]:
    """The database with its embedder: where the settings name none, the one of ours that it has."""
    from arxivscout.embedding import FAST, load_embedder
    from arxivscout.memory.opening import open_database

    embedder = load_embedder(settings)
    try:
        database = open_database(settings, identity=embedder.identity, notice=notice)
        return settings, database, embedder
    except EmbeddingMismatch as mismatch:
        if "embedding" in settings.model_fields_set:
            raise
        settings = settings.model_copy(update={"embedding": FAST})
        embedder = load_embedder(settings)
        try:
            database = open_database(settings, identity=embedder.identity, notice=notice)
            return settings, database, embedder
        except EmbeddingMismatch:
            raise mismatch from None


def _start_collection(database: Database, embedder: Embedder, notice: Notice) -> None:
    """Put the starter papers into an empty knowledge base."""
    from arxivscout.ingest import ingest_papers
    from arxivscout.memory.knowledge import paper_count
    from arxivscout.resources import folder
    from arxivscout.sources.files import read_papers

    with database.shared() as conn:
        if paper_count(conn):
            return
    notice("Storing the starter collection, once ...")
    ingest_papers(database, embedder, read_papers(folder("data") / "starter.jsonl"))


@contextmanager
def open_scout(settings: Settings | None = None, *, notice: Notice = quiet) -> Iterator[Scout]:
    """A Scout for the settings' user, closed at the end of the block.

    Args:
        settings: None: those of the environment and the config file.

    Raises:
        Fatal: with the one line that tells the person what to do.
    """
    settings = settings or load_settings()
    with open_services(settings, notice=notice) as services:
        scout = Scout(services, settings.user)
        scout.store_waiting(notice)
        yield scout
