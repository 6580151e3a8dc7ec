"""Rules on ways of working as sentences, written and read back: the next plan obeys them.

On questions like “…”: do not repeat A, B; do C, then D, which succeeded.
On questions like “…”: do not repeat A; try C, which was not tried.
On questions like “…”: do not repeat A.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

LONGEST_REQUEST = 160  # characters of a request in a statement
_LONGEST_VALUE = 60
_STEP = re.compile(r"(?P<tool>\w+)(?:\((?P<given>[^()]*)\))?")
_RULE = re.compile(
    r"On questions like “(?P<like>[^“”]*)”: do not repeat (?P<avoid>[^;]+?)"
    r"(?:; (?P<how>do|try) (?P<instead>.+), which (?:succeeded|was not tried))?\."
)


@dataclass(frozen=True, slots=True)
class Step:
    """A tool, and the arguments that make it that step; others may be anything."""

    tool: str
    arguments: Mapping[str, str] = field(default_factory=dict)

    def matches(self, tool: str, arguments: Mapping[str, object]) -> bool:
        """Whether a call is this step."""
        return tool == self.tool and all(
            shown(arguments.get(name)) == value for name, value in self.arguments.items()
        )

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value}" for name, value in sorted(self.arguments.items()))
        return f"{self.tool}({given})" if given else self.tool


@dataclass(frozen=True, slots=True)
class Rule:
    """What is not to be repeated on requests like one, and what to do in its place."""

    like: str
    avoid: tuple[Step, ...]
    instead: tuple[Step, ...] = ()
    tried: bool = True  # and has succeeded

    def __str__(self) -> str:
        parts = [f"On questions like “{short(self.like)}”: do not repeat "]
        parts.append(", ".join(map(str, self.avoid)))
        if self.instead:
            steps = ", then ".join(map(str, self.instead))
            end = "which succeeded" if self.tried else "which was not tried"
            parts.append(f"; {'do' if self.tried else 'try'} {steps}, {end}")
        return "".join([*parts, "."])


def short(request: str) -> str:
    """A request as it stands in a statement: one line, no quotation marks of ours, not long."""
    line = " ".join(request.replace("“", '"').replace("”", '"').split())
    return line if len(line) <= LONGEST_REQUEST else f"{line[: LONGEST_REQUEST - 1].rstrip()}…"


def shown(value: object) -> str:
    """An argument's value as it stands in a statement."""
    line = " ".join(re.sub(r"[()=,;“”<>\[\]]", " ", str(value)).split())
    return line[:_LONGEST_VALUE].rstrip()


def read_rule(statement: str) -> Rule | None:
    """The rule that a statement is, or None for any other sentence."""
    found = _RULE.fullmatch(statement.strip())
    if found is None:
        return None
    avoid, instead = _steps(found["avoid"], ", "), _steps(found["instead"] or "", ", then ")
    if not avoid:
        return None
    return Rule(found["like"], avoid, instead, found["how"] != "try")


def _steps(text: str, between: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    # A comma within brackets parts arguments, not steps.
    for part in re.split(rf"{re.escape(between)}(?![^()]*\))", text):
        if found := _STEP.fullmatch(part.strip()):
            given = (each.partition("=") for each in (found["given"] or "").split(", ") if each)
            steps.append(Step(found["tool"], {name: value for name, _, value in given}))
    return tuple(steps)


def applicable(rules: Sequence[Rule], tool: str, arguments: Mapping[str, object]) -> Rule | None:
    """The first rule against a call, or None."""
    return next(
        (rule for rule in rules if any(step.matches(tool, arguments) for step in rule.avoid)), None
    )
