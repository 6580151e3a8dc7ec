"""The simple mathematics of titles and abstracts as a person reads it: `$10^{9}$` with a raised 9.

What is not known here in every part stays as its author wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from arxivscout.papers import one_line
from arxivscout.papers.citing.mathematics import MATHS
from arxivscout.reports.markup import Markup, joined, tag

LONGEST = 400  # characters of a formula
DEEPEST = 6  # braces in one another

_TOKEN = re.compile(
    r"\\(?P<name>[A-Za-z]+)|\\(?P<sign>[^A-Za-z\s])|\\?(?P<space>[\s~]+)|(?P<one>.)"
)
_PAIRS = """
    alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι
    kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ varrho ϱ sigma σ tau τ upsilon υ phi φ varphi φ chi χ
    psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
    hbar ℏ ell ℓ partial ∂ nabla ∇ infty ∞ emptyset ∅ varnothing ∅ forall ∀ exists ∃ neg ¬ prime ′
    top ⊤ bot ⊥ angle ∠ aleph ℵ Re ℜ Im ℑ degree ° dag † dagger † ddagger ‡ checkmark ✓ S §
    pm ± mp ∓ times × div ÷ ast ∗ star ⋆ circ ∘ bullet • cdot · cap ∩ cup ∪ vee ∨ wedge ∧ lor ∨
    land ∧ setminus ∖ oplus ⊕ ominus ⊖ otimes ⊗ odot ⊙ ltimes ⋉ rtimes ⋊ boxtimes ⊠
    le ≤ leq ≤ leqslant ≤ leqq ≤ ge ≥ geq ≥ geqslant ≥ geqq ≥ ll ≪ gg ≫ prec ≺ succ ≻ preceq ⪯
    succeq ⪰ sim ∼ simeq ≃ approx ≈ cong ≅ equiv ≡ propto ∝ varpropto ∝ asymp ≍ neq ≠ ne ≠ lesssim ≲
    gtrsim ≳ lt < gt > subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ in ∈ notin ∉ ni ∋ perp ⊥ parallel ∥
    mid | models ⊨ vdash ⊢ leftarrow ← rightarrow → to → gets ← leftrightarrow ↔ Leftarrow ⇐
    Rightarrow ⇒ Leftrightarrow ⇔ iff ⇔ implies ⇒ uparrow ↑ downarrow ↓ mapsto ↦ longrightarrow ⟶
    hookrightarrow ↪ sum ∑ prod ∏ int ∫ oint ∮ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉
    vert | Vert ‖ lvert | rvert | lVert ‖ rVert ‖ ldots … dots … cdots ⋯ backslash \\ AA Å colon :
""".split()
_SIGNS = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
_FUNCTIONS = frozenset(
    """arccos arcsin arctan arg cos cosh cot coth det deg dim exp gcd inf ker lg lim liminf limsup
    ln log max min mod bmod sec sin sinh sup tan tanh Pr""".split()
)
# How letters look: they are shown as the text around them.
_LOOKS = frozenset(
    """mathrm mathbf mathit mathsf mathtt mathcal mathfrak mathscr boldsymbol bm operatorname text
    textrm textit textbf textsf texttt textsc emph mbox rm bf it sf tt sc cal big Big
    bigg Bigg bigl bigr Bigl Bigr displaystyle textstyle limits nolimits mathop""".split()
)
_ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303",
    "bar": "\u0304", "overline": "\u0304", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308",
    "acute": "\u0301", "grave": "\u0300", "check": "\u030c", "breve": "\u0306",
}  # fmt: skip
_SPACES = {",": "\u2009", ":": "\u2009", ";": "\u2009", "!": "", " ": " ", "/": ""}
_SPACING = {"quad": " ", "qquad": " ", "thinspace": "\u2009", "enspace": " "}
_DOUBLE = dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))
_BRACKETS = "⟨⟩⌊⌋⌈⌉|‖"
_PLAIN = {"-": "−", "'": "′", "*": "∗"}


class _NotKnown(Exception):
    """There is something in the formula that is not shown here."""


def with_mathematics(text: str) -> Markup:
    """A line of text, the formulas in it as they are read."""
    line, parts, end = one_line(text), [], 0
    for found in MATHS.finditer(line):
        shown = _formula(found[1])
        if shown is not None:
            parts += [line[end : found.start()], shown]
            end = found.end()
    return joined(*parts, line[end:])


def _formula(tex: str) -> Markup | None:
    if len(tex) > LONGEST:
        return None
    try:
        parts = list(_parts(_Tokens(tex), 0))
    except _NotKnown:
        return None
    return tag("span", *parts, class_="maths")


class _Tokens:
    """What is left of a formula: (kind, what) each."""

    def __init__(self, tex: str) -> None:
        found = [(str(each.lastgroup), each[str(each.lastgroup)]) for each in _TOKEN.finditer(tex)]
        self._left = found[::-1]
        self._last: tuple[str, str] | None = None
        self.before: tuple[str, str] | None = None  # the token before the one that was read last

    def __bool__(self) -> bool:
        return bool(self._left)

    def next(self) -> tuple[str, str]:
        if not self._left:
            raise _NotKnown
        self.before, self._last = self._last, self._left.pop()
        return self._last

    def after_spaces(self) -> tuple[str, str]:
        self.skip_spaces()
        return self.next()

    def skip_spaces(self) -> None:
        while self.at_space:
            self._left.pop()

    @property
    def at_space(self) -> bool:
        return bool(self._left) and self._left[-1][0] == "space"


def _parts(tokens: _Tokens, depth: int, closing: bool = False) -> Iterator[str]:
    """What the formula shows, up to its end, or to the brace that closes it."""
    while tokens:
        token = tokens.next()
        if token == ("one", "}"):
            if closing:
                return
            raise _NotKnown
        yield _part(token, tokens, depth)
    if closing:
        raise _NotKnown


def _part(token: tuple[str, str], tokens: _Tokens, depth: int) -> str:
    kind, what = token
    if kind == "space":
        return " "
    if kind == "sign":
        if what in _SPACES:
            return _SPACES[what]
        if what in "{}%$#&_|":
            return {"|": "‖"}.get(what, what)
        raise _NotKnown
    if kind == "name":
        return _command(what, tokens, depth)
    if what == "{":
        if depth == DEEPEST:
            raise _NotKnown
        return joined(*_parts(tokens, depth + 1, closing=True))
    if what in "^_":
        index = _argument(tokens, depth)
        if what == "^" and index == "∘":
            return "°"
        return tag("sup" if what == "^" else "sub", index)
    if what in "&\\":
        raise _NotKnown
    return _PLAIN.get(what, what)


def _command(name: str, tokens: _Tokens, depth: int) -> str:
    if name in _SIGNS:
        sign, before = _SIGNS[name], tokens.before
        if sign.isalpha():  # the blank behind a letter's name only ends it
            tokens.skip_spaces()
        elif sign not in _BRACKETS and tokens.at_space and before and before[0] != "space":
            return f" {sign}"  # `p\to q`: as far before as behind
        return sign
    if name in _FUNCTIONS:
        return f"{name} "
    if name in _LOOKS:
        tokens.skip_spaces()
        return ""
    if name in ("left", "right"):
        bracket = _part(tokens.after_spaces(), tokens, depth)
        return "" if bracket == "." else bracket
    if name in _SPACING:
        return _SPACING[name]
    if name in _ACCENTS:
        letter = _argument(tokens, depth)
        if len(letter) != 1:
            raise _NotKnown
        return letter + _ACCENTS[name]
    if name == "mathbb":
        letter = _argument(tokens, depth)
        return _DOUBLE.get(letter, letter)
    if name in ("frac", "dfrac", "tfrac"):
        above, below = _argument(tokens, depth), _argument(tokens, depth)
        return joined(_whole(above), "/", _whole(below))
    if name == "sqrt":
        under = _argument(tokens, depth)
        if under == "[":  # another root than the square one
            raise _NotKnown
        return joined("√", _whole(under))
    raise _NotKnown


def _argument(tokens: _Tokens, depth: int) -> str:
    """What a command or a sign for an index is about: a group, or one sign."""
    token = tokens.after_spaces()
    if token in (("one", "}"), ("one", "^"), ("one", "_")):
        raise _NotKnown
    shown = _part(token, tokens, depth)
    # `^\mathrm{eff}`: how it looks stands before what it is.
    return shown if shown or token[0] != "name" else _argument(tokens, depth)


def _whole(shown: str) -> str:
    """A part of a fraction or a root: in brackets, if it is more than a number or a letter."""
    return shown if shown.isalnum() else joined("(", shown, ")")
