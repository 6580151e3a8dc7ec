"""What a memory is worth as time goes by and it is used or not: its rank falls, nothing is deleted.

    value = importance · (½ · 2^(−age / A) + ½ · 2^(−unused / U))     U = u · (1 + ln(1 + uses))

`age` is in days since it was stored, `unused` in days since it was last used (or stored, if never).
A and u are half-lives of the settings (`memory_half_life_days`, `memory_use_half_life_days`): half
of the value goes with age, and half with disuse, which counts the slower the more often it was
used; a use refreshes that half. What a person prefers and has decided does not fade. The form is
the forgetting curve of Ebbinghaus (1885), with a strength that grows with repetition.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arxivscout.settings import Settings

LASTING = frozenset(("preference", "decision"))
IMPORTANCE = {
    "preference": 1.0,
    "decision": 1.0,
    "correction": 0.9,
    "question": 0.8,
    "finding": 0.8,
    "fact": 0.7,
    "summary": 0.6,
}
OTHER_IMPORTANCE = 0.5  # of things with a name: papers, authors, methods, ...
SMALL_TALK = "small talk"  # the category of what matters least
SMALL_TALK_IMPORTANCE = 0.2
_MOST_HALVINGS = 1000  # past it a number underflows, in the database with an error


@dataclass(frozen=True, slots=True)
class HalfLives:
    """In how many days half of what goes with age, and with disuse, is gone."""

    age: float = 180.0
    use: float = 60.0


DEFAULT = HalfLives()


def half_lives(settings: Settings) -> HalfLives:
    """Those that the settings say."""
    return HalfLives(settings.memory_half_life_days, settings.memory_use_half_life_days)


def importance_of(kind: str | None, filed_under: str | None = None) -> float:
    """What a memory is worth when it is new, 0 to 1: by what it is and where it is filed.

    Args:
        filed_under: the category, by the name that everybody begins with.
    """
    if filed_under == SMALL_TALK and kind not in LASTING:
        return SMALL_TALK_IMPORTANCE
    return IMPORTANCE.get(kind or "", OTHER_IMPORTANCE)


def value(
    age_days: float,
    days_since_use: float,
    uses: int,
    kind: str | None,
    importance: float,
    half: HalfLives = DEFAULT,
) -> float:
    """What it is worth now, 0 to `importance`.

    Args:
        age_days: since it was stored.
        days_since_use: since it was last used; its age if it never was.
        uses: how often it was.
        importance: what it is worth when new (`importance_of`).
    """
    if kind in LASTING:
        return importance
    strength = half.use * (1 + math.log1p(max(uses, 0)))
    aged = _halved(age_days / half.age)
    unused = _halved(min(days_since_use, age_days) / strength)
    return importance * (aged + unused) / 2


def _halved(halvings: float) -> float:
    return math.pow(2, -min(max(halvings, 0), _MOST_HALVINGS))


def value_sql(*, age_days: str, days_since_use: str, uses: str, kind: str, importance: str) -> str:
    """`value` as an SQL expression over these; it takes the parameters of `value_parameters`."""
    age = f"GREATEST(({age_days})::float8, 0)"
    unused = f"GREATEST(LEAST(({days_since_use})::float8, ({age_days})::float8), 0)"
    strength = f"(%(use_half_life)s::float8 * (1 + ln(1 + GREATEST({uses}, 0)::float8)))"
    lasting = ", ".join(f"'{each}'" for each in sorted(LASTING))
    return f"""(({importance})::float8 * CASE WHEN ({kind}) IN ({lasting}) THEN 1 ELSE (
        power(2::float8, -LEAST({age} / %(age_half_life)s::float8, {_MOST_HALVINGS}))
        + power(2::float8, -LEAST({unused} / {strength}, {_MOST_HALVINGS}))) / 2 END)"""


def importance_sql(*, kind: str, filed_under: str) -> str:
    """`importance_of` as an SQL expression over these, by the names that the person gave."""
    lasting = ", ".join(f"'{each}'" for each in sorted(LASTING))
    cases = " ".join(f"WHEN '{each}' THEN {weight}" for each, weight in IMPORTANCE.items())
    return f"""(CASE
        WHEN ({filed_under}) IN (SELECT name FROM memory_category
                                 WHERE user_id = scout_user() AND origin = '{SMALL_TALK}')
            AND COALESCE({kind}, '') NOT IN ({lasting})
        THEN {SMALL_TALK_IMPORTANCE} ELSE CASE ({kind}) {cases} ELSE {OTHER_IMPORTANCE} END END)"""  # noqa: S608 (constants)


def value_parameters(half: HalfLives = DEFAULT) -> dict[str, float]:
    """What `value_sql` is bound to."""
    return {"age_half_life": half.age, "use_half_life": half.use}
