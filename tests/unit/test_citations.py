"""No id reaches the screen that is not stored, however the text is cut into pieces."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.agent.citations import CitationGuard

STORED = {"0712.2288", "hep-th/9901001", "1501.00001"}


def guarded(pieces: list[str], mentioned: frozenset[str] = frozenset()) -> CitationGuard:
    guard = CitationGuard(STORED.__contains__, mentioned)
    shown = "".join([*(guard.feed(piece) for piece in pieces), guard.finish()])
    assert shown == guard.text
    return guard


def test_a_stored_citation_stays_and_an_invented_one_goes() -> None:
    guard = guarded(["Shown in [arXiv:0712.2288] and [arXiv:2101.99999]."])
    assert guard.text == "Shown in [arXiv:0712.2288] and ."
    assert guard.cited == ["0712.2288"]
    assert guard.removed == ["arXiv:2101.99999"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[arXiv:0712.2288v2]", "[arXiv:0712.2288]"),
        ("[arXiv: 0712.2288]", "[arXiv:0712.2288]"),
        ("[ARXIV:hep-th/9901001]", "[arXiv:hep-th/9901001]"),
        ("[arXiv:0712.2288, arXiv:1501.00001]", "[arXiv:0712.2288] [arXiv:1501.00001]"),
        ("[arXiv:0712.2288; arXiv:9912.99999]", "[arXiv:0712.2288]"),
        ("arXiv:0712.2288", "arXiv:0712.2288"),
        ("https://arxiv.org/abs/0712.2288", "https://arxiv.org/abs/0712.2288"),
        ("see arXiv:2101.99999 for it", "see (an id that is not stored was taken out here) for it"),
        ("an array a[i] and [1, 2]", "an array a[i] and [1, 2]"),
        ("an open [bracket", "an open [bracket"),
    ],
)
def test_citations_are_read_in_the_forms_that_models_write(written: str, shown: str) -> None:
    assert guarded([written]).text == shown


def test_an_id_that_the_person_named_may_be_repeated() -> None:
    guard = guarded(["I do not hold arXiv:2101.99999."], frozenset({"2101.99999"}))
    assert guard.text == "I do not hold arXiv:2101.99999."


def test_nothing_of_a_citation_is_shown_before_it_is_known_to_be_real() -> None:
    guard = CitationGuard(STORED.__contains__, frozenset())
    shown = [guard.feed(piece) for piece in "so [arXiv:2101.99999] it".split("9")]
    assert not any("2101" in piece for piece in shown)


TEXTS = st.lists(
    st.one_of(
        st.text(alphabet="ab .[]\n", max_size=8),
        st.sampled_from(
            ["[arXiv:0712.2288]", "[arXiv:2101.99999]", "arXiv:1501.00001 ", " arXiv:2102.00002 "]
        ),
    ),
    max_size=8,
).map("".join)


@given(TEXTS, st.data())
def test_the_result_does_not_depend_on_how_the_text_was_cut(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    whole = guarded([text])
    cut = guarded(pieces)
    assert cut.cited == whole.cited
    assert not re.search(r"2101\.99999|2102\.00002", cut.text)


@pytest.mark.parametrize(
    "written",
    ["[2101.99999]", "doi:10.48550/arXiv.2101.99999", "arXiv: 2101.99999", "(2101.99999)"],
)
def test_ids_in_other_forms_are_citations_too(written: str) -> None:
    guard = CitationGuard(lambda arxiv_id: False, frozenset())
    for letter in f"Shown {written} before.":
        guard.feed(letter)
    guard.finish()
    assert guard.removed == ["2101.99999"] and "2101.99999" not in guard.text


def test_the_version_that_was_cited_is_kept_beside_the_text() -> None:
    guard = CitationGuard(lambda arxiv_id: True, frozenset())
    guard.feed("Shown [arXiv:0712.2288v2] and 3141.5926 [1234.5678].")
    guard.finish()
    assert guard.text == "Shown [arXiv:0712.2288] and 3141.5926 [1234.5678]."
    assert guard.versions == {"0712.2288": 2} and guard.cited == ["0712.2288"]


def test_an_id_in_brackets_leaves_one_pair_behind() -> None:
    guard = CitationGuard(lambda arxiv_id: False, frozenset())
    guard.feed("It is so (arXiv:2101.99999) and arXiv:2101.88888 too.")
    guard.finish()
    told = "an id that is not stored was taken out here"
    assert guard.text == f"It is so ({told}) and ({told}) too."
