"""What a question names leads to what is joined to it, in one statement."""

from __future__ import annotations

from uuid import UUID

import pytest
from graph_world import draw, paper, thing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.memory import entity
from arxivscout.memory.graph.enrich import Related, related_from_rows, statement
from arxivscout.memory.knowledge import merge_papers
from arxivscout.memory.postgres import Database


def related(
    database: Database, question: str, hits: list[tuple[UUID, float]] | None = None, limit: int = 10
) -> list[Related]:
    (rows,) = database.batch("ann", [statement(question, hits or [], limit)])
    return related_from_rows(rows)


def names(found: list[Related]) -> dict[str | None, int]:
    return {each.name or each.text: each.distance for each in found}


def test_what_a_question_names_is_found_with_what_is_two_steps_away(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("LoRA", "extends", "fine-tuning"), ("fine-tuning", "uses", "Adam"),
                    ("Adam", "extends", "SGD"), ("GLUE", "part_of", "SuperGLUE")])  # fmt: skip
    found = related(database, "Should I use LoRA here?")
    assert names(found) == {"LoRA": 0, "fine-tuning": 1, "Adam": 2}
    last = next(each for each in found if each.name == "Adam")
    assert [(step["subject"], step["predicate"], step["object"]) for step in last.via] == [
        ("LoRA", "extends", "fine-tuning"),
        ("fine-tuning", "uses", "Adam"),
    ]
    assert all(step["since"] for step in last.via)
    assert found[0].score > found[1].score > found[2].score > 0


def test_a_hit_leads_on_as_far_as_it_is_sure(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("a", "uses", "b"), ("c", "uses", "d")])
    found = related(database, "what now?", [(ids["a"], 0.9), (ids["c"], 0.2)])
    assert names(found) == {"b": 1, "d": 1}
    assert found[0].name == "b"


def test_what_several_ways_lead_to_comes_first(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("LoRA", "uses", "one"), ("LoRA", "uses", "two"), ("GLUE", "about", "two")])
    found = related(database, "LoRA on GLUE")
    assert next(each.name for each in found if each.distance == 1) == "two"


def test_small_words_name_nothing_and_names_of_several_words_are_found(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("IT", "uses", "x"), ("sparse attention", "uses", "y")])
    assert names(related(database, "Is it all the same?")) == {}
    assert names(related(database, "Tell me of Sparse Attention!")) == {
        "sparse attention": 0, "y": 1
    }  # fmt: skip


def test_what_is_forgotten_archived_or_anothers_is_not_shown(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("LoRA", "uses", "old"), ("LoRA", "uses", "away"), ("old", "uses", "z")])
        entity.forget(conn, ids["old"])
        conn.execute(
            "UPDATE entity_memory SET archived_at = now() WHERE langchain_id = %s", [ids["away"]]
        )
    with database.transaction("bob") as conn:
        draw(conn, [("LoRA", "uses", "secret")])
    assert names(related(database, "LoRA")) == {"LoRA": 0}


def test_nothing_leads_to_or_through_what_a_private_thread_holds(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("LoRA", "uses", "secret"), ("secret", "uses", "beyond"),
                          ("LoRA", "uses", "open")])  # fmt: skip
        conn.execute(
            "UPDATE entity_memory SET thread_id = 'hidden' WHERE langchain_id = %s", [ids["secret"]]
        )
        conn.execute(
            "INSERT INTO thread (thread_id, private) VALUES ('hidden', true), ('u', false)"
        )
    assert names(related(database, "LoRA")) == {"LoRA": 0, "open": 1}
    assert names(related(database, "secret?", [(ids["secret"], 1.0)])) == {}


def test_that_papers_were_looked_at_relates_nothing(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("person/ann", "looked_at", "paper/0704.0001"),
                    ("person/ann", "looked_at", "paper/0704.0002")])  # fmt: skip
    assert names(related(database, "what of 0704.0001?")) == {"0704.0001": 0}


def test_an_author_in_the_question_leads_to_what_was_kept_of_their_papers(
    database: Database,
) -> None:
    with database.shared() as conn:
        merge_papers(conn, [(paper("0704.0001", "Jets", "Ada Lovelace"), [0.1] * 384)])
    with database.transaction("ann") as conn:
        draw(conn, [("finding/jets cool", "about", "paper/0704.0001")])
    found = related(database, "What did ada lovelace find?")
    assert names(found) == {"0704.0001": 1, "jets cool": 2}
    assert found[0].via[0] == {
        "subject": "the paper 0704.0001", "predicate": "written_by", "object": "ada lovelace",
        "since": None,
    }  # fmt: skip


def test_papers_that_cite_each_other_are_related(database: Database) -> None:
    with database.transaction("ann") as conn:
        thing(conn, "paper/0704.0001")
        thing(conn, "paper/0704.0002")
        conn.execute(
            "INSERT INTO full_text (arxiv_id, kind, cited, document_hash) VALUES ('0704.0002', "
            "'pdf', '[{\"arxiv_id\": \"0704.0001\"}]', gen_random_uuid())"
        )
    assert names(related(database, "on 0704.0001")) == {"0704.0001": 0, "0704.0002": 1}


@pytest.mark.parametrize(
    "question", ["", "?", "\u2028", "'; DROP TABLE turn; --", "%s {0}", "a" * 9_000]
)
def test_any_question_can_be_asked(database: Database, question: str) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("LoRA", "uses", "JAX")])
    assert related(database, question) == []


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    question=st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=60),
    limit=st.integers(1, 3),
)
def test_no_more_is_found_than_asked_for(database: Database, question: str, limit: int) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("LoRA", "uses", "JAX"), ("LoRA", "uses", "GLUE"), ("LoRA", "uses", "Adam")])
    assert len(related(database, f"{question} lora", limit=limit)) <= limit
