"""What became of the records of one ingestion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from arxivscout.papers import Skipped

# Skipped records that a report names; of the others it has the number, so that a file of nothing
# but bad lines takes no memory.
SKIPPED_KEPT = 1_000


@dataclass(slots=True)
class IngestReport:
    """What became of the records."""

    new: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: list[Skipped] = field(default_factory=list)  # the first SKIPPED_KEPT
    skipped_total: int = 0
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def read(self) -> int:
        """Records that are dealt with."""
        return self.stored + self.unchanged + self.skipped_total

    @property
    def stored(self) -> int:
        """Papers that this run wrote."""
        return self.new + self.updated

    def skip(self, one: Skipped, *, keep: bool = False) -> None:
        """Count a record that is skipped, and name it while there is room, or to `keep` it."""
        self.skipped_total += 1
        if keep or len(self.skipped) < SKIPPED_KEPT:
            self.skipped.append(one)


Progress = Callable[[IngestReport], None]
