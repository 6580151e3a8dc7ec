"""What a client hears of a line that can't be taken, and what of it still goes to the server."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from mcp import types
from mcp.shared.message import SessionMessage

from arxivscout.mcp_server.reading import readable

SURROGATE = '"arguments":{"query":"lone \\ud800 surrogate"}'
DIGITS = f'"arguments":{{"limit":{"9" * 5_000}}}'
DEEP = f'"arguments":{{"query":{"[" * 3_000}{"]" * 3_000}}}'


def request(arguments: str, identity: str = "2") -> str:
    params = f'{{"name":"search_papers",{arguments}}}'
    return f'{{"jsonrpc":"2.0","id":{identity},"method":"tools/call","params":{params}}}'


async def read(*lines: str) -> tuple[list[str], list[dict[str, Any]]]:
    """The lines that the server gets, and what is sent back."""
    sent: list[str] = []

    async def arriving() -> AsyncIterator[str]:
        for line in lines:
            yield line

    async def answer(message: SessionMessage) -> None:
        sent.append(message.message.model_dump_json(by_alias=True, exclude_none=True))

    taken = [line async for line in readable(arriving(), answer)]
    return taken, [json.loads(each) for each in sent]


@pytest.mark.parametrize("arguments", [SURROGATE, DIGITS, DEEP, '"arguments":{"query":"cut'])
async def test_a_request_that_can_not_be_read_is_refused_by_its_id(arguments: str) -> None:
    taken, (refused,) = await read(request(arguments))
    assert not taken and refused["id"] == 2 and refused["error"]["code"] == types.PARSE_ERROR
    assert types.JSONRPCMessage.model_validate(refused)
    assert "lone" not in json.dumps(refused)


@pytest.mark.parametrize(
    ("identity", "told"),
    [
        ('"a \\"quoted\\" one"', 'a "quoted" one'),
        ("-7", -7),
        ("1.5", None),
        ("null", None),
        ("9" * 5_000, None),
        ('"half \\ud800"', None),
        ('{"id":3}', None),
        ("[4]", None),
        (json.dumps("x" * 5_000), None),
    ],
)
async def test_an_id_that_is_none_is_null(identity: str, told: Any) -> None:
    _, (refused,) = await read(request(SURROGATE, identity))
    assert "id" in refused and refused["id"] == told


async def test_an_id_further_in_is_not_taken_for_the_message_s() -> None:
    inner = '{"jsonrpc":"2.0","method":"x","params":{"id":5,"a":"\\ud800"},"id":"outer"}'
    assert (await read(inner))[1][0]["id"] == "outer"
    assert (await read('[{"id":5,"method":"x"}]'))[1][0]["id"] is None


@pytest.mark.parametrize("line", ["mesons", "{", '"', "\x00", "]" * 9, '{"jsonrpc": "mesons"}'])
async def test_what_is_no_message_is_refused_without_an_id(line: str) -> None:
    taken, (refused,) = await read(line)
    assert not taken and refused["id"] is None
    expected = types.INVALID_REQUEST if "jsonrpc" in line else types.PARSE_ERROR
    assert refused["error"]["code"] == expected


async def test_a_notification_is_never_answered() -> None:
    assert await read('{"jsonrpc":"2.0","method":"x","params":{"a":"\\ud800"}}') == ([], [])


async def test_an_answer_that_can_not_be_read_ends_the_question_it_answers() -> None:
    (handed,), sent = await read('{"jsonrpc":"2.0","id":3,"result":{"content":"\\ud800"}}')
    failed = types.JSONRPCMessage.model_validate_json(handed).root
    assert isinstance(failed, types.JSONRPCError) and failed.id == 3 and not sent


async def test_what_can_be_read_goes_on_as_it_came(caplog: pytest.LogCaptureFixture) -> None:
    good = request('"arguments":{"query":"mesons \\ud83d\\ude00"}')
    with caplog.at_level(logging.WARNING):
        taken, sent = await read(good, request(SURROGATE), good)
    assert taken == [good, good] and len(sent) == 1
    assert [record.getMessage() for record in caplog.records] == ["a message can't be read"]
