"""Whether a text has a word that another text has in another form, or by its initials.

"Supervises" is found by "supervisor", "reinforcement learning" by "RL" and RL by its words. No
dictionary: two words are alike that begin alike and differ by an ending.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_][\w+#]*")
_ENDINGS = frozenset(
    "s es ed d ing er or ers ors e ion ions ation ations ive al ally ly y ies ied ier iest ist ists"
    " ment ments able ible ic ical ics ance ence ant ent ness ful i o a he hi are ere ire ato ata"
    " ati ate ito ita iti zione zioni ung ungen en n t te ten er ern ité".split()
)
_SHORT = frozenset({"s", "es", "d", "ed", "ing", "er"})  # of words of fewer letters
_LEAST = 5  # letters that two words must begin alike with, where both end in something else
_IRREGULAR = {
    "taught": "teach", "wrote": "write", "written": "write", "left": "leave", "went": "go",
    "gone": "go", "bought": "buy", "thought": "think", "spoke": "speak", "spoken": "speak",
    "ran": "run", "led": "lead", "chose": "choose", "chosen": "choose", "won": "win", "met": "meet",
    "drove": "drive", "drank": "drink", "ate": "eat", "grew": "grow", "children": "child",
    "kids": "child", "kid": "child",
    "gave": "give", "given": "give", "began": "begin", "built": "build", "kept": "keep",
}  # fmt: skip
# What people most have and are, where one asks in Italian of what was said in English.
_ITALIAN = {
    "gatto": "cat", "gatta": "cat", "cane": "dog", "figlio": "son", "figlia": "daughter",
    "figli": "child", "moglie": "wife", "marito": "husband", "tesi": "thesis", "ufficio": "office",
    "studente": "student", "studentessa": "student", "dottorando": "phd", "dottoranda": "phd",
    "scadenza": "deadline", "gruppo": "group", "progetto": "project", "articolo": "paper",
    "articoli": "paper", "codice": "code", "riunione": "meeting", "riunioni": "meeting",
    "italiano": "italian", "inglese": "english", "tedesco": "german", "francese": "french",
    "spagnolo": "spanish", "risposte": "answer", "brevi": "short", "esperimento": "experiment",
    "dati": "data", "metodo": "method", "rivista": "journal", "conferenza": "conference",
    "relatore": "supervisor", "argomento": "topic", "casa": "home", "lavoro": "work",
}  # fmt: skip


class Words:
    """The words of a text, to be asked for in any form."""

    def __init__(self, text: str) -> None:
        self._spans = [(found[0].casefold(), found.start()) for found in _WORD.finditer(text)]
        self._initials = "".join(word[0] for word, _ in self._spans)
        self._length = len(text)

    def has(self, word: str) -> bool:
        """Whether the word stands there, in another form, or as the initials of words there."""
        return self._at(word) is not None

    def has_all(self, words: Sequence[str]) -> bool:
        """Whether all of these stand there; of words in a row the initials may."""
        left = list(words)
        for start in range(len(left)):
            for end in range(len(left), start + 1, -1):
                initials = "".join(word[0] for word in left[start:end])
                if any(known == initials for known, _ in self._spans):
                    return self.has_all([*left[:start], *left[end:]])
        return all(self.has(word) for word in left)

    def any_of(self, names: frozenset[str]) -> bool:
        """Whether one of these stands there as it is."""
        return any(word in names for word, _ in self._spans)

    def place(self, words: Sequence[str]) -> int:
        """Where the first of these words stands; the text's end if none does."""
        found = [at for at in map(self._at, words) if at is not None]
        return self._spans[min(found)][1] if found else self._length

    def _at(self, word: str) -> int | None:
        parts = [found[0].casefold() for found in _WORD.finditer(word)]
        for place in range(len(self._spans) - len(parts) + 1):
            here = [known for known, _ in self._spans[place : place + len(parts)]]
            if parts and all(alike(one, other) for one, other in zip(parts, here, strict=True)):
                return place
        if len(parts) == 1 and 2 <= len(parts[0]) <= 6 and parts[0].isalpha():
            whole, single = parts[0], parts[0].removesuffix("s")  # "GNNs" are GNN
            found = [self._initials.find(each) for each in (whole, single) if len(each) > 1]
            return next((at for at in found if at >= 0), None)
        return None


def alike(one: str, other: str) -> bool:
    """Whether two words, in small letters, are forms of one."""
    one, other = _known(one), _known(other)
    if one == other:
        return True
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    rests = one[shared:], other[shared:]
    if all(rests):  # both differ: "supervises" and "supervisor", but no "student" and "studies"
        return shared >= _LEAST and all(rest in _ENDINGS for rest in rests)
    return shared >= 2 and max(rests) in (_ENDINGS if shared >= _LEAST else _SHORT)


def _known(word: str) -> str:
    return _ITALIAN.get(word) or _IRREGULAR.get(word, word)
