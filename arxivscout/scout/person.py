"""Whose ArxivScout it is, and what all rooms of it work with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arxivscout.agent.services import Services
    from arxivscout.sources.arxiv_api import ArxivClient

Notice = Callable[[str], None]


def quiet(text: str) -> None:
    """Tell nobody."""


class Person:
    """One person, and the live objects of the process."""

    def __init__(self, services: Services, user: str) -> None:
        self.user = user
        self.settings = services.settings
        self.database = services.database
        self.embedder = services.embedder
        self._services = services

    @property
    def arxiv(self) -> ArxivClient:
        """arXiv's API."""
        return self._services.arxiv
