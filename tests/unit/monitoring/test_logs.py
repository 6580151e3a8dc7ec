"""Lines of a log: pairs, one line, no secret, and below debug nobody's words of other libraries."""

from __future__ import annotations

import logging
import shlex
import subprocess
import sys
import unicodedata
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.monitoring.logs import LogFormat

KEY = "sk-proj-abcdefghijklmnop1234"


def record(text: str, *given: object, name: str = "arxivscout.x", **extra: object):
    made = logging.LogRecord(name, logging.INFO, "x.py", 1, text, given, None)
    vars(made).update(extra)
    return made


def test_a_record_is_a_line_of_pairs_that_a_shell_could_split():
    line = LogFormat().format(record("turn ended", turn="0712", ms=12, why='so "it" is'))
    pairs = dict(pair.split("=", 1) for pair in shlex.split(line))
    assert pairs["level"] == "info" and pairs["logger"] == "arxivscout.x"
    assert (pairs["event"], pairs["turn"], pairs["ms"]) == ("turn ended", "0712", "12")
    assert pairs["why"] == 'so "it" is'
    assert pairs["time"].endswith("Z")


@given(st.text(max_size=200), st.text(max_size=50))
def test_no_text_makes_a_second_line_or_a_control_character(text: str, value: str):
    line = LogFormat().format(record("%s", text, value=value))
    assert not any(unicodedata.category(character) == "Cc" for character in line)
    assert len(line.splitlines()) == 1


def test_secrets_are_taken_out_whatever_holds_them_and_at_every_level():
    for whole in (False, True):
        format_ = LogFormat(["hunter22", "x"], whole=whole)
        try:
            raise ValueError(f"postgresql://me:hunter22@host refused {KEY}")
        except ValueError:
            made = record("hunter22 and %s", KEY, url="http://me:hunter22@host")
            made.exc_info = sys.exc_info()
        line = format_.format(made)
        assert "hunter22" not in line and KEY not in line
        assert "x.py" in line or "test_logs.py" in line  # too short a secret hides nothing


def test_below_debug_an_exception_is_its_type_and_its_place():
    try:
        raise ValueError("What is known about mesons?")
    except ValueError:
        made = record("it failed")
        made.exc_info = sys.exc_info()
    line = LogFormat().format(made)
    assert "error=ValueError at=test_logs.py:" in line and "mesons" not in line
    whole = LogFormat(whole=True).format(made)
    assert "What is known about mesons?" in whole and "Traceback" in whole


def test_of_other_libraries_what_was_put_into_a_text_is_shown_in_debug_only():
    made = record("HTTP Request: %s", "GET https://x/?q=mesons", name="httpx")
    assert "mesons" not in LogFormat().format(made)
    assert "mesons" in LogFormat(whole=True).format(made)
    made = record("Failed to validate request: 29 errors\n  input_value='mesons'", name="root")
    assert 'event="Failed to validate request"' in LogFormat().format(made)
    assert "mesons" in LogFormat(whole=True).format(made)


def test_a_traceback_that_nobody_foresaw_shows_no_secret(tmp_path: Path):
    program = (
        "from arxivscout.cli.logs import set_up_logs\n"
        "from arxivscout.settings import load_settings\n"
        f"home = {str(tmp_path)!r}\n"
        "settings = load_settings({}, home=home, user='me', mcp_token='hunter-22')\n"
        "set_up_logs(settings, 'warning', None)\n"
        "raise RuntimeError('hunter' + '-22 was refused')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1 and "RuntimeError: [secret removed] was refused" in done.stderr
