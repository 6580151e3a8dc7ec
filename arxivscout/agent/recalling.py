"""What is recalled for a turn's question: by its vector, its words, its times and its names."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from arxivscout.agent.assembling import said_before, surely_read
from arxivscout.agent.services import Services
from arxivscout.context.repeated import answered_before
from arxivscout.errors import DatabaseUnavailable
from arxivscout.memory.fading import half_lives
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.postgres import Database
from arxivscout.memory.recall import Recall, recall
from arxivscout.memory.speakers import without_names

_STORED_SINCE = """
SELECT arxiv_id FROM semantic_memory
WHERE arxiv_id = ANY (%(ids)s::text[]) AND created_at > %(at)s::timestamptz
"""


def recall_for(
    services: Services,
    state: Mapping[str, Any],
    vector: str,
    bounds: PaperFilter,
    window: int,
) -> Recall:
    """Read every store for the turn's question, in one round trip.

    Only for a question that was answered before it is asked what was stored since.

    Args:
        vector: of the question as it is understood.
        bounds: which papers may be recalled.
        window: what the model reads; of the thread's messages those are recalled that it may not.
    """
    question, settings = state["understood"], services.settings
    speakers = state.get("speakers", ())
    bare = without_names(question, speakers)
    found = recall(
        services.database,
        user=state["user"],
        thread_id=state["thread_id"],
        turn_id=UUID(state["turn_id"]),
        question=question,
        vector=vector,
        bounds=bounds,
        said_vector=vector if bare == question else services.vector(bare),
        speakers=speakers,
        now=datetime.fromisoformat(state["started_at"]).astimezone(),
        half_lives=half_lives(settings),
        newest=surely_read(
            said_before(state), window, settings.context_shares, settings.working_memory
        ),
    )
    if before := answered_before(question, found.memory.get("earlier", ())):
        ids = [row["arxiv_id"] for row in found.memory.get("knowledge", ())]
        new = _stored_since(services.database, ids, before["at"])
        found.memory["repeated"] = [{**before, "new": new}]
    return found


def _stored_since(database: Database, ids: list[str], at: str) -> list[str]:
    try:
        (rows,) = database.batch("", [(_STORED_SINCE, {"ids": ids, "at": at})])
    except DatabaseUnavailable:
        return []
    stored = {row[0] for row in rows}
    return [each for each in ids if each in stored]
