"""What is asked of lessons is told from questions of research that have the same words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.llm.lesson_questions import OfLessons, asks_of_lessons


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("What have you learned about how I work?", OfLessons("show")),
        ("Which lessons have you learned?", OfLessons("show")),
        ("What have you learned so far?", OfLessons("show")),
        ("What did you learn from our last turns?", OfLessons("show")),
        ("List the lessons about yeast", OfLessons("show", "yeast")),
        ("What rules do you follow?", OfLessons("show", kind="rule")),
        ("Do you have any rules about arXiv?", OfLessons("show", "arXiv", "rule")),
        ("Cosa hai imparato finora?", OfLessons("show")),
        ("Quali lezioni hai imparato?", OfLessons("show")),
        ("Reflect on our last turns.", OfLessons("look back")),
        ("Reflect now", OfLessons("look back")),
        ("Please look back on what we did and learn from it", OfLessons("look back")),
        ("Learn from our last turns.", OfLessons("look back")),
        ("Rifletti sugli ultimi turni", OfLessons("look back")),
        ("That rule about yeast is wrong.", OfLessons("against", "yeast", "rule")),
        ("The lesson on short answers is no longer true", OfLessons("against", "short answers")),
        ("Forget the lesson about yeast", OfLessons("against", "yeast")),
        ("That rule no longer applies.", OfLessons("against", kind="rule")),
        ("La regola sul lievito è sbagliata", OfLessons("against", "lievito", "rule")),
        ("Keep following the rule about surveys", OfLessons("for", "surveys", "rule")),
        ("The rule about yeast is right.", OfLessons("for", "yeast", "rule")),
    ],
)
def test_what_is_asked_of_lessons_is_told_by_rule(said: str, wanted: OfLessons) -> None:
    assert asks_of_lessons(said) == wanted


@pytest.mark.parametrize(
    "said",
    [
        "What have we learned about neutrinos?",
        "What have you learned about me?",
        "What rules govern quark mixing?",
        "Which lessons can be learned from the Hubble tension?",
        "Lessons from applying decision trees",
        "What are sum rules?",
        "Is the Born rule wrong?",
        "How do neural networks learn from data?",
        "What did LIGO learn about black holes?",
        "Show me rule learning papers",
        "Reflect on the physics of mirrors",
        "Apply the rule of Fermi to decays",
        "",
    ],
)
def test_what_is_asked_of_papers_is_none_of_it(said: str) -> None:
    assert asks_of_lessons(said) is None


@given(st.text(max_size=400))
def test_no_text_trips_it(said: str) -> None:
    asked = asks_of_lessons(said)
    assert asked is None or len(asked.about) <= len(said)
