"""A person's graph for tests: things by name, edges between them, a naive walk to compare."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.memory import entity, relation
from arxivscout.papers import Paper

Triple = tuple[str, str, str]


def draw(
    conn: Connection[Any], triples: Iterable[Triple], kind: str = "method", **more: Any
) -> dict[str, UUID]:
    """Store things and the edges between them; `kind/name` gives one a kind of its own."""
    ids: dict[str, UUID] = {}
    for subject, predicate, object_ in triples:
        for name in (subject, object_):
            if name not in ids:
                ids[name] = thing(conn, name, kind)
        relation.add(conn, ids[subject], predicate, ids[object_], **more)
    return ids


def thing(conn: Connection[Any], name: str, kind: str = "method") -> UUID:
    """A thing with a name and no vector."""
    given, slash, called = name.partition("/")
    if slash:
        kind, name = given, called
    return entity.write(conn, f"the {kind} {name}", None, {"category": kind, "name": name})


def distances(triples: Iterable[Triple], start: str) -> Mapping[str, int]:
    """How many edges each node is away from `start`, whichever way they point."""
    near: dict[str, set[str]] = {}
    for subject, _, object_ in triples:
        near.setdefault(subject, set()).add(object_)
        near.setdefault(object_, set()).add(subject)
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in near.get(here, ()):
            if there not in found:
                found[there] = found[here] + 1
                waiting.append(there)
    return found


def paper(arxiv_id: str, title: str, *authors: str, **more: Any) -> Paper:
    """A paper's record."""
    return Paper(
        arxiv_id=arxiv_id, title=title, abstract=f"We write of {title}.", authors=authors, **more
    )
