"""The tool that corrects a memory: it says something else from now on, and draws its edges anew.

What it said before is kept as history. As with forgetting, the person is asked first
(`forgetting.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

from pydantic import Field

from arxivscout.agent.keeping_tools import MOST_REASON, MOST_TEXT, may_keep, memory_uuid
from arxivscout.agent.learning import permitted
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.context.memories import cited_line
from arxivscout.errors import NotFound, ToolInputError
from arxivscout.learning import relations_of
from arxivscout.memory import summary, vector_memory
from arxivscout.memory.candidate import THINGS, Candidate, Link
from arxivscout.memory.restating import restate
from arxivscout.papers import clean_text
from arxivscout.redaction import redacted

_THING = """
SELECT category FROM entity_memory
WHERE langchain_id = %(id)s AND user_id = scout_user() AND category = ANY (%(things)s)
  AND name IS NOT NULL
"""


class Correct(Arguments):
    memory_id: str = Field(description="The id shown with the memory.")
    text: str = Field(description="What is true now.")
    reason: str | None = Field(None, max_length=MOST_REASON, description="Why it changed.")


def correct(scope: TurnScope, memory_id: str, text: str, reason: str | None = None) -> ToolResult:
    """Let a memory say what is true now; what it said before ends."""
    text = redacted(clean_text(text)).strip()
    if not text:
        raise ToolInputError("The new text is empty; use forget_memory to remove a memory.")
    if len(text) > MOST_TEXT:
        raise ToolInputError(f"{len(text):,} characters are too long for a memory (limit 4,000).")
    identity = memory_uuid(memory_id)
    allowed = may_keep(scope)
    vector = scope.services.embedder.embed_query(text)

    def relations(said: str) -> tuple[Sequence[Candidate], Sequence[Link]]:
        turn = UUID(scope.turn_id)
        found = relations_of(scope.user, said, datetime.now(UTC), scope.thread_id, turn)
        found = permitted(found, allowed)
        return found.candidates, found.links

    with scope.transaction() as conn:
        for (kind,) in conn.execute(_THING, {"id": identity, "things": list(THINGS)}).fetchall():
            raise ToolInputError(
                f"That memory is a {kind}, which is what it is called.",
                "Correct what was said of it, or forget it.",
            )
        try:
            new_id = restate(conn, identity, text, vector, reason, relations)
        except NotFound:
            try:
                new_id = vector_memory.update(
                    conn, summary.SUMMARY, identity, text, vector, None, reason
                )
            except NotFound:
                raise NotFound(f"There is no memory {identity}.") from None
    return ToolResult(
        f"Corrected. It now reads (id {new_id}): {cited_line(text)}", "1 memory corrected"
    )


CORRECTING_TOOLS = (
    ScoutTool(
        name="correct",
        description=(
            "Correct a memory by its id when the researcher says that it is wrong or has changed; "
            "what it said before is kept as history."
        ),
        args_schema=Correct,
        function=correct,
    ),
)
