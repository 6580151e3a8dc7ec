"""No memory is forgotten, archived or changed because a model says so: these calls need a word.

The text of a paper can make a model call `forget_memory` or `correct`. A person is asked;
where nobody is there to ask, it is done only if the question itself plainly asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from arxivscout.agent.archive_tools import Archive
from arxivscout.agent.choices import ARCHIVE, CHANGE, FORGET
from arxivscout.agent.correcting import Correct
from arxivscout.agent.keeping_tools import memory_uuid
from arxivscout.agent.memory_tools import ForgetMemory
from arxivscout.agent.messages import calls_of
from arxivscout.agent.tools import Call
from arxivscout.errors import ToolInputError
from arxivscout.memory.postgres import Database
from arxivscout.papers import clean_text

# The first line is for the person and the log, the rest for the model.
_REFUSALS = {
    "keep": "Kept, as the researcher wants.\nThey were asked. Do not try again; go on.",
    "refused": "Not {done}: nobody is here to confirm it.\nThe researcher did not plainly ask "
    "to {do} this memory. If they did mean it, say that `arxivscout chat` asks and does it.",
    "unread": "Not {done}: the memory could not be read just now.",
}

_DONE = {FORGET: "forgotten", ARCHIVE: "archived", CHANGE: "changed"}

_TEXT = """
SELECT content, langchain_metadata ->> 'category' FROM entity_memory
WHERE langchain_id = %(id)s AND valid_to IS NULL
UNION ALL SELECT content, 'summary' FROM summary_memory WHERE langchain_id = %(id)s
UNION ALL SELECT content, 'workflow' FROM workflow_memory WHERE langchain_id = %(id)s
UNION ALL SELECT content, 'lesson' FROM lesson_memory
WHERE langchain_id = %(id)s AND valid_to IS NULL
LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Change:
    """What a call would do to a memory: forget it, archive it, or let it say `text`."""

    memory_id: str
    do: str = FORGET
    text: str | None = None

    @property
    def key(self) -> str:
        """Under which it is decided; a yes to one text is none to another."""
        match self.do:
            case "forget":
                return self.memory_id
            case "archive":
                return f"archive {self.memory_id}"
        return f"{self.memory_id}: {self.text}"


def undecided(state: Mapping[str, Any]) -> list[Change]:
    """What the last message wants done to memories and nobody has decided on, each once."""
    wanted = [_change(call) for call in calls_of(state["messages"][-1])]
    return [each for each in dict.fromkeys(wanted) if each and each.key not in state["decisions"]]


def permitted(calls: Sequence[Call], decisions: Mapping[str, str]) -> list[Call]:
    """The calls, with those refused that would do to a memory what may not be done."""
    checked = []
    for call in calls:
        change = _change(call)
        decision = decisions.get(change.key, "refused") if change else ""
        if problem := _REFUSALS.get(decision, ""):
            do = change.do if change else FORGET
            call = replace(call, problem=problem.format(do=do, done=_DONE[do]))
        checked.append(call)
    return checked


def memory_text(database: Database, user: str, memory_id: str) -> str | None:
    """What the person's memory says, with its kind in front; None if there is no such memory.

    Raises:
        DatabaseError, psycopg.Error: it could not be looked up.
    """
    with database.transaction(user) as conn:
        row = conn.execute(_TEXT, {"id": UUID(memory_id)}).fetchone()
    return f"{row[1] or 'memory'}: {row[0]}" if row else None


def _change(call: Call) -> Change | None:
    """What a call would do to a memory; None for any other call and for one that can't work."""
    if call.problem:
        return None
    given = dict(call.arguments)
    try:
        if call.name == "forget_memory":
            return Change(str(memory_uuid(ForgetMemory.model_validate(given).memory_id)))
        if call.name in ("update_memory", "correct"):
            update = Correct.model_validate(given)
            text = clean_text(update.text).strip()
            return Change(str(memory_uuid(update.memory_id)), CHANGE, text) if text else None
        if call.name == "archive":
            return Change(str(memory_uuid(Archive.model_validate(given).memory_id)), ARCHIVE)
    except (ValidationError, ToolInputError):
        pass
    return None
