"""The graph of one person at size: 100,000 entities and 1,000,000 relations, made once and asked.

Some entities are hubs, as in life: what a relation points to is drawn by rank (a Zipf law), so that
the first has tens of thousands of edges and most have a few. Half of the entities are memories that
are sentences, and all have vectors: what is read is as wide as in use.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from arxivscout.memory import bulk, vector_columns
from arxivscout.memory.graph.enrich import related_from_rows, statement
from arxivscout.memory.graph.finding import need_nodes
from arxivscout.memory.graph.paths import shortest_path
from arxivscout.memory.graph.walks import neighbours, related
from arxivscout.memory.opening import open_database

if TYPE_CHECKING:
    from psycopg import Connection

    from arxivscout.embedding import EmbeddingIdentity
    from arxivscout.memory.postgres import Database
    from arxivscout.settings import Settings

USER = "bench graph"
PREDICATES = ("uses", "extends", "evaluated_on", "about", "interested_in", "part_of", "depends_on")
KINDS = ("method", "dataset", "concept", "tool", "paper", "finding", "fact", "decision")
AT_A_TIME = 10_000
ASKED = 200
WARM_UP = 20

_COUNT = "SELECT count(*) FROM relation_memory"
_INCOMING = """
CREATE TEMPORARY TABLE incoming (number INT, kind TEXT, vector vector) ON COMMIT DROP
"""
_COPY_ENTITIES = "COPY incoming FROM STDIN (FORMAT BINARY)"
_ENTITIES = """
INSERT INTO entity_memory (langchain_id, user_id, category, name, content, embedding)
SELECT md5(number::text)::uuid, %(user)s, kind,
       CASE WHEN kind IN ('method', 'dataset', 'concept', 'tool') THEN kind || ' ' || number END,
       'what is remembered of ' || kind || ' ' || number || repeat(', and more of it', 8), vector
FROM incoming
"""
# Subjects evenly, objects by rank: one over the number.
_RELATIONS = """
INSERT INTO relation_memory (user_id, subject_id, predicate, object_id, valid_from, confidence)
SELECT %(user)s, md5(floor(random() * %(entities)s)::int::text)::uuid,
       (%(predicates)s::text[])[1 + floor(random() * cardinality(%(predicates)s::text[]))::int],
       md5(floor(power(%(entities)s::float8, random()))::int::text)::uuid,
       now() - random() * interval '700 days', (0.5 + random() / 2)::real
FROM generate_series(1, %(relations)s)
ON CONFLICT DO NOTHING
"""
_NAMES = """
INSERT INTO entity_name (user_id, key, entity_id)
SELECT user_id, called, langchain_id FROM entity_memory AS entity, entity_names(entity) AS called
"""
_TRIGGERS = """
ALTER TABLE entity_memory {0} TRIGGER USER;
ALTER TABLE relation_memory {0} TRIGGER USER
"""


def measure(
    settings: Settings,
    identity: EmbeddingIdentity,
    entities: int,
    relations: int,
    notice: Callable[[str], None],
) -> dict[str, Any]:
    """Make the database below the home if it is not there, and time what is asked of it."""
    alone = settings.model_copy(
        update={
            "home": settings.home / "bench" / f"graph-{entities}-{relations}",
            "database_url": None,
            "admin_database_url": None,
        }
    )
    alone.home.mkdir(parents=True, exist_ok=True)
    database = open_database(alone, identity=identity, notice=notice)
    try:
        with database.admin() as admin:
            (held,) = admin.execute(_COUNT).fetchone() or (0,)
            if not held:
                notice(f"Making {entities:,} entities and {relations:,} relations, once ...")
                make(admin, entities, relations)
        return _timed(database, entities)
    finally:
        database.close()


def make(
    admin: Connection[Any], entities: int, relations: int, kinds: Sequence[str] = KINDS
) -> None:
    """Fill an empty database; it is without its indexes of vectors then."""
    import numpy as np

    random = np.random.default_rng(1)
    bound = {
        "user": USER,
        "entities": entities,
        "relations": relations,
        "predicates": list(PREDICATES),
    }
    admin.execute(_TRIGGERS.format("DISABLE").encode())
    vector_columns.drop_vector_indexes(admin)
    admin.execute(_INCOMING)
    with admin.cursor() as cursor, cursor.copy(_COPY_ENTITIES) as copy:
        copy.write(bulk.BEGIN)
        for start in range(0, entities, AT_A_TIME):
            numbers = range(start, min(start + AT_A_TIME, entities))
            vectors = random.normal(size=(len(numbers), 384)).astype(np.float32)
            copy.write(
                b"".join(
                    bulk.row(
                        (
                            bulk.integer(number),
                            bulk.text(kinds[number % len(kinds)]),
                            bulk.vector(vector.tolist()),
                        )
                    )
                    for number, vector in zip(numbers, vectors, strict=True)
                )
            )
        copy.write(bulk.END)
    admin.execute(_ENTITIES, bound)
    admin.execute(_NAMES)
    admin.execute(_RELATIONS, bound)
    admin.execute(_TRIGGERS.format("ENABLE").encode())
    admin.execute("ANALYZE entity_memory; ANALYZE relation_memory; ANALYZE entity_name")


def _timed(database: Database, entities: int) -> dict[str, Any]:
    step = max(entities // (ASKED + WARM_UP) // len(KINDS), 1) * len(KINDS)
    names = [f"method {number * step}" for number in range(WARM_UP + ASKED)]
    starts = {}
    with database.transaction(USER) as conn:
        for name in names:
            starts[name] = need_nodes(conn, name)
        hub = need_nodes(conn, "dataset 1")

    def around(name: str) -> int:
        with database.transaction(USER) as conn:
            return len(neighbours(conn, starts[name], depth=2, limit=10))

    def around_hub(name: str) -> int:
        with database.transaction(USER) as conn:
            return len(neighbours(conn, hub, depth=2, limit=10))

    def way(name: str) -> int:
        with database.transaction(USER) as conn:
            return len(shortest_path(conn, starts[name], starts[names[-1]]) or ())

    def alike(name: str) -> int:
        with database.transaction(USER) as conn:
            return len(related(conn, starts[name]))

    def enriched(name: str) -> int:
        asked = statement(f"What do I know of {name}?")
        return len(related_from_rows(database.batch(USER, [asked])[0]))

    return {
        "10 neighbours to depth 2": _milliseconds(around, names),
        "10 neighbours of the greatest hub to depth 2": _milliseconds(around_hub, names),
        "enrichment of a question": _milliseconds(enriched, names),
        "shortest path": _milliseconds(way, names),
        "related by shared neighbours": _milliseconds(alike, names),
    }


def _milliseconds(ask: Callable[[str], int], asked: list[str]) -> dict[str, float]:
    took: list[float] = []
    found: list[int] = []
    for each in asked:
        begun = time.perf_counter()
        found.append(ask(each))
        took.append((time.perf_counter() - begun) * 1000)
    timed = sorted(took[WARM_UP:])
    return {
        "median ms": round(statistics.median(timed), 1),
        "p95 ms": round(timed[int(0.95 * (len(timed) - 1))], 1),
        "found": round(statistics.mean(found), 1),
    }
