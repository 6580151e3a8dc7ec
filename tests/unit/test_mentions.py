"""DOIs, texts that are names of authors and nothing else, and names within others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.papers.mentions import authors_and_year, dois_in, names_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Yu Shi", ("Yu Shi", None)),
        ("Shi 2007", ("Shi", "2007")),
        ("Shi, 2007", ("Shi,", "2007")),
        ("van der Berg-O\u2019Neil 1999", ("van der Berg-O\u2019Neil", "1999")),
        ("Higgs", ("", None)),  # rather a subject
        ("2007", ("", None)),
        ("Shi 2007 2008", ("", None)),
        ("What is known of mesons", ("", None)),
        ("GPT-4 at 3:1", ("", None)),
        ("", ("", None)),
    ],
)
def test_names_and_a_year(text: str, found: tuple[str, str | None]) -> None:
    assert authors_and_year(text) == found


def test_dois_are_found_in_small_letters_without_what_ends_the_sentence() -> None:
    text = "see https://doi.org/10.1000/ABC.7, (10.48550/arXiv.2306.00003)."
    assert dois_in(text) == ["10.1000/abc.7", "10.48550/arxiv.2306.00003"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Quels articles de Yu Shi ?", ["Yu Shi"]),
        ("What of Anna Müller's halos, and of Yu Shi?", ["Anna Müller", "Yu Shi"]),
        ("articoli di G. 't Hooft e Berta van der Berg", ["G. 't Hooft", "Berta van der Berg"]),
        ("Was hat Y. Shi geschrieben?", ["Y. Shi"]),
        ("J.-P. Serre's theorem", ["J.-P. Serre"]),
        ("Did Yu Shi write?", ["Did Yu", "Did Yu Shi", "Yu Shi"]),
        ("the DNA of LIGO", []),
        ("dark matter", []),
        ("Attention to All of the Words That a Title has", ["Words That"]),
        ("Seven Words Of Capital Letters Are Titles", []),
        ("", []),
    ],
)
def test_names_within_a_text_are_runs_of_capitalised_words(text: str, names: list[str]) -> None:
    assert names_in(text) == names


@given(st.text(max_size=300))
def test_names_within_any_text_are_of_two_words_at_least(text: str) -> None:
    for name in names_in(text):
        assert len(name.split()) >= 2
