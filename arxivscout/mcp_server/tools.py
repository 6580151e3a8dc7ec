"""What a tool of the server is, and its answer whatever happens: text, or one line of error."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from mcp import types
from pydantic import ValidationError

from arxivscout.agent.tools import Arguments
from arxivscout.errors import ScoutError
from arxivscout.mcp_server.calls import Call
from arxivscout.papers import clean_text, one_line

MOST_TEXT = 60_000  # characters of one answer
MOST_ERROR = 1_000
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServedTool:
    """A tool that clients call: `run(call, arguments)` gives the text of its answer."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Call, Any], Awaitable[str]]
    hints: types.ToolAnnotations = field(
        default_factory=lambda: types.ToolAnnotations(readOnlyHint=True, openWorldHint=False)
    )

    @property
    def definition(self) -> types.Tool:
        """What a client is told of it."""
        return types.Tool(
            name=self.name,
            description=self.description,
            inputSchema=self.arguments.model_json_schema(),
            annotations=self.hints,
        )


async def answer(tool: ServedTool, call: Call, given: dict[str, Any]) -> types.CallToolResult:
    """The tool's answer; an error is one line that its caller can read."""
    try:
        text = clean_text(await tool.run(call, tool.arguments.model_validate(given)))
        if len(text) > MOST_TEXT:
            text = f"{text[:MOST_TEXT]}\n(Cut after {MOST_TEXT:,} characters: ask for less.)"
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])
    except ValidationError as error:
        return failed("Arguments that can't be used: " + _mistakes(error))
    except ScoutError as error:
        return failed(str(error))
    except Exception as error:  # noqa: BLE001 - the boundary of tools: told, and logged
        _log.exception("%s failed", tool.name)
        return failed(f"{tool.name} failed: {type(error).__name__}: {error}")


def failed(problem: str) -> types.CallToolResult:
    """An error as a client's model reads it: one line."""
    text = one_line(problem)[:MOST_ERROR]
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], isError=True)


def _mistakes(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, each['loc']))}: {each['msg']}"
        for each in error.errors(include_url=False, include_input=False)
    )
