"""People whom an answer names as authors: "Shi showed", "by Smith et al.", "according to Li"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from arxivscout.checking.phrases import phrases_in, without_phrases
from arxivscout.papers import Paper, fold_accents

_PARTICLE = r"(?:de|del|della|di|da|van|von|der|den|la|le|el|al|ten|dos|du|ibn|bin)"
_INITIAL = r"(?:[^\W\d_a-z]\.(?:-?[^\W\d_a-z]\.)*+)"
_CAPITAL = r"[^\W\d_a-z](?:[^\W\d_]|['’-](?=[^\W\d_])){1,40}"
_BEFORE = rf"{_INITIAL}\s?|{_CAPITAL}+\s+(?=[^\W\d_a-z]|{_PARTICLE}\s)|{_PARTICLE}\s+"
_PERSON = rf"(?:{_BEFORE}){{0,4}}{_CAPITAL}"
# Possessive: a blank that either side of "and" may take doubles the ways of a list at each name.
_AND = r"(?:\s*+,\s*+(?:(?:and|&|e|und|et|y)\s*+)?+|\s++(?:and|&|e|und|et|y)\s++)"
_PEOPLE = rf"(?P<people>{_PERSON}(?:{_AND}{_PERSON}){{0,30}})"
_ET_AL = (
    r"(?:,?\s+et\.?\s+al\b|\s+(?:and|&)\s+(?:co-?workers|colleagues|collaborators|co-?authors|others"
    r"|his|her|their)\b|\s+e\s+(?:colleghi|collaboratori|coautori|altri)\b)"
)
_SAYS = (
    r"(?:also |first |then |later |have |has |had |already |recently )?(?:show(?:s|ed|n)?"
    r"|argu(?:e|es|ed)|verif(?:y|ies|ied)|f(?:ind|inds|ound)|prov(?:e|es|ed)|propos(?:e|es|ed)|present(?:s|ed)?|report(?:s|ed)?"
    r"|introduc(?:e|es|ed)|demonstrat(?:e|es|ed)|stud(?:y|ies|ied)|suggest(?:s|ed)?|claim(?:s|ed)?"
    r"|describ(?:e|es|ed)|develop(?:s|ed)?|deriv(?:e|es|ed)|measur(?:e|es|ed)|observ(?:e|es|ed)"
    r"|investigat(?:e|es|ed)|examin(?:e|es|ed)|review(?:s|ed)?|discuss(?:es|ed)?|conclud(?:e|es|ed)"
    r"|explain(?:s|ed)?|establish(?:es|ed)?|calculat(?:e|es|ed)|comput(?:e|es|ed)|estimat(?:e|es|ed)"
    r"|predict(?:s|ed)?|analy[sz](?:e|es|ed)|us(?:e|es|ed)|writ(?:e|es)|wrote|consider(?:s|ed)?"
    r"|point(?:s|ed)? out|trac(?:e|es|ed)|attribut(?:e|es|ed)|test(?:s|ed)?|state(?:s|d)?"
    r"|note(?:s|d)?|give(?:s)?|gave|offer(?:s|ed)?|compar(?:e|es|ed)|construct(?:s|ed)?"
    r"|mostra(?:no|to)?|dimostra(?:no|to)?|propon(?:e|gono)|sosten(?:gono|go)|sostiene|trova(?:no)?"
    r"|studia(?:no)?|presenta(?:no)?|descriv(?:e|ono)|analizza(?:no)?|hanno|afferma(?:no)?"
    r"|suggeris(?:ce|cono)|introduc(?:e|ono)|zeig(?:t|en)|montre(?:nt)?|muestra(?:n)?)\b"
)
_WORK = (
    r"(?:work|paper|study|result|article|analysis|method|model|proposal|approach|proof|review|finding"
    r"|argument|theorem|measurement|survey|preprint|report|lavoro|articolo|studio)s?"
)
_YEAR = r"(?:19|20)\d\d[a-z]?"
# These name an author, not somebody of whom the text speaks.
_AUTHORS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<![\w-]){_PEOPLE}{_ET_AL}",
        rf"(?<![\w-]){_PEOPLE}\s*,?\s*\(\s*{_YEAR}\s*\)",
        rf"\(\s*{_PEOPLE},?\s+{_YEAR}\s*\)",
        rf"\b(?i:according to|authored by|written by|secondo|laut|selon|según)\s+{_PEOPLE}",
        rf"\b(?i:{_WORK})\s+by\s+{_PEOPLE}",
        rf"\b(?i:authors?|autori|autore|autoren|auteurs?|autores)\b\W{{0,4}}(?:(?:is|are|were|was|sono"
        rf"|è)\s+)?{_PEOPLE}",
    )
)
_ANYBODY = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<![\w-]){_PEOPLE}(?:,?\s+in\s+{_YEAR},?)?,?\s+(?P<says>{_SAYS})",
        rf"(?<![\w-]){_PEOPLE}(?:['’]s?|s['’])\s+(?:\w+\s+)?(?i:{_WORK})\b",
        rf"\b(?i:by|due to|from the group of)\s+(?:the\s+)?{_PEOPLE}",
        rf"\b(?i:{_WORK})\s+(?:of|di|von|de)\s+{_PEOPLE}",
        rf"\(\s*{_PEOPLE}\s*\)",
        # whoever does something: more than one word, or not where a sentence begins
        rf"(?:^|[.;:,]\s+|\b(?:[Aa]s|while|whereas|and|but|that|where|when|how|if)\s+){_PEOPLE}"
        r"\s+(?P<does>[a-z]+(?:s|ed)|put|said|wrote|thinks|built|held|made|took|drew|gave|led)\b",
    )
)
# After one name these are nouns as often as verbs ("Progress report"); after two they are verbs.
_BARE = re.compile(
    r"(?:show|argue|find|prove|propose|present|report|introduce|demonstrate|study|suggest|claim"
    r"|describe|develop|derive|measure|observe|review|discuss|estimate|predict|use|write|trace"
    r"|test|state|note|give|offer|compare|construct|attribute|gave|used|measured|observed)"
)
_SPLIT = re.compile(rf"{_AND}")
# Capitalised, and no person's name: what sentences begin with, and things called after people.
_NOT_PEOPLE = frozenset(
    """a an the this that these those it its they we our he she his her their in on at of for from
    by with as to and or but if when while where which who what how why there here then thus hence
    however moreover also both each one two three all some many most more another other several
    such no not only see first second third finally recently later earlier after before since under
    using based according because although though among between against about over across into
    paper papers study studies work works author authors result results method methods model models
    theory theorem section figure table abstract review article evidence data experiments
    simulations analysis observations researchers scientists physicists astronomers mathematicians
    teams team group groups collaboration section chapter title year date yes no note
    january february march april may june july august september october november december
    monte carlo markov bayes bayesian gaussian fourier newton newtonian einstein planck hubble higgs
    boltzmann schrodinger hilbert feynman dirac maxwell lorentz riemann euler lagrange hamilton
    noether yang mills bose fermi bell turing shannon kolmogorov levenshtein pauli heisenberg
    transformer transformers english italian german french spanish chinese european american
    university institute laboratory observatory telescope survey department google deepmind openai
    microsoft meta facebook nasa cern ligo virgo planck fermi chandra spitzer kepler gaia hst jwst
    il lo la i gli le un una uno questo questa questi secondo nel nella nei dalle dai della
    l'articolo lo studio die der das ein eine les des une el los las
    progress critical compares shows studies reviews presents argues explains derives uses finds
    proves reports describes measures estimates lattice internet universe genesis
    quantum dark black neutron galaxy galaxies solar general special standard deep machine neural
    large language artificial attention active gamma cosmic gravitational""".split()
)
_ADJECTIVE = re.compile(r"(?:ian|ics?|ism|istic|ean|ese|tion|ment|ness|ity|ology|ing)s?$")


@dataclass(frozen=True, slots=True)
class Person:
    """A person named, as the answer has it, and where the mention ends."""

    text: str
    start: int
    end: int
    as_author: bool = False


def find_people(text: str, phrases: Sequence[str] = ()) -> list[Person]:
    """The people whom `text` (plain) names as those who did or said something; each name once.

    Args:
        phrases: titles and the like, plain; what `text` has of one is nobody's name, so that
            "General Relativity Today (2007)" is no author and year where a paper is called so.
    """
    found: dict[str, Person] = {}
    things: list[tuple[int, int]] | None = None  # looked for once there is a name
    for patterns, as_author in ((_AUTHORS, True), (_ANYBODY, False)):
        for pattern in patterns:
            for match in pattern.finditer(text):
                at = match.start("people")
                names = [name for each in _SPLIT.split(match["people"]) if (name := _person(each))]
                if _doubtful(match, names, text):
                    continue
                if names and things is None:
                    things = phrases_in(text, phrases)
                for name in names:
                    start = text.find(name, at)
                    if things and start >= 0:
                        begins, ends = without_phrases(text, start, start + len(name), things)
                        if (left := _person(text[begins:ends])) is None:
                            continue
                        name, start = left, text.find(left, begins)
                    found.setdefault(name, Person(name, start, start + len(name), as_author))
    people = sorted(found.values(), key=lambda each: each.start)
    return [
        one
        for one in people
        if not any(other is not one and one.text in other.text for other in people)
    ]


def _doubtful(match: re.Match[str], names: Sequence[str], text: str) -> bool:
    """Whether one capitalised word is more likely something else than a person."""
    if len(match["people"].split()) > 1 and (len(names) > 1 or " " in "".join(names)):
        return False
    groups = match.groupdict()
    if _BARE.fullmatch(groups.get("says") or ""):
        return True
    if groups.get("does"):
        return not names or text.find(names[0]) == 0
    return match[0].startswith("(") and not re.search(r"\d", match[0])


def _person(name: str) -> str | None:
    """`name` without what only looks like a part of it; None if nothing is left."""
    words = re.sub(r"['’]s?$", "", name).split()
    while words and (_common(words[0]) or (words[0].isupper() and not _initial(words[0]))):
        words.pop(0)
    if not words or all(_initial(word) or word[:1].islower() for word in words):
        return None
    last = words[-1]
    if _common(last) or (last.isupper() and not _initial(last)) or _ADJECTIVE.search(last.lower()):
        return None
    return " ".join(words)


def _common(word: str) -> bool:
    folded = fold_accents(word).casefold().strip(".'’").partition("-")[0]
    return folded in _NOT_PEOPLE or bool(re.search(r"['’]", word) and folded[:2] in ("l'", "l’"))


def _initial(word: str) -> bool:
    return bool(re.fullmatch(r"(?:[^\W\d_]\.-?)+|[^\W\d_]", word))


def is_known(person: Person, papers: Sequence[Paper], text: str, words: frozenset[str]) -> bool:
    """Whether `person` wrote one of the papers, or their text speaks of them in the same way.

    Args:
        text: the papers' titles and abstracts, plain.
        words: its words, folded. A paper whose authors are not in its record can't contradict:
            then anybody may be one.
    """
    if any(not paper.authors for paper in papers):
        return True
    parts = folded_name(person.text)
    if all(part in words for part in parts if len(part) > 1):
        if not person.as_author:
            return True
        if any(set(parts) <= author for author in _authors_in(text)):
            return True
    return any(_same(parts, folded_name(author)) for paper in papers for author in paper.authors)


@lru_cache(maxsize=16)  # one text is asked about each name of an answer
def _authors_in(text: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(folded_name(e.text)) for e in find_people(text) if e.as_author)


def _same(parts: list[str], author: list[str]) -> bool:
    """Whether a name, perhaps without given names or with initials, is an author's."""
    if not parts or not author:
        return False
    rest = list(author)
    for part in reversed(parts):
        match = next((each for each in reversed(rest) if each == part), None)
        if match is None and len(part) == 1:
            match = next((each for each in rest if each[0] == part), None)
        if match is None:
            match = next((each for each in rest if len(each) == 1 and part[0] == each), None)
        if match is None:
            return False
        rest.remove(match)
    return any(len(part) > 1 and part in author for part in parts)


def folded_name(name: str) -> list[str]:
    """A name's parts in plain small letters; hyphenated ones apart."""
    name = fold_accents(name).casefold()
    particles = ("de", "van", "von", "der", "den", "la", "di", "da")
    parts = re.findall(r"[^\W\d_]+", name.replace("'", "").replace("’", ""))
    return [part for part in parts if part not in particles] or parts
