"""What a person has one of at a time: an employer, a home, a position, a deadline of something.

A newer statement that names another holder of a role takes the older one's place. Read from the
statement's words alone; where these leave it open, it names no role.
"""

from __future__ import annotations

import re
from functools import lru_cache

from arxivscout.preferences.reasons import parted
from arxivscout.statements.roles.dates import DATE, dates
from arxivscout.statements.roles.own import own, tools
from arxivscout.statements.roles.places import places
from arxivscout.statements.roles.positions import STUDENTS, positions
from arxivscout.statements.roles.role import NOT, NOW, Role

__all__ = ["Role", "another", "loosely", "of_others", "role_keys", "roles"]

_OPENED = re.compile(
    r"^(?:(?:no|nope|yes|yeah|ok(?:ay)?|actually|well|wait|sorry|correction|update|fyi|by the"
    r" way|btw"
    r"|and|but|so|now|currently|at the moment|these days|as of \w+|from \w+ on|since (?:last )?\w+"
    r"|ora|adesso|jetzt|maintenant|ahora|ma|e|und|et|y|finally|meanwhile|in the meantime|i mean)"
    r"(?![\w'])[\s,:;.!–—-]*)+",
    re.I,
)
# One more is not another.
_BESIDE = re.compile(
    r"\b(?:also|too|as well|additionally|besides|part[- ]time|visiting|guest|second|another|both"
    r"|sometimes|occasionally|partly|anche|auch|aussi|también|inoltre)\b",
    re.I,
)


@lru_cache(maxsize=20_000)
def roles(text: str) -> tuple[Role, ...]:
    """The roles of which a statement says who or what holds them now; each once."""
    said = _OPENED.sub("", parted(" ".join(text.split()))[0]).strip(" .!")
    if not said or _BESIDE.search(said):
        return ()
    changed = bool(NOW.search(text))
    found: dict[tuple[str, str], Role] = {}
    for role in (*places(said), *positions(said), *dates(said), *own(said), *tools(said)):
        held = found.get((role.name, role.of))
        if held is None or (held.value.startswith(NOT) and not role.value.startswith(NOT)):
            changes = role.changed or changed
            found[role.name, role.of] = Role(role.name, role.of, role.value, changes)
    return tuple(found.values())


def another(newer: str, older: str) -> str:
    """Of which role the newer statement names another holder than the older one does, or says that
    this one holds it no more; "" of none.
    """
    now = roles(newer)
    then = {(role.name, role.of): role for role in roles(older)} if now else {}
    for role in now:
        held = then.get((role.name, role.of))
        if held and _takes_its_place(role.value, held.value):
            return role.name
    return ""


def loosely(newer: str, older: str) -> str:
    """As `another`, of a role that the newer names without saying what of ("the deadline")."""
    for role in roles(newer):
        if not role.of and role.changed:
            for held in roles(older):
                if held.name == role.name and held.of and _takes_its_place(role.value, held.value):
                    return role.name
    return ""


def of_others(newer: str, older: str) -> bool:
    """Whether both tell of one role, but not of the same: the deadlines of two papers."""
    then = {role.name: role.of for role in roles(older)}
    return any(
        role.of and then.get(role.name, role.of) not in ("", role.of) for role in roles(newer)
    )


def _takes_its_place(now: str, then: str) -> bool:
    if then.startswith(NOT):
        return False
    if now.startswith(NOT):
        gone = now.removeprefix(NOT)
        return _same(gone, then) or (gone == "student" and then in STUDENTS)
    return not _same(now, then)


def role_keys(text: str) -> tuple[str, ...]:
    """What a statement is looked up by, beside its words: the roles that it tells of."""
    return tuple(dict.fromkeys(f"=@{role.name}"[:60] for role in roles(text)))


def _same(one: str, other: str) -> bool:
    """Whether two holders are one, as far as both are told: "DESY" and "DESY in Hamburg"."""
    a, b = one.split(), other.split()
    if one.startswith(DATE) and other.startswith(DATE):
        return set(a) <= set(b) or set(b) <= set(a)
    return a[: len(b)] == b[: len(a)] if a and b else False
