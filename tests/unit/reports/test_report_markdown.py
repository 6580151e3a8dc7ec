"""A report as Markdown: what it says, and that no foreign words are more than words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_of_mesons import HOSTILE, meson_report, saying

from arxivscout.papers import one_line
from arxivscout.reports.facts import SAID_ABOVE
from arxivscout.reports.markdown import plain, to_markdown
from arxivscout.reports.report import Comparison, Cost, Section

TEXTS = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=6), max_size=6).map("".join)
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def shape(written: str) -> list[tuple[str, str]]:
    """The constructs of a document, in order; text is none."""
    found: list[tuple[str, str]] = []

    def walk(tokens: list[Token]) -> None:
        for token in tokens:
            if token.type not in ("text", "text_special", "inline"):
                found.append((token.type, str(token.attrs.get("href", ""))))
            walk(token.children or [])

    walk(READER.parse(written))
    return found


def test_it_says_all_that_the_report_says():
    written = to_markdown(meson_report())
    for words in (
        "# What can the quantum teleportation of neutral mesons measure,",
        "and CP measured in doing so. [1] For continuous",
        "held against them. [2] [3]",
        "**(weakly supported)**",
        "**(not supported)**",
        "- *Check:* the paper does not say so",
        "## What is disputed\n\nNone found.",
        "1. *CP Measurement in Quantum Teleportation of Neutral Mesons*. Yu Shi. 2007. "
        "[arXiv:0712.2288](https://arxiv.org/abs/0712.2288)",
        "2007 ████░░░░ 2",
        "| Datta et al. 2025 [6] | coherent states of light | *not stated* |",
        "· known since 2026-03-02 | [arXiv:0712.2288](https://arxiv.org/abs/0712.2288) |",
        "- Cost: $0.0189",
        "[1]: https://arxiv.org/abs/0712.2288",
    ):
        assert words in written


def test_a_point_that_no_paper_states_is_one_line_and_what_the_brief_says_is_not_said_again():
    report = meson_report()
    rows = {"data": ("", ""), "findings": ("It can.", "")}
    compared = Comparison(papers=("0712.2288", "2512.10225"), rows=rows)
    again = Section(title="One theme", paragraphs=(report.brief,))
    written = to_markdown(meson_report(comparison=compared, sections=(again,)))
    assert (
        "| Paper | findings |\n| --- | --- |\n| Shi 2007 [1] | It can. |\n"
        "| Datta et al. 2025 | *not stated* |\n\nNone of these papers states: data.\n"
    ) in written
    assert f"## One theme\n\n{SAID_ABOVE}\n" in written


def test_numbers_in_the_text_are_links():
    links = [link for kind, link in shape(to_markdown(meson_report())) if kind == "link_open"]
    assert links[:3] == [
        "https://arxiv.org/abs/0712.2288",
        "https://arxiv.org/abs/quant-ph/9910030",
        "https://arxiv.org/abs/quant-ph/0311056",
    ]
    assert all(link.startswith("https://arxiv.org/abs/") for link in links)


def test_a_cost_that_nobody_knows_is_unknown_and_none_is_billed_for_quoting():
    assert "- Cost: unknown" in to_markdown(meson_report(cost=Cost(model="m")))
    quoted = to_markdown(meson_report(cost=Cost(model="extractive"), extractive=True))
    assert "- Cost: none billed" in quoted
    assert "Quoted, not written" in quoted


def test_a_withdrawn_paper_is_marked_wherever_it_is_listed():
    assert to_markdown(saying("x")).count("**withdrawn**") == 12 + 7


@pytest.fixture(scope="module")
def plain_shape() -> list[tuple[str, str]]:
    return shape(to_markdown(saying("plain")))


@settings(max_examples=60)
@given(words=TEXTS)
def test_no_words_change_the_document_they_stand_in(words: str, plain_shape: list[tuple[str, str]]):
    assert shape(to_markdown(saying(f"{words}b"))) == plain_shape


@pytest.mark.parametrize("words", HOSTILE)
def test_no_words_reach_beyond_their_place(words: str):
    written = f"{plain(words)} x {plain(f'a{words}b {words}c')}"
    assert [kind for kind, _ in shape(written)] == ["paragraph_open", "paragraph_close"]
    assert shape(f"| a |\n| --- |\n| {written} |") == shape("| a |\n| --- |\n| x |")


@settings(max_examples=300)
@given(TEXTS)
def test_text_is_one_line_that_shows_itself(words: str):
    tokens = READER.parse(f"{plain(words)}")
    shown = "".join(
        child.content for token in tokens for child in token.children or [] if child.content
    )
    assert [token.type for token in tokens] in (
        [],
        ["paragraph_open", "inline", "paragraph_close"],
    )
    assert "\n" not in plain(words)
    # A word joiner keeps an address from being a link, a blank an underscore from emphasis.
    said = shown.replace("\u2060", "")
    if "\\" not in words:
        assert said.replace("_ ", "_") == one_line(words).replace("_ ", "_")
