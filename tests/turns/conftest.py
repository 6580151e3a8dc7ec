"""A scout over a fresh database with a few real papers and a model whose words the test writes."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from turns.scripted import Script, ScriptedModel
from turns.settled import settle

from arxivscout.agent.services import Services
from arxivscout.agent.toolkit import equip
from arxivscout.app import Scout
from arxivscout.embedding import Embedder
from arxivscout.ingest import ingest_papers
from arxivscout.llm.models import load_chat_model
from arxivscout.memory.lease import LeaseKeeper
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper
from arxivscout.settings import Settings
from arxivscout.sources.arxiv_api import ArxivClient

ROOT = Path(__file__).parents[2]

# Bibliographic facts as arXiv has them; the texts are written for these tests.
PAPERS = (
    Paper(
        arxiv_id="0712.2288",
        title="CP Measurement in Quantum Teleportation of Neutral Mesons",
        abstract="Quantum teleportation with neutral mesons is verified by a measurement of CP. "
        "Conservation laws fix the basis on which the mesons are projected. "
        "The method holds whether or not CP is violated in weak decays.",
        categories=("quant-ph",),
        published="2007-12-14",
    ),
    Paper(
        arxiv_id="0809.4859",
        title="Control of state and state entanglement with a single auxiliary subsystem",
        abstract="A quantum system is steered with one auxiliary subsystem. "
        "States are preserved, and the entanglement of a state is set.",
        categories=("quant-ph",),
        published="2008-09-28",
    ),
    Paper(
        arxiv_id="2505.21638",
        title="Modified Newtonian Dynamics: Observational Successes and Failures",
        abstract="Modified Newtonian dynamics is reviewed as an alternative to dark matter. "
        "It explains the radial acceleration relation of galaxies. "
        "It falls short in clusters of galaxies.",
        authors=("Harry Desmond",),
        categories=("astro-ph.CO", "astro-ph.GA"),
        published="2025-05-29",
    ),
    Paper(
        arxiv_id="2506.04108",
        title="Rectified Sparse Attention",
        abstract="Sparse attention speeds up long generation of language models. "
        "Errors that pile up in the cache are rectified by dense passes at intervals.",
        authors=("Yutao Sun", "Tianzhu Ye", "Li Dong"),
        categories=("cs.CL",),
        published="2025-06-05",
    ),
    Paper(
        arxiv_id="quant-ph/9705017",
        title="Synchronizing Quantum Paths of a Universal Quantum Computer",
        abstract="Paths of a quantum computer that halt at different times are brought together.",
        categories=("quant-ph",),
        published="1997-05-10",
        withdrawn=True,
    ),
)


@pytest.fixture
def services(database: Database, embedder: Embedder, settings: Settings) -> Iterator[Services]:
    """Everything a turn works with, offline, with five papers held and the extractive model."""
    quick = settings.model_copy(
        update={"offline": True, "tool_timeout_s": 2.0, "turn_timeout_s": 20.0}
    )
    ingest_papers(database, embedder, PAPERS)
    leases = LeaseKeeper(database, longest=60)
    services = Services(
        settings=quick,
        database=database,
        embedder=embedder,
        arxiv=ArxivClient(quick),
        leases=leases,
        chat_model=lambda name: load_chat_model(quick.model_named(name), embedder),
    )
    equip(services)
    yield services
    settle(services)
    leases.close()


@pytest.fixture
def scout(services: Services) -> Scout:
    """The tester's scout with the extractive model."""
    return Scout(services, "tester")


@pytest.fixture
def scripted(services: Services) -> Callable[..., tuple[Scout, ScriptedModel]]:
    """Gives a scout whose model says what the script has, and the model with what it read."""

    def make(*script: Script, user: str = "tester") -> tuple[Scout, ScriptedModel]:
        model = ScriptedModel(script=list(script))
        extractive = services.chat_model

        def chat_model(name: str) -> Any:
            return extractive(name) if name == "extractive" else model

        # The script is of the answers: what is asked behind them has tests of its own.
        behind = {"learning": "rules", "reflection": "rules"}
        changed = services.settings.model_copy(
            update={"model": "openai:scripted", "model_max_retries": 0, **behind}
        )
        # Each scout sees its own copy of the services, with the script's model.
        own = Services(
            **{
                **{name: getattr(services, name) for name in services.__dataclass_fields__},
                "settings": changed,
                "chat_model": chat_model,
            }
        )
        return Scout(own, user), model

    return make


@pytest.fixture
def client(
    scout: Scout, environment: dict[str, str], tmp_path: Path
) -> Iterator[SyncLangGraphClient]:
    """A client of `langgraph dev`, which serves the checkout's graphs over the test's database."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # The server keeps its own state in the folder it is started in: not in the checkout.
    (tmp_path / "langgraph.json").write_text(
        (ROOT / "langgraph.json")
        .read_text()
        .replace('["."]', f'["{ROOT}"]')
        .replace("./graphs", f"{ROOT}/graphs")
    )
    log = (tmp_path / "server.log").open("w+")
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"),
            *("--host", "127.0.0.1", "--port", str(port)),
        ],
        cwd=tmp_path,
        env={**environment, "LANGSMITH_TRACING": "false", "DO_NOT_TRACK": "1"},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(240):
            assert server.poll() is None, (tmp_path / "server.log").read_text()[-3000:]
            try:
                if httpx.get(f"{url}/ok").status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.25)
        with get_sync_client(url=url) as opened:
            yield opened
    finally:
        server.terminate()
        server.wait(20)
        log.close()
