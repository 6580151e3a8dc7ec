"""What a PDF's pages are made of: headings, margins, accents, lists, sideways text, pictures."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from pdf_typesetter import Part, Setting, typeset
from pdf_writer import Pdf, document

from arxivscout.papers.fulltext import FullText
from arxivscout.sources.fulltext.headings import heading_title
from arxivscout.sources.fulltext.pdf_lines import compose_accents
from arxivscout.sources.fulltext.pdf_text import read_pdf_text
from arxivscout.sources.fulltext.pdf_words import Unreadable

Reader = Callable[[bytes], FullText]
_PROSE = "These are words that make up a paragraph of some length on the page of a paper. " * 4


def _texts(paper: FullText) -> list[str]:
    return [block.text for section in paper.sections for block in section.blocks]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("1 Introduction", "Introduction"),
        ("2.3.1. Data", "Data"),
        ("IV. RESULTS", "RESULTS"),
        ("A. Proofs", "Proofs"),
        ("S2 More data", "More data"),
        ("A.2 More proofs", "More proofs"),
        ("Appendix B: Proofs", "Proofs"),
        ("A new method", "A new method"),
        ("I think so", "I think so"),
        ("Vision and language", "Vision and language"),
        ("3D scenes", "3D scenes"),
    ],
)
def test_headings_lose_their_numbers(text: str, title: str) -> None:
    assert heading_title(text) == title


@pytest.mark.parametrize(
    ("text", "composed"),
    [
        ("Schr¨odinger", "Schrödinger"),
        ("Poincar´e", "Poincaré"),
        ("Erd˝os and Gˆateaux", "Erd˝os and Gâteaux"),
        ("na¨ıve", "naïve"),
        ("the ´ alone", "the ´ alone"),
    ],
)
def test_accents_before_letters_are_put_upon_them(text: str, composed: str) -> None:
    assert unicodedata.normalize("NFC", compose_accents(text)) == composed


def test_sections_nest_by_their_numbers_and_the_rest_by_style(read: Reader) -> None:
    parts = []
    for kind, text in [
        ("heading", "1 Methods"),
        ("subheading", "1.1 Data"),
        ("subheading", "Sources of data"),
        ("heading", "2 Results"),
        ("heading", "Acknowledgements"),
    ]:
        parts += [Part(kind, text), Part("paragraph", _PROSE)]
    assert [section.path for section in read(typeset(parts, Setting())).sections] == [
        ("Methods",),
        ("Methods", "Data"),
        ("Methods", "Sources of data"),
        ("Results",),
        ("Acknowledgements",),
    ]


@pytest.mark.parametrize(
    "title", ["A Small Paper on Small Things", "I Saw It", "3D Scenes at Once"]
)
def test_a_title_is_no_heading(read: Reader, title: str) -> None:
    parts = [Part("title", title), Part("heading", "1 Methods"), Part("paragraph", _PROSE)]
    paper = read(typeset(parts, Setting()))
    assert paper.title == title
    assert [section.path for section in paper.sections] == [("Methods",)]


def test_an_abstract_that_runs_in_is_a_section(read: Reader) -> None:
    parts = [Part("paragraph", f"Abstract—{_PROSE}"), Part("heading", "I. INTRODUCTION")]
    paper = read(typeset([*parts, Part("paragraph", _PROSE)], Setting()))
    assert [section.path for section in paper.sections] == [("Abstract",), ("INTRODUCTION",)]
    assert _texts(paper) == [_PROSE.strip()] * 2


def test_a_section_after_the_references_is_read(read: Reader) -> None:
    parts = [
        Part("heading", "References"),
        Part("entry", "[1] A. Author. A title of some length that needs more than one line of the"
             " page to be set, and so goes on. 2017."),
        Part("entry", "[2] B. Writer. Another. doi:10.1000/xyz123"),
        Part("heading", "A Proofs"),
        Part("paragraph", _PROSE),
    ]  # fmt: skip
    paper = read(typeset(parts, Setting()))
    assert [reference.doi for reference in paper.references] == [None, "10.1000/xyz123"]
    assert [(s.path, len(s.blocks)) for s in paper.sections] == [(("Proofs",), 1)]


def test_what_runs_from_page_to_page_is_taken_out_and_nothing_else(read: Reader) -> None:
    pdf = Pdf()
    for page in range(1, 7):
        pdf.page()
        pdf.text(60, 760, "A STUDY OF FLOWS" if page % 2 else "A. AUTHOR", size=9)
        pdf.text(60, 700, f"Page words number {'abcdef'[page - 1]} that differ.")
        pdf.text(60, 688, "The same words at the same place, but in the midst of the page.")
        pdf.text(60, 676, f"More of it {'abcdef'[page - 1]}.")
        pdf.text(60, 664, f"And at last {'abcdef'[page - 1]}.")
        pdf.text(300, 30, f"{page}", size=9)
    said = " ".join(_texts(read(pdf.data())))
    assert said.count("The same words") == 6
    assert said.count("And at last") == 6
    assert "STUDY" not in said and "AUTHOR" not in said
    assert not any(char.isdigit() for char in said)


def test_pages_that_say_the_same_but_for_a_number_are_no_running_heads(read: Reader) -> None:
    pdf = Pdf()
    for page in range(1, 7):
        pdf.page()
        for row in range(5):
            pdf.text(60, 700 - 12 * row, f"Row {row} of page {page} is a line of the text.")
    said = " ".join(_texts(read(pdf.data())))
    assert said == " ".join(
        f"Row {row} of page {page} is a line of the text."
        for page in range(1, 7)
        for row in range(5)
    )


def test_a_running_head_is_known_with_and_without_the_number_beside_it(read: Reader) -> None:
    pdf = Pdf()
    for page in range(1, 4):
        pdf.page()
        pdf.text(60, 760, "TRANSACTIONS ON FLOWS", size=8)
        pdf.text(540, 760, str(page), size=8)
        for row in range(30 if page < 3 else 3):
            words = f"of the page {'abc'[page - 1]} in row {row}, which goes on"
            pdf.text(60, 700 - 12 * row, f"left column {words}")
            if page < 3:
                pdf.text(320, 700 - 12 * row, f"right column {words}")
    assert "TRANSACTIONS" not in str(read(pdf.data()).sections)


def test_a_year_at_the_end_of_a_page_is_no_page_number(read: Reader) -> None:
    pdf = Pdf()
    for page in range(2):
        pdf.page()
        pdf.text(
            60, 700, f"Words that differ, as {'ab'[page]} does, and were written down in the year"
        )
        pdf.text(60, 688, f"{2017 + page}.")
        pdf.text(300, 30, str(page + 1))
    assert [text[-5:] for text in _texts(read(pdf.data()))] == ["2017.", "2018."]


def test_items_of_a_list_stand_on_lines(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    for row, line in enumerate(
        ["We add to this:", "• a first thing that is new", "• a second thing that", "  is longer",
         "• and a third."]
    ):  # fmt: skip
        pdf.text(80 if row == 3 else 70 if row else 60, 700 - 12 * row, line.strip())
    paper = read(pdf.data())
    assert [(block.kind, block.text) for block in paper.sections[0].blocks] == [
        ("paragraph", "We add to this:"),
        ("list", "• a first thing that is new\n• a second thing that is longer\n• and a third."),
    ]


def test_labels_that_stand_sideways_are_left_out_and_told(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    pdf.text(60, 700, "The words of the page.")
    pdf.text(100, 300, "score of the model", turned=90)
    paper = read(pdf.data())
    assert _texts(paper) == ["The words of the page."]
    assert paper.notes == ("words left out, as they stand sideways: 4",)


def test_a_page_that_is_set_sideways_is_read(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    for row in range(8):
        pdf.text(100 + 12 * row, 100, f"row {row} of a table that stands sideways", turned=90)
    paper = read(pdf.data())
    assert " ".join(_texts(paper)).split()[:3] == ["row", "0", "of"]
    assert paper.notes == ()


def test_letters_without_a_place_are_left_out_and_told(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    pdf.text(60, 700, "The words of the page.")
    pdf.raw("BT /roman 10 Tf 1e30 0 0 1e30 0 0 Tm (ab) Tj ET BT /roman 9 Tf 99999 9 Td (cd) Tj ET")
    paper = read(pdf.data())
    assert _texts(paper) == ["The words of the page."]
    told = "characters left out, off their page or too many on it"
    # pdfium may drop some itself
    assert [note.partition(":")[0] for note in paper.notes] in ([], [told])


def test_pages_without_text_are_named(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    pdf.text(60, 700, "The words of the page.")
    pdf.page()
    pdf.raw("100 100 200 200 re f")
    assert read(pdf.data()).notes == ("page 2 has no text: a picture is not read",)


def test_pages_past_a_bound_are_left_and_told(tmp_path: Path) -> None:
    pdf = Pdf()
    for page in range(9):
        pdf.page()
        pdf.text(60, 700, f"Words of the page {'abcdefghi'[page]}.")
    path = tmp_path / "long.pdf"
    path.write_bytes(pdf.data())
    by_count = read_pdf_text(path, most_pages=7)
    assert by_count.notes == ("pages 8 to 9 of 9 were left: the document is too long",)
    assert by_count.pages == 9
    asked = iter([False, False, False, True])
    by_time = read_pdf_text(path, most_pages=99, time_is_up=lambda: next(asked))
    assert by_time.notes == ("pages 5 to 9 of 9 were left: the document is too long",)
    by_size = read_pdf_text(path, most_pages=99, most_letters=1)
    assert by_size.notes == ("pages 2 to 9 of 9 were left: the document is too long",)


def test_what_has_no_text_at_all_is_refused(read: Reader) -> None:
    with pytest.raises(Unreadable, match="scanned"):
        read(document([b"100 100 200 200 re f"] * 3))
    with pytest.raises(Unreadable, match="empty"):
        read(document([]))
