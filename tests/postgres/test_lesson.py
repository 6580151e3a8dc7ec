"""Lessons: cases are counted, the same is merged, another supersedes, the person's word ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from arxivscout.embedding import Embedder
from arxivscout.errors import NotFound
from arxivscout.memory import episode, lesson
from arxivscout.memory.episode import Done
from arxivscout.memory.lesson import Lesson
from arxivscout.memory.lesson_learning import Learned, end, learn, reinforce
from arxivscout.memory.postgres import Database
from arxivscout.reflection.drafts import Draft

SHORT = Draft("preference", "length of answers", "Keep answers short.", "said so", general=True)


class Ann:
    """One person's episodes and lessons."""

    def __init__(self, database: Database, embedder: Embedder, user: str = "ann") -> None:
        self.database, self.embedder, self.user = database, embedder, user

    def episodes(self, count: int) -> list[UUID]:
        with self.database.transaction(self.user) as conn:
            made = [episode.write(conn, Done("x", "x"), [0.1] * 384) for _ in range(count)]
        return [each for each in made if each]

    def learn(self, draft: Draft, seen: Sequence[UUID] = (), by: str = "rules") -> Learned:
        vector = self.embedder.embed_query(draft.statement)
        with self.database.transaction(self.user) as conn:
            return learn(conn, draft, vector, by=by, seen=seen)

    def lessons(self, *, ended: bool = False) -> list[Lesson]:
        with self.database.transaction(self.user) as conn:
            return sorted(lesson.read(conn, ended=ended), key=lambda each: each.statement)

    def counts(self) -> list[tuple[str, int, int]]:
        return [(each.statement, each.cases_for, each.cases_against) for each in self.lessons()]

    def logged(self) -> int:
        with self.database.transaction(self.user) as conn:
            row = conn.execute(
                "SELECT count(*) FROM change_log WHERE table_name LIKE 'lesson%'"
            ).fetchone()
        assert row is not None
        return int(row[0])


@pytest.fixture
def ann(database: Database, embedder: Embedder) -> Ann:
    return Ann(database, embedder)


def test_the_same_lesson_again_changes_nothing_and_more_cases_are_counted(ann: Ann) -> None:
    one, two, three, four = ann.episodes(4)
    draft = replace(SHORT, supports=(one, two, three))
    first = ann.learn(draft)
    assert (first.change, ann.counts()) == ("added", [("Keep answers short.", 3, 0)])
    logged = ann.logged()
    assert ann.learn(draft) == replace(first, change="unchanged")
    assert ann.logged() == logged
    more = ann.learn(replace(draft, against=(four,)))
    assert (more.id, more.change) == (first.id, "merged")
    assert ann.counts() == [("Keep answers short.", 3, 1)]


def test_another_statement_on_its_concept_supersedes_it(ann: Ann) -> None:
    cases = ann.episodes(6)
    old = ann.learn(replace(SHORT, supports=tuple(cases[:3])))
    long = replace(SHORT, statement="Give long answers.", supports=tuple(cases[3:]))
    new = ann.learn(replace(long, against=tuple(cases[:3])))
    assert new.change == "superseded"
    assert ann.counts() == [("Give long answers.", 3, 3)]
    with ann.database.transaction("ann") as conn:
        rows = conn.execute(
            "SELECT superseded_by, valid_to IS NOT NULL FROM lesson_memory WHERE langchain_id = %s",
            [old.id],
        ).fetchall()
    assert rows == [(new.id, True)]


def test_a_lesson_ends_when_its_cases_turn_or_are_gone(ann: Ann) -> None:
    one, two, three = ann.episodes(3)
    gap = Draft("gap", "mesons", "Nothing was found on “mesons”.", supports=(one,))
    ann.learn(gap)
    closed = ann.learn(replace(gap, against=(two,), holds=False))
    assert (closed.change, ann.lessons()) == ("ended", [])
    assert ann.learn(replace(gap, holds=False)).change == "unchanged"
    ann.learn(replace(gap, supports=(one, three)))
    assert ann.counts() == [(gap.statement, 2, 0)]
    with ann.database.transaction("ann") as conn:
        conn.execute("DELETE FROM episode_memory WHERE langchain_id = %s", [three])
    assert ann.counts() == [(gap.statement, 1, 0)]
    with ann.database.transaction("ann") as conn:
        conn.execute("DELETE FROM episode_memory")
    assert ann.lessons() == []
    assert len(ann.lessons(ended=True)) == 2


def test_what_is_no_case_any_more_is_taken_away(ann: Ann) -> None:
    one, two, three = ann.episodes(3)
    ann.learn(replace(SHORT, supports=(one, two)))
    ann.learn(replace(SHORT, supports=(one,), against=(three,)), seen=(one, two, three))
    assert ann.counts() == [("Keep answers short.", 1, 1)]
    ann.learn(replace(SHORT, supports=(three,)), seen=())
    assert ann.counts() == [("Keep answers short.", 2, 0)]


def test_the_persons_word_counts_and_ends_what_it_is_against(ann: Ann) -> None:
    cases = ann.episodes(7)
    draft = replace(SHORT, supports=tuple(cases[:3]))
    learned = ann.learn(draft)
    assert learned.id is not None
    with ann.database.transaction("ann") as conn:
        stronger = reinforce(conn, learned.id, uuid4(), True, "yes, always")
        assert (stronger.cases_for, stronger.ended_at) == (4, None)
        ended = reinforce(conn, learned.id, uuid4(), False, "no longer")
        assert (ended.cases_against, ended.ended_at is None) == (1, False)
        with pytest.raises(NotFound):
            reinforce(conn, learned.id, uuid4(), True, "again")
    # The old cases don't bring it back; as many new ones do.
    assert ann.learn(draft).change == "unchanged"
    assert ann.learn(replace(draft, supports=tuple(cases[:4]))).change == "unchanged"
    assert ann.learn(replace(draft, supports=tuple(cases))).change == "added"


def test_what_the_person_forgot_is_not_learned_again_from_its_cases(ann: Ann) -> None:
    cases = ann.episodes(3)
    learned = ann.learn(replace(SHORT, supports=tuple(cases)))
    with ann.database.transaction("ann") as conn:
        conn.execute(
            "UPDATE lesson_memory SET valid_to = now() WHERE langchain_id = %s", [learned.id]
        )
    assert ann.learn(replace(SHORT, supports=tuple(cases))).change == "unchanged"
    assert ann.lessons() == []


def test_what_says_the_same_in_the_same_words_is_one_lesson(ann: Ann) -> None:
    one, two = ann.episodes(2)
    rule = Draft("rule", "surveys", "Survey papers first.", supports=(one,))
    first = ann.learn(rule, by="openai:x")
    again = ann.learn(replace(rule, concept="new topics", supports=(two,)))
    assert (again.id, again.change) == (first.id, "merged")
    assert ann.counts() == [("Survey papers first.", 2, 0)]


def test_an_episode_that_is_not_there_is_no_case(ann: Ann) -> None:
    (one,) = ann.episodes(1)
    others = Ann(ann.database, ann.embedder, "bea").episodes(1)
    ann.learn(replace(SHORT, supports=(one, uuid4(), *others)))
    assert ann.counts() == [("Keep answers short.", 1, 0)]


def test_lessons_are_found_by_meaning_and_are_ones_own(ann: Ann) -> None:
    (one,) = ann.episodes(1)
    for about in ("mesons", "galaxies", "sparse attention"):
        ann.learn(Draft("gap", about, f"Nothing was found on “{about}”.", supports=(one,)))
    learned = ann.learn(replace(SHORT, supports=(one,)))
    question = "attention that is sparse"
    vector = ann.embedder.embed_query(question)
    asked = {"vector": str(vector), "question": question}
    with ann.database.transaction("ann") as conn:
        found = lesson.search(conn, vector, 2)
        recalled = conn.execute(lesson.RECALL, asked).fetchall()
    assert found[0].statement.endswith("“sparse attention”.")
    assert found[0].score > found[1].score
    assert recalled[0][1] == "Keep answers short." and len(recalled[0]) == len(
        lesson.COLUMNS.split()
    )
    assert any("sparse attention" in row[1] for row in recalled)
    assert learned.id is not None
    with ann.database.transaction("bea") as conn:
        assert lesson.search(conn, vector, 5) == lesson.read(conn) == lesson.known(conn) == []
        assert conn.execute(lesson.RECALL, asked).fetchall() == []
        assert not end(conn, learned.id, "not hers")
