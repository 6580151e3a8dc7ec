"""Files of installed packages, read as data and only if they are what they were when measured.

A publisher's new file can't change a vector unseen, and the packages' own code never runs.
"""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from arxivscout.errors import ConfigurationError

# Far beyond what a model reads of any prose; keeps a text of megabytes from being tokenized whole.
MAX_CHARACTERS = 16_384


def installed(package: str, what: str, mend: str) -> Path:
    """The folder of an installed package, found without running it.

    Args:
        what: the package carries, for the error.

    Raises:
        ConfigurationError: it is not installed; `mend` says what to do.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ConfigurationError(
            f"The package {package}, which carries {what}, is not installed.", mend
        )
    return Path(spec.submodule_search_locations[0])


def pinned(path: Path, sha256: str) -> bytes:
    """The file's content, if it is the one whose vectors are known.

    Raises:
        ConfigurationError: it can't be read, or is another.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"The embedder's file {path} can't be read: {error.strerror}.",
            "Install the dependencies again, or correct ARXIVSCOUT_EMBEDDING_DIR.",
        ) from None
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ConfigurationError(
            f"The embedder's file {path} is not the one whose vectors are known "
            f"(sha256 should be {sha256}).",
            "Install the pinned versions again, or name another embedder by ARXIVSCOUT_EMBEDDING.",
        )
    return content


def plain(text: str) -> str:
    """The beginning of a text as a tokenizer takes it: lone surrogates can't be encoded."""
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
