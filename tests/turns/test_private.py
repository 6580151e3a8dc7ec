"""A private thread teaches nothing and is recalled nowhere else; choices of less are obeyed."""

from __future__ import annotations

import pytest
from turns.scripted import calls, says
from turns.settled import settle

from arxivscout.app import Scout
from arxivscout.memory import categories
from arxivscout.memory.remembering import CHOICES, Consent, may_learn

QUESTION = "What is known about quantum teleportation of neutral mesons?"
PREFERENCE = "I do not want papers older than 2015."
SECRET = "My grandmother's illness is called Zebra syndrome, is anything known of it?"
CITES = says("One measures CP [arXiv:0712.2288].")
LEARNED = """
SELECT 'entity_memory' FROM entity_memory UNION ALL SELECT 'relation_memory' FROM relation_memory
UNION ALL SELECT 'workflow_memory' FROM workflow_memory
UNION ALL SELECT 'episode_memory' FROM episode_memory
UNION ALL SELECT 'search_cache' FROM search_cache
"""


def learned(scout: Scout) -> dict[str, int]:
    settle(scout)
    with scout.database.transaction(scout.user) as conn:
        rows = [table for (table,) in conn.execute(LEARNED).fetchall()]
    return {table: rows.count(table) for table in sorted(set(rows))}


def searches():
    return calls(("search_papers", {"query": "neutral mesons"}))


def test_nothing_is_learned_from_a_private_thread_and_it_goes_on_itself(scripted) -> None:
    scout, model = scripted(searches(), CITES, says("Noted."), says("So."))
    scout.make_private("secret")
    answer = scout.ask(QUESTION, thread_id="secret")
    scout.ask(PREFERENCE, thread_id="secret")
    assert [each.arxiv_id for each in answer.citations] == ["0712.2288"]
    assert learned(scout) == {}
    scout.ask("and who wrote it?", thread_id="secret")
    assert PREFERENCE in str(model.read[-1])
    assert scout.history.last_exchange("secret").question == "and who wrote it?"
    scout.history.delete("secret")
    assert scout.history.last_exchange("secret") is None


def test_nothing_of_it_is_recalled_elsewhere(scripted) -> None:
    scout, model = scripted(says("Zebra it is."))
    scout.make_private("secret")
    scout.ask(SECRET, thread_id="secret")
    settle(scout)
    scout.ask(SECRET.replace("My", "Whose"), thread_id="open")
    assert str(model.read[-1]).count("Zebra") == 1  # in the question itself
    scout.make_private("secret", False)
    scout.ask("Which illness does my grandmother have?", thread_id="third")
    assert "Zebra syndrome" in str(model.read[-1])


def test_what_was_learned_before_it_was_private_is_hidden_while_it_is(scripted) -> None:
    scout, model = scripted(says("Noted."))
    scout.ask(PREFERENCE, thread_id="secret")
    scout.ask("hello there", thread_id="open")
    assert PREFERENCE in str(model.read[-1])
    scout.make_private("secret")
    scout.ask("hello again", thread_id="open")
    assert PREFERENCE not in str(model.read[-1])
    scout.ask("hello in here", thread_id="secret")
    assert PREFERENCE in str(model.read[-1])


def test_even_what_is_asked_to_be_kept_is_not_in_a_private_thread(scripted) -> None:
    save = calls(("save_memory", {"kind": "fact", "text": "I like cats."}))
    scout, model = scripted(save, says("Not kept."))
    scout.make_private("secret")
    scout.ask("Remember that I like cats.", thread_id="secret")
    assert "private thread" in str(model.read[-1][-1].content)
    assert learned(scout) == {}


def test_a_copy_of_a_private_thread_is_private(scripted) -> None:
    scout, _ = scripted(says("Noted."))
    scout.make_private("secret")
    scout.ask(PREFERENCE, thread_id="secret")
    copy = scout.history.fork("secret")
    assert scout.consent(copy).private
    assert scout.consent("open").hidden == {"secret", copy}


def test_facts_only_leaves_out_what_was_looked_at(scripted) -> None:
    scout, _ = scripted(searches(), CITES, says("Noted."))
    scout.decide_remembering("facts")
    scout.ask(QUESTION)
    scout.ask(PREFERENCE)
    settle(scout)
    with scout.database.transaction(scout.user) as conn:
        kinds = conn.execute(
            "SELECT category, count(*) FROM entity_memory GROUP BY category"
        ).fetchall()
        assert conn.execute("SELECT count(*) FROM workflow_memory").fetchone() == (0,)
    assert kinds == [("preference", 1)]


def test_nothing_is_remembered_of_a_category_that_is_left_out(scripted) -> None:
    scout, _ = scripted(searches(), CITES, says("Noted."))
    scout.leave_out(["preferences"])
    scout.ask(QUESTION)
    scout.ask(PREFERENCE)
    settle(scout)
    assert scout.memories("preference") == []
    assert scout.memories("paper") != []
    scout.leave_out([])
    scout.ask(PREFERENCE, thread_id="other")
    settle(scout)
    assert [each.text for each in scout.memories("preference")] == [PREFERENCE]


def test_a_category_of_one_s_own_is_left_out_whatever_it_is_called(scripted) -> None:
    scout, _ = scripted(says("Noted."))
    with scout.database.transaction(scout.user) as conn:
        conn.execute("SELECT begin_categories()")
        categories.rename(conn, "findings", "what i found")
    scout.leave_out(["what i found"])
    told = "We found that attention is quadratic. I use PyTorch for my experiments."
    scout.ask(told)
    settle(scout)
    kept = [each.filed_under for each in scout.memories(None)]
    assert "what i found" not in kept and "methods" in kept
    scout.leave_out([])
    scout.ask(told, thread_id="other")
    settle(scout)
    assert "what i found" in [each.filed_under for each in scout.memories(None)]


@pytest.mark.parametrize("choice", [None, *CHOICES])
def test_who_decides_less_lets_less_be_learned(choice) -> None:
    kinds = ("preference", "fact", "paper", "workflow")
    told = [kind for kind in kinds if may_learn(choice, kind, False)]
    assert (
        told
        == {
            None: list(kinds),
            "everything": list(kinds),
            "facts": ["preference", "fact"],
            "asked": [],
            "nothing": [],
        }[choice]
    )
    assert not any(may_learn(choice, kind, True) for kind in kinds)
    assert not Consent(choice, private=True).may_keep()
    assert Consent(choice).may_keep() == (choice != "nothing")


def test_what_is_not_kept_is_told_without_the_words_for_a_model(scout) -> None:
    scout.make_private("secret")
    told = scout.ask("Remember that the shock is collisionless.", thread_id="secret").answer
    assert "nothing is remembered of a private thread" in told and "Say so" not in told
