"""Formulas as a person reads them, or as their author wrote them."""

from __future__ import annotations

from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.papers import one_line
from arxivscout.papers.citing.mathematics import MATHS
from arxivscout.reports.mathematics import with_mathematics


def shown(text: str) -> str:
    """The markup without the frame of each formula, which is checked to be there."""
    return with_mathematics(text).replace('<span class="maths">', "«").replace("</span>", "»")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lifetimes over $10^{16}$ s", "lifetimes over «10<sup>16</sup>» s"),
        (r"Tibet AS$_\gamma$", "Tibet AS«<sub>γ</sub>»"),
        (r"$M<10^7$ M$_{\odot}$", "«M&lt;10<sup>7</sup>» M«<sub>⊙</sub>»"),
        (
            r"$\langle\sigma v\rangle \sim {10^{-31}}\,{\rm cm^{3}\,s^{-1}}$",
            "«⟨σv⟩ ∼ 10<sup>−31</sup>\u2009cm<sup>3</sup>\u2009s<sup>−1</sup>»",
        ),
        (r"$p\to q$, $x \to y$", "«p → q», «x → y»"),
        (r"$T_{\mathrm{c}}$ at 3$^\circ$", "«T<sub>c</sub>» at 3«°»"),
        (r"$\frac{a+b}{2}$ and $\sqrt{s}$", "«(a+b)/2» and «√s»"),
        (r"$\left( \hat H \right.$ on $\mathbb{R}^n$", "«( Ĥ » on «ℝ<sup>n</sup>»"),
        ("${}^3$He", "«<sup>3</sup>»He"),
    ],
)  # fmt: skip
def test_formulas_are_shown_as_they_are_read(text: str, said: str) -> None:
    assert shown(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "it costs $5 and $6",
        r"$\begin{matrix} a \end{matrix}$",
        r"$\sqrt[3]{2}$",
        r"$\ourmodel$",
        "$x^$",
        "$a}$",
        "$a{b$",
        "${{{{{{{x}}}}}}}$",
        "$" + "x" * 401 + "$",
    ],
)
def test_what_is_not_known_stays_as_it_was_written(text: str) -> None:
    assert shown(text) == text


@given(st.lists(st.sampled_from([*r"ab$${}^_\ -<&", r"\alpha", r"\hat", r"\frac", r"\left"])))
def test_any_text_is_shown_whole_or_as_it_is_read(parts: list[str]) -> None:
    text = "".join(parts)
    made = with_mathematics(text)
    if not MATHS.search(one_line(text)):
        assert unescape(made) == one_line(text)
    assert made.count("<sup>") == made.count("</sup>")
    assert made.count("<sub>") == made.count("</sub>")
