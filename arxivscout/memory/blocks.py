"""The blocks in which memories are printed for a model: the data, what it is, and how to use it."""

from __future__ import annotations

from collections.abc import Iterable

from arxivscout.memory.conversation import Message
from arxivscout.memory.tool_log import ToolLog
from arxivscout.memory.vector_memory import Memory

NOTHING = "(no result)"

# kind: (name, description, usage), as the contract has them.
DESCRIPTORS: dict[str, tuple[str, str, str]] = {
    "conversational": (
        "Conversational Memory (episodic memory)",
        "Contains the chat history of the current thread, in chronological order.",
        "Use it to keep continuity with what has already been said in this thread.",
    ),
    "knowledge_base": (
        "Knowledge Base Memory (semantic memory)",
        "Contains domain knowledge ingested from external sources. "
        "Query this memory with natural language questions about the domain.",
        "Use the retrieved passages as factual grounding. Cite the source metadata "
        "when relevant. Do not invent information that is not present here.",
    ),
    "workflow": (
        "Workflow Memory (procedural memory)",
        "Contains sequences of steps already executed by the agent, with their outcome.",
        "Reuse a past workflow when the current task resembles it. Prefer the ones that succeeded.",
    ),
    "toolbox": (
        "Toolbox Memory (procedural memory)",
        "Contains the tools available to the agent and what each one is for.",
        "Select the tool whose description matches the current step. Do not invent tools.",
    ),
    "entity": (
        "Entity Memory (semantic memory)",
        "Contains profiles of people, places and systems met in past interactions.",
        "Use these profiles to resolve references and to personalize the answer.",
    ),
    "summary": (
        "Summary Memory (semantic memory)",
        "Contains condensed summaries of long conversations.",
        "Use the summaries to recover context without reading the whole history.",
    ),
    "tool_log": (
        "Tool Log (audit trail)",
        "Contains raw input/output and execution status of past tool calls.",
        "Use it to check whether a tool has already been called and how it failed.",
    ),
}


def passages(kind: str, memories: Iterable[Memory]) -> str:
    """Memories found by meaning, numbered, each with its metadata."""
    lines = [
        f"[{i}] {memory.content}   ({memory.metadata})"
        for i, memory in enumerate(memories, start=1)
    ]
    return _block(kind, "RETRIEVED PASSAGES", lines)


def conversation(messages: Iterable[Message]) -> str:
    """Messages of a thread, in the order given."""
    lines = [f"[{m.at:%Y-%m-%d %H:%M:%S}] {m.role}: {m.content}" for m in messages]
    return _block("conversational", "CONVERSATION HISTORY", lines)


def tool_logs(logs: Iterable[ToolLog]) -> str:
    """Tool calls, in the order given: what each was called with, and gave or lacked."""
    return _block("tool_log", "TOOL EXECUTIONS", [_tool_log(log) for log in logs])


def _tool_log(log: ToolLog) -> str:
    detail = log.error_message if log.status != "success" else log.tool_output
    timing = f" in {log.duration_ms} ms" if log.duration_ms is not None else ""
    call = f"{log.tool_name}({log.tool_input})"
    return f"[{log.at:%H:%M:%S}] {call} -> {log.status}{timing}\n    {detail}"


def _block(kind: str, heading: str, lines: list[str]) -> str:
    name, description, usage = DESCRIPTORS[kind]
    body = "\n".join(lines) or NOTHING
    return (
        f"MEMORY TYPE: {name}\n\nDESCRIPTION: {description}\n\nUSAGE: {usage}\n\n{heading}:\n{body}"
    )
