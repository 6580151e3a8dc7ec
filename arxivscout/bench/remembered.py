"""Conversations kept as memories, with a graph of who spoke, when, and of what by name.

Each message is a memory; it is joined to its speaker, to its session, to the names in it, and to
the words that few others have. That is what recall by the graph can go by where nothing was learned
from what was said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from arxivscout.bench.conversations import Conversation

if TYPE_CHECKING:
    from arxivscout.memory.postgres import Database

_NAME = re.compile(r"(?<![.!?…] )(?<!^)(?<!\w)[A-Z][\w'&-]+(?: [A-Z][\w'&-]+)*")
_WORD = re.compile(r"[a-z]{5,}")
LEAST_OFTEN = 2  # messages that name it: what is named once joins nothing
MOST_OFTEN = 15  # messages with a word that is taken for a topic; what is said all the time is none

_KEPT = "SELECT count(*) FROM entity_memory WHERE user_id = scout_user()"

_MEMORIES = """
INSERT INTO entity_memory (langchain_id, category, content, embedding, langchain_metadata,
                           thread_id, created_at, valid_from)
SELECT said.id, 'fact', speaker || ': ' || message_index.content, embedding, '{}', said.thread_id,
       said_at, said_at
FROM message_index JOIN conversational_memory AS said ON said.id = langchain_id
WHERE message_index.user_id = scout_user()
"""

_THINGS = """
INSERT INTO entity_memory (langchain_id, category, name, content, langchain_metadata)
SELECT gen_random_uuid(), 'concept', name, name, '{}' FROM unnest(%(names)s::text[]) AS name
"""

_EDGES = """
INSERT INTO relation_memory (subject_id, predicate, object_id, valid_from)
SELECT said.id, edge.predicate, thing.langchain_id, said.timestamp
FROM unnest(%(said)s::text[], %(predicates)s::text[], %(names)s::text[])
     AS edge (said, predicate, name)
JOIN conversational_memory AS said
  ON said.user_id = scout_user() AND said.metadata ->> 'said' = edge.said
JOIN entity_memory AS thing
  ON thing.user_id = scout_user() AND thing.category = 'concept' AND thing.name = edge.name
ON CONFLICT DO NOTHING
"""


def keep(database: Database, conversation: Conversation) -> bool:
    """Keep what was said as memories, once; False if it is kept already."""
    with database.transaction(conversation.user) as conn:
        row = conn.execute(_KEPT).fetchone()
        if row is not None and row[0]:
            return False
        edges = list(_edges(conversation))
        conn.execute(_MEMORIES)
        conn.execute(_THINGS, {"names": sorted({name for _, _, name in edges})})
        conn.execute(_EDGES, _columns(edges))
    return True


def _edges(conversation: Conversation) -> Iterator[tuple[str, str, str]]:
    """(message, predicate, name) of all that joins messages."""
    named = {each.id: set(_NAME.findall(each.text)) - {each.speaker} for each in conversation.said}
    topics = {each.id: set(_WORD.findall(each.text.lower())) for each in conversation.said}
    often = Counter(name for names in named.values() for name in names)
    common = Counter(word for words in topics.values() for word in words)
    for each in conversation.said:
        yield each.id, "said_by", each.speaker
        yield each.id, "said_in", f"session {each.session}"
        for name in sorted(named[each.id]):
            if often[name] >= LEAST_OFTEN:
                yield each.id, "mentions", name
        for word in sorted(topics[each.id]):
            if LEAST_OFTEN <= common[word] <= MOST_OFTEN:
                yield each.id, "about", word


def _columns(edges: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    said, predicates, names = zip(*edges, strict=True)
    return {"said": list(said), "predicates": list(predicates), "names": list(names)}
