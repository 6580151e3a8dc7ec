"""What a person does with threads and answers afterwards: named, forked, judged, exported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from turns.scripted import ScriptedModel, calls, says
from turns.settled import rows, settle

from arxivscout.app import Scout
from arxivscout.errors import NotFound, UsageError
from arxivscout.history import History
from arxivscout.ingest import ingest_papers
from arxivscout.memory.recall import recall
from arxivscout.papers import Paper

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"
HOSTILE = "<script>alert(1)</script> [x](javascript:alert(1)) ![i](http://e.vil/i.png) **b** & `c`"


def test_a_thread_names_itself_from_its_first_question(scout: Scout) -> None:
    scout.ask(QUESTION)
    scout.ask("and its authors?")
    (thread,) = scout.history.threads()
    assert (thread.thread_id, thread.title, thread.turns, thread.last_question) == (
        "default",
        "Quantum teleportation of neutral mesons",
        2,
        "and its authors?",
    )
    assert scout.history.title("default", " Mesons \n") == "Mesons"
    assert scout.history.threads()[0].title == "Mesons"
    assert scout.history.title("default", None) == "Quantum teleportation of neutral mesons"
    for wrong in ("", "  \n", "x" * 201):
        with pytest.raises(UsageError):
            scout.history.title("default", wrong)
    with pytest.raises(NotFound):
        scout.history.title("other", "x")


def test_a_name_for_a_thread_that_is_to_begin(scout: Scout) -> None:
    assert scout.history.name_for(QUESTION) == "quantum-teleportation-of-neutral-mesons"
    scout.ask(QUESTION, thread_id="quantum-teleportation-of-neutral-mesons")
    assert scout.history.name_for(QUESTION) == "quantum-teleportation-of-neutral-mesons-2"
    assert scout.history.name_for("???") == "thread"


def test_a_renamed_thread_goes_on_and_is_taken_back_under_its_new_name(scripted: Make) -> None:
    scout, model = scripted(
        calls(("save_memory", {"kind": "finding", "text": "Mesons teleport."})),
        says("The answer is 42. [arXiv:0712.2288]"),
        calls(("summarise_thread", {"summary": "It is 42."})),
        says("It was 42."),
    )
    scout.ask(QUESTION, thread_id="old")
    scout.ask("What was the answer?", thread_id="old")
    scout.history.rename("old", "new")
    assert [each.thread_id for each in scout.history.threads()] == ["new"]
    assert [item.thread_id for item in scout.memories("finding")] == ["new"]
    assert scout.history.events("old") == []
    assert scout._held.of("old").messages == []
    scout.ask("and now?", thread_id="new")
    assert "42" in str(model.read[-1])
    assert scout.history.undo("new").question == "and now?"
    assert scout.history.undo("new").question == "What was the answer?"
    assert rows(scout, "SELECT DISTINCT thread_id, summary_id FROM conversational_memory") == [
        ("new", None)
    ]
    assert scout.history.undo("new").question == QUESTION
    assert scout.history.threads() == []
    settle(scout)
    assert scout.memories("finding") == []


def test_names_that_are_taken_or_none(scout: Scout) -> None:
    for thread in ("one", "two"):
        scout.ask("I prefer short answers.", thread_id=thread)
    for wrong in ("two", "", " ", "x" * 101):
        with pytest.raises(UsageError):
            scout.history.rename("one", wrong)
        with pytest.raises(UsageError):
            scout.history.fork("one", wrong)
    with pytest.raises(NotFound):
        scout.history.rename("three", "four")
    with pytest.raises(NotFound):
        scout.history.fork("three")
    with pytest.raises(NotFound):
        scout.history.fork("three", "four")
    with pytest.raises(UsageError, match="no id of a turn"):
        scout.history.fork("one", upto_turn="zero")
    other = scout.ask("hello?", thread_id="two").turn_id
    with pytest.raises(UsageError, match="No turn"):
        scout.history.fork("one", upto_turn=other)
    scout.history.rename("one", "one")
    assert {each.thread_id for each in scout.history.threads()} == {"one", "two"}


@pytest.mark.parametrize("name", ["", " ", "a\0b", "\ud800", "x" * 1_000_000, None, 3])
def test_a_name_that_can_be_none_is_one_clear_line_everywhere(scout: Scout, name: Any) -> None:
    history = scout.history
    uses: list[Callable[[], object]] = [
        lambda: history.events(name),
        lambda: history.last_exchange(name),
        lambda: history.usage(name),
        lambda: history.context(name),
        lambda: history.export(name, "md"),
        lambda: history.title_of(name),
        lambda: history.title(name, "A title"),
        lambda: history.rename(name, "new"),
        lambda: history.fork(name),
        lambda: history.delete(name),
        lambda: history.undo(name),
        lambda: history.feedback(name, True),
        lambda: history.correct(name, "It is otherwise."),
        lambda: history.saved(name),
        lambda: scout.unanswered(name),
        lambda: list(scout.retry(name)),
        lambda: scout.why(1, name),
        lambda: scout.ask("What is a meson?", thread_id=name),
    ]
    for use in uses:
        with pytest.raises(UsageError, match="can't name a thread") as refused:
            use()
        assert "\n" not in str(refused.value) and len(str(refused.value)) < 200
    if not isinstance(name, str):
        with pytest.raises(UsageError, match="can't name a thread"):
            history.rename("old", name)


def test_nobody_renames_or_forks_anothers_thread(scripted: Make) -> None:
    scout, _ = scripted(says("Mine."))
    other, _ = scripted(says("Theirs."), user="other")
    scout.ask("mine?", thread_id="t")
    for refused in (
        lambda: other.history.rename("t", "u"),
        lambda: other.history.fork("t"),
        lambda: other.history.export("t", "md"),
    ):
        with pytest.raises(NotFound):
            refused()
    with pytest.raises(NotFound):
        other.history.feedback("t", True)
    other.ask("theirs?", thread_id="u")
    scout.history.rename("t", "u")  # a name is free if one's own threads don't have it
    assert [each.text for each in scout.history.events("u")] == ["mine?", "Mine. "]
    assert [each.text for each in other.history.events("u")] == ["theirs?", "Theirs. "]
    assert other.history.delete("u") == 2
    assert len(scout.history.events("u")) == 2


def test_a_fork_goes_on_from_a_turn_in_another_direction(scripted: Make) -> None:
    scout, model = scripted(says("One. [arXiv:0712.2288]"), says("Two."), says("Other."))
    first = scout.ask("first?").turn_id
    scout.ask("second?")
    assert scout.history.fork("default", "aside", first) == "aside"
    scout.ask("third?", thread_id="aside")
    *conversation, _ = model.read[-1]  # what was said in other threads stands with the question
    assert "first?" in str(conversation)
    assert "One." in str(conversation)
    assert "Two." not in str(conversation)
    assert [each.text for each in scout.history.events("default")][2] == "second?"
    assert scout.history.undo("aside").question == "third?"
    assert scout.history.undo("aside").question == "first?"
    assert len(scout.history.events("default")) == 4
    assert len(scout.memories("paper")) == 1  # it belongs to the turn that was copied


def test_forks_at_once_get_names_of_their_own(scout: Scout) -> None:
    scout.ask("I prefer short answers.")
    made: list[str] = []
    together = threading.Barrier(4)

    def fork() -> None:
        together.wait()
        made.append(scout.history.fork("default"))

    threads = [threading.Thread(target=fork) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [f"default-{number}" for number in range(2, 6)]


def test_feedback_is_kept_with_the_turn_and_judges_its_way_of_working(scripted: Make) -> None:
    search = calls(("search_papers", {"query": "mesons"}))
    scout, _ = scripted(search, says("One. [arXiv:0712.2288]"), search, says("Two."))
    scout.ask(QUESTION)
    scout.history.feedback("default", False, " off \x00topic ")
    assert rows(scout, "SELECT feedback, feedback_note FROM turn") == [("bad", "off topic")]
    assert rows(scout, "SELECT outcome, langchain_metadata ->> 'outcome' FROM workflow_memory") == [
        ("failure", "failure")
    ]
    scout.ask(f"{QUESTION} Again.", thread_id="good")
    scout.history.feedback("good", True)
    found = recall(
        scout.database,
        user=scout.user,
        thread_id="x",
        turn_id=None,
        question=QUESTION,
        vector=scout._services.vector(QUESTION),
    )
    # The one that was judged bad is nearer to the question, and comes behind all the same.
    assert [each["outcome"] for each in found.memory["workflows"]] == ["success", "failure"]
    scout.history.undo("default")
    scout.history.undo("good")
    assert rows(scout, "SELECT count(*) FROM workflow_memory") == [(0,)]
    with pytest.raises(NotFound, match="No thread is called"):
        scout.history.feedback("default", True)


def test_a_correction_is_in_the_context_of_what_comes_next(scripted: Make) -> None:
    scout, model = scripted(says("It was in 1999. [arXiv:0712.2288]"), says("All right."))
    scout.ask(QUESTION)
    memory_id = scout.history.correct("default", "It was in 2007, not in 1999.")
    scout.ask("Which recipes for apple pie are there?")  # about something else altogether
    read = str(model.read[-1][-1].content)
    assert f"{memory_id}" in read
    assert "It was in 2007, not in 1999." in read
    assert "because: the researcher corrected the answer" in read
    assert re.search(r"- \d{4}-\d\d-\d\d \(id [0-9a-f-]{36}, thread default\)", read)
    scout.ask(QUESTION, thread_id="elsewhere")
    assert "It was in 2007" in str(model.read[-1][-1].content)
    scout.ask("Which recipes for apple pie are there?", thread_id="third")
    assert "It was in 2007" not in str(model.read[-1][-1].content)
    (item,) = scout.memories("correction")
    assert item.text.startswith(f"Asked “{QUESTION}”, the answer was corrected: It was")
    for wrong in ("", " \n", "x" * 4_001):
        with pytest.raises(UsageError, match="A correction has"):
            scout.history.correct("default", wrong)
    scout.history.undo("default")
    scout.history.undo("default")
    settle(scout)
    assert scout.memories("correction") == []


def test_an_answer_is_saved_as_a_finding_with_its_citations(scout: Scout) -> None:
    answer = scout.ask(QUESTION)
    scout.history.saved("default")
    scout.history.saved("default")  # once is enough
    # What the cited paper finds is learned behind the turn.
    (item,) = [each for each in scout.memories("finding") if each.reason]
    assert "[arXiv:0712.2288]" in item.text
    assert "Extractive answer" in answer.answer
    assert "Extractive answer" not in item.text
    assert item.reason == f"the researcher saved the answer to “{QUESTION}”"
    assert rows(
        scout,
        "SELECT langchain_metadata ->> 'arxiv_ids' FROM entity_memory WHERE category = 'finding'",
    )[0][0].startswith('["0712.2288"')


def test_what_has_no_answer_can_t_be_judged(scripted: Make) -> None:
    scout, _ = scripted(RuntimeError("broken"))
    with pytest.raises(Exception, match="broken"):
        scout.ask(QUESTION)
    history = scout.history
    for refused in (
        lambda: history.feedback("default", True),
        lambda: history.correct("default", "no"),
        lambda: history.saved("default"),
    ):
        with pytest.raises(UsageError, match="was not answered"):
            refused()
    assert rows(scout, "SELECT count(*) FROM thread_lease") == [(0,)]


def test_usage_and_context_of_a_thread(scripted: Make) -> None:
    scout, _ = scripted(says("One."), says("Two."))
    assert scout.history.usage("default").turns == 0
    assert scout.history.context("default") == []
    scout.ask("first?")
    scout.ask("second?")
    usage = scout.history.usage("default")
    assert (usage.turns, usage.measured) == (2, 0)  # the scripted model does not count
    assert usage.by_model == {
        "openai:scripted": {"turns": 2, "input_tokens": 0, "output_tokens": 0}
    }
    assert "recent" in {segment["segment"] for segment in scout.history.context("default")}


def test_a_long_thread_s_end(scripted: Make) -> None:
    scout, _ = scripted(says("Yes. [arXiv:0712.2288]"))
    assert scout.history.last_exchange("default") is None
    for number in range(3):
        scout.ask(f"question {number}?")
    last = scout.history.last_exchange("default")
    assert last is not None
    assert (last.question, last.answer, last.status) == (
        "question 2?",
        "Yes. [arXiv:0712.2288] ",
        "answered",
    )
    assert [each["arxiv_id"] for each in last.citations] == ["0712.2288"]
    assert [each.text for each in scout.history.events("default", 3)] == [
        "Yes. [arXiv:0712.2288] ",
        "question 2?",
        "Yes. [arXiv:0712.2288] ",
    ]


# documents


class _Seen(HTMLParser):
    """What a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def spoken(scripted: Make) -> Scout:
    """A thread with a hostile title, question and answer."""
    scout, _ = scripted(
        says(
            f"# Heading\n\nAs **shown** [arXiv:2401.00001] and `held`:\n- one [arXiv:0712.2288]\n"
            f"- two [arXiv:2401.00001]\n\n{HOSTILE}\n```\n<b>code"
        ),
        says("Second, again [arXiv:0712.2288]."),
    )
    paper = Paper(arxiv_id="2401.00001", title=HOSTILE, abstract="A.", authors=(HOSTILE, "B. C."))
    ingest_papers(scout.database, scout.embedder, [paper])
    scout.ask(f"Papers about {HOSTILE}?\n# over\n<b>two lines")
    scout.ask("second?")
    scout.history.feedback("default", True)
    return scout


def test_a_thread_as_a_web_page_does_nothing_but_show_text(spoken: Scout) -> None:
    html = spoken.history.export("default", "html")
    seen = _Seen()
    seen.feed(html)
    assert not {"script", "img", "iframe", "b", "link", "object"} & set(seen.tags)
    assert not [name for name in seen.attributes if name.startswith("on")]
    assert {link for link in seen.links if not link.startswith("#source-")} == {
        "https://arxiv.org/abs/2401.00001",
        "https://arxiv.org/abs/0712.2288",
    }
    assert seen.text.count("<script>alert(1)</script>") >= 4  # question, answer, title, author
    assert seen.text.count("[1]") >= 2
    assert seen.text.count("[2]") >= 2
    for needed in ("prefers-color-scheme: dark", "@media print", "width=device-width"):
        assert needed in html
    assert "<li>one <sup>" in html


def test_a_thread_as_markdown_keeps_its_shape(spoken: Scout) -> None:
    markdown = spoken.history.export("default", "md")
    assert "<" not in re.sub(r"\\<", "", markdown)
    assert not re.search(r"(?<!\\)\]\((?!https://arxiv\.org/abs/)", markdown)
    assert [line for line in markdown.splitlines() if line.startswith("#")] == [
        line for line in markdown.splitlines() if re.match(r"# |## \d\. |## Sources$", line)
    ]
    assert "As **shown** [1] and `held`:" in markdown
    assert "- one [2]" in markdown
    assert "Second, again [2]." in markdown
    assert "```" not in markdown
    assert re.search(r"^1\. .*2401\.00001", markdown, re.MULTILINE)
    assert re.search(r"^2\. .*0712\.2288", markdown, re.MULTILINE)


def test_a_thread_as_json_and_bibtex(spoken: Scout) -> None:
    value = json.loads(spoken.history.export("default", "json"))
    assert value["thread_id"] == "default"
    assert [turn["status"] for turn in value["turns"]] == ["answered", "answered"]
    assert [turn["feedback"] for turn in value["turns"]] == [None, "good"]
    assert [each["arxiv_id"] for each in value["turns"][0]["citations"]] == [
        "2401.00001",
        "0712.2288",
    ]
    assert set(value["papers"]) == {"2401.00001", "0712.2288"}
    bibtex = spoken.history.export("default", "bib")
    assert bibtex.count("@") == 2
    assert "0712.2288" in bibtex


def test_documents_of_threads_that_hold_little(scripted: Make) -> None:
    scout, _ = scripted(RuntimeError("broken"))
    with pytest.raises(NotFound):
        scout.history.export("default", "md")
    with pytest.raises(Exception, match="broken"):
        scout.ask("first?")
    assert "(no answer)" in scout.history.export("default", "md")
    assert "(no answer)" in scout.history.export("default", "html")
    assert scout.history.export("default", "bib").strip() == ""
    with pytest.raises(UsageError, match="No format"):
        scout.history.export("default", "pdf")  # type: ignore[arg-type]


def test_history_is_quickly_imported() -> None:
    """It brings neither the agent machine nor numpy along."""
    program = """
        import sys
        import arxivscout.history
        heavy = {"langgraph", "langchain_core", "numpy", "onnxruntime"} & set(sys.modules)
        assert not heavy, heavy
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True, timeout=60)
    assert History.__module__ == "arxivscout.history"
