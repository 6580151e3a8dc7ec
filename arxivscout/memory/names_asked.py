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
_NEW_SENTENCE = re.compile(r"(?:^|[.!?…:]\s)\W*$")
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
    for match in _WORD.finditer(text):
        word = match.group()
        plain = re.sub(r"['’]s$", "", word)
        if (
            len(plain) < _LEAST_LETTERS
            or plain.lower() in {*CALENDAR, *but}
            or _OF_SELF.match(plain)
        ):
            continue
        opens = bool(_NEW_SENTENCE.search(text[: match.start()]))
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
