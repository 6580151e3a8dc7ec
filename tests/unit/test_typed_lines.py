"""The lines typed in the chat, as its next sitting remembers them."""

from __future__ import annotations

import stat
from pathlib import Path

from arxivscout.cli.chat.prompt import typed_before
from arxivscout.memory.rights.files import typed_lines


def test_what_was_typed_is_remembered_for_its_person_alone(tmp_path: Path) -> None:
    typed_before(tmp_path, "ada").store_string("What are mesons?\nIn short.")
    assert list(typed_before(tmp_path, "ada").load_history_strings()) == [
        "What are mesons?\nIn short."
    ]
    assert not list(typed_before(tmp_path, "bob").load_history_strings())
    assert stat.S_IMODE(typed_lines(tmp_path, "ada").stat().st_mode) == 0o600


def test_a_disk_that_takes_no_lines_costs_nothing_else(tmp_path: Path) -> None:
    begun = typed_before(tmp_path, "ada")
    file = typed_lines(tmp_path, "ada")
    file.unlink()
    file.mkdir()  # nothing can be appended to it from now on
    begun.store_string("What are mesons?")
    anew = typed_before(tmp_path, "ada")
    anew.append_string("And kaons?")
    assert anew.get_strings() == ["And kaons?"]  # of this sitting
    assert not typed_before(tmp_path, "ada").get_strings()
