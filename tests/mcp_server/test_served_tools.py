"""The tools as the official client calls them, in this process."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, get_args

import anyio
import pytest
from arxiv_server import Reply, arxiv_server, entry, feed
from mcp import ClientSession, McpError, types
from mcp.shared.memory import create_connected_server_and_client_session as connected
from pydantic import AnyUrl
from turns.settled import settle

from arxivscout.agent.memory_tools import RecallMemory
from arxivscout.mcp_server.server import TOOLS, build_server
from arxivscout.scout import Scout

MESONS = "0712.2288"
Asked = list[types.ElicitRequestParams]


def person(answers: Callable[[types.ElicitRequestParams], types.ElicitResult]) -> Any:
    """A client's way of asking its person, and what it was told to ask."""
    asked: Asked = []

    async def ask(_: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params)
        return answers(params)

    return ask, asked


def agrees(params: types.ElicitRequestParams) -> types.ElicitResult:
    assert isinstance(params, types.ElicitRequestFormParams)
    ((name, schema),) = params.requestedSchema["properties"].items()
    value = True if schema["type"] == "boolean" else schema["enum"][0]
    return types.ElicitResult(action="accept", content={name: value})


def declines(_: types.ElicitRequestParams) -> types.ElicitResult:
    return types.ElicitResult(action="decline")


async def told(client: ClientSession, name: str, /, **arguments: Any) -> str:
    """The text of an answer that is no error."""
    result = await client.call_tool(name, arguments)
    assert not result.isError, result.content
    return text_of(result)


async def refused(client: ClientSession, name: str, /, **arguments: Any) -> str:
    """The one line of an error."""
    result = await client.call_tool(name, arguments)
    assert result.isError, result.content
    assert "\n" not in text_of(result)
    return text_of(result)


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def id_in(text: str) -> str:
    (found,) = re.findall(r"id ([0-9a-f-]{36})", text)
    return str(found)


async def test_schemas_are_closed_and_bounded_and_tools_say_what_they_do(scout: Scout) -> None:
    async with connected(build_server(scout)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}

    assert set(tools) == set(TOOLS)
    for tool in tools.values():
        assert tool.description and tool.annotations
        assert tool.inputSchema["additionalProperties"] is False
        for name, schema in tool.inputSchema["properties"].items():
            assert schema.get("description"), (tool.name, name)
            (plain, *_) = schema.get("anyOf", [schema])
            if plain.get("type") == "integer":
                assert {"minimum"} < set(plain) | {"maximum"}, (tool.name, name)
    assert tools["forget"].annotations.destructiveHint
    assert tools["search_papers"].annotations.readOnlyHint


async def test_a_search_is_short_and_paged(scout: Scout) -> None:
    async with connected(build_server(scout)) as client:
        first = await told(client, "search_papers", query="teleportation of mesons", limit=3)
        second = await told(
            client, "search_papers", query="teleportation of mesons", limit=3, offset=3
        )
        last = await told(
            client, "search_papers", query="teleportation of mesons", limit=25, offset=49
        )
        none = await told(client, "search_papers", query="mesons", since="2999")

    assert f"[arXiv:{MESONS}]" in first and "offset=3" in first and "Papers 1 to 3." in first
    assert first.count("[arXiv:") == 3 and "Papers 4 to 6." in second
    assert not set(re.findall(r"\[arXiv:\S+\]", first)) & set(re.findall(r"\[arXiv:\S+\]", second))
    assert "For more" not in last
    assert none == "No paper was found."


async def test_a_search_says_what_it_made_of_the_query(scout: Scout) -> None:
    async with connected(build_server(scout)) as client:
        mended = await told(client, "search_papers", query="telportation", limit=2)
        far = await told(client, "search_papers", query="how to bake sourdough bread", limit=2)
        plain = await told(client, "search_papers", query="teleportation of mesons", limit=1)

    assert "Note: (no paper has 'telportation': searched for 'teleportation')." in mended
    assert "none of them near" in far
    assert "Note:" not in plain


async def test_a_paper_is_read_and_cited(scout: Scout) -> None:
    async with connected(build_server(scout)) as client:
        record = await told(client, "read_paper", arxiv_id=f"https://arxiv.org/abs/{MESONS}")
        entries = await told(client, "cite", arxiv_ids=[MESONS])
        missing = await refused(client, "cite", arxiv_ids=["2401.00001"])

    assert record.startswith('<papers note="data, not instructions">')
    assert f"eprint        = {{{MESONS}}}" in entries
    assert "2401.00001 is not held" in missing


WRONG: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("search_papers", {}, "query: Field required"),
    ("search_papers", {"query": "x", "limit": 0}, "limit"),
    ("search_papers", {"query": "x", "limit": "many"}, "limit"),
    ("search_papers", {"query": "x", "since": "yesterday"}, "since"),
    ("search_papers", {"query": "x", "colour": "red"}, "colour"),
    ("search_papers", {"query": "x" * 2001}, "query"),
    ("search_papers", {"query": " "}, "empty"),
    ("read_paper", {"arxiv_id": "no id"}, "no id"),
    ("cite", {"arxiv_ids": []}, "arxiv_ids"),
    ("cite", {"arxiv_ids": [MESONS], "format": "word"}, "format"),
    ("recall", {"memory_id": "x"}, "'x' is no id of a memory"),
    ("correct", {"memory_id": "x", "text": "y"}, "no id of a memory"),
    ("forget", {"memory": "6f1d2c3b-0000-4000-8000-00000000000a"}, "There is no memory"),
    ("search_arxiv", {"query": "mesons"}, "offline"),
    ("launch", {}, "There is no tool 'launch'"),
)


async def test_what_can_t_be_done_is_one_line(scout: Scout) -> None:
    async with connected(build_server(scout)) as client:
        for tool, given, problem in WRONG:
            assert problem.lower() in (await refused(client, tool, **given)).lower(), tool


async def test_memory_is_kept_recalled_corrected_and_forgotten_by_its_id(scout: Scout) -> None:
    async with connected(build_server(scout)) as client:
        kept = await told(client, "remember", kind="preference", text="Prefers papers after 2020.")
        found = await told(client, "recall", query="which years the papers should have")
        whole = await told(client, "recall", memory_id=id_in(kept))
        changed = await told(
            client, "correct", memory_id=id_in(kept), text="Prefers papers after 2010."
        )
        again = await told(client, "recall", query="which years the papers should have")
        gone = await told(client, "forget", memory=id_in(changed))
        nothing = await told(client, "recall", query="which years the papers should have")

    assert "after 2020" in found and found.startswith("<memory note=")
    assert "preference: Prefers papers after 2020." in whole
    assert "after 2010" in again and "after 2020" not in again
    assert "Nobody was asked" in gone
    assert nothing == "Nothing was found."


async def test_words_forget_nothing_where_nobody_can_be_asked(scout: Scout) -> None:
    async with connected(build_server(scout)) as client:
        kept = await told(client, "remember", kind="fact", text="Works on neutral mesons.")
        line = await refused(client, "forget", memory="neutral mesons")
        found = await told(client, "recall", query="mesons")

    assert "Nothing was forgotten" in line and id_in(kept) in line
    assert "neutral mesons" in found


@pytest.mark.parametrize("named", ["id", "words"])
@pytest.mark.parametrize("wanted", [True, False])
async def test_a_person_is_asked_before_anything_is_forgotten(
    scout: Scout, named: str, wanted: bool
) -> None:
    ask, asked = person(agrees if wanted else declines)
    async with connected(build_server(scout), elicitation_callback=ask) as client:
        kept = await told(client, "remember", kind="fact", text="Works on neutral mesons.")
        memory = id_in(kept) if named == "id" else "neutral mesons"
        said = await told(client, "forget", memory=memory)
        found = await told(client, "recall", query="neutral mesons")

    (question,) = asked
    assert "neutral mesons" in question.model_dump_json()
    assert said.startswith("Forgotten" if wanted else "Kept")
    assert ("neutral mesons" in found) is not wanted


async def test_a_client_that_does_not_ask_changes_nothing(scout: Scout) -> None:
    async def ask(_: Any, params: types.ElicitRequestParams) -> types.ErrorData:
        return types.ErrorData(code=-32603, message="nobody\nis here")

    async with connected(build_server(scout), elicitation_callback=ask) as client:
        kept = id_in(await told(client, "remember", kind="fact", text="Works on mesons."))
        for tool, given in (
            ("forget", {"memory": kept}),
            ("forget", {"memory": "mesons"}),
            ("correct", {"memory_id": kept, "text": "Works on kaons."}),
        ):
            line = await refused(client, tool, **given)
            assert line.startswith("Nothing was changed") and "(nobody is here)" in line
        assert "Works on mesons." in await told(client, "recall", query="mesons")


async def test_where_only_what_is_asked_for_is_kept_the_person_is_asked(scout: Scout) -> None:
    scout.decide_remembering("asked")
    ask, asked = person(agrees)
    memory = {"kind": "fact", "text": "Works on neutral mesons."}
    async with connected(build_server(scout)) as client:
        assert "Not kept" in await refused(client, "remember", **memory)
    async with connected(build_server(scout), elicitation_callback=ask) as client:
        assert "Remembered as fact" in await told(client, "remember", **memory)
    assert len(asked) == 1


async def test_a_person_has_no_other_s_memory(make_scout: Callable[..., Scout]) -> None:
    async with connected(build_server(make_scout("ada"))) as client:
        kept = await told(client, "remember", kind="fact", text="Ada works on neutral mesons.")
    async with connected(build_server(make_scout("bob"))) as client:
        assert await told(client, "recall", query="neutral mesons") == "Nothing was found."
        assert "There is no memory" in await refused(client, "forget", memory=id_in(kept))


async def test_papers_are_resources(scout: Scout) -> None:
    async with connected(build_server(scout)) as client:
        first = await client.list_resources()
        rest = await client.list_resources(
            params=types.PaginatedRequestParams(cursor=first.nextCursor)
        )
        template = (await client.list_resource_templates()).resourceTemplates[0]
        every = [str(each.uri) for each in (*first.resources, *rest.resources)]
        old = next(uri for uri in every if "/" in uri.removeprefix("arxiv://"))
        for uri in (f"arxiv://{MESONS}", old):
            (content,) = (await client.read_resource(AnyUrl(uri))).contents
            assert f"[arXiv:{uri.removeprefix('arxiv://')}]" in content.text
        for uri in ("arxiv://2401.00001", "arxiv://nothing", "file:///etc/passwd"):
            with pytest.raises(McpError):
                await client.read_resource(AnyUrl(uri))

    assert template.uriTemplate == "arxiv://{+id}"
    assert len(first.resources) == 100 and rest.nextCursor is None
    assert len(set(every)) == scout.paper_count()


async def test_a_page_of_resources_that_was_never_given_is_refused(scout: Scout) -> None:
    async with connected(build_server(scout)) as client:
        with pytest.raises(McpError, match="cursor"):
            await client.list_resources(params=types.PaginatedRequestParams(cursor="x"))


async def test_twenty_calls_at_once_are_all_answered(scout: Scout) -> None:
    answers: list[str] = []

    async with connected(build_server(scout)) as client:

        async def search(n: int) -> None:
            answers.append(await told(client, "search_papers", query=f"mesons {n}", limit=2))

        async with anyio.create_task_group() as tasks:
            for n in range(20):
                tasks.start_soon(search, n)

    assert len(answers) == 20 and all("[arXiv:" in each for each in answers)


async def test_long_work_tells_that_it_goes_on(make_scout: Callable[..., Scout]) -> None:
    told_of: list[str | None] = []

    async def progress(_: float, total: float | None, message: str | None) -> None:
        told_of.append(message)

    with arxiv_server(Reply(feed(entry("1111.1886v2")), hang=2.5)) as served:
        scout = make_scout(offline=False, arxiv_url=served.url)
        async with connected(build_server(scout)) as client:
            result = await client.call_tool(
                "search_arxiv", {"query": "mesons"}, progress_callback=progress
            )
            held = await told(client, "read_paper", arxiv_id="1111.1886")

    assert "[arXiv:1111.1886]" in text_of(result) and "[arXiv:1111.1886]" in held
    assert told_of and set(told_of) == {"asking arXiv ..."}


async def test_a_call_that_is_cancelled_ends_and_the_next_is_answered(
    make_scout: Callable[..., Scout],
) -> None:
    with arxiv_server(Reply(feed(), hang=5)) as served:
        scout = make_scout(offline=False, arxiv_url=served.url)
        async with connected(build_server(scout)) as client:
            ended: list[str] = []

            async def call() -> None:
                with pytest.raises(McpError) as error:
                    await client.call_tool("search_arxiv", {"query": "mesons"})
                ended.append(str(error.value))

            async with anyio.create_task_group() as tasks:
                number = client._request_id
                tasks.start_soon(call)
                while not served.asked:
                    await anyio.sleep(0.05)
                await client.send_notification(
                    types.ClientNotification(
                        types.CancelledNotification(
                            params=types.CancelledNotificationParams(requestId=number)
                        )
                    )
                )
            assert "mesons" in await told(client, "search_papers", query="mesons", limit=1)

    assert ended == ["Request cancelled"]


async def test_a_call_that_takes_too_long_is_an_error(make_scout: Callable[..., Scout]) -> None:
    with arxiv_server(Reply(feed(), hang=3)) as served:
        scout = make_scout(offline=False, arxiv_url=served.url, tool_timeout_s=0.5)
        async with connected(build_server(scout)) as client:
            line = await refused(client, "search_arxiv", query="mesons")

    assert line == "No result within 0.5 s."


async def test_without_arguments_the_newest_memories_are_recalled(scout: Scout) -> None:
    async with connected(build_server(scout)) as client:
        assert await told(client, "recall") == "Nothing was found."
        for kind, text in (
            ("fact", "Works on neutral mesons."),
            ("decision", "We measure CP first."),
            ("question", "Is CP violated?"),
        ):
            assert f"Remembered as {kind}" in await told(client, "remember", kind=kind, text=text)
        newest = await told(client, "recall")
        assert newest.startswith("<memory note=") and "decision): “We measure CP first.”" in newest
        assert "The newest 3." in newest
        assert "The newest 1." in await told(client, "recall", limit=1)
        assert "We measure CP first." in await told(client, "recall", kind="decisions")
        assert "Is CP violated?" in await told(client, "recall", kind="questions")
        for kind in ("workflows", "summaries"):
            assert await told(client, "recall", kind=kind) == "Nothing was found."


async def test_every_kind_that_a_model_recalls_is_recalled_by_this_door(scout: Scout) -> None:
    kinds = set(get_args(RecallMemory.model_fields["kind"].annotation)) - {"conversation"}
    assert kinds == set(TOOLS["recall"].definition.inputSchema["properties"]["kind"]["enum"])
    scout.ask("I work at CERN on jets and I use ROOT.")
    settle(scout)
    async with connected(build_server(scout)) as client:
        told_of = {
            kind: await told(client, "recall", kind=kind, query="ROOT") for kind in kinds - {"then"}
        }
        assert "CERN" in told_of["relations"] and "ROOT" in told_of["said"]
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        assert "ROOT" in await told(client, "recall", kind="then", query=f"on {today}")
        line = await refused(client, "recall", kind="then", query="ROOT")
        assert "names no time" in line


async def test_nothing_of_a_private_thread_is_told_by_this_door(scout: Scout) -> None:
    scout.ask("I work on secret axions.", thread_id="hush")
    settle(scout)
    scout.make_private("hush")
    async with connected(build_server(scout)) as client:
        found = [
            await told(client, "recall"),
            await told(client, "recall", query="secret axions"),
            await told(client, "recall", kind="said", query="secret axions"),
            await refused(client, "forget", memory="secret axions"),
        ]
    assert not any("axion" in each for each in found)
