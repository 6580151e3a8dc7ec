"""Papers are in the graph with who wrote them and what they cite; a person's are the same nodes."""

from __future__ import annotations

from typing import Any

import pytest
from graph_world import draw, paper
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.memory import document, entity
from arxivscout.memory.graph.edges import edges_at
from arxivscout.memory.graph.finding import find_nodes, need_nodes
from arxivscout.memory.graph.matching import Matches, match
from arxivscout.memory.graph.node import name_key
from arxivscout.memory.graph.paths import shortest_path
from arxivscout.memory.graph.pattern import parse_pattern
from arxivscout.memory.graph.telling import explained
from arxivscout.memory.graph.walks import neighbours
from arxivscout.memory.knowledge import merge_papers
from arxivscout.memory.paper_authors import author_keys
from arxivscout.memory.postgres import Database

VECTOR = [0.1] * 384
JETS = paper("0704.0001", "Jets", "Ada Lovelace", "Kurt Gödel", categories=("hep-ph",))
QUARKS = paper("0704.0002", "Quarks", "Kurt Gödel", "Emmy Noether", categories=("hep-ph", "hep-th"))
LATER = paper("0704.0003", "Later jets", "Emmy Noether")


def store(database: Database, *papers: Any) -> None:
    with database.shared() as conn:
        merge_papers(conn, [(each, VECTOR) for each in papers])


def cite(database: Database, arxiv_id: str, *cited: str) -> None:
    """A full text whose references are these."""
    with database.shared() as conn:
        conn.execute(
            "INSERT INTO full_text (arxiv_id, kind, cited, document_hash) VALUES "
            "(%s, 'pdf', (SELECT jsonb_agg(jsonb_build_object('text', 'x', 'arxiv_id', id)) "
            "FROM unnest(%s::text[]) AS id), gen_random_uuid()) "
            "ON CONFLICT (arxiv_id) DO UPDATE SET cited = EXCLUDED.cited",
            [arxiv_id, list(cited)],
        )


def bound(found: Matches, *names: str) -> list[tuple[str, ...]]:
    return sorted(tuple(row.bound[name].value for name in names) for row in found.rows)


def labels(database: Database, name: str, **how: Any) -> list[str]:
    with database.transaction("ann") as conn:
        found = neighbours(conn, need_nodes(conn, name), limit=50, **how)
    return sorted(each.node.label for each in found)


def test_authors_and_papers_are_neighbours(database: Database) -> None:
    store(database, JETS, QUARKS)
    assert labels(database, "0704.0001") == ["Ada Lovelace", "Kurt Gödel"]
    assert labels(database, "kurt godel") == ["[arXiv:0704.0001] Jets", "[arXiv:0704.0002] Quarks"]
    assert labels(database, "author:Emmy Noether") == ["[arXiv:0704.0002] Quarks"]
    assert "Emmy Noether" in labels(database, "ada lovelace", depth=4)


def test_two_of_one_surname_are_two(database: Database) -> None:
    store(database, JETS, paper("0704.0004", "Other", "K. Gödel", "Rudolf Gödel"))
    assert labels(database, "Kurt Gödel") == ["[arXiv:0704.0001] Jets"]


def test_an_update_replaces_who_wrote_it(database: Database) -> None:
    store(database, JETS)
    store(database, paper("0704.0001", "Jets", "Ada Lovelace", version=2))
    assert labels(database, "0704.0001") == ["Ada Lovelace"]
    with database.transaction("ann") as conn:
        assert find_nodes(conn, "kurt gödel") == []
    with database.shared() as conn:
        document.write(conn, "Jets\nanew", VECTOR, {"arxiv_id": "0704.0001", "title": "Jets",
                       "authors": ["Grace Hopper"], "version": 3})  # fmt: skip
    assert labels(database, "0704.0001") == ["Grace Hopper"]
    with database.shared() as conn:
        conn.execute("DELETE FROM semantic_memory")
        assert conn.execute("SELECT count(*) FROM paper_author").fetchone() == (0,)


def test_citations_come_from_full_texts_and_go_with_them(database: Database) -> None:
    store(database, JETS, QUARKS)
    cite(database, "0704.0002", "0704.0001", "0704.0001", "0704.0002", "1501.00001")
    quarks = labels(database, "0704.0002", predicates=["cites"])
    assert quarks == ["[arXiv:0704.0001] Jets", "[arXiv:1501.00001]"]
    assert labels(database, "0704.0001", predicates=["cites"]) == ["[arXiv:0704.0002] Quarks"]
    cite(database, "0704.0002", "1501.00002")
    assert labels(database, "0704.0002", predicates=["cites"]) == ["[arXiv:1501.00002]"]
    with database.shared() as conn:
        conn.execute("DELETE FROM semantic_memory WHERE arxiv_id = '0704.0002'")
        assert conn.execute("SELECT count(*) FROM full_text").fetchone() == (0,)


def test_categories_are_hubs_that_are_read_when_asked_for(database: Database) -> None:
    store(database, JETS, QUARKS)
    assert "hep-ph" not in labels(database, "0704.0001", depth=4)
    assert labels(database, "0704.0001", predicates=["in_category"]) == ["hep-ph"]
    assert labels(database, "category:hep-th", predicates=["in_category"]) == [
        "[arXiv:0704.0002] Quarks"
    ]


def test_a_persons_paper_and_author_are_the_shared_ones(database: Database) -> None:
    store(database, JETS, QUARKS)
    with database.transaction("ann") as conn:
        draw(conn, [("finding/jets cool", "about", "paper/0704.0001"),
                    ("person/ann", "interested_in", "author/Emmy  Noether")])  # fmt: skip
        path = shortest_path(conn, need_nodes(conn, "jets cool"), need_nodes(conn, "emmy noether"))
    assert path is not None
    assert [(edge.subject.key, edge.predicate, edge.object.key) for edge in path] == [
        ("finding:jets cool", "about", "paper:0704.0001"),
        ("paper:0704.0001", "written_by", "author:kurt godel"),
        ("paper:0704.0002", "written_by", "author:kurt godel"),
        ("paper:0704.0002", "written_by", "author:emmy noether"),
    ]
    assert explained(path)[1].endswith("was written by Kurt Gödel (by the record)")


def test_a_title_names_a_persons_paper(database: Database) -> None:
    with database.transaction("ann") as conn:
        entity.write(conn, "[arXiv:0704.0001] On Jets", None,
                     {"category": "paper", "name": "0704.0001", "title": "On Jets"})  # fmt: skip
        assert [node.key for node in need_nodes(conn, "on jets")] == ["paper:0704.0001"]


def test_papers_by_authors_who_worked_on_something_and_cite_another(database: Database) -> None:
    store(database, JETS, QUARKS, LATER)
    cite(database, "0704.0002", "0704.0001")
    pattern = parse_pattern(
        '?p written_by ?a; ?q written_by ?a; ?q about "later jet"; ?p cites 0704.0001'
    )
    with database.transaction("ann") as conn:
        found = match(conn, pattern)
    assert found.complete
    assert bound(found, "p", "a", "q") == [("0704.0002", "emmy noether", "0704.0003")]
    (row,) = found.rows
    assert {edge.predicate for edge in row.edges} == {"written_by", "about", "cites"}
    assert len(row.edges) == 4


def test_the_shared_graph_serves_everybody_and_a_persons_own_only_them(database: Database) -> None:
    store(database, JETS)
    with database.transaction("bob") as conn:
        draw(conn, [("method/secret", "about", "paper/0704.0001")])
        assert len(edges_at(conn, need_nodes(conn, "0704.0001"))) == 3
    with database.transaction("ann") as conn:
        assert len(edges_at(conn, need_nodes(conn, "0704.0001"))) == 2


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    names=st.lists(
        st.text(
            alphabet=st.characters(codec="utf-8", max_codepoint=0x2FFF, exclude_characters="\0"),
            max_size=20,
        ),
        max_size=8,
    )
)
def test_names_have_the_same_key_in_sql(database: Database, names: list[str]) -> None:
    with database.shared() as conn:
        rows = conn.execute(
            "SELECT author_keys(json_build_object('authors', %s::text[]))", [names]
        ).fetchone()
    assert rows == (author_keys(names),)


@pytest.mark.parametrize(
    "name", ["Kurt Gödel", "Łukasz Kaiser", "Ζήνων", "Иван Иванов", "王伟", "O’Neil, P."]
)
def test_usual_names_have_the_same_key_in_sql(database: Database, name: str) -> None:
    with database.shared() as conn:
        assert conn.execute("SELECT name_key(%s)", [name]).fetchone() == (name_key(name),)
