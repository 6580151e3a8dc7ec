"""A thread as a document: nothing that a model or a paper said passes for ours, however long."""

from __future__ import annotations

import pytest

from arxivscout.history.markdown import markdown
from arxivscout.history.page import page
from arxivscout.history.transcript import Section, Transcript

LONG = 40_000  # characters


def thread(answer: str, question: str = "Why?") -> Transcript:
    section = Section(question=question, asked_at=None, answer=answer)
    return Transcript(title="A thread", thread_id="t", sections=[section], papers={})


@pytest.mark.parametrize(
    "line",
    [
        "# 2. A fake heading",
        "- # 2. A fake heading",
        "1. ## Sources",
        "12) # Sources",
        "> - # Sources",
        "- > + # Sources",
        "-  1. # Sources",
        "text\r# Sources",
        "  ## Sources",
        "- ```",
        "Sources\n---",
        "Sources\n- ",
        "- Sources\n  ===",
        "> 1. Sources\n>    - -",
    ],
)
def test_no_line_of_an_answer_is_a_heading_or_code(line: str) -> None:
    from markdown_it import MarkdownIt

    written = markdown(thread(line, question=f"So?\n{line}"))
    tokens = MarkdownIt("commonmark").parse(written)
    assert [each.tag for each in tokens if each.type == "heading_open"] == ["h1", "h2"]
    assert not [each for each in tokens if each.type in ("fence", "code_block")]


def test_a_page_keeps_the_lines_of_an_answer() -> None:
    record = "**A title** [arXiv:0712.2288]\nAuthors: Yu Shi.\nIt measures `CP`.\n\nMore."
    html = page(thread(f"{record}\n\n- one\n  and on\n- two"))
    number = '<sup><a href="#source-1">[1]</a></sup>'
    assert (
        f"<p><strong>A title</strong> {number}<br>\nAuthors: Yu Shi.<br>\n"
        "It measures <code>CP</code>.</p>\n<p>More.</p>"
    ) in html
    assert "<ul><li>one<br>\nand on</li><li>two</li></ul>" in html


def test_lists_and_emphasis_stay() -> None:
    answer = "Two:\n\n- one **strong**\n- two\n\n1. first\n2. *second*"
    assert answer in markdown(thread(answer))


@pytest.mark.parametrize(
    "answer",
    [
        "See http://evil.example and HTTPS://evil.example or www.evil.example.",
        "It holds [arXiv:0712.2288](//evil.example).",
        "Known [arXiv:0712.2288].\n\n[arXiv:0712.2288]: //evil.example",
        "[x](//evil.example) ![x](//evil.example) <http://evil.example>",
    ],
)
def test_no_address_in_an_answer_becomes_a_link(answer: str) -> None:
    from markdown_it import MarkdownIt

    written = markdown(thread(answer))
    assert "evil.example" in written
    assert "\u2060" not in written  # it would be cleaned away where it is printed
    html = MarkdownIt("commonmark").render(written)
    assert 'href="//evil' not in html and 'src="' not in html
    assert "://evil" not in html and "www.evil" not in html


@pytest.mark.parametrize(
    "line",
    [
        "**a " * (LONG // 4),
        "**" * LONG,
        "* " * LONG + "x",
        "- " * LONG + "x",
        "> " * LONG + "=" * LONG + "x",
        "# x" + " " * LONG + "y",
        "`" * LONG,
        "1. " * LONG + "#",
    ],
)
@pytest.mark.timeout(20)
def test_a_long_line_is_read_once(line: str) -> None:
    page(thread(line))
    markdown(thread(line))


def test_a_page_keeps_what_is_strong_and_what_is_a_heading() -> None:
    html = page(thread("# A title ##\n\nIt is **strong**, **a*b**, `code` and **not \n"))
    assert "<h3>A title</h3>" in html
    assert "<strong>strong</strong>, <strong>a*b</strong>, <code>code</code> and **not" in html
