"""What was said is found again from any thread: by words, meaning, neighbours, names and time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from arxivscout.embedding import Embedder
from arxivscout.memory import conversation, threads
from arxivscout.memory.message_vectors import embed_messages
from arxivscout.memory.migrate import shipped
from arxivscout.memory.postgres import Database
from arxivscout.memory.recall import recall
from arxivscout.memory.remembering import decide_remembering
from arxivscout.memory.speakers import known_speakers, without_names
from arxivscout.memory.vector_memory import vector_text

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
MESONS = (
    ("user", "How does the teleportation of neutral mesons work?"),
    ("assistant", "Their CP is measured; nothing else has to be known."),
    ("user", "Does it hold when CP is violated?"),
    ("assistant", "Yes, in weak decays as well."),
)
BREAD = (
    ("user", "My sister bakes bread with rye."),
    ("assistant", "Rye needs sourdough."),
)


def say(
    database: Database,
    thread: str,
    said: tuple[tuple[str, str], ...],
    *,
    user: str = "ann",
    at: datetime = NOW - timedelta(days=20),
    **metadata: str,
) -> list[UUID]:
    with database.transaction(user) as conn:
        return [
            conversation.append(conn, thread, role, text, metadata or None, at=at)
            for role, text in said
        ]


def recalled(
    database: Database,
    embedder: Embedder,
    question: str,
    *,
    user: str = "ann",
    thread: str = "new",
    newest: int = 0,
) -> list[dict[str, Any]]:
    speakers = known_speakers(database, user)
    bare, whole = embedder.embed_array([without_names(question, speakers), question])
    found = recall(
        database,
        user=user,
        thread_id=thread,
        turn_id=uuid4(),
        question=question,
        vector=vector_text(whole.tolist()) or "",
        said_vector=vector_text(bare.tolist()),
        speakers=speakers,
        now=NOW,
        newest=newest,
    )
    assert not found.failed
    return found.memory["earlier"]


def rows(database: Database, user: str = "ann") -> tuple[int, int]:
    with database.transaction(user) as conn:
        counts = "SELECT (SELECT count(*) FROM message_index), (SELECT count(*) FROM message_word)"
        return conn.execute(counts).fetchone()  # type: ignore[return-value]


def test_what_was_said_in_another_thread_is_found_by_its_words_at_once(
    database: Database, embedder: Embedder
) -> None:
    say(database, "mesons", MESONS)
    say(database, "bread", BREAD)
    best = recalled(database, embedder, "teleportation of mesons")[0]
    assert best["text"] == MESONS[0][1]
    assert (best["thread_id"], best["role"]) == ("mesons", "user")
    assert best["at"].startswith("2026-11-10")
    assert best["other_text"] == MESONS[1][1]


def test_what_has_none_of_the_words_is_found_by_its_meaning(
    database: Database, embedder: Embedder
) -> None:
    say(database, "mesons", MESONS)
    say(database, "bread", BREAD)
    assert embed_messages(database, embedder, "ann") == 6
    assert embed_messages(database, embedder, "ann") == 0
    found = recalled(database, embedder, "Which relative makes loaves at home?")
    assert found[0]["text"] == BREAD[0][1]


def test_an_answer_is_found_by_the_words_of_its_question(
    database: Database, embedder: Embedder
) -> None:
    say(database, "mesons", MESONS)
    found = recalled(database, embedder, "teleportation of neutral mesons")
    assert MESONS[1][1] in [each["text"] for each in found]


def test_what_nobody_spoke_of_is_not_recalled(database: Database, embedder: Embedder) -> None:
    say(database, "mesons", MESONS)
    embed_messages(database, embedder, "ann")
    assert recalled(database, embedder, "the price of copper in Chile") == []


def test_what_is_read_of_the_running_conversation_is_not_recalled(
    database: Database, embedder: Embedder
) -> None:
    say(database, "mesons", MESONS)
    asked = "teleportation of mesons"
    assert recalled(database, embedder, asked, thread="mesons", newest=4) == []
    found = recalled(database, embedder, asked, thread="mesons", newest=3)
    assert [each["text"] for each in found] == [MESONS[0][1]]


def test_what_lies_far_back_in_the_thread_is(database: Database, embedder: Embedder) -> None:
    say(database, "mesons", MESONS)
    say(database, "mesons", BREAD * 40)
    found = recalled(database, embedder, "teleportation of mesons", thread="mesons")
    assert found[0]["text"] == MESONS[0][1]


def test_what_others_said_is_theirs(database: Database, embedder: Embedder) -> None:
    say(database, "mesons", MESONS, user="bob")
    embed_messages(database, embedder, "bob")
    assert embed_messages(database, embedder, "ann") == 0
    assert recalled(database, embedder, "teleportation of mesons") == []
    assert rows(database) == (0, 0)


def test_a_time_finds_what_was_said_then(database: Database, embedder: Embedder) -> None:
    say(database, "mesons", MESONS[:2], at=datetime(2026, 10, 5, tzinfo=UTC))
    say(database, "papers", (("user", "Show me papers on dust."),), at=NOW - timedelta(days=9))
    say(database, "bread", BREAD, at=NOW - timedelta(days=1))
    for question, thread in {
        "What did I ask yesterday?": "bread",
        "Cosa ho chiesto il mese scorso?": "mesons",
        "What did I ask in October?": "mesons",
        "What was the first thing I asked?": "mesons",
        "What was the last thing I asked?": "bread",
    }.items():
        best = recalled(database, embedder, question)[0]
        assert (question, best["thread_id"], best["role"]) == (question, thread, "user")


def test_who_is_named_is_heard_first(database: Database, embedder: Embedder) -> None:
    said = (("user", "I paint the lake each year."),)
    say(database, "one", said, name="Ada")
    say(database, "two", (("assistant", "I paint the sea each year."),), name="Grace")
    assert known_speakers(database, "ann") == ("ada", "grace")
    for name in ("Ada", "Grace"):
        found = recalled(database, embedder, f"What does {name} paint each year?")
        assert found[0]["speaker"] == name.lower()
    assert (
        without_names("What did Ada's sister tell Adam?", ["ada"]) == "What did sister tell Adam?"
    )


def test_the_first_hits_lead_to_what_was_said_beside_them(
    database: Database, embedder: Embedder
) -> None:
    aside = (("user", "We were so happy there."), ("assistant", "Good for you!"))
    say(database, "other", (("user", "Fine."), *aside))
    say(database, "camping", (("user", "Camping by the lake with the kids."), *aside, *BREAD))
    embed_messages(database, embedder, "ann")
    found = recalled(database, embedder, "Who was happy camping with the kids by the lake?")
    assert [each["thread_id"] for each in found[:2]] == ["camping", "camping"]
    assert found[1]["text"] == aside[0][1]


def test_what_is_changed_is_found_as_it_is_now(database: Database, embedder: Embedder) -> None:
    first, *_ = say(database, "bread", BREAD)
    embed_messages(database, embedder, "ann")
    with database.transaction("ann") as conn:
        conversation.update(conn, first, "My brother builds violins.")
    assert recalled(database, embedder, "violins")[0]["text"] == "My brother builds violins."
    assert "sister" not in str(recalled(database, embedder, "sister"))
    assert embed_messages(database, embedder, "ann") == 1


def test_what_is_deleted_leaves_nothing(database: Database, embedder: Embedder) -> None:
    first, *_ = say(database, "bread", BREAD)
    say(database, "mesons", MESONS)
    messages, words = rows(database)
    assert messages == 6 and words > 10
    with database.transaction("ann") as conn:
        conversation.delete(conn, first)
    assert rows(database)[0] == 5
    with database.transaction("ann") as conn:
        threads.delete(conn, "bread")
        threads.delete(conn, "mesons")
    assert rows(database) == (0, 0)


def test_a_renamed_thread_is_told_by_its_name_and_keeps_its_neighbours(
    database: Database, embedder: Embedder
) -> None:
    say(database, "mesons", MESONS[:1])
    with database.transaction("ann") as conn:
        threads.rename(conn, "mesons", "quantum")
    say(database, "quantum", MESONS[1:2])
    best = recalled(database, embedder, "teleportation of mesons")[0]
    assert (best["thread_id"], best["other_text"]) == ("quantum", MESONS[1][1])


def test_a_fork_is_not_recalled_twice(database: Database, embedder: Embedder) -> None:
    say(database, "mesons", MESONS)
    with database.transaction("ann") as conn:
        threads.fork(conn, "mesons", "other")
    texts = [each["text"] for each in recalled(database, embedder, "teleportation of mesons")]
    assert len(texts) == len(set(texts)) and MESONS[0][1] in texts


def test_who_wants_nothing_remembered_unasked_is_not_reminded(
    database: Database, embedder: Embedder
) -> None:
    say(database, "mesons", MESONS)
    say(database, "bread", BREAD * 40)
    for choice in ("asked", "nothing"):
        decide_remembering(database, "ann", choice)  # type: ignore[arg-type]
        assert recalled(database, embedder, "teleportation of mesons") == []
        assert recalled(database, embedder, "rye bread", thread="bread")


def test_tool_messages_and_enormous_ones_do_no_harm(database: Database, embedder: Embedder) -> None:
    say(database, "odd", (("tool", "teleportation"), ("user", "mesons " * 50_000 + "é\u0301")))
    assert rows(database)[0] == 1
    embed_messages(database, embedder, "ann")
    (found,) = recalled(database, embedder, "mesons")
    assert len(found["text"]) == 2_000


NAMED = (
    ("Ingrid", "Ingrid would rather wait until May.", "What does Ingrid say on the large grid?"),
    (
        "Κατερίνα",
        "Η Κατερίνα θα περιμένει ως τον Μάιο.",
        "Τι λέει η Κατερίνα για το μεγάλο πλέγμα;",
    ),
    ("Зоя", "ЗОЯ подождёт до мая.", "Что говорит Зоя о большой сетке?"),
    ("北京", "我们在北京的会议上决定了。", "北京怎么样?"),
    ("ノリコ", "ノリコは五月まで待ちます。", "大きい格子についてノリコは何と言いましたか?"),
    ("김민수", "김민수는 오월까지 기다립니다.", "김민수가 무엇을 말했습니까?"),
    ("สมชาย", "คุณสมชายจะรอถึงเดือนพฤษภาคม", "สมชายว่าอย่างไร"),
    ("ليلى", "سوف تنتظر ليلى حتى مايو", "ماذا تقول ليلى عن الشبكة؟"),
)


@pytest.mark.parametrize(("name", "text", "question"), NAMED)
def test_a_name_is_found_in_what_was_said_in_any_script(
    database: Database, embedder: Embedder, name: str, text: str, question: str
) -> None:
    grid = tuple(
        (role, f"{start} the large grid of run {number}.")
        for number in range(20)
        for role, start in (("user", "What do you say on"), ("assistant", "A word on"))
    )
    say(database, "grids", grid)
    say(database, "people", (("user", "Hello."), ("user", text), ("assistant", "Fine.")))
    found = recalled(database, embedder, question)
    assert text in [each["text"] for each in found[:3]], name


def test_what_was_said_and_learned_before_the_pairs_came_is_found_by_them_too(
    database: Database, embedder: Embedder
) -> None:
    say(database, "people", (("user", "我们在北京的会议上决定了。"), ("assistant", "Fine.")))
    (pairs,) = (each for each in shipped() if each.name.endswith("pair_characters"))
    with database.admin() as admin:
        admin.execute("DELETE FROM message_word WHERE lexeme !~ '[a-z]'")
        admin.execute(pairs.text[pairs.text.index("DO $$") :])  # type: ignore[arg-type]
    assert recalled(database, embedder, "北京")[0]["text"].startswith("我们在北京")


def test_of_two_names_the_one_that_few_messages_hold_tells_more(
    database: Database, embedder: Embedder
) -> None:
    often = tuple(("user", f"Oslo has run {number} of them.") for number in range(40))
    say(database, "places", (*often, ("user", "Tartu has others.")))
    found = recalled(database, embedder, "Do they have it in Oslo or in Tartu?")
    assert found[0]["text"] == "Tartu has others."
