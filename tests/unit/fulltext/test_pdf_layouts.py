"""Papers set in three layouts come back as written: every word, in order, in its place."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pdf_typesetter import Part, Setting, typeset
from pdf_writer import Pdf

from arxivscout.papers.fulltext import FullText

Reader = Callable[[bytes], FullText]

_WORDS = (
    "the of a model attention network results learning efficient flow significant data training"
    " method shows performance baseline information representation evaluation five office offers"
    " differential fluid coefficient we find that state-of-the-art well-known algorithms"
).split()
_ROWS = (("Method", "Score", "Time"), ("ours", "0.93", "12"), ("theirs", "0.91", "15"))
_LAYOUTS = {
    "one column": Setting(),
    "two columns": Setting(columns=2, hyphenate=True),
    "two columns with all that pages bear": Setting(
        columns=2,
        hyphenate=True,
        ligatures=True,
        header="A. Author and B. Writer: a study of flows",
        footer="Preprint, page",
        page_numbers=True,
        stamp="arXiv:2212.11867v2 [math.PR] 22 Dec 2022",
    ),
}


def _prose(seed: int, count: int) -> str:
    chosen = random.Random(seed)
    words = [chosen.choice(_WORDS) for _ in range(count)]
    return f"{' '.join(words).capitalize()}."


PARAGRAPHS = {
    section: [_prose(10 * number + place, 60 + 12 * place) for place in range(5)]
    for number, section in enumerate(["Introduction", "Methods", "Data", "Results"])
}
ENTRIES = [
    f"[{number}] A. Author and B. Writer. {_prose(90 + number, 9)} arXiv:1706.0376{number}, 2017."
    for number in range(1, 7)
]


def _paper(wide: bool) -> list[Part]:
    parts = [
        Part("title", "Learning efficient flows of information from few examples", wide=wide),
        Part("heading", "Abstract", wide=wide),
        Part("paragraph", _prose(7, 90), wide=wide),
    ]
    numbers = {"Introduction": "1", "Methods": "2", "Data": "2.1", "Results": "3"}
    for section, paragraphs in PARAGRAPHS.items():
        kind = "subheading" if section == "Data" else "heading"
        parts.append(Part(kind, f"{numbers[section]} {section}"))
        parts += [Part("paragraph", paragraph) for paragraph in paragraphs]
        if section == "Methods":
            parts.append(Part("formula", "f (x) = ax + b", number="(1)"))
    parts += [
        Part("caption", "Table 1: The scores of both methods."),
        Part("table", rows=_ROWS),
        Part("heading", "References"),
        *(Part("entry", entry) for entry in ENTRIES),
    ]
    return parts


@pytest.fixture(params=_LAYOUTS)
def paper(request: pytest.FixtureRequest, read: Reader) -> FullText:
    setting = _LAYOUTS[request.param]
    return read(typeset(_paper(wide=setting.columns == 2), setting))


def test_every_paragraph_is_whole_and_under_its_headings(paper: FullText) -> None:
    found: dict[tuple[str, ...], list[str]] = {}
    for section in paper.sections:
        texts = [block.text for block in section.blocks if block.kind == "paragraph"]
        found.setdefault(section.path, []).extend(texts)
    assert found == {
        ("Abstract",): [_prose(7, 90)],
        ("Introduction",): PARAGRAPHS["Introduction"],
        ("Methods",): PARAGRAPHS["Methods"],
        ("Methods", "Data"): PARAGRAPHS["Data"],
        ("Results",): PARAGRAPHS["Results"],
    }


def test_the_rest_is_what_it_is(paper: FullText) -> None:
    others = [
        (section.path[-1], block.kind, block.text)
        for section in paper.sections
        for block in section.blocks
        if block.kind != "paragraph"
    ]
    assert others == [
        ("Methods", "formula", "f(x) = ax + b (1)"),
        ("Results", "caption", "Table 1: The scores of both methods."),
        ("Results", "table", "Method | Score | Time\nours | 0.93 | 12\ntheirs | 0.91 | 15"),
    ]
    assert paper.title == "Learning efficient flows of information from few examples"
    assert [reference.text for reference in paper.references] == ENTRIES
    assert [reference.arxiv_id for reference in paper.references] == [
        f"1706.0376{number}" for number in range(1, 7)
    ]
    assert paper.notes == ()


def test_blocks_know_their_pages(paper: FullText) -> None:
    blocks = [block for section in paper.sections for block in section.blocks]
    pages = [page for each in blocks for page in (each.page, each.page_at(len(each.text)))]
    assert pages == sorted(pages)
    assert (pages[0], pages[-1]) == (1, paper.pages)


def test_a_paragraph_that_goes_on_over_a_page_s_end_knows_where(read: Reader) -> None:
    def set_(text: str) -> FullText:
        return read(typeset([Part("heading", "Results"), Part("paragraph", text)], Setting()))

    paper = set_(" ".join(f"word{number}" for number in range(1500)))
    (block,) = paper.sections[0].blocks
    assert paper.pages == 1 + len(block.page_starts) > 1
    for number, start in enumerate(block.page_starts, start=2):
        begins = block.text[start:].split()[0]
        assert block.page_at(block.text.index(begins)) == number
        assert set_(block.text[:start]).pages == number - 1


def test_the_stamp_says_which_paper_it_is(read: Reader) -> None:
    setting = Setting(stamp="arXiv:hep-th/9901001v3  1 Jan 1999")
    paper = read(typeset([Part("paragraph", _prose(1, 80))], setting))
    assert (paper.arxiv_id, paper.version) == ("hep-th/9901001", 3)
    assert "9901001" not in str(paper.sections)


def test_a_paragraph_goes_on_after_a_note_at_the_foot_of_its_column(read: Reader) -> None:
    pdf = Pdf()
    pdf.page()
    for row in range(40):
        pdf.text(60, 700 - 12 * row, f"row {row} of the left column reaches as far as it")
        pdf.text(320, 700 - 12 * row, f"row {row} of the right column reaches as far as it")
    pdf.text(60, 206, "1", size=6)
    pdf.text(64, 203, "A note that stands at the foot of the left column.", size=8)
    blocks = [block.text for section in read(pdf.data()).sections for block in section.blocks]
    left, right = (
        " ".join(f"row {row} of the {side} column reaches as far as it" for row in range(40))
        for side in ("left", "right")
    )
    assert blocks == [f"{left} {right}", "1A note that stands at the foot of the left column."]


WORDS = st.text(alphabet=st.sampled_from("abcdefghilmnorstu"), min_size=1, max_size=9)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    paragraphs=st.lists(st.lists(WORDS, min_size=1, max_size=90), min_size=1, max_size=6),
    columns=st.sampled_from([1, 2]),
    hyphenate=st.booleans(),
)
def test_whatever_is_set_no_letter_is_lost_and_order_is_kept(
    read: Reader, paragraphs: list[list[str]], columns: int, hyphenate: bool
) -> None:
    texts = [f"{' '.join(words).capitalize()}." for words in paragraphs]
    setting = Setting(columns=columns, hyphenate=hyphenate)
    paper = read(typeset([Part("paragraph", text) for text in texts], setting))
    found = [paper.title or ""]
    for section in paper.sections:
        found += [*section.path[-1:], *(block.text for block in section.blocks)]
    letters = [char for char in "".join(found) if char.isalpha()]
    assert letters == [char for char in "".join(texts) if char.isalpha()]
