"""The fast embedder: offline, pinned, one text one vector, whatever else is asked."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arxivscout.embedding import Embedder, load_embedder
from arxivscout.embedding.minilm import IDENTITY as MINILM
from arxivscout.embedding.static import IDENTITY, Static, _files
from arxivscout.errors import ConfigurationError
from arxivscout.settings import Settings


@pytest.fixture(scope="module")
def static() -> Embedder:
    return Static()


def _settings(tmp_path: Path, **given: object) -> Settings:
    return Settings(home=tmp_path, user="tester", embedding="static", **given)  # type: ignore[arg-type]


def test_the_settings_name_it_and_it_is_not_the_default_one(tmp_path: Path) -> None:
    loaded = load_embedder(_settings(tmp_path))
    assert loaded.identity == IDENTITY == Static(tmp_path).identity
    assert IDENTITY.dimension == 256 and len(IDENTITY.fingerprint) == 32
    assert (IDENTITY.name, IDENTITY.fingerprint) != (MINILM.name, MINILM.fingerprint)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=200), max_size=6))
def test_any_text_has_a_unit_vector_that_no_other_text_changes(texts: list[str]) -> None:
    embedder = _SHARED
    together = embedder.embed_array(texts)
    assert together.shape == (len(texts), 256) and together.dtype == np.float32
    for vector, text in zip(together, texts, strict=True):
        assert math.isclose(float(np.linalg.norm(vector)), 1, abs_tol=1e-5)
        assert np.array_equal(vector, embedder.embed_array([text])[0])


_SHARED = Static()


@pytest.mark.parametrize("text", ["a\ud800b", "word " * 200_000, "a\x00b", "", " "])
def test_odd_texts_have_a_vector_too(static: Embedder, text: str) -> None:
    assert math.isclose(math.fsum(x * x for x in static.embed_query(text)), 1, abs_tol=1e-5)


def test_what_means_the_same_is_near(static: Embedder) -> None:
    asked, near, far = static.embed_array(
        ["How do black holes evaporate?", "Evaporation of black holes", "Sorting of graphs"]
    )
    assert asked @ near > asked @ far + 0.3


@pytest.mark.parametrize("spoiled", [0, 1])
def test_a_file_that_is_not_the_pinned_one_is_refused(tmp_path: Path, spoiled: int) -> None:
    files = _files(None)
    for file in files:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert load_embedder(_settings(tmp_path, embedding_dir=tmp_path)).embed_query("boson")
    with (tmp_path / files[spoiled].name).open("ab") as file:
        file.write(b" ")
    with pytest.raises(ConfigurationError, match=r"is not the one.*sha256"):
        load_embedder(_settings(tmp_path, embedding_dir=tmp_path)).embed_query("boson")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"l2_supercat.*can't be read: No such file"):
        Static(tmp_path).embed_query("boson")
