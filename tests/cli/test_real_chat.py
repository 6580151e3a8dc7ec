"""The chat over the real thing: a real database, and a model that streams over the wire."""

from __future__ import annotations

import json
import os
import re
import signal

import pytest
from openai_server import OpenAIServer, Step, call, say, status
from terminal import CTRL_C, CTRL_D

WORDS = " ".join(f"word{number}" for number in range(200))


@pytest.fixture
def chat(terminals, lived_in):
    def start(*arguments: str):
        terminal = terminals(lived_in, "-m", "arxivscout", "chat", *arguments)
        terminal.see("What may be remembered|\n>$")
        if "What may be remembered" in terminal.text:  # at a person's first start
            terminal.keys("\r")
            terminal.see("Which model answers|\n>$")
            if "Which model answers" in terminal.text:
                terminal.keys("\r")
        terminal.wait(terminal.prompts)
        return terminal

    return start


@pytest.fixture
def model(lived_in):
    """Begin to serve a script in place of a model."""
    servers = []

    def serve(*script) -> OpenAIServer:
        servers.append(OpenAIServer(*script))
        lived_in["ARXIVSCOUT_MODEL"] = "scripted"
        lived_in["ARXIVSCOUT_MODEL_BASE_URL"] = servers[-1].url
        lived_in["ARXIVSCOUT_MODEL_API_KEY"] = "none"
        return servers[-1]

    yield serve
    for server in servers:
        server.close()


def leave(terminal) -> None:
    terminal.keys(CTRL_D)
    assert terminal.end() == 0


def events(scout, thread: str) -> list[dict]:
    return json.loads(scout("threads", "show", thread, "--json").stdout)


def test_a_conversation_is_remembered_the_next_day(chat):
    terminal = chat()
    assert "model extractive" in terminal.text
    assert "starter collection" in terminal.text
    terminal.say("What is known about quantum teleportation of neutral mesons?")
    assert "• searching the papers held: " in terminal.text
    assert "[1] CP Measurement in Quantum Teleportation" in terminal.text
    assert "https://arxiv.org/abs/0712.2288" in terminal.text
    terminal.say("I do not want papers older than 2015.")
    leave(terminal)
    again = chat()
    assert "> I do not want papers older than 2015." in again.text
    again.say("/memory preference")
    assert "I do not want papers older than 2015" in again.text
    again.say("/papers")
    assert "  [arXiv:0712.2288] CP Measurement" in again.text
    leave(again)


def test_a_note_is_shown_set_and_taken_away(chat):
    terminal = chat()
    terminal.say("/note 0712.2288")
    assert "There is no note on it." in terminal.text
    terminal.say("/note 0712.2288 See section 3.")
    terminal.say("/note 0712.2288")
    assert terminal.text.count(": See section 3.") == 2
    terminal.say("/note 0712.2288 -")
    assert terminal.text.count("There is no note on it.") == 2
    terminal.say("/memory finding")
    assert "No finding is remembered yet." in terminal.text
    leave(terminal)


def test_papers_are_those_cited_and_a_wish_names_no_thread(chat):
    terminal = chat()
    terminal.say("/new")
    terminal.say("I do not want papers older than 2015.")
    assert re.search(r"\npreferences · extractive · no tokens billed", terminal.text)
    terminal.say("Which papers are about dark matter?")
    terminal.say("/papers")
    assert "No paper is cited in this thread yet." in terminal.text
    assert "arXiv:1003.0904]" not in terminal.text.rpartition("> /papers")[2]
    assert re.search(r"\d+ papers held; /papers WORDS searches them\.\n\n>$", terminal.text)
    terminal.say("/threads")
    assert re.search(r"• +preferences +2 +\d{4}-\d\d-\d\d \d\d:\d\d  ", terminal.text)
    leave(terminal)


def test_ctrl_c_stops_the_model_and_the_next_turn_works(chat, model, scout):
    model(
        call("search_papers", query="mesons"),
        say(WORDS, pause_s=0.05),
        say("Done [arXiv:0712.2288]."),
    )
    terminal = chat("--thread", "stopped")
    terminal.keys("first\r")
    terminal.see("word5")
    terminal.keys(CTRL_C)
    terminal.see(r"\(stopped; what there was of the answer is kept\)\n\n>", seconds=10)
    kept = events(scout, "stopped")
    assert [event["kind"] for event in kept] == ["user", "tool", "assistant"]
    assert kept[-1]["text"].startswith("word0 word1") and "word199" not in kept[-1]["text"]
    terminal.say("second")
    assert "Done [1]." in terminal.text
    leave(terminal)


def test_ctrl_c_before_the_first_word_leaves_a_clean_prompt(chat, model, scout):
    server = model(say("late", hang_s=20), say("Done."))
    terminal = chat("--thread", "early")
    terminal.keys("first\r")
    terminal.see("thinking")
    terminal.wait(lambda: server.requests)
    terminal.keys(CTRL_C)
    terminal.see(r"\(stopped[^\n]*\)\n\n>", seconds=15)
    leave(terminal)
    again = chat("--thread", "early")
    assert "(no whole answer: /retry asks it again)" in again.text
    again.say("/retry")
    assert "Done." in again.text
    leave(again)
    assert [e["text"] for e in events(scout, "early") if e["kind"] == "user"] == ["first"]


def test_nothing_breaks_into_an_answer(chat, model, lived_in):
    """What is logged waits; an answer that begins again is set off, and so are its footnotes."""
    lived_in["ARXIVSCOUT_LOG_LEVEL"] = "info"
    model(
        Step(text="I look [arXiv:1003.0904].", calls=(("search_papers", '{"query": "x"}', "c"),)),
        say("One [arXiv:0712.2288] breaks off here", break_after=3),
        say(f"{WORDS} [arXiv:0712.2288]."),
    )
    terminal = chat("--thread", "whole")
    terminal.say("first")
    shown = re.sub(r"\n(?! )", "\n", terminal.text)
    assert re.search(
        r"\nI look \[1\]\.\n• searching the papers held: x · [^\n]+\n\nOne \[1\]( breaks)?\n"
        r"\nThe answer of scripted broke off; the answer starts again now\.\n\nword0 ",
        shown,
    ), shown
    answer = shown[shown.rindex("\nword0 ") : shown.index("\nwhole · scripted")]
    assert answer.split("\n\n")[0].split() == [*WORDS.split(), "[1]."]
    assert "\n[1] CP Measurement" in answer
    assert "level=info" not in answer and "level=info" in shown.partition("\nwhole · ")[2]
    leave(terminal)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_process_that_is_ended_in_a_turn_loses_no_question(chat, model, scout, number):
    thread = f"ended-{number.name}"
    model(say(WORDS, pause_s=0.05), say("Done."))
    terminal = chat("--thread", thread)
    terminal.keys("first\r")
    terminal.see("word5")
    os.kill(terminal.pid, number)
    assert terminal.end() == (-number if number == signal.SIGKILL else 128 + number)
    again = chat("--thread", thread)
    assert "> first" in again.text
    assert "(no whole answer: /retry asks it again)" in again.text
    again.say("/retry")
    assert "Done." in again.text
    leave(again)


def test_a_refused_key_is_one_line_and_the_question_can_be_retried(chat, model):
    model(status(401, "Incorrect API key"), say("Done."))
    terminal = chat("--thread", "refused")
    terminal.say("first")
    assert "\nerror: " in terminal.text and "Traceback" not in terminal.text
    terminal.say("/retry")
    assert "Done." in terminal.text
    leave(terminal)


def test_a_private_chat_teaches_nothing_and_memories_are_changed_at_a_word(chat):
    terminal = chat("--private")
    assert "This thread is private: nothing is learned from it" in terminal.text
    terminal.say("I do not want papers older than 2015.")
    terminal.say("/memory preference")
    assert "No preference is remembered yet." in terminal.text
    terminal.say("/new")
    terminal.say("I do not want papers older than 2015.")
    terminal.say("/memory search how old papers may be")
    assert "    preference · " in terminal.text
    terminal.keys("/memory forget older than 2015\r")
    terminal.see("Forget: “I do not want papers older than 2015.”")
    terminal.keys("\r")  # keep
    terminal.see(r"Nothing is changed\.\n\n>$")
    terminal.keys("/memory archive older than 2015\r")
    terminal.see("Archive: “I do not want papers")
    terminal.keys("1\r")
    terminal.see(r"Archived: /memory search finds it, no answer is told of it\.\n\n>$")
    terminal.say("/memory restore older than 2015")
    assert "It is back from the archive." in terminal.text
    leave(terminal)
