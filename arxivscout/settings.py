"""What the environment and the config file say, read once per process.

Every setting is an environment variable `ARXIVSCOUT_<NAME>`; the same names in lower case, without
the prefix, may stand in `config.toml` in the home folder. The environment wins.
"""

from __future__ import annotations

import getpass
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from arxivscout.errors import ConfigurationError
from arxivscout.model_choice import broken, chosen_models
from arxivscout.policies import Policy, parse_policies
from arxivscout.tracing_asked import Tracing, tracing_asked
from arxivscout.window_shares import DEFAULT_SHARES, Share, Strategy, parse_shares

PREFIX = "ARXIVSCOUT_"


class ModelSettings(BaseModel):
    """One chat model that a run can name: `[models.NAME]` in the config file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str
    base_url: str | None = None
    api_key: SecretStr | None = None
    context_window: int | None = Field(default=None, ge=1024)
    timeout_s: float = Field(default=60.0, gt=0)
    max_retries: int = Field(default=3, ge=0)
    price_input: float | None = Field(default=None, ge=0)  # US dollars for a million tokens
    price_output: float | None = Field(default=None, ge=0)

    def cost(self, usage: Mapping[str, Any]) -> float | None:
        """US dollars, or whatever the prices are in, of what was used; None when not known."""
        if self.model == "extractive":
            return 0.0
        if usage.get("unreported_calls") or self.price_input is None or self.price_output is None:
            return None
        read, written = usage.get("input_tokens", 0), usage.get("output_tokens", 0)
        return float(read * self.price_input + written * self.price_output) / 1_000_000


class Settings(BaseModel):
    """Plain values, frozen for the life of the process."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    home: Path
    user: str = Field(min_length=1, max_length=200)
    database_url: SecretStr | None = None
    admin_database_url: SecretStr | None = None
    # chat models
    model: str = "extractive"
    model_base_url: str | None = None
    model_api_key: SecretStr | None = None
    models: dict[str, ModelSettings] = Field(default_factory=dict)
    model_timeout_s: float = Field(default=60.0, gt=0)
    model_max_retries: int = Field(default=3, ge=0)
    context_window: int = Field(default=16_000, ge=1024)
    answer_tokens: int = Field(default=1_000, ge=64)
    context_shares: dict[str, Share] = DEFAULT_SHARES
    working_memory: Strategy = "hybrid"
    # forgetting: in how many days half of what goes with age and with disuse is gone; below which
    # value, 0 to 1, a memory is proposed for the archive; what is done with which category when
    memory_half_life_days: float = Field(default=180.0, ge=1, le=100_000)
    memory_use_half_life_days: float = Field(default=60.0, ge=1, le=100_000)
    memory_archive_below: float = Field(default=0.05, ge=0, le=1)
    policies: dict[str, Policy] = Field(default_factory=dict)
    # who condenses what was said
    summaries: Literal["rules", "model"] = "rules"
    # embedder
    embedding: str = "minilm"
    embedding_dir: Path | None = None
    # what a turn teaches is learned by rules alone, or by one call of a chat model besides
    learning: Literal["rules", "model"] = "model"
    # turns since the last reflection after which it is time for another; 0: only when asked for
    reflect_after: int = Field(default=10, ge=0, le=1_000)
    # what episodes teach is found by rules alone, or by one call of a chat model besides
    reflection: Literal["rules", "model"] = "model"
    # the second stage of a search: off, model, or cross-encoder[:NAME]
    rerank: str = "off"
    # one turn
    max_tool_rounds: int = Field(default=4, ge=1, le=20)
    turn_timeout_s: float = Field(default=180.0, gt=0)
    tool_timeout_s: float = Field(default=30.0, gt=0)
    # arXiv's API
    arxiv_url: str = "https://export.arxiv.org/api/query"
    arxiv_interval_s: float = Field(default=3.0, ge=0)
    arxiv_timeout_s: float = Field(default=20.0, gt=0)
    offline: bool = False
    # the word that clients of `arxivscout mcp --http` must know, in place of the one kept in a file
    mcp_token: SecretStr | None = None
    # a file that names others' MCP servers, whose tools turns may use
    mcp_servers: Path | None = None
    # how long the numbers of turns are kept; 0: none are
    monitoring_days: int = Field(default=365, ge=0, le=36_500)
    log_level: str = "warning"
    log_file: Path | None = None

    @field_validator("user")
    @classmethod
    def _user_is_a_name(cls, user: str) -> str:
        if user != user.strip() or not user.isprintable():
            raise ValueError("a user name has no control characters and no blanks at its ends")
        return user

    @field_validator("arxiv_url")
    @classmethod
    def _arxiv_is_https(cls, url: str) -> str:
        parts = urlsplit(url)
        on_loopback = parts.hostname in {"127.0.0.1", "::1", "localhost"}
        if not parts.hostname or not (
            parts.scheme == "https" or (parts.scheme == "http" and on_loopback)
        ):
            raise ValueError("must be https (plain http only on loopback)")
        return url

    @field_validator("rerank")
    @classmethod
    def _rerank_is_a_way(cls, rerank: str) -> str:
        way, _, name = rerank.partition(":")
        if rerank not in ("off", "model", "cross-encoder") and not (
            way == "cross-encoder" and name
        ):
            raise ValueError("must be off, model, cross-encoder or cross-encoder:NAME")
        return rerank

    @field_validator("context_shares", mode="before")
    @classmethod
    def _shares_fill_the_window(cls, given: Any) -> dict[str, Share]:
        if not isinstance(given, str | dict):
            raise ValueError("must be NAME=SHARE, NAME=SHARE, …, or a table of them")
        return parse_shares(given)

    @field_validator("policies", mode="before")
    @classmethod
    def _policies_can_be_followed(cls, given: Any) -> dict[str, Policy]:
        return parse_policies(given)

    def window_set(self, model: str) -> bool:
        """Whether the person said how many tokens this model reads."""
        named = self.models.get(model)
        return "context_window" in self.model_fields_set or bool(named and named.context_window)

    def model_named(self, name: str | None = None) -> ModelSettings:
        """The settings of the model called `name`: one of `models`, or a `provider:model` string.

        Raises:
            ConfigurationError: a plain name that `models` does not have.
        """
        name = name or self.model
        if name in self.models:
            return self.models[name]
        if name != "extractive" and ":" not in name and self.model_base_url is None:
            known = ", ".join(["extractive", *sorted(self.models)])
            raise ConfigurationError(
                f"No model is called {name!r}.",
                f"Use provider:model (such as openai:gpt-4o-mini), or one of: {known}.",
            )
        return ModelSettings(
            model=name,
            base_url=None if name == "extractive" else self.model_base_url,
            api_key=self.model_api_key,
            context_window=self.context_window,
            timeout_s=self.model_timeout_s,
            max_retries=self.model_max_retries,
        )


def load_settings(environ: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
    """Settings from the environment, `config.toml`, `arxivscout setup`, then the defaults.

    Args:
        environ: in place of `os.environ`.
        overrides: values that win over both (command-line options); None means not given.

    Raises:
        ConfigurationError: an unknown setting, a value that can't be used, a broken config file.
    """
    environ = os.environ if environ is None else environ
    given = {name: value for name, value in overrides.items() if value is not None}
    named: dict[str, Any] = {
        key[len(PREFIX) :].lower(): value
        for key, value in environ.items()
        if key.startswith(PREFIX) and value != ""
    }
    home = _home_folder(given.pop("home", None), named.pop("home", None))
    unknown = sorted(set(named) - set(Settings.model_fields))
    if unknown:
        raise ConfigurationError(
            f"{PREFIX}{unknown[0].upper()} is no setting.",
            "The README lists those there are, under Settings.",
        )
    if "models" in named:
        named["models"] = _models_from_json(named["models"])
    values = {**_config_file(home / "config.toml"), **named, **given, "home": home}
    if kept := chosen_models(home):
        try:
            models = {name: ModelSettings(**each) for name, each in kept.get("models", {}).items()}
        except ValidationError:
            raise broken(home) from None
        given_models = values.get("models", {})
        if isinstance(given_models, dict):  # else it is refused below
            values["models"] = models | given_models
        if not {"model", "model_base_url"} & set(values):  # else its key is no business of theirs
            values["model"] = kept.get("model", "extractive")
    values.setdefault("user", _account())
    try:
        return Settings(**values)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        variable = PREFIX + str(first["loc"][0]).upper()
        cause = f"The setting {where} can't be used: {first['msg']}."
        if first["type"] == "extra_forbidden":
            cause = f"{where} is no setting."
        raise ConfigurationError(
            cause, f"It comes from {variable}, an option, or {home / 'config.toml'}."
        ) from None


def tracing() -> Tracing:
    """Where turns are traced to, by the variables of those systems themselves."""
    return tracing_asked(os.environ)


def default_home() -> Path:
    """The platform's folder for a program's data."""
    import platformdirs

    return Path(platformdirs.user_data_dir("arxivscout", appauthor=False))


def _home_folder(option: Path | str | None, variable: str | None) -> Path:
    if option is not None and not str(option).strip():
        raise ConfigurationError("--home names no folder.", "Name one, or leave the option out.")
    named = option or variable or default_home()
    try:
        home = Path(named).expanduser()
        str(home).encode()
    except UnicodeEncodeError:
        # PostgreSQL, JSON and the terminal would each trip over it later
        shown = os.fsencode(named).decode("utf-8", "backslashreplace")
        raise ConfigurationError(
            f"The home folder's name is no UTF-8: {shown}.", f"Set {PREFIX}HOME or --home."
        ) from None
    except RuntimeError as error:  # ~name of nobody
        raise ConfigurationError(
            f"The home folder {named} can't be found: {error}", f"Set {PREFIX}HOME or --home."
        ) from None
    return home


def _models_from_json(text: str) -> dict[str, Any]:
    try:
        models = json.loads(text)
    except (ValueError, RecursionError):
        models = None
    if not isinstance(models, dict):
        # without its words: there may be a key among them
        raise ConfigurationError(
            f"{PREFIX}MODELS is no JSON object.",
            'Give {"NAME": {"model": "provider:model"}}, or [models.NAME] in config.toml.',
        )
    return models


def _config_file(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            values = tomllib.load(file)
            unknown = sorted(set(values) - set(Settings.model_fields))
            if unknown:
                raise ConfigurationError(
                    f"{unknown[0]} is no setting.",
                    f"It stands in {path}. The README lists those there are, under Settings.",
                )
            return values
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError, RecursionError) as error:
        raise ConfigurationError(f"{path} can't be read: {error}.", "Mend or remove it.") from None


def _account() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid{os.getuid()}"
