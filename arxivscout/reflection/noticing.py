"""Feedback in what the person says next: "no, that's wrong", "not what I asked", "shorter, please".

Only a clause that is nothing but such a remark counts (`remarks.py`), among the first ones of a
message: a question that has the same words in it is a question. Besides, what says that something
else was asked or is right: "I meant the 2007 paper", "No, it was found in 1998".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from arxivscout.preferences import find_preferences, stated_wishes
from arxivscout.preferences.values import OPPOSITE_STYLES
from arxivscout.reflection.remarks import GOOD, KNOWN, WRONG, Remark, is_small_talk, read_remark
from arxivscout.statements.asking import own_question
from arxivscout.statements.declaring import unsaid

__all__ = [
    "KNOWN",
    "Noticed",
    "asked_again",
    "asked_beside",
    "is_mere_remark",
    "is_standing",
    "notice",
    "opposite",
]

SENTENCES = 3  # at the beginning of a message; what follows is about something else
PARTS = 4  # of a sentence, between commas
LONGEST = 120  # characters of a clause that can be a remark
_MOST_READ = 800
_MOST_NOTE = 300

_TLDR = re.compile(r"\btl;\s?dr\b", re.IGNORECASE)
_DASH = re.compile(r"\s[-–—]+\s")
_SENTENCE = re.compile(r"[^.!?;:\n]*[^.!?;:\n\s][^.!?;:\n]*[.!?;:\n]*")
_INSTEAD = re.compile(r"[\s,]+(?:instead|invece)(?=[.!?\s]*$)", re.IGNORECASE)
_COMMA = re.compile(r",\s*")
_BUT_FIRST = r"\W*(?:(?:no|nope|sorry|actually|ma|scusa|scusami|veramente)\W+)*"
_AT_FIRST = re.compile(r"^\W*(?:no|nope|wrong|sbagliato|anzi)\W+", re.IGNORECASE)
_WHAT, _OTHER = r" (?P<what>[^;!?\n]{1,80}?)", r" [^;!?\n]{1,80}[.!]*"
_I_MEANT = r"(?:i|we)(?: was| were| am| have|['’]m|['’]ve)? (?:asked|asking|meant|wanted|needed"
# "I asked about clusters, not galaxies", over its comma; "I meant dark energy".
_ASKED_OTHER = tuple(
    re.compile(_BUT_FIRST + words, re.IGNORECASE)
    for words in (
        rf"{_I_MEANT}|looking|talking|searching)(?: (?:for|about|you|to know|to see))*{_WHAT},?"
        rf" (?:and )?not{_OTHER}",
        r"(?:io )?(?:intendevo|chiedevo|cercavo|volevo|parlavo(?: di)?|(?:ti )?ho chiesto)"
        rf"{_WHAT},? (?:e )?non{_OTHER}",
        r"(?:i|we) (?:did not|didn['’]t|do not|don['’]t) (?:want|need|ask|mean)(?: for| about)?"
        rf"{_OTHER[:-5]}?,? (?:but|i|we)(?: (?:want|need|meant|asked)\w*)?(?: for| about)?{_WHAT}"
        r"[.!]*",
        r"(?:i|we) meant (?!to\b|well\b|it\b)(?P<what>[^;?\n]{2,100})",
        r"(?:io )?intendevo (?!dire\b)(?P<what>[^;?\n]{2,100})",
    )
)
_SAID_OTHER = re.compile(
    rf"{_BUT_FIRST}(?:i|we|ho|ti ho) (?:said|wrote|detto|scritto){_WHAT},? (?:and |e )?(?:not|non)"
    rf"{_OTHER}",
    re.IGNORECASE,
)
_IT = r"(?:it|that|this|they|he|she|there|quest[oaie]|ess[oaie])"
_ANYTHING = r"(?:the|its|their|these|those|il|lo|la|i|gli|le)(?: [\w'’-]+){1,4}?|l['’][\w'’-]+"
_SAYS = (
    r"(?:(?:['’]s| is| was| are| were| has| have| had| does| did| uses?| used| comes?| came| è"
    r"| era| erano| sono| ha| hanno| usa| usano| viene| risale)\b|['’]re\b)"
)
_NOT_OTHER = r"(?: not|,? non| rather than| instead of| invece (?:di|che)| anziché) "
# "No, it was found in 1998", "It is from 2007, not 2009", "Actually it has 12 layers".
_IS_RIGHT = re.compile(
    rf"\W*(?:no|nope|wrong|sbagliato)\W+(?:(?:{_IT}|{_ANYTHING}){_SAYS}|è\b|era\b|sono\b)"
    r" [^?\n]{2,200}"
    rf"|\W*(?:(?:actually|in realtà|anzi)\W+)?(?:{_IT}{_SAYS}|è\b|era\b) [^?\n]{{1,80}}?,?"
    rf"{_NOT_OTHER}[^?\n]{{1,80}}"
    rf"|\W*(?:actually|in realtà)\W+(?:(?:{_IT}|{_ANYTHING}){_SAYS}|è\b|era\b) [^?\n]{{0,80}}\d"
    r"[^?\n]{0,80}",
    re.IGNORECASE,
)
# What follows "that's wrong" and states something, and asks for nothing.
_STATES = re.compile(
    rf"\W*(?:{_IT}|the|its|their|these|those|il|lo|la|gli|le|l['’]|è|era|sono"
    r"|(?:i|we) (?:meant|said|asked))\b",
    re.IGNORECASE,
)
# What is asked not of one answer.
_FOR_GOOD = re.compile(
    r"\b(?:always|never|ever|from now on|in (?:the )?future|every time|each time|in general|sempre"
    r"|mai|d['’]ora in (?:poi|avanti)|in futuro|ogni volta|in generale)\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:answers|replies|explanations|next time|stop|risposte|spiegazioni|la prossima volta"
    r"|smetti)\b",
    re.IGNORECASE,
)

# How answers are to be from now on is a wish to remember, and no word on the one before.
_STANDING = re.compile(
    r"\b(?:i (?:prefer|want|like|need|would like|would prefer)|i'd (?:like|prefer)|from now on"
    r"|always|in (?:the )?future|every time|d['’]ora in poi|sempre|preferisco|vorrei|voglio)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Noticed:
    """What the person made of the answer before.

    Attributes:
        feedback: good, bad, or corrected: they say what is right in its place.
        asks: the manner of answers that is asked for, or `KNOWN`; "" for none.
        note: their words.
        besides: what else they ask or say, the remark aside.
        right: what they say is right in place of what was answered.
    """

    feedback: Literal["good", "bad", "corrected"]
    asks: str
    note: str
    besides: str = ""
    right: str = ""

    @property
    def wrong(self) -> bool:
        """Whether what was said is wrong, and not only the way in which it was said."""
        return self.feedback != "good" and not self.asks


def notice(said: str) -> Noticed | None:
    """What a message says of the answer before it, or None. Never raises; linear in the length."""
    head = said[:_MOST_READ].strip()
    note = " ".join(head.split())[:_MOST_NOTE]
    line = head[:300].partition("\n")[0]
    if "?" in line and own_question(line):  # "Where is my talk?" asks for no more of an answer
        return None
    if found := next(filter(None, (each.fullmatch(line) for each in _ASKED_OTHER)), None):
        return Noticed("bad", "", note, found["what"].strip(" .!"), right=line)
    if _SAID_OTHER.fullmatch(line):
        return Noticed("bad", "", note, right=line)
    remarks, besides = _read(head)
    says = [each.says for each in remarks]
    if WRONG in says:
        if "?" not in besides and _STATES.match(besides):
            return Noticed("bad", "", note, right=besides)
        return Noticed("bad", "", note, besides)
    if _IS_RIGHT.fullmatch(line):
        return Noticed("corrected", "", note, right=_AT_FIRST.sub("", line))
    if manner := next((each for each in says if each != GOOD), ""):
        if _FOR_GOOD.search(head) and find_preferences(head):
            return None  # a standing wish, which is kept at once
        return Noticed("bad", manner, note, besides)
    return Noticed("good", "", note, besides) if says else None


def asked_beside(said: str) -> str:
    """What a message asks or says besides a remark on the answer before it; "" of nothing else."""
    noticed = notice(said)
    return said if noticed is None else noticed.besides


def asked_again(said: str, earlier: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The question that is to be answered once more in another manner, and what was said before it.

    After "shorter, please" that is the last one that asked something; "" where the manner is not
    all that is said.

    Args:
        earlier: the person's messages of the thread, the oldest first.
    """
    noticed = notice(said)
    if noticed is None or noticed.besides or noticed.asks not in OPPOSITE_STYLES:
        return "", ()
    if is_standing(said):
        return "", ()
    for place in reversed(range(len(earlier))):
        if asked := asked_beside(earlier[place]):  # a wish, or what was only said, has no answer
            asks = not stated_wishes(asked) and any(map(str.isalnum, unsaid(asked)))
            return (asked, earlier[:place]) if asks else ("", ())
    return "", ()


def is_standing(said: str) -> bool:
    """Whether a message says how answers are to be from now on."""
    lasts = _STANDING.search(said) or _LASTING.search(said)
    return bool(lasts and stated_wishes(said))


def is_mere_remark(said: str) -> bool:
    """Whether a message only remarks on the answer before it, so that it states nothing else.

    What is to hold from now on ("keep your answers short") is more than a remark, and so is what
    says what is right.
    """
    noticed = notice(said)
    if noticed is None or noticed.right or noticed.besides:
        return False
    return not (noticed.asks and (_FOR_GOOD.search(said) or _LASTING.search(said)))


def _read(text: str) -> tuple[list[Remark], str]:
    """The remarks of the first sentences, and what else is said.

    In a sentence they come before all else. "What are axions? In short, please" says how that is to
    be answered, and so does "In short: what are axions?"; "Too long. What are axions?" doesn't.
    """
    found: list[Remark] = []
    besides: list[str] = []
    sentences = _SENTENCE.findall(_DASH.sub(". ", _TLDR.sub("tldr", text)))
    for sentence in sentences[:SENTENCES]:
        remarks, rest = _read_sentence(sentence)
        found += [each for each in remarks if each.judges or not besides]
        if rest:
            besides.append(rest)
    besides += [each.strip() for each in sentences[SENTENCES:]]
    rest = _INSTEAD.sub("", " ".join(besides))
    return [each for each in found if each.of_before or not rest], rest


def _read_sentence(sentence: str) -> tuple[list[Remark], str]:
    """The remarks that a sentence begins with, and the rest of it."""
    body = sentence.strip().rstrip(".!?;:\n ")
    asked = "?" in sentence[len(body) :]
    if len(body) <= LONGEST and (whole := read_remark(body, asked=asked)):
        # "Clear: …" is how a title begins.
        names = whole.says == GOOD and sentence[len(body) :].strip() == ":"
        return ([], body) if names else ([whole], "")
    parts = _COMMA.split(body, PARTS)
    found: list[Remark] = []
    for at, part in enumerate(parts):
        ends = at == len(parts) - 1
        remark = read_remark(part, asked=asked and ends) if len(part) <= LONGEST else None
        if remark is not None:
            found.append(remark)
        elif not is_small_talk(part) or (asked and ends):
            return found, ", ".join(parts[at:]) + sentence.strip()[len(body) :]
    return found, ""


def opposite(asks: str) -> str:
    """The manner that is the contrary of one, or "" for none."""
    return OPPOSITE_STYLES.get(asks, "")
