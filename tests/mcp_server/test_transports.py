"""The server in a process of its own, over both of its transports."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from arxiv_server import Reply, Script, arxiv_server, feed
from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import SecretStr

from arxivscout.agent.outside_tools import outside_tools
from arxivscout.errors import ConfigurationError
from arxivscout.mcp_server.token import token_of
from arxivscout.memory.postgres import Database
from arxivscout.scout import Scout
from arxivscout.settings import Settings

MESONS = "0712.2288"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a client that leaves", "version": "1"},
    },
}
COMMAND = [sys.executable, "-m", "arxivscout", "mcp"]


async def agrees(_: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"confirm": True})


@asynccontextmanager
async def over_stdio(environment: dict[str, str]) -> AsyncIterator[ClientSession]:
    server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=environment)
    async with (
        stdio_client(server) as (incoming, outgoing),
        ClientSession(incoming, outgoing, elicitation_callback=agrees) as client,
    ):
        await client.initialize()
        yield client


@contextmanager
def http_server(environment: dict[str, str], log: Path) -> Iterator[str]:
    """The address of a server that is ended after the block, which it has to survive."""
    with log.open("w") as told:
        server = subprocess.Popen([*COMMAND, "--http", "--port", "0"], env=environment, stderr=told)
    try:
        while not (found := re.search(r"http://127\.0\.0\.1:\d+/mcp", log.read_text())):
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
        yield found[0]
        assert server.poll() is None, log.read_text()
    finally:
        server.terminate()
        server.wait(60)
    assert "Traceback" not in log.read_text()


@asynccontextmanager
async def over_http(address: str, token: str) -> AsyncIterator[ClientSession]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx.AsyncClient(headers=headers, timeout=60) as http,
        streamable_http_client(address, http_client=http) as (incoming, outgoing, _),
        ClientSession(incoming, outgoing, elicitation_callback=agrees) as client,
    ):
        await client.initialize()
        yield client


async def goes_well(client: ClientSession, arxiv: Script) -> None:
    """What must be carried: answers, errors, a question, twenty calls at once, a cancelled one."""
    found = await client.call_tool("search_papers", {"query": "teleportation of mesons"})
    assert f"[arXiv:{MESONS}]" in found.model_dump_json()
    assert (await client.call_tool("search_papers", {"query": "x", "limit": 99})).isError
    assert (await client.list_resources()).resources
    kept = await client.call_tool("remember", {"kind": "fact", "text": "Works on mesons."})
    (memory,) = re.findall(r"id ([0-9a-f-]{36})", kept.model_dump_json())
    gone = await client.call_tool("forget", {"memory": memory})
    assert "Forgotten: " in gone.model_dump_json() and "Nobody" not in gone.model_dump_json()

    async def search(n: int) -> None:
        result = await client.call_tool("search_papers", {"query": f"mesons {n}", "limit": 1})
        assert not result.isError

    async def is_cancelled() -> None:
        with pytest.raises(McpError, match="cancelled"):
            await client.call_tool("search_arxiv", {"query": "mesons"})

    async with anyio.create_task_group() as tasks:
        for n in range(20):
            tasks.start_soon(search, n)
    async with anyio.create_task_group() as tasks:
        arxiv.asked.clear()
        number = client._request_id
        tasks.start_soon(is_cancelled)
        while not arxiv.asked:
            await anyio.sleep(0.05)
        params = types.CancelledNotificationParams(requestId=number)
        await client.send_notification(
            types.ClientNotification(types.CancelledNotification(params=params))
        )


@pytest.fixture
def arxiv() -> Iterator[Script]:
    """An arXiv that takes its time."""
    with arxiv_server(Reply(feed(), hang=2)) as script:
        yield script


@pytest.fixture
def served(environment: dict[str, str], arxiv: Script) -> dict[str, str]:
    """The environment of a server that asks that arXiv."""
    asking = {"ARXIVSCOUT_OFFLINE": "0", "ARXIVSCOUT_ARXIV_INTERVAL_S": "0"}
    return {**environment, **asking, "ARXIVSCOUT_ARXIV_URL": arxiv.url}


async def test_a_client_that_starts_it_is_served(
    database: Database, served: dict[str, str], arxiv: Script
) -> None:
    async with over_stdio(served) as client:
        await goes_well(client, arxiv)


def test_stdout_is_the_protocol_s_and_it_ends_with_its_client(
    database: Database, environment: dict[str, str]
) -> None:
    begun = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "search_papers", "arguments": {"query": "mesons"}},
    }
    with subprocess.Popen(
        COMMAND,
        env={**environment, "ARXIVSCOUT_LOG_LEVEL": "debug"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin and server.stdout and server.stderr
        server.stdin.write(f"no message at all\n{json.dumps(HELLO)}\n")
        server.stdin.flush()
        first = [server.stdout.readline(), server.stdout.readline()]
        server.stdin.write(f"{json.dumps(begun)}\n{json.dumps(call)}\n")
        server.stdin.close()  # in the middle of a call
        rest, log = server.stdout.read(), server.stderr.read()

    assert server.returncode == 0, log
    assert "Traceback" not in log and "level=debug" in log
    for line in [*first, *rest.splitlines()]:
        assert json.loads(line)["jsonrpc"] == "2.0"
    assert any('"name":"arxivscout"' in line for line in first)


def test_of_broken_input_a_line_is_logged_without_its_words(
    database: Database, environment: dict[str, str]
) -> None:
    broken = ["mesons", '{"jsonrpc": "mesons"}', '{"jsonrpc": "2.0", "id": 1, "method": "mesons"}']
    served = subprocess.run(
        COMMAND,
        env=environment,
        input="".join(f"{line}\n" for line in broken),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    logged = served.stderr.splitlines()
    assert 0 < len(logged) <= len(broken) and all(line.startswith("time=") for line in logged)
    assert "mesons" not in served.stderr and "pydantic" not in served.stderr


def test_a_request_that_the_json_reader_can_t_take_is_answered_and_the_next_one_too(
    database: Database, environment: dict[str, str]
) -> None:
    def called(identity: int, arguments: str) -> str:
        params = f'{{"name":"search_papers","arguments":{arguments}}}'
        return f'{{"jsonrpc":"2.0","id":{identity},"method":"tools/call","params":{params}}}'

    begun = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    deep, digits = f'{{"query":{"[" * 3_000}{"]" * 3_000}}}', f'{{"limit":{"9" * 5_000}}}'
    sent = [json.dumps(HELLO), json.dumps(begun), called(2, '{"query":"half \\ud800"}')]
    sent += [called(3, deep), called(4, digits), called(5, '{"query":"mesons","limit":1}')]
    with subprocess.Popen(
        COMMAND,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin and server.stdout and server.stderr
        server.stdin.write("".join(f"{line}\n" for line in sent))
        server.stdin.flush()
        told = [json.loads(server.stdout.readline()) for _ in range(5)]
        server.stdin.close()
        log = server.stderr.read()
    by_id = {each["id"]: each for each in told}
    assert [by_id[each]["error"]["code"] for each in (2, 3, 4)] == [types.PARSE_ERROR] * 3
    assert MESONS in json.dumps(by_id[5]["result"]) and server.returncode == 0
    assert len(log.splitlines()) == 3 and "half" not in log


async def test_http_serves_who_knows_the_token_and_nobody_else(
    database: Database,
    served: dict[str, str],
    arxiv: Script,
    settings: Settings,
    tmp_path: Path,
) -> None:
    with http_server(served, tmp_path / "log") as address:
        kept = settings.home / "mcp-token"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        token = kept.read_text().strip()

        for given in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {token}"}):
            refused = httpx.post(address, headers=given, json={})
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"] == "Bearer"
        right = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        elsewhere = httpx.post(address, headers={**right, "Host": "evil.example"}, json={})
        assert elsewhere.status_code == 421

        async with over_http(address, token) as client:
            await goes_well(client, arxiv)
        # ArxivScout is a client of such servers, too.
        servers = tmp_path / "servers.json"
        url, headers = address, {"Authorization": f"Bearer {token}"}
        named = {"one": {"url": url, "headers": headers}, "two": {"url": url}}
        servers.write_text(json.dumps({"mcpServers": named}))
        outside = outside_tools(settings.model_copy(update={"mcp_servers": servers}))
        assert "one__search_papers" in {tool.name for tool in outside.tools}
        (problem,) = outside.problems
        assert "the server two" in problem and "401" in problem
        # One that disappears in the middle of a call harms no other.
        with anyio.move_on_after(1):
            async with over_http(address, token) as client, anyio.create_task_group() as tasks:
                for n in range(20):
                    tasks.start_soon(client.call_tool, "search_papers", {"query": f"mesons {n}"})
        both = {"Accept": "application/json, text/event-stream"}
        # Nor do many that come, say who they are, and never leave.
        for _ in range(120):
            assert httpx.post(address, headers=right | both, json=HELLO).is_success
        async with over_http(address, token) as client:
            await goes_well(client, arxiv)


def test_a_token_that_others_can_read_or_guess_is_refused(scout: Scout, settings: Settings) -> None:
    token = token_of(settings)
    assert token_of(settings) == token
    (settings.home / "mcp-token").chmod(0o644)
    with pytest.raises(ConfigurationError, match="Others can read"):
        token_of(settings)
    with pytest.raises(ConfigurationError, match="can't be used"):
        token_of(settings.model_copy(update={"mcp_token": SecretStr("short")}))
