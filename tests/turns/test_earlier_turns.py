"""Turns know what was said in other threads, and that a question was answered before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turns.scripted import ScriptedModel, calls, says
from turns.settled import settle

from arxivscout.app import Scout
from arxivscout.ingest import ingest_papers
from arxivscout.papers import Paper

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"
SEARCH = calls(("search_papers", {"query": "neutral mesons"}))
CITES = says("One measures CP [arXiv:0712.2288].")
NEWER = Paper(
    arxiv_id="2601.00001",
    title="Quantum Teleportation of Neutral Mesons Revisited",
    abstract="What is known about quantum teleportation of neutral mesons is told anew.",
    categories=("quant-ph",),
    published="2026-01-01",
)


def index(scout: Scout) -> list[tuple[bool, str]]:
    with scout.database.transaction(scout.user) as conn:
        rows = conn.execute("SELECT embedding IS NOT NULL, content FROM message_index ORDER BY 2")
        return rows.fetchall()


def read(model: ScriptedModel) -> str:
    """What the model read last, before the question."""
    return str(model.read[-1][-1].content)


def test_a_turn_is_embedded_when_it_is_over_and_taken_back_with_it(
    scripted: Make, services: Any
) -> None:
    scout, _ = scripted(SEARCH, CITES)
    scout.ask(QUESTION)
    settle(services)
    said = [(embedded, text.strip()) for embedded, text in index(scout)]
    assert said == [(True, "One measures CP [arXiv:0712.2288]."), (True, QUESTION)]
    scout.history.undo("default")
    assert index(scout) == []


def test_what_was_said_in_another_thread_is_read_with_its_day(scripted: Make) -> None:
    scout, model = scripted(says("Noted."), says("It is violet."))
    scout.ask("My telescope stands on the Zugspitze and is violet.", thread_id="hobby")
    scout.ask("Which colour has my telescope?", thread_id="other")
    assert "## earlier turns" in read(model)
    assert "(thread hobby): asked: My telescope stands on the Zugspitze" in read(model)
    assert "| answered: Noted." in read(model)


def test_what_was_recalled_is_not_stored_again(scripted: Make) -> None:
    scout, _ = scripted(says("Noted."), says("It is violet."))
    scout.ask("My telescope stands on the Zugspitze.", thread_id="hobby")
    scout.ask("Where is my telescope?", thread_id="other")
    said = [content for _, content in index(scout)]
    assert sum("Zugspitze" in content for content in said) == 1


def test_a_question_answered_before_comes_with_its_answer_and_what_is_new(
    scripted: Make, services: Any
) -> None:
    scout, model = scripted(SEARCH, CITES, says("See above [arXiv:0712.2288]."), SEARCH, CITES)
    scout.ask(QUESTION, thread_id="monday")
    scout.ask("Please tell me what is known about quantum teleportation of neutral mesons.")
    assert "(thread monday): the same question was answered before" in read(model)
    assert "from: [arXiv:0712.2288] | stored since: nothing that fits" in read(model)
    assert "answered: One measures CP" in read(model)
    ingest_papers(services.database, services.embedder, [NEWER])
    scout.ask(QUESTION, thread_id="friday")
    assert "stored since: [arXiv:2601.00001]" in str(model.read)


def test_without_a_model_the_answer_says_that_it_was_given_before(scout: Scout) -> None:
    first = scout.ask(QUESTION, thread_id="monday")
    again = scout.ask(QUESTION, thread_id="friday")
    assert "You asked this on" not in first.answer
    assert "You asked this on" in again.answer and "nothing new is held since" in again.answer
    assert {each.arxiv_id for each in again.citations} >= {"0712.2288"}
