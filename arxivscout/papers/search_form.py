"""The one spelling under which words are stored for searching, and asked for.

Papers write LaTeX, Unicode or plain letters for the same: `Schr\\"odinger`, `H$_2$O` and `H₂O`,
`$\\Lambda$CDM` and `ΛCDM`, `$^{13}$C`. People type what their keyboard has. All become plain
letters here, mathematics as it is read aloud, so that each form finds every other. What comes out
goes into word indexes and nowhere else: it is not meant to be shown, and embedders read the text as
it is.

Whoever changes what comes out raises `SEARCH_FORM`: the words of papers and passages held are then
written anew (`memory/word_form.py`).
"""

from __future__ import annotations

import re

from arxivscout.papers.accents import accents_to_unicode
from arxivscout.papers.text import fold_accents

SEARCH_FORM = 2

_GREEK = dict(zip(
    "αβγδεζηθικλμνξοπρςστυφχψω",
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma "
    "sigma tau upsilon phi chi psi omega".split(), strict=True,
))  # fmt: skip
_GREEK |= {letter.upper(): name.title() for letter, name in _GREEK.items()}
_LETTERS = {name: letter for letter, name in _GREEK.items() if letter != "ς"}
_LETTERS |= {f"var{name}": letter for name, letter in _LETTERS.items() if name.islower()}
_LETTERS["ell"] = "l"  # $\\ell_1$ is typed ℓ1 and l1
# Commands that say how something looks, not what it is; the blank behind belongs to them.
_LOOKS = frozenset(
    """rm it bf sc sf tt em cal mathrm mathbf mathcal mathbb mathfrak mathit mathsf mathscr bm
    boldsymbol text textrm textit textbf textsc textsf texttt textsubscript textsuperscript emph
    mbox hbox ce operatorname ensuremath left right bar hat tilde vec dot ddot overline underline
    widetilde widehat displaystyle textstyle scriptstyle protect""".split()
)
_NO_SPACE = frozenset("!-/")
_KEPT = frozenset("&%#_$")
_COMMAND = re.compile(r"\\(?:([A-Za-z]+)(\s*)|(.)|$)", re.DOTALL)
_GROUP = re.compile(r"(?<![_^])\{([^{}]*)\}")
_MOST_NESTED = 3
# Without LaTeX a word is meant: `nu_mu`.
_INDEX = re.compile(r"[_^](?:\{([^{}]*)\}|([+-]?\d+|[A-Za-z]+|[^\s{}_^]))?")
_NUMBER_OR_CHARGE = re.compile(r"[+-]?\d+[+-]?|[+-]+")
# `T_c` is Tc; a longer name in front (`Omega_m`) stays a word of its own.
_LETTER_INDEX = re.compile(r"(?<![^\W_])([A-Za-z])_(?:\{\s*([A-Za-z])\s*\}|([A-Za-z])(?![^\W_]))")
_DASHES = dict.fromkeys((*range(0x2010, 0x2014), 0x2212), "-")
_JOINED = re.compile(r"(?<=\w)--(?=\w)")
_LEFT_OVER = re.compile(r"[{}^]")
_ODD = re.compile(r"[\\${}_^]|--")
_GREEK_RUN = re.compile("[α-ωΑ-Ω]+")
# More in a row are a word of the Greek language.
_MOST_SYMBOLS = 2


def search_form(text: str) -> str:
    """`text` in plain letters, the same for every way of writing it that is in use."""
    if _ODD.search(text):
        text = _without_latex(accents_to_unicode(text))
    if text.isascii():
        return text
    text = fold_accents(text).translate(_DASHES)
    return _GREEK_RUN.sub(_read_aloud, text)


def _without_latex(text: str) -> str:
    if "\\" in text:
        text = _COMMAND.sub(_command, text)
    text = text.replace("$", "")
    if "{" in text:
        for _ in range(_MOST_NESTED):
            text = _GROUP.sub(r"\1", text)
    if "_" in text:
        text = _LETTER_INDEX.sub(r"\1\2\3", text)
    if "_" in text or "^" in text:
        text = _INDEX.sub(_index, text)
    if "--" in text:
        text = _JOINED.sub("-", text)
    return _LEFT_OVER.sub(" ", text)


def _command(match: re.Match[str]) -> str:
    name, blank, sign = match.groups()
    if name is None:
        return sign if sign in _KEPT else "" if sign in _NO_SPACE else " "
    if name in _LETTERS:
        return _LETTERS[name] + blank
    return "" if name in _LOOKS else f" {name} "


def _index(match: re.Match[str]) -> str:
    inner = (match[1] or match[2] or "").strip()
    return inner if _NUMBER_OR_CHARGE.fullmatch(inner) else f" {inner} "


def _read_aloud(match: re.Match[str]) -> str:
    run, text = match[0], match.string
    if len(run) > _MOST_SYMBOLS:
        return run
    before = text[match.start() - 1 : match.start()] if match.start() else ""
    behind = text[match.end() : match.end() + 1]
    first = "-" if before.isalpha() else " " if before.isdigit() else ""
    # ΛCDM is LambdaCDM, but μm no word.
    last = "-" if behind.isalpha() and not behind.isupper() else ""
    return first + "-".join(_GREEK[letter] for letter in run) + last
