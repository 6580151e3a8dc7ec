"""What the commands print, and their exit codes, over a scout that plays its part."""

from __future__ import annotations

import json
import re

import pytest

from arxivscout.cli.render import safe

TERMINAL_FOOD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def one_line(result, code: int) -> str:
    """The one line that stands on stderr after the notices."""
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1, result.stderr
    assert result.stderr.splitlines()[-1] == lines[0]
    return lines[0]


def test_ask_prints_the_answer_on_stdout_and_activity_on_stderr(played):
    result = played("ask", "what", "is", "it")
    assert result.returncode == 0
    answer, sources = result.stdout.split("\n\n")
    assert answer.startswith("word0 word1") and answer.endswith("word11 [1].")
    assert sources == (
        "[1] CP Measurement in Quantum Teleportation of Neutral Mesons\n"
        "    Yu Shi and Yue-Liang Wu, 2007 · https://arxiv.org/abs/0712.2288\n"
    )
    assert "• searching the papers held: what is it · 8 found, 0.1 s\n" in result.stderr


def test_json_is_one_object_with_these_keys_and_nothing_else(played):
    result = played("ask", "--json", "a degraded question", "--thread", "reading")
    answer = json.loads(result.stdout)
    assert list(answer) == [
        "answer",
        "citations",
        "problems",
        "thread_id",
        "turn_id",
        "degraded",
        "usage",
        "timings_ms",
    ]
    assert answer["citations"] == [
        {
            "arxiv_id": "0712.2288",
            "title": "CP Measurement in Quantum Teleportation of Neutral Mesons",
            "url": "https://arxiv.org/abs/0712.2288",
            "authors": ["Yu Shi", "Yue-Liang Wu"],
            "year": "2007",
            "verdict": "unchecked",
            "passage": "",
            "problems": [],
            "sentences": [],
            "section": "",
            "page": None,
        }
    ]
    assert answer["thread_id"] == "reading"
    assert answer["degraded"] == ["database: not stored yet"]
    assert "degraded: database: not stored yet" in result.stderr


@pytest.mark.parametrize("arguments", [["ask"], ["ask", "-"]])
def test_the_question_may_come_through_a_pipe(played, arguments):
    assert (
        "searching the papers held: from a pipe" in played(*arguments, stdin="from a pipe\n").stderr
    )


@pytest.mark.parametrize("question", ["", "   ", "\x01\x02", "\u200b\n"])
def test_an_empty_question_is_one_line(played, question):
    assert "The question is empty." in one_line(played("ask", question), 2)
    assert "The question is empty." in one_line(played("ask", "-", stdin=question), 2)


def test_a_question_of_100_000_characters_is_taken(played):
    assert played("ask", "why " * 25_000).returncode == 0
    assert "more than 1,000,000" in one_line(played("ask", "-", stdin="y" * 1_000_001), 2)


def test_an_answer_that_could_not_be_had_is_one_line_and_can_be_retried(played):
    assert one_line(played("ask", "a broken one"), 5) == (
        "error: The model openai:x answered 401. Set ARXIVSCOUT_MODEL_API_KEY. "
        "The question is kept: `arxivscout retry` asks it again."
    )
    result = played("retry", "--json")
    assert json.loads(result.stdout)["answer"].startswith("word0")
    assert "No question of this thread" in one_line(played("retry"), 2)


@pytest.mark.parametrize("arguments", [["ask", "hostile"], ["ask", "hostile", "--json"]])
def test_no_terminal_sequence_reaches_the_terminal(played, arguments):
    result = played(*arguments)
    assert result.returncode == 0
    assert not TERMINAL_FOOD.search(result.stdout + result.stderr)
    assert "red" in result.stdout


def test_what_a_person_types_is_shown_clean_too(played):
    played("ask", "hostile \x1b[2J\u202e thing", "--thread", "hostile")
    for arguments in (["threads", "list"], ["threads", "show", "hostile"]):
        assert not TERMINAL_FOOD.search(played(*arguments).stdout)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP1$r\x1b\\dcs", "dcs"),
        ("\x9b2Jc1", "c1"),
        ("\x1bcreset", "reset"),
        ("never closed \x1b]0;swallows\nno line", "never closed \nno line"),
        ("a\rb\x08c\x00d", "a\nbcd"),
        ("perché 量子 👩‍🔬 ∑", "perché 量子 👩‍🔬 ∑"),
        ("\ud800lone", "lone"),
    ],
)
def test_safe(given, kept):
    assert safe(given) == kept


def test_search_as_a_table_and_as_json(played):
    table = played(
        "search", "quantum", "mesons", "--since", "2005", "--until", "2015-06", "--k", "3"
    )
    assert table.returncode == 0
    assert re.search(
        r"0\.50 +0712\.2288 +2007-12-14 +quant-ph hep-ph +CP Measurement", table.stdout
    )
    found = json.loads(played("search", "quantum", "--json").stdout)
    assert found == [
        {
            "arxiv_id": "0712.2288",
            "title": "CP Measurement in Quantum Teleportation of Neutral Mesons",
            "score": 0.5,
            "submission_date": "2007-12-14",
            "categories": ["quant-ph", "hep-ph"],
        }
    ]


def test_search_that_finds_nothing(played):
    result = played("search", "nothing")
    assert (result.returncode, result.stdout) == (0, "")
    assert "No paper held fits." in result.stderr
    assert json.loads(played("search", "nothing", "--json").stdout) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["--since", "last year"],
            "--since 'last year' is no date. Use YYYY, YYYY-MM or YYYY-MM-DD.",
        ),
        (["--until", "2015-13"], "--until '2015-13' is no date."),
        (["--since", "2015-02-30"], "is no date."),
        (["--since", "2016", "--until", "2015"], "--since 2016 is later than --until 2015."),
        (["--k", "0"], "--k 0 is out of range. Give 1 to 200."),
        (["--k", "201"], "--k 201 is out of range."),
    ],
)
def test_search_refuses_what_it_can_not_use(played, arguments, says):
    assert says in one_line(played("search", "quantum", *arguments), 2)


def test_an_empty_query_is_refused(played):
    assert "The query is empty." in one_line(played("search", " "), 2)


def test_paper(played):
    shown = played("paper", "https://arxiv.org/abs/0712.2288v1").stdout
    assert "Yu Shi, Yue-Liang Wu\n" in shown
    assert "https://arxiv.org/abs/0712.2288\n" in shown
    record = json.loads(played("paper", "0712.2288", "--json").stdout)
    assert record["authors"] == ["Yu Shi", "Yue-Liang Wu"]
    assert record["url"] == "https://arxiv.org/abs/0712.2288"
    assert "is no arXiv id" in one_line(played("paper", "nonsense"), 2)
    assert "is not held." in one_line(played("paper", "0712.9999"), 1)


def test_threads(played):
    played("ask", "first question", "--thread", "reading")
    assert "first question" in played("threads", "list").stdout
    (listed,) = json.loads(played("threads", "list", "--json").stdout)
    assert (listed["thread_id"], listed["turns"]) == ("reading", 2)
    shown = json.loads(played("threads", "show", "reading", "--json").stdout)
    assert [event["kind"] for event in shown] == ["user", "assistant"]
    assert "No thread is called 'other'." in one_line(played("threads", "show", "other"), 1)
    assert "No thread is called 'other'." in one_line(played("threads", "delete", "other"), 1)
    assert "Nobody is at the terminal to be asked. --yes deletes it" in one_line(
        played("threads", "delete", "reading"), 2
    )
    deleted = played("threads", "delete", "reading", "--yes")
    assert deleted.stdout == "Deleted reading: 2 messages.\n"
    assert json.loads(played("threads", "list", "--json").stdout) == []


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_thread_has_a_name(played, name):
    assert "A thread's name has 1 to 100 characters." in one_line(
        played("ask", "what", "--thread", name), 2
    )


def test_settings_that_can_not_be_used_are_one_line(played, bare_environment):
    bare_environment["ARXIVSCOUT_NONSENSE"] = "1"
    assert "ARXIVSCOUT_NONSENSE is no setting." in one_line(played("ask", "what"), 3)
    del bare_environment["ARXIVSCOUT_NONSENSE"]
    assert "No model is called 'nope'." in one_line(played("ask", "what", "--model", "nope"), 3)
    bare_environment["ARXIVSCOUT_LOG_LEVEL"] = "loud"
    assert "The log level 'loud' is not known." in one_line(played("ask", "what"), 3)


def test_a_locale_that_can_not_say_a_character_gets_another(played, bare_environment):
    bare_environment["PYTHONIOENCODING"] = "ascii"
    assert played("ask", "what").returncode == 0
    assert json.loads(played("ask", "perché", "--json").stdout)["answer"]


def test_chat_over_a_pipe(played):
    result = played("chat", stdin="what is it\n\n/help\n/nonsense\na broken one\n/retry\n")
    assert result.returncode == 0
    assert result.stdout.count("word0 word1") == 2
    assert "/papers" in result.stdout
    assert "error: There is no command /nonsense." in result.stderr
    assert "the question is kept: /retry" in result.stdout
