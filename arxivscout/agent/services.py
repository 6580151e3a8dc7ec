"""The live objects of a process: opened and closed by `app.py`, used by nodes and tools."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from arxivscout.agent.later import Later
from arxivscout.embedding.cross_encoder import CrossEncoder, load_cross_encoder
from arxivscout.errors import ScoutError
from arxivscout.memory.message_vectors import embed_messages
from arxivscout.memory.outbox import Outbox

if TYPE_CHECKING:
    from langchain_core.callbacks import BaseCallbackHandler
    from langchain_core.language_models import BaseChatModel

    from arxivscout.agent.outside_tools import Outside
    from arxivscout.agent.tools import ScoutTool
    from arxivscout.embedding import Embedder
    from arxivscout.memory.lease import LeaseKeeper
    from arxivscout.memory.postgres import Database
    from arxivscout.settings import Settings
    from arxivscout.sources.arxiv_api import ArxivClient

Graph = TypeVar("Graph", bound=Any)
MOST_EMBEDDED = 256  # messages after a turn: those of other ways in follow as turns go on


@dataclass
class Services:
    """What a turn works with. `chat_model` gives the model of a name, opened once.

    So does `cross_encoder`, which loads it at its first use; "" names the default one.
    """

    settings: Settings
    database: Database
    embedder: Embedder
    arxiv: ArxivClient
    leases: LeaseKeeper
    chat_model: Callable[[str], BaseChatModel]
    tools: dict[str, ScoutTool] = field(default_factory=dict)
    outside: Outside | None = None  # others' servers, as long as one may still give its tools
    missing_tools: list[str] = field(default_factory=list)  # of others' servers: a line for each
    known_user: str | None = None  # a server without authentication on loopback: the settings' user
    cross_encoder: Callable[[str], CrossEncoder] = load_cross_encoder
    windows_guessed: set[str] = field(default_factory=set)  # models of which that was said once
    later: Later = field(default_factory=Later)  # what is done when a turn is over
    callbacks: list[BaseCallbackHandler] = field(default_factory=list)  # hear the graphs' runs

    def outbox(self, user: str) -> Outbox:
        return Outbox(self.settings.home, user)

    def let_servers_go(self) -> None:
        """Wait for none of others' servers any longer."""
        if self.outside is not None:
            self.outside.stop()
            self.outside = None

    def vector(self, text: str) -> str:
        """The embedding of `text` in the database's text form."""
        return vector_text(self.embedder.embed_query(text))

    def heard(self, graph: Graph) -> Graph:
        """The compiled graph, whose runs those hear who trace them."""
        if not self.callbacks:
            return graph
        heard: Graph = graph.with_config(callbacks=self.callbacks)
        return heard

    def embed_ahead(self, text: str) -> None:
        """Begin to embed `text`, beside what is done until its vector is asked for.

        What goes wrong goes wrong again then.
        """

        def embed() -> None:
            with suppress(ScoutError):
                self.embedder.embed_query(text)

        threading.Thread(target=embed, name="embed-ahead", daemon=True).start()

    def embed_said(self, user: str) -> None:
        """Give messages without a vector one, beside the next turn."""
        self.later.run(lambda: embed_messages(self.database, self.embedder, user, MOST_EMBEDDED))


def vector_text(vector: list[float]) -> str:
    """`[0.1,…]`, as pgvector reads it."""
    return "[" + ",".join(map(repr, vector)) + "]"
