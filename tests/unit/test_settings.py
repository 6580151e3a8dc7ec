"""Settings: what can't be used is one line that says where it stands."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from arxivscout.errors import ConfigurationError
from arxivscout.model_choice import choose_model
from arxivscout.settings import load_settings

NO_UTF8 = os.fsdecode(b"/tmp/h\xff\xfeme")


def refused(environ: dict[str, str], **overrides: object) -> str:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(environ, **overrides)
    assert "\n" not in str(caught.value)
    str(caught.value).encode()
    return str(caught.value)


def test_a_home_that_is_no_utf8_is_refused() -> None:
    for said in (
        refused({"ARXIVSCOUT_HOME": NO_UTF8}),
        refused({}, home=NO_UTF8),
        refused({}, home=Path(NO_UTF8)),
    ):
        assert said.startswith(r"The home folder's name is no UTF-8: /tmp/h\xff\xfeme.")


@pytest.mark.parametrize("home", ["", "  "])
def test_an_empty_home_is_not_the_current_folder(home: str) -> None:
    assert refused({}, home=home).startswith("--home names no folder.")
    # an empty variable is one that is not set, like all the others
    assert load_settings({"ARXIVSCOUT_HOME": ""}).home == load_settings({}).home


def test_the_home_of_nobody_is_refused() -> None:
    assert "~nobody-at-all" in refused({}, home="~nobody-at-all/x")


def test_a_home_with_any_letters_is_taken(tmp_path: Path) -> None:
    home = tmp_path / "mémoire 量子"
    assert load_settings({"ARXIVSCOUT_HOME": str(home)}).home == home


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("nosuch = 1\n", "nosuch is no setting. It stands in {path}."),
        ('[models.a]\nmodel = "x:y"\nnosuch = 1\n', "models.a.nosuch is no setting."),
        ("[models.a]\n", "The setting models.a.model can't be used: Field required."),
        ("context_window = 3\n", "The setting context_window can't be used"),
        ("= 1\n", "can't be read"),
    ],
)
def test_a_config_file_that_can_not_be_used_is_named(
    tmp_path: Path, content: str, says: str
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(content)
    said = refused({}, home=tmp_path)
    assert says.format(path=path) in said and str(path) in said


def test_models_of_the_environment_are_json(tmp_path: Path) -> None:
    given = '{"local": {"model": "qwen3", "base_url": "http://127.0.0.1:1/v1", "api_key": "k"}}'
    settings = load_settings({"ARXIVSCOUT_MODELS": given}, home=tmp_path, model="local")
    assert settings.model_named().base_url == "http://127.0.0.1:1/v1"
    assert settings.model_named("local").model == "qwen3"


@pytest.mark.parametrize("given", ["local=sk-secret", '["sk-secret"]', "{" * 100_000])
def test_models_that_are_no_json_object_are_one_line_without_their_words(given: str) -> None:
    said = refused({"ARXIVSCOUT_MODELS": given})
    assert said.startswith("ARXIVSCOUT_MODELS is no JSON object. Give {")
    assert "secret" not in said


def test_a_model_of_the_environment_that_can_not_be_used_names_its_variable() -> None:
    said = refused({"ARXIVSCOUT_MODELS": '{"local": {"api_key": "sk-secret", "url": "x"}}'})
    assert "models.local.model" in said and "ARXIVSCOUT_MODELS," in said
    assert "secret" not in said


def test_a_model_set_up_in_the_chat_answers_with_its_own_key(tmp_path: Path) -> None:
    choose_model(tmp_path, "gpt", {"model": "openai:gpt-4o-mini", "api_key": "sk-secret"})
    file = tmp_path / "models.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    settings = load_settings({}, home=tmp_path)
    named = settings.model_named()
    assert settings.model == "gpt" and named.model == "openai:gpt-4o-mini"
    assert named.api_key is not None and named.api_key.get_secret_value() == "sk-secret"
    assert "sk-secret" not in repr(settings)
    other = load_settings({"ARXIVSCOUT_MODEL": "openai:other"}, home=tmp_path)
    assert other.model_named().api_key is None
    assert other.model_named("gpt").api_key is not None
    choose_model(tmp_path, "extractive", None)
    assert load_settings({}, home=tmp_path).model == "extractive"
    assert "gpt" in load_settings({}, home=tmp_path).models


@pytest.mark.parametrize(
    "text",
    [
        '{"models": null}',
        '{"models": [1]}',
        '{"models": {"gpt": "sk-secret"}}',
        '{"models": {"gpt": {"api_key": "sk-secret"}}}',
        '{"models": {"gpt": {"model": 1, "api_key": "sk-secret"}}}',
        '{"model": ["sk-secret"]}',
        "[1]",
        "[" * 100_000,
        "\udcff",
    ],
)
def test_a_broken_file_of_models_is_one_line_that_names_it(tmp_path: Path, text: str) -> None:
    file = tmp_path / "models.json"
    file.write_text(text, errors="surrogateescape")
    file.chmod(0o600)
    for use in (
        lambda: load_settings({}, home=tmp_path),
        lambda: load_settings({"ARXIVSCOUT_MODEL": "openai:other"}, home=tmp_path),
    ):
        with pytest.raises(ConfigurationError) as refused:
            use()
        said = str(refused.value)
        assert said.startswith(f"{file} is broken.") and "\n" not in said
        assert "sk-secret" not in said


def test_a_broken_config_file_is_one_line_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("models = " + "[" * 100_000)
    with pytest.raises(ConfigurationError, match=r"config\.toml can't be read"):
        load_settings({}, home=tmp_path)
    (tmp_path / "config.toml").write_text("models = 3")
    choose_model(tmp_path, "gpt", {"model": "openai:gpt-4o-mini"})
    with pytest.raises(ConfigurationError, match="The setting models"):
        load_settings({}, home=tmp_path)


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    choose_model(tmp_path, "gpt", {"model": "openai:gpt-4o-mini", "api_key": "sk-secret"})
    (tmp_path / "models.json").chmod(0o644)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        load_settings({}, home=tmp_path)
    (tmp_path / "models.json").chmod(0o600)
    (tmp_path / "models.json").write_text('{"model": "sk-secret')
    with pytest.raises(ConfigurationError) as refused:
        load_settings({}, home=tmp_path)
    assert "sk-secret" not in str(refused.value)
