"""Which tools to call next, by rule, from the person's words and what came back so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from arxivscout.llm.by_command import command_for
from arxivscout.llm.extractive_arguments import Tools, fill_arguments, named_tool
from arxivscout.llm.extractive_filters import LONGEST_QUERY, Filters, query_of
from arxivscout.llm.extractive_forgetting import meant_to_forget, recalled
from arxivscout.llm.extractive_reading import Reading
from arxivscout.llm.extractive_requests import Request
from arxivscout.llm.graph_questions import graph_call, told_by_graph
from arxivscout.papers import cut_at_word

MOST_SAVED = 8  # wishes of one message that are kept, each as a memory of its own
MOST_READ = 8  # papers named in one question


# The tools whose use is ruled here; any other is called when the person names it.
OWN_TOOLS = frozenset(
    "search_papers search_passages search_arxiv read_paper compare_papers recall_memory "
    "read_tool_logs save_memory update_memory forget_memory summarise_thread expand_summary "
    "remember correct merge link lessons reflect_now reinforce neighbours related path timeline "
    "match archive deep_recall drill_down consolidate".split()
)
# What recall_memory may call its kinds, by what is looked for.
_KINDS = {
    "said": ("said",),
    "preference": ("preference", "preferences", "entity", "entities", "all"),
    "finding": ("findings", "finding", "entity", "entities", "all"),
    "papers": ("papers", "paper", "entity", "entities", "all"),
    "conversation": ("conversation", "conversational", "episodic", "messages", "all"),
    "looked_at": ("looked_at", "looked at", "entity", "entities", "all"),
}


@dataclass(frozen=True, slots=True)
class Planned:
    """One call to make."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Situation:
    """All that the rules look at."""

    reading: Reading
    request: Request
    topic: str  # without its filters
    filters: Filters
    tools: Tools
    enough: Callable[[], bool]  # is anything at hand relevant?
    left_out: Callable[[], frozenset[str]]  # ids of what is relevant and not wanted
    close: Callable[[str, Sequence[str]], list[float]]

    def free(self, name: str) -> bool:
        """Bound and not yet called in this turn."""
        return name in self.tools and self.reading.called(name) is None

    def asks_papers(self) -> bool:
        return self.request.wish == "research" or bool(self.request.question)


def plan(now: Situation) -> list[Planned]:
    """The calls to make next; none when it is time to answer."""
    others = {name: s for name, s in now.tools.items() if name not in OWN_TOOLS and now.free(name)}
    ours = any(name in OWN_TOOLS for name in now.tools)
    if name := named_tool(now.reading.question, others, exact=ours):
        return [Planned(name, fill_arguments(name, others[name], now.reading.question))]
    if any(result.name not in OWN_TOOLS for result in now.reading.results):
        return []  # what was asked for by name has answered
    if (call := graph_call(now.reading.question)) and call[0] in now.tools:
        told = now.reading.called(call[0])
        if told is None:
            return [Planned(*call)]
        if told_by_graph(call, told.status):
            return []
    match now.request.wish:
        case "summarise":
            return [Planned("summarise_thread")] if now.free("summarise_thread") else []
        case "forget":
            return _forget(now)
        case "recall":
            return _recall(now)
        case "remember" | "preference":
            return _save(now) + (_search(now) if now.asks_papers() else [])
        case "paper" if command_for(now.reading.question, now.request.papers):
            return []
        case "paper":
            return _read(now)
        case "compare":
            return _compare(now)
        case "research":
            return _search(now)
        case _:
            return []


def _search(now: Situation) -> list[Planned]:
    query = query_of(now.topic) or now.filters.author or cut_at_word(now.topic, LONGEST_QUERY)
    arguments = {"query": query, **now.filters.arguments()}
    if now.free("search_papers"):
        return [Planned("search_papers", arguments)]
    wider = {"query": query, **now.filters.without_wishes().arguments()}
    searched = [r.arguments for r in now.reading.results if r.name == "search_papers"]
    known = now.enough() or now.left_out()
    if "search_papers" in now.tools and wider not in searched and not known:
        # What a wish alone keeps out is named: the person may want to know that it is held.
        return [Planned("search_papers", wider)]
    if now.free("search_arxiv") and not now.enough():
        return [Planned("search_arxiv", arguments)]
    return []


def _read(now: Situation) -> list[Planned]:
    if now.free("read_paper"):
        return [
            Planned("read_paper", {"arxiv_id": str(paper)})
            for paper in now.request.papers[:MOST_READ]
        ]
    similar = any(
        word in now.reading.question.lower().split() for word in ("similar", "related", "like")
    )
    if similar and now.free("search_papers"):
        read = now.reading.called("read_paper")
        if read and (papers := read.papers):
            return [
                Planned("search_papers", {"query": cut_at_word(papers[0].title, LONGEST_QUERY)})
            ]
    return []


def _compare(now: Situation) -> list[Planned]:
    compared = now.reading.called("compare_papers")
    if "compare_papers" not in now.tools or (compared and compared.status != "ok"):
        return _read(now)
    ids = [paper.value for paper in now.request.papers[:MOST_READ]]
    return [] if compared else [Planned("compare_papers", {"arxiv_ids": ids})]


def _save(now: Situation) -> list[Planned]:
    if not now.free("save_memory"):
        return []
    request = now.request
    arguments: dict[str, Any] = {
        "kind": request.kind,
        "reason": request.reason or "the researcher asked to remember it",
    }
    if request.papers:
        arguments["arxiv_ids"] = [paper.value for paper in request.papers]
    texts = request.each[:MOST_SAVED] or (request.about,)
    return [Planned("save_memory", {**arguments, "text": text}) for text in texts]


def _recall(now: Situation) -> list[Planned]:
    if "recall_memory" not in now.tools:
        return []
    said = now.reading.question.lower()
    if now.request.focus in ("papers", "held"):
        kind = "papers"
    elif now.request.focus == "findings":
        kind = "finding"
    elif now.request.focus == "first":
        kind = "conversation"
    elif now.request.focus:  # a kind of its own
        query = cut_at_word(now.reading.question, LONGEST_QUERY)
        own = {"kind": now.request.focus, "query": query, "k": 50}
        return _unless_done(now, Planned("recall_memory", own))
    elif any(
        word in said
        for word in ("discuss", "ask", "talk", "say", "said", "tell", "told", "question", "parlat")
    ):
        kind = "conversation"
    elif "finding" in said or "found" in said:
        kind = "finding"
    elif any(word in said for word in ("paper", "article", "look", "read")):
        kind = "looked_at"
    else:
        kind = "preference"
    query = cut_at_word(now.reading.question, LONGEST_QUERY)
    return _unless_done(now, Planned("recall_memory", {"kind": _kind(now, kind), "query": query}))


def _unless_done(now: Situation, call: Planned) -> list[Planned]:
    done = [result.arguments for result in now.reading.results if result.name == call.name]
    return [] if call.arguments in done else [call]


def _forget(now: Situation) -> list[Planned]:
    about = now.request.about
    if now.request.everything or not about or "forget_memory" not in now.tools:
        return []
    query = cut_at_word(about, LONGEST_QUERY)
    kinds = [_kind(now, "said")]
    if not any(result.status == "ok" for result in recalled(now.reading, kinds[0])):
        kinds.append(_kind(now, "preference"))  # whatever lies near to it
    if "recall_memory" in now.tools and (
        new := [each for each in dict.fromkeys(kinds) if not recalled(now.reading, each)]
    ):
        return [Planned("recall_memory", {"kind": new[0], "query": query})]
    reason = f"the researcher asked: {now.reading.question[:200]}"
    if not now.free("forget_memory"):
        return []
    return [
        Planned("forget_memory", {"memory_id": item.id, "reason": reason})
        for item in meant_to_forget(now)
    ]


def _kind(now: Situation, kind: str) -> str:
    """`kind` by the name that the bound tool has for it."""
    properties = now.tools["recall_memory"].get("properties") or {}
    options = (properties.get("kind") or {}).get("enum") or []
    return next((name for name in _KINDS[kind] if name in options), options[0] if options else kind)
