"""The built wheel, outside the checkout, is the same program. Nothing here needs a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def python(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=250, **options
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    built = python("-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT))
    assert built.returncode == 0, built.stdout + built.stderr
    (file,) = out.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder in which the wheel is installed, without what it depends on."""
    target = tmp_path_factory.mktemp("site")
    done = python(
        *("-m", "pip", "install", "--no-deps", "--no-index", "--disable-pip-version-check"),
        *("--target", str(target), str(wheel)),
    )
    assert done.returncode == 0, done.stderr
    return target


def test_the_wheel_carries_the_package_with_prompts_and_data_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"arxivscout"}
    assert len(tops) == 2
    for folder in ("prompts", "data"):
        kept = {p.name for p in (ROOT / folder).iterdir() if p.is_file()}
        assert kept == {
            name.rpartition("/")[2] for name in names if name.startswith(f"arxivscout/{folder}/")
        }
    migrations = {p.name for p in (ROOT / "arxivscout/memory/migrations").glob("*.sql")}
    assert migrations and migrations == {Path(name).name for name in names if name.endswith(".sql")}
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_it_works_outside_the_checkout(installed, bare_environment, tmp_path):
    bare_environment["PYTHONPATH"] = str(installed)
    away = tmp_path / "away"
    away.mkdir()
    where = python(
        "-c", "import arxivscout; print(arxivscout.__file__)", env=bare_environment, cwd=away
    )
    assert where.stdout.strip() == os.fspath(installed / "arxivscout" / "__init__.py")

    def run(*arguments: str) -> str:
        done = python("-m", "arxivscout", *arguments, env=bare_environment, cwd=away)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "chat" in run("--help")
    answer = json.loads(run("ask", "--json", "What is known about quantum teleportation?"))
    assert answer["answer"]
    assert json.loads(run("search", "quantum", "--json"))
