"""`arxivscout setup`: what may be remembered, and which model answers; asked at the first chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from arxivscout.cli.door import UserOption, door
from arxivscout.errors import ConfigurationError, UsageError

if TYPE_CHECKING:
    from arxivscout.app import Scout

_AT_ANY_TIME = "`arxivscout setup` asks again at any time."
_DECIDED = {
    "everything": "What you prefer, look at and find out is remembered.",
    "facts": "What you say and prefer is remembered, what you look at is not.",
    "asked": "Only what you ask to be remembered is.",
    "nothing": "Nothing is remembered beyond a conversation.",
}


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("setup")(setup)


def setup(context: typer.Context, user: UserOption = None) -> None:
    """Say what may be remembered of you, and which model answers."""
    from arxivscout.cli.chat.picker import on_terminal

    if not on_terminal():
        raise UsageError("Nobody is at the terminal to be asked.", "Settings do the same.")
    with door(context).scout(user) as scout:
        ask_remembering(scout)
        ask_model(scout)


def ask_remembering(scout: Scout) -> None:
    """Ask what may be remembered beyond a conversation, and store it.

    Who answers nothing has agreed to nothing: then only what they ask is remembered.
    """
    from arxivscout.cli import render
    from arxivscout.cli.chat.picker import pick
    from arxivscout.memory.remembering import CHOICES

    taken = pick(
        "What may be remembered of you beyond a conversation? It stays on this machine.",
        list(CHOICES.items()),
        first=scout.remembering,
    )
    now = taken or scout.remembering or "asked"
    for choice in CHOICES:
        if choice == now:
            scout.decide_remembering(choice)
    render.line(f"{_DECIDED[now]} {_AT_ANY_TIME}", "dim")


def ask_model(scout: Scout) -> bool:
    """Ask which model answers, and keep it with its key; whether it is another one than before."""
    from arxivscout.cli import render
    from arxivscout.cli.chat.picker import pick
    from arxivscout.model_choice import choose_model

    settings = scout.settings
    known = list(dict.fromkeys([settings.model, "extractive", *sorted(settings.models)]))
    options = [(name, _described(name, name == settings.model)) for name in known]
    options += [
        ("provider", "a provider's model, such as openai:gpt-4o-mini"),
        ("server", "a server of your own: Ollama, vLLM, llama.cpp"),
    ]
    taken = pick("Which model answers?", [(f"={k}" if k in known else k, v) for k, v in options])
    if taken is None or taken == f"={settings.model}":
        return False
    if taken.startswith("="):
        choose_model(settings.home, taken[1:], None)
        name = taken[1:]
    else:
        given = _asked(server=taken == "server")
        if given is None:
            render.line(f"The model stays {settings.model}. {_AT_ANY_TIME}", "dim")
            return False
        name = given["model"]
        try:
            kept = _tried(scout, given)
        except ConfigurationError as error:
            render.error(error)
            return False
        if not kept:
            render.line(f"The model stays {settings.model}. {_AT_ANY_TIME}", "dim")
            return False
        choose_model(settings.home, name, given)
    render.line(f"{name} answers from now on.", "dim")
    if named := _outranked(scout, name):
        render.line(f"(but {named} is set in the environment or config.toml, and wins)", "yellow")
    return True


def _described(name: str, now: bool) -> str:
    says = f"{name}{' (as now)' if now else ''}"
    return f"{says}: quotes what is found, needs no model" if name == "extractive" else says


def _asked(*, server: bool) -> dict[str, str] | None:
    """What is to be kept of a model; None when the person leaves it."""
    from arxivscout.cli.chat.picker import ask_line

    given = {}
    if server:
        address = ask_line("Its address, such as http://127.0.0.1:11434/v1: ")
        if not address:
            return None
        given["base_url"] = address
    name = ask_line("Its name there: " if server else "provider:model: ")
    if not name:
        return None
    given["model"] = name
    key = ask_line(
        "Its key (not shown; Enter for none or the provider's own variable): ", hidden=True
    )
    if key is None:
        return None
    if key:
        given["api_key"] = key
    return given


def _tried(scout: Scout, given: dict[str, str]) -> bool:
    """Ask the model for a word; where none comes, the person says whether it is kept.

    Raises:
        ConfigurationError: it can't be used, with what is missing.
    """
    from pydantic import SecretStr

    from arxivscout.cli import render
    from arxivscout.cli.chat.picker import pick
    from arxivscout.settings import ModelSettings

    if "base_url" not in given and ":" not in given["model"]:
        raise ConfigurationError(f"{given['model']!r} names no provider.", "Write provider:model.")
    key = SecretStr(given["api_key"]) if "api_key" in given else None
    model = ModelSettings(model=given["model"], base_url=given.get("base_url"), api_key=key)
    with render.working(f"asking {model.model}", render.out()):
        failed = scout.try_model(model)
    if failed is None:
        return True
    render.line(failed, "yellow")
    options = [("keep", "Keep it all the same"), ("leave", "Leave the model as it was")]
    return pick("It does not answer now.", options, first="leave") == "keep"


def _outranked(scout: Scout, name: str) -> str | None:
    from arxivscout.settings import load_settings

    settings = load_settings(home=scout.settings.home, user=scout.user)
    return settings.model if settings.model != name else None
