"""One spelling for LaTeX, Unicode and plain letters, so that each finds every other."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arxivscout.papers.search_form import search_form

SAME = [
    ("Schrodinger", ['Schr\\"odinger', 'Schr\\"{o}dinger', 'Schr{\\"o}dinger', "Schrödinger"]),
    ("alpha-decay", ["$\\alpha$-decay", "α-decay", "\\alpha-decay", "${\\rm \\alpha}$-decay"]),
    ("alpha decay", ["$\\alpha$ decay", "α decay"]),
    ("H2O", ["H$_2$O", "H₂O", "H_2O", "H$_{2}$O", "$\\mathrm{H_2O}$", "${\\rm H}_{\\rm 2}$O"]),
    ("H2O", ["\\ce{H2O}", "\\ce{H_2O}"]),
    ("LambdaCDM", ["$\\Lambda$CDM", "ΛCDM", "$\\Lambda{\\rm CDM}$"]),
    ("MoS2", ["MoS$_2$", "MoS₂", "MoS$_{2}$"]),
    ("13C", ["$^{13}$C", "¹³C", "${}^{13}$C", "$^{13}{\\rm C}$"]),
    ("Tc", ["$T_c$", "T_c", "T$_c$", "$T_{c}$"]),
    ("pi0", ["$\\pi^0$", "π⁰", "$\\pi^{0}$"]),
    ("H-alpha", ["H$\\alpha$", "Hα", "${\\rm H}\\alpha$"]),
    ("gamma-gamma", ["$\\gamma\\gamma$", "γγ"]),
    ("Calabi-Yau", ["Calabi--Yau", "Calabi–Yau", "Calabi‐Yau"]),
    ("phi", ["$\\phi$", "φ", "$\\varphi$", "ϕ"]),
    ("Poincare", ["Poincar\\'e", "Poincar\\'{e}", "Poincaré", "Poincare\u0301"]),
    ("efficient", ["eﬃcient"]),
    ("l1", ["$\\ell_1$", "ℓ1", "ℓ₁", "l_1", "$\\ell^1$"]),
    ("nu mu", ["nu_mu", "$\\nu_\\mu$", "ν_μ"]),
]  # fmt: skip


@pytest.mark.parametrize(("plain", "others"), SAME)
def test_each_way_of_writing_has_the_same_form(plain: str, others: list[str]) -> None:
    assert search_form(plain) == plain
    for other in others:
        assert search_form(other).split() == plain.split(), other


def test_a_command_that_names_something_is_a_word() -> None:
    assert search_form("$x \\to \\infty$").split() == ["x", "to", "infty"]
    assert search_form("{\\bf bold} and \\emph{stressed}").split() == ["bold", "and", "stressed"]


def test_greek_words_stay_greek() -> None:
    assert search_form("σκοτεινή") == "σκοτεινη"


def test_a_dollar_is_no_mathematics() -> None:
    assert search_form("from $5 to $6").split() == ["from", "5", "to", "6"]


@given(st.text(max_size=300))
def test_any_text_has_a_form(text: str) -> None:
    assert isinstance(search_form(text), str)


@example("^{^}")
@given(st.text(st.sampled_from("\\{}$_^-ab1 αΩ\"'"), max_size=60))
def test_no_mark_of_latex_is_left(text: str) -> None:
    assert not set(search_form(text)) & set("\\{}$^")


@given(st.text(st.characters(categories=["L", "N", "Zs"], max_codepoint=0x7F), max_size=100))
def test_plain_text_is_its_own_form(text: str) -> None:
    assert search_form(text) == text


@pytest.mark.parametrize("part", ["{", "\\", "$", "_{", "^", "\\alpha", "{{", "--", "_{a"])
def test_it_takes_time_in_proportion(part: str) -> None:
    assert isinstance(search_form(part * 30_000), str)
