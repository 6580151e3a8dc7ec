"""What the person says next is taken for feedback where it is nothing else."""

from __future__ import annotations

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
