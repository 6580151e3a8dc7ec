"""An answer is taken apart into claims, each with the papers it rests on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.checking.claims import find_claims

A, B = "0712.2288", "hep-th/9901001"


def told(answer: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return [(claim.text, claim.cited, claim.leans_on) for claim in find_claims(answer)]


def test_a_citation_behind_the_full_stop_belongs_to_the_sentence_before() -> None:
    assert told(f"One thing. [arXiv:{A}] Another thing [arXiv:{B}].") == [
        ("One thing.", (A,), ()),
        ("Another thing.", (B,), ()),
    ]


def test_a_citation_can_be_the_subject() -> None:
    assert told(f"It is known. [arXiv:{A}] shows more.") == [
        ("It is known.", (), (A,)),
        ("shows more.", (A,), ()),
    ]


def test_groups_links_addresses_and_bare_ids() -> None:
    assert told(f"Both hold [arXiv:{A}; arXiv:{B}].") == [("Both hold.", (A, B), ())]
    assert told(f"See [the paper](https://arxiv.org/abs/{A}) on it.")[0][1] == (A,)
    assert told(f"Shown in {'arXiv:' + A} and ({'arXiv:' + B}v2).")[0][1] == (A, B)


def test_parts_of_a_sentence_have_their_own_papers() -> None:
    (claim,) = find_claims(f"Axions are light [arXiv:{A}], while WIMPs are heavy [arXiv:{B}].")
    assert claim.parts == (("Axions are light", (A,)), ("while WIMPs are heavy", (B,)))


def test_lists_lean_on_their_introduction_and_tables_on_rows_or_columns() -> None:
    answer = f"The study [arXiv:{A}] finds:\n- one thing\n- another [arXiv:{B}]\n\nOther words."
    assert told(answer)[1:] == [
        ("one thing", (), (A,)),
        ("another", (B,), ()),
        ("Other words.", (), ()),
    ]
    rows = f"| paper | size |\n|---|---|\n| Foo [arXiv:{A}] | 42 |"
    assert told(rows) == [("Foo; 42", (A,), ())]
    columns = f"| | [arXiv:{A}] | [arXiv:{B}] |\n|--|--|--|\n| size | 3 m | 4 m |"
    assert [each for each in told(columns) if each[0]] == [("3 m", (A,), ()), ("4 m", (B,), ())]


def test_code_is_no_claim() -> None:
    assert told(f"```\nx = 1 [arXiv:{A}]\n```") == []


@given(st.text(max_size=400))
def test_no_text_breaks_it(text: str) -> None:
    find_claims(text)


@given(
    st.text(alphabet="abc XYZ.,;:!?|-*#>\n()[]", max_size=80),
    st.text(alphabet="abc XYZ.,;:!?|-*#>\n()[]", max_size=80),
)
def test_a_planted_citation_is_found(before: str, after: str) -> None:
    claims = find_claims(f"{before} [arXiv:{A}] {after}")
    assert any(A in claim.cited for claim in claims)
