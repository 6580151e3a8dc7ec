"""Threads are condensed as they grow: once, whoever does it, and nothing is lost by it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from turns.scripted import ScriptedModel, says
from turns.settled import settle

from arxivscout.agent.condensing import CONDENSE_ABOVE, MOST_STANDING, condense_thread
from arxivscout.agent.services import Services
from arxivscout.agent.tools import TurnScope
from arxivscout.app import Scout
from arxivscout.context.budget import count_tokens
from arxivscout.context.importance import facts
from arxivscout.memory import condensing, conversation
from arxivscout.memory.turn import open_turn

Make = Callable[..., tuple[Scout, ScriptedModel]]
USER, THREAD = "tester", "t"


def fill(services: Services, exchanges: int, *, first: int = 0, thread: str = THREAD) -> None:
    """Exchanges of some 100 tokens, each with a decision and numbers of its own."""
    talk = "It is good to speak of this once more, as we did on other days before this one. " * 3
    with services.database.transaction(USER) as conn:
        for number in range(first, first + exchanges):
            asked = f"We decided to keep run {number + 1000}. {talk}What of it?"
            conversation.append(conn, thread, "user", asked)
            said = f"Run {number + 1000} has {number + 5000} events in [arXiv:0712.2288]. {talk}"
            conversation.append(conn, thread, "assistant", said)


def waiting(services: Services, thread: str = THREAD) -> list[condensing.Waiting]:
    with services.database.transaction(USER) as conn:
        return condensing.waiting(conn, thread, 10_000)


def standing(services: Services) -> list[condensing.Waiting]:
    with services.database.transaction(USER) as conn:
        return condensing.standing(conn, THREAD)


def rows(services: Services, query: str) -> list[tuple[object, ...]]:
    with services.database.transaction(USER) as conn:
        return conn.execute(query).fetchall()  # type: ignore[call-overload,no-any-return]


def use(services: Services, tool: str, **arguments: object) -> str:
    scope = TurnScope(services, USER, THREAD, str(uuid4()))
    call = {"type": "tool_call", "id": "1", "name": tool, "args": arguments}
    return str(services.tools[tool].within(scope).invoke(call).content)


def test_a_short_thread_is_left_alone(services: Services) -> None:
    fill(services, 5)
    assert condense_thread(services, USER, THREAD) == 0
    assert len(waiting(services)) == 10


def test_the_oldest_half_is_condensed_and_the_originals_come_back(services: Services) -> None:
    fill(services, 40)
    before = waiting(services)
    assert condense_thread(services, USER, THREAD) >= 1
    left = waiting(services)
    assert sum(count_tokens(each.content) for each in left) <= CONDENSE_ABOVE
    assert left == before[-len(left) :]
    assert left[0].role == "user"
    made = standing(services)
    back = "\n".join(use(services, "expand_summary", summary_id=str(each.id)) for each in made)
    for each in before[: -len(left)]:
        assert " ".join(each.content.split()) in back
    condensed = before[: -len(left)]
    held = {fact for each in made for fact in facts(each.content)}
    wanted = {fact for each in condensed for fact in facts(each.content)}
    assert len(wanted & held) >= 0.95 * len(wanted)
    assert condense_thread(services, USER, THREAD) == 0


def test_the_context_has_the_summary_in_place_of_the_turns(services: Services) -> None:
    fill(services, 40)
    condense_thread(services, USER, THREAD)
    scout = Scout(services, USER)
    scout.ask("What is known about quantum teleportation of neutral mesons?", thread_id=THREAD)
    segments = {each["segment"]: each for each in scout.history.context(THREAD)}
    made = {str(each.id) for each in standing(services)}
    assert made & {each["source"] for each in segments["summaries"]["items"]}
    assert {"a summary holds it"} == {each["reason"] for each in segments["recent"]["cut"]}
    shown = {each["source"] for each in segments["recent"]["items"]}
    assert shown <= {str(each.id) for each in waiting(services)}


def test_a_turn_condenses_its_thread_when_it_is_over(services: Services) -> None:
    fill(services, 30)
    Scout(services, USER).ask("What is known about mesons?", thread_id=THREAD)
    settle(services)
    assert standing(services)


@pytest.mark.parametrize("strategy", ["window", "importance"])
def test_a_strategy_without_summaries_makes_none(services: Services, strategy: str) -> None:
    services.settings = services.settings.model_copy(update={"working_memory": strategy})
    fill(services, 30)
    Scout(services, USER).ask("What is known about mesons?", thread_id=THREAD)
    settle(services)
    assert not standing(services)


def test_two_at_once_condense_each_message_once(services: Services) -> None:
    fill(services, 60)
    together = threading.Barrier(2)
    made: list[int] = []

    def work() -> None:
        together.wait()
        made.append(condense_thread(services, USER, THREAD))

    both = [threading.Thread(target=work) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    named = rows(
        services,
        "SELECT json_array_elements_text(langchain_metadata -> 'message_ids') FROM summary_memory",
    )
    assert len(named) == len(set(named))
    linked = rows(services, "SELECT count(*) FROM conversational_memory WHERE summary_id NOTNULL")
    assert linked == [(len(named),)]
    assert sum(made) == rows(services, "SELECT count(*) FROM summary_memory")[0][0]


def test_a_clock_that_goes_backwards_puts_no_answer_before_its_question(
    services: Services,
) -> None:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    talk = "It is good to speak of this once more, as we did on other days before this one. " * 5
    with services.database.transaction(USER) as conn:
        for number in range(60):
            at = now - timedelta(minutes=number)
            conversation.append(conn, THREAD, "user", f"Run {number}? {talk}", at=at)
            conversation.append(
                conn, THREAD, "assistant", f"It has {number + 5000} events. {talk}",
                at=at - timedelta(seconds=9),
            )  # fmt: skip
    before = waiting(services)
    assert [each.role for each in before] == ["user", "assistant"] * 60
    assert condense_thread(services, USER, THREAD) >= 1
    left = waiting(services)
    assert left == before[-len(left) :] and "Run 59?" in left[-2].content
    first = standing(services)[0].content
    assert first.index("5000 events") < first.index("5001 events")
    assert first.startswith("2026-11-30 to 2026-11-30")


def test_a_kill_in_the_middle_leaves_all_as_it_was(services: Services) -> None:
    fill(services, 40)
    before = waiting(services)

    class Killed(BaseException):
        pass

    with pytest.raises(Killed), services.database.transaction(USER) as conn:
        vector = services.embedder.embed_query("x")
        assert condensing.condense(conn, THREAD, before[:10], "A summary.", vector)
        raise Killed
    assert waiting(services) == before
    assert not standing(services)
    assert condense_thread(services, USER, THREAD) >= 1


def test_a_message_that_changed_in_between_is_not_condensed_as_it_was(services: Services) -> None:
    fill(services, 40)
    seen = waiting(services)[:10]
    with services.database.transaction(USER) as conn:
        conversation.update(conn, seen[3].id, "It is otherwise.")
    with services.database.transaction(USER) as conn:
        assert condensing.condense(conn, THREAD, seen, "A summary.", None) is None


def test_summaries_of_a_long_thread_are_summarised_and_lead_back(services: Services) -> None:
    fill(services, 220)
    assert condense_thread(services, USER, THREAD) > MOST_STANDING
    assert len(standing(services)) <= MOST_STANDING
    (above,) = rows(
        services, "SELECT summary_id FROM summary_memory WHERE summary_id NOTNULL LIMIT 1"
    )
    parts = use(services, "expand_summary", summary_id=str(above[0]))
    ids = re.findall(r"\(id ([0-9a-f-]{36})\)", parts)
    assert len(ids) >= 2
    assert "keep run 1000." in use(services, "expand_summary", summary_id=ids[0])
    assert rows(services, "SELECT count(*) FROM conversational_memory") == [(440,)]


def test_a_turn_that_is_taken_back_is_in_no_summary(services: Services) -> None:
    scout = Scout(services, USER)
    scout.ask("We decided to keep run 4242.", thread_id=THREAD)
    with services.database.transaction(USER) as conn:
        said = condensing.waiting(conn, THREAD)
        first = condensing.condense(conn, THREAD, said, "user: keep run 4242", None)
        assert first
        one = condensing.standing(conn, THREAD)
        assert condensing.condense(conn, THREAD, one, "above: keep run 4242", None)
    scout.history.undo(THREAD)
    assert rows(services, "SELECT content FROM summary_memory WHERE content LIKE '%4242%'") == []


def test_the_question_of_a_turn_at_work_is_not_condensed(services: Services) -> None:
    fill(services, 2)
    turn = UUID("6f1d2c3b-0000-4000-8000-00000000000b")
    open_turn(
        services.database, services.leases, user=USER, thread_id=THREAD, turn_id=turn,
        question="What now?", model="extractive",
    )  # fmt: skip
    assert "What now?" not in [each.content for each in waiting(services)]
    services.leases.release(turn)


def test_a_call_stays_with_its_result(services: Services) -> None:
    long = "A long line of words that says little. " * 40
    with services.database.transaction(USER) as conn:
        for number in range(8):
            conversation.append(conn, THREAD, "user", f"Question {number}? {long}")
            conversation.append(conn, THREAD, "assistant", f"call {number}")
            conversation.append(conn, THREAD, "tool", f"result {number} {long}")
            conversation.append(conn, THREAD, "assistant", f"Answer {number}.")
    condense_thread(services, USER, THREAD)
    left = waiting(services)
    assert len(left) < 32 and len(left) % 4 == 0
    assert left[0].content.startswith("Question")


def test_others_threads_are_no_business_of_ours(scripted: Make, services: Services) -> None:
    fill(services, 40)
    scout, _ = scripted(says("So."), user="other")
    assert condense_thread(scout._services, "other", THREAD) == 0
    assert not standing(services)


def by_model(make: Make, *steps: object) -> Services:
    scout, _ = make(*steps)
    services = scout._services
    services.settings = services.settings.model_copy(update={"summaries": "model"})
    return services


def test_the_model_s_summary_is_kept_as_far_as_it_says_what_was_said(scripted: Make) -> None:
    told = "They keep run 1000.\nRun 99999 was dropped."
    services = by_model(scripted, *[says(told)] * 3)
    fill(services, 40)
    assert condense_thread(services, USER, THREAD) >= 1
    first = standing(services)[0].content
    assert "They keep run 1000." in first
    assert "99999" not in first
    assert "1001" in first  # which the model left out


def test_the_rules_condense_where_the_model_fails(scripted: Make) -> None:
    services = by_model(scripted, ValueError("down"))
    fill(services, 40)
    assert condense_thread(services, USER, THREAD) >= 1
    assert "We decided to keep run 1000" in standing(services)[0].content
