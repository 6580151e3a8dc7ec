"""Sentences of scientific prose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.llm.sentences import points_back
from arxivscout.papers.sentences import split_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["Smith et al. showed this. ", "We extend it."],
        ["We use priors, e.g. Gaussian ones, i.e. Normal. ", "It works."],
        ["As Fig. 3 and Eq. 4 of Ref. 12 show, it holds. ", "See Sec. 2."],
        ["The mass is 3.14 GeV. ", "The width is 0.5 MeV."],
        ["Let $f(x) = 1. If$ hold. ", "Then $g. H$ follows."],
        ["E. Witten and J.-P. Serre met A. B. Author. ", "They talked."],
        ["Is it so? ", "Yes! ", "We prove it."],
        ["It holds (see above.) ", "“Quoted” text follows."],
        ["We study cats, dogs, etc. ", "Results vary."],
        ["The answer is no. ", "We show why."],
        ["Sample No. 3 is best."],
        ["We get $\\alpha$. ", "$\\beta$ is next. ", "\\emph{Also} this."],
        ["第一句。", "第二句！", "第三句"],
        ["One paragraph\n\n", "another paragraph"],
        ["It costs 5 dollars ($5 a piece). ", "It is cheap."],
        ["Über alles. ", "Éric agrees. ", "3 of them do."],
        ["We compare with vs. Baseline and w.r.t. Time. ", "Good."],
        ["no capital. follows here"],
    ],
)
def test_boundaries(sentences: list[str]) -> None:
    assert split_sentences("".join(sentences)) == sentences


PIECES = st.lists(
    st.sampled_from(
        "et al.|e.g.|Fig. 3|$a. B$|$|3.5|J.|We|see|.|?| |\n\n|。|(A.)|\\$|\t|“X.”|...|U.S.".split(
            "|"
        )
    ),
    max_size=30,
).map("".join)


@given(st.one_of(st.text(), PIECES))
def test_nothing_is_lost(text: str) -> None:
    sentences = split_sentences(text)
    assert "".join(sentences) == text
    assert all(sentences)
    if text.strip():
        assert all(sentence.strip() for sentence in sentences)


@pytest.mark.parametrize("piece", [".", ". ", "$", "\n", ")", '."', "。", "A. ", "\n "])
@pytest.mark.timeout(20)
def test_long_runs_take_no_quadratic_time(piece: str) -> None:
    split_sentences(piece * 50_000)


@pytest.mark.parametrize(
    "text",
    ["Making that field all of the dark matter conflicts with the data.",
     "Under these conditions the flow is turbulent.", "Both of these agree.", "It is cold.",
     "In such a model the proton decays.", "That field is light.", "For this purpose we use ice."],
)  # fmt: skip
def test_a_sentence_that_leans_on_the_one_before(text: str) -> None:
    assert points_back(text)


@pytest.mark.parametrize(
    "text",
    ["This paper measures the field.", "In this work we measure the field.",
     "Showing that the field is light takes a year.", "Given that the field is light, it moves.",
     "In the early universe the field is light.", "Making the field light conflicts with data."],
)  # fmt: skip
def test_a_sentence_that_stands_alone(text: str) -> None:
    assert not points_back(text)
