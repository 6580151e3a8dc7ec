"""What a wish is about: authors' names, methods, topics."""

from __future__ import annotations

import re
from typing import Literal

from arxivscout.preferences.manner import is_language

_PAPERS = (
    r"(?:papers?|articles?|works?|stud(?:y|ies)|publications?|preprints?|research|literature"
    r"|results?"
    r"|anything|everything|something|things?|stuff|material|articol[io]|lavor[io]|studi|studio"
    r"|pubblicazion[ei]|tutto|qualcosa|cose|roba|risultati)"
)
_ABOUT = (
    r"(?:on|about|in|regarding|concerning|dealing with|related to|to do with|that (?:use|uses"
    r"|rely on"
    r"|relies on|involve|deal with)|which (?:use|involve)|using|based on|involving"
    r"|from the field of"
    r"|with|su|sul|sulla|sullo|sui|sugli|sulle|sull'|di|del|della|dei|delle|degli|dell'|che usano"
    r"|basati su|riguardanti|a proposito di|con)"
)
_PAPERS_PROPER = re.compile(
    r"\b(?:papers|articles?|works?|studies|results|publications?|preprints?|research|literature"
    r"|reviews|surveys|articol[io]|lavori|studi|pubblicazion[ei]|risultati|rassegne)\b",
    re.I,
)
_ANYTHING_ABOUT = re.compile(rf"\b{_PAPERS}\s+{_ABOUT}\b", re.I)
_CAPITAL = r"(?:[A-ZÀ-ÖØ-Þ](?:\.|[\w'’-]*[\wà-ÿ.]))"
_OF = r"(?:(?:van|von|de|der|den|di|da|del|della|la|le|el|al|bin|ten|ter)\s+)*"
_NAME = rf"{_CAPITAL}(?:\s+{_OF}{_CAPITAL}){{0,4}}"
_NAMES = rf"(?P<names>{_NAME}(?:\s*(?:,|\b(?:and|or|e|o)\b|&)\s*{_NAME}){{0,5}})"
_BY = re.compile(
    rf"\b(?i:{_PAPERS})(?:\s+(?i:written|published|authored|signed|scritt\w+|firmat\w+"
    rf"|pubblicat\w+))?"
    rf"\s+(?i:by|from|of|di|da|del gruppo di|from the group of|by the group of)\s+{_NAMES}"
    rf"|\b(?i:by|written by|works? of|author|autore|scritt\w+ da)\s+(?P<names2>{_NAME}(?:\s*(?:,"
    rf"|and|e)\s*{_NAME})*)"
)
_OWNS = re.compile(
    rf"(?P<names>{_NAME})(?:'s|'|’s|’)\s+(?:\w+\s+){{0,2}}?(?:papers?|articles?|works?|group"
    rf"|team|publications|results|stuff|research|studies|lab)\b"
    rf"|\b(?:anything|everything|whatever|what|papers)\s+(?P<names2>{_NAME})\s+"
    r"(?:writes|wrote|publishes|published|says|does)\b"
)
_BARE = re.compile(rf"{_NAMES}(?:\s+(?i:first|please|again|any ?more))*$")
_NO_NAME = re.compile(
    r"\b(?:Monte|Carlo|Bayesian|Markov|Higgs|Boltzmann|LaTeX|CERN|arXiv|Nature|Science|Gaussian"
    r"|Europe|China|America|Italy|January|February|March|April|May|June|July|August|September"
    r"|October|November|December|AI|ML|RL|LLMs?|GPT|DFT|QCD|Hubble|Planck|Type|Big|Bang|Milky|Way"
    r"|Mars|Moon|Sun|Earth|Standard|Model|Chern|Yang|Mills|Hawking|Dirac equation)\b"
)
# People are called so, too.
_SURNAME = r"(?:Sun|Moon|Way|Hubble|Planck|Higgs|Chern|Yang|Mills|Hawking|Markov|Boltzmann|May)\b"
_SURNAMES = re.compile(_SURNAME)
_METHOD = (
    r"(?:computer |numerical |n-body |molecular dynamics )?simulat(?:ions?|ed)|simulation"
    r"|numerics|numerical"
    r"|experiment(?:s|al)?|theory|theor(?:etical|ies)|observation(?:s|al)?|analytic(?:al)?"
    r"|empirical"
    r"|bayesian|frequentist|monte carlo|reviews?|surveys?|overviews?|tutorials?|lecture notes"
    r"|case stud(?:y|ies)|lattice(?: calculations?| simulations?| qcd)?|first[- ]principles"
    r"|ab[- ]initio"
    r"|(?:randomi[sz]ed )(?:controlled )?trials?|meta-?analys[ei]s|statistical|phenomenolog(?:y"
    r"|ical)"
    r"|computational|machine[- ]learning|deep[- ]learning|neural networks?|mathematical|qualitative"
    r"|quantitative|perturbati(?:ve|on theory)|proofs?|benchmarks?|data-driven|model-based"
    r"|simulazion[ei]|sperimental[ei]|esperimenti|teoric(?:o|a|i|he)|teoria|numeric(?:o|a|i|he)"
    r"|osservativ[oaie]|osservazional[ei]|osservazioni|rassegn[ae]|bayesian[oaie]|frequentist[aei]"
    r"|analitic(?:o|a|i|he)|empiric(?:o|a|i|he)|computazional[ei]|reti neurali|statistic(?:o|a|i"
    r"|he)"
)
# Machine learning and the like are topics unless "methods" or "approaches" says otherwise.
_TOPIC_TOO = re.compile(
    r"machine[- ]learning|deep[- ]learning|neural networks?|reti neurali|lattice qcd", re.I
)
_METHODS = re.compile(
    rf"(?:(?:hard|solid|real|peer-reviewed)\s+)?(?:{_METHOD})(?:[ ,/-]+(?:and |or |e "
    rf"|o )?(?:{_METHOD}))*(?:[- ](?:only|based|heavy"
    r"|driven))?(?:\s+(?:data|evidence|measurements))?",
    re.I,
)
_HEAD_NOUN = re.compile(
    r"\b(?:approach(?:es)?|methods?|techniques?|methodolog(?:y|ies)|approcc(?:io|i)|metod[oi]"
    r"|tecnic(?:a|he))\b",
    re.I,
)
_LESS = re.compile(
    r"\s+(?:(?:much |far |way )?(?:better|more)\s+)?(?:over|than|rather than|instead of|to"
    r"|more than|and not|not"
    r"|che|rispetto a(?:i|gli|lle|l)?|piuttosto che|invece di|invece che|anziché|a(?:i|gli"
    r"|lle)? quell[ie]"
    r"|a quelli|ai|agli|alle)\s+.+$",
    re.I,
)
_START = re.compile(
    rf"(?:(?:to (?:see|read|hear(?: about)?|get|know(?: about)?)|any(?: more)?|all|more|purely"
    rf"|merely|mere|pure"
    rf"|very|too|too many|only|just|mostly|mainly|soprattutto|solo|puramente|più|altri|altre"
    rf"|a lot of|lots of"
    rf"|{_PAPERS}\s+(?:(?:purely|only|mostly) )?{_ABOUT}|{_PAPERS}\s+{_PAPERS}\s+{_ABOUT}|about"
    rf"|the (?:topic|subject|field|area) of"
    rf"|the (?=\w+ \w)|gli|i|il|lo|la|le|un|una|dei|delle|degli|del|della|di|dell'|nei|nelle"
    rf"|nella|nel|in|ai|alle"
    rf"|agli|alla|allo|al|all'|l'|d'|sui|sulle|sulla|sugli|sul|sullo|su|sull'|con|{_PAPERS}"
    rf"|(?:approcci|metodi|tecniche)(?: (?:di|del|basati su))?)"
    r"(?:\s+|(?<=')|$))+",
    re.I,
)
_END = re.compile(
    rf"(?:\s+(?:{_PAPERS}|ones|methods?|approach(?:es)?|techniques?|methodolog(?:y|ies)"
    rf"|from now on|please|any ?more"
    r"|at all|for me|again|to me|either|too|as well|instead|first|now|most|the most|in general"
    r"|in future|whenever you can"
    r"|ever|so much|these days|per favore|per me|d'ora in poi|adesso|pi[uù]|mai|in generale))+$",
    re.I,
)
_NOT_A_TERM = re.compile(
    r"^(?:from|after|before|since|until|of|by|at|this|that|these|those|it|them|they|you|he|she"
    r"|we|us|me|him|her|yours|mine|one|ones|to|how|what|when|where|why|who"
    r"|which|whether|if|i|is|are|there|so|as|your|my|his|their|quest[oaie]|quell[oaie]|ci[oò]"
    r"|che|come|cosa|lo|tu"
    r"|the (?:first|second|third|last|next|same|other|one|way|idea|paper|answer|rest|above)"
    r"|a (?:bit|lot)|an? answer"
    r"|soon|details|projects?|getting|taking|making|becoming|trying|problems?|prob|worries|worry"
    r"|regrets|idea|way|doubts?|need|matter|one|thanks?|wonder|hurry"
    r"|rush|kidding|pun|offen[cs]e|luck|talking|working|going|being|having|knowing|reading)\b"
    r"|\b(?:your|you|instructions?|istruzioni|tue|tuoi|prompt|system message|tools?|forget"
    r"|memory|rules|i'm|i|me|paper"
    r"|answer|question|here|ti|te)\b",
    re.I,
)
_SPLIT = re.compile(r"\s*(?:,|/|\band\b|\bor\b|\bnor\b|\be\b|\bo\b|&)\s*", re.I)


def find_authors(body: str, *, bare: bool) -> tuple[str, ...]:
    """Authors named in `body`, in order; with `bare` a name of two words is enough."""
    found = _BY.search(body)
    names = (found["names"] or found["names2"]) if found else None
    if not names and (found := _OWNS.search(body)):
        names = found["names"] or found["names2"]
    if not names and bare and (found := _BARE.fullmatch(body)) and " " in found["names"]:
        names = found["names"]
    if not names or (_NO_NAME.search(names) and not _is_a_surname(names, body)):
        return ()
    parts = re.split(r"\s*(?:,|\band\b|\bor\b|\be\b|\bo\b|&)\s*", names)
    clean = (re.sub(r"['’]s$", "", part).strip(" .") for part in parts)
    return tuple(
        part for part in clean if len(part) > 1 and not is_language(part) and not part.isupper()
    )


def _is_a_surname(names: str, body: str) -> bool:
    """Whether papers are "by Sun", "by Yu Sun": "by the Sun" there are none."""
    own = rf"\b(?i:by|written by|da|author)\s+(?:{_CAPITAL}\s+){{0,2}}{_SURNAME}(?!\s+{_CAPITAL})"
    return bool(re.search(own, body)) and not _NO_NAME.search(_SURNAMES.sub("", names))


def names_papers(body: str) -> bool:
    """Whether `body` speaks of papers, work or results at all."""
    return bool(re.search(rf"\b{_PAPERS}\b", body, re.I))


def names_papers_about(body: str) -> bool:
    """Whether `body` speaks of papers and their like, or of anything on a topic."""
    return bool(_PAPERS_PROPER.search(body) or _ANYTHING_ABOUT.search(body))


def is_about_topic(body: str) -> bool:
    """Whether a clause on dates names a topic too ("since 2020 on graph networks")."""
    return bool(
        re.search(
            r"\b(?:on|about|su|sul|sulla|sui|sulle|sugli)\s+(?!me\b|onwards?\b)[a-z]{3,}",
            body,
            re.I,
        )
    )


def find_terms(
    body: str, *, methods: bool = False
) -> tuple[Literal["topics", "methods"], tuple[str, ...]]:
    """Kind and terms of a wish on neither authors nor dates; no terms when it is no wish."""
    preferred = _LESS.sub("", body)
    compared = preferred != body
    about = _ANYTHING_ABOUT.search(body)
    named_method = bool(_HEAD_NOUN.search(preferred))
    whole = _trim(preferred)
    if _NOT_A_TERM.search(whole) or len(whole.split()) > 12:
        return "topics", ()
    terms = tuple(
        term
        for part in _SPLIT.split(whole)
        if (term := _trim(part)) and 2 <= len(term) <= 60 and len(term.split()) <= 7
        and any(letter.isalpha() for letter in term) and not _NOT_A_TERM.search(term)
    )  # fmt: skip
    is_method = all(
        _METHODS.fullmatch(term) and (named_method or methods or not _TOPIC_TOO.search(term))
        for term in terms
    )
    kind: Literal["topics", "methods"] = (
        "methods"
        if terms
        and (named_method or methods or (is_method and not about) or (is_method and compared))
        else "topics"
    )
    return kind, terms


def _trim(text: str) -> str:
    text = text.strip(" \t\n.,:;!?\"'()")
    previous = None
    while previous != text:
        previous = text
        if found := _START.match(text):
            text = text[found.end() :].strip()
        text = _END.sub("", text).strip(" .,:;!?")
        text = re.sub(r"^only[- ]|[- ](?:only|based|heavy)$", "", text, flags=re.I)
    return text
