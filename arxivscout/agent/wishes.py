"""What the person plainly asks of their memory, told from their own words alone.

What a model takes for their wish may come from a paper. Rules, English first, Italian in the
commonest turns of phrase; a rule that misses leaves the memory as it is.
"""

from __future__ import annotations

import re

from arxivscout.context.followup import content_words
from arxivscout.llm.extractive_requests import find_request

# An order stands at the start of a clause; "do you remember?" and "how do they store it?" are none.
_ORDER = (
    r"(?:^|[.!?;:,\n]|\b(?:and|then|also|please|so|ok|okay|now|but|(?:can|could|would|will) you"
    r"|you to|e|ed|poi|per favore|puoi|vorrei che))[\s\"'“(]*(?:please\s+)?"
)
_REMEMBER = re.compile(
    _ORDER + r"(?:(?:keep|bear|have) in mind\b|(?:don['’]?t|do not|never) forget\b|memori[sz]e\b"
    r"|remember\b(?! (?:what|when|which|whether|how|who|where|if|any\w*|me)\b)"
    r"|tieni a mente\b|ricorda(?:ti|lo|telo)?\b|memorizza\w*"
    r"|(?:note|note down|take (?:a )?note|make a note|save|store|record|annota\w*|salva\w*)"
    r"(?=\s*:|\s+(?:that|this|it|these|those|of|as|in (?:your )?memory|down|my|i|we|che|quest\w+"
    r"|(?:the|your|la|il) (?:finding|fact|result|answer|conclusion|preference)s?)\b))",
    re.IGNORECASE,
)
_CORRECT = re.compile(
    r"\b(?:correct\w*|updat\w+|change[sd]?|revise\w*|amend\w*|fix|replace\w*|wrong|mistake\w*|untrue"
    r"|outdated|not (?:true|right)|no longer|any ?more|instead|rather than|actually|now|moved"
    r"|switched|corregg\w+|aggiorna\w*|cambia\w*|sbagliat\w+|invece|adesso|ora|non .{0,40} più)\b",
    re.IGNORECASE,
)
_MERGE = re.compile(
    r"\b(?:merge|combine|join|unify|deduplicate|duplicates?|(?:is|are|mean|means|say) the same"
    r"|same (?:thing|memory|method|person|paper|data ?set)|unisci|fondi|duplicat\w+"
    r"|lo stesso|la stessa cosa)\b",
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
