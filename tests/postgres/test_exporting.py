"""What is exported comes back identical; what is damaged, foreign or another's is refused whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
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
from arxivscout.memory.rights.exporting import export, exported, lines, written
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


def broken(change: Callable[[list[str]], list[str]], written: list[str]) -> str:
    return "".join(line + "\n" for line in change(list(written)))


def changed(number: int, old: str, new: str) -> Callable[[list[str]], list[str]]:
    def change(kept: list[str]) -> list[str]:
        assert old in kept[number - 1]
        kept[number - 1] = kept[number - 1].replace(old, new)
        return kept

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda kept: kept[:-1], "is damaged at line 9: the file ends before it"),
        (lambda kept: [], "is no export of ArxivScout's memory"),
        (lambda kept: ["hello"], "is no export of ArxivScout's memory"),
        (lambda kept: ['{"format": "mem0"}', *kept[1:]], "is no export"),
        (lambda kept: ["[" * 100_000], "is no export"),
        (changed(1, '"version": 1', '"version": 2'), "A newer ArxivScout wrote"),
        (changed(1, '"version": 1', '"version": null'), "at line 1: it tells no version"),
        (lambda kept: [*kept, kept[1]], "it stands behind the end"),
        (lambda kept: [kept[0], *kept[2:]], "lines are missing, or in another order"),
        (lambda kept: [kept[0], kept[2], kept[1], *kept[3:]], "or in another order"),
        (lambda kept: [*kept[:3], kept[3][:-9], *kept[4:]], "at line 4: it is no row"),
        (changed(2, '"row"', '"ROW"'), "at line 2: it is no row of an export"),
        (changed(3, "cats", "dogs"), "at line 3: it is not as it was written"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_whole(
    database: Database, embedder: Embedder, tmp_path: Path, change, told: str
) -> None:
    file = tmp_path / "ann.jsonl"
    kept = export_of_seven(database, tmp_path)
    file.write_text(broken(change, kept), "utf-8")
    with pytest.raises(UsageError, match=told):
        import_memory(database, embedder, "ann", file)
    assert counted(database, "ann") == {}


def export_of_seven(database: Database, tmp_path: Path) -> list[str]:
    with database.transaction("ann") as conn:
        for n in range(7):
            conn.execute(
                "INSERT INTO conversational_memory (thread_id, role, content) "
                "VALUES ('t', 'user', %s)",
                [f"cats {n}"],
            )
    kept = list(lines(database, "ann"))
    erase(database, "ann", tmp_path)
    assert len(kept) == 9
    return kept


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("{}", "line 10: its row is empty"),
        ('{"thread_id": "t"}', "line 10: null value in column"),
        (
            '{"thread_id": "t", "role": "user", "content": "x", "id": "no id"}',
            "invalid input syntax",
        ),
        ('{"thread_id": "t", "user_id": "bob"}', "line 10: conversational_memory has no 'user_id'"),
        ('{"thread_id": "t", "password": "x"}', "has no 'password'"),
        ('{"thread_id": "t", "role": "user", "content": "\\u0000"}', "line 10"),
    ],
)
def test_a_row_that_can_not_be_stored_is_named(
    database: Database, embedder: Embedder, tmp_path: Path, row: str, told: str
) -> None:
    """Whoever made it knows how to make a checksum."""
    import hashlib

    kept = [*export_of_seven(database, tmp_path)[:-1], written("conversational_memory", row)]
    kept[1:3] = [written("conversational_memory", '{"thread_id": "t", "role": "user", '
                         f'"content": "{n}"}}') for n in range(3)]  # fmt: skip
    text = "".join(line + "\n" for line in kept)
    digest = hashlib.sha256(text.encode()).hexdigest()
    end = json.dumps({"end": {"rows": len(kept) - 1, "sha256": digest}})
    file = tmp_path / "ann.jsonl"
    file.write_text(text + end + "\n")
    with pytest.raises(UsageError, match=told):
        import_memory(database, embedder, "ann", file)
    assert counted(database, "ann") == {}


@settings(max_examples=15, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(data=st.data())
def test_no_change_of_a_byte_goes_unnoticed(
    database: Database, embedder: Embedder, tmp_path: Path, data: st.DataObject
) -> None:
    file = tmp_path / "ann.jsonl"
    if not file.exists():
        remember(database, "ann", ["I like cats.", "“Ünïcode”\u2028"])
        export(database, "ann", file)
        erase(database, "ann", tmp_path)
    whole = file.read_bytes()
    place = data.draw(st.integers(whole.index(b"\n"), len(whole) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda each: each != whole[place]))
    hurt = tmp_path / "hurt.jsonl"
    hurt.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
    with pytest.raises(UsageError):
        import_memory(database, embedder, "ann", hurt)
    assert counted(database, "ann") == {}


def test_a_row_that_stands_twice_is_told_so(
    database: Database, embedder: Embedder, tmp_path: Path
) -> None:
    """Though the checksums are right: whoever made the file made those, too."""
    file = tmp_path / "ann.jsonl"
    remember(database, "ann", ["I like cats."])
    export(database, "ann", file)
    header, *rows, _ = file.read_text().splitlines(keepends=True)
    memory = next(row for row in rows if row.startswith('{"type": "entity_memory"'))
    twice = "".join([header, *rows, memory])
    end = {"rows": len(rows) + 1, "sha256": hashlib.sha256(twice.encode()).hexdigest()}
    file.write_text(twice + json.dumps({"end": end}) + "\n")
    with pytest.raises(UsageError, match="it stands there twice"):
        import_memory(database, embedder, "bob", file, mapped=True)
    assert counted(database, "bob") == {}
