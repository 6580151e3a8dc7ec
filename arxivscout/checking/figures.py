"""Does a number of the answer occur in the source? Rounding, hedges, other units are no error."""

from __future__ import annotations

from collections.abc import Sequence

from arxivscout.checking.numbers import Number
from arxivscout.llm.terms import stem

# How far "about 40" may be from what it stands for, and how far "over 40" and "under 40".
ABOUT = 0.06
ONE_SIDED = 0.25
SAME = 1e-6
SMALL = 5  # who counts what a text lists gets a number that the text does not have


def missing_numbers(claimed: Sequence[Number], source: Sequence[Number]) -> list[Number]:
    """The numbers claimed that the source does not have, or has of something else.

    Words are judged more gently than digits: `three methods` may count what the source lists, so
    it is missing only where the source counts the same thing otherwise, or has a small number that
    the claim leaves unaccounted for.
    """
    return [
        number
        for number in claimed
        if not any(occurs(number, other) for other in source)
        and (number.kind == "digits" or _contradicted(number, claimed, source))
    ]


def occurs(number: Number, other: Number) -> bool:
    """Whether `other`, of the source, may be what `number` says."""
    if number.signed and other.kind == "digits" and not other.signed:
        return False
    if {number.reads, other.reads} == {"year", "count"}:
        return False
    mine, theirs = number.unit, other.unit
    if mine and theirs:
        if mine.dimension != theirs.dimension:
            return number.lent and _same(number, other, 1.0, 1.0)
        return _same(number, other, mine.scale, theirs.scale)
    if mine and mine.dimension == "":
        bare = not other.heads or any(value != int(value) for value in other.values)
        return (bare and _same(number, other, 1.0, 1.0)) or _same(number, other, mine.scale, 1.0)
    if theirs and theirs.dimension == "" and number.kind in ("fraction", "multiple"):
        return _same(number, other, 1.0, theirs.scale, rough=True)
    if theirs and theirs.dimension == "" and _same(number, other, 1.0, theirs.scale):
        return True
    return _same(number, other, 1.0, 1.0)


def _same(
    number: Number, other: Number, scale: float, their_scale: float, *, rough: bool = False
) -> bool:
    return any(
        _close(number, value * scale, theirs * their_scale, number.step * scale, rough)
        or _hedged(number, value, theirs, value * scale, theirs * their_scale)
        for value in number.values
        for theirs in other.values
    )


def _close(number: Number, value: float, source: float, step: float, rough: bool) -> bool:
    size = max(abs(value), abs(source))
    difference = abs(value - source)
    if difference <= SAME * size:
        return True
    if _is_year(value):
        return False
    if difference <= step / 2 * (1 + SAME) and difference <= 0.1 * size:
        return True  # 39.8 as 40
    if rough or number.kind == "fraction":
        return difference <= ABOUT * size
    return False


def _hedged(number: Number, value: float, theirs: float, size: float, their_size: float) -> bool:
    """Whether "about 40" may be said of 39.8: who rounds says fewer digits.

    Args:
        size, their_size: the two numbers in the same unit.
    """
    if number.kind == "digits" and _digits(value) >= _digits(theirs):
        return False
    largest = max(abs(size), abs(their_size))
    match number.hedge:
        case "about":
            return abs(size - their_size) <= ABOUT * largest
        case "over":
            return 0 < their_size - size <= ONE_SIDED * largest
        case "under":
            return 0 < size - their_size <= ONE_SIDED * largest
    return False


def _digits(value: float) -> int:
    """How many digits say something: 2 of 0.0150, 1 of 300."""
    return len(f"{value:.6e}".partition("e")[0].replace(".", "").rstrip("0").lstrip("-"))


def _is_year(value: float) -> bool:
    return value == int(value) and 1900 <= value < 2100


def _contradicted(number: Number, claimed: Sequence[Number], source: Sequence[Number]) -> bool:
    """Whether the source says something else in the place of a number in words."""
    value = number.values[0]
    if number.kind in ("multiple", "fraction"):
        return any(
            other.kind in ("multiple", "fraction") or (other.unit and other.unit.dimension == "")
            for other in source
        )
    if value < 2 and number.kind == "cardinal" and not number.unit:
        return False  # "one of them"
    heads = {stem(head) for head in number.heads}
    rivals = [
        other
        for other in source
        if (other.kind in ("cardinal", "digits") if number.kind == "cardinal" else True)
        and (other.kind == "ordinal") == (number.kind == "ordinal")
        and not any(occurs(each, other) for each in claimed)
    ]
    if any(heads & {stem(head) for head in other.heads} for other in rivals):
        return True
    if number.kind == "ordinal":
        return False
    if number.unit or value > SMALL:
        return True
    return any(other.kind == "cardinal" and 2 <= other.values[0] <= 2 * SMALL for other in rivals)
