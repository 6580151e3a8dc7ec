"""No secret that was typed is kept anywhere, or read by anybody."""

from __future__ import annotations

import pytest
from turns.looked_for import holding
from turns.scripted import calls, says
from turns.settled import settle

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.identity import thread_of
from arxivscout.errors import UsageError
from arxivscout.memory import batches, categories, entity, relation, tool_log, workflow
from arxivscout.memory.entity import write as write_entity
from arxivscout.memory.manager import MemoryManager
from arxivscout.redaction import SECRET

SAID = "Is my password hunter2Secret! any good for neutral mesons? The PIN of my card is 4711."
MEMORIES = """
SELECT t::text FROM entity_memory AS t UNION ALL SELECT t::text FROM relation_memory AS t
UNION ALL SELECT t::text FROM workflow_memory AS t UNION ALL SELECT t::text FROM summary_memory AS t
UNION ALL SELECT t::text FROM episode_memory AS t
"""


def kept(scout) -> list[str]:
    settle(scout)
    with scout.database.transaction(scout.user) as conn:
        return [
            row.replace("\\", "") for (row,) in conn.execute(MEMORIES).fetchall()
        ]  # as text of a row, without its vector's worth


def test_what_a_turn_leaves_in_memory_holds_no_secret(scripted) -> None:
    search = calls(("search_papers", {"query": "neutral mesons"}))
    scout, _ = scripted(search, says("One measures CP [arXiv:0712.2288]."))
    scout.ask(SAID, thread_id="one")
    rows = kept(scout)
    assert any("task: " in row for row in rows) and any("looked_at" in row for row in rows)
    assert not [row for row in rows if "hunter2" in row or "4711." in row]
    assert scout.history.last_exchange("one").question == (
        f"Is my password {SECRET} any good for neutral mesons? The PIN of my card is {SECRET}"
    )
    assert holding(scout.database, "hunter2") == {}


def test_what_is_remembered_on_request_is_shown_as_it_is_kept(scout) -> None:
    answer = scout.ask("Remember that my wifi key is 'blue-Lagoon-77'.")
    assert "[secret removed]" in answer.answer and "Lagoon" not in answer.answer
    scout.ask("I decided to use the password hunter2Secret! for the cluster.")
    assert not [row for row in kept(scout) if "Lagoon" in row or "hunter2" in row]


def test_metadata_quotes_and_notes_go_the_same_way(scout) -> None:
    with scout.database.transaction(scout.user) as conn:
        one = write_entity(conn, "one", None, {"note": {"all": ["password: Gatto99!"]}})
        two = write_entity(conn, "two", None, {"thread_id": "PIN 4711"})
        said = "my password is Gatto99!"
        relation.add(conn, one, "extends", two, {"why": said}, quote=said, reason=said)
        workflow.write(conn, f"task: {said}", None, {"workflow_type": "x", "steps": [said]})
    rows = kept(scout)
    assert not [row for row in rows if "Gatto99" in row]
    assert [row for row in rows if "PIN 4711" in row]  # a thread's name


LOGS = "SELECT t::text FROM tool_log_memory AS t UNION ALL SELECT report::text FROM turn"
VECTOR = "SELECT content, embedding::text FROM workflow_memory"


def test_logs_and_reports_of_a_turn_hold_no_secret_and_no_vector_is_made_of_one(scripted) -> None:
    search = calls(("search_papers", {"query": "mesons with my password hunter2Secret!"}))
    scout, _ = scripted(search, says("One measures CP [arXiv:0712.2288]."))
    scout.ask(SAID, thread_id="one")
    settle(scout)
    with scout.database.transaction(scout.user) as conn:
        rows = [row for (row,) in conn.execute(LOGS).fetchall()]
        content, vector = conn.execute(VECTOR).fetchone()
    assert any("search_papers" in row for row in rows)
    assert not [row for row in rows if "hunter2" in row]
    made = scout.embedder.embed_documents([content])[0]
    assert [float(each) for each in vector[1:-1].split(",")] == pytest.approx(made, abs=1e-4)


def test_a_secret_that_only_its_key_names_is_taken_out_of_a_log(scout) -> None:
    with scout.database.transaction(scout.user) as conn:
        tool_log.append(
            conn, "t", "login", {"user": "ann", "password": "gatto", "api_key": ["x1y2z3"]}
        )
        tool_log.append(conn, "t", "read", {"token": "a"}, "The PIN of my card is 4711.")
        rows = " ".join(row for (row,) in conn.execute(LOGS).fetchall())
    assert "ann" in rows and "gatto" not in rows and "x1y2z3" not in rows and "4711" not in rows


def test_what_a_thread_is_called_by_its_first_question_holds_no_secret(scout) -> None:
    asked = "Is my password hunter2Secret! any good?"
    assert "hunter2" not in scout.history.name_for(asked)
    scout.ask(asked, thread_id="one")
    assert "hunter2" not in scout.history.title_of("one")


TYPED = ("My password is hunter2Secret! and my address anna.b@cern.ch, call +41 22 767 61 11.",
         ("hunter2", "anna.b", "767 61"))  # fmt: skip


def test_a_question_is_read_by_nobody_before_its_secrets_are_out(scripted) -> None:
    said, hidden = TYPED
    scout, model = scripted(says("I see."), says("As I said."))
    answer = scout.ask(f"{said} What is known about mesons?", thread_id="one")
    assert [each for each in answer.degraded if "neither read nor kept" in each]
    assert not scout.ask("And what is known of them?", thread_id="one").degraded
    assert not [word for word in hidden if word in str(model.read)]


def test_nothing_that_is_typed_anywhere_is_kept_with_its_secrets(scripted) -> None:
    """What a model says included: it may have read an address in a paper."""
    said, hidden = TYPED
    scout, _ = scripted(
        calls(("search_papers", {"query": said}), ("save_memory", {"kind": "fact", "text": said})),
        says(f"Write to the authors: {said} [arXiv:0712.2288]"),
    )
    scout.ask(f"Remember this. {said}", thread_id="one")
    scout.history.feedback("one", False, said)
    scout.history.correct("one", said)
    scout.history.title("one", said)
    scout.library.note("0712.2288", said)
    scout.library.tag("0712.2288", "anna.b@cern.ch")
    project = scout.projects.new("thesis", goal=said)
    scout.watches.add(said)
    settle(scout)
    with scout.database.transaction(scout.user) as conn:
        categories.add(conn, "secrets", said, scout.embedder)
        for each in scout.memories("fact"):
            entity.update(conn, each.id, f"It is so: {said}", None, {"note": said}, said)
    batches.open_batch(
        scout.database,
        scout.user,
        "all",
        [batches.NewJob("k", {"question": said}, 1)],
        {"of": said},
    )
    memory = MemoryManager.for_user(scout.database, scout.embedder, scout.user)
    memory.write_conversational_memory("one", "user", said, {"of": said})
    assert "[secret removed]" in (project.goal or "")
    found = {word: holding(scout.database, word) for word in hidden}
    assert found == {word: {} for word in hidden}


@pytest.mark.parametrize("name", ["anna.b@cern.ch", "my password is hunter2Secret!"])
def test_a_name_holds_no_secret_for_it_is_looked_up_as_it_is(scout, name: str) -> None:
    with pytest.raises(UsageError, match="holds no secret"):
        scout.projects.new(name)
    with (
        scout.database.transaction(scout.user) as conn,
        pytest.raises(UsageError, match="holds no secret"),
    ):
        categories.add(conn, name, "", scout.embedder)


@pytest.mark.parametrize("name", ["my key sk-proj-Zz9aaaaaBBBBcccc1111dddd", "of a.b@example.org"])
def test_no_thread_is_named_by_a_secret_at_any_door(scout, name: str) -> None:
    scout.ask("Remember that I use JAX.", thread_id="old")
    doors = [
        lambda: scout.ask("What is a meson?", thread_id=name),
        lambda: scout.history.rename("old", name),
        lambda: scout.history.fork("old", name),
        lambda: scout.make_private(name),
        lambda: thread_of(ScoutContext(thread=name), {}),
        lambda: thread_of(ScoutContext(), {"configurable": {"thread_id": name}}),
    ]
    for use in doors:
        with pytest.raises(UsageError, match="name of a thread holds no secret, no address"):
            use()
    settle(scout)
    assert holding(scout.database, name) == {}


def test_a_thread_that_was_named_by_a_secret_is_renamed_and_deleted(scout) -> None:
    name = "my key sk-proj-Zz9aaaaaBBBBcccc1111dddd"
    with scout.database.transaction(scout.user) as conn:
        for thread in (name, f"{name} 2"):
            conn.execute(
                "INSERT INTO conversational_memory (thread_id, role, content) "
                "VALUES (%s, 'user', 'What is a meson?')",
                [thread],
            )
    scout.history.rename(name, "mesons")
    scout.history.delete(f"{name} 2")
    assert [each.thread_id for each in scout.history.threads()] == ["mesons"]
