"""A role, and how its words are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from arxivscout.papers import fold_accents

NOT = "not "  # before who or what holds a role no more


@dataclass(frozen=True, slots=True)
class Role:
    """A role, what it is of ("the workshop paper", "" where it is not said), and who holds it.

    `changed`: whether the statement says that it was another before.
    """

    name: str
    of: str
    value: str
    changed: bool = False


NOW = re.compile(
    r"\b(?:now|no longer|any ?more|from now on|as of|instead|these days|currently|nowadays|changed?"
    r"|moved|has been (?:moved|changed|extended|postponed|pushed|shifted|brought forward)|was"
    r" (?:moved"
    r"|changed|extended|postponed|pushed|shifted)|new|ora|adesso|jetzt|maintenant|ahora|neue[rsnm]?"
    r"|nuov[oaie]|nouve\w+|nuev[oa]s?|verschoben|spostat[oa]|prorogat[oa]|repoussé\w*|reporté\w*"
    r"|aplazad[oa])\b",
    re.I,
)
PAST = re.compile(
    r"\b(?:used to|until|till|before|formerly|previously|last year|back then|once|years ago"
    r"|(?:i|we) (?:(?:was|were)(?! (?:hired|employed|recruited|appointed|promoted|offered"
    r"|made)\b)|had|worked|lived|used|studied))\b",
    re.I,
)
CUT = re.compile(
    r"\s*[,;(].*$|\s+(?:on(?= [a-z])|since|as|until|from|where|which|who|now|these days|starting"
    r"|again|currently|at the moment|right now|instead|for (?:\d+|two|three|four|a few|some|many"
    r"|the"
    r" (?:last|past|next))\b|with (?=my|our|a|the)|working|doing|and (?=[a-z])|in (?:\d{4}|january"
    r"|february|march|april|may|june|july|august|september|october|november|december|spring|summer"
    r"|autumn|fall|winter)|last (?:week|month|year)|this (?:week|month|year)|next (?:week|month"
    r"|year)"
    r"|yesterday|today|tomorrow|recently|ora|adesso|jetzt|maintenant|ahora|seit|da (?=\w+ ann)"
    r"|depuis|desde)\b.*$",
    re.I | re.S,
)
ARTICLE = re.compile(
    r"^(?:the|an?|my|our|il|lo|la|i|gli|le|l'|der|die|das|den|dem|les?|une?|un[ao]?|el|los|las)"
    r"(?:\s+|(?<='))",
    re.I,
)
SMALL = frozenset(
    "the a an my our of for to on in at by with and new current now main next own actual "
    "submission submitting paper's own il la lo le di del della per mio mia der die das meine mein "
    "von für du de la le mon ma el los mi para".split()
)


def key_of(words: str) -> str:
    return " ".join(re.findall(r"[^\W_]+|[+#]", fold_accents(words).casefold()))


def value_of(words: str) -> str:
    bare = words.strip(" .,!")
    while (shorter := CUT.sub("", bare)) != bare and shorter:
        bare = shorter
    return key_of(ARTICLE.sub("", bare.strip(), count=1))


def of_what(words: str) -> str:
    kept = [word for word in key_of(words).split() if word not in SMALL]
    return " ".join(sorted(kept))
