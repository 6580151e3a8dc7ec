"""What is asked of oneself is answered from what was said, with its history, and leaves no gap."""

from __future__ import annotations

import pytest
from turns.scripted import calls, says

from arxivscout.agent.events import Answered, Choice
from arxivscout.app import Scout
from arxivscout.memory.remembering import make_private

GAPS = "SELECT count(*) FROM lesson_memory WHERE kind = 'gap'"
SEARCHES = "SELECT count(*) FROM tool_log_memory WHERE tool_name LIKE 'search%'"
TOOLS = "Which tools do I use?"
NOTHING = "You have told me nothing on that"


def told(scout: Scout, *said: str) -> None:
    for words in said:
        scout.ask(words, thread_id="told")
        scout._services.later.wait(20)


def asked(scout: Scout, question: str) -> str:
    return scout.ask(question, thread_id="asked").answer


def count(scout: Scout, statement: str) -> int:
    with scout.database.transaction(scout.user) as conn:
        return conn.execute(statement).fetchone()[0]


@pytest.fixture
def moved(scout: Scout) -> Scout:
    told(
        scout,
        "I use Julia for my simulations.",
        "I switched from Julia to JAX because Julia compiled too slowly.",
    )
    return scout


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Why did I drop Julia?", "Because Julia compiled too slowly. You said “I switched from"),
        ("Warum habe ich Julia aufgegeben?", "Because Julia compiled too slowly."),
        ("What did I use before JAX?", "Julia: you said “I use Julia for my simulations” (20"),
        ("Cosa usavo prima di JAX?", "Julia: hai detto “I use Julia for my simulations” (20"),
        ("When did I switch?", "On 20"),
        ("Est-ce que j'utilise JAX ?", "Yes: you said “I switched from Julia to JAX” (20"),
        ("Do I use JAX?", "Yes: you said “I switched from Julia to JAX” (20"),
        ("Do I use Julia?", "No: you said “I switched from Julia to JAX” (20"),
        ("What do I use now instead of Julia?", "JAX: you said “I switched from Julia to JAX”"),
        ("Since when do I use JAX?", "Since 20"),
        ("Do I use PyTorch?", NOTHING),
        ("¿Uso PyTorch?", NOTHING),
        ("Uso PyTorch?", "Non mi hai detto niente"),
        ("Am I allowed to use the cluster?", NOTHING),
    ],
)
def test_the_answer_comes_first_and_nothing_else_is_told(moved, question, answer) -> None:
    told_back = asked(moved, question)
    assert told_back.startswith(answer)
    assert told_back.startswith(("You have told me nothing", "Non mi")) or "thread “told”" in (
        told_back.replace("conversazione", "thread")
    )
    assert count(moved, SEARCHES) == 0


def test_no_gap_is_left_by_it_even_where_a_model_searched_papers(scripted) -> None:
    search = calls(("search_papers", {"query": "PyTorch"}))
    scout, _ = scripted(search, says("Nothing is held on PyTorch."))
    scout.ask("Do I use PyTorch?", thread_id="one")
    scout._services.later.wait(20)
    scout.lessons.reflect()
    assert count(scout, GAPS) == 0


@pytest.mark.parametrize(
    ("first", "then", "thing"),
    [
        ("I use MATLAB for plots.", "I used to use MATLAB.", "MATLAB"),
        ("I use MATLAB.", "I no longer use MATLAB.", "MATLAB"),
        ("We use MATLAB.", "We stopped using MATLAB because it is dear.", "MATLAB"),
        ("Uso MATLAB.", "Non uso più MATLAB.", "MATLAB"),
        ("Ich benutze MATLAB.", "Ich benutze MATLAB nicht mehr.", "MATLAB"),
    ],
)
def test_what_is_no_longer_so_ends_what_was_and_is_never_told_as_what_is(
    scout, first, then, thing
) -> None:
    told(scout, first)
    assert thing in asked(scout, TOOLS)
    told(scout, then)
    assert thing not in asked(scout, TOOLS)
    with scout.database.transaction(scout.user) as conn:
        ended = conn.execute(
            "SELECT old.content, new.reason, new.content FROM entity_memory AS old"
            " JOIN entity_memory AS new ON new.langchain_id = old.superseded_by"
            " WHERE old.valid_to IS NOT NULL"
        ).fetchall()
    assert [(old, new) for old, _, new in ended] == [
        (first.strip("."), then.partition(" because ")[0].strip("."))
    ]
    if "because" in then:
        assert ended[0][1] == "it is dear"
    assert then.partition(" because ")[0].strip(".") in asked(scout, f"Do I use {thing}?")


def test_what_was_moved_to_and_given_up_is_not_told_by_the_older_word(moved) -> None:
    assert "JAX" in asked(moved, TOOLS)
    told(moved, "I no longer use JAX.")
    assert "JAX" not in asked(moved, TOOLS)
    told(moved, "I use JAX again.")
    assert "JAX" in asked(moved, TOOLS)


def test_what_was_given_up_is_no_wish_to_see_nothing_of_it(scout) -> None:
    told(scout, "I no longer use sparse attention.")
    answer = scout.ask("What is known about sparse attention?")
    assert [each.arxiv_id for each in answer.citations] == ["2506.04108"]


def test_what_was_forgotten_or_said_in_private_is_not_told(moved) -> None:
    moved.rights.forget(moved.rights.named("I switched from Julia"))
    assert "compiled too slowly" not in asked(moved, "Why did I drop Julia?")
    told(moved, "I work at CERN.")
    make_private(moved.database, moved.user, "told", True)
    assert "nothing on that" in asked(moved, "Do I work at CERN?")


def test_nobody_else_is_told_of_it(moved) -> None:
    assert "nothing on that" in asked(Scout(moved._services, "somebody else"), "Do I use JAX?")


def test_what_is_to_be_forgotten_is_asked_about_among_what_says_it(moved) -> None:
    told(moved, "I use Overleaf.", "My cat is called Gluon.")
    asked_about: list[str] = []

    def forget(choice: Choice) -> str:
        asked_about.append(choice.text)
        return choice.options[0]

    for words in ("Forget that I use JAX", "forget my cat", "forget that I like whales"):
        for event in moved.stream(words, thread_id="asked", decide=forget):
            last = event
        if "whales" in words:
            assert isinstance(last, Answered) and "no memory of that" in last.answer.answer
    assert asked_about == [
        "Forget: “fact: I switched from Julia to JAX”?",
        "Forget: “fact: My cat is called Gluon”?",
    ]
    assert "nothing on that" in asked(moved, "What is my cat called?")


def test_the_papers_that_were_liked_are_those_praised_tagged_or_said_to_be(scout) -> None:
    assert "no paper that you liked" in asked(scout, "Which papers did I like?")
    told(scout, "I liked 0809.4859.", "What is known about sparse attention?", "Great answer!")
    answer = asked(scout, "Which papers did I like?")
    assert "0809.4859" in answer and "2506.04108" in answer and "0712.2288" not in answer
    assert "no paper" in asked(Scout(scout._services, "somebody else"), "Which papers did I like?")
