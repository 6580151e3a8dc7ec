"""A person is erased whole: every table, every file, also from under a turn that is under way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from uuid import uuid4

import pytest
from turns.scripted import calls, says
from turns.settled import settle

from arxivscout.agent.persist import store_record
from arxivscout.app import Scout
from arxivscout.errors import Erased
from arxivscout.memory.postgres import Database
from arxivscout.memory.rights.erasing import counted, erase
from arxivscout.memory.rights.files import note_backup, typed_lines
from arxivscout.memory.turn_record import TurnRecord

QUESTION = "What is known about quantum teleportation of neutral mesons?"
PREFERENCE = "I do not want papers older than 2015."


def lived(scout: Scout) -> None:
    """Things a person does: two turns, a mark, a watch, a decision."""
    scout.ask(QUESTION, thread_id="mesons")
    scout.ask(PREFERENCE, thread_id="mesons")
    scout.library.note("0712.2288", "The basis is fixed by conservation laws, it seems.")
    scout.watches.add("dark matter")
    scout.decide_remembering("everything")
    settle(scout)


def scripted_turns(scripted, user: str) -> Scout:
    search = calls(("search_papers", {"query": "neutral mesons"}))
    answer = says("One measures CP [arXiv:0712.2288].")
    return scripted(search, answer, says("Noted."), user=user)[0]


def test_all_of_one_person_goes_and_nothing_of_another(scripted, database: Database) -> None:
    ann, bob = scripted_turns(scripted, "ann"), scripted_turns(scripted, "bob")
    lived(ann)
    lived(bob)
    home = ann.settings.home
    lines = typed_lines(home, "ann")
    lines.parent.mkdir(parents=True)
    lines.write_text("+what I typed\n")
    waits = TurnRecord(
        turn_id=str(uuid4()), user="ann", thread_id="t", question="Q", started_at="2020-01-01"
    )
    ann._services.outbox("ann").put(waits)
    backup = home / "all.backup"
    backup.write_text("…")
    note_backup(home, backup)
    before, others = counted(database, "ann"), counted(database, "bob")
    assert {"conversational_memory", "entity_memory", "relation_memory", "change_log", "turn",
            "tool_log_memory", "workflow_memory", "paper_mark", "watch", "person_setting",
            "message_index", "message_word"} <= before.keys()  # fmt: skip
    done = erase(database, "ann", home)
    assert done.rows == before
    assert (done.traces.rows, done.traces.texts) == ({}, 3)
    assert done.traces.tables > 25 and done.traces.columns > 100
    assert counted(database, "ann") == {}
    assert counted(database, "bob") == others
    assert done.backups == [backup]
    assert not lines.exists() and not ann._services.outbox("ann").waiting()
    assert erase(database, "ann", home).rows == {}
    with database.admin() as conn:
        names = conn.execute("SELECT person FROM arxivscout.erasure").fetchall()
    assert len(names) == 1 and "ann" not in names[0][0]


def test_triggers_are_at_work_again_afterwards(scripted, database: Database) -> None:
    ann = scripted_turns(scripted, "ann")
    lived(ann)
    erase(database, "ann", ann.settings.home)
    lived(scripted_turns(scripted, "ann"))
    assert {"change_log", "message_index"} <= counted(database, "ann").keys()


def test_a_turn_under_way_brings_nobody_back(scripted, database: Database) -> None:
    def erased_meanwhile(messages):
        erase(database, "ann", ann.settings.home)
        return says("One measures CP [arXiv:0712.2288].")

    search = calls(("search_papers", {"query": "neutral mesons"}))
    ann = scripted(search, erased_meanwhile, user="ann")[0]
    answer = ann.ask(QUESTION)
    settle(ann)
    assert any("was erased meanwhile" in each for each in answer.degraded)
    assert counted(database, "ann") == {}
    assert not ann._services.outbox("ann").waiting()


def test_a_turn_erased_before_its_tools_ends_there(scripted, database: Database) -> None:
    def erased_meanwhile(messages):
        erase(database, "ann", ann.settings.home)
        return calls(("search_papers", {"query": "neutral mesons"}))

    ann = scripted(erased_meanwhile, says("Never said."), user="ann")[0]
    with pytest.raises(Erased):
        ann.ask(QUESTION)
    settle(ann)
    assert counted(database, "ann") == {}


def test_a_turn_that_waits_elsewhere_is_refused_and_a_new_one_is_not(
    scripted, database: Database
) -> None:
    ann = scripted_turns(scripted, "ann")
    waits = TurnRecord(
        turn_id=str(uuid4()), user="ann", thread_id="t", question="Q", started_at="2020-01-01"
    )
    erase(database, "ann", ann.settings.home)
    with pytest.raises(Erased):
        store_record(ann._services, waits)
    ann._services.outbox("ann").put(waits)
    assert ann.store_waiting(lambda text: None) == 0
    assert not ann._services.outbox("ann").waiting()
    lived(ann)
    assert counted(database, "ann")["turn"] == 2


def test_who_is_storing_is_waited_for(scripted, database: Database) -> None:
    """A transaction that has begun to store a turn ends before the erasure looks."""
    home = scripted_turns(scripted, "ann").settings.home
    program = (
        "import sys; from arxivscout.memory.postgres import Database;"
        "from arxivscout.memory.rights.erasing import erase; from pathlib import Path;"
        "erase(Database(*sys.argv[1:3]), 'ann', Path(sys.argv[3])); print('done')"
    )
    with database.transaction("ann") as conn:
        conn.execute("SELECT stay_erased(NULL)")
        conn.execute("INSERT INTO turn (turn_id, thread_id, question) VALUES (%s, 't', 'Q')",
                     [uuid4()])  # fmt: skip
        running = subprocess.Popen(
            [sys.executable, "-c", program, database.url, database.admin_url, str(home)],
            stdout=subprocess.PIPE,
        )
        _wait_until_one_waits(database)
        assert running.poll() is None
    assert running.communicate(timeout=30)[0] == b"done\n"
    assert counted(database, "ann") == {}


def test_an_erasure_that_is_killed_has_erased_nothing(scripted, database: Database) -> None:
    ann = scripted_turns(scripted, "ann")
    lived(ann)
    before = counted(database, "ann")
    program = (
        "import sys; from arxivscout.memory.postgres import Database;"
        "from arxivscout.memory.rights.erasing import erase; from pathlib import Path;"
        "erase(Database(*sys.argv[1:3]), 'ann', Path(sys.argv[3]))"
    )
    with database.transaction("bob") as conn:
        # It stops where it wants to tell that the person was erased, all rows deleted.
        conn.execute("LOCK TABLE erasure IN ACCESS EXCLUSIVE MODE")
        running = subprocess.Popen(
            [sys.executable, "-c", program, database.url, database.admin_url,
             str(ann.settings.home)],
        )  # fmt: skip
        _wait_until_one_waits(database)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
    deadline = time.monotonic() + 20
    while (after := counted(database, "ann")) != before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert after == before


def _wait_until_one_waits(database: Database) -> None:
    waiting = """
        SELECT EXISTS (SELECT FROM pg_stat_activity
                       WHERE datname = current_database() AND wait_event_type = 'Lock')
    """
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with database.admin() as conn:
            if conn.execute(waiting).fetchone()[0]:
                return
        time.sleep(0.05)
    raise AssertionError("nobody waited")
