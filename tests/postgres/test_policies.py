"""What is proposed to be archived, deleted or closed, and why; what a person agrees to is done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory import categories, project, summary
from arxivscout.memory.fading import HalfLives, importance_of, value
from arxivscout.memory.policies import Proposal, follow, proposals
from arxivscout.memory.postgres import Database
from arxivscout.memory.projects import Projects
from arxivscout.policies import Policy

VECTOR = [0.1] * 384
NOW = datetime(2030, 6, 1, tzinfo=UTC)
HALF = HalfLives()


def remember(
    database: Database,
    text: str,
    kind: str,
    filed_under: str,
    days: float,
    used: float | None = None,
) -> UUID:
    """A memory that was stored so many days before NOW, and used once since, if it was."""
    at = NOW - timedelta(days=days)
    with database.transaction("ann") as conn:
        row = conn.execute(
            "INSERT INTO entity_memory (content, category, filed_under, created_at, updated_at, "
            "valid_from) VALUES (%s, %s, %s, %s, %s, %s) RETURNING langchain_id",
            [text, kind, filed_under, at, at, at],
        ).fetchone()
        held: UUID = row[0]
        if used is not None:
            conn.execute(
                "INSERT INTO memory_use (memory_id, uses, last_used_at) VALUES (%s, 1, %s)",
                [held, NOW - timedelta(days=used)],
            )
    return held


def proposed(
    database: Database, policies: dict[str, Policy], below: float = 0
) -> dict[str, Proposal]:
    with database.transaction("ann") as conn:
        found = proposals(conn, policies, HALF, below, NOW)
    return {each.text: each for each in found}


def state(database: Database, memory: UUID) -> str:
    with database.transaction("ann") as conn:
        row = conn.execute(
            "SELECT archived_at IS NULL FROM entity_memory WHERE langchain_id = %s", [memory]
        ).fetchone()
    return "gone" if row is None else "live" if row[0] else "archived"


def test_a_policy_counts_from_the_last_touch(database: Database) -> None:
    old = remember(database, "old", "finding", "findings", 100)
    remember(database, "new", "finding", "findings", 10)
    remember(database, "used", "finding", "findings", 100, used=3)
    remember(database, "elsewhere", "fact", "methods", 100)
    found = proposed(database, {"findings": Policy("archive", 30)})
    assert list(found) == ["old"]
    assert found["old"].why == "policy for findings: archive after 30 days"
    assert (found["old"].do, found["old"].id, found["old"].memory_kind) == (
        "archive", old, "finding",
    )  # fmt: skip
    with database.transaction("ann") as conn:
        assert follow(conn, list(found.values())) == 1
    assert state(database, old) == "archived"
    assert proposed(database, {"findings": Policy("archive", 30)}) == {}
    with database.transaction("ann") as conn:
        row = conn.execute(
            "SELECT change, reason FROM change_log WHERE row_id = %s ORDER BY id DESC LIMIT 1",
            [old],
        ).fetchone()
    assert row == ("archive", "policy for findings: archive after 30 days")


def test_a_policy_deletes_what_rests_too(database: Database) -> None:
    talk = remember(database, "hello", "fact", "Small talk", 20)
    rests = remember(database, "hi", "fact", "small talk", 20)
    with database.transaction("ann") as conn:
        conn.execute(
            "UPDATE entity_memory SET archived_at = %s WHERE langchain_id = %s", [NOW, rests]
        )
    found = proposed(database, {"small talk": Policy("delete", 14)})
    assert {each.do for each in found.values()} == {"delete"}
    with database.transaction("ann") as conn:
        assert follow(conn, list(found.values())) == 2
    assert (state(database, talk), state(database, rests)) == ("gone", "gone")


def test_what_was_touched_since_is_left_alone(database: Database) -> None:
    first = remember(database, "one", "finding", "findings", 100)
    second = remember(database, "two", "finding", "findings", 100)
    found = proposed(database, {"findings": Policy("delete", 30)})
    with database.transaction("ann") as conn:
        conn.execute(
            "INSERT INTO memory_use (memory_id, uses, last_used_at) VALUES (%s, 1, %s)",
            [first, NOW],
        )
    with database.transaction("ann") as conn:
        assert follow(conn, list(found.values())) == 1
    assert (state(database, first), state(database, second)) == ("live", "gone")


def test_what_has_faded_is_proposed_and_called_decay(database: Database) -> None:
    faded = remember(database, "faded", "finding", "findings", 2_000)
    remember(database, "refreshed", "finding", "findings", 2_000, used=1)
    remember(database, "preferred", "preference", "preferences", 9_000)
    found = proposed(database, {}, below=0.05)
    assert list(found) == ["faded"]
    assert found["faded"].why.startswith("faded: it is worth 0.0")
    with database.transaction("ann") as conn:
        follow(conn, list(found.values()))
    assert state(database, faded) == "archived"
    with database.transaction("ann") as conn:
        row = conn.execute(
            "SELECT change FROM change_log WHERE row_id = %s ORDER BY id DESC LIMIT 1", [faded]
        ).fetchone()
    assert row == ("decay",)


def test_small_talk_fades_first_under_another_name_too(database: Database) -> None:
    remember(database, "it rains", "fact", "small talk", 100)
    remember(database, "halos are cored", "fact", "findings", 100)
    with database.transaction("ann") as conn:
        categories.rename(conn, "small talk", "Everyday")
    remember(database, "it snows", "fact", "Everyday", 100)
    assert sorted(proposed(database, {}, below=0.2)) == ["it rains", "it snows"]


@settings(max_examples=20, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(
    days=st.floats(0, 5_000),
    used=st.none() | st.floats(0, 5_000),
    kind=st.sampled_from(["finding", "preference", "decision", "fact"]),
    below=st.floats(0.01, 1),
)
def test_what_is_proposed_is_worth_less_than_the_threshold(
    database: Database, days: float, used: float | None, kind: str, below: float
) -> None:
    text = str(uuid4())
    remember(database, text, kind, "findings", days, used)
    unused = days if used is None else used
    worth = value(days, unused, used is not None, kind, importance_of(kind, "findings"), HALF)
    if abs(worth - below) > 1e-6:
        assert (text in proposed(database, {}, below)) == (worth < below)
    with database.transaction("ann") as conn:
        conn.execute("DELETE FROM entity_memory")
        conn.execute("DELETE FROM memory_use")


@pytest.fixture
def projects(database: Database, embedder) -> Projects:
    return Projects(database, embedder, "ann")


def test_an_idle_project_is_closed_by_its_category_s_policy(
    database: Database, projects: Projects
) -> None:
    made = projects.new("thesis", "Halo masses")
    projects.new("other")
    with database.transaction("ann") as conn:
        conn.execute("UPDATE project SET created_at = %s WHERE id = %s",
                     [NOW - timedelta(days=200), made.id])  # fmt: skip
        conn.execute("UPDATE project SET created_at = %s WHERE id <> %s", [NOW, made.id])
    found = proposed(database, {"active projects": Policy("archive", 90)})
    assert [(each.do, each.text) for each in found.values()] == [("close", "thesis")]
    with database.transaction("ann") as conn:
        assert follow(conn, list(found.values())) == 1
        assert follow(conn, list(found.values())) == 0
    assert [each.name for each in projects.all() if each.closed_at] == ["thesis"]


def in_thread(database: Database, thread: str, kind: str, text: str) -> UUID:
    with database.transaction("ann") as conn:
        row = conn.execute(
            "INSERT INTO entity_memory (content, category, thread_id) VALUES (%s, %s, %s) "
            "RETURNING langchain_id",
            [text, kind, thread],
        ).fetchone()
    return row[0]


def test_closing_keeps_the_summary_and_reopening_brings_the_details_back(
    database: Database, projects: Projects
) -> None:
    projects.new("thesis", "Halo masses of dwarf galaxies")
    projects.enter("thesis", "reading")
    finding = in_thread(database, "reading", "finding", "Draco weighs 1e8.")
    decision = in_thread(database, "reading", "decision", "We use Jeans models.")
    question = in_thread(database, "reading", "question", "Is Draco cored?")
    wish = in_thread(database, "reading", "preference", "I prefer short answers.")
    aside = in_thread(database, "elsewhere", "fact", "Cats purr.")
    rested = in_thread(database, "reading", "fact", "Draco is near.")
    with database.transaction("ann") as conn:
        conn.execute("UPDATE entity_memory SET archived_at = now() WHERE langchain_id = %s",
                     [rested])  # fmt: skip
        condensed = summary.write(conn, "They spoke of Draco.", VECTOR, {"thread_id": "reading"})
    assert projects.add("thesis", papers=["2505.21638v2", "2505.21638"]) == 1
    found, text, archived = projects.close("THESIS")
    assert archived == 4
    for told in ("Draco weighs 1e8.", "We use Jeans models.", "Is Draco cored?", "2505.21638",
                 "Goal: Halo masses", "reading: 0 turns", str(finding)[:8]):  # fmt: skip
        assert told in text
    assert text.index("Progress") < text.index("Decisions") < text.index("To do")
    assert [state(database, each) for each in (finding, decision, question, wish, aside)] == [
        "archived", "archived", "archived", "live", "live",
    ]  # fmt: skip
    with database.transaction("ann") as conn:
        kept = conn.execute(
            "SELECT langchain_id = %s, archived_at IS NULL, filed_under FROM summary_memory "
            "ORDER BY 1",
            [condensed],
        ).fetchall()
    assert kept == [(False, True, "archived projects"), (True, False, None)]
    with pytest.raises(UsageError, match="is closed"):
        projects.enter("thesis", "more")
    with pytest.raises(UsageError, match="closed already"):
        projects.close("thesis")
    assert projects.reopen("thesis")[1] == 4
    assert state(database, finding) == "live" and state(database, rested) == "archived"
    with pytest.raises(UsageError, match="is open"):
        projects.reopen("thesis")
    projects.summarize("thesis")
    with database.transaction("ann") as conn:
        assert conn.execute("SELECT count(*) FROM summary_memory").fetchone() == (2,)
        assert project.of_thread(conn, "reading") == found.id


def test_projects_are_named_and_private(database: Database, embedder, projects: Projects) -> None:
    made = projects.new("  Dark\tmatter ")
    assert made.name == "Dark matter"
    assert projects.named("dark MATTER").id == projects.named(str(made.id)[:8]).id == made.id
    bob = Projects(database, embedder, "bob")
    assert bob.all() == []
    bad: list[tuple[type[Exception], Callable[[], object]]] = [
        (UsageError, lambda: projects.new("Dark matter")),
        (UsageError, lambda: projects.new(" ")),
        (UsageError, lambda: projects.new("x" * 101)),
        (NotFound, lambda: bob.named("Dark matter")),
        (NotFound, lambda: projects.add("Dark matter", thread_ids=["none"])),
        (NotFound, lambda: projects.add("Dark matter", memories=["nothing like it"])),
        (UsageError, lambda: projects.add("Dark matter", papers=["no id"])),
    ]
    for error, attempt in bad:
        with pytest.raises(error):
            attempt()
