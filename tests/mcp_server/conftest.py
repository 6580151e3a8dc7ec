"""A scout over some of the starter papers, for servers in this process and in others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from arxivscout.agent.services import Services
from arxivscout.embedding import Embedder
from arxivscout.ingest import ingest_papers
from arxivscout.llm.models import load_chat_model
from arxivscout.memory.cluster import OWNER
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.lease import LeaseKeeper
from arxivscout.memory.opening import open_database
from arxivscout.memory.postgres import Database
from arxivscout.resources import folder
from arxivscout.scout import Scout
from arxivscout.settings import Settings, load_settings
from arxivscout.sources.arxiv_api import ArxivClient
from arxivscout.sources.files import read_papers


@pytest.fixture(scope="session")
def template(template: str, server: EmbeddedServer, embedder: Embedder) -> str:
    """A migrated database with papers of the starter collection, to be cloned."""
    name = "template_papers"
    with psycopg.connect(server.url(OWNER, "postgres"), autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    settings = load_settings(
        {},
        home=Path("/nonexistent"),
        user="tester",
        database_url=server.url(database=name),
        admin_database_url=server.url(OWNER, name),
    )
    database = open_database(settings, identity=embedder.identity)
    starter = read_papers(folder("data") / "starter.jsonl")
    ingest_papers(database, embedder, itertools.islice(starter, 105))
    database.close()
    return name


@pytest.fixture
def make_scout(
    database: Database, embedder: Embedder, settings: Settings
) -> Iterator[Callable[..., Scout]]:
    """Makes scouts over these papers: `make_scout("somebody", offline=False)`."""
    leases = LeaseKeeper(database, longest=60)

    def make(user: str = "tester", **changed: Any) -> Scout:
        own = settings.model_copy(update={"offline": True, "arxiv_interval_s": 0.0, **changed})
        services = Services(
            settings=own,
            database=database,
            embedder=embedder,
            arxiv=ArxivClient(own),
            leases=leases,
            chat_model=lambda name: load_chat_model(own.model_named(name), embedder),
        )
        return Scout(services, user)

    yield make
    leases.close()


@pytest.fixture
def scout(make_scout: Callable[..., Scout]) -> Scout:
    """The tester's scout, offline."""
    return make_scout()
