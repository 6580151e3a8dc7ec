"""Numbers and days of a statement, as values that can be compared, in five languages."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "twenty": 20, "due": 2, "tre": 3, "quattro": 4,
    "cinque": 5, "sei": 6, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "sechs": 6, "deux": 2,
    "trois": 3, "quatre": 4, "cinq": 5, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
}  # fmt: skip
_MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan gennaio januar janvier enero|february feb febbraio februar fevrier febrero"
        "|march mar marzo marz mars|april apr aprile avril abril|may maggio mai mayo"
        "|june jun giugno juni juin junio|july jul luglio juli juillet julio"
        "|august aug agosto aout|september sep sept settembre septembre septiembre"
        "|october oct ottobre oktober octobre octubre|november nov novembre noviembre"
        "|december dec dicembre dezember decembre diciembre".split("|"),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ORDINAL = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_LABELS = (
    "table|section|figure|fig|chapter|appendix|reviewer|referee|step|phase|equation|eq|theorem|lemma"
    "|part|version|release|layer|stage|experiment|run|question|item|note|page|at|top|tabella|sezione"
    "|figura|tabelle|abschnitt|student|candidate|applicant|participant|patient|group|method|option"
    "|variant|dataset|package|paper|task|volume|case|scenario|hypothesis|system|sensor|detector"
    "|studente|metodo|esperimento|capitolo|methode|kapitel|versuch|etudiant|chapitre|estudiante"
    "|experimento"
)
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)\b")
_DAY = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|º)?\s+(?:of\s+|de\s+)?(?P<month>{_MONTH})\b"
    rf"(?:,?\s+(?:de\s+)?(?P<year>(?:19|20)\d\d))?"
)
_MONTH_DAY = re.compile(
    rf"\b(?P<month>{_MONTH})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>(?:19|20)\d\d))?"
)
_MONTH_YEAR = re.compile(rf"\b(?P<month>{_MONTH})\s+(?:de\s+|del\s+)?(?P<year>(?:19|20)\d\d)\b")
_LABELLED = re.compile(
    rf"\b(?P<label>{_LABELS})\.?\s+(?:(?:number|numero|nummer|no\.?|nr\.?|#)\s*)?"
    r"(?P<number>\d+(?:\.\d+)*)\b(?!\s*(?:am|pm|o'clock|uhr))"
)
_RANK = re.compile(rf"\b(?P<rank>{'|'.join(_ORDINAL)})\b|\b(?P<digits>\d+)(?:st|nd|rd|th)\b")
_NUMBER = re.compile(
    r"(?<![\w.])(?P<number>\d{1,3}(?:[,  ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
    r"(?:e(?P<power>-?\d+))?\s*(?P<scale>k\b|million\w*|billion\w*|milion\w*|millionen|mio\b)?"
    r"(?P<unit>[a-z%]+(?![\w-]))?"
)
_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")
_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9}


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a text counts and dates: `values`, and `labels`, numbers that are part of a name."""

    values: tuple[str, ...]
    labels: frozenset[str]
    rest: str  # the text without them


def read_numbers(text: str) -> Numbers:
    """The numbers of a folded text, each as one spelling of its value."""
    values: list[str] = []
    labels: set[str] = set()

    def day(found: re.Match[str]) -> str:
        groups = found.groupdict()
        month = groups["month"]
        number = int(month) if month.isdigit() else _MONTHS[month]
        values.append(f"day {number}-{int(groups['day'] or 0)}")
        if groups["year"]:
            values.append(f"year {groups['year']}")
        return " "

    def month(found: re.Match[str]) -> str:
        values.extend([f"month {_MONTHS[found['month']]}", f"year {found['year']}"])
        return " "

    def labelled(found: re.Match[str]) -> str:
        labels.add(f"{found['label']} {found['number']}")
        return f" {found['label']} "

    def rank(found: re.Match[str]) -> str:
        labels.add(f"rank {_ORDINAL.get(found['rank'] or '', 0) or found['digits']}")
        return " "

    def number(found: re.Match[str]) -> str:
        written = re.sub(r"[  ]|,(?=\d{3}\b)", "", found["number"]).replace(",", ".")
        value = float(written) * 10.0 ** max(-99, min(99, int(found["power"] or 0)))
        scale = (found["scale"] or "")[:1]
        value *= _SCALES.get(scale, 1.0)
        if not found["scale"] and not found["unit"] and re.fullmatch(r"(?:19|20)\d\d", written):
            values.append(f"year {written}")
        else:
            values.append(f"{value:.6g}")
        return f" {found['unit'] or ''} "

    def word(found: re.Match[str]) -> str:
        values.append(f"{_WORDS[found[0]]:.6g}")
        return " "

    for pattern, read in (
        (_ISO, day), (_DAY, day), (_MONTH_DAY, day), (_MONTH_YEAR, month), (_LABELLED, labelled),
        (_RANK, rank), (_NUMBER, number), (_WORD, word),
    ):  # fmt: skip
        text = pattern.sub(read, text)
    return Numbers(tuple(values), frozenset(labels), text)


def shown(value: str) -> str:
    """A value as a person writes it."""
    kind, _, rest = value.rpartition(" ")
    if kind not in ("day", "month"):
        return rest
    month, _, day = rest.partition("-")
    name = next(each for each, number in _MONTHS.items() if number == int(month)).capitalize()
    return f"{day} {name}".strip()
