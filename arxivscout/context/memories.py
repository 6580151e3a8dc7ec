"""Recalled memories as the lines a model reads: date, id and thread first, so that it can judge
how old a memory is and name it when it is to be changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arxivscout.context.earlier import earlier_items
from arxivscout.context.repeated import repeated_item
from arxivscout.context.segments import Item
from arxivscout.papers import Paper, neutralise, render_papers
from arxivscout.papers.rendering import CLOSING, OPENING

Memory = Mapping[str, Sequence[Mapping[str, Any]]]


def memory_items(memory: Memory) -> dict[str, list[Item]]:
    """The items of each segment, best first, from what `memory.recall` gave back."""
    items: dict[str, list[Item]] = {}
    unkept = [Item(f"- {row['text']}", "consent") for row in memory.get("unkept", ())]
    for kind in ("preferences", "findings"):
        items[kind] = [
            *(unkept if kind == "preferences" else ()),
            *(
                Item(
                    f"- {_when(row)} (id {row['id']}, {_thread(row)}{_standing(row)}): "
                    + cited_line(row["text"])
                    + (f" | because: {neutralise(row['reason'])}" if row.get("reason") else ""),
                    row["id"],
                    row.get("score", 0.0),
                )
                for row in memory.get(kind, ())
            ),
        ]
    items["lessons"] = [
        Item(
            f"- {_when(row)} (id {row['id']}, {row['kind']}, {row['cases_for']} for, "
            f"{row['cases_against']} against): {neutralise(row['text'])}"
            + (f" | because: {neutralise(row['reason'])}" if row.get("reason") else ""),
            row["id"],
            row.get("score", 0.0),
        )
        for row in memory.get("lessons", ())
    ]
    items["related"] = [
        Item(f"- {_related(row)} (id {row['id']})", row["id"], row.get("score", 0.0))
        for row in memory.get("related", ())
    ]
    items["notes"] = [
        Item(
            f"- {_when(row)} ({_marks(row)}): [arXiv:{row['arxiv_id']}] "
            f"{neutralise(row['title'] or '?')} | noted: {neutralise(row['text'])}",
            row["id"],
            row.get("score") or 0.0,
        )
        for row in memory.get("notes", ())
    ]
    items["looked_at"] = [
        Item(
            f"- {_when(row)} (id {row['id']}, {_thread(row)}): [arXiv:{row['arxiv_id']}] "
            f"{neutralise(row['title'])} | asked: {neutralise(row['question'])[:300]}",
            row["id"],
            row.get("score", 0.0),
        )
        for row in memory.get("looked_at", ())
    ]
    items["workflows"] = [
        Item(
            f"- {_when(row)} (id {row['id']}, {row['outcome']}): {neutralise(row['text'])}",
            row["id"],
            row.get("score", 0.0),
        )
        for row in memory.get("workflows", ())
    ]
    items["summaries"] = [
        Item(
            f"- {_when(row)} (id {row['id']}, {_thread(row)}): {cited_line(row['text'])}",
            row["id"],
            row.get("score", 0.0),
        )
        for row in memory.get("summaries", ())
    ]
    items["tool_logs"] = [
        Item(
            f"- {_when(row)} {row['tool_name']}({neutralise(row['input'])[:200]}) failed: "
            f"{neutralise(row['error'] or row['status'])[:200]}",
            row["id"],
        )
        for row in memory.get("tool_logs", ())
    ]
    items["earlier"] = [
        *(repeated_item(row, row["new"]) for row in memory.get("repeated", ())),
        *earlier_items(memory.get("earlier", ())),
    ]
    items["knowledge"] = [
        Item(paper_record(paper_from(row)), row["arxiv_id"], row.get("score", 0.0))
        for row in memory.get("knowledge", ())
    ]
    return items


def paper_from(row: Mapping[str, Any]) -> Paper:
    """The paper of a row as state holds it: its metadata with its id."""
    return Paper.from_metadata(str(row["arxiv_id"]), row)


def paper_record(paper: Paper) -> str:
    """One record without the fence, which stands once around all of them."""
    return render_papers([paper]).removeprefix(f"{OPENING}\n").removesuffix(f"\n{CLOSING}")


def cited_line(text: str) -> str:
    """A remembered text as one line; it was checked when it was stored, so its citations stay."""
    parts = text.replace("[arXiv:", "\ue000")
    return neutralise(parts).replace("\ue000", "[arXiv:")


def _standing(row: Mapping[str, Any]) -> str:
    """Whether it rests, and whether it stands for others."""
    return ", archived" * bool(row.get("archived")) + ", summary" * (row.get("kind") == "summary")


def _related(row: Mapping[str, Any]) -> str:
    """What something is called, and the edges by which the question leads to it."""
    called = neutralise(row["name"] or row["text"])[:200]
    steps = [
        f"{neutralise(step['subject'] or '?')[:120]} {step['predicate'].replace('_', ' ')} "
        f"{neutralise(step['object'] or '?')[:120]}"
        + (f" (since {step['since'][:10]})" if step.get("since") else "")
        for step in row["via"] or ()
    ]
    kind = "" if row["kind"] is None else f"{row['kind']} "
    return f"{kind}{called}: {'; '.join(steps)}"


def _marks(row: Mapping[str, Any]) -> str:
    """How far a paper is read, and its tags; no bracket, which would end the list."""
    tags = [f"tagged {row['tags']}"] if row.get("tags") else []
    return neutralise(", ".join([str(row["status"]), *tags])).replace(")", "")


def _when(row: Mapping[str, Any]) -> str:
    return str(row.get("at") or "?")[:10]


def _thread(row: Mapping[str, Any]) -> str:
    return f"thread {neutralise(str(row.get('thread_id') or '?'))}"
