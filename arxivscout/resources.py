"""Where the folders that travel with the program lie: `prompts/` and `data/`.

A checkout has them at its top, the wheel inside the package. An editable install may keep stale
copies of the second kind, so the checkout is looked for first.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `name` of the checkout, else of the installed package."""
    checkout = _PACKAGE.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    return _PACKAGE / name
