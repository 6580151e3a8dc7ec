"""Whose papers a question asks for, in the languages that it may be in."""

from __future__ import annotations

from datetime import date

import pytest

from arxivscout.llm.extractive_filters import find_filters
from arxivscout.preferences import Wishes


@pytest.mark.parametrize(
    ("question", "author", "topic"),
    [
        ("papers by Yu Shi", "Yu Shi", "papers"),
        ("articoli di Yu Shi", "Yu Shi", "papers"),
        ("Quali articoli di Yu Shi?", "Yu Shi", "papers"),
        ("Che cosa ha scritto Yu Shi sulla musica?", "Yu Shi", "musica?"),
        ("lavori di Berta van der Berg", "Berta van der Berg", "papers"),
        ("Arbeiten von Anna Müller über Galaxien", "Anna Müller", "Galaxien"),
        ("Was hat Yu Shi geschrieben?", "Yu Shi", "papers"),
        ("Quels articles de Yu Shi ?", "Yu Shi", "papers"),
        ("artículos de Juan Maldacena sobre cuerdas", "Juan Maldacena", "cuerdas"),
        ("¿Qué ha escrito Juan Maldacena?", "Juan Maldacena", "papers"),
        ("articoli di Fisica", None, "articoli di Fisica"),
        ("articoli di fisica nucleare", None, "articoli di fisica nucleare"),
        ("articoli di Monte Carlo", None, "articoli di Monte Carlo"),
        ("articles on Yu Shi", None, "articles on Yu Shi"),
    ],
)
def test_authors_are_named_behind_what_they_wrote(
    question: str, author: str | None, topic: str
) -> None:
    rest, filters = find_filters(question, Wishes(), date(2026, 1, 1))
    assert (filters.author, rest) == (author, topic)
