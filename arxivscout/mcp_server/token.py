"""The word that a client of the HTTP server must know: kept where only its owner reads it."""

from __future__ import annotations

import hmac
import secrets
import stat
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from arxivscout.errors import ConfigurationError
from arxivscout.settings import Settings
from arxivscout.whole_files import write_whole

LEAST = 16  # characters of a token that somebody chose


def token_file(settings: Settings) -> Path:
    """Where the token stands that is made at the first start."""
    return settings.home / "mcp-token"


def token_of(settings: Settings) -> str:
    """The settings' token, else that of the file, which is made if need be.

    Raises:
        ConfigurationError: it can't be read, others can read it, or it is too short.
    """
    if settings.mcp_token is not None:
        return _checked(settings.mcp_token.get_secret_value(), "ARXIVSCOUT_MCP_TOKEN")
    path = token_file(settings)
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, secrets.token_urlsafe(32) + "\n", mode=0o600)
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise ConfigurationError(
                f"Others can read the token in {path}.", f"Remove it, or `chmod 600 {path}`."
            )
        return _checked(path.read_text(encoding="utf-8").strip(), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"The token in {path} can't be read: {error}.") from None


def _checked(token: str, where: str) -> str:
    if len(token) < LEAST or not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigurationError(
            f"The token of {where} can't be used.", f"It has {LEAST} or more ASCII letters."
        )
    return token


class TokenGate:
    """Lets nobody in who does not give the token: 401, before anything of a request is read."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = Headers(scope=scope).get("authorization", "").encode()
            if not hmac.compare_digest(given, self._expected):
                refused = PlainTextResponse(
                    "A bearer token is needed.\n", 401, {"WWW-Authenticate": "Bearer"}
                )
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)
