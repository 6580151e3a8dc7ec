"""What stands together is taken apart: tools named side by side, and what puts another right."""

from __future__ import annotations

import re

from arxivscout.statements.names import is_tool
from arxivscout.statements.stating import matched, told

_PUTS_RIGHT = re.compile(
    r"\b(?:no|nope|not really|actually|wait|sorry|correction|rather|i mean|scratch that|on"
    r" second thought"
    r"|anzi|scusa|in realtà|nein|quatsch|eigentlich|non|en fait|pardon|perdón|en realidad|mejor"
    r" dicho)\b",
    re.I,
)
_BESIDE = re.compile(r"\b(?:also|too|as well|anche|auch|aussi|también|besides|sometimes)\b", re.I)
# "Overleaf for writing and Zotero for references", but no "Weights and Biases".
_LISTED = re.compile(
    r"\s*,\s*(?:(?:and|e|ed|und|et|y|&)\s+)?|(?<!\bWeights)\s+(?:and|e|ed|und|et|y|&|as well as)\s+"
)
_SMALL = re.compile(
    r"(?:the |il |la |das |le |el )?[\w.+-]+"
    r"(?: (?:package|library|code|toolkit|framework|software))?",
    re.I,
)
_TAIL = re.compile(
    r"(?P<name>\S+(?: (?!for\b|to\b|as\b|in\b|on\b|with\b|per\b|für\b|pour\b|para\b|by\b"
    r"|now\b)\S+)*)"
    r"(?P<tail>(?: .*)?)"
)


def puts_right(opened: str, clause: str, before: str) -> bool:
    """Whether a clause that is `opened` so says what one before it was to say: "no, I use JAX"."""
    if not _PUTS_RIGHT.search(opened) or _BESIDE.search(f"{opened} {clause}"):
        return False
    now, then = list(told(clause)), list(told(before))
    if not now or [each.predicate for each in now] != [each.predicate for each in then]:
        return _differ_at_the_end(clause, before)
    purposes = [each.what.partition(" for ")[2] for each in (*now, *then)]
    return len(set(filter(None, purposes))) < 2


def _differ_at_the_end(clause: str, before: str) -> bool:
    """Whether two clauses begin alike, and only their last words differ."""
    one, other = clause.casefold().split(), before.casefold().split()
    alike = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        alike += 1
    return alike >= 2 and 0 < len(one) - alike <= 4 and 0 < len(other) - alike <= 4


def each_tool(clause: str) -> list[str]:
    """A statement for each of the tools that one names side by side; itself where it names one."""
    found = matched(clause)
    if found is None or found[0].predicate not in ("uses", "used_before"):
        return [clause]
    match = found[1]
    group = next((name for name in match.groupdict() if match[name] and name != "old"), "")
    what = match[group] if group else ""
    tools = [_TAIL.match(part) for part in _LISTED.split(what) if part]
    if len(tools) < 2 or not _are_tools([tool for tool in tools if tool]):
        return [clause]
    start, end = match.span(group)
    last = tools[-1]["tail"] if tools[-1] else ""
    text = found[1].string
    return [
        f"{text[:start]}{tool['name']}{tool['tail'] or last}{text[end:]}" for tool in tools if tool
    ]


def _are_tools(tools: list[re.Match[str]]) -> bool:
    """Whether each is one by its name; behind one that is, names may be small: "PyTorch, zuko and
    the sbi package", but no "Python for plots and fits"."""
    if all(_is_a_name(tool["name"]) for tool in tools):
        return True
    bare = not any(tool["tail"] for tool in tools[:-1])
    return bare and _is_a_name(tools[0]["name"]) and all(_SMALL.fullmatch(t["name"]) for t in tools)


def _is_a_name(words: str) -> bool:
    first = words.split()[0]
    return len(words.split()) <= 4 and (is_tool(words) or first[0].isupper() or first[0].isdigit())
