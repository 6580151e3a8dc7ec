"""One person's ArxivScout, as the doors and other people's Python see it.

What is asked of it directly stands in three rooms: `asking.py` (turns), `holdings.py` (papers),
`remembered.py` (memory). What has much to say for itself is a door of its own, opened here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arxivscout.scout.asking import Asking, Decide
from arxivscout.scout.holdings import Holdings
from arxivscout.scout.person import Notice, quiet
from arxivscout.scout.remembered import Remembered

if TYPE_CHECKING:
    from arxivscout.batch.batches import Batches
    from arxivscout.history.lessons import Lessons
    from arxivscout.library import Library
    from arxivscout.memory.graph.own import Graph
    from arxivscout.memory.projects import Projects
    from arxivscout.watching import Watches

__all__ = ["Decide", "Notice", "Scout", "quiet"]


class Scout(Asking, Holdings, Remembered):
    """One person's ArxivScout: asks, searches, remembers."""

    @property
    def library(self) -> Library:
        """The person's library: papers cited, marked, compared, imported and exported."""
        from arxivscout.library import Library

        return Library(self.database, self.embedder, self.arxiv, self.user)

    @property
    def projects(self) -> Projects:
        """What the person works on: threads, papers and findings that belong together."""
        from arxivscout.memory.projects import Projects

        return Projects(self.database, self.embedder, self.user)

    @property
    def graph(self) -> Graph:
        """What is joined to what: among the person's memories, and among the papers."""
        from arxivscout.memory.graph.own import Graph

        return Graph(self.database, self.embedder, self.user)

    @property
    def watches(self) -> Watches:
        """The person's watches: topics of which they are told what is new on arXiv."""
        from arxivscout.watching import Watches

        return Watches(self.database, self.embedder, self.arxiv, self._services.leases, self.user)

    @property
    def lessons(self) -> Lessons:
        """What the person's turns have taught: episodes, lessons, and reflecting on them."""
        from arxivscout.history.lessons import Lessons

        return Lessons(self._services, self.user)

    def batches(self, model: str | None = None) -> Batches:
        """The person's batches of research jobs; `model` answers those that name nobody."""
        from arxivscout.batch.batches import Batches

        return Batches(self._services, self.user, model)
