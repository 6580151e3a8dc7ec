"""What one clause says of an answer, if all its words are such as remarks are made of.

What it judges or names is turned round by "not", "no", "without", "less", "too", wherever these
stand: "too long" and "not so long" ask for short answers, "not detailed enough" for long ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from arxivscout.preferences.values import OPPOSITE_STYLES
from arxivscout.reflection import remark_words as w

MOST_WORDS = 18
# What a remark says, if not the manner that it asks for.
WRONG, GOOD, KNOWN = "wrong", "good", "known"

_BEGIN = r"(?:(?:ok|okay|and|but|so|well|sorry|please|hm+|yes|e|ma|no|beh|scusa|scusami) )*"
# "Can you make it shorter?", "why so long?" ask for a manner; "Is that too long?" doesn't.
_REQUEST = re.compile(
    rf"{_BEGIN}(?:(?:can|could|would|will) (?:you|i|it|we)\b|may i\b|(?:mi )?(?:puoi|potresti"
    r"|potete)\b|any chance\b|(?:how|what) about\b|why (?:is it |was it |was that |is that )?so\b"
    r"|perché così\b|wheretofind\b)"
)
_QUESTION = re.compile(
    rf"{_BEGIN}(?:what(?! a\b)|which|who|whom|whose|why|when|where|how|is|are|was|were|does"
    r"|do (?:you|they"
    r"|these|those|i|we)|did|has|have (?:you|they)|cosa|chi|quando|dove|come mai|perché|quale|quali"
    r"|quanto|quanti|quante)\b"
)
_OWN_FAULT = re.compile(
    r"\b(?:i (?:am|was|were|made|did|have been)(?: (?:a|the|just|really|so))* (?:wrong|mistaken"
    r"|mistakes?|errors?|incorrect|right|confused)|my (?:bad|mistake|error|fault)|(?:ho|avevo)"
    r" (?:sbagliato|torto|ragione)|mi (?:sono|ero) \w+|errore mio|colpa mia)"
)
_NOT_THAT = re.compile(
    rf"{_BEGIN}(?:(?:(?:it|that|this|these|those|they) (?:is|are|was|were) )?not (?:at all |quite"
    r" |really )?(?:it|that|this|these|those|them|the ones?)(?: ones?| again| please)*|non (?:(?:è"
    r"|era|erano|sono) )?(?:quest|quell)[oaei](?: qui| lì)?|(?:no|nope) (?:please )?(?:try again"
    r"|riprova))"
)
_NOT_WHAT_I_ASKED = re.compile(
    r"\b(?:not|non)\b.*\b(?:what|which|the|quell[oaei]|ciò|quest[oaei]|cosa|il|lo|la|i|gli|le"
    r"|l)\b.*"
    r"|\b(?:not|never|non)(?: ti)?(?: ho)? (?:ask|asked|mean|meant|chiesto|intendevo|chiedevo)\b.*"
    r"|what i .*\b(?:is|was) (?:not|something)\b.*"
)
_NOT_AN_ANSWER = re.compile(
    r"\b(?:not|non)(?: really| davvero)?(?: è| era)? (?:my|an|a|la mia|una) (?:question|answer"
    r"|domanda|risposta)\b"
)
_I_CANT_FOLLOW = re.compile(
    rf"{_BEGIN}(?:i am (?:completely |totally )?lost\b|mi sono pers[oa]|i (?:(?:still|really"
    r"|just|do|did|can|could) )*(?:not"
    r"|cannot) (?:\w+ )?(?:understand"
    r"|understood|follow|get|got|grasp)|non (?:(?:ho|ci|lo|la|ti|l) )*(?:capisco|capito|seguo"
    r"|comprendo|compreso|afferro)\b|non riesco a (?:capire|seguir))"
)
_KNOWS = re.compile(
    rf"{_BEGIN}(?:i (?:have |just |do |all )*(?:know|knew|read|seen|heard(?: of)?)(?: all)?(?: of)?"
    r" (?:that|this|it|these|those|them)(?: all| one| ones| papers?)?|i am (?:familiar with|aware"
    r" of) (?:that|this|it|these|those|them)(?: one)?|(?:(?:questo|quello|ciò) )?l[oaie]? (?:so"
    r"|sapevo|conosco|conoscevo)(?: bene)?|l[oaie]? ho (?:lett|vist)[oaie])"
)
# A standing wish, which `preferences` keeps.
_STANDING = re.compile(
    r"\b(?:i|we) (?:\w+ly |always |only |do not |really )*(?:prefer|like|love|enjoy|hate|want|need)"
    r" (?:\w+ )+(?:answers|explanations|replies)\b|\bi (?:\w+ly )?prefer\b|\bpreferisco\b"
    r"|\b(?:voglio|amo|odio) (?:\w+ )+(?:risposte|spiegazioni)\b"
)
_THE_ONE = re.compile(r"\b(?:that|this) is (?:exactly )?the (?:right )?(?:one|paper)$")
_OF_ONE_THING = re.compile(r"\b(?:first|second|third|fourth|prim[oa]|second[oa]|terz[oa])\b")
_WHY_SO = re.compile(r"\b(?:why (?:\w+ ){0,2}so|perché così)\b")


@dataclass(frozen=True, slots=True)
class Remark:
    """A clause's remark.

    Attributes:
        says: WRONG, GOOD, KNOWN, or a manner of answers.
        of_before: it is said of an answer that was given; else it may be how to answer what is
            asked with it.
    """

    says: str
    of_before: bool = True

    @property
    def judges(self) -> bool:
        return self.says in (WRONG, GOOD)


class _Clause:
    """A clause's words, and what turns round what they say."""

    def __init__(self, words: list[str], *, asks: bool) -> None:
        self.text = " ".join(words)
        if len(words) > 1 and words[0] in w.NO and words[1] not in w.AFTER_NO:
            words = words[1:]  # "no, that's wrong" denies nothing
        self.words = frozenset(words)
        self.asks = asks
        self.turned = self.has(w.NOT)
        self.states = self.has(w.IS) and not self.has(w.WOULD) and not asks

    def has(self, *some: frozenset[str]) -> bool:
        return all(self.words & each for each in some)


def read_remark(clause: str, *, asked: bool = False) -> Remark | None:
    """What the clause says of an answer; None if it is about anything else.

    Args:
        asked: it ends in a question mark: then only a wish for another manner is a remark.
    """
    words = w.words_of(clause)
    if not 0 < len(words) <= MOST_WORDS or not w.VOCABULARY.issuperset(words):
        return None
    text = " ".join(words)
    requests = bool(_REQUEST.match(text))
    if not requests and (_QUESTION.match(text) or (asked and w.SUBJECTS & set(words))):
        return None
    if _OWN_FAULT.search(text) or _STANDING.search(text):
        return None
    said = _Clause(words, asks=asked or requests)
    if said.asks:
        return _manner(said)
    if _is_wrong(said):
        return Remark(WRONG)
    if remark := _known(said) or _manner(said):
        return remark
    if _is_no_answer(said):
        return Remark(WRONG)
    return Remark(GOOD) if _is_good(said) else None


def is_small_talk(clause: str) -> bool:
    """Whether it says nothing of its own: "thanks", "hm", "ok but"."""
    return w.VOCABULARY.issuperset(w.words_of(clause))


def _is_wrong(said: _Clause) -> bool:
    """Whether it says that the answer is wrong, or not what was asked for."""
    if said.has(w.FAILED) or _NOT_THAT.fullmatch(said.text):
        return True
    if said.has(w.BAD):
        return not said.turned
    if said.has(w.FAULTS, w.OF_YOU) or said.has(w.MIXED_UP, w.YOU):
        return not said.turned
    if said.has(w.ANSWERED, w.OTHER, w.YOU) or said.has(w.WANTED, w.OTHER, w.ME):
        return True
    return said.turned and said.has(w.WANTED, w.ME) and bool(_NOT_WHAT_I_ASKED.search(said.text))


def _is_no_answer(said: _Clause) -> bool:
    """Whether it denies that the answer is one, or right, or of use."""
    if not said.turned:
        return False
    if said.has(w.ANSWERED) and said.has(w.YOU | w.THAT | w.SAID | w.QUESTIONS):
        return True
    if said.has(w.RIGHT) and not said.has(w.WOULD - w.CAN):
        return True
    if said.has(w.LIKED | w.FINE, w.THAT | w.SAID | w.ME):
        return True
    return bool(_NOT_AN_ANSWER.search(said.text)) or said.has(w.ABOUT, w.ME, w.RECORD)


def _known(said: _Clause) -> Remark | None:
    """Whether what was answered is no news."""
    if said.has(w.OLD_NEWS):
        return Remark(KNOWN)
    if said.turned:
        return None
    already = said.has(w.ALREADY, w.KNOW, w.ME | w.YOU | w.THAT)
    return Remark(KNOWN) if already or _KNOWS.fullmatch(said.text) else None


def _manner(said: _Clause) -> Remark | None:
    """The manner of answers that it asks for."""
    if said.has(w.PAPERS) or _OF_ONE_THING.search(said.text):
        return None
    if _I_CANT_FOLLOW.match(said.text):
        return Remark(w.PLAIN)
    if said.has(w.WORDY):
        return Remark(w.SHORT)
    if said.has(w.UNCLEAR):
        return None if said.turned else Remark(w.PLAIN)
    if said.has(w.UNITS, w.NUMBERS) and said.has(w.AT_MOST) and not said.turned:
        return Remark(w.SHORT, of_before=False)
    manner = _named(said)
    if manner is None:
        return None
    too, enough, less = said.has(w.TOO), said.has(w.ENOUGH), said.has(w.LESS)
    turned = said.turned or said.has(w.LEAVE_OUT)
    if turned and enough:
        return Remark(manner)
    if turned and (less or (too and said.states)):
        return None  # "it is not too long" finds no fault
    if too or less or _WHY_SO.search(said.text):
        return Remark(OPPOSITE_STYLES[manner])
    if turned:
        return Remark(OPPOSITE_STYLES[manner], of_before=False)
    more = said.has(w.MORE)
    if said.states and not more:
        a_bit = said.has(w.A_BIT) and not said.has(w.COMPARATIVES)
        return Remark(OPPOSITE_STYLES[manner]) if a_bit else None
    return Remark(manner, of_before=more or said.has(w.COMPARATIVES))


def _named(said: _Clause) -> str | None:
    """The manner that the words name: by themselves, or with how much of it there is to be."""
    for manner, words in w.STRONG.items():
        if said.has(words):
            return manner
    if not (said.turned or said.has(w.DEGREES)):
        return None
    return next((manner for manner, words in w.WEAK.items() if said.has(words)), None)


def _is_good(said: _Clause) -> bool:
    """Whether it praises the answer."""
    if said.turned or said.has(w.WOULD) or said.has(w.QUESTIONS):
        return False
    if said.has(w.WANTED, w.ME):
        return said.has(w.JUST_WHAT)
    if said.has(w.ANSWERED, w.THAT, w.QUESTIONS) or _THE_ONE.search(said.text):
        return True
    of_answer = said.has(w.THAT | w.SAID | w.YOU)
    if said.has(w.GREAT):
        return of_answer or not said.has(w.PAPERS | w.RECORD)
    if said.has(w.LIKED):
        return said.has(w.THAT | w.SAID) or said.has(w.PLEASES)
    if said.has(w.RIGHT):
        alone = not said.has(w.PAPERS | w.THAT | w.NO_WORD_ALONE)
        return alone or (of_answer and said.has(w.IS))
    return False
