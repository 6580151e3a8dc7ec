"""Numbers of answers are found in every writing, and told from others in the source."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arxivscout.checking.figures import missing_numbers
from arxivscout.checking.numbers import find_numbers
from arxivscout.checking.plain import plain


def missing(claim: str, source: str, **how: bool) -> list[str]:
    claimed = find_numbers(plain(claim), **how)
    return [each.text for each in missing_numbers(claimed, find_numbers(plain(source)))]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("42 % of cases", r"42\% of cases"),
        ("42 percent", "42%"),
        ("an accuracy of 0.42", "an accuracy of 42 %"),
        ("about 40 %", "39.8 %"),
        ("40 %", "39.8 %"),
        ("1.5e3 K", r"$1.5\times10^{3}$ K"),
        ("0.001", r"$10^{-3}$"),
        ("10⁻³", r"$10^{-3}$"),
        ("3 sigma", r"$3\sigma$"),
        ("three sigma", "3σ"),
        ("between 3 and 5 GeV", "3--5 GeV"),
        ("3000 MeV", "3 GeV"),
        ("1,000 papers", "1000 papers"),
        ("10 000 steps", "ten thousand steps"),
        ("twenty-five methods", "25 methods"),
        ("1.2 million tokens", "1,200,000 tokens"),
        ("7B parameters", "7 billion parameters"),
        ("a third of them", "33 % of them"),
        ("half of the sample", "50 % of the sample"),
        ("a two-dimensional model", "a 2D model"),
        ("over 160 years", "163 years"),
        ("244", "two hundred and forty-four"),
        ("5×10⁴ solar masses", r"$5\times10^4\,M_\odot$"),
        ("three methods", "methods A, B and C"),  # counted by who reads
        ("the 2012 results show", "found in 2012"),
        ("as of 2012 shows", "2003 to 2012"),
        ("1983-2005", "from 1983 to 2005"),
        ("In 2012 galaxies were seen", "2012 galaxies"),
    ],
)
def test_what_the_source_has_in_another_writing_is_no_error(claim: str, source: str) -> None:
    assert missing(claim, source) == []


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("24 % of cases", r"42\% of cases"),
        ("3 TeV", "3 GeV"),
        ("10^-2", r"$10^{-3}$"),
        ("about 30 %", "39.8 %"),
        ("around 27 clusters", "around 28 clusters"),
        ("5 sigma", r"$3\sigma$"),
        ("in 2008", "in 2007"),
        ("three neutron stars", "two neutron stars"),
        ("a hundred times", "ten thousand times"),
        ("doubles the rate", "triples the rate"),
        ("a value of -0.5", "a value of 0.5"),
        ("twelve planets", "six planets"),
        ("2012 bright galaxies", "observed in 2012"),
        ("2,012 galaxies", "observed in 2012"),
        ("two thousand proteins", "known before 2000"),
        ("observed in 2012", "2012 bright galaxies"),
        ("a distance of 2000 km", "known since 2000"),
    ],
)
def test_a_number_that_the_source_has_not_is_missing(claim: str, source: str) -> None:
    assert missing(claim, source)


def test_decimal_commas_of_other_languages() -> None:
    assert missing("39,8 % e 1.000 casi", "39.8 % of 1000 cases", comma_decimals=True) == []
    assert missing("cinque pianeti", "five planets", comma_decimals=True) == []
    assert missing("sette pianeti", "five planets", comma_decimals=True) == ["sette"]


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text: str) -> None:
    made = plain(text)
    for number in find_numbers(made):
        assert 0 <= number.start < number.end <= len(made) and number.values


@given(
    st.integers(11, 10**6),
    st.sampled_from(["{} %", "{} GeV", "some {} of them", "({})", "$10^{{3}}$ and {}", "{}, too"]),
)
def test_a_planted_number_is_found_and_another_is_missed(value: int, frame: str) -> None:
    source = find_numbers(plain("We see " + frame.format(value) + "."))
    assert any(float(value) in each.values for each in source)
    larger = 3 * value + 7
    assume(larger != 1000)
    other = find_numbers(plain("They see " + frame.format(larger) + "."))
    assert any(float(larger) in each.values for each in missing_numbers(other, source))


@pytest.mark.parametrize("piece", ["10^", "1^2 ", "%20", "2-", "a1", "3 x 10^4 "])
@pytest.mark.timeout(30)
def test_a_text_of_nothing_but_numbers_is_read_to_its_end(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    find_numbers(text)


def test_a_number_within_a_power_is_told_once() -> None:
    assert [each.text for each in find_numbers("10^10^10 and H2, n^2")][-2:] == ["H2", "n^2"]
