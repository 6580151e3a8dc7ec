"""Which addresses may be asked."""

from __future__ import annotations

from urllib.parse import urlsplit

from arxivscout.errors import SourceError


def require_safe(address: str) -> None:
    """Refuse an address that is not https; plain http is for loopback.

    Raises:
        SourceError: it is another.
    """
    parts = urlsplit(address)
    if parts.scheme == "https" and parts.hostname:
        return
    if parts.scheme == "http" and parts.hostname in {"127.0.0.1", "::1", "localhost"}:
        return
    raise SourceError(
        f"{parts.scheme}://{parts.hostname} is not asked for papers.",
        "The setting arxiv_url must be https (plain http only on loopback).",
    )


def own_address(address: str, before: str) -> str:
    """`address` where it is arXiv's own, as the one before it was.

    Raises:
        SourceError: it is somebody else's.
    """
    require_safe(address)
    host, known = urlsplit(address).hostname or "", urlsplit(before).hostname or ""
    if host != known and not f".{host}".endswith(".arxiv.org"):
        raise SourceError(f"arXiv sends on to {host}, which is not asked.")
    return address
