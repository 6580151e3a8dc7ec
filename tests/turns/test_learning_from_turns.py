"""A turn is learned from when its answer is shown: once, with its quote, for its person only."""

from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from turns.scripted import calls, says
from turns.settled import settle

from arxivscout.agent.learning import learn_waiting
from arxivscout.app import Scout
from arxivscout.learning.turns import MOST_CANDIDATES
from arxivscout.memory.remembering import make_private

TOLD = (
    "I work at the LHC and use ROOT. We decided to use JAX for the trainer because it compiles. "
    "I still don't know whether the shock is collisionless."
)
QUESTION = "What is known about quantum teleportation of neutral mesons?"
ROWS = """
SELECT category, content, reason, quote, source, thread_id FROM entity_memory
WHERE valid_to IS NULL AND category <> 'person' ORDER BY created_at, content
"""


def learned(scout: Scout) -> list[tuple[Any, ...]]:
    settle(scout)
    with scout.database.transaction(scout.user) as conn:
        return conn.execute(ROWS).fetchall()


def texts(scout: Scout, kind: str) -> list[str]:
    return [row[1] for row in learned(scout) if row[0] == kind]


def unlearned(scout: Scout) -> int:
    with scout.database.transaction(scout.user) as conn:
        return conn.execute("SELECT count(*) FROM turn WHERE learned_at IS NULL").fetchone()[0]


def test_what_is_stated_is_kept_with_its_quote_and_used_in_another_thread(scout):
    scout.ask(TOLD, thread_id="first")
    rows = {row[0]: row for row in learned(scout) if row[0] in ("fact", "decision", "question")}
    assert rows["decision"][1:4] == (
        "We decided to use JAX for the trainer",
        "it compiles",
        "We decided to use JAX for the trainer because it compiles.",
    )
    assert rows["fact"][3] in ("I work at the LHC", "I use ROOT")  # and not what stands beside it
    assert rows["question"][5] == "first"
    asked = {
        "What did I decide about the trainer?": "We decided to use JAX for the trainer",
        "Which tools do I use?": "ROOT",
        "Where do I work?": "LHC",
        "What are my open questions?": "whether the shock is collisionless",
    }
    for question, answer in asked.items():
        assert answer in scout.ask(question, thread_id="second").answer
    assert "nothing on that" in scout.ask("What did I decide about the catalogue?").answer


def test_a_question_right_behind_what_it_asks_for_knows_it(scout):
    scout.ask("I use PyTorch for my experiments.", thread_id="first")
    assert "PyTorch" in scout.ask("Which tools do I use?", thread_id="second").answer


def test_another_person_sees_nothing_of_it(scout):
    scout.ask(TOLD)
    assert learned(scout)
    other = Scout(scout._services, "somebody else")
    assert learned(other) == []
    answer = other.ask("Which tools do I use?").answer
    assert "ROOT" not in answer and "nothing on that" in answer


def test_papers_that_bore_an_answer_out_teach_their_results_and_authors(scout):
    scout.ask("What is known about modified Newtonian dynamics of galaxies?")
    rows = learned(scout)
    found = [row for row in rows if row[0] == "finding"]
    assert found and all(row[4] == "2505.21638" and row[3] in row[1] for row in found)
    assert ("author", "Harry Desmond") in [row[:2] for row in rows]


def test_what_was_recalled_or_answered_is_not_learned(scout):
    scout.ask(TOLD)
    before = learned(scout)
    scout.ask("Which tools do I use?")
    scout.ask("What did I decide?")
    assert learned(scout) == before


def test_saying_it_again_adds_nothing(scout):
    scout.ask(TOLD)
    before = [row[:2] for row in learned(scout)]
    scout.ask(TOLD, thread_id="second")
    assert [row[:2] for row in learned(scout)] == before


def test_what_is_said_later_holds_and_the_old_is_kept(scout):
    scout.ask("My deadline is 3 May.")
    scout.ask("No, my deadline is 10 May.")
    assert texts(scout, "fact") == ["my deadline is 10 May"]
    with scout.database.transaction(scout.user) as conn:
        old = conn.execute(
            "SELECT content, superseded_by IS NOT NULL FROM entity_memory "
            "WHERE valid_to IS NOT NULL"
        ).fetchall()
    assert old == [("My deadline is 3 May", True)]


def test_a_turn_taken_back_takes_what_it_taught(scout):
    scout.ask("My deadline is 3 May.")
    scout.ask("No, my deadline is 10 May. I use ROOT.")
    assert texts(scout, "tool") == ["ROOT"]
    scout.history.undo("default")
    assert texts(scout, "fact") == ["My deadline is 3 May"]
    assert texts(scout, "tool") == []


def test_a_turn_run_again_with_other_words_teaches_those_instead(scout):
    scout.ask("My deadline is 3 May.")
    scout.ask("No, my deadline is 10 May. We use ROOT.")
    assert texts(scout, "tool") == ["ROOT"]
    with scout.database.transaction(scout.user) as conn:  # as a re-run leaves it
        conn.execute(
            "UPDATE turn SET question = 'We use Geant4.' WHERE question LIKE 'No, my deadline%'"
        )
    assert unlearned(scout) == 1
    learn_waiting(scout._services, scout.user)
    assert texts(scout, "tool") == ["Geant4"]
    assert sorted(texts(scout, "fact")) == ["My deadline is 3 May", "We use Geant4"]


def test_what_a_killed_process_missed_is_learned_after_the_next_turn(scout):
    scout.ask(TOLD)
    learned(scout)
    with scout.database.transaction(scout.user) as conn:  # as a kill before its commit leaves it
        conn.execute("DELETE FROM entity_memory")
        conn.execute("UPDATE turn SET learned_at = NULL, learned = NULL")
    scout.ask("hello there")
    assert texts(scout, "decision") == ["We decided to use JAX for the trainer"]
    assert unlearned(scout) == 0


def test_what_a_process_was_told_that_was_killed_is_learned_after_a_turn_of_another_thread(scout):
    scout.ask(TOLD, thread_id="first")
    learned(scout)
    with scout.database.transaction(scout.user) as conn:  # as a kill behind the answer leaves it
        conn.execute("DELETE FROM entity_memory")
        conn.execute("UPDATE turn SET learned_at = NULL, learned = NULL, status = 'open'")
        conn.execute(
            "INSERT INTO thread_lease (thread_id, holder, host, process, expires_at) "
            "SELECT thread_id, turn_id, %s, '4194305:1.00', now() + '1 minute' FROM turn",
            [socket.gethostname()],
        )
    scout.ask("hello there", thread_id="second")
    assert texts(scout, "decision") == ["We decided to use JAX for the trainer"]
    assert unlearned(scout) == 0


def test_a_turn_that_is_being_answered_is_not_learned_from(scout):
    scout.ask(TOLD, thread_id="first")
    learned(scout)
    with scout.database.transaction(scout.user) as conn:
        conn.execute("DELETE FROM entity_memory")
        conn.execute("UPDATE turn SET learned_at = NULL, learned = NULL, status = 'open'")
        conn.execute(
            "INSERT INTO thread_lease (thread_id, holder, host, process, expires_at) "
            "SELECT thread_id, turn_id, 'elsewhere', '1:1.00', now() + '1 minute' FROM turn"
        )
    scout.ask("hello there", thread_id="second")
    assert texts(scout, "decision") == [] and unlearned(scout) == 1


def test_what_is_said_later_in_one_message_holds(scout):
    scout.ask("I use TensorFlow. I don't use TensorFlow.")
    assert texts(scout, "fact") == ["I don't use TensorFlow"]
    assert texts(scout, "preference") == texts(scout, "tool") == []


def test_a_correction_ends_what_was_wrong(scout):
    for said in (
        "My paper submission is due on 20 June.",
        "Actually my paper submission is due on 27 June.",
        "No, that's wrong: the paper submission is due on 30 June.",
        "I use NumPy.",
        "No, that's wrong: I use JAX, not NumPy.",
        "I use R for statistics.",
        "I never use R any more, I switched to Stan.",
    ):
        scout.ask(said)
        learned(scout)
    assert texts(scout, "fact") == [
        "the paper submission is due on 30 June",
        "I use JAX, not NumPy",
        "I never use R any more",
        "I switched to Stan",
    ]


def test_two_things_that_only_a_number_tells_apart_are_both_decided(scout):
    scout.ask("We decided to fund student 1.")
    scout.ask("We decided to fund student 2.")
    assert len(texts(scout, "decision")) == 2


def test_what_the_person_works_on_is_answered_and_kept_as_a_fact(scout):
    answer = scout.ask("I work on axions at SLAC.").answer
    assert "preference" not in answer
    assert set(texts(scout, "fact")) == {"I work on axions", "I work at SLAC"}
    assert texts(scout, "preference") == []


def test_a_turn_that_can_not_be_learned_from_keeps_none_behind_it_from_being(scout):
    scout.ask("hello there")
    scout.ask("hello again")
    learned(scout)
    with psycopg.connect(scout.database.admin_url) as admin:
        admin.execute("ALTER TABLE entity_memory ADD CHECK (content NOT LIKE '%JAX%') NOT VALID")
    with scout.database.transaction(scout.user) as conn:
        conn.execute("UPDATE turn SET learned_at = NULL, question = %s", [TOLD])
        conn.execute(
            "UPDATE turn SET question = 'We use Geant4.' WHERE started_at = "
            "(SELECT max(started_at) FROM turn)"
        )
    learn_waiting(scout._services, scout.user)
    assert unlearned(scout) == 0
    assert "We use Geant4" in texts(scout, "fact")


def test_two_processes_that_learn_the_same_turn_at_once_store_it_once(scout):
    scout.ask("hello there")
    learned(scout)
    with scout.database.transaction(scout.user) as conn:
        conn.execute("UPDATE turn SET question = %s, learned_at = NULL, learned = NULL", [TOLD])
    with ThreadPoolExecutor(4) as several:
        done = [several.submit(learn_waiting, scout._services, scout.user) for _ in range(4)]
    assert sum(each.result() for each in done) == 1
    assert len(texts(scout, "decision")) == 1


@pytest.mark.parametrize("choice", ["asked", "nothing"])
def test_nothing_is_learned_where_the_person_does_not_let_it(scout, choice):
    scout.decide_remembering(choice)
    scout.ask(f"{TOLD} {QUESTION}")
    assert learned(scout) == [] and unlearned(scout) == 0
    scout.decide_remembering("everything")
    scout.ask("hello there")
    assert learned(scout) == []  # also not afterwards


def test_of_who_lets_facts_be_remembered_what_they_read_is_not(scout):
    scout.decide_remembering("facts")
    scout.ask(f"My deadline is 3 May. {QUESTION}")
    kinds = {row[0] for row in learned(scout)}
    assert "fact" in kinds and not kinds & {"paper", "author", "method"}


def test_nothing_is_learned_from_a_private_thread(scout):
    make_private(scout.database, scout.user, "secret", True)
    scout.ask(TOLD, thread_id="secret")
    assert learned(scout) == []


def test_secrets_and_addresses_do_not_get_into_memory(scout):
    scout.ask("I work at CERN with Anna Rossi (anna@cern.ch).")
    scout.ask("My API key is abc123def456.")
    stored = json.dumps([list(map(str, row)) for row in learned(scout)])
    assert "CERN" in stored
    assert "anna@cern.ch" not in stored and "abc123" not in stored


# with a chat model


def told(scripted, reply: str, words: str) -> tuple[Scout, Any]:
    scout, model = scripted(says("Noted."), says(reply))
    scout._services.settings = scout._services.settings.model_copy(update={"learning": "model"})
    scout.ask(words)
    learned(scout)
    return scout, model


def test_a_model_adds_what_stands_in_its_quotes_in_the_persons_words(scripted):
    words = "I have a postdoc at Riken; whatever touches mesons goes to my Friday seminar."
    good = {
        "statements": [
            {
                "kind": "fact",
                "text": "Whatever touches mesons goes to the Friday seminar and to the moon.",
                "quote": "whatever touches mesons goes to my Friday seminar",
                "reason": "the moon",
            }
        ],
        "relations": [
            {"subject": "me", "predicate": "works on", "object": "mesons", "quote": "mesons"},
            {"subject": "me", "predicate": "works on", "object": "tachyons", "quote": "mesons"},
        ],
    }
    scout, model = told(scripted, f"```json\n{json.dumps(good)}\n```", words)
    assert len(model.read) == 2
    facts = [row for row in learned(scout) if row[0] == "fact"]
    added = [row for row in facts if "Friday" in row[1]]
    assert added and added[-1][1] == "whatever touches mesons goes to my Friday seminar"
    assert added[-1][2] is None
    assert "mesons" in texts(scout, "concept") and "tachyons" not in str(learned(scout))


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Sorry, I can't.",
        '{"statements": [{"kind": "fact"',
        '{"statements": "none"}',
        json.dumps({"statements": [{"kind": "fact", "text": "X is Y.", "quote": "X is Y."}]}),
        json.dumps({"statements": [{"kind": "spell", "text": "at Riken", "quote": "at Riken"}]}),
        json.dumps(
            {
                "statements": [
                    {"kind": "finding", "text": "It holds.", "quote": "Riken", "source": "9999.1"}
                ]
            }
        ),
        json.dumps({"statements": [{"kind": "fact", "text": "a", "quote": "Riken"}] * 10_000}),
        "[" * 100_000,
        "x" * 1_000_000,
    ],
    ids=range(10),
)
def test_a_model_that_returns_rubbish_changes_nothing(scripted, reply):
    scout, model = told(scripted, reply, "I have a postdoc at Riken.")
    assert texts(scout, "fact") == ["I have a postdoc at Riken"]
    assert len(model.read) == 2 and unlearned(scout) == 0


def test_a_model_is_asked_only_where_something_new_was_stated_and_once(scripted):
    scout, model = told(scripted, "{}", "I have a postdoc at Riken.")
    assert len(model.read) == 2
    scout.ask("I have a postdoc at Riken.")  # known
    learned(scout)
    assert len(model.read) == 3
    scout.ask("What is a meson?", thread_id="other")  # states nothing
    learned(scout)
    assert len(model.read) == 4


# tools


def test_a_decision_is_remembered_by_tool_and_one_corrected(scripted):
    scout, model = scripted(
        calls(("remember", {"kind": "decision", "text": "We drop the ablation."})),
        says("Kept."),
    )
    scout.ask("Remember that we drop the ablation.")
    assert texts(scout, "decision") == ["We drop the ablation."]
    with scout.database.transaction(scout.user) as conn:
        (memory,) = conn.execute(
            "SELECT langchain_id FROM entity_memory WHERE category = 'decision'"
        ).fetchone()
    change = {"memory_id": str(memory), "text": "We keep the ablation."}
    model.script[:] = [calls(("correct", change)), says("Corrected.")]
    scout.ask("Is the ablation dropped?")  # nobody said otherwise
    assert texts(scout, "decision") == ["We drop the ablation."]
    model.script[:] = [calls(("correct", change)), says("Corrected.")]
    scout.ask("That has changed: we keep the ablation.")
    assert texts(scout, "decision") == ["We keep the ablation."]


def test_memories_are_merged_only_when_the_person_says_that_they_are_the_same(scripted):
    scout, model = scripted(says("Noted."))
    with scout.database.transaction(scout.user) as conn:
        ids = [
            str(row[0])
            for name in ("rectified attention", "sparse caches")
            for row in conn.execute(
                "INSERT INTO entity_memory (category, name, content) VALUES ('method', %s, %s) "
                "RETURNING langchain_id",
                [name, name],
            )
        ]
    merge = calls(("merge", {"memory_ids": ids}))
    model.script[:] = [merge, says("Done.")]
    scout.ask("What is a meson?")
    assert len(texts(scout, "method")) == 2
    model.script[:] = [merge, says("Done.")]
    scout.ask("Rectified attention and sparse caches are the same, merge them.")
    assert texts(scout, "method") == ["rectified attention"]
    with scout.database.transaction(scout.user) as conn:
        aliases, successor = conn.execute(
            "SELECT kept.aliases, gone.superseded_by::text FROM entity_memory AS kept, "
            "entity_memory AS gone WHERE gone.langchain_id = %s AND kept.langchain_id = %s",
            [ids[1], ids[0]],
        ).fetchone()
    assert aliases == ["sparse caches"] and successor == ids[0]


def test_things_are_linked_that_the_person_names_and_no_others(scripted):
    link = {"subject": "Mamba", "predicate": "builds on", "object": "state space models"}
    scout, model = scripted(calls(("link", link)), says("Linked."))
    scout.ask("Note that Mamba builds on state space models.")
    with scout.database.transaction(scout.user) as conn:
        edges = conn.execute(
            "SELECT s.name, predicate, o.name FROM relation_memory AS r "
            "JOIN entity_memory AS s ON s.langchain_id = subject_id "
            "JOIN entity_memory AS o ON o.langchain_id = object_id"
        ).fetchall()
    assert edges == [("Mamba", "builds_on", "state space models")]
    model.script[:] = [calls(("link", {**link, "object": "alchemy"})), says("Linked.")]
    scout.ask("What is Mamba?")
    assert "alchemy" not in str(learned(scout))


def test_ten_thousand_things_in_one_message_are_learned_within_bounds(scripted):
    scout, _ = scripted(says("Well."))
    sentences = ("I use Tool{}.", "I never want papers on topic{}.", "We decided to drop Tool{}.")
    said = " ".join(sentences[each % 3].format(each) for each in range(10_000))
    assert scout.ask(said).status == "answered"
    rows = learned(scout)
    assert 20 <= len(rows) <= MOST_CANDIDATES
    scout.ask(said)
    assert len(learned(scout)) == len(rows)
