"""Where LangSmith shows a turn: asked only where its own variables have turns traced there."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from arxivscout.settings import tracing

TIMEOUT_MS = 3_000
_log = logging.getLogger(__name__)


def traces(turn_ids: Sequence[str]) -> dict[str, str]:
    """Addresses of the traces of these turns, as far as LangSmith knows and answers."""
    told = tracing()
    if not told.langsmith or not turn_ids:
        return {}
    from langsmith import Client

    links: dict[str, str] = {}
    try:
        client = Client(timeout_ms=TIMEOUT_MS, auto_batch_tracing=False)
        for turn_id in turn_ids:
            named = f'and(eq(metadata_key, "turn_id"), eq(metadata_value, "{turn_id}"))'
            runs = client.list_runs(
                project_name=told.project, is_root=True, filter=named, limit=1, select=["app_path"]
            )
            for run in runs:
                if run.url:
                    links[turn_id] = run.url
    except Exception as error:  # noqa: BLE001 - the boundary to LangSmith's library: figures hold
        _log.info("LangSmith was not asked for traces", extra={"error": type(error).__name__})
    return links
