"""Nodes: one thing under one key, whether a person's entity, the papers or both know it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from arxivscout.papers import one_line

# What the papers know without any entity.
SHARED = ("paper", "author", "category", "topic")
# Edges that the papers give; of the last two a node has so many that they are read only by name.
SHARED_PREDICATES = ("written_by", "cites", "in_category", "about")
ONLY_BY_NAME = frozenset({"in_category", "about"})
LONGEST_LABEL = 200

_LONGEST_NAME = 500
_MARKS = re.compile("[\u0300-\u036f]")
_UNMARKED = str.maketrans("øØłŁđĐı", "oOlLdDi")
_BETWEEN = re.compile('[ \t\n\r\u00a0!-"$-*,-/:-@\\[-`{-~\u2010-\u2015\u2018-\u201f]+')
_NO_PREDICATE = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Node:
    """A node. Two with the same key are the same.

    Attributes:
        kind: paper, author, category, topic, or what an entity memory can be.
        label: as a person reads it, one line.
        id: of the person's entity, where they have one.
    """

    key: str
    kind: str = field(compare=False)
    label: str = field(compare=False)
    id: UUID | None = field(default=None, compare=False)

    @property
    def value(self) -> str:
        """The key without its kind."""
        return self.key.partition(":")[2]


@dataclass(frozen=True, slots=True)
class View:
    """How much of the graph is looked at.

    Attributes:
        as_of: what held then; None: what holds now. What the papers give holds always.
        own: whether what is remembered of the person is seen, or the papers only.
        hidden: threads of which nothing is seen: private ones, from elsewhere.
    """

    as_of: datetime | None = None
    own: bool = True
    hidden: frozenset[str] = frozenset()


ALL = View()


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes, with what it rests on; `id` is None where the papers give it.

    `until` is set of one that ended; `derived_by` names the rule that inferred it.
    """

    subject: Node
    predicate: str
    object: Node
    id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    confidence: float = 1.0
    quote: str | None = None
    source: str | None = None
    reason: str | None = None
    derived_by: str | None = None

    def beyond(self, key: str) -> Node:
        """The end that is not the node of this key."""
        return self.object if self.subject.key == key else self.subject

    def to_json(self) -> dict[str, Any]:
        """What stands in JSON."""
        return {
            "subject": self.subject.key,
            "predicate": self.predicate,
            "object": self.object.key,
            "since": self.since,
            "until": self.until,
            "confidence": round(self.confidence, 3),
            "quote": self.quote,
            "source": self.source,
            "derived_by": self.derived_by,
        }


def name_key(name: str) -> str:
    """`name` as names are compared; the SQL function `name_key` says the same."""
    plain = name[:_LONGEST_NAME]
    if not plain.isascii():
        plain = _MARKS.sub("", unicodedata.normalize("NFKD", plain)).translate(_UNMARKED)
    return _BETWEEN.sub(" ", plain.lower()).strip(" ")


def predicate_key(predicate: str) -> str:
    """A predicate as it is stored: small letters, `_` between words."""
    return _NO_PREDICATE.sub("_", one_line(predicate).lower()).strip("_")[:100]


def entity_node(identity: UUID, kind: str | None, name: str | None, text: str) -> Node:
    """The node of an entity."""
    kind = kind or "memory"
    if not name:
        return Node(f"memory:{identity}", kind, one_line(text)[:LONGEST_LABEL], identity)
    if kind == "paper":
        return Node(f"paper:{name}", kind, one_line(text)[:LONGEST_LABEL], identity)
    if kind == "author":
        return Node(f"author:{name_key(name)}", kind, one_line(name), identity)
    return Node(f"{kind}:{name}", kind, one_line(name)[:LONGEST_LABEL], identity)


def paper_node(arxiv_id: str, title: str | None) -> Node:
    """The node of a paper that may be held or only cited."""
    label = f"[arXiv:{arxiv_id}] {one_line(title or '')}".strip()
    return Node(f"paper:{arxiv_id}", "paper", label[:LONGEST_LABEL])
