"""Every tool with arguments that are right, wrong, another's or huge: an observation, and nothing
half written."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from arxivscout.agent.services import Services
from arxivscout.agent.toolkit import TOOLS
from arxivscout.agent.tools import Call, Outcome, TurnScope, run_calls
from arxivscout.app import Scout

HUGE = "x " * 500_000
SAID = "Please remember, merge, archive and link LoRA and QLoRA."
# With what each is called rightly, `{id}` for a memory of the person's own.
RIGHT: dict[str, dict[str, Any]] = {
    "remember": {"kind": "fact", "text": "LoRA and QLoRA"},
    "save_memory": {"kind": "fact", "text": "LoRA and QLoRA"},
    "correct": {"memory_id": "{id}", "text": "LoRA"},
    "update_memory": {"memory_id": "{id}", "text": "LoRA"},
    "forget_memory": {"memory_id": "{id}"},
    "archive": {"memory_id": "{id}"},
    "merge": {"memory_ids": ["{id}", "{other}"]},
    "link": {"subject": "LoRA", "predicate": "extends", "object": "QLoRA"},
    "neighbours": {"name": "LoRA"},
    "related": {"name": "LoRA"},
    "path": {"start": "LoRA", "end": "QLoRA"},
    "timeline": {"about": "LoRA"},
    "match": {"pattern": '?x extends "LoRA"'},
    "lessons": {"query": "LoRA"},
    "reinforce": {"lesson_id": "{id}", "supports": True},
    "drill_down": {"summary_id": "{id}"},
    "expand_summary": {"summary_id": "{id}"},
    "consolidate": {"category": "findings"},
    "deep_recall": {"query": "LoRA"},
    "recall_memory": {"kind": "entities", "query": "LoRA"},
    "summarise_thread": {"summary": "LoRA"},
    "open_result": {"result_id": "{id}"},
    "read_tool_logs": {"contains": "LoRA"},
}
CHANGES = (
    "entity_memory", "relation_memory", "summary_memory", "lesson_memory", "change_log",
    "workflow_memory",
)  # fmt: skip


def use(services: Services, tool: str, given: dict[str, Any], user: str = "tester") -> Outcome:
    scope = TurnScope(services, user, "t", str(uuid.uuid4()), SAID)
    (outcome,) = run_calls([Call("1", tool, given)], services.tools, scope, 20)
    return outcome


def stored(services: Services, user: str) -> list[Any]:
    """All that tools may change, row by row."""
    with services.database.transaction(user) as conn:
        return [
            row
            for table in CHANGES
            for row in conn.execute(f"SELECT t::text FROM {table} AS t ORDER BY 1").fetchall()
        ]


def kept(services: Services, text: str, user: str = "tester") -> str:
    outcome = use(services, "save_memory", {"kind": "fact", "text": text}, user)
    return outcome.content.partition("(id ")[2][:36]


def named(given: Any, ids: dict[str, str]) -> Any:
    if isinstance(given, list):
        return [named(each, ids) for each in given]
    return given.format(**ids) if isinstance(given, str) else given


@pytest.fixture
def ids(services: Services) -> dict[str, str]:
    own = {"id": kept(services, "LoRA is small."), "other": kept(services, "Kaons are neutral.")}
    return {**own, "foreign": kept(services, "Bob works on axions.", "bob")}


def test_every_tool_over_memory_is_tried() -> None:
    papers = {"search_papers", "search_arxiv", "read_paper", "search_passages", "compare_papers"}
    assert set(RIGHT) == {tool.name for tool in TOOLS} - papers - {"reflect_now"}


@pytest.mark.parametrize("tool", sorted(RIGHT))
def test_what_is_wrong_is_an_observation_and_changes_nothing(
    services: Services, ids: dict[str, str], tool: str
) -> None:
    right = {name: named(value, ids) for name, value in RIGHT[tool].items()}
    before, bobs = stored(services, "tester"), stored(services, "bob")
    wrong: list[dict[str, Any]] = [{**right, "colour": "red"}]
    for name, value in right.items():
        wrong += [{**right, name: each} for each in ([[{}]], 10**30, {"a": 1})]
        if isinstance(value, str):
            wrong.append({**right, name: HUGE})
        if "{" in str(RIGHT[tool][name]):
            nobody = str(uuid.uuid4())
            for each in (ids["foreign"], nobody, "x", ""):
                wrong.append({**right, name: [ids["id"], each] if "ids" in name else each})
    if "reason" in services.tools[tool].args_schema.model_fields:
        wrong.append({**right, "reason": HUGE})
    for given in wrong:
        outcome = use(services, tool, given)
        empty = tool in ("drill_down", "expand_summary") and "status: empty" in outcome.content
        assert outcome.status == "error" or empty, given
        assert "Error" not in outcome.content and "axions" not in outcome.content
        assert len(outcome.content) < 2_000
    assert stored(services, "tester") == before and stored(services, "bob") == bobs


@pytest.mark.parametrize("tool", ["correct", "update_memory", "forget_memory", "archive", "merge"])
def test_what_changes_memory_says_that_there_is_no_such_memory(
    services: Services, ids: dict[str, str], tool: str
) -> None:
    nobody = {**ids, "id": str(uuid.uuid4()), "other": ids["foreign"]}
    outcome = use(services, tool, {n: named(v, nobody) for n, v in RIGHT[tool].items()})
    assert f"memory {nobody['id']}" in outcome.content or "No memory is" in outcome.content


def test_a_thing_is_what_it_is_called(services: Services) -> None:
    use(services, "link", RIGHT["link"])
    (node, *_) = Scout(services, "tester").graph.neighbours("LoRA").starts
    outcome = use(services, "correct", {"memory_id": str(node.id), "text": "Something else"})
    assert outcome.status == "error" and "is what it is called" in outcome.content
