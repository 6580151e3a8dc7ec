"""What the graph adds to a recall: what is joined, in one step or two, to what a question names.

From the entities that the question names, and from what was found by words and meaning, weight
spreads along the edges: half of it at each step, less the more edges a node has, so that a hub
tells little. What is reached from several sides adds up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from arxivscout.memory.postgres import Rows, Statement

LIMIT = 10
MOST_READ = 2_000  # characters of a question in which names are looked for
_STARTS = 24  # nodes that a step goes on from, the weightiest
_EDGES = 12  # of a node, in each direction

# Nothing leads to or through what a private thread holds; in that thread it is recalled by itself.
_HIDDEN = "(SELECT threads FROM graph_private)::text[]"
_SEEN = f"COALESCE(entity.thread_id <> ALL ({_HIDDEN}), true)"
_SAID = f"COALESCE(properties ->> 'thread_id' <> ALL ({_HIDDEN}), true)"

# That a person looked at a paper joins all papers to all: it says nothing of what is related.
_EDGES_OF = f"""
    SELECT other, predicate, outward, since, confidence, count(*) OVER () AS degree FROM (
        (SELECT object_id AS other, predicate, true AS outward, valid_from AS since, confidence
         FROM relation_memory
         WHERE subject_id = start.langchain_id AND valid_to IS NULL AND predicate <> 'looked_at'
           AND {_SAID}
         ORDER BY valid_to DESC, confidence DESC, valid_from DESC LIMIT {_EDGES})
        UNION ALL
        (SELECT subject_id, predicate, false, valid_from, confidence FROM relation_memory
         WHERE object_id = start.langchain_id AND valid_to IS NULL AND predicate <> 'looked_at'
           AND {_SAID}
         ORDER BY valid_to DESC, confidence DESC, valid_from DESC LIMIT {_EDGES})
    ) AS edge
"""  # noqa: S608

# A person's own node is joined to all that is theirs: no way goes through it.
_CTES = f"""
graph_private AS MATERIALIZED (
    SELECT array_agg(thread_id::text) AS threads FROM thread
    WHERE user_id = scout_user() AND private
), graph_grams AS MATERIALIZED (
    SELECT gram, more FROM name_grams(%(graph_question)s::text)
), graph_named AS MATERIALIZED (
    SELECT DISTINCT entity_id AS langchain_id FROM entity_name
    WHERE user_id = scout_user() AND key = ANY (ARRAY(SELECT gram FROM graph_grams))
    LIMIT {_STARTS}
), graph_starts AS MATERIALIZED (
    SELECT langchain_id, max(start.score) AS score, bool_or(named) AS named,
           min(entity.category) AS category, min(entity.name) AS name
    FROM (SELECT langchain_id, 1::real AS score, true AS named FROM graph_named
          UNION ALL SELECT langchain_id, score, false FROM {{hits}}) AS start
    JOIN entity_memory AS entity USING (langchain_id)
    WHERE entity.valid_to IS NULL AND entity.category IS DISTINCT FROM 'person' AND {_SEEN}
    GROUP BY langchain_id ORDER BY score DESC, langchain_id LIMIT {_STARTS}
), graph_papers AS MATERIALIZED (
    SELECT start.langchain_id AS start, paper.langchain_id AS other, 'cites' AS predicate,
           linked.outward, start.score
    FROM graph_starts AS start CROSS JOIN LATERAL (
        (SELECT unnest(cites) AS arxiv_id, true AS outward FROM full_text
         WHERE arxiv_id = start.name LIMIT {_EDGES})
        UNION ALL
        (SELECT arxiv_id, false FROM full_text WHERE cites @> ARRAY[start.name] LIMIT {_EDGES})
    ) AS linked CROSS JOIN LATERAL (
        SELECT langchain_id FROM entity_memory
        WHERE user_id = scout_user() AND category = 'paper' AND name = linked.arxiv_id
          AND valid_to IS NULL
        OFFSET 0  -- the papers that are linked are few, and the person's may be many
    ) AS paper
    WHERE start.category = 'paper'
), graph_first AS MATERIALIZED (
    SELECT start.langchain_id AS start, NULL AS said, edge.other, edge.predicate, edge.outward,
           edge.since, start.score * edge.confidence * 0.5 / (1 + ln(edge.degree)) AS score
    FROM graph_starts AS start CROSS JOIN LATERAL ({_EDGES_OF}) AS edge
    UNION ALL
    SELECT start, NULL, other, predicate, outward, NULL, score * 0.5 / 3 FROM graph_papers
    UNION ALL
    (SELECT NULL,
            (SELECT key FROM unnest(author.keys) AS key JOIN graph_grams ON gram = key LIMIT 1),
            paper.langchain_id, 'written_by', false, NULL, 0.25
     FROM paper_author AS author JOIN entity_memory AS paper ON paper.user_id = scout_user()
      AND paper.category = 'paper' AND paper.name = author.arxiv_id AND paper.valid_to IS NULL
     WHERE author.keys && ARRAY(SELECT gram FROM graph_grams WHERE more > 0) LIMIT {_EDGES})
), graph_middle AS MATERIALIZED (
    SELECT other AS langchain_id, sum(score) AS score,
           (array_agg(start ORDER BY score DESC))[1] AS start,
           (array_agg(said ORDER BY score DESC))[1] AS said,
           (array_agg(predicate ORDER BY score DESC))[1] AS predicate,
           (array_agg(outward ORDER BY score DESC))[1] AS outward,
           (array_agg(since ORDER BY score DESC))[1] AS since
    FROM graph_first GROUP BY other
), graph_onward AS MATERIALIZED (
    SELECT middle.* FROM graph_middle AS middle JOIN entity_memory AS entity USING (langchain_id)
    WHERE entity.valid_to IS NULL AND entity.category IS DISTINCT FROM 'person' AND {_SEEN}
      AND langchain_id NOT IN (SELECT langchain_id FROM graph_starts)
    ORDER BY middle.score DESC, langchain_id LIMIT {_STARTS}
), graph_reached AS (
    SELECT langchain_id, 0 AS distance, score, NULL::uuid AS start, NULL AS said,
           NULL AS predicate, NULL::boolean AS outward, NULL::timestamptz AS since
    FROM graph_starts WHERE named
    UNION ALL
    SELECT langchain_id, 1, score, start, said, predicate, outward, since FROM graph_middle
    UNION ALL
    SELECT edge.other, 2, start.score * edge.confidence * 0.5 / (1 + ln(edge.degree)),
           start.langchain_id, NULL, edge.predicate, edge.outward, edge.since
    FROM graph_onward AS start CROSS JOIN LATERAL ({_EDGES_OF}) AS edge
    WHERE edge.other IS DISTINCT FROM start.start
), graph_scored AS MATERIALIZED (
    SELECT langchain_id, min(distance) AS distance, sum(score)::real AS score,
           (array_agg(start ORDER BY distance, score DESC))[1] AS start,
           (array_agg(said ORDER BY distance, score DESC))[1] AS said,
           (array_agg(predicate ORDER BY distance, score DESC))[1] AS predicate,
           (array_agg(outward ORDER BY distance, score DESC))[1] AS outward,
           (array_agg(since ORDER BY distance, score DESC))[1] AS since
    FROM graph_reached GROUP BY langchain_id
), graph_best AS MATERIALIZED (
    SELECT scored.* FROM (
        SELECT * FROM graph_scored ORDER BY score DESC, langchain_id LIMIT 4 * %(graph_limit)s
    ) AS scored JOIN entity_memory AS entity USING (langchain_id)
    WHERE entity.valid_to IS NULL AND entity.archived_at IS NULL
      AND entity.category IS DISTINCT FROM 'person' AND {_SEEN}
    ORDER BY scored.score DESC, langchain_id LIMIT %(graph_limit)s
), graph_steps AS (
    SELECT best.langchain_id, 1 AS place, middle.start, middle.said, middle.langchain_id AS other,
           middle.predicate, middle.outward, middle.since
    FROM graph_best AS best JOIN graph_middle AS middle ON middle.langchain_id = best.start
    WHERE best.distance = 2
    UNION ALL
    SELECT langchain_id, 2, start, said, langchain_id, predicate, outward, since
    FROM graph_best WHERE distance > 0
), graph_told AS MATERIALIZED (
    SELECT langchain_id, jsonb_agg(jsonb_build_object(
               'subject', CASE WHEN outward THEN here ELSE there END,
               'predicate', predicate,
               'object', CASE WHEN outward THEN there ELSE here END,
               'since', since) ORDER BY place) AS via
    FROM graph_steps, LATERAL (
        SELECT COALESCE(said, entity_label(start)) AS here, entity_label(other) AS there
        OFFSET 0  -- each label is read once
    ) AS ends
    GROUP BY langchain_id
), related AS MATERIALIZED (
    SELECT langchain_id, best.distance, best.score, COALESCE(told.via, '[]') AS via
    FROM graph_best AS best LEFT JOIN graph_told AS told USING (langchain_id)
)"""  # noqa: S608

_ALONE = f"""
WITH hits AS MATERIALIZED (
    SELECT * FROM unnest(%(graph_hits)s::uuid[], %(graph_scores)s::real[])
        AS hit (langchain_id, score)
), {_CTES.format(hits="hits")}
SELECT langchain_id, entity.category, entity.name, entity.content, entity.updated_at,
       entity.thread_id, entity.reason, related.distance, related.score, related.via
FROM related JOIN entity_memory AS entity USING (langchain_id)
ORDER BY related.score DESC, langchain_id
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Related:
    """A memory that the graph leads to.

    Attributes:
        distance: steps from what the question names or what was found; 0 if it is named itself.
        score: weight that reached it, above 0; 1 is what a name in the question gives.
        via: the edges that lead to it, nearest first: subject, predicate, object, since.
    """

    id: UUID
    kind: str | None
    name: str | None
    text: str
    at: datetime
    thread_id: str | None
    reason: str | None
    distance: int
    score: float
    via: Sequence[Mapping[str, Any]]


def related_ctes(hits: str) -> str:
    """CTEs to put behind one's own `WITH`, the last of which is `related`.

    Its columns: langchain_id, distance, score, via. They need `parameters`.

    Args:
        hits: name of a CTE with columns (langchain_id uuid, score real from 0 to 1).
    """
    return _CTES.format(hits=hits)


def parameters(question: str, limit: int = LIMIT) -> dict[str, Any]:
    """What `related_ctes` is bound to."""
    return {"graph_question": question[:MOST_READ], "graph_limit": limit}


def statement(
    question: str, hits: Sequence[tuple[UUID, float]] = (), limit: int = LIMIT
) -> Statement:
    """The whole of it as one statement of a batch; its rows are for `related_from_rows`."""
    given = {
        "graph_hits": [each for each, _ in hits],
        "graph_scores": [score for _, score in hits],
    }
    return _ALONE, parameters(question, limit) | given


def related_from_rows(rows: Rows) -> list[Related]:
    """What is related, the best first."""
    return [Related(*row) for row in rows]
