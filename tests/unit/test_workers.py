"""Where texts are embedded for ingestion: here, or on a cluster that has to be there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arxivscout.embedding import Embedder
from arxivscout.embedding.on_ray import at_work
from arxivscout.errors import UsageError
from arxivscout.settings import Settings

WITHOUT_RAY = """
import sys
from pathlib import Path
sys.modules["ray"] = None
from arxivscout.embedding import load_embedder
from arxivscout.embedding.on_ray import at_work
from arxivscout.settings import Settings

settings = Settings(home=Path("/nonexistent"), user="tester")
with at_work("ray", load_embedder(settings), settings):
    pass
"""


def test_there_are_no_other_workers(tmp_path: Path, embedder: Embedder) -> None:
    settings = Settings(home=tmp_path, user="tester")
    with (
        pytest.raises(UsageError, match="There are no workers 'dask'"),
        at_work("dask", embedder, settings),
    ):
        pass
    with at_work(None, embedder, settings) as nothing:
        assert nothing is None


def test_without_ray_it_is_said_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_RAY], capture_output=True, text=True, timeout=60
    )
    assert "The package ray is not installed." in done.stderr
    assert "pip install ray" in done.stderr
