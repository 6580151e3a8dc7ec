"""What is exported comes back identical, here or as another person's."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.types.json import Json

from arxivscout.embedding import Embedder
from arxivscout.errors import UsageError
from arxivscout.memory import entity, relation, summary
from arxivscout.memory.postgres import Database
from arxivscout.memory.remembering import decide_remembering
from arxivscout.memory.rights.erasing import counted, erase
from arxivscout.memory.rights.exporting import export, exported, lines
from arxivscout.memory.rights.importing import import_memory
from arxivscout.memory.rights.tables import tables

VECTOR = [0.1] * 384
# What a person may say: any script, quotes, ends of lines that are none in JSON, no NUL.
TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1)


def remember(database: Database, user: str, texts: list[str]) -> None:
    """Messages, memories with an edge, a summary, a change of one, a decision."""
    turn = uuid4()
    decide_remembering(database, user, "everything")
    with database.transaction(user, turn) as conn:
        for text in texts:
            conn.execute(
                "INSERT INTO conversational_memory (thread_id, role, content, metadata) "
                "VALUES ('t', 'user', %s, %s)",
                [text, Json({"b": text, "a": [1.50, None, {"é": 0.1}]})],
            )
        about = {"category": "fact", "turn_id": str(turn), "said": {"z": texts[0], "a": 1}}
        first = entity.write(conn, f"fact: {texts[0]}", VECTOR, about)
        person = entity.write(
            conn, f"{user}, the researcher", VECTOR, {"category": "person", "name": user}
        )
        relation.add(conn, person, "said", first, {"words": texts[-1]})
        summary.write(conn, f"summary of {texts[-1]}", VECTOR, {"thread_id": "t"})
    with database.transaction(user) as conn:
        entity.update(conn, first, f"rather: {texts[-1]}", VECTOR, reason=texts[0])


def kept(database: Database, user: str) -> dict[str, int]:
    """Rows by table, but for those that tell of work to be done."""
    return {name: n for name, n in counted(database, user).items() if name != "relation_news"}


def rows(database: Database, user: str, *, vectors: bool = False) -> list[str]:
    """The lines of an export without its header and its end."""
    return list(lines(database, user, vectors=vectors))[1:-1]


def test_every_table_of_persons_is_exported_or_made_anew(database: Database) -> None:
    with database.transaction("ann") as conn:
        own = {table.name for table in tables(conn) if table.is_own}
        names = [table.name for table in exported(conn)]
    assert own - set(names) == {
        "message_index", "message_word", "memory_word", "distilled_word", "relation_news",
        "entity_key", "entity_name", "search_cache", "thread_lease",
    }  # fmt: skip
    assert names[-1] == "change_log"
    assert names.index("entity_memory") < names.index("relation_memory")


@settings(max_examples=8, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(texts=st.lists(TEXTS, min_size=1, max_size=4, unique=True))
def test_a_round_trip_changes_nothing(
    database: Database, embedder: Embedder, tmp_path: Path, texts: list[str]
) -> None:
    file = tmp_path / "ann.jsonl"
    erase(database, "ann", tmp_path)
    remember(database, "ann", texts)
    before, counts = rows(database, "ann"), kept(database, "ann")
    assert export(database, "ann", file) == len(before)
    erase(database, "ann", tmp_path)
    assert import_memory(database, embedder, "ann", file) == len(before)
    assert rows(database, "ann") == before
    assert kept(database, "ann") == counts
    with database.transaction("ann") as conn:
        bare = conn.execute("SELECT count(*) FROM entity_memory WHERE embedding IS NULL")
        assert bare.fetchone() == (0,)


def test_vectors_come_along_where_the_embedder_is_the_same(
    database: Database, embedder: Embedder, tmp_path: Path
) -> None:
    file = tmp_path / "ann.jsonl"
    remember(database, "ann", ["I like cats."])
    before = rows(database, "ann", vectors=True)
    export(database, "ann", file, vectors=True)
    erase(database, "ann", tmp_path)
    import_memory(database, embedder, "ann", file)
    assert rows(database, "ann", vectors=True) == before


def test_the_same_memory_becomes_anothers(
    database: Database, embedder: Embedder, tmp_path: Path
) -> None:
    file = tmp_path / "ann.jsonl"
    remember(database, "ann", ["I like cats."])
    export(database, "ann", file)
    anns = rows(database, "ann")
    with pytest.raises(UsageError, match=r"is the memory of 'ann', not of 'bob'\. `--as bob`"):
        import_memory(database, embedder, "bob", file)
    import_memory(database, embedder, "bob", file, mapped=True)
    assert kept(database, "bob") == kept(database, "ann")
    assert rows(database, "ann") == anns
    with database.transaction("bob") as conn:
        found = conn.execute("SELECT name, content FROM entity_memory WHERE category = 'person'")
        assert found.fetchall() == [("bob", "bob, the researcher")]
        joined = conn.execute(
            "SELECT count(*) FROM relation_memory AS edge "
            "JOIN entity_memory AS subject ON subject.langchain_id = subject_id "
            "JOIN entity_memory AS object ON object.langchain_id = object_id"
        )
        assert joined.fetchone()[0] >= 1
    with pytest.raises(UsageError, match="There are memories already"):
        import_memory(database, embedder, "bob", file, mapped=True)


def test_rows_that_are_anothers_here_are_not_taken(
    database: Database, embedder: Embedder, tmp_path: Path
) -> None:
    """Under the exporter's name again, while another has the same rows."""
    file = tmp_path / "ann.jsonl"
    remember(database, "ann", ["I like cats."])
    export(database, "ann", file)
    with database.admin() as conn:
        for name in ("conversational_memory", "entity_memory", "summary_memory"):
            conn.execute(f"UPDATE arxivscout.{name} SET user_id = 'bob' WHERE user_id = 'ann'")
    with pytest.raises(UsageError, match=r"Line \d+ of .* is stored already"):
        import_memory(database, embedder, "ann", file)
