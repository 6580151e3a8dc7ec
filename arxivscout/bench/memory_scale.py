"""How long a turn's recall of one person's own memories takes when they have very many.

The graph of `bench graph`, whose nodes are memories of sentences here but for some: filed in
categories, with words of which some are common, and with all indexes. The vectors are random, so
that categories never give enough and every recall goes the long way.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arxivscout.bench import graph
from arxivscout.memory import categories, vector_columns
from arxivscout.memory.hybrid.statement import own_parameters, own_statement
from arxivscout.memory.opening import open_database
from arxivscout.memory.recall_stores import PLANNED_ONCE
from arxivscout.memory.vector_memory import vector_text

if TYPE_CHECKING:
    from psycopg import Connection

    from arxivscout.embedding import Embedder
    from arxivscout.settings import Settings

KINDS = ("fact", "finding", "decision", "fact", "finding", "question", "method", "tool")
ASKED = 100
WARM_UP = 20  # a plan is made at the sixth
_ASKED = "What did we find about method {number} on {topic}, and what of word{word}?"
_TOPICS = ("galaxies", "jets", "transformers", "axions", "neutrinos", "optimisers")

_COUNT = "SELECT count(*) FROM memory_word"
_TRIGGERS = "ALTER TABLE entity_memory {} TRIGGER USER"
_SAY = """
UPDATE entity_memory
SET filed_under = (ARRAY['findings', 'methods', 'active projects', 'small talk'])
                  [1 + (hashtext(langchain_id::text) & 65535) %% 4],
    content = content || ' on ' || (%(topics)s::text[])
              [1 + (hashtext(content) & 65535) %% cardinality(%(topics)s::text[])]
              || ' word' || (hashtext(content) & 65535) %% 3000
"""
_WORDS = """
INSERT INTO memory_word (user_id, lexeme, kept_at, memory_id, weight)
SELECT user_id, word.lexeme, created_at, langchain_id,
       word_weight(cardinality(word.positions), length(message_words(content)))
FROM entity_memory, unnest(message_words(content)) AS word
WHERE valid_to IS NULL AND is_said(category)
"""


def measure(
    settings: Settings,
    embedder: Embedder,
    memories: int,
    relations: int,
    notice: Callable[[str], None],
) -> dict[str, Any]:
    """Make the database below the home if it is not there, and time recalls of it."""
    alone = settings.model_copy(
        update={
            "home": settings.home / "bench" / f"memory-{memories}-{relations}",
            "database_url": None,
            "admin_database_url": None,
        }
    )
    alone.home.mkdir(parents=True, exist_ok=True)
    database = open_database(alone, identity=embedder.identity, notice=notice)
    try:
        with database.admin() as admin:
            (held,) = admin.execute(_COUNT).fetchone() or (0,)
            if not held:
                notice(f"Making {memories:,} memories and {relations:,} relations, once ...")
                _make(admin, memories, relations)
        with database.transaction(graph.USER) as conn:
            categories.categories(conn)
        categories.file_what_is_not(database, embedder, graph.USER)
        questions = [
            _ASKED.format(
                number=number * 97 % memories // 8 * 8 + 6,
                topic=_TOPICS[number % len(_TOPICS)],
                word=number * 31 % 3000,
            )
            for number in range(WARM_UP + ASKED)
        ]
        statement, took, found = own_statement(), [], []
        for question, vector in zip(questions, embedder.embed_array(questions), strict=True):
            bound = own_parameters(question, vector_text(vector.tolist()) or "")
            begun = time.perf_counter()
            rows = database.batch(graph.USER, [(PLANNED_ONCE, {}), (statement, bound)])[-1]
            took.append((time.perf_counter() - begun) * 1000)
            found.append(len(rows))
    finally:
        database.close()
    timed = sorted(took[WARM_UP:])
    return {
        "memories": memories,
        "relations": relations,
        "recalls": len(timed),
        "median_ms": round(statistics.median(timed), 1),
        "p90_ms": round(timed[int(len(timed) * 0.9)], 1),
        "memories recalled": round(statistics.fmean(found[WARM_UP:]), 1),
    }


def _make(admin: Connection[Any], memories: int, relations: int) -> None:
    graph.make(admin, memories, relations, KINDS)
    admin.execute(_TRIGGERS.format("DISABLE").encode())
    admin.execute(_SAY, {"topics": list(_TOPICS)})
    admin.execute(_WORDS)
    admin.execute(_TRIGGERS.format("ENABLE").encode())
    admin.commit()
    vector_columns.build_vector_indexes(admin)
    admin.commit()
    admin.autocommit = True
    admin.execute("VACUUM ANALYZE entity_memory")
    admin.execute("VACUUM ANALYZE memory_word")
    admin.execute("VACUUM ANALYZE relation_memory")
    admin.autocommit = False
