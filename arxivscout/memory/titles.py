"""What a thread is called: a title, and a name, made from its first question by rule."""

from __future__ import annotations

import re

from arxivscout.papers import one_line
from arxivscout.redaction import redacted

MOST_TITLE = 60  # characters; fits a list beside date and last question
MOST_NAME = 40
_SHORTEST = 8  # a sentence that is shorter ("Hello.") is no title by itself
READ = 500  # characters of a question; what is pasted may have a million

# What a question begins with before it says what it is about.
_OPENER = re.compile(
    r"(?:(?:hi|hello|hey|please|ok(?:ay)?|so|and)\b[\s,!.]*)*"
    r"(?:(?:can|could|would|will) you (?:please )?)?"
    r"(?:(?:tell|show|give|find|explain|summari[sz]e|list|search)(?: (?:me|to me|for me|for))?"
    r"(?: about)? |"
    r"i(?:'d| would) like to know (?:about )?|i(?: am|'m) (?:looking for|interested in) |"
    r"what (?:is|are) (?:known|there|new|the (?:state of the art|latest)) (?:about|on|in|of) |"
    r"what do (?:we|you) know about |"
    r"(?:which|what|are there|is there)(?: any)? (?:papers?|work|articles?|research) "
    r"(?:is |are |there |there are )?(?:about|on|deal(?:s)? with) )?",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[^\s.][?!.])\s")
_BEFORE = " #>*-_`'\"“„«~=+:;,.!?…"
_BEHIND = " *_`'\"”“»:;,.!?…"


def title_of(question: str) -> str:
    """A short title for a thread from its first question; "" if there is nothing to read in it.

    Deterministic: the first sentence without what opens it, cut between words at 60 characters.
    """
    line = re.sub(r"[*`]{1,3}", "", redacted(one_line(question[:READ])))
    about = _bare(_OPENER.sub("", _bare(line), count=1))
    title = about if len(about) > 3 else _bare(line)
    sentence = _bare(_END.split(title, maxsplit=1)[0])
    title = sentence if len(sentence) >= _SHORTEST else title
    return _cut(title[:1].upper() + title[1:], MOST_TITLE)


def name_of(question: str) -> str:
    """A thread's name from its first question: `dark-matter-candidates`; "" if none can be made."""
    words = re.findall(r"[^\W_]+", title_of(question).lower())
    name = ""
    for word in words:
        if len(name) + 1 + len(word) > MOST_NAME and name:
            break
        name = f"{name}-{word}" if name else word[:MOST_NAME]
    return name


def _bare(text: str) -> str:
    return text.lstrip(_BEFORE).rstrip(_BEHIND)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    words = text[:most].rpartition(" ")[0]
    return (words if len(words) > most // 2 else text[: most - 1]).rstrip(_BEHIND) + "…"
