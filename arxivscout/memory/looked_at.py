"""That a person looked at papers: what a turn or a report cites is known to them from then on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from psycopg.types.json import Json

from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.postgres import Database, Statement
from arxivscout.memory.vector_memory import LOCK_KIND

_WRITE_PERSON = """
INSERT INTO entity_memory (category, name, content, embedding, langchain_metadata)
VALUES ('person', %(user)s::text, %(content)s::text, %(vector)s::vector, %(metadata)s)
ON CONFLICT (user_id, category, name) WHERE name IS NOT NULL AND valid_to IS NULL DO NOTHING
"""

# A cited paper becomes an entity with the vector that the knowledge base already holds. Edges tell
# when it was looked at: touching the row at every turn would fill the index with its versions.
_WRITE_PAPERS = """
INSERT INTO entity_memory (category, name, content, embedding, langchain_metadata, thread_id,
                           turn_id)
SELECT 'paper', s.arxiv_id,
       '[arXiv:' || s.arxiv_id || '] ' || COALESCE(s.langchain_metadata ->> 'title', s.content),
       s.embedding,
       json_build_object('category', 'paper', 'arxiv_id', s.arxiv_id,
                         'title', s.langchain_metadata ->> 'title'),
       %(thread)s::text, %(turn)s
FROM semantic_memory AS s WHERE s.arxiv_id = ANY(%(cited)s)
ORDER BY s.arxiv_id
ON CONFLICT (user_id, category, name) WHERE name IS NOT NULL AND valid_to IS NULL DO NOTHING
"""

TAKE_BACK_LOOKED_AT = """
DELETE FROM relation_memory
WHERE turn_id = %(turn)s AND predicate = 'looked_at' AND object_id NOT IN (
    SELECT langchain_id FROM entity_memory WHERE category = 'paper' AND name = ANY(%(cited)s))
"""

_WRITE_EDGES = """
INSERT INTO relation_memory (subject_id, predicate, object_id, properties, source, turn_id)
SELECT person.langchain_id, 'looked_at', paper.langchain_id,
       jsonb_build_object('question', %(question)s::text, 'thread_id', %(thread)s::text),
       'turn', %(turn)s
FROM entity_memory AS person, entity_memory AS paper
WHERE person.category = 'person' AND person.name = %(user)s::text AND person.valid_to IS NULL
  AND paper.category = 'paper' AND paper.name = ANY(%(cited)s) AND paper.valid_to IS NULL
ON CONFLICT DO NOTHING
"""


def looked_at(base: dict[str, Any], person: str | None) -> list[Statement]:
    """What remembers that the person looked at `base["cited"]`; `person`: their own vector."""
    user = base["user"]
    own = {
        "content": person_text(user),
        "vector": person,
        "metadata": Json({"category": "person", "name": user}),
    }
    return [(_WRITE_PERSON, {**base, **own}), (_WRITE_PAPERS, base), (_WRITE_EDGES, base)]


def remember_cited(
    database: Database,
    user: str,
    thread_id: str,
    turn: UUID,
    question: str,
    arxiv_ids: Sequence[str],
) -> None:
    """Remember that the person looked at these papers, which a report cites beside its turns.

    Args:
        turn: the turn of the report's question, with which they are taken back.
    """
    bound = {
        "user": user,
        "thread": thread_id,
        "turn": turn,
        "question": kept_text(question),
        "cited": list(arxiv_ids),
    }
    database.batch(user, [(LOCK_KIND, {"kind": "entity"}), *looked_at(bound, None)], turn)


def person_text(user: str) -> str:
    """The researcher as an entity."""
    return f"{user}, the researcher"
