"""What the person says next is taken for feedback where it is nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.reflection.noticing import KNOWN, notice

WRONG = [
    "no, that's wrong",
    "No, that is wrong. The effect holds in clusters only.",
    "That's not what I asked.",
    "not what I asked for",
    "This is not right",
    "wrong again",
    "you misunderstood me",
    "You didn't answer my question",
    "hmm, these papers are off topic",
    "the results are irrelevant",
    "I asked about clusters, not galaxies.",
    "I meant the 2007 paper, not the review",
    "great, wrong again",
    "perfect, just not what I asked",
    "that doesn't answer my question!",
    "No, è sbagliato",
    "non è quello che ho chiesto",
    "sorry, your answer is not correct",
    "they're all off topic",
]
MANNERS = {
    "short": [
        "shorter, please",
        "Shorter please!",
        "too long",
        "that's way too long",
        "your answer is too long for me",
        "can you make it shorter?",
        "please be more concise",
        "more concise, please",
        "in two sentences please",
        "più breve, per favore",
        "Please keep your answers shorter next time",
        "ok, but shorter please",
        "tl;dr",
    ],
    "long": [
        "more detail, please",
        "too short",
        "Could you give me more details?",
        "longer please",
    ],
    "plain": ["too technical for me", "simpler, please", "in plain words please"],
    "technical": ["that's too basic", "more technical, please"],
    "bullets": ["bullet points, please", "as a list please"],
    "prose": ["no bullet points please"],
    "no_formulas": ["too many formulas", "without equations, please"],
    KNOWN: [
        "I already know that",
        "I know that already.",
        "I've already read these papers",
        "tell me something new",
        "I have read this one already",
        "lo so già",
    ],
}
GOOD = [
    "perfect, thanks",
    "exactly what I needed",
    "That's right.",
    "that helps a lot",
    "great answer!",
]
NOTHING = [
    "What is known about dark matter?",
    "Which papers show that's wrong?",
    "Is a shorter proof known?",
    "too long sequences in transformers",
    "What makes short answers better?",
    "Who says that is wrong?",
    "that's not wrong",
    "it is not too long",
    "I already know that mesons oscillate; what about CP violation?",
    "I know that already from the paper on mesons, so what is new in clusters",
    "longer range interactions in spin chains",
    "Shorter paths on weighted graphs",
    "Why is the standard model wrong about neutrino masses?",
    "no",
    "thanks",
    "ok",
    "bullet cluster",
    "simpler models of galaxies",
    "wrong-way risk in finance",
    "The answer is 42, says the paper by Adams",
    "„that's wrong“ is a paper by Ernst",
    "not what",
    "",
    "   ",
    "What is exactly right-handed about neutrinos?",
    "perfect matchings in graphs",
    "perfect fluids",
    "useless checkability of proofs",
]


@pytest.mark.parametrize("said", WRONG)
def test_what_is_wrong_is_noticed(said: str) -> None:
    found = notice(said)
    assert found is not None and found.wrong and found.feedback == "bad"


@pytest.mark.parametrize(("asks", "said"), [(a, s) for a, all_ in MANNERS.items() for s in all_])
def test_another_manner_is_noticed(asks: str, said: str) -> None:
    found = notice(said)
    assert found is not None and (found.feedback, found.asks) == ("bad", asks)
    assert not found.wrong


@pytest.mark.parametrize("said", GOOD)
def test_praise_is_noticed(said: str) -> None:
    found = notice(said)
    assert found is not None and found.feedback == "good"


@pytest.mark.parametrize("said", NOTHING)
def test_a_question_with_the_same_words_is_a_question(said: str) -> None:
    assert notice(said) is None


@given(st.text(max_size=5_000))
def test_nothing_trips_it(said: str) -> None:
    found = notice(said)
    assert found is None or len(found.note) <= 300


def test_a_long_text_costs_no_more_than_its_beginning() -> None:
    assert notice("word " * 300_000) is None
    assert notice("much " * 300_000) is None


# `[what it says]`, then messages that say it.
SAYINGS = (Path(__file__).parent / "remarks.txt").read_text("utf-8").splitlines()


def _said() -> list[tuple[str, str]]:
    found, says = [], ""
    for line in SAYINGS:
        if line.startswith("["):
            says = line.strip("[]")
        else:
            found.append((says, line))
    return found


@pytest.mark.parametrize(("says", "said"), _said())
def test_remarks_are_noticed_in_many_words(says: str, said: str) -> None:
    found = notice(said)
    if says == "nothing":
        assert found is None
        return
    assert found is not None
    wrong = found.wrong and found.feedback in ("bad", "corrected")
    assert says == ("wrong" if wrong else found.asks or found.feedback)


@pytest.mark.parametrize(
    "said",
    [
        "No, the paper is from 2007.",
        "It was published in 2009, not 2007.",
        "Actually, it was found in 1998.",
        "È del 2007, non del 2009.",
        "No, it's by Planck, not by WMAP.",
    ],
)
def test_what_says_what_is_right_is_a_correction(said: str) -> None:
    found = notice(said)
    assert found is not None and (found.feedback, found.note) == ("corrected", said)


@pytest.mark.parametrize(
    ("said", "besides"),
    [
        ("No, that's wrong. Search for axions instead.", "Search for axions."),
        ("Great, thanks. What about clusters?", "What about clusters?"),
        ("Too long! Now tell me about axions", "Now tell me about axions"),
        ("Perfect, now look for reviews of lensing", "now look for reviews of lensing"),
        ("That's wrong.", ""),
    ],
)
def test_what_is_said_besides_a_remark_is_kept_apart(said: str, besides: str) -> None:
    found = notice(said)
    assert found is not None and found.besides == besides


@pytest.mark.parametrize(
    "said",
    [
        "In short, what are axions?",
        "What are axions? In two sentences, please.",
        "Explain axions, in plain words",
        "As a list: open problems of inflation",
        "Senza formule, cosa sono gli assioni?",
    ],
)
def test_how_this_question_is_to_be_answered_says_nothing_of_the_last_answer(said: str) -> None:
    assert notice(said) is None
