"""What was learned as an edge ends, rests, hides and comes back with the statement that says it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from turns.settled import settle

from arxivscout.agent.tools import Call, TurnScope, run_calls
from arxivscout.app import Scout
from arxivscout.errors import NotFound
from arxivscout.memory import entity
from arxivscout.memory.graph.inference import infer
from arxivscout.memory.graph.node import ALL, View
from arxivscout.memory.overview import MemoryItem
from arxivscout.memory.remembering import consent, decide_remembering

WHERE, TOOLS = "Where do I work?", "Which tools do I use?"
TURN = "6f1d2c3b-0000-4000-8000-00000000000e"
NOTHING = "You have told me nothing on that"


@pytest.fixture
def tell(scout: Scout) -> Callable[..., None]:
    def tell(*said: str, thread: str = "told") -> None:
        for each in said:
            scout.ask(each, thread_id=thread)
            settle(scout)

    return tell


def asked(scout: Scout, question: str) -> str:
    answer = scout.ask(question, thread_id="asking").answer
    settle(scout)
    return answer


def fact(scout: Scout, words: str) -> MemoryItem:
    (found,) = [each for each in scout.memories("fact", 50) if words in each.text]
    return found


def joined(scout: Scout) -> set[tuple[str, str]]:
    """What the person is joined to."""
    reached = scout.graph.neighbours("me", view=ALL).reached
    return {(each.via.predicate, each.node.label) for each in reached if each.via is not None}


def ended(scout: Scout) -> list[tuple[bool, bool]]:
    with scout.database.transaction(scout.user) as conn:
        return conn.execute(
            "SELECT valid_to IS NOT NULL, ended_with IS NOT NULL FROM relation_memory"
            " WHERE predicate IN ('uses', 'works_at')"
        ).fetchall()


def test_what_is_forgotten_is_answered_from_no_more_until_it_is_taken_back(scout, tell) -> None:
    tell("I work at CERN.", "I use MATLAB.")
    assert "CERN" in asked(scout, WHERE) and "MATLAB" in asked(scout, TOOLS)
    scout.rights.forget(fact(scout, "MATLAB"), "no longer true")
    assert NOTHING in asked(scout, TOOLS)
    assert joined(scout) == {("works_at", "CERN")}
    (change,) = scout.changes.changes(20, change="forget")
    assert change.reason == "no longer true"
    scout.changes.take_back(change.id)
    assert "MATLAB" in asked(scout, TOOLS)
    assert joined(scout) == {("works_at", "CERN"), ("uses", "MATLAB")}
    assert set(ended(scout)) == {(False, False)}


def test_what_is_edited_is_answered_as_it_says_now(scout, tell) -> None:
    tell("I work at CERN.")
    scout.rights.edit(fact(scout, "CERN"), "I work at DESY.")
    answer = asked(scout, WHERE)
    assert "DESY" in answer and "CERN" not in answer
    assert joined(scout) == {("works_at", "DESY")}
    scout.rights.forget(fact(scout, "DESY"))
    assert joined(scout) == set()


def test_of_two_clauses_of_a_sentence_each_takes_its_own_edge(scout, tell) -> None:
    tell("I work at the LHC and use ROOT.")
    assert joined(scout) == {("works_at", "LHC"), ("uses", "ROOT")}
    facts = scout.memories("fact", 50)
    scout.rights.forget(next(each for each in facts if "ROOT" in each.text))
    left = {("works_at", "LHC")} if len(facts) > 1 else set()
    assert joined(scout) == left


def test_what_rests_in_the_archive_is_recalled_no_more_until_it_is_restored(scout, tell) -> None:
    tell("I use MATLAB.", "My supervisor is Ada Quux.")
    for words in ("MATLAB", "Quux"):
        scout.rights.archive(fact(scout, words))
    assert NOTHING in asked(scout, TOOLS) and joined(scout) == set()
    for question in ("Who is my supervisor?", "What do you know about me?"):
        assert "Quux" not in scout.ask(question, thread_id=question[:3]).answer
    assert "MATLAB" not in scout.ask("What did I use in 2031?", thread_id="then").answer
    scout.rights.restore(scout.rights.named("MATLAB", "only"))
    assert "MATLAB" in asked(scout, TOOLS) and joined(scout) == {("uses", "MATLAB")}


def test_what_a_deleted_statement_said_ends(scout, tell) -> None:
    tell("I use MATLAB.")
    with scout.database.transaction(scout.user) as conn:
        conn.execute("DELETE FROM entity_memory WHERE category = 'fact'")
    assert ended(scout) == [(True, True)] and joined(scout) == set()


def test_a_turn_taken_back_gives_back_what_it_ended(scout, tell) -> None:
    tell("I use MATLAB.")
    tell("I no longer use MATLAB.", thread="later")
    assert ("uses", "MATLAB") not in joined(scout)
    scout.history.undo("later")
    assert joined(scout) == {("uses", "MATLAB")}


def test_what_is_said_again_after_it_was_forgotten_holds_again(scout, tell) -> None:
    tell("I use MATLAB.")
    first = fact(scout, "MATLAB")
    scout.rights.forget(first)
    tell("I use MATLAB.", thread="again")
    assert joined(scout) == {("uses", "MATLAB")}
    scout.rights.forget(fact(scout, "MATLAB"))
    assert joined(scout) == set()


def test_what_a_thread_said_is_hidden_elsewhere_once_it_is_private(scout, tell) -> None:
    tell("I use Julia.", thread="secret")
    assert "Julia" in asked(scout, TOOLS)
    scout.make_private("secret")
    assert "Julia" not in asked(scout, TOOLS)
    assert "Julia" in scout.ask(TOOLS, thread_id="secret").answer
    hidden = consent(scout.database, scout.user).hidden
    assert hidden == {"secret"}
    assert scout.graph.neighbours("me", view=View(hidden=hidden)).reached == []
    with pytest.raises(NotFound):
        scout.graph.neighbours("Julia", view=View(hidden=hidden))
    scout.make_private("secret", False)
    assert "Julia" in asked(scout, TOOLS)


def test_a_fact_that_no_edge_tells_of_is_answered_from_too_and_each_once(scout, tell) -> None:
    decide_remembering(scout.database, scout.user, "facts")
    with scout.database.transaction(scout.user) as conn:
        for text in ("I work at DESY.", "I use Julia and Stan."):
            vector = scout.embedder.embed_documents([text])[0]
            entity.write(conn, text, vector, {"category": "fact"})
    assert "DESY" in asked(scout, WHERE)
    answer = asked(scout, TOOLS)
    assert "Julia, Stan" in answer and "DESY" not in answer
    decide_remembering(scout.database, scout.user, "everything")
    tell("I use Julia.")
    answer = asked(scout, TOOLS)
    assert answer.startswith("Julia, Stan.") and answer.count("I use Julia.") == 1


def test_words_name_what_was_said_and_a_thing_by_its_id_only(scout, tell) -> None:
    tell("I use MATLAB.")
    found = scout.rights.named("matlab")
    assert (found.kind, found.text) == ("fact", "I use MATLAB")
    (thing,) = scout.memories("tool", 9)
    assert scout.rights.named(thing.id).kind == "tool"
    scout.rights.forget(found)
    assert scout.rights.named("matlab").kind == "tool"


def use(scout: Scout, tool: str, question: str = "", user: str = "tester", **given: object) -> str:
    scope = TurnScope(scout._services, user, "told", TURN, question)
    (outcome,) = run_calls([Call("1", tool, given)], scout._services.tools, scope, 20)
    return outcome.content


@pytest.mark.parametrize("tool", ["correct", "update_memory"])
def test_what_a_model_corrects_draws_the_edges_that_it_says(scout, tell, tool) -> None:
    tell("I work at CERN.")
    said = use(scout, tool, memory_id=fact(scout, "CERN").id, text="I work at DESY on jets.")
    assert "status: ok" in said
    assert joined(scout) == {("works_at", "DESY"), ("works_on", "jets")}
    scout.rights.forget(fact(scout, "DESY"))
    assert joined(scout) == set()


def test_a_correction_draws_no_edge_where_only_facts_are_kept(scout, tell) -> None:
    tell("I work at CERN.")
    decide_remembering(scout.database, scout.user, "facts")
    use(scout, "correct", memory_id=fact(scout, "CERN").id, text="I work at DESY.")
    assert joined(scout) == set() and "DESY" in asked(scout, WHERE)


def between(scout: Scout, name: str) -> set[tuple[str, str, str]]:
    reached = scout.graph.neighbours(name, view=ALL).reached
    return {(e.via.subject.label, e.via.predicate, e.via.object.label) for e in reached}


def test_what_is_said_of_two_things_holds_as_long_as_it_is_said(scout, tell) -> None:
    tell("QLoRA extends LoRA.", "LoRA extends fine-tuning.", "My pipeline depends on ROOT.")
    derived = ("QLoRA", "builds_on", "fine-tuning")
    assert between(scout, "QLoRA") == {("QLoRA", "extends", "LoRA"), derived}
    assert ("pipeline", "depends_on", "ROOT") in between(scout, "ROOT")
    scout.rights.edit(fact(scout, "fine-tuning"), "LoRA extends adapters.")
    infer(scout.database, scout.user)
    now = between(scout, "QLoRA")
    assert derived not in now and ("QLoRA", "builds_on", "adapters") in now
    scout.rights.forget(fact(scout, "QLoRA extends"))
    assert between(scout, "QLoRA") == set()


def test_one_sentence_among_others_takes_its_edge_when_it_is_forgotten(scout, tell) -> None:
    tell("Remember that I use MATLAB. Which papers are about neutral mesons?")
    assert joined(scout) >= {("uses", "MATLAB")}
    for each in scout.memories("fact", 50):
        scout.rights.forget(each)
    assert ("uses", "MATLAB") not in joined(scout)


def test_names_that_are_said_to_be_of_one_thing_find_it(scout, tell) -> None:
    tell("LoRA stands for low-rank adaptation.", "QLoRA extends LoRA.")
    for name in ("LoRA", "low-rank adaptation", "Low rank adaptation"):
        (start, *_) = scout.graph.neighbours(name, view=ALL).starts
        assert start.label == "low-rank adaptation"
    path = scout.graph.path("QLoRA", "low-rank adaptation")
    assert path is not None and len(path) == 1


def test_what_is_said_to_be_so_no_longer_ends_with_all_that_was_inferred(scout, tell) -> None:
    scout.graph.add_rule("?a extends ?b, ?b uses ?c => ?a uses ?c", "inherits")
    tell("QLoRA extends LoRA.", "LoRA uses Triton.")
    assert ("QLoRA", "uses", "Triton") in between(scout, "QLoRA")
    tell("LoRA no longer uses Triton.", thread="later")
    assert between(scout, "LoRA") == {("QLoRA", "extends", "LoRA")}
    assert between(scout, "QLoRA") == {("QLoRA", "extends", "LoRA")}
    scout.history.undo("later")
    infer(scout.database, scout.user)
    assert ("QLoRA", "uses", "Triton") in between(scout, "QLoRA")


@pytest.mark.parametrize(
    "said",
    [
        "I use numpy and the healpy package, and I avoid IDL because it costs money.",
        "I avoid IDL because it costs money.",
        "I work on halos. I avoid IDL, it costs money.",
    ],
)
def test_a_wish_in_the_same_breath_takes_its_edge_when_it_is_forgotten(
    scout: Scout, tell, said: str
) -> None:
    tell(said)
    assert ("avoids", "IDL") in joined(scout)
    (wish,) = scout.memories("preference", 50)
    scout.rights.forget(wish)
    assert ("avoids", "IDL") not in joined(scout)
    assert asked(scout, "What do I avoid?").startswith(NOTHING)
