"""Memories are filed as they are stored, under the categories that their person wants."""

from __future__ import annotations

from uuid import UUID

import pytest

from arxivscout.embedding import Embedder
from arxivscout.errors import NotFound, UsageError
from arxivscout.memory import categories, gate
from arxivscout.memory.candidate import Candidate
from arxivscout.memory.categories import categories as categories_of
from arxivscout.memory.postgres import Database
from arxivscout.memory.remembering import consent, leave_out

BEGUN = [
    "active projects", "archived projects", "reading notes", "findings", "preferences", "methods",
    "open questions", "small talk",
]  # fmt: skip


def remember(
    database: Database, embedder: Embedder, *candidates: Candidate, user: str = "ann"
) -> list[UUID]:
    vectors = embedder.embed_documents([each.text for each in candidates])
    with database.transaction(user) as conn:
        return [each.id for each in gate.remember(conn, candidates, [], vectors)]


def filed(database: Database, user: str = "ann") -> dict[str, str | None]:
    with database.transaction(user) as conn:
        rows = conn.execute("SELECT content, filed_under FROM entity_memory").fetchall()
    return dict(rows)


def test_everybody_begins_with_the_same_eight(database: Database) -> None:
    with database.transaction("ann") as conn:
        assert [each.name for each in categories_of(conn)] == BEGUN
        assert [each.memories for each in categories_of(conn)] == [0] * 8


def test_what_is_stored_is_filed_by_its_kind_its_words_or_what_it_is_like(
    database: Database, embedder: Embedder
) -> None:
    with database.transaction("ann") as conn:
        categories_of(conn)
    categories.file_what_is_not(database, embedder, "ann")  # now with vectors
    meant = {
        ("preference", "I avoid simulations."): "preferences",
        ("decision", "We take the smaller detector."): "active projects",
        ("question", "How heavy is the axion?"): "open questions",
        ("finding", "Cores are shallow in dwarf galaxies."): "findings",
        ("fact", "My deadline is 3 May."): "active projects",
        ("fact", "Everything runs on four GPUs."): "methods",
        ("fact", "My children were ill with the flu."): "small talk",
        ("dataset", "LoCoMo"): "methods",
        ("paper", "A paper"): "reading notes",
    }
    remember(database, embedder, *(Candidate(kind, text) for kind, text in meant))
    held = filed(database)
    assert {text: held[text] for _, text in meant} == {
        text: category for (_, text), category in meant.items()
    }


def test_what_is_meant_comes_first_and_follows_a_new_name(
    database: Database, embedder: Embedder
) -> None:
    with database.transaction("ann") as conn:
        categories.rename(conn, "Methods", "Tools of the trade")
        with pytest.raises(NotFound, match="tools of the trade"):
            categories.rename(conn, "methods", "again")
    remember(database, embedder, Candidate("finding", "It works.", filed_under="methods"))
    assert filed(database)["It works."] == "tools of the trade"


def test_a_new_category_takes_what_it_was_made_for(database: Database, embedder: Embedder) -> None:
    with database.transaction("ann") as conn:
        categories_of(conn)
    categories.file_what_is_not(database, embedder, "ann")
    remember(
        database,
        embedder,
        Candidate("finding", "Dwarf galaxies have shallow cores of dark matter."),
        Candidate("finding", "Transformers need warm-up."),
    )
    with database.transaction("ann") as conn:
        assert categories.add(conn, " Thesis ", "Dark matter in dwarf galaxies", embedder) == 1
        with pytest.raises(UsageError, match="already"):
            categories.add(conn, "thesis", "", embedder)
    assert set(filed(database).values()) == {"thesis", "findings"}
    remember(database, embedder, Candidate("fact", "Dark matter halos of dwarf galaxies matter."))
    assert filed(database)["Dark matter halos of dwarf galaxies matter."] == "thesis"
    with database.transaction("ann") as conn:
        assert categories.remove(conn, "thesis") == 2
    assert "thesis" not in filed(database).values()
    assert None not in filed(database).values()


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "\x07"])
def test_a_name_that_is_none_is_refused(database: Database, embedder: Embedder, name: str) -> None:
    with database.transaction("ann") as conn, pytest.raises(UsageError, match="1 to 60"):
        categories.add(conn, name, "what", embedder)


def test_categories_are_their_persons(database: Database, embedder: Embedder) -> None:
    with database.transaction("ann") as conn:
        categories.add(conn, "secret", "secret things", embedder)
        for name in BEGUN:
            categories.remove(conn, name)
        with pytest.raises(UsageError, match="left"):
            categories.remove(conn, "secret")
    with database.transaction("bob") as conn:
        assert [each.name for each in categories_of(conn)] == BEGUN
    remember(database, embedder, Candidate("fact", "A secret."), user="bob")
    assert filed(database, "bob") == {"A secret.": None}


def test_what_was_filed_nowhere_is_filed_later_and_logged_as_that(
    database: Database, embedder: Embedder
) -> None:
    remember(database, embedder, Candidate("finding", "It works."))
    with database.transaction("ann") as conn:
        conn.execute("UPDATE entity_memory SET filed_under = NULL")
    assert categories.file_what_is_not(database, embedder, "ann") == 1
    assert filed(database) == {"It works.": "findings"}
    with database.transaction("ann") as conn:
        log = conn.execute("SELECT change FROM change_log ORDER BY id DESC LIMIT 1").fetchone()
    assert log == ("file",)


def left_out(database: Database) -> frozenset[str]:
    return consent(database, "ann").left_out


def test_what_is_left_out_stays_so_under_another_name(
    database: Database, embedder: Embedder
) -> None:
    with database.transaction("ann") as conn:
        categories_of(conn)
    leave_out(database, "ann", ["small talk", "findings"])
    with database.transaction("ann") as conn:
        categories.rename(conn, "Small talk", "Everyday")
    assert left_out(database) == {"everyday", "findings"}
    with database.transaction("ann") as conn, pytest.raises(UsageError, match="take-in"):
        categories.remove(conn, "everyday")
    leave_out(database, "ann", [])
    with database.transaction("ann") as conn:
        categories.remove(conn, "everyday")
        assert "everyday" not in [each.name for each in categories_of(conn)]
