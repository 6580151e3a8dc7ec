"""Withdrawals: "older papers are fine again", "forget what I said about dates"."""

from __future__ import annotations

import re

from arxivscout.preferences.manner import ANSWERS, find_language, find_style, is_language
from arxivscout.preferences.terms import find_authors, find_terms
from arxivscout.preferences.values import KINDS, Kind, Preference

_WORDS: dict[Kind, str] = {
    "dates": r"dates?|years?|age|when (?:it|they) (?:was|were) published"
    r"|publication (?:dates?|years?)|old(?:er)?"
    r"|new(?:er)?|recent|dat[ae]|ann[oi]|vecch[ioea]+|recenti|how old",
    "language": r"languages?|lingu[ae]|speaking|answering in \w+",
    "style": rf"style|format(?:ting)?|length|{ANSWERS}|stile|formato|lunghezza",
    "authors": r"authors?|autor[ei]",
    "categories": r"categor(?:y|ies)|archives?|categori[ae]",
    "methods": r"methods?|methodology|metod[oi]",
    "topics": r"topics?|subjects?|fields?|argoment[oi]|tem[ai]",
}
_KIND = {kind: re.compile(rf"\b(?:{words})\b", re.I) for kind, words in _WORDS.items()}
_FORGET = re.compile(
    r"(?:forget|ignore|drop|cancel|withdraw|disregard|scrap|undo|dimentica\w*|ignora\w*"
    r"|cancella\w*|annulla\w*)\s+"
    r"(?:(?:all |everything |anything |about )?(?:of )?(?:what|that|the things|everything"
    r"|anything)?\s*i(?:'ve| have)? (?:said|told you"
    r"|asked(?: for)?|wrote)(?: (?:earlier|before))?"
    r"|(?:all )?(?:my|the|le mie|la mia) (?:\w+ )?(?:preferences?|wish(?:es)?|rules?"
    r"|restrictions?|filters?|limits?|preferenz[ae])"
    r"|(?:tutto )?(?:quello|ciò|quanto) che (?:ti )?ho detto)"
    r"\s*(?:about|on|regarding|for|concerning|su|sul|sulla|sulle|sui|sugli"
    r"|a proposito d\w+)?\s*(?P<what>.*)$",
    re.I,
)
_LIMIT = re.compile(
    r"(?:forget|ignore|drop|lift|remove|never mind|skip)\s+(?:about\s+)?(?:the|my|that|any)\s+"
    r"(?P<what>(?:19|20)\d\d|dates?|years?|languages?|authors?|topics?|methods?|style|length"
    r"|categor(?:y|ies))"
    r"\s+(?:limits?|restrictions?|filters?|preferences?|rules?|cut-?offs?)\b.*$",
    re.I,
)
_FINE = re.compile(
    r"(?P<what>.{3,80}?)\s+(?:is|are)\s+(?:now |all |also |perfectly |quite )?(?:fine|ok|okay"
    r"|welcome|allowed|alright|all right|good"
    r"|acceptable|interesting|back)(?:\s+(?:with|by|for|to) me)?(?P<again>\s+(?:again|now"
    r"|after all|too|as well|from now on))*$",
    re.I,
)
_VANNO = re.compile(
    r"(?:(?:ora |adesso )?vanno (?:di nuovo )?bene (?:di nuovo )?(?:anche )?(?P<what>.+?)"
    r"(?P<again> di nuovo| adesso| ora)?$)",
    re.I,
)
_MAY = re.compile(
    r"(?:you (?:can|may|could)(?: also)?|feel free to|puoi(?: anche)?)\s+(?P<verb>show|include"
    r"|use|recommend|cite|suggest|consider|give|write"
    r"|answer|mostrar\w*|includere|usare|citare|propor\w*)(?: me| us| to me)?\s+(?P<what>.+?)"
    r"\s+(?:again|from now on|after all|now|too|di nuovo|d'ora in poi)$",
    re.I,
)
_NEEDLESS = re.compile(
    r"(?:you (?:no longer (?:need|have) to|(?:do not|don't) (?:need|have) to|needn't)"
    r"|(?:there(?:'s| is) )?no (?:longer any |more )?need to"
    r"|stop|non (?:serve|devi|occorre|c'è bisogno di)(?: pi[uù])?)\s+(?P<what>.+)$",
    re.I,
)
_NO_MATTER = re.compile(
    r"(?:(?:i (?:no longer|don't|do not) (?:care|mind) (?:about"
    r"|for)?\s*(?P<what>.+?)(?:\s+any ?more)?$)"
    r"|(?P<what2>.+?)\s+(?:no longer matters?|(?:doesn't|does not|don't|do not) matter)(?: (?:to"
    r"|for) me)?(?:\s+any ?more)?$"
    r"|non m(?:i |')(?:importa|interessa) pi[uù] (?:d\w+ |l[ae] )?(?P<what3>.+)$"
    r"|(?P<what4>.+?) non (?:importa|conta)(?:no)? pi[uù]$)",
    re.I,
)
_ANY_MORE = re.compile(r"\b(?:any ?more|no longer|pi[uù])\b", re.I)


def find_lift(clause: str, changed_mind: bool) -> list[Preference]:
    """What a clause takes back, as preferences with `lifts` set (their quote is filled in later).

    "… is fine" alone takes nothing back: it needs "again" or a change of mind before it.
    """
    if found := _LIMIT.match(clause):  # first: "the 2015 limit" is one of them, not all
        if found["what"].isdigit():
            return [Preference(kind="dates", quote="", lifts=True)]
        return _of(found["what"])
    if found := _FORGET.match(clause):
        return _of(found["what"], whole=True)
    if (found := _FINE.fullmatch(clause)) and (found["again"] or changed_mind):
        return _of(found["what"])
    if (found := _VANNO.match(clause)) and (found["again"] or changed_mind or "nuovo" in clause):
        return _of(found["what"])
    if found := _MAY.match(clause):
        return _of(found["what"])
    if found := _NEEDLESS.match(clause):
        what = re.sub(r"^(\w+?)(?:n|t|p)?ing\b", r"\1", found["what"])
        if find_language(what, standing=False):
            return [Preference(kind="language", quote="", lifts=True)]
        styles = find_style(what, polarity=0, body="")
        return [Preference(kind="style", quote="", style=styles, lifts=True)] if styles else []
    if found := _NO_MATTER.match(clause):
        what = next(text for text in found.groups() if text)
        kind = _kind_of(what)
        if kind and (_ANY_MORE.search(clause) or changed_mind):
            return [Preference(kind=kind, quote="", lifts=True)]
    return []


def _kind_of(what: str) -> Kind | None:
    return next((kind for kind, words in _KIND.items() if words.search(what)), None)


def _of(what: str, *, whole: bool = False) -> list[Preference]:
    """The lift that `what` names: a kind as a whole, a style, an author, a term, or everything."""
    what = what.strip(" .!?")
    if not what:
        return [Preference(kind=kind, quote="", lifts=True) for kind in KINDS] if whole else []
    authors = find_authors(what, bare=True)
    if authors:
        return [Preference(kind="authors", quote="", wanted=authors, unwanted=authors, lifts=True)]
    # the styles that allowing something takes back: allowing formulas ends "no formulas"
    refused = find_style("", polarity=-1, body=what)
    if refused:
        return [Preference(kind="style", quote="", style=refused, lifts=True)]
    kind = _kind_of(what)
    if kind or is_language(what):
        return [Preference(kind=kind or "language", quote="", lifts=True)]
    of, terms = find_terms(what)
    return (
        [Preference(kind=of, quote="", wanted=terms, unwanted=terms, lifts=True)] if terms else []
    )
