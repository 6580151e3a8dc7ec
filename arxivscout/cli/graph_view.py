"""What `arxivscout graph` found, on the screen and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arxivscout.memory.graph.matching import Matches
    from arxivscout.memory.graph.node import Edge
    from arxivscout.memory.graph.own import Around
    from arxivscout.memory.graph.timeline import Event


def show_around(found: Around, as_json: bool) -> None:
    """A tree: under each thing what was reached through it."""
    from arxivscout.cli import render
    from arxivscout.memory.graph.telling import grounds, verb

    if as_json:
        render.json_out(around_json(found))
        return
    if not found.reached:
        render.note(f"Nothing is joined to {found.starts[0].label}.")
        return
    below: dict[str, list[str]] = {}
    by_key = {each.node.key: each for each in found.reached}
    for each in found.reached:
        below.setdefault(each.via.beyond(each.node.key).key, []).append(each.node.key)
    shown: set[str] = set()

    def show(key: str, indent: str) -> None:
        for child in below.get(key, ()):
            if child in shown:
                continue
            shown.add(child)
            each = by_key[child]
            told, label = verb(each.via.predicate), f"{each.node.label} ({each.node.kind})"
            if each.via.object.key == child:
                render.hanging(f"{indent}{told} ", label)
            else:
                render.hanging(f"{indent}← ", f"{label} {told}")
            if known := grounds(each.via):
                render.line(f"{indent}    {known}", "dim")
            show(child, f"{indent}  ")

    for start in found.starts:
        if start.key in below:
            render.line(f"{start.label} ({start.kind})", "bold")
            show(start.key, "  ")
    # What was reached through something that is not among the weightiest stands by itself.
    for each in found.reached:
        if each.node.key not in shown:
            near = each.via.beyond(each.node.key)
            if near.key not in shown:
                render.line(f"through {near.label} ({near.kind})", "bold")
            show(near.key, "  ")


def show_edges(edges: list[Edge] | tuple[Edge, ...], indent: str = "") -> None:
    """Edges as sentences, each with what it rests on."""
    from arxivscout.cli import render
    from arxivscout.memory.graph.telling import grounds, sentence

    for edge in edges:
        render.hanging(f"{indent}", sentence(edge))
        if known := grounds(edge):
            render.line(f"{indent}    {known}", "dim")


def around_json(found: Around) -> dict[str, object]:
    """Where a walk began and what it reached."""
    return {
        "of": [node.key for node in found.starts],
        "reached": [
            {
                "key": each.node.key,
                "kind": each.node.kind,
                "label": each.node.label,
                "id": each.node.id,
                "distance": each.distance,
                "score": round(each.score, 4),
                "via": each.via.to_json(),
                "shared": [node.key for node in each.shared],
            }
            for each in found.reached
        ],
    }


def matches_json(found: Matches) -> dict[str, object]:
    """What a pattern's variables are bound to, by which edges."""
    return {
        "complete": found.complete,
        "rows": [
            {
                "bound": {
                    name: {"key": node.key, "label": node.label} for name, node in row.bound.items()
                },
                "edges": [edge.to_json() for edge in row.edges],
            }
            for row in found.rows
        ],
    }


def event_json(event: Event) -> dict[str, object]:
    """A line of a timeline."""
    return {
        "at": event.at,
        "what": event.what,
        "text": event.text,
        "why": event.why,
        "thread": event.thread_id,
        "id": event.id,
    }
