"""Where a person says to have gone: "I moved to …", "I was hired by …", "mi sono trasferito a …".

Whether that is an employer or a town, its name tells.
"""

from __future__ import annotations

import re

from arxivscout.statements.names import is_coined, is_organisation
from arxivscout.statements.roles.role import CUT, NOT, PAST, Role, value_of
from arxivscout.statements.stating import told

_HAVE = r"(?:i|we)(?:'ve| have|'m| am)?(?: (?:now|just|recently|finally|already|have|been))*"
_AWAY = r"(?: from .{1,40}?)?"
# Words, and whether they tell of a "home", of "work", or of either.
_SAID = (
    ("work", rf"{_HAVE} (?:moved|relocated|transferred|gone|changed jobs?|switched)(?:"
     " over)?"
     rf"{_AWAY} to (?P<where>.+?)"),
    ("home", rf"{_HAVE} (?:moved|relocated|gone)(?: over)?{_AWAY} to (?P<where>.+?)"),
    ("home", rf"{_HAVE} (?:liv(?:e|ing)|based|located|settled|resid(?:e|ing)) in (?P<where>.+?)"),
    ("home", r"(?:my|our) home (?:is|is now)(?: in)? (?P<where>.+?)"),
    ("work", r"(?:i'm|i am|we're|we are)(?: (?:now|currently|now based|based))* (?:at|with)(?!"
     r" home\b) "
     r"(?P<where>.+?)"),
    ("home", r"(?:vivo|abito|abitiamo|viviamo)(?: ora| adesso)? (?:a|ad|in) (?P<where>.+?)"),
    ("home", r"(?:mi sono|ci siamo) trasferit[oaie] (?:a|ad|in) (?P<where>.+?)"),
    ("work", r"(?:mi sono|ci siamo) trasferit[oaie] (?:al|alla|all'|allo|presso) ?(?P<where>.+?)"
     r"|(?:ora |adesso )?sono (?:ora |adesso )?(?:al|alla|all'|presso)"
     r" ?(?P<where2>(?-i:[A-Z]).+?)"),
    ("home", r"(?:ich wohne|ich lebe|wir wohnen|wir leben)(?: jetzt)? in (?P<where>.+?)"
     r"|(?:ich bin|wir sind) nach (?P<where2>.+?) (?:um)?gezogen"),
    ("work", r"(?:ich bin|wir sind)(?: jetzt)? (?:am|bei|beim|an der|an die|zum|zur|zu)"
     " (?P<where>.+?)"
     r"(?: gewechselt)?"),
    ("home", r"(?:j'habite|je vis|nous habitons)(?: maintenant)? (?:à|en|au) (?P<where>.+?)"
     r"|(?:j'ai|nous avons) déménagé (?:à|en|au) (?P<where2>.+?)"),
    ("work", r"je suis(?: maintenant)? (?:au|à l'|à la|chez|à) ?(?P<where>(?-i:[A-Z]).+?)"),
    ("home", r"(?:vivo|vivimos)(?: ahora)? en (?P<where>.+?)|(?:me mudé|nos mudamos) a"
     " (?P<where2>.+?)"),
    ("work", r"(?:ahora )?estoy(?: ahora)? en (?:el |la )?(?P<where>(?-i:[A-Z]).+?)"),
)  # fmt: skip
_PLACED = tuple((re.compile(words, re.I), sort) for sort, words in _SAID)
_LEFT = re.compile(
    r"(?:i|we)(?:'ve| have)?(?: (?:now|just|recently|finally|already))* (?:(?:no longer|(?:do"
    r" not|don't"
    r")(?=.*any ?(?:more|longer))) live in|moved (?:away from|out of)|left)"
    r" (?P<where>(?-i:[A-Z]).+?)"
    r"(?: any ?(?:more|longer))?$|non (?:vivo|abito) più (?:a|ad|in) (?P<where2>.+)"
    r"|ich (?:wohne|lebe) nicht mehr in (?P<where3>.+)|je n'habite plus (?:à|en|au) (?P<where4>.+)"
    r"|ya no vivo en (?P<where5>.+)",
    re.I,
)


def places(said: str) -> list[Role]:
    found = []
    for each in told(said):
        if each.predicate == "works_at" and value_of(each.what) and not PAST.search(said):
            found.append(Role("employer", "", value_of(each.what)))
        if each.predicate == "worked_at" and value_of(each.what):
            found.append(Role("employer", "", NOT + value_of(each.what), True))
    if match := _LEFT.match(said):
        where = NOT + value_of(next(words for words in match.groups() if words))
        return [*found, Role("home", "", where, True)]
    for pattern, sort in _PLACED:
        if match := pattern.fullmatch(said):
            where = next(words for words in match.groups() if words)
            if value_of(where) and (sort == "home") == (not is_organisation(CUT.sub("", where))):
                if sort == "home" and (is_coined(CUT.sub("", where)) or not where[:1].isupper()):
                    continue
                found.append(
                    Role("home" if sort == "home" else "employer", "", value_of(where), True)
                )
    return found
