"""What a package says of its files is true of the files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "arxivscout"
MAPS = sorted(PACKAGE.rglob("__init__.py"))


@pytest.mark.parametrize("file", MAPS, ids=lambda file: str(file.parent.relative_to(PACKAGE)))
def test_a_package_says_what_it_is_and_names_files_that_are_there(file: Path) -> None:
    found = re.match(r'"""(.+?)"""', file.read_text(), re.DOTALL)
    assert found, "the first look at a folder explains it"
    for named in re.findall(r"`([\w*/]+\.py)`", found[1]):
        places = [file.parent, PACKAGE]
        assert any(list(place.glob(named)) for place in places), named
