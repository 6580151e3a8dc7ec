"""Where a paper says what its own limits are, by the words that announce such things."""

from __future__ import annotations

import re

# A limit that a paper sets on something is what it finds, and none of its own.
_BOUND = (
    r"(?:limits?|bounds?|constraints?)"
    r"(?! (?:of (?:our|this|the) (?:method|approach|model|work|study|analysis)|is that)\b)"
)
_SETS = (
    r"\b(?:tighten|improv|sett?|plac|put|giv|deriv|obtain|impos|yield|provid|strengthen|report"
    r"|find|found|constrain)\w*\b"
)
BOUNDS = (
    rf"{_SETS}.{{0,60}}\b{_BOUND}\b|\b(?:upper|lower|exclusion) {_BOUND}\b"
    rf"|\b{_BOUND} (?:on|to|of) .{{0,60}}\d|\b(?:limited|constrained) to (?:be )?[^a-z]*\d"
)

_LIMITS = (
    (
        2.6,
        r"\b(?:limitations?|shortcomings?|drawbacks?|caveats?) (?:of (?:our|this|the)|are|is)",
    ),
    (2.3, r"\b(?:falls? short|fails? (?:to|in|for|at)|does not (?:hold|apply|work|account))\b"),
    (2.2, r"\b(?:breaks? down|cannot (?:be|explain|account|distinguish|rule)|unable to)\b"),
    (
        2.1,
        r"\b(?:only (?:if|when|for|valid)|is (?:valid|limited) (?:only )?(?:to|for))\b"
        r"(?! (?:be )?[^a-z]*\d)",
    ),
    (2.1, r"\b(?:future|further|more) (?:work|research|studies|observations|data|efforts?)\b"),
    (
        2.0,
        r"\b(?:are|is) (?:still )?needed\b|\bremains? (?:to be|unclear|open|uncertain|an open)",
    ),
    (1.5, r"\b(?:neglect(?:s|ed|ing)?|(?:we|i) assume|assuming|under the assumption)\b"),
)
# From what can hardly be anything else (over 2) to what may well be (over 1).
LIMIT_CUES = tuple((re.compile(pattern, re.IGNORECASE), weight) for weight, pattern in _LIMITS)
_SURE = 1.5  # a weaker cue stands beside a bound too ("assuming …, we set a limit")

# What stands before a paper's own contribution tells of others' limits.
_OTHERS = re.compile(
    r"\b(?:to (?:address|overcome|tackle|solve|mitigate|remedy)|existing|previous|prior|current"
    r"|conventional|traditional|standard|most) ",
    re.IGNORECASE,
)

_BOUND_SET = re.compile(BOUNDS, re.IGNORECASE)

_ASKS = re.compile(
    r"\b(?:limitations?|shortcomings?|drawbacks?|weakness(?:es)?|caveats?|limiti|limitazion[ei]"
    r"|(?:its|their|the) limits)\b",
    re.IGNORECASE,
)


def asks_limitations(question: str) -> bool:
    """Whether a question is on the limits of a work."""
    return bool(_ASKS.search(question))


def limitation_cue(sentence: str) -> float:
    """How much the words of a sentence speak for a limitation of the paper itself; 0 if none do."""
    cue = max((weight for cue, weight in LIMIT_CUES if cue.search(sentence)), default=0.0)
    bound = cue <= _SURE and _BOUND_SET.search(sentence)
    return 0.0 if bound or _OTHERS.search(sentence) else cue
