"""How a text names papers: by citations as models write them, DOIs, authors and a year."""

from __future__ import annotations

import re

from arxivscout.papers.ids import PaperId

_ID = r"(?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?"

# Groups: `bracket`, what stands in square brackets, perhaps several ids; `bare`, an id behind
# arXiv:, an address or arXiv's DOI; `plain`, an id that stands alone in parentheses.
CITATION = re.compile(
    rf"\[\s*(?P<bracket>(?:arXiv\s*:|{_ID}(?=\s*[\],;]))[^\[\]]{{0,200}})\]"
    r"|(?:\barXiv\s*:\s*|\barXiv\s+(?:preprint\s+)?"
    r"|(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/"
    r"|(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:\s*)?\b10\.48550/arXiv\.)"
    rf"(?P<bare>{_ID})(?:\.pdf)?"
    rf"|(?<=\()(?P<plain>{_ID})(?=\))",
    re.IGNORECASE,
)
_DOI = re.compile(r"\b10\.\d{4,9}/\S+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_NAME = re.compile(r"[^\W\d_][\w.'’,-]*")
MOST_NAMES = 4  # words of a text that may be names of authors and nothing else
# Within a text, names are at least two words that begin with a capital; what is longer is a title.
LONGEST_RUN = 6
MOST_READ = 1_000  # characters of a text
_PARTICLES = frozenset(
    "de del della dei di da dos das do du des van von vom zu der den la le el al bin ibn 't".split()
)
_BEHIND_A_NAME = re.compile(r"['’]s?$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?)+")
_BETWEEN = re.compile(r"[;,]\s*|\s+(?=arXiv\s*:)|\s+and\s+", re.IGNORECASE)


def cited_texts(match: re.Match[str]) -> list[str]:
    """What a match of `CITATION` gives as ids, as it stands."""
    if bracket := match["bracket"]:
        return [part for part in _BETWEEN.split(bracket) if part.strip()]
    return [match["bare"] or match["plain"]]


def is_labelled(match: re.Match[str]) -> bool:
    """Whether the match says that it names a paper; else it may be a decimal number."""
    return bool(match["bare"]) or "arxiv" in (match["bracket"] or "").lower()


def cited_paper(text: str) -> PaperId | None:
    """The paper that `text` names, None if it can't be an id."""
    try:
        return PaperId.parse(text.strip())
    except ValueError:
        return None


def dois_in(text: str) -> list[str]:
    """The DOIs in a text, in small letters."""
    return [found.rstrip(".,;)]").lower() for found in _DOI.findall(text)]


def authors_and_year(text: str) -> tuple[str, str | None]:
    """What may be authors' names and nothing else, and a year: `Yu Shi 2007`.

    One word alone is rather a subject.
    """
    words = text[:200].split()
    years = [word for word in words if _YEAR.fullmatch(word)]
    names = [word for word in words if word not in years]
    if not 1 <= len(names) <= MOST_NAMES or len(words) < 2 or len(years) > 1:
        return "", None
    if not all(_NAME.fullmatch(word) for word in names):
        return "", None
    return " ".join(names), years[0] if years else None


def names_in(text: str) -> list[str]:
    """What may be whole names of persons within a text: all runs of capitalised words.

    An author's name is told among them by who wrote papers, not here: `Did Yu Shi` is one, too.
    """
    names: list[str] = []
    run: list[str] = []
    for word in [*text[:MOST_READ].split(), ""]:
        bare = _BEHIND_A_NAME.sub("", word.strip('"“”„«»()[]{}¿¡.,;:?!…'))
        initials = _INITIALS.fullmatch(word)
        if initials or _is_capitalised(bare):
            run.append(word if initials else bare)
        elif run and word in _PARTICLES:
            run.append(word)
            continue
        else:
            names += _within(run)
            run = []
        if not initials and word != bare and not word.startswith(bare + "-"):
            names += _within(run)  # a comma or the end of a sentence
            run = []
    return list(dict.fromkeys(names))


def _is_capitalised(word: str) -> bool:
    """`Shi`, `'t`, `O'Brien`; not `shi`, nor `DNA`."""
    return bool(_NAME.fullmatch(word)) and word[0].isupper() and not word.isupper()


def _within(run: list[str]) -> list[str]:
    """The parts of a run of words that may be a name: two to four words besides particles."""
    ends = [place for place, word in enumerate(run) if word not in _PARTICLES]
    if len(ends) > LONGEST_RUN:
        return []
    return [
        " ".join(run[first : last + 1])
        for nth, first in enumerate(ends)
        for last in ends[nth + 1 : nth + MOST_NAMES]
    ]
