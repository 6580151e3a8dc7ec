"""Names in a question, told by how they are written: what is called so is meant, and nothing else.

A capital within a sentence, capitals or digits within a word, quotation marks. Scripts without
capitals tell no names; there the words themselves must do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.memory.time_words import CALENDAR
from arxivscout.papers import clean_text

_WORD = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*", re.UNICODE)
_QUOTED = re.compile(r"[\"“”«»„「『](?P<said>[^\"“”«»„「」『』]{2,80})[\"”»“」』]")
_SENTENCE_ENDS = re.compile(r"[.!?…:]\s")  # between two words
_OF_SELF = re.compile(r"I['’]", re.UNICODE)  # I'm, I've
_LEAST_LETTERS = 2
MOST_NAMES = 12
READ = 4_000  # characters of a question; what is pasted may have a million


def names_in(question: str, but: Sequence[str] = ()) -> list[str]:
    """The names that `question` holds, each once, in its order.

    Args:
        but: names that are none here, in small letters: of who speaks.
    """
    text = clean_text(question[:READ])
    found = dict.fromkeys(match["said"].strip() for match in _QUOTED.finditer(text))
    none = {*CALENDAR, *but}
    end = 0  # of the word before
    for match in _WORD.finditer(text):
        opens = end == 0 or bool(_SENTENCE_ENDS.search(text, end, match.start()))
        end = match.end()
        plain = re.sub(r"['’]s$", "", match.group())
        if len(plain) < _LEAST_LETTERS or plain.lower() in none or _OF_SELF.match(plain):
            continue
        if _odd(plain) or (plain[0].isupper() and not opens):
            found.setdefault(plain)
    return list(found)[:MOST_NAMES]


def _odd(word: str) -> bool:
    """Capitals behind the first letter, or digits beside letters: LHC, LaTeX, ResNet50, GPT-4."""
    letters = any(character.isalpha() for character in word)
    return letters and (
        any(character.isupper() for character in word[1:])
        or any(character.isdigit() for character in word)
    )
