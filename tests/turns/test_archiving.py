"""The model archives a memory only with the person's word; what rests is not recalled unasked."""

from __future__ import annotations

import pytest
from turns.scripted import calls, says

from arxivscout.agent.wishes import asks_to_archive
from arxivscout.app import Scout
from arxivscout.errors import UsageError
from arxivscout.memory import entity
from arxivscout.memory.overview import Seen

FACT = "The halo mass of Draco is uncertain."


def fact(scout: Scout) -> str:
    with scout.database.transaction(scout.user) as conn:
        vector = scout.embedder.embed_query(FACT)
        return str(entity.write(conn, FACT, vector, {"category": "finding"}))


def archived(scout: Scout) -> list[str]:
    return [each.text for each in scout.rights.items(None, 9, Seen(archived="only"))]


def archives(scout: Scout, memory: str):
    return calls(("archive", {"memory_id": memory}))


@pytest.mark.parametrize(("answer", "rests"), [("archive", [FACT]), ("keep", [])])
def test_the_person_is_asked(scripted, answer: str, rests: list[str]) -> None:
    scout, model = scripted(says(""), says("Done."))
    memory = fact(scout)
    model.script[0] = archives(scout, memory)
    asked = []

    def decide(choice):
        asked.append(choice)
        return answer

    list(scout.stream("Could you archive an old memory of mine?", decide=decide))
    assert [(each.kind, each.options) for each in asked] == [
        ("confirm_archive", ("archive", "keep"))
    ]
    assert FACT in asked[0].text
    assert archived(scout) == rests


@pytest.mark.parametrize(
    ("question", "plainly"),
    [
        ("Archive what you know of the halo mass of Draco.", True),
        ("And now please archive the finding about Draco", True),
        ("Archivia quello che sai di Draco.", True),
        ("What is the halo mass of Draco?", False),
        ("How do archives of telescopes store Draco?", False),
        ("Archive what you know of mesons.", False),
        ("Does Draco archive anything?", False),
    ],
)
def test_what_is_a_plain_wish(question: str, plainly: bool) -> None:
    assert asks_to_archive(question, "3f2a9c", FACT) == plainly


@pytest.mark.parametrize(
    ("question", "rests"),
    [
        ("Archive what you know of the halo mass of Draco.", [FACT]),
        ("Archive what you know of mesons.", []),
    ],
)
def test_with_nobody_to_ask_only_what_was_plainly_asked_for(
    scripted, question: str, rests: list[str]
) -> None:
    scout, model = scripted(says(""), says("Done."))
    model.script[0] = archives(scout, fact(scout))
    scout.ask(question)
    assert archived(scout) == rests


def test_what_rests_is_recalled_again_when_it_is_restored(scripted) -> None:
    scout, model = scripted(says("Well."))
    fact(scout)
    question = "What is known about the halo mass of Draco?"
    scout.ask(question, thread_id="one")
    assert FACT in str(model.read[-1])
    held = scout.rights.named("halo mass of Draco")
    scout.rights.archive(held)
    with pytest.raises(UsageError, match="in the archive already"):
        scout.rights.archive(held)
    scout.ask(question, thread_id="two")
    assert FACT not in str(model.read[-1])
    assert [each.text for each in scout.rights.search("Draco", None, 9)] == []
    found = scout.rights.search("Draco", None, 9, Seen(archived="with"))
    assert [each.text for each in found] == [FACT]
    scout.rights.restore(scout.rights.named(held.id[:8], "only"))
    scout.ask(question, thread_id="three")
    assert FACT in str(model.read[-1])
    with scout.database.transaction(scout.user) as conn:
        rows = conn.execute(
            "SELECT change FROM change_log WHERE row_id = %s ORDER BY id", [held.id]
        ).fetchall()
    assert [name for (name,) in rows] == ["add", "archive", "restore"]
