"""The models that a person set up in the chat, with their keys: a file only its owner reads.

It lies beside `config.toml`, which may be shown to others; a key never stands there.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from arxivscout.errors import ConfigurationError

FILE = "models.json"


def chosen_models(home: Path) -> dict[str, Any]:
    """`{"model": NAME, "models": {NAME: {"model", "base_url", "api_key"}}}`, or nothing.

    Raises:
        ConfigurationError: the file is broken, or others can read it.
    """
    path = home / FILE
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                raise ConfigurationError(
                    f"Others can read {path}, and there may be a key in it.",
                    f"chmod 600 {path} mends that.",
                )
            kept = json.load(file)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigurationError(f"{path} can't be read: {error.strerror}.") from None
    except (ValueError, RecursionError):  # without its words: there may be a key among them
        kept = None
    if not _is_whole(kept):
        raise broken(home)
    return dict(kept)


def broken(home: Path) -> ConfigurationError:
    """The file is there and can't be used. Not a word of it is told: one may be a key."""
    return ConfigurationError(
        f"{home / FILE} is broken.", "Remove it; `arxivscout setup` makes it anew."
    )


def _is_whole(kept: Any) -> bool:
    if not isinstance(kept, dict) or set(kept) - {"model", "models"}:
        return False
    models = kept.get("models", {})
    return (
        isinstance(kept.get("model", ""), str)
        and isinstance(models, dict)
        and all(isinstance(each, dict) for each in models.values())
    )


def choose_model(home: Path, name: str, model: dict[str, str] | None) -> None:
    """Let `name` answer from the next start on; `model` tells what it is, None that it is known."""
    kept = chosen_models(home)
    models = dict(kept.get("models", {}))
    if model is not None:
        models[name] = model
    part = home / f".{FILE}.{os.getpid()}"
    part.unlink(missing_ok=True)
    try:
        home.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            json.dump({"model": name, "models": models}, file, indent=1)
        part.replace(home / FILE)
    except OSError as error:
        raise ConfigurationError(f"{home / FILE} can't be written: {error.strerror}.") from None
    finally:
        part.unlink(missing_ok=True)
