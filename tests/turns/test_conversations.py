"""Conversations in plain words, with no chat model: what is said is known in the next turns."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from arxivscout.agent.services import Services
from arxivscout.app import Scout
from arxivscout.memory import summary
from arxivscout.memory.forgotten import forgotten
from arxivscout.memory.remembering import decide_remembering, make_private

CONVERSATIONS = [
    json.loads(line)
    for line in Path(__file__).with_name("conversations.jsonl").read_text("utf-8").splitlines()
]
GROUPS = 6


def say(scout: Scout, words: str, thread: str = "talk") -> str:
    answer = scout.ask(words, thread_id=thread).answer
    scout._services.later.wait(20)
    return answer


@pytest.mark.parametrize("first", range(GROUPS))
def test_each_turn_is_answered_from_those_before(services: Services, first: int) -> None:
    """Some conversations a database, each of another person."""
    for number, conversation in enumerate(CONVERSATIONS[first::GROUPS]):
        scout = Scout(services, f"person{number}")
        for words, answer in conversation["turns"]:
            told = say(scout, words)
            today = f"{datetime.now().astimezone():%Y-%m-%d}"
            expected = "" if answer is None else answer.replace("{day}", today)
            assert expected in told, f"{conversation['name']}: {words}"


def test_what_is_said_in_a_private_thread_is_known_in_it_and_nowhere_else(scout: Scout) -> None:
    make_private(scout.database, scout.user, "talk", True)

    told = say(scout, "My supervisor is Carla Bianchi.")
    wish = say(scout, "I prefer short answers.")
    say(scout, "I use JAX.")

    assert "I know it in this thread. It is not remembered beyond it, as you want." in told
    assert wish == ("I will follow it in this thread. It is not remembered beyond it, as you want.")
    assert say(scout, "Who is my supervisor?").startswith("Carla Bianchi: you said")
    assert say(scout, "What do I use?").startswith("JAX. You said:")
    assert "What you prefer:\n- I prefer short answers" in say(scout, "Who am I?")
    assert say(scout, "Who is my supervisor?", "other").startswith("You have told me nothing")


def test_a_wish_of_a_private_thread_shapes_its_answers(scout: Scout) -> None:
    make_private(scout.database, scout.user, "talk", True)
    question = "What is known about quantum teleportation of neutral mesons?"
    whole = say(scout, question, "other")

    say(scout, "I prefer short answers.")
    short = say(scout, question)

    assert short.count("[arXiv:") < whole.count("[arXiv:")


def test_who_wants_to_be_asked_is_told_that_only_what_they_ask_for_is_remembered(
    scout: Scout,
) -> None:
    decide_remembering(scout.database, scout.user, "asked")

    assert "only what you ask for is remembered" in say(scout, "I use JAX.")
    assert say(scout, "What do I use?").startswith("JAX. You said:")
    assert say(scout, "What do I use?", "other").startswith("You have told me nothing")
    assert say(scout, "Remember that I prefer short answers.").startswith("Stored as a preference")


def test_a_summary_that_holds_what_is_forgotten_is_dissolved(scout: Scout) -> None:
    say(scout, "I avoid Fortran because the old code was slow, and I live in Rome.")
    with scout.database.transaction(scout.user) as conn:
        summary.write(
            conn, "They avoid it: I avoid Fortran because the old code was slow.", None, {}
        )
        summary.write(conn, "They live in Rome.", None, {})

    say(scout, "Forget that I avoid Fortran.")

    with scout.database.transaction(scout.user) as conn:
        left = conn.execute("SELECT content FROM summary_memory ORDER BY created_at").fetchall()
        quotes = conn.execute("SELECT quote FROM relation_memory WHERE valid_to IS NULL").fetchall()
    assert left == [("They live in Rome.",)]
    assert not any("Fortran" in (quote or "") for (quote,) in quotes)


def test_no_lesson_and_no_way_of_working_tells_what_is_forgotten(scout: Scout) -> None:
    say(scout, "Remember that my grant is called Umbriel.")
    with scout.database.transaction(scout.user) as conn:
        conn.execute(
            "INSERT INTO lesson_memory (kind, concept, content) "
            "VALUES ('fact', 'grant', 'They say: my grant is called Umbriel.')"
        )
    say(scout, "forget that my grant is called Umbriel")

    with scout.database.transaction(scout.user) as conn:
        kept = conn.execute("SELECT content FROM lesson_memory WHERE valid_to IS NULL").fetchall()
        ways = conn.execute("SELECT content FROM workflow_memory").fetchall()
        gone = forgotten(conn)
    assert kept == []
    assert any("Umbriel" in way for (way,) in ways)
    assert not any("is called Umbriel" in gone.without(way) for (way,) in ways)


def test_what_is_said_again_after_it_was_forgotten_is_read_again(scout: Scout) -> None:
    say(scout, "I live in Rome.")
    say(scout, "Forget that I live in Rome.")
    with scout.database.transaction(scout.user) as conn:
        assert forgotten(conn).without("You said I live in Rome.") == "You said [forgotten]."

    say(scout, "I live in Rome.")

    with scout.database.transaction(scout.user) as conn:
        assert forgotten(conn).without("You said I live in Rome.") == "You said I live in Rome."


def test_a_deleted_thread_is_not_named(scout: Scout) -> None:
    say(scout, "My supervisor is Carla Bianchi.", "gone")
    assert "thread “gone”" in say(scout, "Who is my supervisor?")

    scout.history.delete("gone")

    assert "gone" not in say(scout, "Who is my supervisor?")
