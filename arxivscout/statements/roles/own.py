"""What is somebody's own: "my supervisor is …", and the tool that they have for a purpose."""

from __future__ import annotations

import re

from arxivscout.statements.names import is_coined
from arxivscout.statements.roles.dates import EVENT
from arxivscout.statements.roles.role import (
    ARTICLE,
    NOT,
    NOW,
    PAST,
    SMALL,
    Role,
    key_of,
    of_what,
    value_of,
)
from arxivscout.statements.stating import told

_SAME = {
    "advisor": "supervisor", "adviser": "supervisor", "pi": "supervisor", "promotor": "supervisor",
    "relatore": "supervisor", "relatrice": "supervisor", "betreuer": "supervisor",
    "betreuerin": "supervisor", "boss": "manager", "notebook": "laptop", "computer": "laptop",
    "ide": "editor", "directeur": "supervisor", "encadrant": "supervisor",
    "encadrante": "supervisor", "directora": "supervisor", "director": "supervisor",
    "tutor": "supervisor", "affiliation": "employer", "institution": "employer",
    "institute": "employer", "university": "employer", "company": "employer",
}  # fmt: skip
_EVERY_VALUE = r"favou?rite|preferred|go-to|default|main|primary|current|usual|first|preferit[oa]"
_OWN = re.compile(
    r"(?:my|our|il mio|la mia|mein|meine|mon|ma|mi|unser|unsere|notre|nuestro|nuestra)"
    r" (?P<noun>(?:(?!and"
    r"\b|or\b|is\b|are\b)[\w'’/-]+ ){1,4}?)(?:(?:now|ora|adesso|jetzt|maintenant|ahora) )?(?:is"
    r"|was changed to|has changed to|changed to|'s|è"
    r"|ist|est|es)"
    r"(?: (?:now|currently|ora|adesso|jetzt|maintenant|ahora|called|named|from now on))*"
    r" (?P<value>.+)$",
    re.I,
)
_OWNED = re.compile(
    r"(?P<value>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}) is(?: now| currently)? (?:my|our)(?: new)? "
    r"(?P<noun>[\w'’/ -]{3,40}?)(?: now)?$"
    r"|(?P<value2>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}) (?:is(?: now)? supervising|supervises|now"
    r" supervises|advises) (?:me|us)(?: now)?$"
    r"|[Ii](?:'m| am)(?: now)? (?:being )?supervised by (?P<value3>[A-Z][\w.'’-]*(?:"
    r" [A-Z][\w.'’-]*)*)",
)
# "is not Paolo Rossi any more, it is Carla Bianchi now"
_INSTEAD = re.compile(
    r"(?:not|no longer) .{1,60}?(?: any ?(?:more|longer))?\s*[,;]? (?:but|it is|it's|he is|he's"
    r"|she is|she's|now)(?: now)? (?P<value>.+?)(?: (?:now|instead))?",
    re.I,
)
_NO_VALUE = re.compile(
    r"(?:not|no longer|about|on|in|at|to|for|due|very|too|quite|really|so|still|being|going|the"
    r" same"
    r"|broken|done|over|finished|fine|ok|\w+ing|\w+ed)\b",
    re.I,
)
_NATIONALITY = re.compile(
    r"(?:[A-Z]\w+(?:ian|ish|ese|ean)|German|French|Dutch|Swiss|Greek|Czech|Thai|English|British"
    r"|Irish"
    r"|Welsh|American|Mexican|African)$"
)
# "Ada is no longer my supervisor"
_NO_MORE = re.compile(
    r"(?P<value>(?-i:[A-Z])[\w.'’-]*(?: (?-i:[A-Z])[\w.'’-]*){0,3}) (?:is|was|isn['’]t)"
    r"(?: no longer| not(?=.+ any ?(?:more|longer))|(?<=n['’]t)(?=.+ any ?(?:more|longer)))"
    r" (?:my|our) (?P<noun>[\w'’/ -]{3,40}?)(?:,? any ?(?:more|longer))?$"
    r"|(?P<value2>(?-i:[A-Z])[\w.'’-]*(?: (?-i:[A-Z])[\w.'’-]*){0,3}) (?:non è più|ist nicht mehr"
    r"|n['’]est plus|ya no es) (?:il mio|la mia|mein\w*|mon|ma|mi) (?P<noun2>[\w'’/ -]{3,40}?)$",
    re.I,
)
_FOR = re.compile(
    r"(?P<tool>.{1,60}?)(?: (?:now|instead|mostly|mainly|exclusively|only))* (?:for|as (?:my|our"
    r"|an?|the)"
    r"|to (?=[a-z]+ ))\s*(?P<purpose>[^,;]{3,60}?)(?: (?:now|instead|these days|from now on))*$",
    re.I,
)


def own(said: str) -> list[Role]:
    if gone := _NO_MORE.match(said):
        noun = key_of(gone["noun"] or gone["noun2"])
        words = [_SAME.get(word, word) for word in noun.split() if word not in SMALL]
        value = value_of(gone["value"] or gone["value2"])
        return [Role(" ".join(words), "", f"{NOT}{value}", changed=True)] if words else []
    if owned := _OWNED.match(said):
        value = owned["value"] or owned["value2"] or owned["value3"]
        noun = owned["noun"] or "supervisor"
    elif own := _OWN.match(said):
        instead = _INSTEAD.fullmatch(own["value"])
        value, noun = instead["value"] if instead else own["value"], own["noun"]
    else:
        return []
    every = re.search(rf"\b(?:{_EVERY_VALUE})\b", noun, re.I)
    named = value[:1].isupper() or is_coined(value)
    if _NO_VALUE.match(value) or _NATIONALITY.fullmatch(value.strip(" .!")) or not (named or every):
        return []
    words = [_SAME.get(word, word) for word in key_of(noun).split() if word not in SMALL]
    if not words or re.search(rf"\b(?:{EVENT})$", noun.strip(), re.I):
        return []
    head = " ".join(words)
    return [Role(head, "", value_of(value), bool(re.search(r"\bnew\b", noun, re.I)))]


def tools(said: str) -> list[Role]:
    if PAST.search(said):
        return []
    found = []
    for each in told(said):
        if each.predicate != "uses" or not (match := _FOR.fullmatch(each.what.strip(" .!"))):
            continue
        purpose = of_what(NOW.sub("", match["purpose"]))
        tool = key_of(ARTICLE.sub("", match["tool"], count=1))
        if purpose and tool and len(tool.split()) <= 4:
            as_my = re.search(r"\bas (?:my|our)\b", each.what)
            found.append(Role(purpose if as_my else f"for {purpose}", "", tool))
    return found
