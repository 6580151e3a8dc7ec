"""What a person lets be remembered beyond a conversation is obeyed, and is theirs alone."""

from __future__ import annotations

import pytest
from turns.scripted import calls, says
from turns.settled import rows, settle

from arxivscout.app import Scout

QUESTION = "What is known about quantum teleportation of neutral mesons?"
PREFERENCE = "I do not want papers older than 2015."
CITES = says("One measures CP [arXiv:0712.2288].")
LEARNED = """
SELECT count(*) FROM entity_memory WHERE category <> 'person'
UNION ALL SELECT count(*) FROM relation_memory
UNION ALL SELECT count(*) FROM workflow_memory
"""


def counts(scout: Scout) -> list[int]:
    return [row[0] for row in rows(scout, LEARNED)]


def searches():
    return calls(("search_papers", {"query": "neutral mesons"}))


def test_nobody_has_decided_at_first_and_everything_is_learned(scripted):
    scout, _ = scripted(searches(), CITES, says("Noted."))
    assert scout.remembering is None
    scout.ask(QUESTION)
    scout.ask(PREFERENCE)
    entities, relations, workflows = counts(scout)
    assert entities >= 2 and relations == 1 and workflows == 1


@pytest.mark.parametrize("choice", ["asked", "nothing"])
def test_a_turn_teaches_nothing_unasked(scripted, choice):
    scout, _ = scripted(searches(), CITES, says("Noted."))
    scout.decide_remembering(choice)
    assert scout.remembering == choice
    answer = scout.ask(QUESTION)
    scout.ask(PREFERENCE)
    assert [each.arxiv_id for each in answer.citations] == ["0712.2288"]
    assert counts(scout) == [0, 0, 0]
    assert scout.history.last_exchange("default").question == PREFERENCE


def test_what_is_asked_to_be_remembered_is_unless_nothing_may_be(scripted):
    save = calls(("save_memory", {"kind": "preference", "text": "I prefer short answers."}))
    scout, model = scripted(save, says("Kept."), save, says("Not kept."))
    scout.decide_remembering("asked")
    scout.ask("Remember that I prefer short answers.")
    assert counts(scout)[0] == 1
    scout.decide_remembering("nothing")
    scout.ask("Remember that I prefer short answers.", thread_id="other")
    assert counts(scout)[0] == 1
    assert "lets nothing be remembered" in str(model.read[-1][-1].content)


def test_nothing_of_other_threads_is_recalled_when_nothing_may_be_remembered(scripted):
    scout, model = scripted(*[says("Noted.")] * 4)
    scout.ask(PREFERENCE, thread_id="first")
    scout.ask("hello there", thread_id="second")
    assert PREFERENCE in str(model.read[-1])
    scout.decide_remembering("nothing")
    scout.ask("hello again", thread_id="third")
    assert PREFERENCE not in str(model.read[-1])
    scout.ask("and again", thread_id="first")
    assert PREFERENCE in str(model.read[-1])


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Remember that I like cats.", True),
        ("What is a meson? And please remember that I like cats.", True),
        ("Save this finding.", True),
        ("Don't forget that I like cats!", True),
        ("Ricorda che mi piacciono i gatti.", True),
        ("What is a meson?", False),
        ("Do you remember what a meson is?", False),
        ("How do networks store patterns?", False),
        ("I like cats.", False),
    ],
)
def test_the_model_keeps_only_what_the_person_asks_for_if_they_want_it_so(scripted, question, kept):
    save = calls(("save_memory", {"kind": "fact", "text": "The person likes cats."}))
    scout, model = scripted(save, says("Well."))
    scout.decide_remembering("asked")
    scout.ask(question)
    assert counts(scout)[0] == kept
    assert ("they have not asked" in str(model.read[-1][-1].content)) is not kept


def test_tools_read_and_change_nothing_of_other_threads_when_nothing_may_be_remembered(scripted):
    scout, model = scripted(
        calls(("save_memory", {"kind": "fact", "text": "The project is called Zebra."})),
        calls(("summarise_thread", {"summary": "We spoke of Zebra."})),
        says("Kept."),
    )
    scout.ask("hello there", thread_id="first")
    scout.ask("hello again", thread_id="first")
    model.script[:] = [calls(("summarise_thread", {"summary": "We spoke of Zebra."})), says("Ok.")]
    scout.ask("condense this", thread_id="first")
    with scout.database.transaction(scout.user) as conn:
        (fact,) = conn.execute(
            "SELECT langchain_id FROM entity_memory WHERE category = 'fact'"
        ).fetchone()
        (summary,) = conn.execute("SELECT langchain_id FROM summary_memory").fetchone()
    scout.decide_remembering("nothing")
    looks = (
        ("recall_memory", {"kind": "entities", "query": "Zebra project"}),
        ("recall_memory", {"kind": "summaries", "query": "Zebra project"}),
        ("recall_memory", {"kind": "workflows", "query": "hello"}),
        ("expand_summary", {"summary_id": str(summary)}),
    )
    for thread, found in (("second", False), ("first", True)):
        model.script[:] = [calls(*looks), says("So.")]
        scout.ask("Which project?", thread_id=thread)
        results = [str(each.content) for each in model.read[-1][-4:]]
        assert [("Zebra" in each or "hello" in each) for each in results[:2]] == [found, found]
        assert ("hello" in results[3]) is found
    change = ("update_memory", {"memory_id": str(fact), "text": "The project is called Gnu."})
    model.script[:] = [calls(change), says("So.")]
    scout.ask("The project is called Gnu now, not Zebra.", thread_id="second")
    assert "lets nothing be remembered" in str(model.read[-1][-1].content)
    settle(scout)
    assert [each.text for each in scout.memories("fact")] == ["The project is called Zebra."]


def test_it_is_decided_by_each_person_for_themselves(scripted):
    scout, _ = scripted(says("Noted."))
    scout.decide_remembering("nothing")
    assert Scout(scout._services, "somebody else").remembering is None
