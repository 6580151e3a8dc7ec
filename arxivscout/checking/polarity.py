"""Is a claim the passage turned round: denied, `faster` for `slower`, done by whom it is done to?

Words alone can't tell, for a denial shares all words with what it denies. Told only where the claim
follows the passage closely, so that what is opposite in it is the statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.checking.plain import plain
from arxivscout.checking.roles import exchanged
from arxivscout.llm.terms import stem

_DENIES = re.compile(
    r"\b(?:not|never|cannot|no longer|neither|nor|fail(?:s|ed)? to|it is false)\b|n['’]t\b",
    re.IGNORECASE,
)
# In any of these a source may say by other means what the claim denies.
_MAY_DENY = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|none|without|hardly|barely|rarely|scarcely|fail\w*|lack\w*"
    r"|absen\w+|rul\w+ out|exclud\w+|instead|rather|unlike|contra\w+|independent\w*|only|differ\w*"
    r"|avoid\w*|prevent\w*|forbid\w*|impossib\w+|unable|few|little|less|beyond|apart|despite|although"
    r"|however|but|yet|while|whereas|except|nothing|nobody|false|wrong|refut\w+|disprov\w+|den(?:y|ies)"
    r"|reject\w*|dis\w+|un\w+|non\w*|in(?:sensitiv|sufficien|effectiv|consisten|correct|complet)\w+)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_OPPOSITES = (
    "increase decrease", "increases decreases", "rise fall", "rises falls", "grow shrink",
    "grows shrinks", "higher lower", "larger smaller", "more less", "faster slower",
    "stronger weaker", "improve worsen", "improves worsens", "better worse", "before after",
    "always never", "positive negative", "maximum minimum", "easy hard", "speeds slows",
    "confirm refute", "confirms refutes", "supports contradicts", "same different",
    "possible impossible", "stable unstable", "above below", "early late", "earlier later",
    "most least", "inner outer", "cause prevent", "older younger", "attractive repulsive",
    "hot cold", "dense sparse", "increasing decreasing", "succeeds fails", "fluent clumsy",
    "increase reduce", "increases reduces", "increase diminish", "strong weak",
    "strengthen weaken", "strengthens weakens", "enhance suppress", "enhances suppresses",
    "accelerate decelerate", "accelerates decelerates", "attract repel", "attracts repels",
)  # fmt: skip
_PAIRS = tuple(
    (stem(a), stem(b))
    for pair in _OPPOSITES
    for a, b in (pair.split(), list(reversed(pair.split())))
)
_WORD = re.compile(r"[^\W\d_]+")


def turned_round(claim: str, passages: Sequence[str], text: str) -> bool:
    """Whether `claim`, which follows its source closely, says the opposite of it.

    Args:
        passages: those that the claim is closest to, the closest first.
        text: all of the source, plain; what it says elsewhere is no opposite.
    """
    if _DENIES.search(claim) and not _MAY_DENY.search(text):
        return True
    said = _stems(claim)
    for passage in passages:
        roles = exchanged(plain(claim), plain(passage), text)
        if roles == "compared":  # "B is slower than A" says what "A is faster than B" says
            return not _opposed(said, _stems(passage), _stems(passage))
        if roles:
            return True
    return _opposed(said, _stems(passages[0]), _stems(text))


def _opposed(said: frozenset[str], there: frozenset[str], everywhere: frozenset[str]) -> bool:
    return any(
        one in said and one not in everywhere and other in there and other not in said
        for one, other in _PAIRS
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text))
