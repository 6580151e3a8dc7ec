"""What a person's turns have taught: episodes, lessons, and the reflection that makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arxivscout.memory import episode, lesson
from arxivscout.memory.lesson import Lesson
from arxivscout.reflection.episode import Episode

if TYPE_CHECKING:
    from arxivscout.agent.services import Services


class Lessons:
    """One person's episodes and lessons."""

    def __init__(self, services: Services, user: str) -> None:
        self._services = services
        self._user = user

    def held(self, query: str = "", *, limit: int = 100, ended: bool = False) -> list[Lesson]:
        """The lessons that hold, the one last changed first; those nearest to a query.

        Args:
            ended: also those that held once.
        """
        if query.strip():
            vector = self._services.embedder.embed_query(query)
            with self._services.database.transaction(self._user) as conn:
                return lesson.search(conn, vector, limit)
        with self._services.database.transaction(self._user) as conn:
            return lesson.read(conn, limit=limit, ended=ended)

    def episodes(self, query: str = "", *, limit: int = 20) -> list[Episode]:
        """The newest episodes, or those whose requests are nearest to a query."""
        if query.strip():
            vector = self._services.embedder.embed_query(query)
            with self._services.database.transaction(self._user) as conn:
                return [each for each, _ in episode.search(conn, vector, limit)]
        with self._services.database.transaction(self._user) as conn:
            return episode.newest(conn, limit)

    def reflect(
        self, *, if_due: bool = False, dry_run: bool = False, model: str | None = None
    ) -> dict[str, Any]:
        """Reflect on the newest episodes: `agent.reflection_state.ReflectionOutput`.

        Raises:
            ThreadBusy: another process is at it.
            Fatal: it could not be done; nothing of it is stored.
        """
        from arxivscout.agent.reflecting import reflect

        if model is not None:
            self._services.settings.model_named(model)
        return reflect(self._services, self._user, if_due=if_due, dry_run=dry_run, model=model)

    def reflect_soon(self) -> None:
        """Reflect in the background if it is time, as after a turn."""
        from arxivscout.agent.reflecting import after_turn

        after_turn(self._services, self._user)
