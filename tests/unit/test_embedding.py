"""The default embedder: offline, pinned, one text one vector, whatever else is asked."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from arxivscout.embedding import Embedder, load_embedder
from arxivscout.embedding.minilm import IDENTITY, MiniLM, _files
from arxivscout.errors import ConfigurationError
from arxivscout.settings import Settings

ODD = {
    "empty": "",
    "one blank": " ",
    "very long": "word " * 20_000,
    "one word of 100,000 letters": "a" * 100_000,
    "emoji": "😀👩‍🔬" * 300,
    "Chinese": "量子隐形传态",
    "control characters": "a\x00b\x1b[31m",
    "lone surrogate": "a\ud800b",
    "LaTeX": r"$\alpha \to \beta$ decay in \emph{mesons}",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_any_text_has_a_unit_vector(embedder: Embedder, text: str) -> None:
    vector = embedder.embed_query(text)
    assert len(vector) == 384
    assert math.isclose(math.fsum(x * x for x in vector), 1, abs_tol=1e-5)


def test_what_means_the_same_is_near(embedder: Embedder) -> None:
    asked, near, far = embedder.embed_array(
        ["How do black holes evaporate?", "Hawking radiation", "Sorting algorithms for graphs"]
    )
    assert asked @ near > 0.45 > 0.2 > asked @ far


def test_few_and_many_at_a_time_give_the_same_vectors() -> None:
    texts = [f"{i} mesons decay " * (1 + i % 9) for i in range(70)]
    many = MiniLM().embed_array(texts)
    few = MiniLM()
    for start in range(0, 70, 7):
        assert (few.embed_array(texts[start : start + 7]) == many[start : start + 7]).all()


def test_a_vector_does_not_depend_on_what_else_is_embedded(embedder: Embedder) -> None:
    texts = [f"{i} mesons decay " * (1 + i * 7 % 40) for i in range(40)]
    together = embedder.embed_array(texts)
    assert together.shape == (40, 384) and together.dtype == np.float32
    for i in (0, 17, 39):
        assert np.array_equal(together[i], embedder.embed_array([texts[i]])[0])
        assert np.array_equal(together[i], np.float32(embedder.embed_query(texts[i])))
    assert embedder.embed_array([]).shape == (0, 384)
    assert embedder.embed_documents([]) == []


def test_only_the_first_256_tokens_count(embedder: Embedder) -> None:
    long, longer = embedder.embed_array(["wave " * 254, "wave " * 254 + "and something else"])
    shorter = embedder.embed_array(["wave " * 253])[0]
    assert np.array_equal(long, longer)
    assert not np.array_equal(long, shorter)


def test_threads_may_share_it() -> None:
    shared = MiniLM()  # not loaded yet: they all come to load it
    texts = [f"neutrino number {i}" for i in range(24)]
    together = threading.Barrier(4)

    def embed(_: int) -> np.ndarray:
        together.wait()
        return shared.embed_array(texts)

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(embed, range(4))
    assert all(np.array_equal(first, other) for other in others)


def test_the_vector_of_a_question_can_not_be_changed(embedder: Embedder) -> None:
    first = embedder.query_array("is it remembered?")
    assert np.array_equal(embedder.query_array("is it remembered?"), first)
    assert not first.flags.writeable


def test_its_identity_is_known_before_anything_loads(tmp_path: Path) -> None:
    assert MiniLM(folder=tmp_path).identity == IDENTITY
    assert IDENTITY.dimension == 384 and len(IDENTITY.fingerprint) == 32


def _settings(tmp_path: Path, **given: object) -> Settings:
    return Settings(home=tmp_path, user="tester", **given)  # type: ignore[arg-type]


def test_the_files_may_come_from_a_folder(tmp_path: Path, embedder: Embedder) -> None:
    for file in _files(None):
        (tmp_path / file.name).symlink_to(file)
    other = load_embedder(_settings(tmp_path, embedding_dir=tmp_path))
    assert other.identity == embedder.identity
    assert other.embed_query("boson") == embedder.embed_query("boson")


@pytest.mark.parametrize("spoiled", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_not_the_pinned_one_is_refused(tmp_path: Path, spoiled: str) -> None:
    for file in _files(None):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    with (tmp_path / spoiled).open("ab") as file:
        file.write(b" ")
    with pytest.raises(ConfigurationError, match=f"{spoiled} is not the one.*sha256"):
        load_embedder(_settings(tmp_path, embedding_dir=tmp_path)).embed_query("boson")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"(model\.onnx|tokenizer\.json) can't be read: No such file"
    ):
        MiniLM(folder=tmp_path).embed_query("boson")


def test_nothing_is_left_in_the_persons_folders(tmp_path: Path) -> None:
    # Not what the test's own environment says: on a build machine (CI=1) telemetry is off anyway.
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "home"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    (tmp_path / "home").mkdir()
    subprocess.run(
        [
            sys.executable,
            "-c",
            "from arxivscout.embedding.minilm import MiniLM; MiniLM().embed_query('boson')",
        ],
        env=environment,
        check=True,
        timeout=60,
    )
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
