"""The edges that the papers give: who wrote them, what cites what, what is about what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arxivscout.memory.graph.node import Edge, Node, paper_node

# Each branch costs nothing where its predicate or its nodes are not asked for.
OF_PAPERS = """
SELECT 'written_by' AS predicate, true AS outward, arxiv_id AS here, 'author' AS kind,
       author.key AS there,
       COALESCE(paper.langchain_metadata -> 'authors' ->> (author.place - 1)::int, author.key)
FROM paper_author JOIN semantic_memory AS paper USING (arxiv_id)
CROSS JOIN LATERAL unnest(keys) WITH ORDINALITY AS author (key, place)
WHERE 'written_by' = ANY (%(given)s::text[]) AND %(outward)s
  AND arxiv_id = ANY (%(papers)s::text[]) AND author.place <= %(fan_out)s AND author.key <> ''
UNION ALL
SELECT 'written_by', false, author, 'paper', linked.arxiv_id, linked.title
FROM unnest(%(authors)s::text[]) AS author CROSS JOIN LATERAL (
    SELECT arxiv_id, paper.langchain_metadata ->> 'title' AS title
    FROM paper_author JOIN semantic_memory AS paper USING (arxiv_id)
    WHERE keys @> ARRAY[author] ORDER BY submission_date DESC NULLS LAST LIMIT %(fan_out)s
) AS linked
WHERE 'written_by' = ANY (%(given)s::text[]) AND %(inward)s
UNION ALL
SELECT 'cites', true, citing.arxiv_id, 'paper', entry.named, paper.langchain_metadata ->> 'title'
FROM full_text AS citing CROSS JOIN LATERAL (
    SELECT named FROM unnest(cites) AS named LIMIT %(fan_out)s
) AS entry
LEFT JOIN semantic_memory AS paper ON paper.arxiv_id = entry.named
WHERE 'cites' = ANY (%(given)s::text[]) AND %(outward)s
  AND citing.arxiv_id = ANY (%(papers)s::text[])
UNION ALL
SELECT 'cites', false, asked.named, 'paper', linked.arxiv_id, linked.title
FROM unnest(%(papers)s::text[]) AS asked (named) CROSS JOIN LATERAL (
    SELECT arxiv_id, paper.langchain_metadata ->> 'title' AS title
    FROM full_text JOIN semantic_memory AS paper USING (arxiv_id)
    WHERE cites @> ARRAY[asked.named] ORDER BY submission_date DESC NULLS LAST LIMIT %(fan_out)s
) AS linked
WHERE 'cites' = ANY (%(given)s::text[]) AND %(inward)s
UNION ALL
SELECT 'in_category', true, arxiv_id, 'category', category, category
FROM semantic_memory CROSS JOIN LATERAL unnest(category_keys) AS category
WHERE 'in_category' = ANY (%(given)s::text[]) AND %(outward)s
  AND arxiv_id = ANY (%(papers)s::text[])
UNION ALL
SELECT 'in_category', false, category, 'paper', linked.arxiv_id, linked.title
FROM unnest(%(categories)s::text[]) AS category CROSS JOIN LATERAL (
    SELECT arxiv_id, langchain_metadata ->> 'title' AS title FROM semantic_memory
    WHERE category_keys @> ARRAY[category] AND arxiv_id IS NOT NULL
    ORDER BY submission_date DESC NULLS LAST LIMIT %(fan_out)s
) AS linked
WHERE 'in_category' = ANY (%(given)s::text[]) AND %(inward)s
UNION ALL
SELECT 'about', false, topic, 'paper', linked.arxiv_id, linked.title
FROM unnest(%(topics)s::text[], %(words)s::text[]) AS asked (topic, words) CROSS JOIN LATERAL (
    SELECT arxiv_id, langchain_metadata ->> 'title' AS title FROM semantic_memory
    WHERE content_tsv @@ plainto_tsquery('english', words) AND arxiv_id IS NOT NULL
    ORDER BY submission_date DESC NULLS LAST LIMIT %(fan_out)s
) AS linked
WHERE 'about' = ANY (%(given)s::text[]) AND %(inward)s
"""


def edge_of_papers(row: tuple[Any, ...], here: Mapping[str, Node]) -> Edge:
    """The edge of one row; `here` are the nodes that were asked for, by their keys."""
    predicate, outward, value, kind, there, label = row
    given_by = {"written_by": "author", "in_category": "category", "about": "topic"}
    start = here[f"{'paper' if outward else given_by.get(predicate, 'paper')}:{value}"]
    other = paper_node(there, label) if kind == "paper" else Node(f"{kind}:{there}", kind, label)
    subject, object_ = (start, other) if outward else (other, start)
    return Edge(subject, predicate, object_)
