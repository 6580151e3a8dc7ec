"""What may not be remembered stands in no table but those of the conversation itself."""

from __future__ import annotations

import pytest
from turns.looked_for import holding
from turns.scripted import calls, says
from turns.settled import settle

from arxivscout.app import Scout
from arxivscout.memory.categories import categories
from arxivscout.memory.remembering import Remembering

# The conversation, what finds a passage of it again, its change log, and what its turns did.
OF_THE_CONVERSATION = {"conversational_memory", "turn", "message_index", "message_word",
                       "change_log", "tool_log_memory"}  # fmt: skip
WORD = "zyxograph"
SAID = (
    f"I prefer papers about the {WORD}.",
    f"I use the {WORD} for my experiments at CERN, because it is fast.",
    f"I decided to buy a {WORD}.",
    f"We found that the {WORD} is linear in energy.",
    f"Still open: does the {WORD} hold under pile-up?",
    f"What is known about the {WORD} and neutral mesons?",
    f"No, that's wrong, the {WORD} is no telescope.",
    f"Please call me the {WORD} person from now on.",
)


def say_all(scout: Scout, thread: str) -> None:
    for said in SAID:
        scout.ask(said, thread_id=thread)
    settle(scout)


def elsewhere(scout: Scout, word: str = WORD) -> set[str]:
    return holding(scout.database, word).keys() - OF_THE_CONVERSATION


def test_the_words_are_learned_where_they_may_be(scout: Scout) -> None:
    say_all(scout, "open")
    assert {"entity_memory", "episode_memory", "memory_word"} <= elsewhere(scout)


def test_of_a_private_thread_nothing_stands_elsewhere(scout: Scout) -> None:
    scout.make_private("secret")
    say_all(scout, "secret")
    assert elsewhere(scout) == set()
    assert scout.rights.search(WORD, None, 9) == []


@pytest.mark.parametrize("choice", ["nothing", "asked"])
def test_of_who_wants_nothing_remembered_nothing_stands_elsewhere(
    scout: Scout, choice: Remembering
) -> None:
    scout.decide_remembering(choice)
    say_all(scout, "t")
    assert elsewhere(scout) == set()


def test_of_who_wants_facts_only_no_turn_is_an_episode(scout: Scout) -> None:
    scout.decide_remembering("facts")
    say_all(scout, "t")
    assert elsewhere(scout) <= {"entity_memory", "relation_memory", "memory_word", "entity_name",
                                "entity_key"}  # fmt: skip


def test_nothing_of_a_category_that_is_left_out_stands_elsewhere(scout: Scout) -> None:
    with scout.database.transaction(scout.user) as conn:
        names = [each.name for each in categories(conn)]
    scout.leave_out(names)
    say_all(scout, "t")
    # An episode is of the turn, and in no category; nor is what it teaches.
    assert elsewhere(scout) <= {"episode_memory", "workflow_memory", "lesson_memory",
                                "distilled_word"}  # fmt: skip


def test_a_model_stores_nothing_of_a_private_thread_by_any_tool(scripted) -> None:
    text = f"The {WORD} is mine."
    tools = calls(
        ("save_memory", {"kind": "fact", "text": text}),
        ("remember", {"kind": "preference", "text": text}),
        ("link", {"subject": WORD, "relation": "uses", "object": "CERN"}),
        ("correct", {"memory": WORD, "text": text}),
        ("reflect_now", {}),
        ("consolidate", {}),
    )
    scout, _ = scripted(tools, says("Done."))
    scout.make_private("secret")
    scout.ask(f"Remember that the {WORD} is mine, link it to CERN.", thread_id="secret")
    settle(scout)
    assert elsewhere(scout) == set()
