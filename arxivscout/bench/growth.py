"""Whether memory grows when it is told what it knows: the same turns, again and again.

They go through what every turn goes through: the rules of learning, then the write gate. Each time
they are other turns, on another day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from arxivscout.learning import Turn, learned
from arxivscout.memory import gate

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database

BEGUN = datetime(2026, 1, 1, 9, tzinfo=UTC)
# Of a researcher who works on many things, none of which contradicts another.
_SUBJECTS = """
dark matter in dwarf galaxies|jet tagging at the LHC|quantum error correction|protein folding
neutrino oscillations|graph neural networks|sparse attention|gravitational waves|stellar streams
topological insulators|diffusion models|lattice QCD|exoplanet atmospheres|causal inference
speech recognition|cosmic rays|spin glasses|reinforcement learning|supernova rates|neural operators
plasma turbulence|galaxy clustering|tensor networks|federated learning|axion searches|cold atoms
machine translation|weak lensing|program synthesis|traffic forecasting|quantum chemistry
soft robotics|pulsar timing|summarisation of meetings|crystal growth|sea ice drift|gene regulation
knowledge graphs|muon decays|radio interferometry
"""
_TOOLS = ("PyTorch", "JAX", "Geant4", "ROOT", "Astropy", "SciPy", "Julia", "TensorFlow")
_SAID = (
    "I work on {subject}.",
    "I use {tool} for {subject}.",
    "We decided to submit the study of {subject} to a workshop.",
    "I still don't know whether {subject} needs more data.",
    "I avoid reviews of {subject}, because the last one was of no use.",
)


@dataclass(frozen=True, slots=True)
class Growth:
    """Rows of memories and edges, with what is no longer so, after each time it was all said."""

    turns: int
    rows: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values; `growth` is of the last time over the first."""
        grown = self.rows[-1] / self.rows[0] - 1 if self.rows[0] else 0.0
        return {"turns": self.turns, "rows": list(self.rows), "growth": round(grown, 4)}


def turns() -> list[str]:
    """Two hundred messages, each of which says something to be remembered."""
    subjects = [each for line in _SUBJECTS.split("\n") for each in line.split("|") if each]
    return [
        said.format(subject=subject, tool=_TOOLS[number % len(_TOOLS)])
        for number, subject in enumerate(subjects)
        for said in _SAID
    ]


_ROWS = """
SELECT (SELECT count(*) FROM entity_memory WHERE user_id = scout_user())
       + (SELECT count(*) FROM relation_memory WHERE user_id = scout_user())
"""
_EMPTY = ("DELETE FROM relation_memory", "DELETE FROM entity_memory", "DELETE FROM change_log")


def growth(
    database: Database,
    embedder: Embedder,
    user: str,
    said: Sequence[str],
    *,
    times: int = 10,
) -> Growth:
    """Say all of it so many times, in the name of a person made for it who is empty at the end."""
    counts = []
    try:
        for time in range(times):
            for number, words in enumerate(said):
                at = BEGUN + timedelta(days=30 * time, minutes=number)
                _learn(database, embedder, user, words, at)
            with database.transaction(user) as conn:
                (rows,) = conn.execute(_ROWS).fetchone() or (0,)
            counts.append(int(rows))
    finally:
        with database.transaction(user) as conn:
            for statement in _EMPTY:
                conn.execute(f"{statement} WHERE user_id = scout_user()")
    return Growth(len(said), tuple(counts))


def _learn(database: Database, embedder: Embedder, user: str, words: str, at: datetime) -> None:
    turn = uuid4()
    found = learned(Turn(person=user, words=words, at=at, thread_id=f"day {at:%j}", turn_id=turn))
    if not found.candidates:
        return
    vectors = embedder.embed_documents([each.text for each in found.candidates])
    with database.transaction(user, turn) as conn:
        gate.remember(conn, found.candidates, found.links, vectors, at=at)
