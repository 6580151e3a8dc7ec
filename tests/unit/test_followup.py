"""A follow-up is understood from the thread; a question that stands alone is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.context.followup import (
    by_position,
    is_followup,
    last_cited,
    last_shown,
    papers_meant,
    standalone,
    stands_alone,
)

TOPIC = "What is known about quantum teleportation of neutral mesons?"


@pytest.mark.parametrize(
    "question",
    [
        "and its limitations?",
        "And what are its limitations?",
        "What about in B mesons?",
        "How is it measured?",
        "Who wrote the first paper?",
        "Which data sets do they use?",
        "Why?",
        "Why is that?",
        "Tell me more about this paper.",
        "Is it related to CP violation?",
        "What did the authors conclude?",
        "e i suoi limiti?",
        "E per i mesoni B?",
        "quali sono i suoi limiti?",
    ],
)
def test_a_question_that_leans_on_the_thread_is_a_followup(question: str) -> None:
    assert is_followup(question)
    assert standalone(question, [TOPIC]).startswith(TOPIC)


@pytest.mark.parametrize(
    "question",
    [
        TOPIC,
        "Is Hawking radiation real and how is it detected?",
        "Which methods estimate the Hubble constant?",
        "Are there papers on dark matter halos?",
        "What is graphene?",
        "Dark matter?",
        "Models that explain galaxy rotation curves without dark matter",
        "I do not want papers older than 2015",
        "Compare transformers and recurrent networks for translation",
        "Quali articoli parlano di materia oscura?",
    ],
)
def test_a_question_that_stands_alone_is_left_alone(question: str) -> None:
    assert standalone(question, [TOPIC]) == question


def test_a_chain_of_followups_goes_back_to_the_topic() -> None:
    chain = [TOPIC, "and its limitations?", "why is that?"]
    assert standalone("How is it measured?", chain).startswith(TOPIC)


CITED = ["0712.2288", "hep-th/9901001", "1501.00001"]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Who wrote the second one?", [1]),
        ("who wrote the second?", [1]),
        ("compare the first and the third paper", [0, 2]),
        ("Compare the first two", [0, 1]),
        ("what about the last?", [2]),
        ("What does the 2nd paper say about mesons?", [1]),
        ("chi ha scritto il secondo?", [1]),
        ("Is the second law of thermodynamics violated?", []),
        ("What happened in the first three minutes of the universe?", []),
        ("What is the first detection of a gravitational wave?", []),
        ("and the seventh one?", []),
    ],
)
def test_a_paper_is_meant_by_its_place_in_the_last_answer(question: str, meant: list[int]) -> None:
    assert by_position(question, CITED) == [CITED[place] for place in meant]


def test_without_a_list_no_place_is_meant() -> None:
    assert standalone("Compare the first two", [TOPIC]) == "Compare the first two"


def test_a_stated_preference_is_no_topic() -> None:
    said = "I do not want papers older than 2015."
    question = "and which papers are about galaxies?"
    assert standalone(question, [said]) == question
    assert standalone("and its limitations?", [TOPIC, said]).startswith(TOPIC)


def test_the_first_question_of_a_thread_stands_for_itself() -> None:
    assert standalone("and its limitations?", []) == "and its limitations?"


@given(st.text(max_size=300), st.lists(st.text(max_size=100), max_size=4))
def test_any_text_is_understood_as_some_text(question: str, earlier: list[str]) -> None:
    assert standalone(question, earlier) or not question


ANY_QUESTION = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            "and what about [1] the second one it its compare them more who wrote paper 2 of these "
            "neutrino masses is known tell me ? first two papers 0712.2288 limits newest".split()
        ),
        max_size=9,
    ).map(" ".join),
)


@given(ANY_QUESTION, st.lists(ANY_QUESTION, max_size=3), st.sampled_from([[], CITED[:1], CITED]))
def test_what_stands_alone_does_so_in_any_thread(
    question: str, earlier: list[str], shown: list[str]
) -> None:
    assert not stands_alone(question) or standalone(question, earlier, shown) == question


def test_a_whole_question_stands_alone_and_one_that_leans_does_not() -> None:
    assert stands_alone(TOPIC)
    for question in ("and its limitations?", "Who wrote [1]?", "Compare them", "more"):
        assert not stands_alone(question)


PAIR = ["0712.2288", "0809.4859"]


@pytest.mark.parametrize(
    "question",
    [
        "and its limitations?",
        "What are its main results?",
        "Who wrote this paper?",
        "What does it propose?",
        "Which data did it use? and does it use MCMC?",
        "quali sono i suoi limiti?",
    ],
)
def test_a_question_about_one_of_several_papers_could_mean_any(question: str) -> None:
    assert papers_meant(question, [*PAIR, PAIR[0]]) == PAIR
    assert papers_meant(question, PAIR[:1]) == []
    assert papers_meant(question, [f"2001.0000{at}" for at in range(5)]) == []
    assert papers_meant(f"{question} (arXiv:0712.2288)", PAIR) == []


@pytest.mark.parametrize(
    "question",
    [
        "How is it measured?",
        "Why is that?",
        "Compare them.",
        "and what are the limitations of the second?",
        "What are their limitations?",
        "What is known about dark matter and its distribution in dwarf galaxies?",
        "What about in B mesons?",
        TOPIC,
    ],
)
def test_a_question_about_the_matter_or_about_all_is_not_asked_back(question: str) -> None:
    assert papers_meant(question, PAIR) == []


ANSWERED = [("user", TOPIC), ("assistant", "One [arXiv:0712.2288]. Two [arXiv:0809.4859].")]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does [7] say?", "The last answer that cites has no paper of that place."),
        ("I do not want papers older than 2015.", "Noted."),
        ("Tell me about arXiv:1501.00001", "arXiv:1501.00001 is not held here."),
    ],
)
def test_an_answer_without_citations_takes_no_footnotes_away(question: str, answer: str) -> None:
    said = [*ANSWERED, ("user", question), ("assistant", answer)]
    assert last_cited(said) == PAIR
    understood = standalone("What does [2] say?", [TOPIC, question], [], last_cited(said))
    assert understood == "What does [2] say? (arXiv:0809.4859)"


def test_what_it_means_is_of_the_newest_answer() -> None:
    said = [*ANSWERED, ("user", "Is graphene blue?"), ("assistant", "Not found in what I hold.")]
    assert last_shown(said) == [] and last_cited(said) == PAIR
    only_named = [("user", TOPIC), ("assistant", "Left out, as you prefer: 0712.2288.")]
    assert last_shown(only_named) == last_cited(only_named) == PAIR[:1]


def test_a_place_that_there_is_not_means_no_other_paper() -> None:
    assert PAIR[0] not in standalone("Who are the authors of [2]?", [TOPIC], PAIR[:1])
    assert PAIR[0] not in standalone("What are the results of [2]?", [TOPIC], PAIR[:1])
    assert papers_meant("and its limitations in [3]?", PAIR) == []
