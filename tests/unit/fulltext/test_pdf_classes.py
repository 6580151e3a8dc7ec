"""What journals and preprints do to a page: line numbers, small capitals, lists without a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdf_writer import Pdf, text_width

from arxivscout.papers.fulltext import FullText
from arxivscout.sources.fulltext.pdf_line_numbers import LineNumbers
from arxivscout.sources.fulltext.pdf_words import Word
from arxivscout.sources.fulltext.references import first_unnamed

Reader = Callable[[bytes], FullText]

_FILL = (
    "then as the words of a text do when they fill the lines from one edge to the other so".split()
)


def _filled(begin: str, width: float) -> str:
    """A line of about this width."""
    words = begin.split()
    for word in _FILL * 2:
        if text_width(" ".join([*words, word]), "roman", 10) > width:
            break
        words.append(word)
    return " ".join(words)


ROWS = [_filled(f"row {row} of it goes on", 492) for row in range(24)]
LEFT, RIGHT = (
    [_filled(f"{side} row {row}", 236) for row in range(30)] for side in ("left", "right")
)


def _texts(paper: FullText) -> list[str]:
    return [block.text for section in paper.sections for block in section.blocks]


def _centred(pdf: Pdf, y: float, text: str, font: str = "roman", size: float = 10) -> None:
    pdf.text((pdf.width - text_width(text, font, size)) / 2, y, text, font, size)


def _full(pdf: Pdf, y: float, text: str, left: float = 60, right: float = 552) -> None:
    """A line that reaches from edge to edge."""
    words = text.split()
    gap = (right - left - text_width("".join(words), "roman", 10)) / (len(words) - 1)
    for word in words:
        pdf.text(left, y, word)
        left += text_width(word, "roman", 10) + gap


def _paragraph(pdf: Pdf, y: float, rows: Sequence[str]) -> None:
    for row in rows:
        _full(pdf, y, row)
        y -= 12


def _columns(pdf: Pdf, y: float, rows: int) -> None:
    for row in range(rows):
        _full(pdf, y - 12 * row, LEFT[row], 60, 296)
        _full(pdf, y - 12 * row, RIGHT[row], 316, 552)


# line numbers


@pytest.mark.parametrize("step", [1, 5])
@pytest.mark.parametrize("edge", [50.0, 580.0])
def test_numbers_of_lines_are_left_out_to_the_last_page(
    read: Reader, step: int, edge: float
) -> None:
    pdf = Pdf()
    said = []
    for page, rows in enumerate((24, 24, 2)):
        pdf.page()
        for row in range(rows):
            said.append(_filled(f"row {'abc'[page]} {row} goes on", 492))
            _full(pdf, 700 - 12 * row, said[-1])
            number = 24 * page + row + 1
            if number % step == 0 or (page == 2 and step == 1):
                shown = str(number)
                pdf.text(edge - text_width(shown, "roman", 6), 700 - 12 * row, shown, size=6)
    assert " ".join(_texts(read(pdf.data()))) == " ".join(said)


def test_numbers_in_the_size_of_a_text_count_its_items(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    for row in range(12):
        pdf.text(60, 700 - 12 * row, f"{row + 1}")
        pdf.text(80, 700 - 12 * row, "an item of some words that are no line")
    numbers = [word for word in " ".join(_texts(read(pdf.data()))).split() if word.isdecimal()]
    assert numbers == [str(number) for number in range(1, 13)]


def _word(text: str, x0: float, y: float, size: float = 10) -> Word:
    return Word(text, x0, x0 + 5 * len(text), y, size, bold=False, italic=False, math=False)


@given(
    numbers=st.lists(st.integers(0, 9999), max_size=12),
    places=st.lists(st.floats(0, 500), min_size=12, max_size=12),
)
def test_no_word_is_taken_for_a_number_of_a_line(numbers: list[int], places: list[float]) -> None:
    words = [_word("word", x, 12 * row) for row, x in enumerate(places)]
    small = [_word(str(number), 20, 12 * row, 5) for row, number in enumerate(numbers)]
    left = LineNumbers().left_out([*words, *small])
    assert [word for word in left if word.text == "word"] == words


# headings and titles


def test_a_centred_heading_with_a_number_needs_no_other_sign(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    _paragraph(pdf, 700, ROWS[:3])
    _centred(pdf, 646, "3. Model for the cooling of ions")
    _paragraph(pdf, 628, ROWS[3:6])
    paper = read(pdf.data())
    assert [section.path for section in paper.sections] == [
        (),
        ("Model for the cooling of ions",),
    ]
    assert _texts(paper) == [" ".join(ROWS[:3]), " ".join(ROWS[3:6])]


def test_a_heading_is_whole_on_two_lines(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    _paragraph(pdf, 700, ROWS[:3])
    pdf.text(60, 646, "2 Density estimates from what was", "bold", 10)
    pdf.text(72, 634, "polarized brightness", "bold", 10)
    _paragraph(pdf, 620, ROWS[3:6])
    title = "Density estimates from what was polarized brightness"
    assert [section.path for section in read(pdf.data()).sections] == [(), (title,)]


def test_small_capitals_are_a_heading_though_they_are_small(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    _paragraph(pdf, 700, ROWS[:3])
    _centred(pdf, 646, "IV. RADIOMETRIC CALIBRATION", size=8)
    _paragraph(pdf, 628, ROWS[3:6])
    assert [section.path for section in read(pdf.data()).sections] == [
        (),
        ("RADIOMETRIC CALIBRATION",),
    ]


def test_an_abstract_under_its_centred_heading_is_its_own(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    _centred(pdf, 720, "A REVIEW OF MANY THINGS")
    _centred(pdf, 690, "ABSTRACT")
    for row, text in enumerate(ROWS[:4]):
        _full(pdf, 677 - 12 * row, text, 90, 522)
    _centred(pdf, 610, "1. INTRODUCTION")
    _paragraph(pdf, 590, ROWS[4:9])
    paper = read(pdf.data())
    assert paper.title == "A REVIEW OF MANY THINGS"
    assert [section.path for section in paper.sections] == [("ABSTRACT",), ("INTRODUCTION",)]


def test_authors_and_dates_in_large_letters_are_no_headings(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    _centred(pdf, 740, "On many things", size=17)
    _centred(pdf, 715, "Ada Writer and Bo Reader", size=12)
    _centred(pdf, 695, "December 1, 2026", size=12)
    _centred(pdf, 660, "Abstract", "bold")
    _paragraph(pdf, 645, ROWS[:3])
    pdf.text(60, 590, "1 Introduction", "bold", 14)
    _paragraph(pdf, 570, ROWS[4:9])
    paper = read(pdf.data())
    assert paper.title == "On many things"
    assert [section.path for section in paper.sections] == [(), ("Abstract",), ("Introduction",)]


def test_a_heading_above_the_first_paragraph_is_one_though_no_other_paper_has_it(
    read: Reader,
) -> None:
    pdf = Pdf()
    pdf.page()
    _centred(pdf, 740, "On many things", size=17)
    pdf.text(60, 700, "What moved us", "bold", 12)
    _paragraph(pdf, 680, ROWS[:9])
    assert [section.path for section in read(pdf.data()).sections] == [("What moved us",)]


# captions and tables


def test_a_caption_goes_on_however_its_lines_are_set(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    _paragraph(pdf, 700, [*ROWS[:2], f"{ROWS[2]}."])
    pdf.text(96, 600, "Figure 1. Dependence of a simulated flux upon the angular dis-")
    pdf.text(96, 588, "tance, as shown here.")
    _paragraph(pdf, 550, ROWS[3:6])
    caption = "Figure 1. Dependence of a simulated flux upon the angular distance, as shown here."
    assert [(block.kind, block.text) for block in read(pdf.data()).sections[0].blocks] == [
        ("paragraph", f"{' '.join(ROWS[:3])}."),
        ("caption", caption),
        ("paragraph", " ".join(ROWS[3:6])),
    ]


@pytest.mark.parametrize(
    "lines",
    [["TABLE II. Collected parameters."], ["TABLE II", "Collected parameters."]],
    ids=["in a line", "below its label"],
)
def test_a_table_of_a_roman_number_has_its_caption(read: Reader, lines: list[str]) -> None:
    pdf = Pdf()
    pdf.page()
    _paragraph(pdf, 700, ROWS[:3])
    for row, line in enumerate(lines):
        _centred(pdf, 620 - 11 * row, line, size=8)
    captions = [b.text for b in read(pdf.data()).sections[0].blocks if b.kind == "caption"]
    assert captions == [" ".join(lines)]


def test_a_row_with_a_sign_of_a_formula_is_a_row(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    _paragraph(pdf, 700, ROWS[:3])
    for row, cells in enumerate(
        [
            ("Silver", "1.4", "7 ± 2", "aged"),
            ("Tin", "2.5", "14 ± 2", "raw"),
            ("Lead", "3", "1", "x"),
        ]
    ):
        for x, cell in zip((120, 180, 230, 290), cells, strict=True):
            pdf.text(x, 620 - 12 * row, cell)
    tables = [b.text for b in read(pdf.data()).sections[0].blocks if b.kind == "table"]
    assert tables == ["Silver | 1.4 | 7 ± 2 | aged\nTin | 2.5 | 14 ± 2 | raw\nLead | 3 | 1 | x"]


def test_a_wide_table_is_not_parted_where_columns_meet(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    _full(pdf, 740, _filled("Table 1. A caption that goes over both columns,", 492))
    rows = [("Copper", "0.3", "7", "cast"), ("Silver", "1.4", "9", "aged"), ("Tin", "2", "1", "x")]
    for row, cells in enumerate(rows):
        for x, cell in zip((180, 250, 330, 390), cells, strict=True):
            pdf.text(x, 715 - 12 * row, cell)
    _columns(pdf, 650, 30)
    blocks = read(pdf.data()).sections[0].blocks
    assert [b.text for b in blocks if b.kind == "table"] == ["\n".join(map(" | ".join, rows))]


def test_a_table_on_a_page_of_one_column_makes_no_columns(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    _paragraph(pdf, 740, ROWS[:4])
    rows = [
        ("Copper", "0.3", "7", "as cast"),
        ("Silver", "1.4", "9", "aged"),
        ("Tin", "2", "1", "x"),
    ]
    for row, cells in enumerate(rows):
        for x, cell in zip((180, 310, 350, 390), cells, strict=True):
            pdf.text(x, 660 - 12 * row, cell)
    blocks = read(pdf.data()).sections[0].blocks
    assert [b.text for b in blocks if b.kind == "table"] == ["\n".join(map(" | ".join, rows))]


# references


def _entry(pdf: Pdf, x: float, y: float, number: int) -> float:
    pdf.text(x, y, f"[{number}] A. Author, On the number {number}, J. Num.", size=9)
    pdf.text(x + 14, y - 10, f"{number}, 2{number} (1999).", size=9)
    return y - 21


def test_references_without_a_heading_balanced_below_the_text(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    _columns(pdf, 720, 20)
    y_left = y_right = 450.0
    for number in range(1, 6):
        y_left = _entry(pdf, 60, y_left, number)
    for number in range(6, 10):
        y_right = _entry(pdf, 316, y_right, number)
    paper = read(pdf.data())
    assert [reference.text for reference in paper.references] == [
        f"[{n}] A. Author, On the number {n}, J. Num. {n}, 2{n} (1999)." for n in range(1, 10)
    ]
    assert _texts(paper) == [" ".join([*LEFT[:20], *RIGHT[:20]])]


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        (["text", "[1] A", "more", "[2] B", "[3] C", "[4] D"], 1),
        (["[1] and [2] say so", "text", "[2] says", "text"], None),
        (["[1] A", "[2] B"], None),
        (
            ["[1] A", "[2] B", "[3] C", "[4]", *["text"] * 30, "[1] A", "[2] B", "[3] C", "[4] D"],
            34,
        ),
        (["[1] A", *["text"] * 30, "[2] B", *["text"] * 30, "[3] C", "[4] D"], None),
        ([], None),
    ],
)
def test_a_list_that_counts_is_where_references_begin(texts: list[str], place: int | None) -> None:
    assert first_unnamed(texts) == place
