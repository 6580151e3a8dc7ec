"""Numbers in prose: `42 %`, `1.5e3`, `$10^{-3}$`, `3σ`, `2–4`, `1.2 million`, `two`, `a third`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from arxivscout.checking.number_words import (
    CARDINALS,
    FOREIGN,
    FRACTIONS,
    MAGNITUDES,
    MULTIPLES,
    ROUND,
    cardinal,
    ordinal,
)
from arxivscout.checking.units import Unit, unit_at
from arxivscout.checking.years import Reads, reads_as

Kind = Literal["digits", "cardinal", "ordinal", "multiple", "fraction"]
Hedge = Literal["", "about", "over", "under"]

_PLURAL_OF = re.compile(r"s\b")
_PART = re.compile(
    r"(?P<how>\b(?:an?|one|two|three|four|five|nine)[\s-])?\b"
    r"(?P<of>half|thirds?|quarters?|fifths?|sixth|tenths?)\b",
    re.IGNORECASE,
)
_GROUPED = r"\d{1,3}(?:,\d{3})+(?![\d])"
_SPACED = r"\d{1,3}(?: \d{3})+(?![\d.,]\d|\d)"
_DIGITS = re.compile(
    rf"(?<![\w.,^])(?P<sign>[-+](?=\d)|-\s(?=\d))?"
    rf"(?P<number>{_GROUPED}(?:\.\d+)?|{_SPACED}|\d+(?:[.,]\d+)*|(?<!\d)\.\d+)"
    r"(?:(?:\s?[×·x*]\s?|\s(?:times|by)\s)10\^?(?P<power>[-+]?\d+)|[eE](?P<e>[-+]?\d+)"
    r"|(?P<caret>\^[-+]?\d+))?(?P<suffix>[kKMB](?![\w☉⊙]))?"
)
_INSIDE = re.compile(r"(?<=[^\W\d_])-?(?P<number>\d+(?:\.\d+)?)|\^(?P<power>[-+]?\d+)")
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_RANGE = re.compile(r"\s?(?:–|-|—|to|and|or|a|bis|e|/|±)\s?")
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|some|circa|ca\.?|nearly|almost|close to"
    r"|order of|a factor of|estimated|just|near|quasi|intorno (?:a|al)|etwa|ungefähr|environ|unos)"
    r"|[~≈∼])\s*(?:the |a |an |il |al |del )?[-+$]?$",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"(?:\b(?:over|more than|above|at least|exceed(?:s|ing)?|greater than|larger than|beyond"
    r"|upwards of|oltre|più (?:di|del)|almeno|mehr als|plus de|más de|surpass(?:es|ing)?)|[>≥])"
    r"\s*(?:the |a |il )?$",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"(?:\b(?:under|less than|below|at most|up to|fewer than|within|no more than|smaller than|meno"
    r" (?:di|del)|fino (?:a|al)|weniger als|moins de|menos de)|[<≤])\s*(?:the |a |il )?$",
    re.IGNORECASE,
)
_HEDGES: dict[Hedge, re.Pattern[str]] = {"about": _ABOUT, "over": _OVER, "under": _UNDER}
_HEAD_STOP = frozenset(
    "of the a an and or in to for with by on at from per each different new".split()
)
_STOP = re.compile(r"[.,;:!?)(\[\]…“”\"|](?:\s|$)|[)(;\[\]“”\"|]")
HEADS = 3  # content words behind a number that may say what it counts
LONGEST_TOKEN = 60  # characters of a word before a number that stands in it


@dataclass(frozen=True, slots=True)
class Number:
    """One number as a text has it.

    `values`: what it may mean (`1.000` is one or a thousand); `step`: what its last digit is worth;
    `signed`: written with a minus; `heads`: the next words, which may say what is counted.
    """

    text: str
    values: tuple[float, ...]
    step: float
    kind: Kind = "digits"
    unit: Unit | None = None
    hedge: Hedge = ""
    signed: bool = False
    start: int = 0
    end: int = 0
    heads: tuple[str, ...] = ()
    lent: bool = False  # the unit stands at the next number: `40 to 42 %`
    reads: Reads = ""  # as a year or as a count


def find_numbers(text: str, *, comma_decimals: bool = False) -> list[Number]:
    """The numbers of `text` (made plain), in order.

    Args:
        comma_decimals: the text is of a language that writes 39,8 and 1.000.
    """
    found = sorted(
        [
            *_digits(text, comma_decimals),
            *_words(text, foreign=comma_decimals),
            *([] if comma_decimals else _parts(text)),
        ],
        key=lambda number: (number.start, -number.end),
    )
    numbers: list[Number] = []
    for number in found:
        if not numbers or number.start >= numbers[-1].end:
            numbers.append(number)
    return _share_units(text, numbers)


def _digits(text: str, comma_decimals: bool) -> Iterator[Number]:
    begins, ends = [], [0]  # of what is read here, in order, and before any of it
    for found in _DIGITS.finditer(text):
        written = found["number"]
        end = found.end()
        if written.endswith((".", ",")):
            continue
        values, step = _value(written, comma_decimals)
        if power := found["power"] or found["e"]:
            values, step = _scaled(values, step, 10.0 ** _bounded(power))
        elif found["caret"]:
            exponent = _bounded(found["caret"][1:])
            values = tuple(_power(value, exponent) for value in values)
            step = 0.0
        elif suffix := found["suffix"]:
            factor = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}[suffix]
            values = (*values, *(value * factor for value in values))
        begins.append(found.start())
        ends.append(end)
        yield _finished(text, found.start("number"), end, values, step, bool(found["sign"]))
    for found in _INSIDE.finditer(text):  # H2, GPT-4, n^2
        if found.start() < ends[bisect_right(begins, found.start())]:
            continue
        written = found["number"] or found["power"].lstrip("+")
        group = "number" if found["number"] else "power"
        value = float(written)
        yield Number(
            text[_token_start(text, found.start()) : found.end()],
            (abs(value),),
            0.0,
            start=found.start(group),
            end=found.end(),
            signed=value < 0,
        )


def _token_start(text: str, at: int) -> int:
    least = max(0, at - LONGEST_TOKEN)
    while at > least and (text[at - 1].isalnum() or text[at - 1] in "-^"):
        at -= 1
    return at


def _value(written: str, comma_decimals: bool) -> tuple[tuple[float, ...], float]:
    """What digits mean, and what the last one is worth."""
    written = written.replace(" ", "")
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", written)
    if grouped and not comma_decimals:
        plain = written.replace(",", "")
        return (float(plain),), _step(plain)
    if comma_decimals and re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", written):
        plain = written.replace(".", "").replace(",", ".")
        meant = {float(plain)}
        if written.count(".") == 1 and "," not in written:
            meant.add(float(written))
        return tuple(meant), _step(plain)
    if re.fullmatch(r"\d+,\d+", written):
        plain = written.replace(",", ".")
        meant = {float(plain)}
        if grouped:
            meant.add(float(written.replace(",", "")))
        return tuple(meant), _step(plain)
    parts = re.split(r"[.,]", written)
    if len(parts) > 2:  # a version, a list without blanks: its first number
        return (float(parts[0] or 0),), 1.0
    return (float(written),), _step(written)


def _step(plain: str) -> float:
    return 10.0 ** -len(plain.partition(".")[2])


def _bounded(power: str) -> int:
    return max(-300, min(300, int(power[:6])))


def _power(value: float, exponent: int) -> float:
    try:
        return float(value**exponent)
    except (OverflowError, ZeroDivisionError):
        return 0.0


def _scaled(
    values: tuple[float, ...], step: float, factor: float
) -> tuple[tuple[float, ...], float]:
    return tuple(value * factor for value in values), step * factor


def _words(text: str, *, foreign: bool) -> Iterator[Number]:
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        word = words[at][0].lower()
        if foreign and word in FOREIGN:
            yield _finished(text, *words[at].span(), (FOREIGN[word],), 1.0, False, "cardinal")
        elif foreign:
            pass
        elif (value := cardinal(word)) is not None:
            begin, end = words[at].start(), words[at].end()
            step = 1.0
            while at + 1 < len(words) and text[end : words[at + 1].start()] in (" ", "-"):
                following = words[at + 1][0].lower()
                if following == "and" and step >= 100 and at + 2 < len(words):  # hundred and four
                    if (more := cardinal(words[at + 2][0].lower())) is None:
                        break
                    value, at, end, step = value + more, at + 2, words[at + 2].end(), 1.0
                    continue
                if following in MAGNITUDES:
                    value, step = value * MAGNITUDES[following], step * MAGNITUDES[following]
                elif value >= 20 and value % 10 == 0 and 0 < CARDINALS.get(following, 0) < 10:
                    value += CARDINALS[following]
                else:
                    break
                at, end = at + 1, words[at + 1].end()
            yield _finished(text, begin, end, (value,), step, False, "cardinal")
        elif word in ROUND and not _PLURAL_OF.match(text, words[at].end()):  # a hundred times
            value = MAGNITUDES[word]
            yield _finished(text, *words[at].span(), (value,), value, False, "cardinal")
        elif word in MULTIPLES:
            span = words[at].span()
            yield _finished(text, *span, (MULTIPLES[word],), 0.0, False, "multiple")
        elif (rank := ordinal(word)) is not None:
            yield _finished(text, *words[at].span(), (rank,), 0.0, False, "ordinal")
        at += 1


def _parts(text: str) -> Iterator[Number]:
    for found in _PART.finditer(text):
        word = found["of"].lower()
        how = (found["how"] or "").strip(" -").lower()
        if not how and word != "half" and not word.endswith("s"):
            continue  # "the third": an ordinal
        count = CARDINALS.get(how, 1.0)
        value = count * FRACTIONS[word]
        if value < 1:
            yield _finished(text, *found.span(), (value,), 0.0, False, "fraction")


def _finished(
    text: str,
    start: int,
    end: int,
    values: tuple[float, ...],
    step: float,
    signed: bool,
    kind: Kind = "digits",
) -> Number:
    """The number with what stands around it: hedge, magnitude, unit, and what it counts."""
    before = text[max(0, start - 28) : start - 1 if signed else start]
    hedge: Hedge = ""
    for name, pattern in _HEDGES.items():
        if pattern.search(before):
            hedge = name
    if kind == "digits" and (found := re.compile(r"[\s-]([^\W\d_]+)").match(text, end)):
        factor = MAGNITUDES.get(found[1].lower())
        if factor:
            values, step = _scaled(values, step, factor)
            end = found.end()
    unit, after = unit_at(text, end) if kind in ("digits", "cardinal") else (None, end)
    heads = [
        word
        for each in _WORD.finditer(_STOP.split(text[after : after + 60])[0])
        for word in each[0].lower().split("-")
        if word not in _HEAD_STOP
    ]
    if kind in ("cardinal", "ordinal") and "-" in text[start:end]:
        heads = [*text[start:end].lower().split("-")[1:], *heads]
    reads = "count" if unit or kind != "digits" else reads_as(text, start, end)
    return Number(
        text[start:after].strip(), values, step, kind, unit, hedge, signed, start, after,
        tuple(heads[:HEADS]), reads=reads,
    )  # fmt: skip


def _share_units(text: str, numbers: list[Number]) -> list[Number]:
    """In `3–5 GeV` and `40 to 42 %` the unit belongs to both."""
    for at in range(len(numbers) - 2, -1, -1):
        one, other = numbers[at], numbers[at + 1]
        between = text[one.end : other.start].removesuffix("-").removesuffix("+")
        if one.unit is None and other.unit and _RANGE.fullmatch(between):
            numbers[at] = replace(one, unit=other.unit, lent=True)
    return numbers
