"""Full texts cut into passages: nothing lost, what belongs together whole, sizes in bounds."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from arxivscout.papers.fulltext import Block, Section
from arxivscout.papers.passages import LEAST, MOST, MOST_OVERLAP, Part, Passage, cut_passages
from arxivscout.papers.units import LONGEST_SENTENCE, Unit, count_pieces, formulas, units_of

FORMULA = r"\begin{equation} E = m c^2. Then $x$. \end{equation}"


def sentence(number: int, words: int = 20) -> str:
    return f"Sentence {number} " + " ".join(f"word{number}x{i}" for i in range(words)) + "."


def prose(first: int, count: int, words: int = 20) -> str:
    return " ".join(sentence(number, words) for number in range(first, first + count))


def passages_of(parts: list[Part]) -> list[Passage]:
    return [passage for part in parts for passage in part.passages]


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_passages_have_their_size_their_place_and_an_overlap_of_whole_sentences() -> None:
    section = Section(
        ("Methods", "Data"), tuple(Block(prose(40 * i, 40, 6), page=i) for i in (1, 2, 3))
    )
    (part,) = cut_passages([section])
    assert part.path == ("Methods", "Data")
    assert all(LEAST <= count_pieces(each.text) <= 2 * LEAST for each in part.passages)
    assert [each.page for each in part.passages] == sorted(each.page for each in part.passages)
    assert part.passages[0].page == 1 and part.passages[-1].last_page == 3
    for before, behind in pairwise(part.passages):
        first = behind.text.partition(".")[0] + "."
        assert first in before.text, "begins with a whole sentence of the one before"
        repeated = before.text[before.text.index(first) :]
        assert bare(behind.text).startswith(bare(repeated))
        share = count_pieces(repeated) / count_pieces(before.text)
        assert 0.1 <= share <= MOST_OVERLAP


def test_each_sentence_of_a_passage_knows_its_page() -> None:
    """A paragraph goes on over a page's end, and one page has nothing but a figure."""
    over = prose(1, 12, 6)
    turn = over.index(sentence(7, 6))
    blocks = (Block(over, page=3, page_starts=(turn - 1,)), Block(prose(13, 12, 6), page=6))
    for passage in passages_of(cut_passages([Section((), blocks)])):
        for number in range(1, 25):
            place = passage.text.find(sentence(number, 6))
            page = 3 if number < 7 else 4 if number < 13 else 6
            assert place < 0 or passage.page_at(place) == page
        assert passage.page_at(len(passage.text)) == passage.last_page


def test_a_passage_ends_with_a_paragraph_where_one_ends_in_reach() -> None:
    # some 45 tokens a sentence: paragraphs of 7 end between 256 and 384
    blocks = tuple(Block(prose(10 * i, 7, 10)) for i in range(1, 6))
    (part,) = cut_passages([Section(("Results",), blocks)])
    ends = {bare(block.text)[-30:] for block in blocks}
    assert sum(bare(each.text)[-30:] in ends for each in part.passages) >= len(part.passages) - 1


def test_small_sections_join_their_neighbours_under_the_same_parent() -> None:
    sections = [
        Section(("Introduction",), (Block(prose(0, 20)),)),
        Section(("Methods",), (Block(sentence(100, 5)),)),
        Section(("Methods", "Data"), (Block(sentence(101, 30)),)),
        Section(("Methods", "Fits"), (Block(prose(102, 10)),)),
        Section(("Results",), (Block(prose(200, 20)),)),
        Section(("Thanks",), (Block(sentence(300, 5)),)),
    ]
    parts = cut_passages(sections)
    assert [part.path for part in parts] == [
        ("Introduction",), ("Methods", "Data · Fits"), ("Results · Thanks",)
    ]  # fmt: skip
    last = parts[-1].passages
    assert last[0].path == ("Results",), "a passage names what it holds, not what its part does"
    assert last[-1].path == ("Results · Thanks",)


def test_a_paper_that_is_smaller_than_a_passage_is_one() -> None:
    assert cut_passages([Section((), (Block("Too short."),))]) == [
        Part((), (Passage("Too short.", ()),))
    ]
    assert cut_passages([Section(("A",), (Block("  \n "),))]) == []
    assert cut_passages([]) == []


def test_what_is_too_large_for_a_passage_stands_alone_and_whole() -> None:
    large = "$$ " + " ".join(f"x_{i}" for i in range(900)) + " $$"
    (part,) = cut_passages(
        [Section(("A",), (Block(prose(0, 8)), Block(large, "formula"), Block(prose(9, 8))))]
    )
    assert large in [each.text for each in part.passages]


def test_table_rows_and_items_of_lists_are_whole() -> None:
    rows = [f"row {i} | " + " | ".join(f"{i}.{j}" for j in range(12)) for i in range(60)]
    items = [f"item {i}: {sentence(i, 10)}" for i in range(30)]
    blocks = (Block("\n".join(rows), "table"), Block("\n".join(items), "list"))
    (part,) = cut_passages([Section(("A",), blocks)])
    lines = [line for each in part.passages for line in each.text.splitlines() if line]
    assert set(lines) == {*rows, *items}


def test_a_sentence_without_an_end_is_cut_between_words() -> None:
    endless = " ".join(f"word{i}" for i in range(2_000))
    parts = cut_passages([Section(("A",), (Block(endless),))])
    assert all(count_pieces(each.text) <= MOST for each in passages_of(parts))
    assert {word for each in passages_of(parts) for word in each.text.split()} == set(
        endless.split()
    )


def test_formulas_are_found_and_what_is_never_closed_is_none() -> None:
    def found(text: str) -> list[str]:
        return [text[begin:end] for begin, end in formulas(text)]

    assert found(r"a $x. Y$ b $$z$$ c \(u\) \[v\] d") == ["$x. Y$", "$$z$$", r"\(u\)", r"\[v\]"]
    assert found(r"costs \$5 and $6") == []
    nested = r"\begin{a} \begin{a} x \end{a} $y$ \end{a}"
    assert found(f"p {nested} q") == [nested]
    assert found(r"\begin{a} never closed $x$ \end{b}") == ["$x$"]
    assert found("$" + "price. " * 1_000 + "$") == [], "two prices, far apart"
    assert found("$" * 20_001)  # and in no time


WORDS = st.text("abcdefgh", min_size=1, max_size=9)
SENTENCES = st.lists(WORDS, min_size=1, max_size=25).map(lambda w: f"{' '.join(w).capitalize()}.")
PARAGRAPHS = st.lists(
    st.one_of(SENTENCES, SENTENCES.map(lambda s: f"Let $a. {s} B$ be."), st.just(FORMULA)),
    min_size=1,
    max_size=25,
).map(lambda sentences: Block(" ".join(sentences)))
TABLES = st.lists(SENTENCES, min_size=1, max_size=20).map(
    lambda rows: Block("\n".join(f"{i} | {row}" for i, row in enumerate(rows)), "table")
)
PATHS = st.lists(st.sampled_from(["A", "B", "C"]), max_size=3).map(tuple)
SECTIONS = st.lists(
    st.builds(
        Section, PATHS, st.lists(st.one_of(PARAGRAPHS, TABLES), min_size=1, max_size=5).map(tuple)
    ),
    max_size=6,
)


def units(sections: list[Section]) -> list[Unit]:
    return [unit for section in sections for unit in units_of(section)]


@settings(deadline=None, max_examples=30)
@given(SECTIONS)
def test_all_units_are_in_passages_whole_and_in_order(sections: list[Section]) -> None:
    whole = bare("".join(unit.text for unit in units(sections)))
    assert whole == bare("".join(b.text for section in sections for b in section.blocks))
    at = 0
    for passage in passages_of(cut_passages(sections)):
        text = bare(passage.text)
        # It begins where the one before ended, or with what that ended with.
        begins = [i for i in range(max(at - len(text), 0), at + 1) if whole.startswith(text, i)]
        assert begins
        at = max(at, max(begins) + len(text))
    assert at == len(whole)


@settings(deadline=None, max_examples=30)
@given(SECTIONS)
def test_sizes_hold_and_no_formula_is_cut(sections: list[Section]) -> None:
    total = sum(unit.tokens for unit in units(sections))
    for passage in passages_of(cut_passages(sections)):
        size = count_pieces(passage.text)
        assert size <= MOST
        assert size >= LEAST or total < LEAST
        for opening, closing in (("\\begin{equation}", "\\end{equation}"), ("Let $a", "B$")):
            assert passage.text.count(opening) == passage.text.count(closing)


@given(st.text(max_size=400))
def test_any_text_is_cut_without_loss(text: str) -> None:
    for kind in ("paragraph", "list", "table", "formula", "caption"):
        section = Section((), (Block(text, kind),))  # type: ignore[arg-type]
        cut = list(units_of(section))
        assert "".join(unit.text for unit in cut) == text
        if kind == "paragraph":
            assert all(unit.tokens <= LONGEST_SENTENCE or formulas(unit.text) or
                       len(unit.text.split()) == 1 for unit in cut)  # fmt: skip
