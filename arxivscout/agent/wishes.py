"""What the person plainly asks of their memory, told from their own words alone.

What a model takes for their wish may come from a paper. Rules, English first, Italian in the
commonest turns of phrase; a rule that misses leaves the memory as it is.
"""

from __future__ import annotations

import re

from arxivscout.context.followup import content_words
from arxivscout.llm.extractive_requests import find_request
from arxivscout.llm.graph_questions import graph_call
from arxivscout.llm.lesson_questions import TOOLS as LESSON_TOOLS
from arxivscout.llm.lesson_questions import asks_of_lessons

# An order stands at the start of a clause; "do you remember?" and "how do they store it?" are none.
_ORDER = (
    r"(?:^|[.!?;:,\n]|\b(?:and|then|also|please|so|ok|okay|now|but|(?:can|could|would|will) you"
    r"|you to|e|ed|poi|per favore|puoi|vorrei che))[\s\"'“(]*(?:please\s+)?"
)
_REMEMBER = re.compile(
    _ORDER + r"(?:(?:keep|bear|have) in mind\b|(?:don['’]?t|do not|never) forget\b|memori[sz]e\b"
    r"|remember\b(?! (?:what|when|which|whether|how|who|where|if|any\w*|me)\b)|tieni a mente\b"
    r"|ricorda(?:ti|lo|telo)?\b|memorizza\w*|(?:note|note down|take (?:a )?note|make a note|save"
    r"|store|record|annota\w*|salva\w*)(?=\s*:|\s+(?:that|this|it|these|those|of|as|in (?:your "
    r")?memory|down|my|i|we|che|quest\w+|(?:the|your|la|il) (?:finding|fact|result|answer"
    r"|conclusion|preference)s?)\b))",
    re.IGNORECASE,
)
_CORRECT = re.compile(
    r"\b(?:correct\w*|updat\w+|change[sd]?|revise\w*|amend\w*|fix|replace\w*|wrong|mistake\w*"
    r"|untrue|outdated|not (?:true|right)|no longer|any ?more|instead|rather than|actually|now"
    r"|moved|switched|corregg\w+|aggiorna\w*|cambia\w*|sbagliat\w+|invece|adesso|ora|non .{0,40} "
    r"più)\b",
    re.IGNORECASE,
)
_ARCHIVE = re.compile(
    _ORDER + r"(?:archive\b|archivia\w*)",
    re.IGNORECASE,
)
_MERGE = re.compile(
    r"\b(?:merge|combine|join|unify|deduplicate|duplicates?|(?:is|are|mean|means|say) the same"
    r"|same (?:thing|memory|method|person|paper|data ?set)|unisci|fondi|duplicat\w+|lo stesso|la "
    r"stessa cosa)\b",
    re.IGNORECASE,
)
_RELATES = re.compile(
    r"\b(?:link|connect|relate|note that|remember that|keep in mind that)\b.{1,120}\b(?:with|to|and"
    r"|extends?|builds? on|depends? on|is part of|belongs? to|contradicts?|replaces?|uses?|is "
    r"based on|is an? (?:kind|variant|special case) of)\b",
    re.IGNORECASE,
)
# With these a model tells the person's words in the third person.
_TELLING = frozenset("researcher user person say said state stated want prefer".split())


def asks_to_forget(question: str, memory_id: str, memory: str) -> bool:
    """Does the question itself ask to forget this memory: by its id, its words, or all there is?"""
    request = find_request(question)
    if request.wish != "forget":
        return False
    if request.everything or memory_id in question.lower():
        return True
    known = {word.lower() for word in content_words(memory)}
    return any(word.lower() in known for word in content_words(request.about))


def asks_to_archive(question: str, memory_id: str, memory: str) -> bool:
    """Does the question itself ask to archive this memory: by its id, or by its words?"""
    found = _ARCHIVE.search(question)
    if not found:
        return False
    if memory_id in question.lower():
        return True
    return bool(_words(question[found.end() :]) & _words(memory))


def asks_to_change(question: str, memory_id: str, memory: str, text: str) -> bool:
    """Does the question itself say what `text` does, and that it holds in this memory's place?

    Every word of `text` must stand in the question or in the memory: nobody's invention goes in.
    """
    states = find_request(question).wish in ("preference", "remember")
    if not states and not _CORRECT.search(question):
        return False
    said, known, new = _words(question), _words(memory), _words(text) - _TELLING
    about = memory_id in question.lower() or bool(said & (known | new))
    return bool(new) and about and new <= said | known


def asks_to_remember(question: str) -> bool:
    """Does the question itself ask to remember something?"""
    return bool(_REMEMBER.search(question))


def tools_asked_for(question: str) -> list[str]:
    """The tools that the question plainly asks for, which may lie far from it by meaning."""
    asked = (
        ("remember", asks_to_remember(question)),
        ("correct", bool(_CORRECT.search(question))),
        ("merge", asks_to_merge(question)),
        ("archive", bool(_ARCHIVE.search(question))),
        ("link", bool(_RELATES.search(question))),
    )
    of_graph = graph_call(question)
    of_lessons = asks_of_lessons(question)
    return [
        *(name for name, is_asked in asked if is_asked),
        *([of_graph[0]] if of_graph else []),
        *(LESSON_TOOLS[of_lessons.wish] if of_lessons else []),
    ]


def asks_to_merge(question: str) -> bool:
    """Does the question itself say that memories are the same?"""
    return bool(_MERGE.search(question))


def stands_in(text: str, question: str) -> bool:
    """Whether every word of `text` that carries meaning stands in the question."""
    words = _words(text)
    return bool(words) and words <= _words(question)


def _words(text: str) -> set[str]:
    """The words that carry the meaning, without the ending that a retelling changes."""
    return {word.lower().removesuffix("s") for word in content_words(text)}
