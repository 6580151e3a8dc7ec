"""The chat on a pseudo-terminal: keys are pressed, and the screen is read."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import pytest
from terminal import CTRL_C, CTRL_D, UP

PLAYED = str(Path(__file__).with_name("played_scout.py"))


@pytest.fixture
def chat(terminals, bare_environment):
    def start(*arguments: str):
        terminal = terminals(bare_environment, PLAYED, "chat", *arguments)
        terminal.wait(terminal.prompts)
        return terminal

    return start


def leave(terminal) -> None:
    terminal.keys(CTRL_D)
    assert terminal.end() == 0


def test_a_question_is_answered_and_cited(chat):
    terminal = chat()
    assert "150 papers held" in terminal.text
    assert "extractive quotes the most relevant sentences" in terminal.text
    assert "This is the starter collection. Things to try:" in terminal.text
    terminal.say("what is it")
    assert "• searching the papers held: what is it · 8 found, 0.1 s\n\nword0" in terminal.text
    assert (
        "word11 [1].\n\n"
        "[1] CP Measurement in Quantum Teleportation of Neutral Mesons\n"
        "    Yu Shi and Yue-Liang Wu, 2007 · https://arxiv.org/abs/0712.2288\n" in terminal.text
    )
    leave(terminal)


def test_help_and_quit(chat):
    terminal = chat()
    terminal.say("/help")
    for name in ("/help", "/papers", "/memory", "/threads", "/retry", "/quit"):
        assert f"\n  {name} " in terminal.text
    terminal.keys("/quit\r")
    assert terminal.end() == 0


def test_papers_and_threads(chat):
    terminal = chat("--thread", "reading")
    terminal.say("what is it")
    terminal.say("/papers")
    assert "[arXiv:0712.2288] CP Measurement" in terminal.text
    terminal.say("/threads other")
    terminal.say("a second question")
    terminal.say("/threads")
    assert "reading  2" in terminal.text and "other    2" in terminal.text
    terminal.say("/nonsense")
    assert "error: There is no command /nonsense. /help lists those there are." in terminal.text
    leave(terminal)


def test_ctrl_c_stops_the_turn_and_keeps_what_there_was(chat):
    terminal = chat("--thread", "cut")
    terminal.keys("a slow one\r")
    terminal.see("word2")
    terminal.keys(CTRL_C)
    terminal.see(r"\(stopped; what there was of the answer is kept\)\n\n>")
    leave(terminal)
    again = chat("--thread", "cut")
    again.see(r"Thread cut, last on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\n> a slow one\nword0 word1")
    assert "(no whole answer: /retry asks it again)" in again.text
    again.say("the next one")
    assert "\n[1] CP Measurement" in again.text
    leave(again)


def test_an_unanswered_question_is_offered_again(chat):
    terminal = chat()
    terminal.say("a broken one")
    assert "error: The model openai:x answered 401. Set ARXIVSCOUT_MODEL_API_KEY." in terminal.text
    assert "/retry asks it again" in terminal.text
    leave(terminal)
    again = chat()
    assert "(no whole answer: /retry asks it again)" in again.text
    again.say("/retry")
    assert "\n[1] CP Measurement" in again.text
    leave(again)


def test_ctrl_c_at_the_prompt_clears_and_twice_leaves(chat):
    terminal = chat()
    terminal.keys("half a line")
    terminal.see("> half a line")
    terminal.keys(CTRL_C)
    terminal.see(r"> half a line\n>$")
    assert "once more" not in terminal.text
    terminal.say("what is it")
    terminal.keys(CTRL_C)
    terminal.see(r"context 25%\n\n>\n\(Ctrl-C once more, or Ctrl-D, leaves\)\n>$")
    terminal.keys(CTRL_C)
    assert terminal.end() == 0


def test_history_is_kept_for_its_owner_only(chat, bare_environment):
    terminal = chat("--user", "somebody/else")
    terminal.say("a line to find again")
    leave(terminal)
    (file,) = (Path(bare_environment["ARXIVSCOUT_HOME"]) / "history").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = chat("--user", "somebody/else", "--thread", "other")
    again.keys(UP)
    again.see(r"\n> a line to find again$")
    again.keys(CTRL_C)
    again.see(r"\n> a line to find again\n>$")
    leave(again)


def test_hostile_text_does_not_reach_the_terminal(chat):
    terminal = chat()
    terminal.say("hostile")
    assert "red desrever end [1]." in terminal.text
    for sequence in ("\x1b]0;title", "\x1b[31mred", "\x9b", "\u202e", "\x08\x00"):
        assert sequence not in terminal.raw
    leave(terminal)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminal_that_goes_away_ends_the_chat_and_keeps_the_turn(chat, number):
    terminal = chat()
    terminal.keys("a slow one\r")
    terminal.see("word1")
    os.kill(terminal.pid, number)
    assert terminal.end() == 128 + number
    again = chat()
    assert "(no whole answer: /retry asks it again)" in again.text
    leave(again)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminal_that_goes_away_at_the_prompt_ends_the_chat(chat, number):
    terminal = chat()
    os.kill(terminal.pid, number)
    assert terminal.end() == 128 + number
    assert "Traceback" not in terminal.text
