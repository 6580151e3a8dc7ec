"""What is asked of lessons, without a chat model: show them, look back, count the person's word.

"What have you learned about how I work?", "Look back on our last turns.", "The rule about yeast is
wrong." A word for or against a lesson counts when it is clear which one is meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from arxivscout.llm.extractive_answer import MODE
from arxivscout.llm.extractive_forgetting import clear_match
from arxivscout.llm.extractive_plan import Planned, Situation
from arxivscout.llm.extractive_reading import Item, Reading, parse_items
from arxivscout.llm.terms import content_terms, overlap

MOST = 20  # lessons that are looked at
FITS = 0.5  # share of the words that name a lesson, which stand in it

Wish = Literal["show", "look back", "for", "against"]
# What each of them takes.
TOOLS: dict[Wish, tuple[str, ...]] = {
    "show": ("lessons",),
    "look back": ("reflect_now",),
    "for": ("lessons", "reinforce"),
    "against": ("lessons", "reinforce"),
}
_LESSON = (
    r"(?:lessons?|rules?(?: of (?:work|yours))?|learned (?:preferences?|gaps?|facts?)|lezion[ei]"
    r"|regol[ae])"
)
_ABOUT = r"(?: (?:about|on|of|for|that says?|not to|saying|su|sul|sulla|sui|sulle|di|che dice)\b)"
_PAST = (
    r"\b(?:turns?|conversations?|chats?|questions?|answers?|sessions?|work|so far|we|i|you|last"
    r"|past"
    r"|that|this|turni|conversazion[ei]|domande|risposte)\b"
)
_END = r"\s*[?.!]*\s*$"
_POLITE = (
    r"^\W*(?:(?:please|ok(?:ay)?|so|now|no|and|but|well|actually|(?:can|could|would|will) you"
    r"|i want you to|per favore|puoi|adesso|ora|e|ma)\b[\s,.!]*)*"
)
_WORDS: dict[Wish, str] = {
    "look back": rf"(?:reflect|rifletti|ragiona)(?: now| adesso| ora)?(?: (?:on|over|upon|about"
    r"|su|sui"
    rf"|sugli|sulle|sulla) .{{0,40}}{_PAST}.{{0,40}})?"
    rf"|(?:look|think) back(?: now)?(?: (?:on|over|at) .{{0,40}}{_PAST}.{{0,40}})?"
    r"(?: and (?:learn|draw|see).{0,60})?"
    r"|(?:learn|draw (?:your |the |some )?(?:lessons?|conclusions?)) (?:now|from (?:our|my|the"
    r"|these"
    r"|this|that|your|what) .{1,60})|(?:impara|trai (?:le )?(?:lezioni|conclusioni)) (?:ora|adesso"
    r"|d\w+ .{1,60})",
    "against": rf"(?:(?:the|that|this|your|la|quella|questa|tua) )+{_LESSON}(?P<a>.*?) (?:is|was"
    r"|è|era|sembra)"
    r" (?:\w+ly |just |all |del tutto )?(?:wrong|not (?:right|true|correct|valid)|false|mistaken"
    r"|incorrect|outdated|obsolete|silly"
    r"|stupid|no longer (?:right|true|valid|so)|sbagliat\w+|fals\w+|superat\w+"
    r"|non (?:più )?(?:vera|giusta|valida))"
    rf"|(?:the|that|this|your) {_LESSON}(?P<b>.*?) (?:no longer|does not|doesn['’]t|do not"
    r"|don['’]t) (?:holds?|appl(?:y|ies)|counts?|stands?)(?: any ?more)?"
    rf"|(?:forget|drop|delete|remove|end|ignore|dismiss|discard|dimentica|cancella|elimina|togli)"
    rf" (?:(?:the|that|this|your|all|la|quella|questa|tua) )*{_LESSON}(?P<c>.*)"
    rf"|(?:do not|don['’]t|stop|non) (?:follow|obey|apply|use|us(?:e|ing)|follow(?:ing)?"
    r"|apply(?:ing)?|segui\w*|applica\w*|usare)"
    rf" (?:(?:the|that|this|your|la|quella|questa|tua|più) )*{_LESSON}(?P<d>.*)",
    "for": rf"(?:(?:the|that|this|your|la|quella|questa|tua) )+{_LESSON}(?P<e>.*?) (?:is|was|è|era)"
    r" (?:\w+ly |very |quite )?(?:right|true|correct|good|useful|helpful|giust\w+|ver[ao]"
    r"|corrett\w+|util\w+|buon\w+)"
    rf"|(?:keep|stick|hold|go on|continue|obey|follow|apply|segui|applica|tieni)(?: (?:to"
    r"|following|obeying|applying|with|a))?"
    rf" (?:(?:the|that|this|your|la|quella|questa) )+{_LESSON}(?P<f>(?: (?:about|on|that|not to"
    r"|su|sul|sulla|che)\b.*)?)",
    "show": rf"(?:which|what|show(?: me)?|list|tell me|give me|quali|che|mostra(?:mi)?|elenca"
    r"|dimmi)"
    rf"(?: (?:are|all|the|your|of|any|sono|le|tue|tutte))* {_LESSON}(?P<g>(?: (?:have|did|do|are"
    r"|hai|segui|about|on|of|su|sul|sulla|sui|there|you)\b.*)?)"
    r"|(?:what|which things?|cosa|che cosa)(?: have| did| do| hai)?(?: you)? (?:learn(?:ed|t)?"
    r"|imparato)"
    r"(?P<h>(?! about me\b| of me\b| di me\b)(?: (?:from|about|of|on|so|in|until|how|da|su|sul"
    r"|sulla|dai|dalle|finora|fino)\b.*)?)"
    rf"|(?:do|did) you (?:have|learn|follow|know) any {_LESSON}(?P<i>.*)",
}
_WISHES = tuple(
    (wish, re.compile(rf"{_POLITE}(?:{words}){_END}", re.IGNORECASE))
    for wish, words in _WORDS.items()
)
_KINDS = (
    ("rule", re.compile(r"\b(?:rules?|regol[ae])\b", re.IGNORECASE)),
    ("gap", re.compile(r"\blearned gaps?\b", re.IGNORECASE)),
    ("preference", re.compile(r"\blearned preferences?\b", re.IGNORECASE)),
    ("fact", re.compile(r"\blearned facts?\b", re.IGNORECASE)),
)
# What of such a sentence names no lesson.
_GLUE = re.compile(
    r"\b(?:about|on|of|for|that|says?|saying|not|to|have|has|had|did|do|does|you|your|i|me|my|we"
    r"|our|us|are|is|there|learn(?:ed|t)?|follow|know|from|so|far|until|now|how|work(?:ing)?|in"
    r"|turns?|conversations?|chats?|threads?|questions?|any ?more|last|latest|su|sul|sulla|sui|di"
    r"|che|dice|hai|imparato|segui|finora|da|dai|dalle|the|this|please|again|per favore|past)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class OfLessons:
    """What is wanted of lessons, of which kind ("" of any), and the words that name them."""

    wish: Wish
    about: str = ""
    kind: str = ""


def asks_of_lessons(question: str) -> OfLessons | None:
    """What the question asks of lessons; None if it is about anything else."""
    text = " ".join(question.split())
    if len(text) > 300:
        return None
    for wish, words in _WISHES:
        if found := words.match(text):
            named = " ".join(filter(None, found.groups()))
            about = " ".join(_GLUE.sub(" ", named).split()).strip(" ,.?!:;")
            kind = next((kind for kind, word in _KINDS if word.search(text)), "")
            return OfLessons(wish, about, kind)
    return None


def lesson_calls(now: Situation, asked: OfLessons) -> list[Planned]:
    """The calls to make next for what is asked of lessons."""
    if asked.wish == "look back":
        return [Planned("reflect_now")] if now.free("reflect_now") else []
    if now.free("lessons"):
        return [Planned("lessons", {"query": asked.about, "k": MOST})]
    if asked.wish == "show" or not now.free("reinforce"):
        return []
    meant = _meant(now, asked)
    if meant is None:
        return []
    given = {"lesson_id": meant.id, "supports": asked.wish == "for", "said": now.reading.question}
    return [Planned("reinforce", given)]


def lesson_answer(reading: Reading, asked: OfLessons) -> str | None:
    """What the tools said of lessons; None where none of them was at hand."""
    done = reading.called("reinforce") or reading.called("reflect_now")
    if done is not None:
        return f"{MODE}. {done.text}"
    told = reading.called("lessons")
    if told is None:
        return None
    lessons = _fitting(parse_items(told.text), asked)
    if not lessons:
        of_it = f" on “{asked.about}”" if asked.about else ""
        return f"{MODE}. I have learned no {asked.kind or 'lesson'}{of_it}."
    title = "What I have learned:" if asked.wish == "show" else "Which of these do you mean?"
    return "\n".join([f"{MODE}. {title}", *map(_line, lessons)])


def _meant(now: Situation, asked: OfLessons) -> Item | None:
    """The one lesson that is meant, if there is no doubt."""
    told = now.reading.called("lessons")
    fitting = _fitting(parse_items(told.text) if told else [], asked)
    if len(fitting) == 1:
        return fitting[0]
    return clear_match(asked.about, fitting, now)


def _fitting(lessons: list[Item], asked: OfLessons) -> list[Item]:
    """Those of the kind that the words name, as far as they do; without any words, all of it."""
    lessons = [each for each in lessons if each.id and (not asked.kind or asked.kind in each.about)]
    terms = content_terms(asked.about)
    if not terms:
        return lessons
    return [each for each in lessons if overlap(terms, frozenset(content_terms(each.text))) >= FITS]


def _line(lesson: Item) -> str:
    kind = lesson.about[0] if lesson.about else "lesson"
    cases = ", ".join(lesson.about[1:])
    why = f", because: {lesson.reason}" if lesson.reason else ""
    return f"- {kind}: {lesson.text} ({cases}{why}; id {lesson.id[:8]})"
