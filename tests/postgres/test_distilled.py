"""Lessons and summaries are recalled by words and by what a question names too."""

from __future__ import annotations

from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.embedding import Embedder
from arxivscout.memory import gate, lesson_learning, summary
from arxivscout.memory.candidate import Candidate
from arxivscout.memory.postgres import Connection, Database
from arxivscout.memory.recall import recall
from arxivscout.memory.remembering import make_private
from arxivscout.memory.vector_memory import vector_text
from arxivscout.reflection.drafts import Draft

CODE = "Runs on node QX7-Zulu are repeated before they are believed."
_POSTINGS = "SELECT store, lexeme, memory_id, weight FROM distilled_word ORDER BY 1, 2, 3"


class Ann:
    """One person's lessons and summaries, and what is recalled of them."""

    def __init__(self, database: Database, embedder: Embedder, user: str = "ann") -> None:
        self.database, self.embedder, self.user = database, embedder, user

    def learn(self, statement: str, concept: str | None = None) -> None:
        draft = Draft("rule", concept or f"c {uuid4()}", statement, "it was so")
        with self.database.transaction(self.user) as conn:
            vector = self.embedder.embed_query(statement)
            lesson_learning.learn(conn, draft, vector, by="rules")

    def condense(self, text: str, thread: str) -> None:
        with self.database.transaction(self.user) as conn:
            summary.write(conn, text, self.embedder.embed_query(text), {"thread_id": thread})

    def know(self, *things: Candidate) -> None:
        vectors = self.embedder.embed_documents([each.text for each in things])
        with self.database.transaction(self.user) as conn:
            gate.remember(conn, things, (), vectors)

    def recalls(self, segment: str, question: str, *, meaning: str | None = None) -> list[str]:
        result = recall(
            self.database,
            user=self.user,
            thread_id="new",
            turn_id=uuid4(),
            question=question,
            vector=vector_text(self.embedder.embed_query(meaning or question)) or "",
        )
        assert not result.failed
        return [row["text"] for row in result.memory[segment]]


@pytest.fixture
def ann(database: Database, embedder: Embedder) -> Ann:
    return Ann(database, embedder)


def test_a_lesson_is_found_by_a_word_that_means_nothing(ann: Ann) -> None:
    for number in range(12):
        ann.learn(f"Sample {number} is looked at on day {number}.")
    ann.learn(CODE)
    # the vector is of something else altogether
    assert ann.recalls("lessons", "QX7-Zulu?", meaning="Bake the bread for an hour.") == [CODE]


def test_a_summary_is_found_by_its_words_among_many(ann: Ann) -> None:
    for number in range(12):
        ann.condense(f"The person asked for the weather of day {number}.", f"t{number}")
    told = "They compared accelerators. " * 20 + CODE
    ann.condense(told, "runs")
    shown = ann.recalls("summaries", "QX7-Zulu", meaning="Bake the bread for an hour.")
    assert shown == [told]


def test_what_a_question_names_is_found_under_its_other_name(ann: Ann) -> None:
    ann.know(Candidate("method", "CALICO", name="CALICO", aliases=("Quiet Lattice Sampling",)))
    ann.learn("Quiet lattice sampling fails when the batch is small.", "batch size")
    ann.condense("Quiet lattice sampling was left for later.", "old")
    for segment in ("lessons", "summaries"):
        (text,) = ann.recalls(segment, "Shall I use CALICO?", meaning="Bake the bread.")
        assert text.startswith("Quiet lattice sampling")


def test_a_name_of_a_private_thread_leads_nowhere(ann: Ann) -> None:
    ann.know(
        Candidate(
            "method",
            "CALICO",
            name="CALICO",
            aliases=("Quiet Lattice Sampling",),
            thread_id="secret",
        )
    )
    ann.learn("Quiet lattice sampling fails when the batch is small.", "batch size")
    make_private(ann.database, "ann", "secret", True)
    assert ann.recalls("lessons", "Shall I use CALICO?", meaning="Bake the bread.") == []


def test_words_come_in_beside_meaning_and_before_it_where_they_tell_more(ann: Ann) -> None:
    for number in range(8):
        ann.learn(f"Galaxies of survey {number} are faint.")
    ann.learn("Galaxies of survey QX7-Zulu are bright.")
    shown = ann.recalls("lessons", "How bright are galaxies of QX7-Zulu?")
    assert shown[0] == "Galaxies of survey QX7-Zulu are bright." and len(shown) == 8


def test_a_greeting_and_a_few_words_in_common_find_none(ann: Ann) -> None:
    ann.learn(CODE)
    ann.condense(CODE, "runs")
    for question in (
        "Hello there!",
        "Are they?",
        "",
        "Which of the nodes was it, and on which day?",
    ):
        assert ann.recalls("lessons", question, meaning="Bake the bread.") == []
        assert ann.recalls("summaries", question, meaning="Bake the bread.") == []


def test_nobody_finds_what_others_learned(ann: Ann, embedder: Embedder) -> None:
    ann.learn(CODE)
    ann.condense(CODE, "runs")
    bob = Ann(ann.database, embedder, "bob")
    assert bob.recalls("lessons", CODE) == bob.recalls("summaries", CODE) == []


def postings(conn: Connection) -> list[tuple[object, ...]]:
    return conn.execute(_POSTINGS).fetchall()


@given(st.lists(st.tuples(st.sampled_from("adum"), st.text(max_size=60)), max_size=8))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_words_are_kept_in_step_with_what_holds(
    database: Database, steps: list[tuple[str, str]]
) -> None:
    with database.transaction("ann") as conn:
        conn.execute("DELETE FROM lesson_memory")
        conn.execute("DELETE FROM summary_memory")
        for number, (step, text) in enumerate(steps):
            said = text.encode("utf-8", "ignore").decode().replace("\0", "")
            if step == "a":
                conn.execute(
                    "INSERT INTO lesson_memory (content, kind, concept) VALUES (%s, 'rule', %s)",
                    [said, f"c{number}"],
                )
                conn.execute("INSERT INTO summary_memory (content) VALUES (%s)", [said])
            elif step == "u":
                conn.execute("UPDATE lesson_memory SET content = %s", [said])
                conn.execute("UPDATE summary_memory SET content = %s", [said])
            elif step == "m":
                conn.execute(
                    "UPDATE lesson_memory SET valid_to = now() WHERE content <> %s", [said]
                )
            else:
                conn.execute("DELETE FROM summary_memory WHERE content <> %s", [said])
        kept = postings(conn)
        conn.execute("DELETE FROM distilled_word")
        conn.execute(
            """
            INSERT INTO distilled_word (user_id, store, lexeme, kept_at, memory_id, weight)
            SELECT user_id, store, word.lexeme, created_at, langchain_id,
                   distilled_weight(store, cardinality(word.positions), length(words))
            FROM (SELECT user_id, 'lesson_memory' AS store, created_at, langchain_id,
                         distilled_words(lesson) AS words FROM lesson_memory AS lesson
                  UNION ALL
                  SELECT user_id, 'summary_memory', created_at, langchain_id,
                         distilled_words(summary) FROM summary_memory AS summary) AS held,
                 unnest(words) AS word
            """
        )
        assert kept == postings(conn)
