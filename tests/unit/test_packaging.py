"""What stands beside the code says what the code says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import arxivscout
from arxivscout.settings import PREFIX, Settings, load_settings

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SETTINGS = {PREFIX + name.upper() for name in Settings.model_fields}


def test_the_version_is_said_once():
    assert PROJECT["project"]["version"] == arxivscout.__version__
    assert f"## {arxivscout.__version__}" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("file", [".env.example", "README.md"])
def test_every_setting_is_documented_and_no_other(file):
    text = (ROOT / file).read_text()
    named = set(re.findall(rf"{PREFIX}[A-Z_]+", text))
    assert named == SETTINGS


def test_the_example_settings_are_the_defaults(tmp_path):
    lines = (ROOT / ".env.example").read_text().splitlines()
    given = dict(re.findall(rf"^# ({PREFIX}\w+)=(.+)$", "\n".join(lines), re.M))
    for example in ("DATABASE_URL", "MODEL_BASE_URL"):
        del given[PREFIX + example]
    home = {PREFIX + "HOME": str(tmp_path)}
    assert load_settings({**given, **home}) == load_settings(home)


def test_versions_known_to_work_name_no_place_and_no_torch():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert len(pins) > 50
    for pin in pins:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][\w.+!]*(; .+)?", pin), pin
    names = {pin.partition("==")[0].lower().replace("_", "-") for pin in pins}
    assert not names & {"torch", "triton", "arxivscout", "pip"}
    assert not [name for name in names if name.startswith("nvidia-")]


def test_what_is_installed_by_default_is_pinned_and_has_no_torch():
    pins = (ROOT / "constraints.txt").read_text().lower().replace("_", "-")
    for wanted in PROJECT["project"]["dependencies"]:
        name = re.match(r"[\w-]+", wanted)
        assert name and f"\n{name[0].lower()}==" in pins


def test_what_is_missing_is_named_so_that_any_installation_can_have_it():
    # ArxivScout is on no index: `pip install 'arxivscout[hf]'` would find nothing, or another's.
    for file in (ROOT / "arxivscout").rglob("*.py"):
        assert "arxivscout[" not in file.read_text(), file
    extras = PROJECT["project"]["optional-dependencies"]
    named = " ".join(each for packages in extras.values() for each in packages)
    text = (ROOT / "README.md").read_text()
    for package in ("langgraph-cli[inmem]", "datasets", "sentence-transformers"):
        assert package in named
        assert package in text


def test_the_readme_names_commands_that_exist():
    text = (ROOT / "README.md").read_text()
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= targets
    for target in ("chat", "test", "setup", "studio"):
        assert f"make {target}" in text
