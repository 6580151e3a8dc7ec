"""`arxivscout mcp`: serve papers and memory to other assistants."""

from __future__ import annotations

import importlib.util
from typing import Annotated

import typer

from arxivscout.cli.door import UserOption, check_range, door
from arxivscout.errors import ConfigurationError, UsageError

PORT = 8765
MCP = """\
\b
Examples:
  arxivscout mcp                      for a client that starts it (stdin and stdout)
  arxivscout mcp --http --port 8765   for clients on this machine that know the token
"""


def register(app: typer.Typer) -> None:
    """Hang this group's command on `app`."""
    app.command("mcp", epilog=MCP)(mcp)


def mcp(
    context: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve HTTP on 127.0.0.1, with a token.")
    ] = False,
    port: Annotated[
        int | None, typer.Option(help=f"With --http: the port (default {PORT}; 0: any).")
    ] = None,
    user: UserOption = None,
) -> None:
    """Serve papers and memory to other assistants, over the Model Context Protocol."""
    if port is not None and not http:
        raise UsageError("--port goes with --http.")
    port = check_range(PORT if port is None else port, "--port", 0, 65535)
    if importlib.util.find_spec("mcp") is None:
        raise ConfigurationError(
            "The package mcp is not installed.", "`pip install mcp` installs it."
        )
    if not http:
        with door(context).scout(user) as scout:
            from arxivscout.mcp_server.stdio import serve_stdio

            serve_stdio(scout)
        return
    from arxivscout.cli import render
    from arxivscout.mcp_server.token import token_file, token_of

    token = token_of(door(context).settings(user))
    with door(context).scout(user) as scout:
        from arxivscout.mcp_server.http import serve_http

        kept = "of ARXIVSCOUT_MCP_TOKEN"
        if scout.settings.mcp_token is None:
            kept = f"in {token_file(scout.settings)}"

        def ready(address: str) -> None:
            render.note(f"Serving {scout.user} at {address}; its token is that {kept}.")

        serve_http(scout, port, token, ready)
