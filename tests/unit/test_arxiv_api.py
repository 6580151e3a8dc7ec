"""The API client against a server that misbehaves as arXiv does, on a clock that tests move."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import ssl
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from arxiv_server import Reply, Script, arxiv_server, entry, error_feed, feed

from arxivscout.errors import SourceError, ToolInputError
from arxivscout.papers import Paper, Skipped
from arxivscout.settings import Settings
from arxivscout.sources.addresses import require_safe
from arxivscout.sources.arxiv_api import ArxivClient

OK = Reply(feed(entry("0712.2288v2", "CP\n  Measurement", comment="8 pages")))
Play = Callable[..., tuple[Script, ArxivClient]]


class Clock:
    """Time that passes only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def client(script: Script, home: Path, clock: Clock, **changes: object) -> ArxivClient:
    patience = float(str(changes.pop("patience_s", 60.0)))
    settings = Settings(
        home=home, user="tester", arxiv_url=script.url, **{"arxiv_timeout_s": 0.3, **changes}
    )
    return ArxivClient(
        settings, patience_s=patience, clock=clock, sleep=clock.sleep, chance=lambda: 0.5
    )


@pytest.fixture
def play(home: Path, clock: Clock) -> Iterator[Play]:
    """`play(reply, …)` gives what the server will do and a client that talks to it."""
    with contextlib.ExitStack() as stack:

        def start(*replies: Reply, **changes: object) -> tuple[Script, ArxivClient]:
            script = stack.enter_context(arxiv_server(*replies))
            return script, stack.enter_context(client(script, home, clock, **changes))

        yield start


def test_a_paper_with_all_its_fields(play: Play) -> None:
    script, arxiv = play(OK)
    assert list(arxiv.search("quantum teleportation", max_results=5)) == [
        Paper(
            arxiv_id="0712.2288",
            title="CP Measurement",
            abstract="An abstract.",
            authors=("Yu Shi", "A. B. Other"),
            categories=("quant-ph", "hep-ph"),
            primary_category="quant-ph",
            published="2011-11-08",
            updated="2012-04-02",
            version=2,
            comments="8 pages",
            source="arxiv",
        )
    ]
    assert script.asked == [
        {
            "search_query": "all:quantum AND all:teleportation",
            "start": "0",
            "max_results": "5",
            "sortBy": "relevance",
            "sortOrder": "descending",
        }
    ]


def test_withdrawn_papers_are_recognised(play: Play) -> None:
    _, arxiv = play(
        Reply(
            feed(
                entry("0704.0156v2", summary="This paper has been withdrawn by the authors."),
                entry("0704.0644v2", comment="This paper has been withdrawn due to an error"),
                entry("0704.0001v1", comment="28 pages"),
            )
        )
    )
    assert [paper.withdrawn for paper in arxiv.search("x")] == [True, True, False]


def test_pages_follow_each_other_at_the_pace(play: Play, clock: Clock) -> None:
    first = [entry(f"2301.{n:05}v1") for n in range(1, 201)]
    second = [entry(f"2301.{n:05}v1") for n in range(200, 211)]
    script, arxiv = play(Reply(feed(*first, total=211)), Reply(feed(*second, total=211)))
    found = list(arxiv.search("x", max_results=1000))
    assert [paper.arxiv_id for paper in found] == [f"2301.{n:05}" for n in range(1, 211)]
    assert [asked["start"] for asked in script.asked] == ["0", "200"]
    assert clock.slept == [3.0]


def test_no_more_is_asked_than_is_wanted(play: Play) -> None:
    script, arxiv = play(Reply(feed(*(entry(f"2301.{n:05}v1") for n in range(1, 8)), total=9000)))
    assert len(list(arxiv.search("x", max_results=7))) == 7
    assert [asked["max_results"] for asked in script.asked] == ["7"]


@pytest.mark.parametrize(
    "failure",
    [
        Reply(status=429),
        Reply(status=500),
        Reply(status=503, body=b"<html>"),
        Reply(OK.body, promised=len(OK.body) + 10),
        Reply(OK.body[:300]),
        Reply(b"<!DOCTYPE html><html>down for maintenance</html>"),
        Reply(b""),
        Reply(b"<feed/>"),
        Reply(feed(total=31)),
        Reply(OK.body.replace(b"CP", b"\xff\xfe")),
        Reply(OK.body.replace(b"<feed", b'<!DOCTYPE f [<!ENTITY a "b">]><feed', 1)),
        Reply(OK.body, hang=0.6),
    ],
    ids=[
        "429",
        "500",
        "503",
        "stream breaks",
        "XML breaks",
        "HTML page",
        "nothing",
        "other XML",
        "empty page",
        "not UTF-8",
        "entities",
        "hangs",
    ],
)
def test_one_failure_is_waited_out(play: Play, clock: Clock, failure: Reply) -> None:
    script, arxiv = play(failure, OK)
    assert [paper.arxiv_id for paper in arxiv.search("x")] == ["0712.2288"]
    assert len(script.asked) == 2
    assert sum(clock.slept) >= 3.0


def test_delays_grow_and_patience_ends(play: Play, clock: Clock) -> None:
    script, arxiv = play(Reply(status=500), arxiv_interval_s=0.0, patience_s=20.0)
    with pytest.raises(SourceError, match=r"arXiv can't be read: it answered 500\."):
        list(arxiv.search("x"))
    assert clock.slept == [1.0, 2.0, 4.0, 8.0]
    assert len(script.asked) == 5


def test_the_number_of_tries_is_bounded(play: Play) -> None:
    script, arxiv = play(Reply(status=502), patience_s=10_000.0)
    with pytest.raises(SourceError, match="502"):
        list(arxiv.search("x"))
    assert len(script.asked) == 6


@pytest.mark.parametrize("value", ["17", "Tue, 14 Nov 2023 22:13:37 GMT"])
def test_retry_after_is_honoured(play: Play, clock: Clock, value: str) -> None:
    _, arxiv = play(Reply(status=429, headers={"Retry-After": value}), OK)
    assert len(list(arxiv.search("x"))) == 1
    assert clock.slept == [17.0]


def test_a_retry_after_beyond_patience_is_told_and_kept_by_others(
    play: Play, home: Path, clock: Clock
) -> None:
    script, arxiv = play(Reply(status=503, headers={"Retry-After": "600"}), OK)
    with pytest.raises(SourceError, match=r"503\. Try again in 600 s"):
        list(arxiv.search("x"))
    assert clock.slept == []
    with client(script, home, clock) as other, pytest.raises(SourceError, match="in 600 s"):
        list(other.search("y"))
    assert len(script.asked) == 1
    clock.now += 601
    assert len(list(arxiv.search("x"))) == 1


@pytest.mark.parametrize("value", ["soon", "-5", "", "Tue, 99 Foo 2023", "٣"])
def test_a_retry_after_of_nonsense_is_ignored(play: Play, clock: Clock, value: str) -> None:
    _, arxiv = play(
        Reply(status=429, headers={"Retry-After": value.encode().decode("latin-1")}), OK
    )
    assert len(list(arxiv.search("x"))) == 1
    assert sum(clock.slept) < 5


def test_a_refusal_is_told_at_once(play: Play) -> None:
    script, arxiv = play(Reply(error_feed("malformed query at 5"), status=400))
    with pytest.raises(SourceError, match=r"arXiv refused the request: malformed query at 5\."):
        list(arxiv.search("x"))
    assert len(script.asked) == 1


@pytest.mark.parametrize("status", [301, 403, 404])
def test_other_answers_are_not_repeated(play: Play, status: int) -> None:
    script, arxiv = play(Reply(b"<html>no</html>", status=status))
    with pytest.raises(SourceError, match=f"arXiv answered {status}"):
        list(arxiv.search("x"))
    assert len(script.asked) == 1


UNREACHABLE = (
    "arXiv can't be reached (no network?). Papers already held are searched without it; "
    "ARXIVSCOUT_OFFLINE=1 skips it."
)


class Wire(httpx.BaseTransport):
    """A network that is down until `up`, and counts how often it was tried."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.up = False
        self.tried = 0
        self.sluggish: Callable[[], None] = lambda: None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.tried += 1
        self.sluggish()
        if not self.up:
            raise self.error
        return httpx.Response(200, content=OK.body)


def over(wire: Wire, home: Path, clock: Clock) -> ArxivClient:
    return ArxivClient(
        Settings(home=home, user="tester"),
        transport=wire,
        clock=clock,
        sleep=clock.sleep,
        chance=lambda: 0.5,
    )


def test_nobody_there_is_told_soon(home: Path, clock: Clock) -> None:
    with arxiv_server(OK) as script:
        pass
    with client(script, home, clock) as arxiv, pytest.raises(SourceError) as told:
        list(arxiv.search("x"))
    assert str(told.value) == UNREACHABLE
    assert sum(clock.slept) < 1


@pytest.mark.parametrize(
    "error",
    [
        httpx.ConnectError("[Errno -2] Name or service not known"),
        httpx.ConnectError("[Errno 111] Connection refused"),
        httpx.ProxyError("403 Forbidden"),
    ],
    ids=["no name", "refused", "proxy"],
)
def test_no_way_is_tried_twice_and_remembered_for_a_minute(
    home: Path, clock: Clock, error: Exception
) -> None:
    wire = Wire(error)
    with over(wire, home, clock) as arxiv, over(wire, home, clock) as another_process:
        for each in (arxiv, another_process, arxiv):
            with pytest.raises(SourceError) as told:
                list(each.search("x"))
            assert str(told.value) == UNREACHABLE
        assert wire.tried == 2
        assert sum(clock.slept) < 1
        wire.up = True
        clock.now += 59
        with pytest.raises(SourceError):
            list(another_process.search("x"))
        clock.now += 2
        assert len(list(another_process.search("x"))) == 1
        assert not (home / "arxiv.unreachable").exists()


def test_a_look_up_that_took_its_time_is_not_repeated(home: Path, clock: Clock) -> None:
    wire = Wire(httpx.ConnectError("[Errno -3] Temporary failure in name resolution"))
    wire.sluggish = lambda: clock.sleep(10)
    with over(wire, home, clock) as arxiv, pytest.raises(SourceError, match="can't be reached"):
        list(arxiv.search("x"))
    assert wire.tried == 1


def test_one_refused_connection_is_no_lost_network(home: Path, clock: Clock) -> None:
    wire = Wire(httpx.ConnectError("reset"))

    def come_up() -> None:
        wire.up = wire.tried > 1

    wire.sluggish = come_up
    with over(wire, home, clock) as arxiv:
        assert len(list(arxiv.search("x"))) == 1


def test_who_asks_afresh_is_not_told_of_the_past(home: Path, clock: Clock) -> None:
    wire = Wire(httpx.ConnectError("refused"))
    with over(wire, home, clock) as arxiv, over(wire, home, clock) as other:
        with pytest.raises(SourceError):
            list(arxiv.search("x"))
        wire.up = True
        assert len(list(other.try_afresh().search("x"))) == 1
        assert len(list(other.search("y"))) == 1


@pytest.mark.parametrize("damage", [b"", b"nan", b"\xff\0", b"inf", b"99999999999", b"soon"])
def test_a_damaged_note_of_a_lost_network_says_nothing(
    play: Play, home: Path, damage: bytes
) -> None:
    _, arxiv = play(OK)
    home.mkdir()
    (home / "arxiv.unreachable").write_bytes(damage)
    assert len(list(arxiv.search("x"))) == 1


def test_a_lost_network_is_remembered_where_nothing_can_be_written(
    home: Path, clock: Clock
) -> None:
    home.write_text("a file where the folder should be")
    wire = Wire(httpx.ConnectError("refused"))
    with over(wire, home, clock) as arxiv:
        for _ in range(3):
            with pytest.raises(SourceError, match="can't be reached"):
                list(arxiv.search("x"))
    assert wire.tried == 2


def test_a_certificate_that_fails_is_no_lost_network(home: Path, clock: Clock) -> None:
    error = httpx.ConnectError("certificate verify failed")
    error.__cause__ = ssl.SSLCertVerificationError("certificate verify failed")
    with over(Wire(error), home, clock) as arxiv, pytest.raises(SourceError, match="verify failed"):
        list(arxiv.search("x"))
    assert not (home / "arxiv.unreachable").exists()


def test_where_no_paper_has_all_words_some_do(play: Play) -> None:
    script, arxiv = play(Reply(feed(total=0)), OK)
    assert len(list(arxiv.search("quantum teleportation mesons", category="quant-ph"))) == 1
    assert [asked["search_query"] for asked in script.asked] == [
        "all:quantum AND all:teleportation AND all:mesons AND cat:quant-ph",
        "(all:quantum OR all:teleportation OR all:mesons) AND cat:quant-ph",
    ]


def test_nothing_found_is_no_error(play: Play) -> None:
    _, arxiv = play(Reply(feed(total=0)))
    assert list(arxiv.search("quantum teleportation")) == []


def test_broken_entries_are_skipped_and_told(play: Play) -> None:
    _, arxiv = play(Reply(feed(entry("0712.2288v1"), entry("abc"), entry("0704.0001", title=" "))))
    found = list(arxiv.harvest("x"))
    assert isinstance(found[0], Paper)
    assert [skipped.reason for skipped in found[1:] if isinstance(skipped, Skipped)] == [
        "'http://arxiv.org/abs/abc' is no arXiv id: ids look like 0712.2288, 1501.00001v2 or "
        "hep-th/9901001",
        "title is missing or empty",
    ]
    assert len(list(arxiv.search("x"))) == 1


def test_answers_are_kept_for_a_day(play: Play, home: Path, clock: Clock) -> None:
    script, arxiv = play(OK)
    for _ in range(3):
        assert len(list(arxiv.search("x"))) == 1
    with client(script, home, clock) as other:
        assert len(list(other.search("x"))) == 1
    assert len(script.asked) == 1
    clock.now += 24 * 3600
    list(arxiv.search("x"))
    assert len(script.asked) == 2


def test_empty_answers_and_refusals_are_not_kept(play: Play) -> None:
    script, arxiv = play(Reply(feed(total=0)), Reply(error_feed("bad"), status=400), OK)
    assert list(arxiv.search("x")) == []
    with pytest.raises(SourceError, match="bad"):
        list(arxiv.search("x"))
    assert len(list(arxiv.search("x"))) == 1
    assert len(script.asked) == 3


@pytest.mark.parametrize("damage", [b"", b"{}", b"\0\xff", b"cut", b"[1]\nx", None])
def test_a_damaged_page_on_disk_is_asked_again(
    play: Play, home: Path, damage: bytes | None
) -> None:
    script, arxiv = play(OK)
    list(arxiv.search("x"))
    (kept,) = (home / "cache" / "arxiv").iterdir()
    content = kept.read_bytes()
    kept.write_bytes(content[:-20] if damage == b"cut" else damage or content.swapcase())
    assert len(list(arxiv.search("x"))) == 1
    assert len(list(arxiv.search("x"))) == 1
    assert len(script.asked) == 2


def test_a_folder_that_can_not_be_written_only_costs_the_cache(play: Play, home: Path) -> None:
    home.write_text("a file where the folder should be")
    script, arxiv = play(OK)
    assert len(list(arxiv.search("x"))) == len(list(arxiv.search("x"))) == 1
    assert len(script.asked) == 2


def test_offline_refuses_at_once(play: Play) -> None:
    script, arxiv = play(OK, offline=True)
    with pytest.raises(SourceError, match="offline"):
        arxiv.search("x")
    with pytest.raises(SourceError, match="offline"):
        arxiv.by_ids(["0712.2288"])
    assert script.asked == []


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1.example.org/api", "http://localhost.example.org/api", "ftp://x"]
)
def test_plain_http_goes_to_loopback_only(home: Path, url: str) -> None:
    with pytest.raises(ValueError, match="must be https"):
        Settings(home=home, user="tester", arxiv_url=url)
    with pytest.raises(SourceError, match="must be https"):
        require_safe(url)


def test_ids_come_back_in_order_and_the_missing_are_named(play: Play) -> None:
    script, arxiv = play(
        Reply(feed(entry("hep-th/9901001v3"), entry("0712.2288v1"), entry("0712.2288v2")))
    )
    found = list(
        arxiv.by_ids(
            ["0712.2288", "https://arxiv.org/abs/hep-th/9901001", "abc", "0704.0001", "0712.2288v1"]
        )
    )
    assert [
        f"{item.arxiv_id}v{item.version}" if isinstance(item, Paper) else item for item in found
    ] == [
        "0712.2288v2",
        "hep-th/9901001v3",
        Skipped(
            "abc", "'abc' is no arXiv id: ids look like 0712.2288, 1501.00001v2 or hep-th/9901001"
        ),
        Skipped("0704.0001", "arXiv has no such paper"),
        "0712.2288v1",
    ]
    assert script.asked[0]["id_list"] == "0704.0001,0712.2288,0712.2288v1,hep-th/9901001"


def test_an_id_that_arxiv_refuses_does_not_spoil_the_others(play: Play) -> None:
    script, arxiv = play(
        Reply(error_feed("incorrect id format for 0704.0001"), status=400),
        Reply(feed(entry("0712.2288v1"))),
    )
    found = list(arxiv.by_ids(["0712.2288", "0704.0001"]))
    assert isinstance(found[0], Paper)
    assert found[1] == Skipped("0704.0001", "arXiv has no such paper")
    assert [asked["id_list"] for asked in script.asked] == ["0704.0001,0712.2288", "0712.2288"]


def test_many_ids_go_in_batches(play: Play) -> None:
    ids = [f"2301.{n:05}" for n in range(1, 251)]
    script, arxiv = play(
        *(Reply(feed(*(entry(f"{i}v1") for i in ids[n : n + 100]))) for n in (0, 100, 200))
    )
    assert [paper.arxiv_id for paper in arxiv.by_ids(iter(ids)) if isinstance(paper, Paper)] == ids
    assert [len(asked["id_list"].split(",")) for asked in script.asked] == [100, 100, 50]


def test_conditions_that_can_not_be_are_refused_before_anything_is_asked(play: Play) -> None:
    script, arxiv = play(OK)
    with pytest.raises(ToolInputError, match="no arXiv category"):
        arxiv.search("x", category="cs.CL OR all:x")
    assert script.asked == []


def _ask(url: str, home: Path, name: str) -> None:
    settings = Settings(home=home, user="tester", arxiv_url=url, arxiv_interval_s=0.8)
    with ArxivClient(settings) as arxiv:
        for number in range(3):
            list(arxiv.search(f"{name}{number}"))


def test_processes_that_race_keep_the_pace_together(home: Path) -> None:
    context = multiprocessing.get_context("spawn")
    with arxiv_server(OK) as script:
        processes = [
            context.Process(target=_ask, args=(script.url, home, name)) for name in ("a", "b")
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join(60)
        assert [process.exitcode for process in processes] == [0, 0]
    assert len(script.times) == 6
    gaps = [later - earlier for earlier, later in itertools.pairwise(sorted(script.times))]
    # a request reaches a busy server some time after it has started
    assert min(gaps) > 0.4
    assert sum(gaps) > 5 * 0.8 - 0.4


@pytest.mark.timeout(20)
def test_a_stuck_server_costs_bounded_time(home: Path) -> None:
    with arxiv_server(Reply(OK.body, hang=1.0)) as script:
        settings = Settings(
            home=home, user="t", arxiv_url=script.url, arxiv_interval_s=0.1, arxiv_timeout_s=0.2
        )
        with (
            ArxivClient(settings, patience_s=1.5) as arxiv,
            pytest.raises(SourceError, match=r"no answer within 0\.2 s"),
        ):
            list(arxiv.search("x"))


def changes(arxiv: ArxivClient, **given: Any) -> list[str]:
    asked = {"categories": ["cs.CL"], "since": date(2025, 6, 1), **given}
    return [
        each.arxiv_id if isinstance(each, Paper) else each.where
        for each in arxiv.changes("", **asked)
    ]


def test_changes_are_read_until_a_page_ends_before_the_day(play: Play) -> None:
    script, arxiv = play(
        Reply(
            feed(
                entry("2506.00001v1", updated="2025-06-03"),
                entry("2401.00009v4", updated="2025-05-30"),  # out of order
                entry("2401.00001v2", updated="2025-06-01"),
                total=100_000,
            )
        ),
        Reply(
            feed(
                entry("2401.00001v2", updated="2025-06-01"),  # moved on meanwhile
                entry("2505.00001v1", updated="2025-06-01"),
                entry("2505.00002v1", updated="2025-05-31"),
                total=100_000,
            )
        ),
    )
    expected = ["2506.00001", "2401.00001", "2505.00001"]
    assert changes(arxiv) == expected
    assert [asked["start"] for asked in script.asked] == ["0", "3"]
    assert script.asked[0]["sortBy"] == "lastUpdatedDate"


def test_changes_are_never_taken_from_kept_pages(play: Play) -> None:
    script, arxiv = play(Reply(feed(entry("2506.00001v1", updated="2025-06-03"))))
    assert changes(arxiv) == changes(arxiv) == ["2506.00001"]
    assert len(script.asked) == 2


@pytest.mark.parametrize("then", [feed(total=0), feed(total=3)])
def test_a_list_that_breaks_off_is_an_error(play: Play, then: bytes) -> None:
    first = feed(entry("2506.00001v1", updated="2025-06-03"), total=3)
    _, arxiv = play(Reply(first), Reply(then))
    with pytest.raises(SourceError, match="empty page"):
        changes(arxiv)
    with pytest.raises(SourceError, match="empty page"):  # no category is empty
        changes(arxiv)


def test_a_page_that_says_too_few_does_not_end_the_list(play: Play) -> None:
    pages = [
        feed(entry(f"2506.0000{n}v1", updated="2025-06-03"), total=total)
        for n, total in ((1, 3), (2, 1), (3, 3))
    ]
    _, arxiv = play(*map(Reply, pages))
    assert changes(arxiv) == ["2506.00001", "2506.00002", "2506.00003"]


def test_more_than_arxiv_serves_is_an_error(play: Play) -> None:
    entries = (f"<entry><id>http://arxiv.org/abs/x{n}</id></entry>" for n in range(30_000))
    _, arxiv = play(Reply(feed(*entries, total=50_000)))
    with pytest.raises(SourceError, match="more than arXiv serves of one search"):
        changes(arxiv)


def test_changes_with_rare_words_may_be_none(play: Play) -> None:
    script, arxiv = play(Reply(feed(total=0)))
    assert list(arxiv.changes("moiré lattices", categories=[], since=date(2025, 6, 1))) == []
    assert script.asked[0]["search_query"] == "(all:moiré OR all:lattices)"
