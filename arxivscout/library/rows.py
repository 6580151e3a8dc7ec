"""The rows of a comparison: the words that announce each, and sentences that are typical of it."""

from __future__ import annotations

import re
from typing import Literal, get_args

from arxivscout.llm.limitations import BOUNDS, LIMIT_CUES

Row = Literal["question", "method", "data", "findings", "limits"]
ROWS: tuple[Row, ...] = get_args(Row)

Cue = tuple[re.Pattern[str], float]

_WE = (
    r"\b(?:we|i|the authors?|(?:this|the present) (?:paper|work|article|study|letter|thesis|note))"
    r"(?:\s+(?:also|then|further|here|therefore|thus|first|will|can|have|\w+ly))*\s+"
)
_IS = r"\b(?:is|are|was|were|been)(?: \w+ly)? "


def _any(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"


def _cues(*given: tuple[float, str]) -> tuple[Cue, ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), weight) for weight, pattern in given)


_ASK = "ask address investigat study studie examin explor consider discuss review revisit survey"
_DO = (
    "propos introduc develop present employ us(?:e|ed|ing|es)\\b utili[sz] appl(?:y|ie) design"
    " construct buil[dt] formulat adopt implement combin devis perform calculat comput deriv"
    " describ model(?:led|ed)?\\b simulat solv generali[sz] extend fits?\\b train tests?\\b measur"
)
_FIND = (
    "find found show prov(?:e|ed|es)\\b demonstrat observ conclud obtain establish report reveal"
    " argu identif confirm discover detect infer(?:red)?\\b"
)
_EVIDENCE = (
    "results? experiments? analys[ie]s findings? evaluations? simulations? calculations?"
    " measurements? observations? data tests?"
)
_COUNTED = (
    "images? patients? galaxies stars quasars events? papers sentences documents participants"
    " samples subjects objects clusters hours examples users videos tweets spectra sources records"
    " halos planets proteins molecules"
)
_INSTRUMENTS = (
    "hubble jwst sdss gaia planck kepler tess chandra xmm fermi lhc atlas cms lhcb alice belle"
    " babar tevatron ligo virgo icecube alma vlt telescopes? detectors? satellites? surveys?"
)
_TAKEN = "data observations? images? spectra events? catalog(?:ue)?s? collisions photometry sample"

# From what can hardly be anything else (over 2) to what may well be (over 1).
CUES: dict[Row, tuple[Cue, ...]] = {
    "question": _cues(
        (2.4, r"\?\W*$|\b(?:we|i) (?:aim|seek|ask|want|try|attempt)\b"),
        (2.3, r"\b(?:aim|goal|purpose|objective|question)s? (?:of|is|are|here)\b|\bwhether\b.*\?"),
        (2.0, _WE + _any(_ASK) + r"|\b(?:we|i) (?:analy[sz]e|deal|focus)\b"),
        (1.9, r"^(?:reviews?|surveys?|studies|asks?|examines?|investigates?|considers?)\b"),
        (1.7, _IS + _any(_ASK) + r"|\binvestigation of\b|\bis concerned with\b"),
        (1.4, r"\b(?:poorly understood|little is known|unclear|unknown|unresolved|struggl)"),
        (
            1.4,
            r"\b(?:challeng|problem\b|difficult|open question|remains? (?:an?|to be|elusive) )",
        ),
    ),
    "method": _cues(
        (2.2, _WE + _any(_DO)),
        (
            1.9,
            rf"^{_any(_DO)}|\bour (?:main )?(?:tool|method|approach|model|algorithm|technique)\b",
        ),
        (1.8, _IS + _any(_DO)),
        (
            1.5,
            r"\b(?:new|novel|proposed|this) (?:\w+[ -])?(?:method|approach|algorithm|framework)\b",
        ),
        (1.3, r"\b(?:by means of|by (?:us|combin)ing|within the framework|is based on|using)\b"),
        (1.1, r"\b(?:monte carlo|simulations?|perturbation theory|numerically|variational)\b"),
    ),
    "data": _cues(
        (2.4, r"\b(?:data ?sets?|corpus|corpora|benchmarks?)\b"),
        (
            2.2,
            r"\bdata (?:from|of|collected|taken|recorded|sets?|sample)\b|\bwith real[- ]\w+ data\b",
        ),
        (2.1, r"\bsamples? of\b|\b(?:integrated luminosity|exposure) of\b|\b(?:fb|pb)\$?\^?\{?-1"),
        (2.0, rf"\b[0-9][0-9,.]*\s?[kKM]?\+?\s(?:[\w-]+\s){{0,3}}{_any(_COUNTED)}\b"),
        (2.0, rf"\b(?:million|thousands?|hundreds?) (?:of )?(?:[\w-]+\s){{0,2}}{_any(_COUNTED)}\b"),
        (1.9, rf"\b{_any(_INSTRUMENTS)}\b.{{0,40}}\b{_any(_TAKEN)}\b"),
        (1.8, rf"\b{_any(_TAKEN)}\b.{{0,50}}\b{_any(_INSTRUMENTS)}\b"),
    ),
    "findings": _cues(
        (2.4, _WE + _any(_FIND)),
        (
            2.3,
            rf"\b{_any(_EVIDENCE)}\b(?:\s\w+){{0,4}}\s(?:{_FIND.replace(' ', '|')}|indicat|impl)",
        ),
        (2.1, r"\bit (?:is|was) " + _any(_FIND) + r"|\b(?:we|i) (?:give|provide|derive) .*\bproof"),
        (2.0, rf"^(?:{_any(_FIND)}|explains?)|{BOUNDS}"),
        (
            1.8,
            r"\b(?:outperform|improv(?:es|ed|ing) |achiev(?:es|ed|ing) |agreement with|consistent)",
        ),
        (1.6, _IS + _any(_FIND) + r"|^(?:the )?results? "),
        (1.3, r"\b(?:leads? to|results? in|suggests? that|implies|indicat(?:es|ing)|therefore)\b"),
    ),
    "limits": LIMIT_CUES,
}

PROTOTYPES: dict[Row, tuple[str, ...]] = {
    "question": (
        "We investigate whether this effect exists and what causes it.",
        "The aim of this paper is to understand an open problem.",
        "How this happens is still poorly understood.",
    ),
    "method": (
        "We propose a new method and describe how it works.",
        "We use numerical simulations based on a model.",
        "The approach combines an algorithm with a theoretical framework.",
    ),
    "data": (
        "We use a data set of many samples collected from several sources.",
        "The data were taken with a detector or telescope.",
        "The sample consists of thousands of objects from a survey.",
    ),
    "findings": (
        "We find that the result is larger than expected.",
        "The results show a clear improvement over earlier work.",
        "We prove that the statement holds.",
    ),
    "limits": (
        "However, the method is limited and fails in some cases.",
        "The result holds only under strong assumptions.",
        "More data and further work are needed.",
    ),
}
