"""Units of measure as abstracts write them: what each measures, and how much of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from arxivscout.papers import fold_accents

_PREFIXES = {
    "y": 1e-24, "z": 1e-21, "a": 1e-18, "f": 1e-15, "p": 1e-12, "n": 1e-9, "μ": 1e-6, "µ": 1e-6,
    "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
}  # fmt: skip
_LONG_PREFIXES = {
    "atto": 1e-18, "femto": 1e-15, "pico": 1e-12, "nano": 1e-9, "micro": 1e-6, "milli": 1e-3,
    "centi": 1e-2, "kilo": 1e3, "mega": 1e6, "giga": 1e9, "tera": 1e12, "peta": 1e15,
}  # fmt: skip
# No ampere: A stands for angstrom as often.
# symbol → (what it measures, in the base unit)
_SYMBOLS = {
    "eV": ("energy", 1.0), "Hz": ("frequency", 1.0), "m": ("length", 1.0), "s": ("time", 1.0),
    "g": ("mass", 1.0), "K": ("temperature", 1.0), "pc": ("distance", 1.0), "W": ("power", 1.0),
    "J": ("work", 1.0), "T": ("field", 1.0), "G": ("field", 1e-4), "Pa": ("pressure", 1.0),
    "V": ("voltage", 1.0), "b": ("area", 1.0), "yr": ("time", 3.15576e7),
    "as": ("angle", 1.0), "arcsec": ("angle", 1.0), "Jy": ("flux", 1.0), "B": ("bytes", 1.0),
}  # fmt: skip
_WORDS = {
    "%": ("", 0.01), "percent": ("", 0.01), "pct": ("", 0.01), "‰": ("", 0.001),
    "percento": ("", 0.01), "prozent": ("", 0.01),
    "σ": ("sigma", 1.0), "sigma": ("sigma", 1.0), "sigmas": ("sigma", 1.0),
    "dex": ("dex", 1.0), "db": ("decibel", 1.0), "°": ("degree", 1.0), "degree": ("degree", 1.0),
    "electronvolt": ("energy", 1.0), "ev": ("energy", 1.0), "hertz": ("frequency", 1.0),
    "meter": ("length", 1.0), "metre": ("length", 1.0), "metro": ("length", 1.0),
    "metri": ("length", 1.0), "mile": ("length", 1609.344), "micron": ("length", 1e-6),
    "å": ("length", 1e-10), "angstrom": ("length", 1e-10), "second": ("time", 1.0),
    "sec": ("time", 1.0), "minute": ("time", 60.0), "min": ("time", 60.0), "hour": ("time", 3600.0),
    "h": ("time", 3600.0), "hr": ("time", 3600.0), "day": ("time", 86400.0),
    "week": ("time", 604800.0), "month": ("time", 2629800.0), "year": ("time", 3.15576e7),
    "anno": ("time", 3.15576e7), "anni": ("time", 3.15576e7), "jahre": ("time", 3.15576e7),
    "giorni": ("time", 86400.0), "ore": ("time", 3600.0), "secondi": ("time", 1.0),
    "yr": ("time", 3.15576e7), "decade": ("time", 3.15576e8), "gram": ("mass", 1.0),
    "kelvin": ("temperature", 1.0), "parsec": ("distance", 1.0), "watt": ("power", 1.0),
    "joule": ("work", 1.0), "tesla": ("field", 1.0), "gauss": ("field", 1e-4),
    "arcsecond": ("angle", 1.0), "arcminute": ("angle", 60.0), "arcmin": ("angle", 60.0),
    "barn": ("area", 1.0), "byte": ("bytes", 1.0), "bit": ("bits", 1.0), "qubit": ("qubits", 1.0),
}  # fmt: skip
_SOLAR = re.compile(r"(?:M_?\s?☉|M_?sun\b|M_?⊙|solar mass(?:es)?\b|masse solari\b)")
_UNIT = re.compile(r"[-\s]{0,2}(per cent\b|per cento\b|%|‰|°|[^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number measures (`dimension`, '' for a share) and its size in the base unit."""

    dimension: str
    scale: float


def unit_at(text: str, position: int) -> tuple[Unit | None, int]:
    """The unit that `text` (plain) has at `position`, and where it ends; None if there is none."""
    solar = _SOLAR.match(text, position + (text[position : position + 1] in (" ", "-")))
    if solar:
        return Unit("solar mass", 1.0), solar.end()
    found = _UNIT.match(text, position)
    if found is None:
        return None, position
    unit = _named(found[1])
    return (unit, found.end()) if unit else (None, position)


def _named(word: str) -> Unit | None:
    if word.lower() in ("per cent", "per cento"):
        return Unit("", 0.01)
    if word in _SYMBOLS and word != "as":
        return Unit(*_SYMBOLS[word])
    if word[:1] in _PREFIXES and word[1:] in _SYMBOLS:
        dimension, scale = _SYMBOLS[word[1:]]
        return Unit(dimension, scale * _PREFIXES[word[0]])
    lower = fold_accents(word).lower() if word not in ("Å", "σ") else word.lower()
    for singular in (lower, lower.removesuffix("s"), lower.removesuffix("es")):
        if singular in _WORDS:
            return Unit(*_WORDS[singular])
        for prefix, factor in _LONG_PREFIXES.items():
            if singular.startswith(prefix) and singular[len(prefix) :] in _WORDS:
                dimension, scale = _WORDS[singular[len(prefix) :]]
                return Unit(dimension, scale * factor)
    return None
