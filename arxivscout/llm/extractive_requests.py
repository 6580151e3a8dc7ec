"""What a person wants of a turn, told by rule from their own words.

English first, Italian in the commonest turns of phrase. A rule that misses leaves the default:
a research question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from arxivscout.llm.about_me import AboutMe, asks_about_me, open_question, stated
from arxivscout.llm.extractive_filters import LONGEST_TOPIC
from arxivscout.llm.record_questions import asks_comparison
from arxivscout.papers import PaperId, cut_at_word, find_paper_ids
from arxivscout.preferences import Preference, stated_wishes
from arxivscout.redaction import without_marks
from arxivscout.statements.declaring import unsaid
from arxivscout.statements.own_words import keeps_nothing, tells_a_task

Wish = Literal[
    "nothing", "help", "thanks", "summarise", "forget", "recall", "remember", "preference", "paper",
    "compare", "research", "lost", "stated",
]  # fmt: skip

_POLITE = (
    r"^(?:\W*(?:please|ok|okay|so|now|and|also|hey|can|could|would|will) |you |per favore |puoi )*"
)
_GREETING = re.compile(
    r"\W*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|ciao|salve|buongiorno|hola"
    r"|bonjour|hallo)(?: there| arxivscout| scout)?|how are you(?: today| doing)?|test|ping"
    r"|(?:(?:hi|hello)\W+)?(?:help(?: me)?|who are you|what are you|what(?:'s| is) your name"
    r"|what (?:can|do) you do(?: for me)?|how do (?:you|i) (?:work|use (?:you|this|it))"
    r"|cosa sai fare|chi sei|aiuto))\W*",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"\W*(?:(?:many )?thanks?(?: you)?(?: (?:a lot|so much|very much))?|thx|grazie(?: mille)?|merci"
    r"|ok(?:ay)?|good|great|nice|cool|perfect|bye|goodbye|see you|good night)\W*",
    re.IGNORECASE,
)
_SUMMARISE = re.compile(
    r"\b(?:summari[sz]e|sum up|condense|recap|riassum\w+|sintetizza)\b.{0,40}"
    r"\b(?:thread|conversation|chat|discussion|dialogue|conversazione|discussione)\b"
    r"|\b(?:summary|recap|riassunto) of (?:this|the|our) (?:thread|conversation|chat|discussion)\b",
    re.IGNORECASE,
)
_FORGET = re.compile(
    _POLITE + r"(?:forget|(?:delete|remove|erase|drop)(?= (?:my|the|that|this|your|what|all|any)\b"
    r".{0,80}\b(?:memor\w+|preference\w*|finding\w*|fact\w*|note\w*|said|told|saved))"
    r"|dimentica\w*|cancella(?= .{0,60}\b(?:preferenz\w+|memori\w+))|vergiss|vergessen sie"
    r"|oublie[sz]?|olvida\w*)\b[\s,:]*(?P<what>.*)",
    re.IGNORECASE | re.DOTALL,
)
_DONT_FORGET = re.compile(_POLITE + r"(?:don['’]?t|do not|never) forget\b", re.IGNORECASE)
_RECALL = re.compile(
    r"\bwhat (?:do|did|can|have) you (?:know|remember|recall|store[d]?|saved?|learn(?:ed|t)?"
    r"|kept|keep)"
    r"\b.{0,30}\b(?:about me|of me|me|my|so far)\b"
    r"|\bwhat (?:do|can) you (?:remember|recall)\b"
    r"|\bwhat (?:are|were|is|was) my (?:saved |stored |own )?(?:preferences?|findings?|interests?"
    r"|notes?|memories|(?:last|previous|first|earlier) (?:question|thread|search)\w*)"
    r"|\b(?:show|list|tell|give)(?: me)? (?:all )?(?:my|your|the) (?:saved |stored )?"
    r"(?:preferences?|findings?|memories|notes)\b"
    r"|\bwhat (?:did|have|had) (?:i|we) (?:already )?(?:ask|asked|discuss|discussed|talk|talked"
    r"|look|looked|say|said|tell|told|search|searched|find|found|read|cover|covered|do|done)\b"
    r"|\b(?:which|what) (?:papers?|articles?|topics?|questions?) (?:did|have|had) (?:i|we|you)\b"
    r"|\bdo you (?:still )?(?:remember|recall)\b"
    r"|\b(?:did|have|had) (?:we|i) (?:already |ever )?(?:look|looked|discuss|discussed|ask|asked"
    r"|talk|talked|search|searched|read)\b"
    r"|\bcosa ti ho (?:detto|chiesto)\b|\bdi cosa abbiamo parlato\b"
    r"|\bquali sono le mie preferenze\b|\bti ricordi\b",
    re.IGNORECASE,
)
# What of memory is asked for, where it is one kind of it.
_FOCUS: dict[Literal["me", "first", "shown", "findings", "papers", "held"], re.Pattern[str]] = {
    "me": re.compile(
        r"^\W*(?:(?:so|and|now|please)\W+)*(?:who am i|chi sono(?: io)?|wer bin ich|qui suis-je"
        r"|¿?quién soy(?: yo)?"
        r"|(?:tell me|show me|say) (?:all |everything |what )?(?:that )?"
        r"(?:you (?:know|remember|have) )?about"
        r" (?:me|myself)"
        r"|(?:(?:can|could) you )?(?:describe|introduce) me"
        r"|(?:what|which) (?:are|were) (?:all )?my (?:saved |stored |own )?(?:preferences|wishes)"
        r"|(?:show|list|tell|give)(?: me)? (?:all )?my (?:saved |stored )?(?:preferences|wishes)"
        r"|quali sono le mie preferenze"
        r"|(?:tell me |show me )?what (?:do|can|have) you (?:know|remember|recall|learn(?:ed|t)?"
        r"|store[d]?|saved?|kept|keep)(?: so far)? (?:about|of|on) (?:me|myself)(?: so far)?"
        r"|(?:dimmi )?(?:che )?cosa (?:sai|ricordi) di me|was wei(?:ß|ss)t du"
        r" (?:über|von) mi(?:ch|r)"
        r"|que sais-tu (?:de|sur) moi|¿?qué sabes de mí)\W*$",
        re.IGNORECASE,
    ),
    "first": re.compile(
        r"\b(?:what|which|qual|quale|was|welche\w*)\b.{0,12}\b(?:my|our|mia|meine) (?:very )?"
        r"(?:first|last|previous|prima|ultima|erste|letzte) (?:question|message|domanda|frage)\b"
        r"|\b(?:first|last|previous) (?:thing|question|message)s? (?:that )?(?:i|we)(?:'ve| have)?"
        r" (?:ever )?(?:asked|said|told|wrote|sent)\b"
        r"|\bwhat did (?:i|we) (?:\w+ )?(?:ask|say|tell)(?: you)? (?:at )?(?:first|last|before"
        r"|previously)\W*$",
        re.IGNORECASE,
    ),
    "shown": re.compile(
        r"\b(?:which|what|how many|the|list|show(?: me)?(?: all)?) (?:of the |the )?(?:papers?"
        r"|articles?|preprints?)(?: (?:did|have|had|that))? (?:i|we|you)(?:'ve| have)?"
        r" (?:already |ever |just )*(?:talk(?:ed)? about|discuss(?:ed)?|look(?:ed)? at|s[ea]w|seen"
        r"|show(?:n|ed)?(?: me| us)?|come across|came across|cover(?:ed)?|cited?|go(?:ne)? through"
        r"|went through)\b"
        r"|\bwhich papers have been shown\b|\bdi quali articoli abbiamo parlato\b"
        r"|\bquali articoli (?:mi hai mostrato|ho visto|abbiamo visto)\b",
        re.IGNORECASE,
    ),
    "findings": re.compile(
        r"\b(?:which|what|how many) (?:saved |stored )?findings? (?:do|did|have) (?:i|you|we)\b"
        r"|\b(?:what|which) (?:are|were) my (?:saved |stored |own )?findings?\b"
        r"|\b(?:show|list|tell|give)(?: me)? (?:all )?(?:my|the) (?:saved |stored )?findings?\b",
        re.IGNORECASE,
    ),
    "papers": re.compile(
        r"\b(?:which|what|how many) (?:papers?|articles?) (?:did|have|do|had) i (?:already "
        r"|really )?(?:read\b|(?:lik|lov|enjoy)\w*|mark\w*|tag\w*|note\w*|have (?:read|marked"
        r"|tagged|noted))|\bquali (?:articoli|paper) mi (?:sono piaciuti|piacciono)"
        r"|\b(?:which|what) (?:notes?|tags?|marks?|bookmarks?) (?:do|did|have) i\b"
        r"|\b(?:which|what) (?:papers?|articles?) (?:are|is|do i have) (?:in|on) my (?:library"
        r"|reading list)\b"
        r"|\b(?:what|which) (?:are|is) (?:in )?my (?:library|reading list|notes?|tags?)\b"
        r"|\b(?:show|list|tell|give)(?: me)? (?:all )?my (?:library|reading list|notes|tags)\b",
        re.IGNORECASE,
    ),
    "held": re.compile(
        r"\bhow many (?:papers?|articles?) (?:do|are|have|is) (?:you|i|we|there|held|stored)"
        r"(?: (?:hold|held|have|got|stored?|know|here|in (?:total|all)))*\W*$"
        r"|\bquanti articoli (?:hai|ho|ci sono|conosci)\W*$",
        re.IGNORECASE,
    ),
}
_REMEMBER = re.compile(
    _POLITE + r"(?:(?:keep|bear) in mind|don['’]?t forget(?! to\b)|do not forget(?! to\b)"
    r"|tieni a mente"
    r"|(?:remember|note|make a note|take note|memori[sz]e|save|store|ricorda(?:ti)?|annota|salva)"
    r"(?=\s*:|\s+(?:that|this|of|as|the (?:finding|fact)|my|i|we|che)\b))[\s,:]*"
    r"(?:(?P<link>that|this|of|as an? (?:finding|fact|note|preference)"
    r"|the (?:finding|fact)|che)\b)?"
    r"[\s,:]*(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_FINDING = re.compile(r"\b(?:finding|result|found|shows?|proves?|conclu\w+)\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\?|^\W*(?:what|which|who|why|how|when|where|is|are|does|do|can|find|search|show|list|tell"
    r"|give|recommend|suggest|explain|compare|summari[sz]e|look|any|cosa|quali|trova|cerca|dimmi)\b",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(
    r"^(?:everything|all(?: of it| that| you know| my \w+)?|what you know|it all|tutto)\b", re.I
)


Focus = Literal["", "me", "first", "shown", "findings", "papers", "held"] | AboutMe


@dataclass(frozen=True, slots=True)
class Request:
    """What is wanted, and the words it is about."""

    wish: Wish
    about: str = ""  # to forget, to remember
    kind: Literal["preference", "finding", "fact"] = "fact"  # what there is to remember
    reason: str = ""
    papers: tuple[PaperId, ...] = ()
    question: str = ""  # what is asked beside a stated preference
    everything: bool = False  # to forget: all of it
    each: tuple[str, ...] = ()  # of several wishes: each in its own words
    kept: bool = True  # of what is stated: whether it is of a kind that is remembered
    focus: Focus = ""  # of memory, to recall
    sure: bool = True  # that this is wanted, and nothing else where memory does not know it


def find_request(question: str, *, of_oneself: bool = True) -> Request:
    """What `question` asks for.

    Args:
        of_oneself: whether it may ask for what the person said of themselves.
    """
    text = " ".join(question.split())
    if not any(letter.isalnum() for letter in text):
        return Request("nothing")
    short = cut_at_word(text, LONGEST_TOPIC)
    if _GREETING.fullmatch(short):
        return Request("help")
    if _THANKS.fullmatch(short):
        return Request("thanks")
    if keeps_nothing(short) and not text.endswith("?"):
        return Request("stated", kept=False)
    if _SUMMARISE.search(short):
        return Request("summarise")
    if not _DONT_FORGET.search(short) and (found := _FORGET.search(short)):
        about = re.sub(
            r"^(?:about|that|what i said about|my|the|che|dass|que)\s+|^qu['’](?=\w)",
            "",
            found["what"],
            flags=re.I,
        )
        about = about.strip(" .!?")
        return Request("forget", about=about, everything=bool(_EVERYTHING.match(found["what"])))
    for focus, words in _FOCUS.items():
        if words.search(short):
            return Request("recall", about=text, focus=focus)
    if of_oneself and (own := asks_about_me(short)):
        return Request("recall", about=text, focus=own[0], sure=own[1])
    if _RECALL.search(short):
        return Request("recall", about=text)
    papers = tuple(find_paper_ids(text))
    found = _REMEMBER.search(short)
    preferences = stated_wishes(short)
    if found and not _ASKS.search(short):
        what = found["what"].strip()
        if preferences:
            return Request("preference", about=what, kind="preference", reason=_reason(preferences))
        finding = bool(papers) or (found["link"] or "").endswith("finding")
        kind: Literal["finding", "fact"] = "finding" if finding or _FINDING.search(what) else "fact"
        return Request("remember", about=what, kind=kind, papers=papers)
    if preferences:
        said, rest = _apart(text, [preference.quote for preference in preferences])
        return Request(
            "preference",
            about=said,
            each=tuple(dict.fromkeys(" ".join(one.quote.split()) for one in preferences)),
            kind="preference",
            reason=_reason(preferences),
            question=rest if _ASKS.search(rest) else "",
        )
    if papers and not tells_a_task(short):
        return about_papers(question, papers)
    told, rest = stated(cut_at_word(question, LONGEST_TOPIC))
    if not any(letter.isalnum() for letter in unsaid(rest)):
        return Request("stated", about=told or text, kept=bool(told))
    public = without_marks(rest)
    asked = open_question(public) or (public if told or public != rest else "")
    return Request("research", question=asked)


def about_papers(question: str, papers: tuple[PaperId, ...]) -> Request:
    """What `question` asks of these papers."""
    together = len(papers) > 1 and asks_comparison(question)
    return Request("compare" if together else "paper", papers=papers)


def _reason(preferences: list[Preference]) -> str:
    return next((p.reason for p in preferences if p.reason), "") or "stated by the researcher"


def _apart(text: str, quotes: list[str]) -> tuple[str, str]:
    """The stated preferences in the person's own words, and what is left of the message."""
    said: list[str] = []
    rest = text
    for quote in dict.fromkeys(" ".join(quote.split()) for quote in quotes):
        if quote and quote in rest:
            said.append(quote)
            rest = rest.replace(quote, " ", 1)
    return " ".join(said) or text, " ".join(rest.split()).strip()
