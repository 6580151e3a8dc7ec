"""Where LangSmith shows a turn: asked only where its own variables have turns traced there."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from urllib.parse import quote

from arxivscout.settings import tracing

TIMEOUT_MS = 3_000
_log = logging.getLogger(__name__)


def traces(turn_ids: Sequence[str]) -> dict[str, str]:
    """Addresses of LangSmith's project, each filtered down to a turn; none if it gives no answer.

    The project is all that is asked for: by a turn's id, which runs carry, its page finds the rest.
    """
    told = tracing()
    if not told.langsmith or not turn_ids:
        return {}
    from langsmith import Client

    try:
        client = Client(timeout_ms=TIMEOUT_MS, auto_batch_tracing=False)
        address = client.read_project(project_name=told.project).url
    except Exception as error:  # noqa: BLE001 - the boundary to LangSmith's library: figures hold
        _log.info("LangSmith names no project", extra={"error": type(error).__name__})
        return {}
    return {turn_id: f"{address}?searchModel={_filter(turn_id)}" for turn_id in turn_ids if address}


def _filter(turn_id: str) -> str:
    named = f'and(eq(metadata_key, "turn_id"), eq(metadata_value, "{turn_id}"))'
    return quote(json.dumps({"filter": named}))
