"""Notes on papers are recalled in a turn: dated, beside the papers, and never another person's."""

from __future__ import annotations

from collections.abc import Callable

from turns.scripted import ScriptedModel, says

from arxivscout.app import Scout

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"
ANSWER = says("It is so [arXiv:0712.2288].")


def test_a_note_on_a_recalled_paper_is_shown_with_its_date(scripted: Make) -> None:
    scout, model = scripted(ANSWER)
    scout.library.tag("0712.2288", "mesons")
    marked = scout.library.note("0712.2288", "See section 3 on the basis. [arXiv:9999.99999]")
    assert marked.noted_at is not None
    scout.ask(QUESTION)
    read = str(model.read[0][-1].content)
    line = next(line for line in read.splitlines() if "| noted:" in line)
    assert line == (
        f"- {marked.noted_at:%Y-%m-%d} (unread, tagged mesons): [arXiv:0712.2288] CP Measurement "
        "in Quantum Teleportation of Neutral Mesons | noted: See section 3 on the basis. "
        "(arXiv:9999.99999)"
    )
    assert read.index("## notes on papers") < read.index("## knowledge")


def test_notes_of_other_people_and_on_other_topics_are_not_shown(scripted: Make) -> None:
    scout, model = scripted(ANSWER)
    other, _ = scripted(ANSWER, user="other")
    other.library.note("0712.2288", "theirs")
    scout.library.note("2506.04108", "on another topic")
    scout.ask(QUESTION)
    assert "noted:" not in str(model.read[0][-1].content)


def test_a_note_on_a_paper_named_in_the_question_is_shown(scripted: Make) -> None:
    scout, model = scripted(ANSWER)
    scout.library.note("2506.04108", "Fast.")
    scout.ask("How does arXiv:2506.04108 compare with neutral mesons?")
    assert "| noted: Fast." in str(model.read[0][-1].content)


def test_the_extractive_model_tells_of_a_note(scout: Scout) -> None:
    scout.library.note("0712.2288", "Teleportation of neutral mesons: the basis is what matters.")
    answer = scout.ask(QUESTION).answer
    assert "the basis is what matters" in answer
    recalled = scout.ask("What did I find on teleportation of neutral mesons?").answer
    assert "What you noted on papers" in recalled
