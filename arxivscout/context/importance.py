"""How much a sentence of a conversation matters, told by rule.

One half to begin with, .3 more for a decision, .2 for a constraint, an error, a correction, a
preference, .1 to .2 for a paper, a date, a number; at most 1. What the reference texts give, plus
what they leave out.
"""

from __future__ import annotations

import re

from arxivscout.papers import find_paper_ids

BASE = 0.5

_DECISION = re.compile(
    r"\b(?:decid\w+|conclud\w+|conclusions?|agree[ds]?|chose(?:n)?|choos\w+|pick(?:ed)?|settled"
    r"|(?:we|i)(?:'ll| will| shall| am going to|'m going to| are going to|'re going to)"
    r"|let'?s|plan(?:s|ned|ning)?|go(?:ing)? with|use instead|final(?:ly|ised|ized)?"
    r"|decis\w+|deciso|scel\w+|useremo|userò|faremo|farò|concordat\w+)\b",
    re.IGNORECASE,
)
_CONSTRAINT = re.compile(
    r"\b(?:must(?:n't)?|requir\w+|need(?:s|ed)? to|ha(?:ve|s|d) to|constraint\w*|deadline\w*"
    r"|limit\w*"
    r"|at (?:most|least)|only|never|always|not allowed|budget\w*|within"
    r"|dev(?:e|ono|o|i)|vincol\w+|scadenz\w+|almeno|al massimo|solo|mai|sempre)\b",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\b(?:error\w*|fail\w*|wrong\w*|incorrect\w*|bug\w*|broke\w*|crash\w*|mistak\w+|timed? ?out"
    r"|does(?:n't| not) work|not (?:found|supported)|error[ei]|sbagliat\w+|fallit\w+)\b",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"\b(?:actually|correction|correct(?:ed|ing)?|instead of|not .{1,40} but|i meant|rather"
    r"|in realtà|anzi|corrett\w+|intendevo)\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\b(?:prefer\w*|i (?:like|love|hate|want|dislike)|favou?rite|avoid\w*|please (?:always|never)"
    r"|preferi\w+|vorrei|evita\w*)\b",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"\b(?:found|find(?:s|ing|ings)|show(?:s|ed|n)?|results?|because|therefore|outperform\w*"
    r"|trovat\w+|mostra\w*|risultat\w+|perch[eé])\b",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre"
    r"|dicembre)"
)
DATE = re.compile(
    rf"\b\d{{4}}-\d{{2}}(?:-\d{{2}})?\b|\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b\.?"
    rf"|{_MONTH}\.?\s+\d{{1,4}}(?:st|nd|rd|th)?\b)(?:,?\s+\d{{4}}\b)?",
    re.IGNORECASE,
)
_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|week(?:end)?|month|year|summer|winter|spring"
    r"|autumn|fall|night|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)"
)
_COUNT = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|hundred|thousand|million|dozen|due|tre|quattro|cinque|sei|sette|otto"
    r"|nove|dieci|cento|mille)"
)
# Days told from the day of speaking, and numbers in words.
_IN_WORDS = re.compile(
    rf"\b(?:yesterday|tomorrow|tonight|ieri|domani|(?:last|next|past|this coming)\s+{_DAY}s?"
    rf"|(?:a few|a couple of|several|some|{_COUNT}|\d+)\s+(?:days?|{_DAY}s?)\s+(?:ago|before|later)"
    rf"|(?:on\s+)(?:mon|tues|wednes|thurs|fri|satur|sun)day|{_COUNT})\b",
    re.IGNORECASE,
)
NUMBER = re.compile(r"(?<![\w.])[-+−]?[$€£]?\d[\d,.]*\d%?|(?<![\w.])[$€£]?\d%?(?!\w*\d)")


def importance(text: str, *, asked: bool = False) -> float:
    """From .5 to 1.

    Args:
        asked: the text is a question of the person's.
    """
    weight = BASE
    weight += 0.3 if decides(text) else 0.0
    weight += 0.2 if _CONSTRAINT.search(text) else 0.0
    weight += 0.2 if _ERROR.search(text) else 0.0
    weight += 0.2 if _CORRECTION.search(text) or _PREFERENCE.search(text) else 0.0
    weight += 0.1 if asked else 0.0
    weight += 0.1 if _FINDING.search(text) else 0.0
    if _IN_WORDS.search(text):
        weight += 0.1
    if any(character.isdigit() for character in text):
        weight += 0.2 if find_paper_ids(text) or DATE.search(text) else 0.1
    return min(weight, 1.0)


def decides(text: str) -> bool:
    """Whether something is decided in `text`."""
    return _DECISION.search(text) is not None


def facts(text: str) -> list[str]:
    """The paper ids, dates and numbers in `text`, each once: what a summary may not lose."""
    found = dict.fromkeys(each.value for each in find_paper_ids(text))
    for arxiv_id in found:
        text = text.replace(arxiv_id, " ")
    for pattern in (DATE, _IN_WORDS):
        found |= dict.fromkeys(match.group() for match in pattern.finditer(text))
        text = pattern.sub(" ", text)
    found |= dict.fromkeys(match.group().rstrip(".,") for match in NUMBER.finditer(text))
    return list(found)
