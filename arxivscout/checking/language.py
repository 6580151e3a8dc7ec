"""Is a piece of text English? Stored texts are; words are compared within one language only."""

from __future__ import annotations

import re

from arxivscout.papers.language import language_of

_WORD = re.compile(r"[^\W\d_]+(?:['’])?")
_ENGLISH = frozenset(
    "the of to and are was were that which for on with by from at it its this these be been or not "
    "may than into has have how when where while both their they".split()
)
# Function words that English has not, of the languages that researchers write most.
_OTHERS = frozenset(
    """il lo gli di che della delle degli dei del nella nelle sulla sono è una con per dal dalla
    dagli da alla allo ai agli alle hanno si l' d' dell' nell' un' all' come anche più non
    der die das und ist sind ein eine einer eines vom von zum zur mit für auf aus dem den des im
    sich nicht auch wird werden über bei nach durch
    le les des du une est sont dans pour avec sur par qui que au aux et ne pas plus cette
    el los las del en una es son con por para que se como más y
    o os da das dos em uma são não com""".split()
) - {"die", "on", "den", "per", "plus", "des", "o", "come", "non", "du", "y", "se", "en", "das"}


def is_foreign(text: str) -> bool:
    """Whether `text`, a sentence or more, is in another language than English."""
    if language_of(text) is not None:
        return True
    words = [word.replace("’", "'") for word in _WORD.findall(text.lower())]
    if len(words) < 4:
        return False
    return not any(word in _ENGLISH for word in words) and any(word in _OTHERS for word in words)
