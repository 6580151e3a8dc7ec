"""The tool that puts a memory to rest: kept, found when it is looked for, recalled no more unasked.

As with forgetting, the person is asked first (`forgetting.py`).
"""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import Field

from arxivscout.agent.keeping_tools import MOST_REASON, memory_uuid
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.context.memories import cited_line
from arxivscout.errors import ToolInputError, UsageError
from arxivscout.memory import overview
from arxivscout.memory.rights.own import archive


class Archive(Arguments):
    memory_id: str = Field(description="The id shown with the memory.")
    reason: str | None = Field(None, max_length=MOST_REASON, description="Why, if it was said.")


def _archive(scope: TurnScope, memory_id: str, reason: str | None = None) -> ToolResult:
    identity = memory_uuid(memory_id)
    with scope.transaction() as conn:
        memory = overview.named(conn, str(identity))
        try:
            archive(conn, memory, reason or "the researcher asked", datetime.now(UTC))
        except UsageError as error:
            raise ToolInputError(error.cause, error.mend) from None
    return ToolResult(f"Archived: {cited_line(memory.text)} (id {identity}).", "1 memory archived")


ARCHIVE_TOOLS = (
    ScoutTool(
        name="archive",
        description=(
            "Archive one memory by its id, when the researcher wants it out of the way but not "
            "forgotten: it is kept, and no longer recalled unasked."
        ),
        args_schema=Archive,
        function=_archive,
    ),
)
