"""Words that are numbers, and what they are."""

from __future__ import annotations

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
CARDINALS = {word: float(n) for n, word in enumerate(_UNITS.split())} | {
    word: 10.0 * n
    for n, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
# In other languages, from three on: one and two are articles and idioms too.
FOREIGN = {
    word: float(n)
    for words in (
        "tre quattro cinque sei sette otto nove dieci undici dodici",
        "drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "trois quatre cinq six sept huit neuf dix onze douze",
        "tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for n, word in enumerate(words.split(), start=3)
}
MAGNITUDES = {
    "hundred": 1e2, "hundreds": 1e2, "thousand": 1e3, "million": 1e6, "millions": 1e6,
    "billion": 1e9, "billions": 1e9, "trillion": 1e12, "dozen": 12.0, "mila": 1e3,
    "milioni": 1e6, "milione": 1e6, "miliardi": 1e9, "miliardo": 1e9, "mille": 1e3,
    "millionen": 1e6, "milliarden": 1e9, "millones": 1e6,
}  # fmt: skip
ROUND = frozenset(("hundred", "thousand", "million", "billion", "trillion"))
_ORDINALS = {
    word: float(n)
    for n, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
}
MULTIPLES = {
    "twice": 2.0, "double": 2.0, "doubles": 2.0, "doubled": 2.0, "doubling": 2.0, "twofold": 2.0,
    "thrice": 3.0, "triple": 3.0, "triples": 3.0, "tripled": 3.0, "tripling": 3.0,
    "threefold": 3.0, "quadruple": 4.0, "quadrupled": 4.0, "fourfold": 4.0, "fivefold": 5.0,
    "sixfold": 6.0, "tenfold": 10.0, "hundredfold": 100.0, "halves": 0.5, "halved": 0.5,
    "halving": 0.5,
}  # fmt: skip
FRACTIONS = {
    "half": 0.5, "third": 1 / 3, "thirds": 1 / 3, "quarter": 0.25, "quarters": 0.25, "fifth": 0.2,
    "fifths": 0.2, "sixth": 1 / 6, "tenth": 0.1, "tenths": 0.1,
}  # fmt: skip


def cardinal(word: str) -> float | None:
    """What a word counts, `two-dimensional` too; None if it counts nothing."""
    if word in CARDINALS:
        return CARDINALS[word]
    if word == "dozen":
        return 12.0
    head, _, rest = word.partition("-")
    if not rest or head not in CARDINALS:
        return None
    if rest in CARDINALS:
        return CARDINALS[head] + CARDINALS[rest] if CARDINALS[head] >= 20 else None
    return None if rest in FRACTIONS else CARDINALS[head]  # two-dimensional


def ordinal(word: str) -> float | None:
    """The rank that a word is, None if it is none."""
    return _ORDINALS.get(word, _ORDINALS.get(word.partition("-")[0]))
