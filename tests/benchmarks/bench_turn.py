"""What a turn costs besides the model, beside what the reference's way of reading costs.

    python tests/benchmarks/bench_turn.py --home DIR [--turns N] [--logs N] [--rows N] [--runs N]
        [--reference-embedding NAME]

DIR is the home of a knowledge base that holds papers already (bench_search.py or `arxivscout
ingest` fills one). One person's turns, tool logs and memories are added once. Then, alternately:
the deterministic loading of a turn our way (one embedding, two round trips), and the way of the
reference text (each store asked through PGVectorStore, which embeds the question again): with our
embedder, and with its own kind, sentence-transformers, where NAME (as ARXIVSCOUT_EMBEDDING takes
it, 384 dimensions) gives one. Last, whole turns with a model that answers at once.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import psycopg
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import FakeListChatModel
from langchain_postgres import PGEngine
from langchain_postgres.v2.indexes import DistanceStrategy

from arxivscout import MemoryManager, StoreManager
from arxivscout.agent.services import Services
from arxivscout.app import Scout, open_services
from arxivscout.embedding import load_embedder
from arxivscout.memory.postgres import Database
from arxivscout.memory.recall import recall
from arxivscout.memory.turn import open_turn
from arxivscout.monitoring.measuring import is_node
from arxivscout.settings import load_settings

USER = "bench"
QUESTIONS = (
    "What is known about quantum teleportation of neutral mesons?",
    "How do sparse attention methods speed up language models?",
    "Which observations contradict modified Newtonian dynamics?",
    "How is the thermal conductivity of graphene measured?",
    "What limits reinforcement learning in routing problems?",
)

_TURNS = """
INSERT INTO conversational_memory (thread_id, role, content, metadata)
SELECT 'thread ' || n / 100, CASE n %% 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
       'message ' || n || ' about paper and method and result', '{}'
FROM generate_series(1, %(count)s * 2) AS n
"""

_LOGS = """
INSERT INTO tool_log_memory (thread_id, tool_name, tool_input, tool_output, status, duration_ms)
SELECT 'thread ' || n / 100, 'search_papers', jsonb_build_object('query', 'q' || n), 'found',
       CASE WHEN n %% 20 = 0 THEN 'error' ELSE 'success' END, n %% 100
FROM generate_series(1, %(count)s) AS n
"""

_SAID = """
UPDATE message_index AS said SET embedding = l2_normalize(paper.embedding + (
    SELECT array_agg((random() - .5) * .07 ORDER BY n)
    FROM generate_series(1, 384) AS n WHERE said.place > 0)::vector)
FROM (SELECT embedding, row_number() OVER () AS n
      FROM semantic_memory WHERE embedding IS NOT NULL LIMIT %(rows)s) AS paper
WHERE said.embedding IS NULL AND paper.n = 1 + (said.thread + said.place) %% %(rows)s
"""

_STORES = {
    "entity_memory": (
        "(content, embedding, langchain_metadata, category, name)",
        "'finding', 'name ' || %(n)s",
    ),
    "workflow_memory": (
        "(content, embedding, langchain_metadata, workflow_type, outcome)",
        "'research', 'success'",
    ),
    "summary_memory": (
        "(content, embedding, langchain_metadata, thread_id)",
        "'thread ' || %(n)s",
    ),
}


def fill(database: Database, turns: int, logs: int, rows: int) -> None:
    """Add one person's memories, with vectors near those of the papers."""
    with database.transaction(USER) as conn:
        if conn.execute("SELECT 1 FROM conversational_memory LIMIT 1").fetchone():
            return
        conn.execute(_TURNS, {"count": turns})
        conn.execute(_LOGS, {"count": logs})
        held = conn.execute(
            "SELECT count(*) FROM semantic_memory WHERE embedding IS NOT NULL"
        ).fetchone()
        conn.execute(_SAID, {"rows": min(rows, held[0])})
        vectors = conn.execute(
            "SELECT embedding::text FROM semantic_memory WHERE embedding IS NOT NULL LIMIT %s",
            [rows],
        ).fetchall()
        noise = np.random.default_rng(1)
        for table, (columns, values) in _STORES.items():
            for n, (text,) in enumerate(vectors):
                vector = np.array(json.loads(text)) + noise.normal(0, 0.02, 384)
                conn.execute(
                    f"INSERT INTO {table} {columns} "
                    f"VALUES (%(content)s, %(vector)s::vector, '{{}}', {values})",
                    {"content": f"{table} {n}", "vector": str(vector.tolist()), "n": n},
                )
    with database.admin() as admin:
        admin.commit()
        admin.autocommit = True
        admin.execute("VACUUM (ANALYZE)")  # as autovacuum does within minutes


def our_way(services: Services) -> Callable[[str], None]:
    def load(question: str) -> None:
        turn = uuid4()
        services.embed_ahead(question)
        open_turn(
            services.database,
            services.leases,
            user=USER,
            thread_id=f"bench {turn}",
            turn_id=turn,
            question=question,
            model="extractive",
        )
        services.leases.let_go(turn)
        recall(
            services.database,
            user=USER,
            thread_id="thread 7",
            turn_id=turn,
            question=question,
            vector=services.vector(question),
        )

    return load


class Fresh(Embeddings):
    """An embedder without what it remembers of earlier texts."""

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder
        self.calls = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._embedder.embed_array(texts).tolist()  # type: ignore[no-any-return]

    def embed_query(self, text: str) -> list[float]:
        self.calls += 1
        return self._embedder.embed_array([text])[0].tolist()  # type: ignore[no-any-return]


class Counted:
    """How often our embedder is asked for something new: each question here is one."""

    def __init__(self, embedder: Any) -> None:
        self.calls = 0
        embed = embedder.embed_array

        def counted(texts: Sequence[str]) -> Any:
            self.calls += 1
            return embed(texts)

        embedder.embed_array = counted


def reference_way(database: Database, embedder: Any) -> Callable[[str], None]:
    engine = PGEngine.from_connection_string(url=database.user_url(USER, driver=True))
    stores = StoreManager(
        engine=engine,
        embedding_function=embedder,
        table_names={
            "knowledge_base": "semantic_memory",
            "workflow": "workflow_memory",
            "toolbox": "toolbox_memory",
            "entity": "entity_memory",
            "summary": "summary_memory",
        },
        distance_strategy=DistanceStrategy.COSINE_DISTANCE,
        conversational_table="conversational_memory",
        vector_size=384,
        tool_log_table="tool_log_memory",
    )
    conn = psycopg.connect(database.user_url(USER))
    manager = MemoryManager(
        conn,
        "conversational_memory",
        stores.get_knowledge_base_store(),
        stores.get_workflow_store(),
        stores.get_toolbox_store(),
        stores.get_entity_store(),
        stores.get_summary_store(),
        "tool_log_memory",
    )

    def load(question: str) -> None:
        manager.write_conversational_memory("thread 7", "user", question)
        manager.read_conversational_memory("thread 7")
        manager.read_tool_logs("thread 7")
        for store in (
            stores.get_knowledge_base_store(),
            stores.get_workflow_store(),
            stores.get_toolbox_store(),
            stores.get_entity_store(),
            stores.get_summary_store(),
        ):
            store.similarity_search(question, k=3)

    return load


def milliseconds(act: Callable[[str], Any], question: str) -> float:
    begun = time.perf_counter()
    act(question)
    return 1e3 * (time.perf_counter() - begun)


def summary(values: list[float]) -> dict[str, float]:
    return {
        "median_ms": round(statistics.median(values), 1),
        "p95_ms": round(statistics.quantiles(values, n=20)[-1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--logs", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--reference-embedding")
    given = parser.parse_args()
    settings = load_settings({}, home=given.home, user=USER, offline=True)
    with open_services(settings, notice=print) as services:
        fill(services.database, given.turns, given.logs, given.rows)
        fresh, counted_ours = Fresh(services.embedder), Counted(services.embedder)
        ways: dict[str, tuple[Callable[[str], None], Fresh | Counted]] = {
            "loading": (our_way(services), counted_ours),
            "reference": (reference_way(services.database, fresh), fresh),
        }
        if given.reference_embedding:
            named = settings.model_copy(update={"embedding": given.reference_embedding})
            theirs = Fresh(load_embedder(named))
            ways["reference, its own embedder"] = (
                reference_way(services.database, theirs),
                theirs,
            )
        times: dict[str, list[float]] = {name: [] for name in ways}
        counted: dict[str, int] = {}
        for run in range(given.runs):
            question = f"{QUESTIONS[run % len(QUESTIONS)]} ({run})"
            for name, (act, embedder) in ways.items():
                before = embedder.calls
                times[name].append(milliseconds(act, question))
                counted[name] = embedder.calls - before
        answers = FakeListChatModel(responses=["It is so [arXiv:0712.2288]."])
        services.chat_model = lambda name: answers
        scout = Scout(services, USER)
        whole = []
        for run in range(given.runs):
            answer = scout.ask(f"{QUESTIONS[run % len(QUESTIONS)]} [{run}]", thread_id=f"w{run}")
            whole.append(sum(ms for name, ms in answer.timings_ms.items() if is_node(name)))
            assert UUID(answer.turn_id)
    result: dict[str, object] = {
        name: summary(spent) | {"embeddings": counted[name]} for name, spent in times.items()
    }
    ours = statistics.median(times["loading"])
    for name in list(times)[1:]:
        result[f"{name}: ratio"] = round(statistics.median(times[name]) / ours, 1)
    result["turn without model"] = summary(whole)
    for name, row in result.items():
        print(f"{name:34}", row)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
