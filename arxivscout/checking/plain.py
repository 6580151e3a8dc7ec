"""LaTeX and typography made plain, so that an answer and the text that it cites can be compared."""

from __future__ import annotations

import re
import unicodedata

_ACCENT = re.compile(r"\\[\"'`^~=.]\s*\{?\s*\\?([A-Za-z])\s*\}?|\\[uvHckrdb]\{\s*([A-Za-z])\s*\}")
_LETTERS = {
    "ss": "ß", "l": "ł", "L": "Ł", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "aa": "å",
    "AA": "Å", "i": "i", "j": "j",
}  # fmt: skip
_SIGNS = {
    "times": "×", "cdot": "×", "pm": "±", "mp": "±", "sim": " ~", "approx": " ~", "simeq": " ~",
    "le": "<", "leq": "<", "lesssim": "<", "lt": "<", "ll": "<", "ge": ">", "geq": ">",
    "gtrsim": ">", "gt": ">", "gg": ">", "to": "→", "rightarrow": "→", "infty": "∞", "odot": "☉",
    "sun": "☉", "circ": "°", "degree": "°", "deg": "°", "ell": "l", "hbar": "ħ", "AA": "Å",
    "ldots": "…", "dots": "…", "cdots": "…", "prime": "′", "textemdash": "—", "textendash": "–",
}  # fmt: skip
_GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu "
        "xi pi rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma "
        "Upsilon Phi Psi Omega".split(),
        "αβγδεεζηθθικλμνξπρστυφφχψωΓΔΘΛΞΠΣΥΦΨΩ",
        strict=True,
    )
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?\s?")
_ESCAPED = re.compile(r"\\([%&$#_{}])")
_SPACE_COMMAND = re.compile(r"\\[,;:!> ]|\\quad\b|\\qquad\b")
_TIE = re.compile(r"(?<=[\w.,)])~(?=[\w(\\$])")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
# Between groups of three digits these blanks part thousands.
_THIN = re.compile(r"(?<=\d)(?:\\,|[\u2009\u202f\u00a0'’])(?=\d{3}(?!\d))")
_BLANKS = re.compile(r"[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+")


def plain(text: str) -> str:
    """`text` without LaTeX's and typography's ways of writing: `$10^{-3}$` is `10^-3`.

    One line; dollar signs, braces and commands are gone, Greek letters and signs are Unicode,
    quotation marks are as they were. Idempotent enough for comparison, not for display.
    """
    text = _THIN.sub("", text)
    text = _SUPERSCRIPT.sub(lambda found: "^" + found[0].translate(_SUPERSCRIPTS), text)
    text = text.replace("−", "-").replace("‐", "-").replace("‑", "-")
    if "\\" in text or "$" in text or "{" in text:
        text = _latex(text)
    text = text.replace("``", "“").replace("''", "”").replace("---", "—").replace("--", "–")
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", text)).strip()


def _latex(text: str) -> str:
    text = _ACCENT.sub(lambda found: found[1] or found[2], text)
    text = _TIE.sub(" ", text)
    text = _SPACE_COMMAND.sub(" ", text)
    text = _FRACTION.sub(r"\1/\2", text)
    text = _COMMAND.sub(_command, text)
    text = _ESCAPED.sub(lambda found: "\x00" if found[1] == "$" else found[1], text)
    text = re.sub(r"[${}\\_]", "", text).replace("\x00", "$")
    return text


def _command(found: re.Match[str]) -> str:
    name = found[1]
    if name in _GREEK:
        return _GREEK[name]
    if name in _SIGNS:
        return _SIGNS[name]
    return _LETTERS.get(name, "")
