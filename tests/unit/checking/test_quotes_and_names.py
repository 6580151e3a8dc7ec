"""Quotations and people: found where an answer has them, and looked for in the source."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arxivscout.checking.names import find_people, is_known
from arxivscout.checking.plain import plain
from arxivscout.checking.quotes import QuoteIndex, find_quotes, misquoted
from arxivscout.papers import Paper

SOURCE = (
    r"We study long-lived par- ticles with $\alpha=10^{-3}$ and the na\"ive bound. "
    "It is, as expected, non-linear in the field of Bell."
)


@pytest.mark.parametrize(
    "quote",
    [
        "long lived particles with α = 10⁻³",
        "the naïve bound",
        "We study … the naive bound",
        "nonlinear in the field",
        "it is [...] non-linear",
        "[the] non–linear in the field",
        "bound",
    ],
)
def test_typography_makes_no_misquotation(quote: str) -> None:
    assert not misquoted(quote, [QuoteIndex(SOURCE)])


@pytest.mark.parametrize(
    "quote",
    [
        "short lived particles with a bound",
        "the naive limit",
        "the naive bound … We study",  # in another order
        "ive bound. It is as",  # not from a word's beginning
    ],
)
def test_other_words_are_a_misquotation(quote: str) -> None:
    assert misquoted(quote, [QuoteIndex(SOURCE)])


def test_a_translated_quotation_can_not_be_verbatim() -> None:
    assert not misquoted("le particelle che vivono a lungo nella materia", [QuoteIndex(SOURCE)])


@given(st.sampled_from(["“{}”", "«{}»", '"{}"', "„{}“", "``{}''"]), st.text(max_size=60))
def test_a_planted_quotation_is_found(marks: str, before: str) -> None:
    assume(not set(before) & set("“”«»\"„‘’`'\n") and not before[-1:].isalnum())
    text = f"{before} {marks.format('a true word')} and on"
    assert "a true word" in [quote.text for quote in find_quotes(text)]


@given(st.text(max_size=300), st.text(max_size=100))
def test_no_text_breaks_quotes_or_names(text: str, quote: str) -> None:
    find_quotes(text)
    misquoted(quote, [QuoteIndex(text)])
    for person in find_people(plain(text)):
        assert person.text


@given(st.lists(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=6, max_size=30))
def test_a_piece_of_the_source_is_never_misquoted(words: list[str]) -> None:
    assert not misquoted(" ".join(words[1:5]), [QuoteIndex(" ".join(words))])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Shi showed that it works", ["Shi"]),
        ("as found by Smith et al.", ["Smith"]),
        ("According to Harry Desmond, it holds", ["Harry Desmond"]),
        ("Narayan, Paczyński and Piran argue", ["Narayan", "Paczyński", "Piran"]),
        ("Secondo Narayan e colleghi", ["Narayan"]),
        ("J.-P. Serre (1955) proves", ["J.-P. Serre"]),
        ("Clifford Will recalls the foundations", ["Clifford Will"]),
        ("Progress report on Monte Carlo simulations by the LIGO team", []),
        ("Gamma-ray bursts show variability", []),
    ],
)
def test_people_are_found_where_something_is_ascribed_to_them(text: str, names: list[str]) -> None:
    assert [person.text for person in find_people(text)] == names


def known(text: str, *authors: str, source: str = "") -> bool:
    paper = Paper(arxiv_id="0712.2288", title="T", abstract="A", authors=authors)
    (person,) = find_people(text)
    return is_known(person, [paper], source, frozenset(source.lower().split()))


def test_whose_work_it_is() -> None:
    assert known("Shi showed it", "Yu Shi") and known("by Y. Shi et al.", "Yu Shi", "Li Wu")
    assert known("Paczynski argued it", "Bohdan Paczyński")
    assert not known("Smith showed it", "Yu Shi")
    assert not known("Li Shi showed it", "Yu Shi")
    assert known("Galapon showed it", "Yu Shi", source="the operator of galapon")
    assert not known("Galapon et al. showed it", "Yu Shi", source="the operator of galapon")
    assert known("Smith showed it"), "a record without authors contradicts nobody"


def test_a_title_is_nobodys_name_and_who_stands_beside_it_is() -> None:
    titles = ["General Relativity Today", "Graphene in a Kronig Penney Potential"]
    for text, names in (
        ("General Relativity Today (2007)", []),
        ("As General Relativity Today (2007) shows, it holds", []),
        ("Relativity Today (2007) shows it", []),
        ("General Relativity Today Smith (2007)", ["Smith"]),
        ("Smith, General Relativity Today (2007)", ["Smith"]),
        ("General Relativity Today by Smith et al. (2007)", ["Smith"]),
        ("Kronig (2007) shows it", ["Kronig"]),  # one word of a title may be a name
        ("Penney Potential (2007) shows it", []),
    ):
        assert [person.text for person in find_people(text, titles)] == names, text


@pytest.mark.timeout(20)
def test_a_long_list_of_names_is_read_to_its_end() -> None:
    """Each comma let a pattern try two ways: twenty authors took over ten seconds."""
    names = [f"Anna B. {chr(ord('A') + at)}son" for at in range(25)]
    text = f"A Closely-Packed System of Planets: {', '.join(names)} and 19 more."
    find_people(text * 3)
