"""Loading a turn's memory: one embedding, two round trips, whatever is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from langchain_core.embeddings import Embeddings
from turns.scripted import ScriptedModel, says
from turns.settled import settle

from arxivscout.app import Scout
from arxivscout.memory.postgres import Database, Rows, Statement

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"


class Counted(Embeddings):
    """An embedder that counts the texts it is given; the one below remembers those of lately."""

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder
        self.queries: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._embedder.embed_documents(texts)  # type: ignore[no-any-return]

    def embed_query(self, text: str) -> list[float]:
        if text not in self.queries:
            self.queries.append(text)
        return self._embedder.embed_query(text)  # type: ignore[no-any-return]


class CountedDatabase:
    """A database that counts its round trips: batches, and transactions by statement."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.batches = 0
        self.transactions = 0

    def batch(
        self, user: str, statements: Sequence[Statement], turn: UUID | None = None
    ) -> list[Rows]:
        self.batches += 1
        return self._database.batch(user, statements, turn)

    def side_by_side(self, user: str, *batches: Sequence[Statement]) -> list[list[Rows]]:
        self.batches += 1  # one wait, on several connections
        return self._database.side_by_side(user, *batches)

    def transaction(self, user: str, turn: UUID | None = None) -> Any:
        self.transactions += 1
        return self._database.transaction(user, turn)

    def shared(self) -> Any:
        self.transactions += 1
        return self._database.shared()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)


def test_a_turn_is_loaded_with_one_embedding_in_two_round_trips(scripted: Make) -> None:
    seen: dict[str, int] = {}

    def look(messages: Any) -> Any:
        seen.update(
            batches=counted.batches,
            transactions=counted.transactions,
            embeddings=len(embedder.queries),
        )
        return says("It is so [arXiv:0712.2288].")

    scout, _ = scripted(look)
    counted = CountedDatabase(scout.database)
    embedder = Counted(scout.embedder)
    scout._services.database = counted  # type: ignore[assignment]
    scout._services.embedder = embedder  # type: ignore[assignment]
    assert scout.ask(QUESTION).citations
    assert seen == {"batches": 2, "transactions": 0, "embeddings": 1}
    assert embedder.queries == [QUESTION]


def test_a_paper_that_is_cited_again_leaves_no_version_of_its_memory(scripted: Make) -> None:
    answer = says("It is so [arXiv:0712.2288].")
    scout, _ = scripted(answer, answer)
    query = "SELECT xmin::text, embedding IS NOT NULL FROM entity_memory WHERE category = 'paper'"

    def remembered() -> tuple[Rows, str]:
        with scout.database.transaction("tester") as conn:
            rows = conn.execute(query).fetchall()
        (listed,) = [each for each in scout.memories("paper", 9) if each.kind == "paper"]
        return rows, listed.at.isoformat()

    scout.ask(QUESTION)
    settle(scout)  # learning from the turn knows more of the paper, once
    rows, at = remembered()
    scout.ask(QUESTION, thread_id="another")
    settle(scout)
    again, later = remembered()
    assert again == rows
    assert later > at  # the list tells when it was last looked at


def test_a_followup_is_embedded_once_with_its_topic(scripted: Make) -> None:
    scout, _ = scripted(says("It is so [arXiv:0712.2288]."))
    scout.ask(QUESTION)
    embedder = Counted(scout.embedder)
    scout._services.embedder = embedder  # type: ignore[assignment]
    scout.ask("and its limitations?")
    (asked,) = embedder.queries
    assert asked.startswith(f"{QUESTION} limitations")


_MANY = """
INSERT INTO entity_memory (category, content, embedding, langchain_metadata)
SELECT 'finding', 'finding ' || n, %(vector)s::vector, '{}' FROM generate_series(1, %(count)s) AS n
"""


def test_a_person_with_few_findings_beside_one_with_many_gets_theirs(scripted: Make) -> None:
    scout, model = scripted(says("It is so [arXiv:0712.2288]."))
    near = scout._services.vector(QUESTION)
    with scout.database.transaction("other") as conn:
        conn.execute(_MANY, {"vector": near, "count": 3_000})
    with scout.database.transaction("tester") as conn:
        conn.execute(_MANY, {"vector": scout._services.vector("teleportation"), "count": 4})
    with scout.database.admin() as admin:
        admin.execute("SET search_path = arxivscout, public")
        admin.execute("ANALYZE entity_memory")
    scout.ask(QUESTION)
    turn = str(model.read[0][-1].content)
    assert turn.count(": finding ") == 4
