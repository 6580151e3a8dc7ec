"""Where log records go: to standard error from the level wanted on, and into a file if one is
named.

Other libraries' records below a warning are shown with `-vv` only: some have whole addresses, and
so questions, in them.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TextIO
from urllib.parse import unquote, urlsplit

from arxivscout.errors import ConfigurationError

if TYPE_CHECKING:
    from arxivscout.settings import Settings

MOST_HELD = 10_000  # records; of more, the newest are shown
_Hook = Callable[[type[BaseException], BaseException, TracebackType | None], None]


class _ToStderr(logging.StreamHandler[TextIO]):
    """Standard error as it is now: tests and shells put others in its place."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self._held = 0
        self._waiting: deque[logging.LogRecord] = deque(maxlen=MOST_HELD)

    def emit(self, record: logging.LogRecord) -> None:
        if self._held:
            self._waiting.append(record)
        else:
            super().emit(record)

    def hold(self) -> None:
        """Keep what comes from now on."""
        self._held += 1

    def let_go(self) -> None:
        """Show what was kept, once nobody holds it any more."""
        self.acquire()
        try:
            self._held -= 1
            while self._waiting and not self._held:
                super().emit(self._waiting.popleft())
        finally:
            self.release()


def set_up_logs(settings: Settings, level: str, file: Path | None) -> None:
    """Send logging from `level` on to stderr, and from info on, or from there, into `file`.

    The settings' secrets are shown in none of it, nor in the errors of this process.

    Raises:
        ConfigurationError: there is no such level, or the file can't be written.
    """
    from arxivscout.cli import render
    from arxivscout.monitoring.logs import OURS, LogFormat

    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise ConfigurationError(
            f"The log level {level!r} is not known.", "Use debug, info, warning or error."
        )
    secrets = secrets_of(settings)
    render.hide(secrets)
    sys.excepthook = _traceback_without(secrets)
    handlers: list[logging.Handler] = [_ToStderr()]
    handlers[0].setLevel(number)
    if file is not None:
        handlers.append(_file_handler(file))
        handlers[1].setLevel(min(number, logging.INFO))
    for handler in handlers:
        handler.setFormatter(LogFormat(secrets, whole=number <= logging.DEBUG))
    ours = min(handler.level for handler in handlers)
    others = ours if ours <= logging.DEBUG else max(ours, logging.WARNING)
    logging.basicConfig(level=others, handlers=handlers, force=True)
    logging.getLogger(OURS).setLevel(ours)


@contextmanager
def logs_held() -> Iterator[None]:
    """Show what is logged on a terminal when the block ends: it would break into its lines."""
    held = [each for each in logging.getLogger().handlers if isinstance(each, _ToStderr)]
    held = [each for each in held if each.stream.isatty()]
    for each in held:
        each.hold()
    try:
        yield
    finally:
        for each in held:
            each.let_go()


def secrets_of(settings: Settings) -> list[str]:
    """What no message may repeat: keys, tokens, and the passwords of databases."""
    models = (model.api_key for model in settings.models.values())
    kept = [settings.model_api_key, settings.mcp_token, *models]
    urls = (settings.database_url, settings.admin_database_url)
    passwords = (urlsplit(url.get_secret_value()).password for url in urls if url)
    return [
        *(secret.get_secret_value() for secret in kept if secret),
        *(form for word in passwords if word for form in {word, unquote(word)}),
    ]


def _traceback_without(secrets: list[str]) -> _Hook:
    """What shows an error that nobody foresaw, with none of these in it."""
    from arxivscout.redaction import hidden

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        whole = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(hidden(whole, secrets))

    return show


def _file_handler(file: Path) -> logging.Handler:
    """Appends; readable by its owner only, and made anew when it is moved away."""
    from logging.handlers import WatchedFileHandler

    try:
        os.close(os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        return WatchedFileHandler(file, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(
            f"The log file {file} can't be written: {error.strerror}.", "Name another --log-file."
        ) from None
