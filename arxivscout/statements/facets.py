"""Where, with whom and on what one works, said in one breath: each is a statement of its own.

“I work at CERN on the trigger” ends in part when the person moves to DESY. Taken apart is only
what leaves no doubt: a place or a person by name, first, and a topic behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from arxivscout.statements.ending import FULL_NAME, OFTEN
from arxivscout.statements.names import GIVEN_NAME, is_organisation, is_workplace
from arxivscout.statements.working import ROLE, ROLE_ABROAD

_NAME = re.compile(
    r"(?:the |an? )?(?-i:[A-Z])[\w.'&-]*(?: (?:(?:of|for|de|di|du|des|der|and|&|la|le) )*"
    r"(?-i:[A-Z])[\w.'&-]*)*(?:,? in (?:the )?.+)?",
    re.I,
)
_PERSON = re.compile(FULL_NAME)


@dataclass(frozen=True, slots=True)
class _Language:
    """How one says it: the words before, and those that lead to a place, a person and a topic."""

    begins: re.Pattern[str]
    leads: re.Pattern[str]


def _language(begins: str, at: str, on: str, beside: str = "(?!)") -> _Language:
    return _Language(
        re.compile(rf"(?:{begins})(?= )", re.I),
        re.compile(
            rf" (?:(?P<at>{at})|(?P<on>{on})|(?P<beside>{beside}))(?:(?<=') ?|(?<!') )", re.I
        ),
    )


_LANGUAGES = (
    _language(
        r"(?:i|we)(?:'m|'re|'ve been| am| are| have been)?"
        rf"{OFTEN} (?:work(?:ing)?|collaborat(?:e|ing)|employed|based)",
        at="at|for", on="on", beside="with",
    ),
    _language(r"(?:io |noi )?lavor(?:o|iamo)", at="al|alla|all'|allo|presso|per",
              on="su|sul|sullo|sulla|sui|sugli|sulle|sull'"),
    _language(r"ich (?:arbeite|forsche)|wir (?:arbeiten|forschen)", at="am|beim|bei|für",
              on="an|zu|über"),
    _language(r"je travaille|nous travaillons", at="au|à l'|à la|à|chez|pour", on="sur"),
    _language(r"trabaj(?:o|amos)", at="en(?: el| la)?(?= (?-i:[A-Z]))|para", on="sobre|en"),
)  # fmt: skip
_ROLE_AND_TOPIC = re.compile(
    rf"(?P<am>i(?:'m| am)) (?P<role>an? (?:[\w-]+ ){{0,4}}?{ROLE}) (?P<at>at|with) (?P<name>.+?),?"
    r" (?:and )?(?P<on>(?:working|focus(?:s?ing|s?ed)) on .+)",
    re.I,
)
# "I'm Anna, a PhD student at SISSA": the name, and what one is.
_INTRODUCED = re.compile(
    r"(?P<am>i(?:'m| am)|my name is|(?:io )?sono|mi chiamo|ich (?:bin|heiße)|je suis|je m'appelle"
    rf"|soy|me llamo) (?P<name>{GIVEN_NAME})"
    r"(?:,| and| e| und| et| y)(?: (?:and )?(?:i(?:'m| am)|sono|ich bin|bin|je suis|soy))?"
    rf" (?P<what>(?:(?:an?|una?|une?|eine?) )?(?:[\w-]+ ){{0,4}}?(?:{ROLE}|{ROLE_ABROAD})\b.*)",
    re.I,
)
_AM = {
    "i": "I'm", "my": "I'm", "mi": "Sono", "io": "Sono", "sono": "Sono", "ich": "Ich bin",
    "je": "Je suis", "soy": "Soy", "me": "Soy",
}  # fmt: skip


def facets(clause: str) -> list[str]:
    """The statements of a clause that names somebody and what they are, a place or a person and a
    topic; else itself.
    """
    if found := _INTRODUCED.fullmatch(clause):
        am = _AM[re.split(r"\W", found["am"].lower())[0]]
        called = "Ich heiße" if am == "Ich bin" else found["am"]
        return [f"{called} {found['name']}", *facets(f"{am} {found['what']}")]
    if (found := _ROLE_AND_TOPIC.fullmatch(clause)) and _is_a_place(found["name"]):
        return [
            f"{found['am']} {found['role']} {found['at']} {found['name']}",
            f"{found['am']} {found['on']}",
        ]
    for language in _LANGUAGES:
        if begins := language.begins.match(clause):
            parts = list(_parts(language.leads, clause[begins.end() :]))
            apart = len(parts) > 1 and all(parts)
            return [begins[0] + part for part in parts] if apart else [clause]
    return [clause]


def _parts(leads: re.Pattern[str], said: str) -> Iterator[str]:
    """What is said of each, with the word that leads to it; "" of what may be something else.

    A topic goes on to the end (in “on jets at ATLAS” who knows who is there), but for a place of
    work or a person by their full name behind it: “on quasars at Yale with Meg Urry”.
    """
    found = list(leads.finditer(said))
    if not found or found[0].start():
        yield ""
        return
    for place, lead in enumerate(found):
        if lead["on"]:
            behind = next((each for each in found[place + 1 :] if _ends_a_topic(each, said)), None)
            yield said[lead.start() : behind.start() if behind else len(said)]
            if behind:
                yield from _parts(leads, said[behind.start() :])
            return
        end = found[place + 1].start() if place + 1 < len(found) else len(said)
        name = said[lead.end() : end]
        fits = _is_a_place(name) if lead["at"] else _PERSON.fullmatch(name)
        yield said[lead.start() : end] if fits else ""


def _ends_a_topic(lead: re.Match[str], said: str) -> bool:
    name = said[lead.end() :]
    if lead["beside"]:
        return bool(_PERSON.fullmatch(name))
    return bool(lead["at"]) and is_workplace(name.split(" with ")[0])


def _is_a_place(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) or is_organisation(name)
