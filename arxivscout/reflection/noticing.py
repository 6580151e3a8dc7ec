"""Feedback in what the person says next: "no, that's wrong", "not what I asked", "shorter, please".

Only a clause that is nothing but such a remark counts, and only among the first ones of a message:
a question that has the same words in it is a question. English, and the commonest in Italian.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from arxivscout.preferences.values import OPPOSITE_STYLES

CLAUSES = 3  # at the beginning of a message; what follows is about something else
LONGEST = 90  # characters of a clause that can be a remark
_MOST_NOTE = 300

# A new style of answers, or that what was said is known already.
KNOWN = "known"

_IT = r"(?:that|this|it|these|those|they|your answer|the answer|your last answer|the last one)"
_IS = r"(?:['’]s|['’]re| is| are| was| were)"
_VERY = (
    r"(?:(?:just|simply|plain|plainly|still|all|completely|totally|really|quite|a bit|a little"
    r"|much|far|way|even) )*"
)
_WANTED = r"(?:asked|meant|wanted|needed|was looking for|am looking for|had in mind|was after)"
_FOR = r"(?: (?:for|about|you|to know|to see))*"

_WRONG = re.compile(
    rf"{_IT}{_IS} {_VERY}(?:wrong|incorrect|false|mistaken|nonsense|untrue|off topic|off-topic"
    r"|irrelevant|useless|beside the point|not (?:right|true|correct|relevant|helpful|useful))"
    r"(?: again)?"
    rf"|{_IT} (?:isn['’]t|wasn['’]t|aren['’]t) (?:right|true|correct|relevant|helpful|useful)"
    rf"|(?:the|these|those|both|all|your) (?:papers?|results?|citations?|sources?){_IS} {_VERY}"
    r"(?:wrong|off topic|off-topic|irrelevant|not relevant)"
    r"|(?:wrong|incorrect|nonsense|off topic|off-topic|irrelevant)(?: again| answer| paper)?"
    rf"|(?:{_IT}{_IS} not |{_IT} (?:isn['’]t|wasn['’]t) |{_VERY}not )(?:what "
    rf"|the (?:one|paper|thing) "
    rf"(?:that )?)i {_WANTED}{_FOR}"
    rf"|what i {_WANTED}{_FOR} (?:was|is) (?:something else|not (?:that|this))"
    r"|i (?:didn['’]t|did not) (?:ask|mean)(?: for| about)? (?:that|this|it|these|those)"
    r"|you(?:['’]ve| have)? (?:misunderstood(?: me)?|misread (?:that|it|me)|missed the point"
    r"|(?:got|had) (?:it|that|this|me) wrong|(?:didn['’]t|did not"
    r"|haven['’]t) (?:answer(?:ed)?|understand"
    r"|understood)(?: (?:me|it|that|my question|the question))?)|you(?:['’]re"
    r"| are) (?:wrong|mistaken)"
    r"|(?:that|this|it) (?:doesn['’]t|does not|didn['’]t|did not) (?:answer (?:me|it|my question"
    r"|the question)|help(?: me)?(?: at all)?)"
    r"|(?:(?:questo|ciò) )?(?:è|e['’]) (?:tutto )?(?:sbagliato|errato|falso|fuori tema)|sbagliato"
    r"|non (?:è|e['’]) (?:vero|corretto|giusto|(?:quello|ciò) che (?:ho chiesto|cercavo|volevo"
    r"|intendevo))|non (?:ho chiesto|intendevo) questo|hai (?:sbagliato|capito male|frainteso)"
    r"|fuori tema",
    re.IGNORECASE,
)
# "I asked about clusters, not galaxies": over its comma.
_MEANT_OTHER = re.compile(
    rf"\W*(?:no\W+)?i {_WANTED}{_FOR} [^,;.!?]{{1,80}},? (?:and )?not [^,;.!?]{{1,80}}[.!]*",
    re.IGNORECASE,
)
_MANNERS: dict[str, re.Pattern[str]] = {
    style: re.compile(words, re.IGNORECASE)
    for style, words in {
        "short": rf"{_VERY}(?:shorter|briefer|more (?:brief|concise|succinct|to the point))"
        r"(?: answers?)?"
        rf"|(?:{_IT}{_IS} )?{_VERY}too (?:long|verbose|wordy|much text|detailed"
        rf"|many (?:words|details))"
        r"(?: for me)?"
        rf"|(?:make|keep|cut) (?:it|that|this|them|your answers?|the answers?) {_VERY}"
        r"(?:shorter|short|brief|briefer|concise|more concise|down)"
        r"|be (?:brief|briefer|concise|more concise|more brief|shorter)"
        r"|in (?:one|two|three|a few|fewer) (?:sentences?|lines?|words)"
        r"|tldr|less (?:text|verbose|wordy|detail)|fewer (?:words|details)|short version"
        r"|più (?:brev[ei]|cort[oaie]|concis[oaie]|sintetic[oa])|troppo (?:lung[oa]|prolisso)",
        "long": rf"{_VERY}(?:longer|more (?:detailed|thorough))(?: answers?)?"
        r"|(?:give me |with |in )?(?:some |much |a bit )?more details?"
        rf"|(?:{_IT}{_IS} )?{_VERY}too (?:short|brief|terse|vague|superficial)(?: for me)?"
        r"|più (?:lung[oa]|dettagliat[oa]|dettagli)|troppo (?:breve|corto|corta)",
        "plain": rf"{_VERY}(?:simpler|more simply|less (?:technical|jargon|complicated))"
        rf"|(?:{_IT}{_IS} )?{_VERY}too (?:technical|complicated|complex|hard|difficult)(?: for me)?"
        r"|(?:explain (?:it|that|this) )?in (?:plain|simple|simpler) (?:words|terms"
        r"|english|language)"
        r"|più semplice|troppo (?:tecnico|complicato|difficile)",
        "technical": rf"{_VERY}more technical"
        rf"|(?:{_IT}{_IS} )?{_VERY}too (?:simple|basic|elementary|shallow)(?: for me)?"
        r"|più tecnico|troppo (?:semplice|elementare)",
        "bullets": r"(?:as |in |use |with |give me )?(?:bullet points?|bullets"
        r"|a bullet(?:ed)? list)"
        r"|as a list|(?:con |usa )?(?:un elenco(?: puntato)?|elenchi puntati)",
        "prose": r"(?:no|without|fewer) (?:bullet points?|bullets|lists?)|in prose|senza elenchi",
        "no_formulas": r"(?:no|without|fewer|less) (?:formulas?|formulae|equations?|maths?)"
        rf"|(?:{_IT}{_IS} )?{_VERY}too (?:mathematical|much maths?|many (?:formulas?|equations?))"
        r"|(?:senza|meno) (?:formule|matematica|equazioni)",
        "formulas": r"(?:with|give me|show me|more) (?:the )?(?:formulas?|formulae"
        r"|equations?|maths?)"
        r"|con le formule",
        KNOWN: r"i (?:already|do) know (?:that|this|it|these|those|all (?:of )?(?:that|this))"
        r"(?: one| papers?)?(?: already)?"
        r"|i know (?:that|this|it|these|all (?:of )?(?:that|this))(?: one| papers?)? already"
        r"|i(?:['’]ve| have) already (?:read|seen) (?:that|this|it|these|those|them"
        r"|all (?:of )?them)"
        r"(?: one| papers?)?"
        r"|i(?:['’]ve| have) (?:read|seen) (?:that|this|it|these|those|them)(?: one"
        r"| papers?)? already"
        r"|tell me something new|nothing new(?: here| in that)?"
        r"|(?:questo )?lo (?:so|conosco) già|l['’]ho già (?:lett|vist)[oa]",
    }.items()
}
_GOOD = re.compile(
    rf"(?:{_IT}{_IS} )?{_VERY}(?:perfect|excellent|spot on|exactly right"
    rf"|(?:exactly )?what i {_WANTED}{_FOR}|very helpful|very useful)"
    rf"|exactly (?:what i {_WANTED}{_FOR}|right)"
    rf"|{_IT}{_IS} {_VERY}(?:right|correct|helpful|useful)|(?:that|this) helps(?: (?:me )?a lot)?"
    r"|(?:great|good|excellent|perfect|nice|helpful) answer|well done"
    r"|perfetto|esattamente|ottima risposta|proprio quello che (?:cercavo|volevo|ho chiesto)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:no+|nope|hm+|well|ok|okay|but|and|so|sorry|please|actually|sadly|thanks?(?: you)?"
    r"|(?:can|could|would|will) you|i(?:['’]d| would) like(?: it)?|still|again|ma|no grazie"
    r"|per favore|puoi|scusa)\b[\s,]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[\s,]+(?:please|pls|next time|this time|from now on|now|again|thanks?(?: you)?|sorry|then"
    r"|per favore|grazie|la prossima volta))+$",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"[.!?;:\n]+|\s[-–—]+\s")
_TLDR = re.compile(r"\btl;dr\b", re.IGNORECASE)
_COMMA = re.compile(r",\s*")


@dataclass(frozen=True, slots=True)
class Noticed:
    """What the person made of the answer before.

    Attributes:
        feedback: good or bad.
        asks: the manner of answers that is asked for, or `KNOWN`; "" for none.
        note: their words.
    """

    feedback: Literal["good", "bad"]
    asks: str
    note: str

    @property
    def wrong(self) -> bool:
        """Whether what was said is wrong, and not only the way in which it was said."""
        return self.feedback == "bad" and not self.asks


def notice(said: str) -> Noticed | None:
    """What a message says of the answer before it, or None. Never raises; linear in the length."""
    head = said[:2_000].strip()
    note = " ".join(head.split())[:_MOST_NOTE]
    if not head:
        return None
    if _MEANT_OTHER.fullmatch(head[:250].partition("\n")[0]):
        return Noticed("bad", "", note)
    is_good, asks = False, ""
    for clause in _clauses(head):
        if _WRONG.fullmatch(clause):
            return Noticed("bad", "", note)
        asks = asks or next((s for s, r in _MANNERS.items() if r.fullmatch(clause)), "")
        is_good = is_good or bool(_GOOD.fullmatch(clause))
    if asks:
        return Noticed("bad", asks, note)
    return Noticed("good", "", note) if is_good else None


def _clauses(text: str) -> list[str]:
    """The first clauses, whole and cut at their commas, without what stands around a remark."""
    found: list[str] = []
    for sentence in _SPLIT.split(_TLDR.sub("tldr", text[: (LONGEST + 10) * CLAUSES]))[:CLAUSES]:
        for clause in dict.fromkeys([sentence, *_COMMA.split(sentence)[:CLAUSES]]):
            whole = _TAIL.sub("", clause.strip()).strip(" ,")
            # "no bullet points" begins with what else only leads in.
            for bare in dict.fromkeys([whole, _LEAD.sub("", whole).strip(" ,")]):
                if 0 < len(bare) <= LONGEST:
                    found.append(bare)
    return found


def opposite(asks: str) -> str:
    """The manner that is the contrary of one, or "" for none."""
    return OPPOSITE_STYLES.get(asks, "")
