"""Which authors a typed name means."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.memory.author_names import by_all, by_any, by_words
from arxivscout.memory.graph.node import name_key


def fits(typed: str, *authors: str) -> bool:
    """Whether one of the authors' keys fulfils each pattern; Python reads them as PostgreSQL."""
    lines = "\n".join(map(name_key, authors))
    patterns = by_any([typed]).names
    return all(re.search(each, lines) for each in patterns)


@pytest.mark.parametrize(
    ("typed", "author"),
    [
        ("Yu Shi", "Yu Shi"),
        ("Shi, Yu", "Yu Shi"),
        ("Shi Yu", "Yu Shi"),
        ("Yu Shi", "Shi Yu"),
        ("G. Hinton", "Geoffrey E. Hinton"),
        ("G.E. Hinton", "Geoffrey E. Hinton"),
        ("Hinton, G. E.", "Geoffrey E. Hinton"),
        ("Hinton G", "Geoffrey E. Hinton"),
        ("Geoffrey Hinton", "G. E. Hinton"),
        ("Geoffrey Hinton", "G.Hinton"),
        ("Müller", "A. Mueller"),
        ("Mueller", "A. Müller"),
        (r"M\"uller", "A. Muller"),
        ("Goedel", "Kurt Gödel"),
        ("Erdos", "Paul Erdős"),
        (r"Erd\H{o}s", "Paul Erdős"),
        ("van der Berg", "Berta van der Berg"),
        ("'t Hooft", "Gerard 't Hooft"),
        ("Conan O’Brien", "Conan O'Brien"),
        ("J.-P. Serre", "Jean-Pierre Serre"),
        ("Jean-Pierre Serre", "J.-P. Serre"),
        ("Carlos de Melo", "Carlos A. R. Sa de Melo"),
        ("Shi", "Yu Shi"),
    ],
)
def test_a_name_is_found_as_it_is_written_elsewhere(typed: str, author: str) -> None:
    assert fits(typed, "Anna Noether", author, "Bob Lin")


@pytest.mark.parametrize(
    ("typed", "authors"),
    [
        ("Yu Shi", ("Yu Chen", "Lin Shi")),
        ("Yu Shi", ("Anna Yu", "Shi Lin")),
        ("J. Jones", ("Bob Jones", "Jane Doe")),
        ("G. Hinton", ("Mary G. Smith", "Bob Hinton")),
        ("Yu Shi", ("Yuan Shin",)),
        ("Hinton", ("Bob Hintons",)),
        ("Michael", ("Michal Nowak",)),
        ("Bob Jones", ("Bobby Jones",)),
    ],
)
def test_words_of_several_authors_are_nobodys_name(typed: str, authors: tuple[str, ...]) -> None:
    assert not fits(typed, *authors)


def test_the_index_is_asked_for_what_it_has() -> None:
    assert by_all("Geoffrey Hinton").words == "('geoffrey' | 'g') & ('hinton')"
    assert by_all("G. Hinton; Mueller").words == "('hinton') & ('mueller' | 'muller')"
    assert by_any(["Shi", "O'Brien"]).words == "(('shi')) | (('brien'))"
    assert by_words("Shi Lee").words == "('shi') & ('lee')"
    assert by_words("Y. Shi") == by_all("Y. Shi")
    assert by_all("!").words == by_all("").words == by_any([]).words == ""


@given(st.text(max_size=60))
def test_any_text_gives_patterns_that_can_be_read(text: str) -> None:
    for query in (by_all(text), by_any([text]), by_words(text)):
        for each in query.names:
            re.compile(each)
        assert query.words.count("(") == query.words.count(")")


def test_the_milky_way_is_by_nobody() -> None:
    query = by_any(["Milky Way"], exactly=True)
    assert query.words == "(('milky') & ('way'))"
    lines = "\n".join(map(name_key, ["M. J. Way", "Milky Bar"]))
    assert not re.search(query.names[0], lines)
