"""Markdown while it streams: the same screen however it is cut, every line once."""

from __future__ import annotations

import re
from io import StringIO
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.console import Console

from arxivscout.cli.markdown import MarkdownStream, PlainStream

PIECES = [
    "word ", "another word ", "x", " ", "  ", "\n", "\n\n", "*", "**", "***", "_", "`", "``", "~~",
    "$", "$$", "\\", "\\(", "\\)", "[", "]", "(", ")", "](https://arxiv.org)", "[arXiv:0712.2288]",
    "[arXiv:", "<https://arxiv.org>", "<", ">", "> ", "- ", "* ", "1. ", "12) ", "# ", "## ", "#",
    "```\n", "```python\n", "def f(x): return 1\n", "~~~\n", "---\n", "***\n", "| a | b |\n",
    "|---|--:|\n", "|", "    ", "\t", "\r", "\r\n", "量子", "e", "\u0301", "\u1112", "\u1161",
    "\x1b[31m", "\x1b]0;title\x07", "\x1b]0;never closed", "\x1b", "\x9b2J", "\u202e", "!", ".",
    "a" * 45, "b " * 90, "5", "2015. ", "\x9b", "\x1b[1;", "1;1", "\x9d", "\u11ab", "\u0323" * 20,
    "\u0344", "\u0f73", "\u2126", "\ufeff", "-" * 170, " " * 170, '"""\n', ">" * 5,
]  # fmt: skip
markdown = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def shown(pieces: list[str], width: int = 60, stream=MarkdownStream) -> str:
    """What is sent to a terminal."""
    out = StringIO()
    console = Console(
        file=out, force_terminal=True, width=width, color_system="standard",
        highlight=False, markup=False, emoji=False,
    )  # fmt: skip
    numbers: dict[str, int] = {}
    writer = stream(console, lambda arxiv_id: numbers.setdefault(arxiv_id, len(numbers) + 1))
    for piece in pieces:
        writer.write(piece)
    writer.finish()
    return out.getvalue()


def cells(sent: str) -> list[tuple[str, str]]:
    """Each character that a terminal was sent, with its style."""
    style, found = "", []
    for part in re.split(r"(\x1b\[[0-9;]*m)", sent):
        if part.startswith("\x1b["):
            style = part.replace("\x1b[0m", "")
        else:
            found += [(char, style) for char in part]
    return found


def plain(markdown: str, width: int = 60) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", shown([markdown], width))


def cut(text: str, at: list[int]) -> list[str]:
    ends = sorted({min(each, len(text)) for each in at} | {0, len(text)})
    return [text[a:b] for a, b in pairwise(ends)]


@pytest.mark.parametrize("stream", [MarkdownStream, PlainStream])
@settings(max_examples=80, deadline=None)
@given(text=markdown, at=st.lists(st.integers(0, 200), max_size=8))
@example(text="**" + "b " * 200 + "**", at=[])
@example(text="`" * 320 + "*" * 320, at=[])
@example(text="[" + "x" * 298 + "](https://arxiv.org)", at=[])
@example(text="$" + "x" * 298 + "$5", at=[])
@example(text="e\u202e\u0301 \u0cc6\u0cc2\u0cd5 \u1112\u1161\u11ab e" + "\u0301\u0323" * 40, at=[])
@example(text="e\u0f73\u0323word", at=[])
@example(text="[arXiv:" + "-" * 90 + "]word", at=[])
@example(text="\x9b\x9b2J2J \x1b[1;1;1;  m \x1b[11\x1b[22é", at=[])
@example(text="-" * 320 + "\n" + "- " * 200 + "\n" + " " * 320 + "x\n\n" + ">" * 20 + "a", at=[])
@example(text='```python\n"""\n0 if x\n"""\n0 if x\n\n' + "x = 1\n" * 60 + "```", at=[])
def test_however_a_text_is_cut_the_same_is_shown(stream, text, at):
    whole = cells(shown([text], stream=stream))
    assert cells(shown(list(text), stream=stream)) == whole
    assert cells(shown(cut(text, at), stream=stream)) == whole


@settings(max_examples=50, deadline=None)
@given(text=markdown)
def test_no_terminal_sequence_gets_through(text):
    sent = re.sub(r"\x1b\[[0-9;]*m", "", shown(list(text)))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", sent)


@settings(max_examples=50, deadline=None)
@given(text=st.text("abc \n", max_size=300), width=st.integers(20, 120))
def test_no_word_is_lost_and_no_line_is_too_long(text, width):
    lines = plain(text, width).splitlines()
    assert " ".join(lines).split() == text.split()
    assert all(len(line) < max(width, 41) for line in lines)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a **bold** and *it* and `code_x`", "a bold and it and code_x\n"),
        ("snake_case_x, 2 * 3 * 4, **never", "snake_case_x, 2 * 3 * 4, **never\n"),
        ("math $a_1 * b_2 * c$ and \\(x_1 * y*\\)", "math $a_1 * b_2 * c$ and \\(x_1 * y*\\)\n"),
        ("$$\nE = mc^2 * _x_\n$$\nafter", "$$\nE = mc^2 * _x_\n$$\nafter\n"),
        ("costs $5 or *ten* $6", "costs $5 or ten $6\n"),
        ("one [arXiv:1] two [arXiv:2] [arXiv:1]", "one [1] two [2] [1]\n"),
        ("[text](https://a.b/c_d_e) [a] (b)", "text (https://a.b/c_d_e) [a] (b)\n"),
        ("# Title #1\ntext", "Title #1\ntext\n"),
        ("- a\n  - b\n    more\n- c\n\nd", "• a\n  • b\n    more\n• c\n\nd\n"),
        ("1. a\n   - b\n2. c", "1. a\n   • b\n2. c\n"),
        ("- a\n - b\n  - c", "• a\n• b\n• c\n"),
        ("> said\n> - so", "▎ said\n▎ • so\n"),
        ("2015. was a year", "2015. was a year\n"),
        ("```python\nx = 1  # *no*\n\n```\nafter", "  x = 1  # *no*\n  \nafter\n"),
        ("| a | b |\n|---|--:|\n| **x** | 10 |\n\nafter", "a    b\n──────\nx   10\n\nafter\n"),
        ("| no table\nafter", "| no table\nafter\n"),
        ("a\n\n\n\nb\n\n", "a\n\nb\n"),
        ("-1 is negative\n-\n**x**y", "-1 is negative\n•\n  xy\n"),
        ("\\*not\\* a `\\`", "*not* a \\\n"),
    ],
)  # fmt: skip
def test_what_is_shown(given, expected):
    strip = "\n".join(line.rstrip() for line in plain(given).split("\n"))
    assert strip == "\n".join(line.rstrip() for line in expected.split("\n"))


def test_styles():
    sent = shown(["**b** *i* ***both*** `c` ~~s~~"])
    assert sent == (
        "\x1b[1mb\x1b[0m \x1b[3mi\x1b[0m \x1b[1;3mboth\x1b[0m \x1b[36mc\x1b[0m \x1b[9ms\x1b[0m\n"
    )


def test_words_are_shown_as_they_come():
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=60, color_system=None)
    writer = MarkdownStream(console, lambda _: 1)
    writer.write("First words of a long par")
    assert out.getvalue() == "First words of a long"
    writer.write("agraph, *then ")
    assert out.getvalue() == "First words of a long paragraph,"
    writer.write("slanted* on")
    assert out.getvalue() == "First words of a long paragraph, then slanted"


def test_a_table_in_a_narrow_window_keeps_every_word():
    table = "| aaaa bbbb cccc | dddd eeee ffff |\n|---|---|\n| gggg hhhh iiii | jjjj kkkk llll |\n"
    words = set(plain(table, 20).split())
    assert {"aaaa", "ffff", "gggg", "llll"} <= words


LARGE = 20_000
# What once made the work grow with the square of the text, or worse.
GROWING = {
    "a line of code": "```python\n" + "a = (1);" * (LARGE // 8),
    "lines of code": "```python\n" + "a = (1)\n" * 500,
    "a string over lines of code": '```python\n"""\n' + "a = (1)\n" * 500,
    "a fence that is none": "~~~" + "~" * LARGE + "`",
    "a fence with blanks": "```" + " " * LARGE + "`",
    "dashes": "-" * LARGE,
    "dashes and blanks": "- " * (LARGE // 2),
    "blanks": " " * LARGE,
    "a row": "|" + "a" * LARGE,
    "a row of many cells": "|a" * (LARGE // 4) + "|\n" + "|-" * (LARGE // 4) + "|\n",
    "quotations in each other": ">" * LARGE + " " + "word " * 500,
    "an item far to the right": "".join(" " * 2 * n + "- x\n" for n in range(120)) + "a " * 5000,
    "a title with no end": "\x1b]" + "a" * LARGE,
    "titles with no end": "\x9d" * LARGE + "\x07",
    "a sequence with no end": "\x1b[" + "0" * LARGE,
    "blanks of a sequence": "\x1b" + " " * LARGE,
    "marks": "a" + "\u0301\u0323" * (LARGE // 2),
    "marks with what is not shown": "a" + "\u0301\u202e\u0323\ufeff" * (LARGE // 4),
    "letters that are two marks": "\u0f73" * LARGE,
    "parts of syllables": "\u1100" * LARGE + "\u1161" * LARGE,
    "what has another form": "\u2126" * LARGE,
    "brackets": "[" * LARGE,
}


@pytest.mark.parametrize("stream", [MarkdownStream, PlainStream])
@pytest.mark.parametrize("kind", GROWING)
@pytest.mark.timeout(60)
def test_the_work_is_in_proportion_to_the_text(kind, stream):
    text = GROWING[kind]
    for pieces in ([text], [text[at : at + 20] for at in range(0, len(text), 20)]):
        shown(pieces, stream=stream)


def test_code_is_coloured_to_its_end_in_the_light_of_what_is_open():
    block = "```python\n" + "x = 1\n" * 400 + '"""\n0 if x\n"""\n0 if x\n```\n'
    lines = shown([block]).splitlines()
    assert lines[0] == lines[399]
    assert "\x1b[" in lines[399]
    inside, after = lines[401], lines[403]
    assert re.sub(r"\x1b\[[0-9;]*m", "", inside) == re.sub(r"\x1b\[[0-9;]*m", "", after)
    assert inside != after  # text in a string; then code again


def test_marks_past_the_thirtieth_are_left_out():
    assert plain("a" + "\u0323" * 50 + "b") == "\u1ea1" + "\u0323" * 29 + "b\n"


def test_what_no_answer_needs_is_shown_less_deep():
    assert plain(">" * 20 + " a") == "▎ " * 8 + "a\n"
    assert plain("-" * 400) == "-" * 400 + "\n"
    assert plain("-" * 200).strip() == "─" * 60
