"""What the extractive model reads out of its messages: the question, memory and tool results.

Only the person's last message is a request. Everything else is data here, whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from arxivscout.llm.record_questions import asks_more
from arxivscout.papers import Paper, parse_papers
from arxivscout.papers.excerpts import parse_passages

Status = Literal["ok", "empty", "error"]

_TURN = re.compile(
    r"\s*(?:<memory\b[^>\n]*>\n(?P<memory>.*?)\n</memory>\s*)?"
    r"<question>\n?(?P<question>.*)</question>[^<]*",
    re.DOTALL,
)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_ITEM = re.compile(
    r"- (?:(?P<date>\d{4}-\S+) )?\((?:id )?(?P<id>[0-9a-f][0-9a-f-]{3,})?…?(?P<about>[^)\n]*)\): "
    r"(?P<text>.*)"
)
_STATUS = re.compile(r"^status: (?P<status>\w+)(?P<note>.*)$")


@dataclass(frozen=True, slots=True)
class Item:
    """One recalled memory: what it says, when it was stored, its id, and why it was kept."""

    text: str
    date: str = ""
    id: str = ""
    reason: str = ""
    about: tuple[str, ...] = ()  # category or outcome, thread


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One call of this turn and what came back, the status line taken off."""

    name: str
    arguments: dict[str, Any]
    text: str
    status: Status
    note: str = ""

    @property
    def papers(self) -> list[Paper]:
        return parse_papers(self.text)


@dataclass(frozen=True, slots=True)
class Reading:
    """One turn as far as it has come."""

    question: str
    topic: str  # the question as it stands alone, with what a follow-up leans on
    sections: dict[str, tuple[Item, ...]] = field(default_factory=dict)
    knowledge: tuple[Paper, ...] = ()
    results: tuple[ToolResult, ...] = ()
    last_answer: str = ""  # the newest answer in this thread
    earlier: tuple[str, ...] = ()  # the person's earlier questions in this thread, oldest first

    def called(self, name: str) -> ToolResult | None:
        """The last result of the tool `name` in this turn."""
        return next((r for r in reversed(self.results) if r.name == name), None)

    @property
    def papers(self) -> list[Paper]:
        """Every paper at hand, each once: tool results first, then what was recalled.

        Behind its abstract stand the passages of its full text that tools gave: they are quoted
        and judged like it.
        """
        found: dict[str, Paper] = {}
        passages: dict[str, dict[str, None]] = {}
        for result in self.results:
            if result.status == "ok":
                for paper in result.papers:
                    found.setdefault(paper.arxiv_id, paper)
                for arxiv_id, passage in parse_passages(result.text):
                    passages.setdefault(arxiv_id, {})[passage.text] = None
        for paper in self.knowledge:
            found.setdefault(paper.arxiv_id, paper)
        for arxiv_id in found.keys() & passages:
            text = "\n\n".join([found[arxiv_id].abstract, *passages[arxiv_id]])
            found[arxiv_id] = replace(found[arxiv_id], abstract=text)
        return list(found.values())


def read_messages(messages: Sequence[BaseMessage]) -> Reading:
    """The turn that `messages` end in."""
    asked = [i for i, message in enumerate(messages) if isinstance(message, HumanMessage)]
    begin = asked[-1] if asked else -1
    memory, question = _turn(str(messages[begin].text)) if asked else ("", "")
    earlier = tuple(_turn(str(messages[i].text))[1] for i in asked[:-1])
    sections, knowledge = _sections(memory)
    understood = sections.pop("question understood as", ())
    topic = understood[0].text if understood else _with_what_it_leans_on(question, earlier)
    return Reading(
        question=question,
        topic=topic,
        sections=sections,
        knowledge=knowledge,
        results=tuple(_results(messages[begin + 1 :])),
        earlier=earlier,
        last_answer=next(
            (
                str(message.text)
                for message in reversed(messages[: max(begin, 0)])
                if isinstance(message, AIMessage) and not message.tool_calls
            ),
            "",
        ),
    )


def parse_items(text: str) -> list[Item]:
    """The `- date (id …, …): text` lines of a memory section or of a tool's result."""
    items: list[Item] = []
    for line in text.split("\n"):
        if found := _ITEM.fullmatch(line):
            said, _, reason = found["text"].partition(" | because: ")
            about = tuple(part for part in found["about"].strip(" ,").split(", ") if part)
            items.append(
                Item(said.strip(), found["date"] or "", found["id"] or "", reason.strip(), about)
            )
        elif line.strip() and not line.startswith(("<", "## ", "  ", "[arXiv:")):
            items.append(Item(line.removeprefix("- ").strip()))
    return items


def _turn(text: str) -> tuple[str, str]:
    """Memory block and question of a person's message; without tags all of it is the question."""
    found = _TURN.fullmatch(text)
    if found is None:
        return "", text.strip()
    return found["memory"] or "", found["question"].strip()


def _sections(memory: str) -> tuple[dict[str, tuple[Item, ...]], tuple[Paper, ...]]:
    parts = _HEADING.split(memory)
    sections: dict[str, tuple[Item, ...]] = {}
    knowledge: tuple[Paper, ...] = ()
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        if heading == "knowledge":
            knowledge = tuple(parse_papers(body.strip("\n")))
        else:
            sections[heading] = tuple(parse_items(body))
    return sections, knowledge


def _results(messages: Sequence[BaseMessage]) -> list[ToolResult]:
    calls: dict[str, tuple[str, dict[str, Any]]] = {}
    results: list[ToolResult] = []
    for message in messages:
        if isinstance(message, AIMessage):
            for call in message.tool_calls:
                calls[call["id"] or ""] = (call["name"], call["args"])
        elif isinstance(message, ToolMessage):
            name, arguments = calls.get(message.tool_call_id, (message.name or "tool", {}))
            results.append(_result(name, arguments, str(message.text), message.status))
    return results


def _result(name: str, arguments: dict[str, Any], text: str, status: str) -> ToolResult:
    body, _, last = text.rstrip().rpartition("\n")
    found = _STATUS.match(last)
    if found is None:
        return ToolResult(name, arguments, text.strip(), "error" if status == "error" else "ok")
    said = found["status"]
    told: Status = "ok" if said == "ok" else "empty" if said == "empty" else "error"
    return ToolResult(name, arguments, body.strip(), told, found["note"].strip(" ·"))


def _with_what_it_leans_on(question: str, earlier: tuple[str, ...]) -> str:
    """A follow-up with the question before it in front, where nobody has resolved it yet."""
    from arxivscout.llm.terms import content_terms

    leans = len(content_terms(question)) <= 2 and _LEANS.search(question)
    if earlier and question and (leans or asks_more(question)):
        return f"{earlier[-1][:600]} {question}"
    return question


_LEANS = re.compile(
    r"^\s*(?:and|but|so|what about|how about|e|ed|ma)\b|\b(?:it|its|they|their|them|this|that|these"
    r"|those|he|she|his|her)\b",
    re.IGNORECASE,
)
