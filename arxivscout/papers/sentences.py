"""Scientific prose cut into sentences, nothing lost and nothing changed."""

from __future__ import annotations

import re
from bisect import bisect

# A full stop after one of these ends no sentence. Single letters (initials) are told by shape.
_ABBREVIATIONS = frozenset(
    "al e.g eg i.e ie cf viz vs resp approx ca fig figs eq eqs eqn eqns ref refs sec secs sect "
    "tab no nos vol ch chap app appx thm lem prop cor def ex rem st dr mr mrs ms prof jr inc ltd "
    "dept univ proc phys lett rev astron astrophys suppl ed eds pp p.p w.r.t wrt a.k.a s.t".split()
)
# These may end one: it does when a capital follows.
_MAY_END = frozenset({"etc", "u.s", "u.k"})

# The next sentence begins like one: a capital, a digit, a bracket, a quotation, a formula.
_BOUNDARY = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(\s++)(?=[\"'“‘(\[]*[^\W_a-z]|\$|\\|[\"'“‘(\[])"
    r"|[。！？]++[」』）]*+(\s*+)"
    r"|(\n\s*\n\s*)"
)
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]+$")
_DOLLAR = re.compile(r"(?<!\\)\$\$?")


def split_sentences(text: str) -> list[str]:
    """The sentences of `text`, each with the blanks after it; joined, they are `text` again.

    Full stops in abbreviations ("et al.", "Fig. 3"), initials ("E. Witten"), decimals and LaTeX
    mathematics between dollar signs end nothing.
    """
    formulas = _formulas(text)
    sentences: list[str] = []
    begin = 0
    for found in _BOUNDARY.finditer(text):
        end = found.end()
        if end <= begin or bisect(formulas, found.start()) % 2:
            continue  # an odd number of marks before it: inside a formula
        if found[1] is not None and not _ends(text, begin, found):
            continue
        if text[begin:end].strip():
            sentences.append(text[begin:end])
            begin = end
    if begin < len(text):
        if sentences and not text[begin:].strip():
            sentences[-1] += text[begin:]
        else:
            sentences.append(text[begin:])
    return sentences


def _ends(text: str, begin: int, found: re.Match[str]) -> bool:
    stop = text[found.start()]
    if stop != "." or text.startswith("..", found.start()):
        return True
    word = _LAST_WORD.search(text, max(begin, found.start() - 40), found.start())
    if word is None:
        return True
    last = word.group()
    if last.lower() in _MAY_END:
        return True
    if last.lower() in _ABBREVIATIONS:
        # "No. 3" and "no." are two words: only the one before a number is short for "number".
        return last.lower() in ("no", "ex", "def", "app") and not text[found.end()].isdigit()
    # "J. Smith", "J.-P. Serre", "A.B. Author"; but "vitamin C. The" and "type I. We" are rare.
    return re.fullmatch(r"(?:[^\W\d_]\.-?)*[^\W\d_a-z]", last) is None


def _formulas(text: str) -> list[int]:
    """Where mathematics begins and ends, in turn; none, if the dollar signs don't pair."""
    marks = [found.start() for found in _DOLLAR.finditer(text)]
    return [] if len(marks) % 2 else marks
