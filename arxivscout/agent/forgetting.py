"""Nothing is forgotten because a model says so: which calls need a person's word, which have it.

The text of a paper can make a model call `forget_memory`. A person is asked; where nobody is there
to ask, the memory goes only if the question itself plainly asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from arxivscout.agent.memory_tools import ForgetMemory, memory_uuid
from arxivscout.agent.messages import calls_of
from arxivscout.agent.tools import Call
from arxivscout.context.followup import content_words
from arxivscout.errors import ToolInputError
from arxivscout.llm.extractive_requests import find_request
from arxivscout.memory.postgres import Database

TOOL = "forget_memory"
# The first line is for the person and the log, the rest for the model.
_REFUSALS = {
    "keep": "Kept, as the researcher wants.\nThey were asked. Do not try again; go on.",
    "refused": "Not forgotten: nobody is here to confirm it.\nThe researcher did not plainly ask "
    "to forget this memory. If they did mean it, say that `arxivscout chat` asks and forgets it.",
    "unread": "Not forgotten: the memory could not be read just now.",
}

_TEXT = """
SELECT content, langchain_metadata ->> 'category' FROM entity_memory
WHERE langchain_id = %(id)s AND valid_to IS NULL
UNION ALL SELECT content, 'summary' FROM summary_memory WHERE langchain_id = %(id)s
UNION ALL SELECT content, 'workflow' FROM workflow_memory WHERE langchain_id = %(id)s
LIMIT 1
"""


def undecided(state: Mapping[str, Any]) -> list[str]:
    """Ids of the memories that the last message wants forgotten and nobody has decided on."""
    wanted = [_memory_id(call) for call in calls_of(state["messages"][-1])]
    return [each for each in dict.fromkeys(wanted) if each and each not in state["decisions"]]


def permitted(calls: Sequence[Call], decisions: Mapping[str, str]) -> list[Call]:
    """The calls, with those refused that would forget what may not be forgotten."""
    checked = []
    for call in calls:
        memory_id = _memory_id(call)
        decision = decisions.get(memory_id, "refused") if memory_id else "forget"
        problem = _REFUSALS.get(decision, "")
        checked.append(replace(call, problem=problem) if problem else call)
    return checked


def plainly_asked(question: str, memory_id: str, memory: str) -> bool:
    """Does the question itself ask to forget this memory: by its id, its words, or all there is?"""
    request = find_request(question)
    if request.wish != "forget":
        return False
    if request.everything or memory_id in question.lower():
        return True
    known = {word.lower() for word in content_words(memory)}
    return any(word.lower() in known for word in content_words(request.about))


def memory_text(database: Database, user: str, memory_id: str) -> str | None:
    """What the person's memory says, with its kind in front; None if there is no such memory.

    Raises:
        DatabaseError, psycopg.Error: it could not be looked up.
    """
    with database.transaction(user) as conn:
        row = conn.execute(_TEXT, {"id": UUID(memory_id)}).fetchone()
    return f"{row[1] or 'memory'}: {row[0]}" if row else None


def _memory_id(call: Call) -> str | None:
    """The memory that a call would forget; None for any other call and for one that can't work."""
    if call.name != TOOL or call.problem:
        return None
    try:
        return str(memory_uuid(ForgetMemory.model_validate(dict(call.arguments)).memory_id))
    except (ValidationError, ToolInputError):
        return None
