"""What puts an answer of oneself right, made whole: "No, it is 12 March." after "When is my talk?"

The subject is taken from what was asked or said before, in the person's own words. Where it can't
be told, nothing is made of it.
"""

from __future__ import annotations

import re

from arxivscout.statements.asked_for import DAY
from arxivscout.statements.roles import roles
from arxivscout.statements.stating import states

LONGEST = 300  # characters of a message before in which the subject is looked for
_MINE = (
    r"(?:my|our|il mio|la mia|i miei|le mie|mein\w*|unser\w*|mon|ma|mes|notre|nos|mis?|nuestr\w+)"
)
_IS = r"(?:is|are|was|were|will be|è|sono|era|ist|sind|war|est|sont|es|son|scade|takes place)"
_WORD = rf"(?!{_IS}\b)[\w'’-]{{1,40}}"
_SUBJECT = rf"(?P<subject>{_MINE} {_WORD}(?: {_WORD}){{0,4}}?)"
# "When is my talk?", "Who's my supervisor now?", and "My talk is on 10 March."
_BEFORE = (
    re.compile(
        rf".*?(?:\b{_IS}|['’]s)(?: (?:now|still|ora|jetzt))* {_SUBJECT}"
        r"(?: (?:now|again|ora|jetzt))?\W*",
        re.I,
    ),
    re.compile(rf".*?\b{_SUBJECT} {_IS}\b.*", re.I),
)
_DOES = re.compile(
    r".*?\b(?:do|did) (?P<who>i|we) (?P<verb>work|live|study|teach|sit)(?: now)?\W*", re.I
)
# The verb of each language, behind the pronoun that stands for the subject.
_RIGHT = (
    (
        re.compile(
            r"(?:it|that|this|she|he|they)(?:['’](?:s|re)| is| are| was| were| will be)"
            r"(?: (?:now|actually))? (?P<rest>.+)",
            re.I,
        ),
        "is",
    ),
    (re.compile(r"(?:quell[oa] |ora )?(?:è|sono) (?P<rest>.+)", re.I), "è"),
    (re.compile(r"(?:es|sie|er|das) (?:ist|sind) (?P<rest>.+)", re.I), "ist"),
    (re.compile(r"(?:c['’]est|il est|elle est|ce sont) (?P<rest>.+)", re.I), "est"),
    (re.compile(r"es (?P<rest>.+)", re.I), "es"),
)
_NOT_OTHER = re.compile(r"\s*,? (?:not|and not|non|nicht|pas|no) .+$", re.I)
_NOTHING = re.compile(
    r"(?:not|wrong|right|true|false|incorrect|fine|ok|the same|sbagliat\w|falsch|faux|falso)\b",
    re.I,
)


_MOVED = re.compile(
    r"(?:(?:actually|now|no|well|ok|oh|wait),? )*(?:they|it|that|we|i|the organi[sz]ers)"
    r"(?:['’](?:ve|s))?(?: (?:has|have|had|was|is|been|got|just|now))* (?:extended|moved|postponed"
    r"|shifted|changed|pushed|rescheduled|delayed|brought forward|put off)(?: (?:it|that))?"
    r"(?: (?:back|forward))? to (?:the )?(?P<when>.+)",
    re.I,
)


def completed(right: str, before: str) -> str:
    """What the person says of their own, whole, where `right` puts right what was told of it.

    Args:
        before: their message before: a question of their own, or a statement.

    Returns:
        "" where it is nothing of theirs, as far as can be told.
    """
    said = _NOT_OTHER.sub("", " ".join(right.split())).strip(" .!,;:")
    if not (roles(said) or (states(said) and re.match(_MINE, said, re.I))):
        found = ((pattern.fullmatch(said), verb) for pattern, verb in _RIGHT)
        right_of = next(((each["rest"], verb) for each, verb in found if each), ("", ""))
        whole = "" if _NOTHING.match(right_of[0]) else _whole(*right_of, before)
        return f"{whole[:1].upper()}{whole[1:]}"
    return said


def moved(said: str, before: str) -> str:
    """What a statement of a day says when "they extended it to 20 December" is said behind it.

    Returns:
        "" where nothing before has a day, or nothing is moved.
    """
    found = _MOVED.fullmatch(" ".join(said.split()).strip(" .!"))
    line = " ".join(before.split()).strip(" .!")
    if found is None or len(line) > LONGEST or not roles(line):
        return ""
    day, then = DAY.search(line), DAY.match(found["when"])
    return f"{line[: day.start()]}{found['when']}" if day and then else ""


def _whole(rest: str, verb: str, before: str) -> str:
    line = " ".join(before.split())
    if not rest or len(line) > LONGEST:
        return ""
    for pattern in _BEFORE:
        if found := pattern.fullmatch(line):
            return f"{found['subject'].strip()} {verb} {rest}"
    if (found := _DOES.fullmatch(line)) and re.match(r"(?:at|in|for|on|with)\b", rest, re.I):
        return f"{found['who']} {found['verb']} {rest}"
    return ""
