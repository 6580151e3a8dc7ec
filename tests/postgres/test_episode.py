"""Episodes: one a turn, with the feedback that came by command or in what was said next."""

from __future__ import annotations

from uuid import UUID, uuid4

from arxivscout.embedding import Embedder
from arxivscout.memory import episode
from arxivscout.memory.episode import Done
from arxivscout.memory.finishing import Vectors, finish_turn
from arxivscout.memory.postgres import Database
from arxivscout.memory.turn_record import TurnRecord

VECTOR = "[" + ",".join(["0.1"] * 384) + "]"


def finished(database: Database, number: int, question: str, **given: object) -> UUID:
    """A turn as it ends, at the minute `number`."""
    action = {"tool": "search_papers", "arguments": {"query": "x"}, "status": "ok"}
    done = {
        "content": question,
        "request": question,
        "thought": "search_papers",
        "actions": [action],
        "cited": ["0712.2288"],
    }
    record = TurnRecord(
        **{
            "turn_id": str(UUID(int=number)),
            "user": "ann",
            "thread_id": "t",
            "question": question,
            "started_at": f"2026-03-01T10:{number:02}:00+00:00",
            "answer": "An answer.",
            "workflow": "task: x",
            "outcome": "success",
            "episode": done,
            **given,
        }  # type: ignore[arg-type]
    )
    finish_turn(database, record, Vectors(workflow=VECTOR, episode=VECTOR))
    return UUID(int=number)


def episodes(database: Database, user: str = "ann") -> list[tuple[str, str | None, str]]:
    with database.transaction(user) as conn:
        return [(e.request, e.feedback, e.note) for e in reversed(episode.newest(conn, 99))]


def outcomes(database: Database) -> list[str]:
    with database.transaction("ann") as conn:
        rows = conn.execute("SELECT outcome FROM workflow_memory ORDER BY turn_id").fetchall()
    return [row[0] for row in rows]


WRONG = {"feedback": "bad", "note": "that's wrong", "wrong": True}
SHORTER = {"feedback": "bad", "note": "shorter, please", "wrong": False}


def test_a_turn_leaves_one_episode_however_often_it_is_finished(database: Database) -> None:
    for _ in range(2):
        finished(database, 1, "What of mesons?")
    finished(database, 2, "And kaons?")
    assert episodes(database) == [("What of mesons?", None, ""), ("And kaons?", None, "")]
    finished(database, 2, "And quarks?")
    assert [each[0] for each in episodes(database)] == ["What of mesons?", "And quarks?"]
    with database.transaction("ann") as conn:
        (first, _) = reversed(episode.newest(conn, 9))
        logged = conn.execute(
            "SELECT action FROM change_log WHERE table_name = 'episode_memory' AND turn_id = %s "
            "ORDER BY id",
            [UUID(int=2)],
        ).fetchall()
    assert (first.thought, first.outcome, first.cited) == (
        "search_papers",
        "success",
        ["0712.2288"],
    )
    assert [(a.tool, a.arguments, a.status) for a in first.actions] == [
        ("search_papers", {"query": "x"}, "ok")
    ]
    assert [row[0] for row in logged] == ["insert", "update"]


def test_nothing_is_kept_of_a_turn_that_may_teach_nothing(database: Database) -> None:
    finished(database, 1, "What of mesons?", episode=None)
    assert episodes(database) == []


def test_what_is_said_next_is_kept_with_the_turn_before(database: Database) -> None:
    finished(database, 1, "What of mesons?")
    finished(database, 2, "shorter, please", said=SHORTER)
    assert episodes(database)[0] == ("What of mesons?", "bad", "shorter, please")
    assert outcomes(database) == ["success", "success"]  # it was right, only long
    finished(database, 3, "that's wrong", said=WRONG)
    assert episodes(database)[1][1:] == ("bad", "that's wrong")
    assert outcomes(database) == ["success", "failure", "success"]
    # Asked again in other words, the turn says nothing of the one before.
    finished(database, 3, "And kaons?")
    assert episodes(database)[1][1:] == (None, "")


def test_a_command_stands_whatever_is_said_later(database: Database) -> None:
    first = finished(database, 1, "What of mesons?")
    with database.transaction("ann") as conn:
        assert episode.judge(conn, first, "good", None)
        assert not episode.judge(conn, uuid4(), "good", None)
    finished(database, 2, "that's wrong", said=WRONG)
    assert episodes(database)[0][1:] == ("good", "")
    assert outcomes(database)[0] == "success"


def test_feedback_is_of_the_threads_last_turn(database: Database) -> None:
    finished(database, 1, "What of mesons?")
    finished(database, 2, "What of dogs?", thread_id="other")
    finished(database, 3, "that's wrong", said=WRONG)
    finished(database, 4, "that's wrong", said=WRONG, thread_id="third")
    assert [each[1] for each in episodes(database)] == ["bad", None, None, None]


def test_nobody_sees_or_judges_anothers(database: Database) -> None:
    first = finished(database, 1, "What of mesons?")
    assert episodes(database, "bea") == []
    with database.transaction("bea") as conn:
        assert not episode.judge(conn, first, "bad", None)
    finished(database, 2, "that's wrong", said=WRONG, user="bea")
    assert episodes(database) == [("What of mesons?", None, "")]


def test_episodes_are_found_by_meaning(database: Database, embedder: Embedder) -> None:
    asked = ["How do mesons oscillate?", "Which galaxies lack dark matter?", "Sparse attention?"]
    with database.transaction("ann") as conn:
        for request in asked:
            episode.write(conn, Done(request, request), embedder.embed_query(request))
        found = episode.search(conn, embedder.embed_query("oscillation of neutral mesons"), 2)
        assert found[0][0].request == asked[0] and found[0][1] < found[1][1]
        (newest, *_) = episode.recent(conn, 1, 30)
        assert len(newest.vector) == 384 and not newest.reflected
    with database.transaction("bea") as conn:
        assert episode.search(conn, embedder.embed_query("mesons"), 5) == []
