"""A line that can't be taken is answered all the same: its sender would wait for good.

The SDK drops what its JSON reader does not take (half of a surrogate pair, a number of 5,000
digits, lists in lists), and with it the id of the request.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, cast

from mcp import types
from mcp.shared.message import SessionMessage
from pydantic import RootModel, ValidationError

MOST_ID = 1_000  # characters
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
_WHOLE = re.compile(r"-?\d{1,18}")
_log = logging.getLogger(__name__)


class _Refused(RootModel[dict[str, Any]]):
    """A response as it is written; of the SDK's own none has the id null, which the protocol
    wants where there is none to be read."""


async def readable(
    lines: AsyncIterator[str], answer: Callable[[SessionMessage], Awaitable[None]]
) -> AsyncIterator[str]:
    """The lines that the SDK takes; who sent another one is told by `answer`, and the log."""
    async for line in lines:
        problem = _problem(line)
        if problem is None:
            yield line
            continue
        _log.warning("a message can't be read", extra={"code": problem.code})
        named = _outermost(line)
        refused = {
            "jsonrpc": "2.0",
            "id": _id(named),
            "error": problem.model_dump(exclude={"data"}),
        }
        if named.keys() & {"result", "error"} and "method" not in named:
            # The answer to a question of ours: who waits for it is told that it failed.
            if refused["id"] is not None:
                yield json.dumps(refused)
        elif "id" in named or "method" not in named:  # no notification: those nobody waits for
            await answer(SessionMessage(cast(types.JSONRPCMessage, _Refused(refused))))


def _problem(line: str) -> types.ErrorData | None:
    """Why the SDK would not take a line, without its words; None if it does."""
    try:
        types.JSONRPCMessage.model_validate_json(line)
    except ValidationError as error:
        if error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
            said = "The message can't be read: it is no JSON, or has half a character, a number of "
            said += "thousands of digits or hundreds of levels in it. Send it without."
            return types.ErrorData(code=types.PARSE_ERROR, message=said)
        said = "This is no message of JSON-RPC 2.0. Send a request with jsonrpc, id and method."
        return types.ErrorData(code=types.INVALID_REQUEST, message=said)
    return None


def _outermost(line: str) -> dict[str, str]:
    """The names in the outermost object, with what stands behind each if it is no list or object.

    By its marks alone, so that nothing inside can keep it from being read.
    """
    found: dict[str, str] = {}
    depth, last, name = 0, "", ""
    for each in _TOKEN.finditer(line):
        token = each[0]
        if depth == 1 and name and token not in ",}":
            found.setdefault(name, "" if token in "{[" else token)
        if token in "{[":
            depth += 1
            if depth == 1 and token == "[":
                return {}
        elif token in "}]":
            depth -= 1
        elif depth == 1:
            name = last.strip('"') if token == ":" else "" if token == "," else name
        last = token
    return found


def _id(named: dict[str, str]) -> str | int | None:
    """The message's id, if it is text or a whole number as the protocol has it."""
    token = named.get("id", "")
    if _WHOLE.fullmatch(token):
        return int(token)
    if not token.startswith('"') or len(token) > MOST_ID:
        return None
    try:
        given: str = json.loads(token)
        given.encode()
    except ValueError:  # with half a character in it, it could not be sent back
        return None
    return given
