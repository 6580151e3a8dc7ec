"""A person's memories are recalled by meaning, words and graph together, the worthier first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.embedding import Embedder
from arxivscout.memory import categories, gate, vector_columns
from arxivscout.memory.candidate import Candidate, Link
from arxivscout.memory.hybrid.use import count_uses, shown_memories
from arxivscout.memory.postgres import Connection, Database
from arxivscout.memory.recall import recall
from arxivscout.memory.remembering import make_private
from arxivscout.memory.vector_memory import vector_text

JAX = (
    Candidate("fact", "We train our models with a framework for accelerators."),
    Candidate("tool", "JAX", name="JAX"),
    Candidate("organisation", "DeepMind", name="DeepMind"),
)
JAX_LINKS = (Link(0, "uses", 1), Link(1, "developed_by", 2))


def remember(
    database: Database,
    embedder: Embedder,
    *candidates: Candidate,
    links: tuple[Link, ...] = (),
    user: str = "ann",
) -> list[UUID]:
    vectors = embedder.embed_documents([each.text for each in candidates])
    with database.transaction(user) as conn:
        return [each.id for each in gate.remember(conn, candidates, links, vectors)]


def found(
    database: Database, embedder: Embedder, question: str, user: str = "ann", thread: str = "new"
) -> dict[str, list[dict[str, Any]]]:
    result = recall(
        database,
        user=user,
        thread_id=thread,
        turn_id=uuid4(),
        question=question,
        vector=vector_text(embedder.embed_query(question)) or "",
    )
    assert not result.failed
    return result.memory


def findings(database: Database, embedder: Embedder, question: str, **who: str) -> list[str]:
    return [row["text"] for row in found(database, embedder, question, **who)["findings"]]


def test_words_find_what_no_meaning_does(database: Database, embedder: Embedder) -> None:
    fillers = [Candidate("fact", f"Sample {n} was measured on day {n}.") for n in range(60)]
    remember(database, embedder, *fillers, Candidate("fact", "The key of the lab is QX7-Zulu."))
    assert "The key of the lab is QX7-Zulu." in findings(database, embedder, "QX7-Zulu")[:1]


def test_the_graph_leads_where_neither_words_nor_meaning_do(
    database: Database, embedder: Embedder
) -> None:
    remember(database, embedder, *JAX, links=JAX_LINKS)
    memory = found(database, embedder, "What has DeepMind to do with me?")
    assert [row["text"] for row in memory["findings"]] == [JAX[0].text]
    (related,) = memory["related"]
    assert related["name"] == "JAX"
    assert [step["predicate"] for step in related["via"]] == ["developed_by"]


def test_a_greeting_recalls_nothing(database: Database, embedder: Embedder) -> None:
    remember(database, embedder, *JAX, Candidate("finding", "Cores are shallow."), links=JAX_LINKS)
    memory = found(database, embedder, "Hello there!")
    assert memory["findings"] == memory["related"] == []


def test_of_two_alike_the_used_and_the_surer_comes_first(
    database: Database, embedder: Embedder
) -> None:
    alike = [
        Candidate("finding", "Dwarf galaxies have shallow cores.", source="0704.0001"),
        Candidate("finding", "Dwarf galaxies have shallow cusps.", source="0704.0002"),
    ]
    first, second = remember(database, embedder, *alike)
    question = "What is known about cores and cusps of dwarf galaxies?"
    before = findings(database, embedder, question)
    assert set(before) == {each.text for each in alike}
    last = second if before[1] == alike[1].text else first
    with database.transaction("ann") as conn:
        conn.execute("UPDATE entity_memory SET created_at = now() - interval '300 days'")
        conn.execute("INSERT INTO memory_use (memory_id, uses) VALUES (%s, 20)", [last])
        conn.execute("UPDATE entity_memory SET confidence = .4 WHERE langchain_id <> %s", [last])
    assert findings(database, embedder, question) == before[::-1]


@pytest.mark.parametrize(
    "change",
    ["valid_to = now()", "archived_at = now()"],
)
def test_what_holds_no_more_or_rests_is_not_recalled(
    database: Database, embedder: Embedder, change: str
) -> None:
    remember(database, embedder, *JAX, links=JAX_LINKS)
    question = "Which framework do we train with? Is it of DeepMind?"
    assert findings(database, embedder, question)
    with database.transaction("ann") as conn:
        conn.execute(f"UPDATE entity_memory SET {change}")  # type: ignore[arg-type]
    memory = found(database, embedder, question)
    assert memory["findings"] == memory["related"] == []


def test_nobody_recalls_what_others_remember(database: Database, embedder: Embedder) -> None:
    remember(database, embedder, *JAX, links=JAX_LINKS, user="bob")
    memory = found(database, embedder, "Which framework of DeepMind do we use?")
    assert memory["findings"] == memory["related"] == memory["preferences"] == []


def test_a_question_of_the_wrong_category_finds_it_all_the_same(
    database: Database, embedder: Embedder
) -> None:
    remember(
        database,
        embedder,
        *(Candidate("fact", f"We had lunch on day {n}.") for n in range(3)),
        Candidate("fact", "The telescope points at Draco.", filed_under="small talk"),
    )
    with database.transaction("ann") as conn:
        filed = conn.execute(
            "SELECT filed_under FROM entity_memory WHERE content LIKE '%%Draco.'"
        ).fetchone()
    assert filed == ("small talk",)
    question = "Which methods and data sets are used with the telescope?"
    assert findings(database, embedder, question) == ["The telescope points at Draco."]


def test_a_strict_preference_outlives_a_thousand_newer_ones(
    database: Database, embedder: Embedder
) -> None:
    strict = "Never show me papers on reinforcement learning."
    remember(database, embedder, Candidate("preference", strict))
    with database.transaction("ann") as conn:
        conn.execute(
            "INSERT INTO entity_memory (category, content, langchain_metadata, updated_at) "
            "SELECT 'preference', 'I like papers on learning, number ' || n, '{}', "
            "now() + n * interval '1 s' FROM generate_series(1, 1100) AS n"
        )
    for question in ("Which papers on galaxies are new?", "What is new in robot learning?"):
        shown = [row["text"] for row in found(database, embedder, question)["preferences"]]
        assert strict in shown and len(shown) <= 70


def test_many_memories_are_searched_by_the_index_of_their_category(
    database: Database, embedder: Embedder
) -> None:
    with database.transaction("ann") as conn:
        categories.categories(conn)
    categories.file_what_is_not(database, embedder, "ann")
    with database.admin() as admin:
        vector_columns.drop_vector_indexes(admin)
    with database.transaction("ann") as conn:
        conn.execute(
            """
            INSERT INTO entity_memory
                (category, filed_under, content, langchain_metadata, embedding)
            SELECT 'finding', 'findings', 'number ' || n, '{}',
                   (SELECT array_agg(sin(n * j) ORDER BY j) FROM generate_series(1, 384) AS j
                    WHERE n > 0)::vector
            FROM generate_series(1, 5100) AS n
            """
        )
    with database.admin() as admin:
        vector_columns.build_vector_indexes(admin)
        admin.execute("ANALYZE entity_memory")
    with database.transaction("ann") as conn:
        conn.execute("SET LOCAL hnsw.iterative_scan = strict_order")
        conn.execute("SET LOCAL hnsw.ef_search = 60")
        conn.execute("SET LOCAL enable_seqscan = off")
        (vector,) = conn.execute(
            "SELECT embedding::text FROM entity_memory WHERE content = 'number 77'"
        ).fetchone() or ("",)
        in_one = nearest_said(conn, vector, ["findings"], enough=1)
        in_all = nearest_said(conn, vector, [], enough=1)
        in_both = nearest_said(conn, vector, ["findings", "small talk"], enough=11)
        exact = conn.execute(
            "SELECT langchain_id FROM entity_memory "
            "ORDER BY (embedding <=> %s::vector) + 0 LIMIT 10",
            [vector],
        ).fetchall()
        plan = conn.execute(
            "EXPLAIN SELECT langchain_id FROM entity_memory WHERE filed_under = 'findings' "
            "AND valid_to IS NULL AND is_said(category) AND archived_at IS NULL "
            "ORDER BY embedding <=> %s::vector LIMIT 10",
            [vector],
        ).fetchall()
    assert "entity_filed_4" in str(plan)
    assert len(in_one) == len(in_all) == 10 and len(in_both) == 20
    assert all(len({*each} & {*exact}) >= 9 for each in (in_one, in_all, in_both))


def nearest_said(
    conn: Connection, vector: str, asked: list[str], *, enough: int
) -> list[tuple[UUID]]:
    return conn.execute(
        "SELECT langchain_id FROM nearest_said(%s::vector, %s::text[], 10, 10, 3, %s, false)",
        [vector, asked, enough],
    ).fetchall()


@given(
    filed=st.lists(st.sampled_from(["findings", "methods", "small talk"]), min_size=1, max_size=40),
    asked=st.lists(
        st.sampled_from(["findings", "methods", "preferences"]), unique=True, max_size=3
    ),
    enough=st.integers(0, 12),
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_few_memories_are_searched_in_categories_then_all(
    database: Database, filed: list[str], asked: list[str], enough: int
) -> None:
    turned = [[1.0, number / 10, *[0.0] * 382] for number in range(len(filed))]
    with database.transaction("ann") as conn:
        conn.execute("DELETE FROM entity_memory")
        ids = []
        for place, vector in zip(filed, turned, strict=True):
            row = conn.execute(
                "INSERT INTO entity_memory "
                "(category, filed_under, content, langchain_metadata, embedding) "
                "VALUES ('finding', NULL, 'x', '{}', %s::vector) RETURNING langchain_id",
                [vector_text(vector)],
            ).fetchone()
            assert row is not None
            ids.append(row[0])
            conn.execute(
                "UPDATE entity_memory SET filed_under = %s WHERE langchain_id = %s", [place, row[0]]
            )
        near = nearest_said(conn, vector_text(turned[0]) or "", asked, enough=enough)
    expected = [
        one
        for category in asked
        for one in [each for each, place in zip(ids, filed, strict=True) if place == category][:10]
    ]
    if len(expected) < enough:
        expected += ids[:10]
    assert sorted(row[0] for row in near) == sorted(expected)


def test_uses_are_counted_once_a_turn_for_what_is_still_there(
    database: Database, embedder: Embedder
) -> None:
    (kept,) = remember(database, embedder, Candidate("fact", "We use JAX."))
    turn = uuid4()
    report = [
        {"segment": "findings", "items": [{"source": str(kept)}, {"source": str(kept)}]},
        {"segment": "related", "items": [{"source": str(uuid4())}]},
        {"segment": "knowledge", "items": [{"source": "0704.0001"}]},
        {"segment": "findings", "items": [{"source": "no id"}, {"source": None}]},
    ]
    shown = shown_memories(report)
    assert len(shown) == 2
    count_uses(database, "ann", turn, shown)  # a turn that is not there uses nothing
    with database.transaction("ann") as conn:
        conn.execute(
            "INSERT INTO turn (turn_id, thread_id, question) VALUES (%s, 't', '?')", [turn]
        )
    for _ in range(2):
        count_uses(database, "ann", turn, shown)
        count_uses(database, "bob", turn, shown)
    with database.transaction("ann") as conn:
        assert conn.execute("SELECT memory_id, uses FROM memory_use").fetchall() == [(kept, 2)]
        conn.execute("DELETE FROM entity_memory")
        assert conn.execute("SELECT count(*) FROM memory_use").fetchone() == (0,)


def test_what_is_said_again_in_another_turn_is_one_edge_still(
    database: Database, embedder: Embedder
) -> None:
    for _ in range(2):
        turn = uuid4()
        said = [replace(each, turn_id=turn) for each in JAX]
        remember(database, embedder, *said, links=(*JAX_LINKS, Link(1, "extends", 1)))
    with database.transaction("ann") as conn:
        assert conn.execute("SELECT count(*) FROM relation_memory").fetchone() == (2,)


def test_a_broken_graph_leaves_what_always_counts(database: Database, embedder: Embedder) -> None:
    remember(database, embedder, *JAX, Candidate("preference", "I avoid simulations."))
    with database.admin() as admin:
        admin.execute("ALTER TABLE arxivscout.entity_name RENAME TO elsewhere")
    result = recall(
        database,
        user="ann",
        thread_id="new",
        turn_id=uuid4(),
        question="Which framework do we use?",
        vector=vector_text(embedder.embed_query("framework")) or "",
    )
    assert set(result.failed) == {"own", "lessons", "summaries"}
    assert all(why.endswith("read by meaning alone") for why in result.failed.values())
    assert [row["text"] for row in result.memory["preferences"]] == ["I avoid simulations."]


def test_one_plan_serves_everybody_on_a_connection(database: Database, embedder: Embedder) -> None:
    people = [f"person {number}" for number in range(3)]
    for person in people:
        remember(
            database, embedder, Candidate("fact", f"We use the code of {person}."), user=person
        )
    for _ in range(4):  # more often than it takes to keep a plan
        for person in people:
            told = findings(database, embedder, "Which code do we use?", user=person)
            assert told == [f"We use the code of {person}."]


def test_what_a_private_thread_taught_leads_nowhere_else(
    database: Database, embedder: Embedder
) -> None:
    secret = [replace(each, thread_id="secret") for each in JAX[:2]]
    remember(database, embedder, *secret, JAX[2], links=JAX_LINKS)
    question = "Which framework of DeepMind do we train with?"
    assert found(database, embedder, question)["related"]
    make_private(database, "ann", "secret", True)
    memory = found(database, embedder, question)
    assert memory["findings"] == memory["related"] == []
    assert found(database, embedder, question, thread="secret")["findings"]
