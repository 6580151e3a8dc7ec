"""Whether a statement says that what was to be done is done: "I have emailed Silvia"."""

from __future__ import annotations

import re

from arxivscout.statements.likewords import Words, alike
from arxivscout.statements.naming import words_about
from arxivscout.statements.own_words import TO_DO

_DONE = re.compile(
    r"(?:(?:i|we)(?:['’]ve| have)?(?: (?:just|already|now|finally))*"
    r"|(?:i(?:['’]m| am) )?done(?: with|:)?)"
    r" (?P<verb>[\w-]+) (?P<rest>.+)",
    re.IGNORECASE,
)
_INFLECTED = re.compile(r"(?:(.)\1)?(?:ing|ed)$")  # "rerunning", "submitted"
_PAST = {
    "replied": "reply", "applied": "apply",
    "sent": "send", "submitted": "submit", "paid": "pay", "met": "meet", "booked": "book",
    "read": "read", "told": "tell", "handed": "hand", "bought": "buy", "written": "write",
    "wrote": "write", "left": "leave", "flown": "fly", "spoken": "speak", "taught": "teach",
}  # fmt: skip


def is_done(newer: str, older: str) -> bool:
    """Whether the newer statement says that the older's task is done."""
    if not older.startswith(TO_DO):
        return False
    found = _DONE.fullmatch(" ".join(newer.split()).strip(" .!"))
    verb, _, rest = older.removeprefix(TO_DO).strip(" .!").partition(" ")
    if found is None or not rest:
        return False
    said = found["verb"].lower()
    bare = _PAST.get(said) or _INFLECTED.sub(r"\1", said)
    if (
        not (alike(bare, verb.lower()) or alike(said, verb.lower()))
        or said == verb.lower() != "read"
    ):
        return False
    told, task = words_about(found["rest"]), words_about(rest)
    return bool(told) and (Words(found["rest"]).has_all(task) or Words(rest).has_all(told))
