"""The chat's screen as a person sees it: tall answers, small windows, pastes, lists, Ctrl-C."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from terminal import ALT_ENTER, CTRL_C, CTRL_D, DOWN, TAB

PLAYED = str(Path(__file__).with_name("played_scout.py"))
CODES = re.compile(r"\x1b\[[0-9;]*m")
HELD = "(Ctrl-C once more, or Ctrl-D, leaves)"


@pytest.fixture
def chat(terminals, bare_environment):
    def start(*arguments: str, size: tuple[int, int] = (100, 60), **environment: str):
        terminal = terminals(
            {**bare_environment, **environment}, PLAYED, "chat", *arguments, size=size
        )
        terminal.see(r"(?:\n|^)>$|What may be remembered")
        return terminal

    return start


def leave(terminal) -> None:
    terminal.keys(CTRL_D)
    assert terminal.end() == 0


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
def test_an_answer_taller_than_the_window_has_every_line_once(chat, size):
    terminal = chat(size=size)
    terminal.keys("a tall one\r")
    terminal.see(r"\[1\] CP Measurement[^~]*\n>$")
    lines = terminal.all_lines
    told = [line for line in lines if re.search(r"number \d+ of a tall", line)]
    assert told == [f"• line number {n} of a tall answer" for n in range(200)]
    assert sum("searching the papers held" in line for line in lines) == 1
    assert sum(line.startswith("[1] CP Measurement") for line in lines) == 1
    leave(terminal)


def test_a_window_that_changes_its_size_in_an_answer_shows_each_word_once(chat):
    terminal = chat(size=(100, 30))
    terminal.keys("a slow one\r")
    terminal.see("word2")
    terminal.resize(50, 20)
    terminal.see("word6")
    terminal.resize(120, 40)
    terminal.see(r"word11 \[1\]\.")
    terminal.wait(terminal.prompts)
    words = re.findall(r"word\d+", "\n".join(terminal.all_lines))
    assert words == [f"word{n}" for n in range(12)]
    leave(terminal)


def test_work_is_seen_before_it_has_found_anything(chat):
    terminal = chat()
    terminal.say("to warm up")
    terminal.keys("toolslow")
    terminal.see("> toolslow")
    terminal.keys("\r")
    terminal.see("thinking|searching the papers held")
    terminal.keys(CTRL_C)
    terminal.see(r"\(stopped")
    leave(terminal)


def test_keys_pressed_in_a_turn_wait_for_the_prompt(chat):
    terminal = chat()
    terminal.keys("a slow one\r")
    terminal.see("word1")
    terminal.keys("/help retry\r")
    terminal.see(r"word11 \[1\]\.\n[^~]*\n> /help retry\n  /retry\n[^~]*\n>$")
    assert terminal.text.count("/help retry") == 1
    leave(terminal)


@pytest.mark.parametrize("paste", ["x" * 50_000, "a line of text\n" * 3_400])
def test_a_paste_of_50_kb_is_one_question(chat, paste, bare_environment):
    terminal = chat()
    terminal.keys(f"\x1b[200~{paste}\x1b[201~")
    time.sleep(1)
    terminal.keys("\r")
    terminal.see(r"word11 \[1\]\.")
    terminal.wait(terminal.prompts)
    leave(terminal)
    kept = Path(bare_environment["ARXIVSCOUT_HOME"], "played.json").read_text()
    assert len(paste.strip()) <= len(kept) and kept.count('"user"') == 1


def test_a_question_may_have_several_lines(chat, bare_environment):
    terminal = chat()
    terminal.keys("first" + ALT_ENTER + "second\\\rthird\r")
    terminal.see(r"> first\n  second\n  third\n")
    terminal.see(r"word11 \[1\]\.")
    terminal.wait(terminal.prompts)
    leave(terminal)
    kept = Path(bare_environment["ARXIVSCOUT_HOME"], "played.json").read_text()
    assert r"first\nsecond\nthird" in kept


def test_tab_completes_commands_papers_and_threads(chat):
    terminal = chat("--thread", "reading-list")
    terminal.keys("/comp" + TAB)
    terminal.see(r"> /compare$")
    terminal.keys(CTRL_C)
    terminal.say("what is it")
    terminal.keys("/paper 07" + TAB)
    terminal.see(r"> /paper 0712\.2288$")
    terminal.keys(CTRL_C)
    terminal.keys("/threads rea" + TAB)
    terminal.see(r"> /threads reading-list$")
    terminal.keys(CTRL_C)
    terminal.keys("/export h" + TAB)
    terminal.see(r"> /export html$")
    terminal.keys(CTRL_C)
    leave(terminal)


def test_a_thread_is_picked_from_a_list(chat):
    terminal = chat("--thread", "first")
    terminal.say("what is it")
    terminal.say("/threads second")
    terminal.say("a second question")
    terminal.keys("/resume\r")
    terminal.see(r"1\. first · \d{4}-\d\d-\d\d · About first · what is it")
    terminal.keys(CTRL_C)
    terminal.see(r"\(nothing is chosen\)\n\n>$")
    terminal.keys("/resume\r")
    terminal.see(r"> +1\. first[^>]*\Z")
    terminal.keys(DOWN)
    terminal.see(r"> +2\. second")
    terminal.keys("\r")
    terminal.see(r"Now in thread second\.[^~]*word11 \[1\]\.\n\n\[1\] CP Measurement[^~]*\n>$")
    terminal.say("/resume nowhere")
    assert "error: No thread is called 'nowhere'. /resume lists those there are." in terminal.text
    leave(terminal)


def test_a_new_thread_is_named_by_its_first_question(chat):
    terminal = chat()
    terminal.say("/new")
    assert "its first question names it" in terminal.text
    for command in ("/undo", "/rename x", "/fork", "/export md", "/retry", "/good", "/save"):
        terminal.say(command)
    assert terminal.text.count("error: Nothing has been asked in this thread yet.") == 7
    terminal.say("what is it about")
    assert "\nwhat-is-it · extractive · no tokens billed" in terminal.text
    leave(terminal)


def test_a_choice_is_asked_in_the_middle_of_a_turn(chat):
    terminal = chat()
    terminal.keys("choose for me\r")
    terminal.see(r"Which one is meant\?\n +> +1\. the first\n +2\. the second")
    terminal.keys(DOWN + "\r")
    terminal.see(r"You took the second\.")
    terminal.wait(terminal.prompts)
    leave(terminal)


@pytest.mark.parametrize(("question", "phase"), [("toolslow", "searching"), ("slow", "word1")])
def test_ctrl_c_in_a_turn_gives_the_prompt_back(chat, question, phase):
    terminal = chat()
    terminal.keys(f"{question}\r")
    terminal.see(phase)
    terminal.keys(CTRL_C)
    kept = "what there was of the answer is kept" if phase == "word1" else "/retry asks again"
    terminal.see(rf"\(stopped; {kept}\)\n\n>$", seconds=5)
    terminal.say("/help retry")
    assert "/retry\n      ask the last question again, if unanswered" in terminal.text
    leave(terminal)


@pytest.mark.parametrize("between_s", [0, 0.3])
def test_ctrl_d_right_behind_ctrl_c_leaves(chat, between_s):
    terminal = chat()
    terminal.keys("slow\r")
    terminal.see("word1")
    terminal.keys(CTRL_C)
    time.sleep(between_s)
    leave(terminal)


def test_ctrl_c_twice_at_an_empty_prompt_leaves(chat):
    terminal = chat()
    terminal.keys(CTRL_C)
    terminal.see(re.escape(HELD))
    terminal.keys(CTRL_C)
    assert terminal.end() == 0


def test_commands_that_can_not_be_are_one_line(chat):
    terminal = chat()
    for said, told in (
        ("/serach mesons", "There is no command /serach. Did you mean /search? /help lists all."),
        ("/search", "/search needs more. Usage: /search WORDS"),
        ("/quit now", "/quit takes nothing behind it. Usage: /quit"),
        ("/paper nonsense", "'nonsense' is no arXiv id: ids look like "),
        ("/paper 7", "The last answer that cites has no footnote 7."),
        ("/paper 0712.2288 0809.4859", "2 papers are named. Name 1."),
        ("/why", "Nothing has been asked in this thread yet."),
        ("/export", "/export needs more. Usage: /export FORMAT [FILE]"),
        ("/export pdf", "No format is called 'pdf'. There are md, json, bib, html."),
        ("/read 0712.2288 twice", "'twice' is no reading mark. There are unread, reading, read."),
        ("/tag 0712.2288", "No tag is given."),
        ("/memory gossip", "No memory is of the kind 'gossip'."),
        ("/model nobody", "No model is called 'nobody'."),
        ("/help nobody", "There is no command /nobody."),
        ("/cite", "No answer cites a paper yet."),
        ("/cite apa", "No style is called 'apa'. There are bibtex, ris, csl, markdown."),
    ):
        terminal.say(said)
        assert f"error: {told}" in terminal.text or told in terminal.text, said
    assert "Traceback" not in terminal.text
    leave(terminal)


def test_footnotes_are_asked_for_by_their_numbers(chat):
    terminal = chat()
    terminal.say("what is it")
    terminal.say("/why 1")
    assert "not checked" in terminal.text
    terminal.say("/paper 1")
    assert "Quantum teleportation using neutral pseudoscalar mesons" in terminal.text
    terminal.say("/why 2")
    assert "The last answer that cites has no footnote 2. It has 1 to 1." in terminal.text
    terminal.say("refuse it")
    terminal.say("/why 1")
    assert terminal.text.count("not checked") == 2, "a refusal takes no footnote away"
    leave(terminal)


def test_models_are_listed_and_switched(chat):
    models = (
        '{"local": {"model": "qwen3", "base_url": "http://127.0.0.1:9/v1", "price_input": 0.15,'
        ' "price_output": 0.6}}'
    )
    terminal = chat(ARXIVSCOUT_MODELS=models)
    terminal.say("/model")
    assert re.search(r"•  extractive +16,000  free", terminal.text)
    assert re.search(r"local +16,000  \$0.15 / \$0.6 +qwen3 at http://127", terminal.text)
    terminal.say("/model local")
    assert "local answers from here on." in terminal.text
    leave(terminal)


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_plain_text_where_it_is_asked_for(chat, plain):
    terminal = chat(**plain)
    before = len(terminal.raw)
    terminal.keys("a tall one\r")
    terminal.see(r"\[1\] CP Measurement")
    terminal.wait(terminal.prompts)
    sent = terminal.raw[before:]
    assert "- line **number 199** of a tall answer" in sent
    answer = sent[sent.index("- line **number 0**") : sent.index("context 25%")]
    assert "\x1b" not in answer
    leave(terminal)


def test_a_first_start_asks_once_and_only_where_somebody_is(chat, played, bare_environment):
    piped = played("--user", "newcomer", "chat", stdin="/quit\n")
    assert "What may be remembered" not in piped.stdout and piped.returncode == 0
    terminal = chat("--user", "newcomer")
    terminal.keys(DOWN + DOWN + "\r")
    terminal.see(r"Only what you ask to be remembered is\. `arxivscout setup` asks again")
    terminal.see("Which model answers")
    terminal.keys(DOWN + "\r")
    terminal.see("provider:model:$")
    terminal.keys("openai:gpt-4o-mini\r")
    terminal.see("Its key")
    terminal.keys("sk-not-shown\r")
    terminal.see("openai:gpt-4o-mini answers from now on.")
    terminal.see(r"model openai:gpt-4o-mini · /help[^~]*\n>$")
    assert "sk-not-shown" not in terminal.raw
    leave(terminal)
    home = Path(bare_environment["ARXIVSCOUT_HOME"])
    assert "sk-not-shown" in (home / "models.json").read_text()
    again = chat("--user", "newcomer")
    assert "What may be remembered" not in again.text
    leave(again)


def test_who_does_not_say_what_may_be_remembered_has_agreed_to_nothing(chat):
    terminal = chat("--user", "newcomer")
    terminal.see("Ctrl-C: none")
    terminal.keys(CTRL_C)
    terminal.see(r"Only what you ask to be remembered is\.")
    terminal.see("Which model answers[^~]*Ctrl-C: none")
    terminal.keys(CTRL_C)
    terminal.see(r"\n>$")
    leave(terminal)


def test_setup_tells_that_a_model_does_not_answer(terminals, bare_environment):
    terminal = terminals(bare_environment, PLAYED, "setup", size=(80, 24))
    terminal.see("What may be remembered")
    terminal.keys("\r")
    terminal.see("Which model answers")
    assert "…" not in terminal.text, "no option is cut at 80 columns"
    terminal.keys("3\r")
    terminal.see("Its address")
    terminal.keys("http://127.0.0.1:9/v1\r")
    terminal.see("Its name there")
    terminal.keys("dead\r")
    terminal.see("Its key")
    terminal.keys("\r")
    terminal.see(r"dead can't be reached\.\n +It does not answer now\.")
    terminal.keys("\r")  # leave is what Enter takes
    terminal.see(r"The model stays extractive\.")
    assert terminal.end() == 0
    assert not (Path(bare_environment["ARXIVSCOUT_HOME"]) / "models.json").exists()


def test_setup_needs_somebody(played):
    result = played("setup")
    assert result.returncode == 2
    assert "error: Nobody is at the terminal to be asked." in result.stderr


def test_a_list_over_a_pipe_has_numbers(played):
    result = played("chat", stdin="what is it\n/resume\n/context\n")
    assert "Which thread?\n  1. default · " in result.stdout
    assert re.search(r"system +50 +200 +0", result.stdout)
    assert not CODES.search(result.stdout)
