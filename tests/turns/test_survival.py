"""Kills, Ctrl-C, a lost database, two at once: nothing is lost and the next turn works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import BaseMessage
from outage import lost
from turns.scripted import ScriptedModel, calls, says
from turns.settled import rows, settle
from warm import WarmCommands

from arxivscout.agent.checkpoints import sweep_checkpoints
from arxivscout.agent.events import Answered, Token
from arxivscout.app import Scout
from arxivscout.errors import ThreadBusy
from arxivscout.memory.embedded import EmbeddedServer

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"
CITED = says("CP measurement verifies teleportation [arXiv:0712.2288].")


def test_a_stopped_answer_is_kept_as_far_as_it_came_and_the_next_turn_works(scripted: Make) -> None:
    scout, _ = scripted(says("one two three four [arXiv:0712.2288] five six"), CITED)
    events = scout.stream(QUESTION)
    for event in events:
        if isinstance(event, Token) and "three" in event.text:
            break
    events.close()  # type: ignore[attr-defined]
    ((status,),) = rows(scout, "SELECT status FROM turn")
    assert status == "interrupted"
    ((content, metadata),) = rows(
        scout, "SELECT content, metadata FROM conversational_memory WHERE role = 'assistant'"
    )
    assert content.startswith("one two")
    assert metadata["status"] == "interrupted"
    assert scout.ask("Is graphene superconducting?").status == "answered"


@pytest.mark.parametrize("during", ["model", "tool"])
def test_ctrl_c_leaves_no_call_unanswered_and_no_lease(scripted: Make, during: str) -> None:
    def press(messages: list[BaseMessage]) -> Any:
        raise KeyboardInterrupt

    if during == "model":
        scout, model = scripted(calls(("search_papers", {"query": "mesons"})), press, CITED)
    else:
        scout, model = scripted(calls(("slow", {})), CITED)

        def slow(scope: Any, **arguments: Any) -> Any:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)

        tool = scout._services.tools["search_papers"].model_copy(
            update={"name": "slow", "function": slow}
        )
        scout._services.tools = {**scout._services.tools, "slow": tool}
        scout._held.of("default").tools = ["slow"]
        model.script[0].tool_calls[0]["args"] = {"query": "x"}
    with pytest.raises(KeyboardInterrupt):
        list(scout.stream(QUESTION))
    assert rows(scout, "SELECT status FROM turn") == [("interrupted",)]
    assert rows(scout, "SELECT count(*) FROM thread_lease") == [(0,)]
    assert scout.ask("Go on about mesons").status == "answered"
    for message in model.read[-1]:
        assert not getattr(message, "tool_calls", None)


def test_a_database_lost_between_turns_degrades_and_is_made_up_for(
    scripted: Make, server: EmbeddedServer
) -> None:
    scout, model = scripted(CITED)
    scout.ask(QUESTION)
    with lost(server, scout.database):
        answer = scout.ask("Why is that so?")
    assert answer.answer.startswith("CP measurement verifies teleportation")
    assert "the database is lost" in answer.degraded[0]
    assert "waits on disk" in answer.degraded[-1]
    assert any(str(message.content) == QUESTION for message in model.read[1])
    assert scout.store_waiting(print) == 1
    assert scout.store_waiting(print) == 0
    said = rows(scout, "SELECT role, content FROM conversational_memory ORDER BY seq")
    assert [role for role, _ in said] == ["user", "assistant", "user", "assistant"]
    assert said[2][1] == "Why is that so?"


def test_a_database_lost_in_the_middle_of_a_turn_loses_nothing_of_it(
    scripted: Make, server: EmbeddedServer
) -> None:
    gone: list[Any] = []

    def lose_then_call(messages: list[BaseMessage]) -> Any:
        gone.append(lost(server, scout.database))
        gone[0].__enter__()
        return calls(("search_papers", {"query": "mesons"}))

    scout, _ = scripted(lose_then_call, CITED)
    try:
        answer = scout.ask(QUESTION)
    finally:
        gone[0].__exit__(None, None, None)
    assert answer.citations  # 0712.2288 was among this turn's evidence before the loss
    assert scout.store_waiting(print) == 1
    assert rows(scout, "SELECT tool_name, status FROM tool_log_memory") == [
        ("search_papers", "error")
    ]
    assert rows(scout, "SELECT status FROM turn") == [("answered",)]
    assert scout.ask("And now?").degraded == []


def test_a_broken_store_empties_its_own_segment_only(scripted: Make) -> None:
    scout, model = scripted(CITED)
    scout.ask("We decided to look at mesons with the old detector.")
    settle(scout)
    with scout.database.admin() as admin:
        admin.execute("ALTER TABLE summary_memory RENAME TO away")
    answer = scout.ask("What is known about mesons and the old detector?", thread_id="other")
    assert answer.citations
    lessons, own, summaries = sorted(answer.degraded)
    for store, told in (("own", own), ("lessons", lessons)):  # both know of what is condensed
        assert f"the store {store} could not be read" in told
        assert told.endswith("; read by meaning alone")
    assert "the store summaries could not be read" in summaries
    read = str(model.read[-1][-1].content)
    assert "[arXiv:0712.2288]" in read
    assert "look at mesons with the old detector" in read


def test_one_turn_at_a_time_in_a_thread(scripted: Make) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def wait(messages: list[BaseMessage]) -> Any:
        begun.set()
        assert go_on.wait(10)
        return CITED

    scout, _ = scripted(wait)
    other, _ = scripted(CITED)
    first = threading.Thread(target=lambda: scout.ask(QUESTION, thread_id="t"))
    first.start()
    assert begun.wait(10)
    with pytest.raises(ThreadBusy, match="'t'"):
        other.ask("me too", thread_id="t")
    assert other.ask("elsewhere", thread_id="u").status == "answered"
    go_on.set()
    first.join()
    assert other.ask("me too", thread_id="t").status == "answered"
    assert rows(scout, "SELECT count(*) FROM turn WHERE thread_id = 't'") == [(2,)]


def test_the_same_message_with_other_words_replaces_the_turn_and_keeps_the_old_one_in_the_log(
    scripted: Make,
) -> None:
    scout, _ = scripted(CITED, says("Other words."))
    turn = "6f1d2c3b-0000-4000-8000-000000000001"
    list(scout._turn(QUESTION, turn, "t", None, resume=False))
    *_, last = scout._turn("What is known about graphene?", turn, "t", None, resume=False)
    assert isinstance(last, Answered)
    said = rows(scout, "SELECT role, content FROM conversational_memory ORDER BY seq")
    assert said == [("user", "What is known about graphene?"), ("assistant", "Other words. ")]
    before = rows(scout, "SELECT before ->> 'content' FROM change_log ORDER BY id")
    assert (QUESTION,) in before
    assert rows(scout, "SELECT count(*) FROM relation_memory") == [(0,)]


def test_running_the_same_turn_twice_changes_nothing(scripted: Make) -> None:
    scout, _ = scripted(CITED)
    turn = "6f1d2c3b-0000-4000-8000-000000000002"
    counts = []
    for _ in range(2):
        list(scout._turn(QUESTION, turn, "t", None, resume=False))
        counts.append(
            [
                rows(scout, f"SELECT count(*) FROM {table}")[0][0]
                for table in ("conversational_memory", "turn", "relation_memory", "entity_memory")
            ]
        )
    assert counts[0] == [2, 1, 2, 3]
    assert counts[1] == counts[0]


KILLED = """
    import os, signal, sys
    from arxivscout.agent import paper_tools
    from arxivscout.app import open_scout
    from arxivscout.settings import load_settings

    where = sys.argv[1]
    with open_scout(load_settings()) as scout:
        for event in scout.stream("What is known about quantum teleportation of neutral mesons?"):
            if type(event).__name__ == where:
                os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("where", ["ToolStarted", "ToolEnded", "Token"])
def test_a_turn_killed_at_any_moment_is_asked_again_and_stored_once(
    scout: Scout, environment: dict[str, str], warm: WarmCommands, where: str
) -> None:
    killed = warm.run(["-c", textwrap.dedent(KILLED), where], environment)
    assert killed.returncode == -signal.SIGKILL
    assert scout.unanswered() == QUESTION
    *_, last = scout.retry()
    assert isinstance(last, Answered)
    assert last.answer.citations[0].arxiv_id == "0712.2288"
    said = rows(scout, "SELECT role FROM conversational_memory ORDER BY seq")
    assert said == [("user",), ("assistant",)]
    assert rows(scout, "SELECT status FROM turn") == [("answered",)]
    searched = rows(scout, "SELECT count(*) FROM tool_log_memory WHERE tool_name = 'search_papers'")
    assert searched[0][0] <= 2
    if where == "Token":  # the search was done: the turn went on behind it
        assert searched == [(1,)]


@pytest.mark.timeout(50)
def test_a_lease_of_a_dead_process_is_taken_over_at_once(
    scout: Scout, environment: dict[str, str], warm: WarmCommands
) -> None:
    warm.run(["-c", textwrap.dedent(KILLED), "ToolStarted"], environment)
    assert rows(scout, "SELECT count(*) FROM thread_lease") == [(1,)]
    assert scout.ask("What is graphene?").status == "answered"


def test_what_waits_on_disk_is_readable_by_its_owner_only(
    scripted: Make, server: EmbeddedServer
) -> None:
    scout, _ = scripted(CITED)
    scout.ask(QUESTION)
    with lost(server, scout.database):
        scout.ask("Why?")
    (waiting,) = scout._services.outbox("tester").waiting()
    assert waiting.stat().st_mode & 0o077 == 0
    waiting.write_text("{ broken")
    assert scout.store_waiting(print) == 0
    assert waiting.with_suffix(".broken").exists()


def test_a_refused_question_leaves_the_killed_one_to_be_asked_again(
    scout: Scout, environment: dict[str, str]
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WAITING)], env=environment, stdout=subprocess.PIPE
    ) as begun:
        assert begun.stdout
        assert begun.stdout.readline() == b"begun\n"
        with pytest.raises(ThreadBusy):
            scout.ask("What is graphene?")
        begun.kill()
    assert scout.unanswered() == QUESTION
    *_, last = scout.retry()
    assert isinstance(last, Answered)
    assert last.answer.citations[0].arxiv_id == "0712.2288"
    assert rows(scout, "SELECT question, status FROM turn") == [(QUESTION, "answered")]


WAITING = """
    import time
    from arxivscout.app import open_scout
    from arxivscout.settings import load_settings

    with open_scout(load_settings()) as scout:
        for event in scout.stream("What is known about quantum teleportation of neutral mesons?"):
            if type(event).__name__ == "ToolEnded":
                print("begun", flush=True)
                time.sleep(60)
"""


def test_checkpoints_of_a_killed_turn_are_seen_by_their_person_only_and_go_with_the_thread(
    scout: Scout, environment: dict[str, str], warm: WarmCommands
) -> None:
    warm.run(["-c", textwrap.dedent(KILLED), "ToolEnded"], environment)
    count = "SELECT count(*) FROM checkpoints"
    ((mine,),) = rows(scout, count)
    assert mine > 0
    with scout.database.transaction("other") as conn:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            assert conn.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
            assert conn.execute(f"DELETE FROM {table}").rowcount == 0
    scout.history.delete("default")
    assert rows(scout, count) == [(0,)]


KILLED_WHEN_STORED = """
    import os, signal
    from arxivscout.app import open_scout
    from arxivscout.settings import load_settings

    with open_scout(load_settings()) as scout:
        scout._services.leases.release = lambda turn_id: os.kill(os.getpid(), signal.SIGKILL)
        scout.ask("What is known about quantum teleportation of neutral mesons?")
"""


def test_checkpoints_of_a_turn_killed_when_it_was_stored_go_with_the_next_start(
    scout: Scout, environment: dict[str, str], warm: WarmCommands
) -> None:
    warm.run(["-c", textwrap.dedent(KILLED_WHEN_STORED)], environment)
    assert rows(scout, "SELECT status FROM turn") == [("answered",)]
    assert rows(scout, "SELECT count(*) FROM checkpoints") > [(0,)]
    scout.ask("What is known about graphene?")
    for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
        assert rows(scout, f"SELECT count(*) FROM {table}") == [(0,)]


KILLED_BEHIND_ITS_ANSWER = """
    import os, signal
    from arxivscout.agent import persist
    from arxivscout.app import open_scout
    from arxivscout.settings import load_settings

    with open_scout(load_settings()) as scout:
        persist.store_record = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        scout.ask("I never want papers on string theory. What of mesons?", thread_id="killed")
"""
WISHES = "SELECT content FROM entity_memory WHERE category = 'preference' AND valid_to IS NULL"


def test_a_wish_of_a_turn_killed_behind_its_answer_is_learned_by_the_next(
    scout: Scout, environment: dict[str, str], warm: WarmCommands
) -> None:
    killed = warm.run(["-c", textwrap.dedent(KILLED_BEHIND_ITS_ANSWER)], environment)
    assert killed.returncode == -signal.SIGKILL
    with scout.database.transaction(scout.user) as conn:  # what the tool that was asked to kept
        conn.execute("DELETE FROM entity_memory")
    scout.ask("What is known about mesons?", thread_id="next")
    settle(scout)
    assert rows(scout, WISHES) == [("I never want papers on string theory.",)]
    *_, last = scout.retry("killed")
    assert isinstance(last, Answered)
    settle(scout)
    assert rows(scout, WISHES) == [("I never want papers on string theory.",)]


def test_checkpoints_of_a_killed_turn_go_when_the_thread_has_gone_on(
    scout: Scout, environment: dict[str, str], warm: WarmCommands
) -> None:
    warm.run(["-c", textwrap.dedent(KILLED), "ToolStarted"], environment)
    sweep_checkpoints(scout.database, scout.user)  # it may still be asked again
    assert rows(scout, "SELECT count(*) FROM checkpoints") > [(0,)]
    scout.ask("What is graphene?")
    sweep_checkpoints(scout.database, scout.user)
    assert rows(scout, "SELECT count(*) FROM checkpoints") == [(0,)]


@pytest.mark.parametrize("text", ["so \x00it is", "so \ud800it is", "so \x1b[31mit is"])
def test_what_no_database_takes_is_cleaned_out_of_an_answer(scripted: Make, text: str) -> None:
    scout, _ = scripted(
        calls(("search_papers", {"query": text, "k": 1e99}), (f"invented{text}", {text: text})),
        says(f"{text} [arXiv:0712.2288]"),
    )
    answer = scout.ask(QUESTION)
    assert answer.answer.startswith("so ")
    assert answer.citations
    assert rows(scout, "SELECT status FROM turn") == [("answered",)]


def test_a_record_that_the_database_never_takes_is_put_aside(scout: Scout) -> None:
    from arxivscout.memory.turn_record import TurnRecord

    outbox = scout._services.outbox("tester")
    outbox.put(
        TurnRecord(
            turn_id="no-uuid", user="tester", thread_id="t", question="q", started_at="never"
        )
    )
    (waiting,) = outbox.waiting()
    (waiting.parent / "folder.json").mkdir()
    assert scout.store_waiting(print) == 0
    assert outbox.waiting() == []
    assert scout.ask(QUESTION).status == "answered"


_FULL_DISK = """
CREATE FUNCTION arxivscout.disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
END $$;
CREATE TRIGGER disk_is_full BEFORE INSERT ON arxivscout.episode_memory
    FOR EACH ROW EXECUTE FUNCTION arxivscout.disk_is_full();
"""


def test_why_a_turn_waits_is_told_as_it_is(scripted: Make) -> None:
    scout, _ = scripted(CITED)
    with scout.database.admin() as conn:
        conn.execute(_FULL_DISK)
    answer = scout.ask(QUESTION)
    assert answer.degraded[-1] == (
        "the database could not store it (The database's disk is full: this could not be stored): "
        "this turn waits on disk and is stored when that has changed"
    )
    assert answer.is_kept


def test_a_turn_that_can_be_kept_nowhere_is_answered_and_says_so(
    scripted: Make, server: EmbeddedServer
) -> None:
    scout, _ = scripted(CITED)
    scout.ask(QUESTION)
    folder = scout._services.outbox("tester")._folder
    folder.parent.mkdir()
    folder.write_text("a file where a folder should be")
    with lost(server, scout.database):
        answer = scout.ask("Why?")
    assert answer.answer
    assert answer.degraded[-1] == (
        "this turn could be kept nowhere: the database could not be reached, and on disk: "
        "File exists"
    )
    assert not answer.is_kept


def test_a_window_with_no_room_for_papers_is_refused_in_one_line(scripted: Make) -> None:
    from arxivscout.errors import ConfigurationError

    scout, _ = scripted(CITED)
    scout._services.settings = scout._services.settings.model_copy(update={"context_window": 1_024})
    with pytest.raises(ConfigurationError, match="leaves no room"):
        scout.ask(QUESTION)
    assert scout.unanswered() == QUESTION


def stop_when(hanging: threading.Event, scout: Scout) -> None:
    """Ask, and press Ctrl-C when the model hangs."""

    def press() -> None:
        assert hanging.wait(30)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        list(scout.stream(QUESTION))


def set_free(freed: threading.Event) -> None:
    """Let the model go on, and wait for the turns that were left behind in it."""
    freed.set()
    for thread in [each for each in threading.enumerate() if each.name == "turn"]:
        thread.join(10)


def test_a_turn_stopped_in_a_model_that_hangs_is_asked_again_at_once(scripted: Make) -> None:
    hanging, freed = threading.Event(), threading.Event()

    def hang(messages: list[BaseMessage]) -> Any:
        hanging.set()
        freed.wait(30)
        return says("Too late [arXiv:0712.2288].")

    scout, model = scripted(hang, CITED)
    stop_when(hanging, scout)

    *_, again = list(scout.retry())

    assert isinstance(again, Answered)
    assert again.answer.answer.startswith("CP measurement")
    set_free(freed)
    assert rows(scout, "SELECT status FROM turn") == [("answered",)]
    ((kept,),) = rows(scout, "SELECT content FROM conversational_memory WHERE role = 'assistant'")
    assert kept.startswith("CP measurement")
    assert len(model.read) == 2


def test_a_stopped_turn_asks_the_model_no_more(scripted: Make) -> None:
    hanging, freed = threading.Event(), threading.Event()

    def fail(messages: list[BaseMessage]) -> Any:
        hanging.set()
        freed.wait(30)
        raise TimeoutError("no answer")

    scout, model = scripted(fail, CITED)
    stop_when(hanging, scout)
    set_free(freed)
    assert len(model.read) == 1
