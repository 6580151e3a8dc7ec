"""The words of a question that speak of what the program holds: they are nothing to search for.

"How many papers do you hold about black holes?" is about black holes; that papers are held is how
the program itself speaks.
"""

from __future__ import annotations

import re

_PAPERS = (
    r"(?:papers?|articles?|preprints?|publications?|abstracts?|records?|works?|studies|anything"
    r"|something|much|material)"
)
_WHO = r"(?:you|we|i|arxivscout)"
_HOLD = (
    r"(?:(?:have |got )?(?:hold|held|have|had|got|know(?: of| about)?|store|stored|keep|kept|own"
    r"|possess|contain|include|list|ingest(?:ed)?|index(?:ed)?|collect(?:ed)?|saved?|cover|count))"
)
_KEPT = r"(?:held|stored|kept|saved|ingested|indexed|available|at hand|in store|there)"
_BESIDE = r"(?: (?:here|now|currently|locally|already|in (?:total|all|store)))*"
# What is held, as part of a sentence about papers; a verb alone says nothing of it ("how do
# batteries store energy?"), so each form has its papers or its "you".
_HELD = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?<=s )(?:do|did|have|can) {_WHO}{_BESIDE} {_HOLD}\b{_BESIDE}",
        rf"(?<!how )(?<!why )(?<!when )(?<!where )\b(?:do|did|have) you{_BESIDE} {_HOLD}\b{_BESIDE}"
        rf"(?= (?:any|some|many|all|a|{_PAPERS}|on|about|for|by|from|in|regarding|concerning)\b)",
        rf"(?<=s )(?:that |which )?{_WHO}{_BESIDE} {_HOLD}\b{_BESIDE}"
        r"(?= (?:on|about|by|from|in|are|is|that)\b|\W*$)",
        rf"(?<=s )(?:(?:that |which )?(?:are|is) )?(?:currently )?{_KEPT}\b{_BESIDE}(?: by you)?"
        r"(?= (?:on|about|by|from|in)\b|\W*$)",
        rf"(?<=s )(?:are|is) there\b{_BESIDE}",
        r"\b(?:in|of|from) (?:your|our|my|this) (?:own |local |paper )*(?:collection|library|store"
        r"|storage|database|holdings|index|archive|corpus|memory|knowledge base)\b",
    )
)
# The same at the end, far from its papers: "How many papers on black holes do you hold?"
_HELD_LAST = re.compile(
    rf"\b(?:(?:do|did|have|can) {_WHO}{_BESIDE} {_HOLD}|(?:is|are) (?:currently )?{_KEPT})"
    rf"{_BESIDE}(?=\W*(?:$|[.?!] ))",
    re.IGNORECASE,
)
_ALTOGETHER = re.compile(r" (?:in (?:total|all)|altogether)(?=\W*$)", re.IGNORECASE)
_NAMED = re.compile(rf"\b{_PAPERS}\b", re.IGNORECASE)
_COUNTED = re.compile(
    rf"\b(?:how many|(?:what(?:'s|’s| is) )?the (?:total )?(?:number|count) of|number of)"
    rf"(?= (?:\w+ )?{_PAPERS}\b)|^\W*(?:please )?count(?= (?:all |the |of )*{_PAPERS}\b)",
    re.IGNORECASE,
)
_OF_THE_SUBJECT = re.compile(rf"\W*{_PAPERS} (?:on|about|by|in|from)\b", re.IGNORECASE)
# An order on the form of the answer: "List all."
_LISTED = re.compile(
    r"(?:^|(?<=[.?!,;]))\W*(?:(?:and|please|then) )*(?:list|show|name|count|enumerate|give|tell)"
    r"(?: (?:me|us|all|every|each|both|the|of|them|those|these|papers?|articles?|ones?|one|full"
    r"|complete|whole|list|titles?|number|please|here))*\W*(?=$)"
    rf"|^\W*(?:please )?(?:list|name|enumerate)(?: me)?(?= (?:(?:all|every|the|each) )+(?:\w+ )?"
    rf"{_PAPERS}\b)",
    re.IGNORECASE,
)


def without_holdings(question: str) -> str:
    """`question` without the words that say that papers are held, counted or listed."""
    text = " ".join(question.split())
    if not _NAMED.search(text) and not any(form.search(text) for form in _HELD):
        return question
    left = _LISTED.sub(" ", text)
    held = left
    for form in _HELD:
        held = form.sub(" ", held)
    if _NAMED.search(held):
        held = _HELD_LAST.sub(" ", held)
    if held != left:
        held = _ALTOGETHER.sub("", held)
    counted = _COUNTED.search(held)
    # "How many papers have been retracted?" asks papers for a number; of what is held, it counts.
    if counted and (held != left or _OF_THE_SUBJECT.match(held, counted.end())):
        held = _COUNTED.sub(" ", held)
    return " ".join(held.split()) if held.strip(" .?!") != text.strip(" .?!") else question


def wants_all(question: str) -> bool:
    """Whether the papers held on a subject are to be counted or all listed."""
    text = " ".join(question.split())
    return without_holdings(question) != question and bool(
        _COUNTED.search(text) or _LISTED.search(text) or re.search(r"\ball\b", text, re.I)
    )
