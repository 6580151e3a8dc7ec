"""Long conversations with questions about them (LoCoMo's form), read and replayed.

They are stored through the conversation store, as what anybody says is: each is one person's, each
of its sessions a thread, at the time when it was said.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arxivscout.errors import UsageError
from arxivscout.memory.conversation import append
from arxivscout.memory.message_vectors import embed_messages

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database

_FORM = "%I:%M %p on %d %B, %Y"
MULTI_HOP = 1  # the category of questions whose answer is put together from several places
ADVERSARIAL = 5  # the category of questions that the conversation does not answer

_STORED = "SELECT count(*) FROM message_index WHERE user_id = scout_user()"


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation."""

    id: str
    session: int
    at: datetime
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the ids of the messages that hold its answer; whether they lie in several
    places."""

    text: str
    evidence: tuple[str, ...]
    hops: bool = False


@dataclass(frozen=True, slots=True)
class Conversation:
    """What two people said over months, and what is asked about it afterwards."""

    name: str
    said: list[Said] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    @property
    def user(self) -> str:
        """In whose name it is stored."""
        return f"bench context {self.name}"

    @property
    def ended(self) -> datetime:
        """When its last session began: questions are asked then."""
        return max(each.at for each in self.said)


def load_conversations(data: Path) -> list[Conversation]:
    """The conversations of `turns.jsonl[.gz]` with the questions of `qa.jsonl[.gz]`.

    Args:
        data: their folder, or one that has them somewhere below.

    Raises:
        UsageError: they are not there, or not of this form.
    """
    folder = _folder(data)
    found: dict[str, Conversation] = {}
    try:
        for row in _records(folder, "turns"):
            photo = f" [photo: {row['image_caption']}]" if row.get("image_caption") else ""
            at = datetime.strptime(row["date_time"], _FORM).replace(tzinfo=UTC)
            conversation = found.setdefault(row["conv"], Conversation(row["conv"]))
            conversation.said.append(
                Said(row["dia_id"], int(row["session"]), at, row["speaker"], row["text"] + photo)
            )
        for row in _records(folder, "qa"):
            conversation = found[row["conv"]]
            held = {each.id for each in conversation.said}
            evidence = tuple(each for each in row["evidence"] if each in held)
            if row["category"] != ADVERSARIAL and evidence:
                hops = row["category"] == MULTI_HOP
                conversation.asked.append(Asked(str(row["question"]), evidence, hops))
    except (KeyError, ValueError, TypeError, OSError) as error:
        raise UsageError(f"{folder} holds no conversations in LoCoMo's form: {error!r}.") from None
    return list(found.values())


def replay(database: Database, embedder: Embedder, conversation: Conversation) -> bool:
    """Store the conversation, message by message, and embed it; False if it is stored already."""
    first = conversation.said[0].speaker
    with database.transaction(conversation.user) as conn:
        row = conn.execute(_STORED).fetchone()
        if row is None or not row[0]:
            for each in conversation.said:
                append(
                    conn,
                    f"session {each.session}",
                    "user" if each.speaker == first else "assistant",
                    each.text,
                    {"name": each.speaker, "said": each.id},
                    at=each.at,
                )
    return embed_messages(database, embedder, conversation.user) > 0


def _folder(data: Path) -> Path:
    for place in [data, *sorted(path.parent for path in data.glob("**/turns.jsonl*"))]:
        if any(place.glob("turns.jsonl*")) and any(place.glob("qa.jsonl*")):
            return place
    raise UsageError(
        f"{data} holds no conversations.",
        "Name a folder that has turns.jsonl.gz and qa.jsonl.gz: --data DIR.",
    )


def _records(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    path = next(iter(sorted(folder.glob(f"{name}.jsonl*"))))
    with path.open("rb") as raw, gzip.open(raw) if path.suffix == ".gz" else raw as lines:
        for line in lines:
            yield json.loads(line)
