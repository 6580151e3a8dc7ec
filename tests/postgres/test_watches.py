"""Watches over a real database and a played arXiv: what is new is told once, and all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest
from arxiv_server import Reply, Script, arxiv_server
from watched import (
    ATTENTION,
    ENGINEERING,
    ETHICS,
    FAITHFULNESS,
    GRAVITY,
    INTELLIGENCE,
    TOPIC,
    changed,
    listing,
)

from arxivscout.embedding import Embedder
from arxivscout.errors import NotFound, SourceError, ThreadBusy, UsageError
from arxivscout.ingest import ingest_papers
from arxivscout.memory import entity, marks, watches
from arxivscout.memory.lease import LeaseKeeper
from arxivscout.memory.postgres import Database
from arxivscout.memory.remembering import decide_remembering
from arxivscout.papers import Paper
from arxivscout.reports.report import Report
from arxivscout.settings import Settings
from arxivscout.sources.arxiv_api import ArxivClient
from arxivscout.watching import Outcome, Watches

SINCE = date(2025, 5, 20)


class World:
    """An arXiv whose list of changes the test sets, people with watches, and their clock."""

    def __init__(self, script: Script, settings: Settings, database: Database, embedder: Embedder):
        self.script = script
        self.settings = settings.model_copy(
            update={"arxiv_url": script.url, "arxiv_timeout_s": 2.0}
        )
        self.database = database
        self.embedder = embedder
        self.leases = LeaseKeeper(database, longest=60)
        self.today = datetime(2025, 5, 28, 6, tzinfo=UTC)
        self._seconds = 1_700_000_000.0

    def arxiv(self, **changes: Any) -> ArxivClient:
        return ArxivClient(
            self.settings.model_copy(update=changes),
            clock=lambda: self._seconds,
            sleep=self._sleep,
        )

    def _sleep(self, seconds: float) -> None:
        self._seconds += seconds

    def watches(self, user: str = "tester", **changes: Any) -> Watches:
        return Watches(
            self.database,
            self.embedder,
            self.arxiv(**changes),
            self.leases,
            user,
            now=lambda: self.today,
        )

    def lists(self, *replies: Reply) -> None:
        """What arXiv will answer from now on, which is an hour later."""
        self._seconds += 3600
        self.script.replies[:] = replies
        self.script.asked.clear()

    def run(self, *names: str, day: int | None = None, user: str = "tester") -> list[str]:
        """Ids and versions that a run reports, best first, on a day of June 2025 if one is given;
        what is delivered is what it gives back."""
        if day is not None:
            self.today = datetime(2025, 6, day, 6, tzinfo=UTC)
        given: list[Outcome] = []
        outcomes = self.watches(user).run(names, deliver=given.extend)
        assert outcomes == given
        for each in outcomes:
            if each.failure:
                raise each.failure
        return [paper for each in outcomes for report in each.digests for paper in _told(report)]


def _told(report: Report) -> list[str]:
    return [paper.arxiv_id + ("*" if paper.known_since else "") for paper in report.papers]


@pytest.fixture
def world(settings: Settings, database: Database, embedder: Embedder) -> Iterator[World]:
    with arxiv_server(listing()) as script:
        made = World(script, settings, database, embedder)
        yield made
        made.leases.close()


@pytest.fixture
def watching(world: World) -> World:
    """The same, with the tester's watch of cs.CL and cs.AI since 20 May 2025."""
    world.watches().add(TOPIC, categories=["cs.cl", "cs.AI"], name="llm", since=SINCE)
    return world


def test_three_runs_over_lists_that_overlap_miss_nothing_and_tell_nothing_twice(
    watching: World,
) -> None:
    old = changed(ENGINEERING)  # of before the watch's first day
    watching.lists(listing(changed(FAITHFULNESS), changed(ETHICS), old))
    assert set(watching.run()) == {FAITHFULNESS.arxiv_id, ETHICS.arxiv_id}
    assert watching.script.asked == [
        {
            "search_query": "(cat:cs.CL OR cat:cs.AI)",
            "start": "0",
            "max_results": "200",
            "sortBy": "lastUpdatedDate",
            "sortOrder": "descending",
        }
    ]
    # Two pages; the paper of 30 May was announced late, behind some that were told.
    late = INTELLIGENCE
    watching.lists(
        listing(changed(ATTENTION), changed(late), total=5),
        listing(changed(FAITHFULNESS), changed(ETHICS), old, total=5),
    )
    assert watching.run(day=6) == [late.arxiv_id]
    assert [each["start"] for each in watching.script.asked] == ["0", "2"]
    assert watching.run(day=6) == []
    watching.lists(listing(changed(ETHICS, 2, "2025-06-07"), changed(late), changed(FAITHFULNESS)))
    assert watching.run(day=9) == [f"{ETHICS.arxiv_id}*"]
    assert watching.run(day=10) == []
    ((watch, reported),) = watching.watches().listed()
    assert (watch.read_until, reported) == (datetime(2025, 6, 10, 6, tzinfo=UTC), 4)


def test_all_of_the_list_is_stored_and_embedded_once(watching: World) -> None:
    watching.lists(listing(changed(ATTENTION), changed(FAITHFULNESS)))
    assert watching.run(day=6) == [FAITHFULNESS.arxiv_id]
    with watching.database.shared() as conn:
        rows = conn.execute(
            "SELECT arxiv_id, updated_at FROM semantic_memory ORDER BY 1"
        ).fetchall()
    assert [row[0] for row in rows] == [FAITHFULNESS.arxiv_id, ATTENTION.arxiv_id]
    assert watching.run(day=7) == []
    with watching.database.shared() as conn:
        again = conn.execute("SELECT arxiv_id, updated_at FROM semantic_memory ORDER BY 1")
        assert again.fetchall() == rows


@pytest.mark.parametrize(
    "failure",
    [
        [Reply(status=429, headers={"Retry-After": "600"})],
        [Reply(b"<html>down for maintenance</html>")],
        [listing(total=0)],  # no category is empty
        [listing(changed(FAITHFULNESS), total=3), Reply(status=503)],
        [listing(changed(FAITHFULNESS), total=3), listing(total=0)],
    ],
    ids=["429", "no feed", "nothing", "second page fails", "second page is empty"],
)
def test_what_was_not_read_whole_is_read_by_the_next_run(
    watching: World, failure: list[Reply]
) -> None:
    watching.lists(listing(changed(ETHICS)))
    assert watching.run() == [ETHICS.arxiv_id]
    ((before, _),) = watching.watches().listed()
    watching.lists(*failure)
    with pytest.raises(SourceError):
        watching.run(day=3)
    ((after, _),) = watching.watches().listed()
    assert after == before
    watching.lists(listing(changed(INTELLIGENCE), changed(FAITHFULNESS), changed(ETHICS)))
    assert set(watching.run(day=25)) == {INTELLIGENCE.arxiv_id, FAITHFULNESS.arxiv_id}


def test_a_long_time_offline_is_one_long_window(watching: World) -> None:
    watching.lists(listing(changed(ETHICS)))
    watching.run()
    for _ in range(2):
        outcomes = watching.watches(offline=True).run(deliver=lambda outcomes: None)
        assert outcomes[0].failure and "offline" in outcomes[0].failure.cause
    watching.today = datetime(2025, 12, 1, tzinfo=UTC)
    far = [changed(INTELLIGENCE), changed(FAITHFULNESS), changed(ETHICS), changed(ENGINEERING)]
    watching.lists(*(listing(each, total=4) for each in far))
    assert set(watching.run()) == {INTELLIGENCE.arxiv_id, FAITHFULNESS.arxiv_id}
    assert [each["start"] for each in watching.script.asked] == ["0", "1", "2", "3"]


def test_without_categories_arxiv_is_asked_for_any_of_the_words(world: World) -> None:
    world.watches().add("graphene, or twisted bilayers?", since=SINCE)
    world.lists(listing(total=0))
    assert world.run() == []
    assert world.script.asked[0]["search_query"] == "(all:graphene OR all:twisted OR all:bilayers)"


def test_watches_that_ask_for_the_same_share_a_reading_and_tell_a_paper_once(
    watching: World,
) -> None:
    watching.watches().add(
        "faithfulness of language models", categories=["cs.CL", "cs.AI"], since=SINCE
    )
    watching.lists(listing(changed(FAITHFULNESS), changed(ETHICS)))
    told = watching.run()
    assert sorted(told) == sorted({ETHICS.arxiv_id, FAITHFULNESS.arxiv_id})
    assert len(watching.script.asked) == 1


def test_what_was_looked_at_is_told_only_in_a_new_version(watching: World) -> None:
    ingest_papers(
        watching.database, watching.embedder, [_as_of(ETHICS, 1), _as_of(FAITHFULNESS, 2)]
    )
    _looked_at(watching, ETHICS)
    with watching.database.transaction("tester") as conn:
        marks.mark(conn, FAITHFULNESS.arxiv_id, status="read")
        # They did so on 1 June 2025, and what was stored then is older.
        conn.execute("UPDATE entity_memory SET created_at = '2025-06-01' WHERE category = 'paper'")
        conn.execute("UPDATE paper_mark SET created_at = '2025-06-01', updated_at = '2025-06-01'")
    with watching.database.admin() as conn:
        conn.execute("UPDATE semantic_memory SET updated_at = '2025-05-30'")
    watching.lists(
        listing(
            changed(ETHICS, 2, "2025-06-02"),
            changed(FAITHFULNESS, 2, "2025-05-31"),
            changed(INTELLIGENCE),
        )
    )
    assert set(watching.run(day=4)) == {f"{ETHICS.arxiv_id}*", INTELLIGENCE.arxiv_id}
    assert watching.run(day=5) == []


def _as_of(paper: Paper, version: int) -> Paper:
    return Paper.from_metadata(
        paper.arxiv_id,
        {**paper.to_metadata(), "version": version, "updated": "2025-05-31", "source": "arxiv"},
    )


def _looked_at(world: World, paper: Paper, user: str = "tester") -> None:
    vector = world.embedder.embed_query(paper.content)
    with world.database.transaction(user) as conn:
        named = {"category": "paper", "name": paper.arxiv_id, "title": paper.title}
        entity.write(conn, f"[arXiv:{paper.arxiv_id}] {paper.title}", vector, named)


def _prefers(world: World, *texts: str, user: str = "tester") -> None:
    with world.database.transaction(user) as conn:
        for text in texts:
            entity.write(conn, text, world.embedder.embed_query(text), {"category": "preference"})


@pytest.mark.parametrize(
    ("preference", "first"),
    [
        ("I prefer papers about ethics.", ETHICS),
        ("I like papers by Xiaqiang Tang.", FAITHFULNESS),
        ("I prefer papers about dynamic evaluation.", INTELLIGENCE),
    ],
)
def test_preferences_shape_the_order(watching: World, preference: str, first: Paper) -> None:
    watching.lists(listing(changed(INTELLIGENCE), changed(FAITHFULNESS), changed(ETHICS)))
    _prefers(watching, preference)
    told: list[Outcome] = []
    watching.watches().run(deliver=told.extend)
    papers = told[0].digests[0].papers
    assert len(papers) == 3
    assert papers[0].arxiv_id == first.arxiv_id
    assert "prefer" in papers[0].why


def test_what_was_looked_at_shapes_the_order(watching: World) -> None:
    page = listing(changed(INTELLIGENCE), changed(FAITHFULNESS), changed(ETHICS))
    watching.lists(page)
    watching.watches("other").add(TOPIC, categories=["cs.CL"], since=SINCE)
    plain = watching.run(user="other")
    last = next(p for p in (INTELLIGENCE, FAITHFULNESS, ETHICS) if p.arxiv_id == plain[-1])
    like = Paper(arxiv_id="2501.00001", title=last.title, abstract=last.abstract)
    _looked_at(watching, like)
    told = watching.run()
    assert told.index(last.arxiv_id) < plain.index(last.arxiv_id)


def test_what_is_unwanted_is_left_out_and_counted(watching: World) -> None:
    _prefers(watching, "No papers about ethics.", "I don't want papers by Xiaqiang Tang.")
    watching.lists(listing(changed(INTELLIGENCE), changed(FAITHFULNESS), changed(ETHICS)))
    told: list[Outcome] = []
    watching.watches().run(deliver=told.extend)
    (report,) = told[0].digests
    assert _told(report) == [INTELLIGENCE.arxiv_id]
    assert "1 left out: about ethics" in report.trail[0].note
    assert "1 left out: written by Xiaqiang Tang" in report.trail[0].note


def test_who_wants_nothing_remembered_is_told_by_the_topic_alone(watching: World) -> None:
    _prefers(watching, "No papers about ethics.")
    _looked_at(watching, INTELLIGENCE)
    decide_remembering(watching.database, "tester", "nothing")
    watching.lists(listing(changed(INTELLIGENCE), changed(ETHICS)))
    assert set(watching.run(day=4)) == {ETHICS.arxiv_id, INTELLIGENCE.arxiv_id}


def test_a_topic_that_asks_for_what_is_unwanted_gets_it(watching: World) -> None:
    _prefers(watching, "No papers about ethics.")
    watching.watches().add("ethics of language models", categories=["cs.CL"], since=SINCE)
    watching.lists(listing(changed(ETHICS)))
    told: list[Outcome] = []
    watching.watches().run(deliver=told.extend)
    assert [len(each.digests) for each in told] == [0, 1]
    assert "your wish not to see ethics" in told[1].digests[0].degraded[0]


def test_withdrawn_papers_are_never_told(world: World) -> None:
    world.watches().add(
        "synchronizing paths of a quantum computer", categories=["quant-ph"], since=date(1997, 5, 1)
    )
    paper = Paper(
        arxiv_id="quant-ph/9705017",
        title="Synchronizing Quantum Paths of a Universal Quantum Computer",
        abstract="Paths of a quantum computer that halt at different times are brought together.",
        authors=("Yu Shi",),
        categories=("quant-ph",),
        published="1997-05-10",
    )
    world.lists(listing(changed(paper, 1, comment="This paper has been withdrawn")))
    assert world.run() == []
    with world.database.shared() as conn:
        assert conn.execute("SELECT withdrawn FROM semantic_memory").fetchall() == [(True,)]


def test_the_digest_quotes_and_says_where_it_looked(watching: World) -> None:
    watching.lists(listing(changed(GRAVITY), changed(FAITHFULNESS), changed(ETHICS)))
    told: list[Outcome] = []
    watching.watches().run(deliver=told.extend)
    (report,) = told[0].digests
    assert report.job_id == "llm-2025-05-28-1"
    assert (report.question, report.extractive) == (TOPIC, True)
    (section,) = report.sections
    assert section.title == "New"
    sentences = [each for (each,) in section.paragraphs]
    texts = {paper.arxiv_id: paper.abstract for paper in (FAITHFULNESS, ETHICS)}
    assert all(each.text in texts[each.papers[0]] for each in sentences)
    places = {(paper.x, paper.y) for paper in report.papers}
    assert len(places) == 2
    assert all(0 < paper.score <= 1 for paper in report.papers)
    assert report.trail[0].found == 3
    assert report.trail[0].note.startswith("new or changed since 2025-05-20, in cs.CL or cs.AI")
    assert Report.model_validate_json(report.model_dump_json()) == report


def test_what_could_not_be_written_is_written_by_the_next_run(watching: World) -> None:
    def full(outcomes: Sequence[Outcome]) -> None:
        raise UsageError("The disk is full.")

    watching.lists(listing(changed(ETHICS)))
    with pytest.raises(UsageError):
        watching.watches().run(deliver=full)
    watching.lists(listing(changed(FAITHFULNESS), changed(ETHICS)))
    given: list[Outcome] = []
    watching.watches().run(deliver=given.extend)
    assert [_told(report) for report in given[0].digests] == [
        [ETHICS.arxiv_id],
        [FAITHFULNESS.arxiv_id],
    ]
    assert watching.run() == []
    offline = watching.watches(offline=True)
    watching.lists(listing(changed(INTELLIGENCE)))
    with pytest.raises(UsageError):
        watching.watches().run(deliver=full)
    (outcome,) = offline.run(deliver=lambda outcomes: None)
    assert outcome.failure
    assert [_told(report) for report in outcome.digests] == [[INTELLIGENCE.arxiv_id]]


def test_two_runs_at_once_are_one(watching: World) -> None:
    watching.lists(listing(changed(ETHICS)))

    def again(outcomes: Sequence[Outcome]) -> None:
        with pytest.raises(ThreadBusy, match="Another run of your watches"):
            watching.watches().run(deliver=lambda _: None)
        # Another person's are not in its way.
        watching.watches("other").add(TOPIC, categories=["cs.CL"], since=SINCE)
        assert watching.run(user="other") == [ETHICS.arxiv_id]

    watching.watches().run(deliver=again)
    assert watching.run() == []


def test_a_run_that_lost_its_lease_commits_nothing(watching: World) -> None:
    ((watch, _),) = watching.watches().listed()
    lease = {"thread": "\nwatches", "turn": "00000000-0000-0000-0000-000000000001"}
    with watching.database.transaction("tester") as conn:
        assert not watches.commit(
            conn,
            watch,
            read_until=watching.today,
            first_day=SINCE,
            digest=None,
            papers=[("2505.16036", 1)],
            lease=lease,
        )
    assert watching.watches().listed() == [(watch, 0)]


def test_other_peoples_watches_are_not_seen(watching: World) -> None:
    other = watching.watches("other")
    assert other.listed() == []
    for call in (lambda: other.remove("llm"), lambda: other.remove("1")):
        with pytest.raises(NotFound, match="no watch"):
            call()
    with pytest.raises(UsageError, match="There is no watch"):
        other.run(deliver=lambda outcomes: None)
    mine = other.add("dark matter", name="llm")
    assert mine.number == 1
    with watching.database.transaction("other") as conn:
        assert conn.execute("SELECT count(*) FROM watch").fetchone() == (1,)
    watching.watches().remove("1")
    assert [watch.name for watch, _ in other.listed()] == ["llm"]


def test_names_and_numbers(world: World) -> None:
    mine = world.watches()
    assert [mine.add("What is new on dark matter?").name for _ in range(3)] == [
        "dark-matter",
        "dark-matter-2",
        "dark-matter-3",
    ]
    mine.remove("2")
    mine.remove("dark-matter-3")
    assert mine.add("2025").name == "watch"
    assert [watch.number for watch, _ in mine.listed()] == [1, 2]
    first = mine.listed()[0][0]
    assert (first.first_day, first.read_until) == (date(2025, 5, 21), None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"topic": " \n "}, "The topic is empty."),
        ({"topic": "x" * 2001}, "2,001 characters"),
        ({"topic": "?!"}, "no words to ask arXiv for"),
        ({"topic": TOPIC, "categories": ["cs.ZZ"]}, "arXiv has no category 'cs.ZZ'"),
        ({"topic": TOPIC, "categories": ["cs.CL", ""]}, "arXiv has no category ''"),
        ({"topic": TOPIC, "name": "llm"}, "There is a watch named 'llm' already."),
        ({"topic": TOPIC, "name": "17"}, "'17' can't name a watch"),
        ({"topic": TOPIC, "name": "../up"}, "can't name a watch"),
        ({"topic": TOPIC, "name": ""}, "can't name a watch"),
    ],
)
def test_what_can_be_no_watch_is_refused(watching: World, given: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        watching.watches().add(**given)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(watching.watches().listed()) == 1


def test_an_entry_that_can_not_be_read_is_told(watching: World) -> None:
    watching.lists(listing(changed(FAITHFULNESS, abstract=" "), changed(ETHICS)))
    told: list[Outcome] = []
    watching.watches().run(deliver=told.extend)
    (report,) = told[0].digests
    assert _told(report) == [ETHICS.arxiv_id]
    assert any("not read" in line and "2505.20767" in line for line in report.degraded)
