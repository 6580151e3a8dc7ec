"""Other people's MCP servers, as the file of ARXIVSCOUT_MCP_SERVERS names them.

It has the form that assistants share: `{"mcpServers": {"NAME": {"command": …}}}`, or `{"url": …}`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError, model_validator

from arxivscout.errors import ConfigurationError


class McpServer(BaseModel):
    """How a server is had: by a command that starts it, or at an address."""

    command: str | None = None
    args: list[str] = Field(default_factory=list)
    env: dict[str, str] = Field(default_factory=dict)
    cwd: Path | None = None
    url: str | None = Field(default=None, pattern=r"^https?://")
    headers: dict[str, str] = Field(default_factory=dict)
    type: Literal["stdio", "http", "streamable-http", "sse"] | None = None
    disabled: bool = False

    @model_validator(mode="after")
    def _is_had_in_one_way(self) -> McpServer:
        if (self.command is None) == (self.url is None):
            raise ValueError("a server has a command or a url")
        return self

    def connection(self) -> dict[str, Any]:
        """The same as langchain-mcp-adapters names it, for a server that has an address."""
        transport = "sse" if self.type == "sse" else "streamable_http"
        return {"transport": transport, "url": self.url, "headers": self.headers}


class _File(BaseModel):
    servers: dict[str, McpServer] = Field(alias="mcpServers")


def read_servers(path: Path) -> dict[str, McpServer]:
    """The servers that the file names and does not disable.

    Raises:
        ConfigurationError: it can't be read, or something in it can't be used.
    """
    try:
        servers = _File.model_validate_json(path.read_bytes()).servers
    except OSError as error:
        raise ConfigurationError(f"{path} can't be read: {error.strerror}.", _MEND) from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigurationError(f"{path} can't be used: {where}: {first['msg']}.", _MEND) from None
    return {name: server for name, server in servers.items() if not server.disabled}


_MEND = "ARXIVSCOUT_MCP_SERVERS names it."
