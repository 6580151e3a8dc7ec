"""What is damaged, foreign or made by hand is refused whole, and the line is named."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.embedding import Embedder
from arxivscout.errors import UsageError
from arxivscout.memory import entity
from arxivscout.memory.postgres import Database
from arxivscout.memory.rights.erasing import counted, erase
from arxivscout.memory.rights.exporting import export, lines, written
from arxivscout.memory.rights.importing import import_memory

VECTOR = [0.1] * 384
LONG = "".join(map(chr, random.Random(7).choices(range(97, 123), k=30_000)))  # not compressible


def remember(database: Database, user: str, texts: list[str]) -> None:
    """A message and a memory of each text."""
    with database.transaction(user) as conn:
        for text in texts:
            conn.execute(
                "INSERT INTO conversational_memory (thread_id, role, content) "
                "VALUES ('t', 'user', %s)",
                [text],
            )
            entity.write(conn, f"fact: {text}", VECTOR, {"category": "fact"})


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


def with_checksum(file: Path, kept: list[str]) -> Path:
    """Lines written as an export with an end that fits them."""
    text = "".join(line + "\n" for line in kept)
    digest = hashlib.sha256(text.encode()).hexdigest()
    file.write_text(text + json.dumps({"end": {"rows": len(kept) - 1, "sha256": digest}}) + "\n")
    return file


def older(header: str) -> str:
    """The header of an export that was written before the newest tables were made."""
    return json.dumps(json.loads(header) | {"schema": 1})


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
        (
            '{"thread_id": "' + LONG + '", "role": "user", "content": "x"}',
            "line 10: value too long",
        ),
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
    """Whoever made it knows how to make a checksum; rows of older exports lack what came later."""
    kept = [*export_of_seven(database, tmp_path)[:-1], written("conversational_memory", row)]
    kept[1:3] = [written("conversational_memory", '{"thread_id": "t", "role": "user", '
                         f'"content": "{n}"}}') for n in range(3)]  # fmt: skip
    file = with_checksum(tmp_path / "ann.jsonl", [older(kept[0]), *kept[1:]])
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
    remember(database, "ann", ["I like cats."])
    *kept, _ = lines(database, "ann")
    memory = next(row for row in kept if row.startswith('{"type": "entity_memory"'))
    file = with_checksum(tmp_path / "ann.jsonl", [*kept, memory])
    with pytest.raises(UsageError, match="it stands there twice") as found:
        import_memory(database, embedder, "bob", file, mapped=True)
    assert "--as" not in str(found.value)  # that was given
    assert counted(database, "bob") == {}


@pytest.mark.parametrize("lacking", ["created_at", "langchain_id", "content"])
def test_a_row_that_lacks_a_column_is_named_unless_the_export_is_older(
    database: Database, embedder: Embedder, tmp_path: Path, lacking: str
) -> None:
    remember(database, "ann", ["I like cats."])
    header, *kept, _ = lines(database, "ann")
    at = next(n for n, row in enumerate(kept) if row.startswith('{"type": "entity_memory"'))
    row = json.loads(kept[at])["row"]
    del row[lacking]
    kept[at] = written("entity_memory", json.dumps(row))
    file = with_checksum(tmp_path / "ann.jsonl", [header, *kept])
    told = f"damaged at line {at + 2}: its row of entity_memory lacks '{lacking}'"
    with pytest.raises(UsageError, match=told):
        import_memory(database, embedder, "bob", file, mapped=True)
    assert counted(database, "bob") == {}
    if lacking == "created_at":
        with_checksum(file, [older(header), *kept])
        assert import_memory(database, embedder, "bob", file, mapped=True) == len(kept)


def test_a_row_too_long_for_an_index_is_named(
    database: Database, embedder: Embedder, tmp_path: Path
) -> None:
    remember(database, "ann", ["I like cats."])
    kept = list(lines(database, "ann"))[:-1]
    at = next(n for n, row in enumerate(kept) if row.startswith('{"type": "entity_memory"'))
    row = json.loads(kept[at])["row"] | {"name": LONG}
    kept[at] = written("entity_memory", json.dumps(row))
    file = with_checksum(tmp_path / "ann.jsonl", kept)
    with pytest.raises(UsageError, match=f"damaged at line {at + 1}: index row"):
        import_memory(database, embedder, "bob", file, mapped=True)
    assert counted(database, "bob") == {}
