"""DOIs, and texts that are names of authors and nothing else."""

from __future__ import annotations

import pytest

from arxivscout.papers.mentions import authors_and_year, dois_in


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
