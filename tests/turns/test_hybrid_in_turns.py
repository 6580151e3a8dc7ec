"""What was learned long ago shapes a turn, however much was learned since."""

from __future__ import annotations

import pytest
from turns.settled import settle

from arxivscout.agent.services import Services
from arxivscout.app import Scout
from arxivscout.memory import gate
from arxivscout.memory.candidate import Candidate, Link

GALAXIES = "Which observations of galaxies does modified dynamics explain?"
DARK = "2505.21638"  # speaks of dark matter

_NEWER = """
INSERT INTO entity_memory (category, content, langchain_metadata, embedding, updated_at)
SELECT kind, said || ' number ' || n, '{}',
       (SELECT embedding FROM entity_memory WHERE category = 'preference' LIMIT 1),
       now() + n * interval '1 s'
FROM generate_series(1, 500) AS n,
     (VALUES ('preference', 'I like papers on galaxies of'),
             ('fact', 'I read about dark matter in galaxies of')) AS each (kind, said)
"""


def cited(scout: Scout, question: str, thread: str) -> tuple[str, list[str]]:
    answer = scout.ask(question, thread_id=thread)
    return answer.answer, [each.arxiv_id for each in answer.citations]


@pytest.mark.parametrize(
    "wish", ["I'm not interested in dark matter.", "Never show me papers on dark matter."]
)
def test_a_critical_preference_is_obeyed_after_a_thousand_newer_like_memories(
    scout: Scout, services: Services, wish: str
) -> None:
    other = Scout(services, "somebody else")
    told, papers = cited(other, GALAXIES, "new")
    assert DARK in papers and "Left out" not in told
    scout.ask(wish, thread_id="wish")
    settle(services)
    with services.database.transaction(scout.user) as conn:
        assert conn.execute(_NEWER).rowcount == 1_000
    text, papers = cited(scout, GALAXIES, "new")
    assert DARK not in papers and "Left out" in text


def test_what_the_graph_leads_to_is_read_by_the_model(scout: Scout, services: Services) -> None:
    candidates = [
        Candidate("fact", "We fit the curves with a code for accelerators."),
        Candidate("tool", "Zephyr", name="Zephyr"),
        Candidate("organisation", "Orion Lab", name="Orion Lab"),
    ]
    vectors = services.embedder.embed_documents([each.text for each in candidates])
    with services.database.transaction(scout.user) as conn:
        links = [Link(0, "uses", 1), Link(1, "developed_by", 2)]
        gate.remember(conn, candidates, links, vectors)
    scout.ask("Which observations did Orion Lab make?", thread_id="new")
    with services.database.transaction(scout.user) as conn:
        ((report,),) = conn.execute("SELECT report FROM turn WHERE thread_id = 'new'").fetchall()
    shown = {part["segment"]: len(part["items"]) for part in report}
    assert shown["related"] >= 1 and shown["findings"] == 1
