"""Related memories are condensed once, whoever does it; the summary stands for them, and gives them
back."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from turns.settled import settle

from arxivscout.agent.consolidating import consolidate
from arxivscout.agent.services import Services
from arxivscout.agent.tools import TurnScope
from arxivscout.app import Scout
from arxivscout.errors import ToolInputError
from arxivscout.llm.graph_questions import graph_call
from arxivscout.memory import gate
from arxivscout.memory.candidate import Candidate
from arxivscout.memory.hybrid import grouping
from arxivscout.memory.recall import recall
from arxivscout.memory.remembering import make_private

USER = "tester"
CORES = (
    "Dwarf galaxies have shallow cores of dark matter.",
    "Feedback from supernovae turns cusps into cores in dwarf galaxies.",
    "Self-interacting dark matter makes cores in dwarf galaxies.",
    "The dark matter of the dwarf galaxy Fornax has a core of 0.7 kpc.",
    "Cores of dark matter are also seen in faint galaxies.",
    "The dwarf galaxy Draco keeps a cusp of dark matter.",
)
ELSE = ("The grant ends in June.", "Our cluster has four GPUs.")


def remember(services: Services, *texts: str, kind: str = "finding", thread: str = "t") -> None:
    candidates = [Candidate(kind, text, thread_id=thread) for text in texts]
    vectors = services.embedder.embed_documents(list(texts))
    with services.database.transaction(USER) as conn:
        gate.remember(conn, candidates, [], vectors)


def rows(services: Services, query: str, user: str = USER) -> list[tuple[Any, ...]]:
    with services.database.transaction(user) as conn:
        return conn.execute(query).fetchall()  # type: ignore[call-overload,no-any-return]


def grouped(services: Services) -> set[str]:
    held = rows(services, "SELECT content FROM entity_memory WHERE summary_id IS NOT NULL")
    return {content for (content,) in held}


def use(services: Services, tool: str, **arguments: object) -> str:
    scope = TurnScope(services, USER, "t", str(uuid4()))
    call = {"type": "tool_call", "id": "1", "name": tool, "args": arguments}
    return str(services.tools[tool].within(scope).invoke(call).content)


def found(services: Services, question: str) -> list[dict[str, Any]]:
    result = recall(
        services.database,
        user=USER,
        thread_id="new",
        turn_id=uuid4(),
        question=question,
        vector=services.vector(question),
    )
    assert not result.failed
    return result.memory["findings"]


def test_a_group_is_condensed_and_drilled_down_to(services: Services) -> None:
    remember(services, *CORES, *ELSE)
    (summary,) = consolidate(services, USER, new=1)
    assert len(grouped(services)) >= 5 and grouped(services) <= set(CORES)
    assert consolidate(services, USER, new=0) == []
    shown = found(services, "Which dwarf galaxies have cores of dark matter?")
    kinds = [row["kind"] for row in shown]
    assert kinds.count("summary") == 1 and len(shown) < len(CORES)
    assert [row["id"] for row in shown if row["kind"] == "summary"] == [str(summary)]
    back = use(services, "drill_down", summary_id=str(summary))
    for text in grouped(services):
        assert text in back


def test_what_comes_later_joins_the_group_and_its_summary_is_made_anew(services: Services) -> None:
    remember(services, *CORES[:5])
    (first,) = consolidate(services, USER, new=1)
    held = grouped(services)
    more = "The dwarf galaxy Sculptor has a shallow core of dark matter."
    remember(services, more, *ELSE)
    (second,) = consolidate(services, USER, new=1)
    assert second != first and grouped(services) == held | {more}
    ((kept, ids),) = rows(
        services, "SELECT langchain_id, langchain_metadata -> 'memory_ids' FROM summary_memory"
    )
    assert kept == second and len(ids) == len(held) + 1
    assert more in use(services, "drill_down", summary_id=str(second))
    assert consolidate(services, USER, new=0) == []  # nothing new, nothing done


def test_a_group_that_has_changed_meanwhile_keeps_its_summary(services: Services) -> None:
    remember(services, *CORES[:5])
    (first,) = consolidate(services, USER, new=1)
    held = grouped(services)
    with services.database.transaction(USER) as conn:
        (where,) = grouping.due(conn, None, 0) or [grouping.Due("findings", None, 0)]
        details = grouping.held(conn, where)[first]
        ended = replace(details[0], text="It was something else.")
        stored = grouping.store(
            conn, where, [ended, *details[1:]], "x", [1.0] * 384, extractive=True, instead_of=first
        )
    assert stored is None and grouped(services) == held
    assert rows(services, "SELECT langchain_id FROM summary_memory") == [(first,)]


def test_too_few_new_memories_are_left_alone(services: Services) -> None:
    remember(services, *CORES)
    assert consolidate(services, USER) == []
    assert grouped(services) == set()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entity_memory SET valid_to = now() WHERE content LIKE 'Dwarf%'",
        "UPDATE entity_memory SET content = 'It is not so.' WHERE content LIKE 'Dwarf%'",
        "DELETE FROM entity_memory WHERE content LIKE 'Dwarf%'",
        "DELETE FROM summary_memory",
    ],
)
def test_a_summary_goes_with_what_is_no_longer_so(services: Services, change: str) -> None:
    remember(services, *CORES)
    assert consolidate(services, USER, new=1)
    with services.database.transaction(USER) as conn:
        conn.execute(change)  # type: ignore[call-overload]
    assert grouped(services) == set()
    assert rows(services, "SELECT * FROM summary_memory") == []


def test_what_was_decided_and_preferred_stays_as_it_was_said(services: Services) -> None:
    remember(services, *CORES, kind="decision")
    assert consolidate(services, USER, new=1) == []


def test_two_at_once_make_one_summary(services: Services) -> None:
    remember(services, *CORES)
    made: list[list[UUID]] = []
    threads = [
        threading.Thread(target=lambda: made.append(consolidate(services, USER, new=1)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 2 and len(rows(services, "SELECT * FROM summary_memory")) == 1


def test_a_transaction_that_breaks_off_leaves_nothing(services: Services) -> None:
    remember(services, *CORES)
    with services.database.transaction(USER) as conn:
        (where,) = grouping.due(conn, new=1)
        details = grouping.loose(conn, where)
    vector = services.embedder.embed_query("all")
    with (
        pytest.raises(psycopg.errors.DivisionByZero),
        services.database.transaction(USER) as conn,
    ):
        assert grouping.store(conn, where, details, "all", vector, extractive=True)
        conn.execute("SELECT 1 / 0")
    assert rows(services, "SELECT * FROM summary_memory") == [] and grouped(services) == set()
    remember(services, "Dwarf galaxies have cuspy haloes of dark matter, it turned out.")
    assert consolidate(services, USER, new=1)


def test_what_a_private_thread_says_is_in_no_summary(services: Services) -> None:
    remember(services, *CORES, thread="secret")
    assert consolidate(services, USER, new=1)
    make_private(services.database, USER, "secret", True)
    assert rows(services, "SELECT * FROM summary_memory") == []
    assert consolidate(services, USER, new=0) == []


def test_a_turn_counts_what_it_was_shown(scout: Scout, services: Services) -> None:
    remember(services, *CORES[:1])
    scout.ask("Which galaxies have shallow cores of dark matter?", thread_id="other")
    settle(services)
    used = "SELECT content, uses FROM memory_use JOIN entity_memory ON langchain_id = memory_id"
    assert rows(services, used) == [(CORES[0], 1)]
    assert rows(services, used, "bob") == []


def test_deep_recall_finds_what_rests_and_what_a_summary_holds(services: Services) -> None:
    remember(services, *CORES)
    assert consolidate(services, USER, new=1)
    remember(services, "The sextant is in the attic.", kind="fact")
    rows(
        services,
        "UPDATE entity_memory SET archived_at = now() WHERE content LIKE '%sextant%' RETURNING 1",
    )
    assert found(services, "Where is the sextant?") == []
    told = use(services, "deep_recall", query="Where is the sextant?")
    assert "The sextant is in the attic." in told and "archived" in told
    told = use(services, "deep_recall", query="cores of dark matter in dwarf galaxies")
    for text in CORES:
        assert text in told
    assert "nothing" in use(services, "deep_recall", query="xyzzy").lower()


def test_the_person_can_have_it_done_now(services: Services) -> None:
    remember(services, *CORES)
    with pytest.raises(ToolInputError, match="no category 'nonsense'"):
        use(services, "consolidate", category="nonsense")
    assert "1 summary" in use(services, "consolidate", category="findings")
    assert "0 summaries" in use(services, "consolidate")


def test_memory_is_searched_and_put_in_order_by_the_persons_word(
    scout: Scout, services: Services
) -> None:
    remember(services, *CORES)
    remember(services, "The sextant is in the attic.", kind="fact")
    rows(
        services,
        "UPDATE entity_memory SET archived_at = now() WHERE content LIKE '%sextant%' RETURNING 1",
    )
    told = scout.ask("Search all of your memory for the sextant.", thread_id="a").answer
    assert "The sextant is in the attic." in told
    assert "1 summary" in scout.ask("Please consolidate my memories", thread_id="b").answer
    ((summary,),) = rows(services, "SELECT langchain_id FROM summary_memory")
    told = scout.ask(f"Drill down into {summary}", thread_id="c").answer
    assert all(text in told for text in grouped(services))


@pytest.mark.parametrize(
    "question",
    [
        "Search arXiv for memory in transformers",
        "What do you remember about sextants?",
        "Tell me about memory consolidation",
        "Consolidate the evidence for dark matter",
    ],
)
def test_what_only_sounds_like_it_asks_nothing_of_memory(question: str) -> None:
    assert graph_call(question) is None
