"""Prometheus' text format, version 0.0.4: pure.

https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Kind = Literal["counter", "gauge", "histogram", "summary"]


@dataclass(frozen=True, slots=True)
class Sample:
    """One value; `suffix` stands behind the family's name: _bucket, _sum, _count, or nothing."""

    labels: Mapping[str, str]
    value: float
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """A metric with all its samples."""

    name: str
    kind: Kind
    help: str
    samples: Sequence[Sample]


def exposition(families: Iterable[Family]) -> str:
    """The families as a scrape is answered; one without samples is left out."""
    lines = []
    for family in families:
        if not family.samples:
            continue
        lines.append(f"# HELP {family.name} {_escaped(family.help)}")
        lines.append(f"# TYPE {family.name} {family.kind}")
        lines += [_line(family.name, sample) for sample in family.samples]
    return "".join(f"{line}\n" for line in lines)


def _line(name: str, sample: Sample) -> str:
    labels = ",".join(
        f'{label}="{_escaped(value, quoted=True)}"' for label, value in sample.labels.items()
    )
    braces = f"{{{labels}}}" if labels else ""
    return f"{name}{sample.suffix}{braces} {_number(sample.value)}"


def _escaped(text: str, *, quoted: bool = False) -> str:
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n")
    return escaped.replace('"', '\\"') if quoted else escaped


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))
