"""Papers from a Hugging Face data set, streamed: from the Hub, or a folder on disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from arxivscout.errors import ConfigurationError, SourceError, UsageError
from arxivscout.papers import Paper, Skipped, one_line
from arxivscout.sources.records import paper_from_record

DEFAULT_DATASET = "nick007x/arxiv-papers"
_HUB_NAME = re.compile(r"[\w.-]{1,96}(?:/[\w.-]{1,96})?")
# The Hub's own client tries six times with ten seconds each, and that for several files.
_REACH_TIMEOUT = 10.0
_MOST_RETRIES = 2


def stream_papers(
    dataset: str = DEFAULT_DATASET, limit: int | None = None, *, offline: bool = False
) -> Iterator[Paper | Skipped]:
    """The papers of all splits of a data set, in order, in bounded memory.

    Args:
        dataset: a name on the Hub (`owner/name`), or a folder of data files.
        limit: how many records are read at most.
        offline: refuse the Hub; a folder is read all the same.

    Raises:
        ConfigurationError: `datasets` is not installed.
        UsageError: there is no such folder or data set.
        SourceError: offline, the Hub can't be reached, or (while streaming) the data can't be read.
    """
    folder = Path(dataset)
    if not folder.is_dir() and not _HUB_NAME.fullmatch(dataset):
        raise UsageError(
            f"{dataset!r} is no data set.",
            "Give a folder, or owner/name as on the Hugging Face Hub.",
        )
    if offline and not folder.is_dir():
        raise SourceError(
            "ArxivScout is offline: the Hugging Face Hub is not asked.",
            "Unset ARXIVSCOUT_OFFLINE to allow it.",
        )
    try:
        import datasets
        import huggingface_hub
    except ImportError:
        raise ConfigurationError(
            "Reading Hugging Face data sets needs the datasets library.",
            "Install it: pip install datasets",
        ) from None
    # one line of ours says what went wrong; their progress bars would run through our own
    datasets.logging.set_verbosity_error()
    datasets.disable_progress_bars()
    huggingface_hub.utils.logging.set_verbosity(100)
    if not folder.is_dir():
        _reach(dataset)
    return _papers(_splits(dataset, folder), folder.name if folder.is_dir() else dataset, limit)


def _reach(dataset: str) -> None:
    """Ask once whether the data set is there: `datasets` would try for minutes."""
    import httpx
    from huggingface_hub import constants, get_token

    token = get_token()
    try:
        status = httpx.head(
            f"{constants.ENDPOINT}/api/datasets/{dataset}",
            headers={"authorization": f"Bearer {token}"} if token else {},
            timeout=_REACH_TIMEOUT,
            follow_redirects=True,
        ).status_code
        reason = f"it answered {status}" if status >= 400 else ""
    except (httpx.HTTPError, OSError) as error:
        status, reason = 0, _reason(error)
    if status in {401, 403, 404}:
        raise UsageError(
            f"The Hugging Face Hub has no open data set {dataset!r}.",
            f"The default is {DEFAULT_DATASET}.",
        )
    if reason:
        raise SourceError(
            f"The Hugging Face Hub can't be reached: {reason}.",
            "Try again later, or read a file: arxivscout ingest file PATH.",
        )


def _splits(dataset: str, folder: Path) -> list[Any]:
    import datasets

    try:
        if (folder / "state.json").is_file() or (folder / "dataset_dict.json").is_file():
            loaded = datasets.load_from_disk(dataset)
        else:
            retries = datasets.DownloadConfig(max_retries=_MOST_RETRIES)
            loaded = datasets.load_dataset(dataset, streaming=True, download_config=retries)
    except (*_stream_errors(),) as error:
        raise SourceError(f"{dataset} can't be read: {_reason(error)}.") from None
    return list(loaded.values()) if isinstance(loaded, dict) else [loaded]


def _papers(splits: list[Any], name: str, limit: int | None) -> Iterator[Paper | Skipped]:
    number = 0
    try:
        for record in islice(chain.from_iterable(splits), limit):
            number += 1
            try:
                yield paper_from_record(record, source=name)
            except ValueError as error:
                yield Skipped(f"{name}:{number}", one_line(str(error)))
    except (*_stream_errors(),) as error:
        raise SourceError(f"{name} broke off after record {number}: {_reason(error)}.") from None


def _stream_errors() -> tuple[type[Exception], ...]:
    import pyarrow
    from datasets.exceptions import DatasetsError
    from huggingface_hub.errors import HfHubHTTPError

    # its HTTP library changed twice: what all errors of the one in use have in common is named so
    network = [kind for kind in HfHubHTTPError.__mro__ if kind.__name__ == "HTTPError"]
    # its readers raise ValueError and TypeError for files whose records differ in shape
    return (OSError, ValueError, TypeError, pyarrow.ArrowException, DatasetsError, *network)


def _reason(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return one_line(lines[0] if lines else type(error).__name__)[:200].rstrip(".")
