"""Which preferences always count, beside those that bear on the question (`statement.py`).

A person has few, and then all of them count. Of many, the newest do, and the newest of those that
forbid or demand something: what must never be shown is not outlived by what is merely liked.
"""

from __future__ import annotations

from arxivscout.memory.postgres import Database
from arxivscout.memory.remembering import consent_from_row, consent_statement, recalled

KEPT_OF_EACH = 25
MOST_READ = 3_000  # the newest, among which the strict ones are looked for
COLUMNS = "id text at thread_id reason"

_STRICT = (
    r"\m(no|not|never|avoid|avoids|without|exclude|skip|leave out|must|always|only|nothing|allergic"
    r"|don.?t|isn.?t|mai|non|evita|solo|sempre|niente|nie|kein|keine|nur|immer|jamais|toujours"
    r"|nunca|siempre)\M"
)

KEPT = f"""
SELECT langchain_id, content, updated_at, thread_id, reason FROM (
    SELECT *, row_number() OVER (PARTITION BY strict ORDER BY updated_at DESC) AS place FROM (
        SELECT langchain_id, content, updated_at, thread_id, reason,
               content ~* '{_STRICT}' AS strict
        FROM entity_memory
        WHERE user_id = scout_user() AND category = 'preference' AND valid_to IS NULL
          AND archived_at IS NULL
        ORDER BY updated_at DESC LIMIT {MOST_READ}) AS newest) AS each
WHERE place <= {KEPT_OF_EACH} ORDER BY strict DESC, updated_at DESC
"""  # noqa: S608


def preferences_for(database: Database, user: str, thread_id: str) -> list[str]:
    """What the person prefers as far as this thread may know, in their words, the oldest first."""
    found, consents = database.batch(user, [(KEPT, {}), consent_statement(thread_id)])
    rows = [dict(zip(COLUMNS.split(), row, strict=True)) for row in found]
    known = recalled(rows, thread_id, consent_from_row(consents[0]))
    return [row["text"] for row in sorted(known, key=lambda row: row["at"])]
