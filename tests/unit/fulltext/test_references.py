"""The list of references: where entries begin, and which papers they name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.sources.fulltext.references import EntryLine, reference_of, split_entries


def _split(*lines: str | tuple[str, float] | tuple[str, float, float]) -> list[str]:
    made = [EntryLine(line) if isinstance(line, str) else EntryLine(*line) for line in lines]
    return [" ".join(line.text for line in entry) for entry in split_entries(made)]


def test_entries_begin_at_their_marks() -> None:
    assert _split("[1] A. Author.", "A title. 2017.", "[2] B. Writer.", "[Online]. 2018.") == [
        "[1] A. Author. A title. 2017.",
        "[2] B. Writer. [Online]. 2018.",
    ]
    assert _split("[ABC+17] A. Author.", "More.", "[D18] D. Writer.") == [
        "[ABC+17] A. Author. More.",
        "[D18] D. Writer.",
    ]


def test_what_else_stands_in_brackets_begins_no_entry() -> None:
    assert _split("[6] R. Rao. Updated", "[MR0436272]. And", "[2010] more", "[7] B. Writer,",
                  "[arXiv:2011.04638].") == [
        "[6] R. Rao. Updated [MR0436272]. And [2010] more",
        "[7] B. Writer, [arXiv:2011.04638].",
    ]  # fmt: skip


def test_a_number_out_of_its_turn_begins_nothing() -> None:
    assert _split("1. A. Author. A title.", "2017. Some press.", "2. B. Writer.", "12. pages.") == [
        "1. A. Author. A title. 2017. Some press.",
        "2. B. Writer. 12. pages.",
    ]


def test_without_marks_entries_begin_where_lines_hang_out() -> None:
    assert _split(("Author, A. 2017.", 0), ("A title.", 1.4), ("Writer, B. 2018.", 0)) == [
        "Author, A. 2017. A title.",
        "Writer, B. 2018.",
    ]


def test_without_either_the_room_above_parts_entries() -> None:
    assert _split(
        ("Author, A.", 0, 1.2), ("A title.", 0, 1.2), ("Writer, B.", 0, 1.9), ("More.", 0, 1.2)
    ) == ["Author, A. A title.", "Writer, B. More."]


def test_at_last_a_year_at_the_end_parts_entries() -> None:
    assert _split("Author, A. A title.", "A press, 2017.", "Writer, B. Another. 2018.") == [
        "Author, A. A title. A press, 2017.",
        "Writer, B. Another. 2018.",
    ]


@pytest.mark.parametrize(
    ("text", "arxiv_id", "doi"),
    [
        ("Attention. arXiv:1706.03762, 2017.", "1706.03762", None),
        ("Attention. arXiv preprint arXiv:1706.03762v5 (2017).", "1706.03762", None),
        ("Attention. CoRR abs/1706.03762, 2017.", "1706.03762", None),
        ("Attention. arXiv: 1706. 03762", "1706.03762", None),
        ("Attention. https://arxiv.org/abs/1706.03762", "1706.03762", None),
        ("Attention. https://arxiv.org/pdf/1706.03762v5.pdf", "1706.03762", None),
        ("Attention. doi:10.48550/arXiv.1706.03762", "1706.03762", None),
        ("Attention. 1706.03762 [cs.CL].", "1706.03762", None),
        ("The large N limit. hep-th/9711200.", "hep-th/9711200", None),
        ("[Los-Alamos Archives -physics/0406126]", "physics/0406126", None),
        ("A. Author, J. Geom. 12 (2017). doi:10.1016/j.jmb.2004.05.001.", None,
         "10.1016/j.jmb.2004.05.001"),
        ("https://doi.org/10.1103/PhysRevD.79.012001).", None, "10.1103/physrevd.79.012001"),
        # numbers that only look like ids
        ("Phys. Lett. B 1205.1234 (2012).", None, None),
        ("Report 1413.12345, arXiv:1799.00001.", None, None),
        ("math/123, 0712.12", None, None),
    ],
)  # fmt: skip
def test_an_entry_tells_what_it_names(text: str, arxiv_id: str | None, doi: str | None) -> None:
    found = reference_of(text)
    assert (found.arxiv_id, found.doi) == (arxiv_id, doi)


MARKS = st.sampled_from(["[1] ", "[2] ", "[3] ", "1. ", "2. ", "12. ", "[AB12] ", "", "", ""])
ENTRY_LINES = st.builds(
    lambda mark, text, indent, gap: EntryLine(mark + text, indent, gap),
    MARKS,
    st.text(max_size=20),
    st.sampled_from([0.0, 0.1, 1.4]),
    st.sampled_from([1.2, 1.2, 1.9, -40.0]),
)


@given(st.lists(ENTRY_LINES, max_size=12))
def test_the_entries_together_are_the_whole_list(lines: list[EntryLine]) -> None:
    entries = split_entries(lines)
    assert [line for entry in entries for line in entry] == lines
    assert all(entries)


@given(st.text(max_size=300))
def test_any_text_is_an_entry_that_keeps_its_words(text: str) -> None:
    reference_of(text)
