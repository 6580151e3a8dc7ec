"""Policies of forgetting are read from the config file and the environment, or refused clearly."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.errors import ConfigurationError
from arxivscout.policies import Policy, parse_policies
from arxivscout.settings import load_settings

NAMES = st.text("abcdefgh ", min_size=1, max_size=20).map(lambda name: " ".join(name.split()))
POLICIES = st.builds(Policy, st.sampled_from(["archive", "delete"]), st.integers(1, 99_999))


def test_they_stand_in_the_config_file(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(
        '[policies]\n"active projects" = "archive after 90 days"\n'
        '"Small  talk" = "Delete after 1 day"\n'
    )
    settings = load_settings({}, home=tmp_path, user="ann")
    assert settings.policies == {
        "active projects": Policy("archive", 90),
        "small talk": Policy("delete", 1),
    }
    environ = {
        "ARXIVSCOUT_POLICIES": "small talk=delete after 14 days, findings=archive after 9 days"
    }
    assert load_settings(environ, home=tmp_path, user="ann").policies == {
        "small talk": Policy("delete", 14),
        "findings": Policy("archive", 9),
    }


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("small talk", "must be NAME=archive after N days"),
        ("small talk=forget it", "'forget it' is no policy for 'small talk'; it looks like"),
        ("small talk=delete after 0 days", "the policy for 'small talk' leaves no day"),
        ("=delete after 14 days", "'' can't name a category"),
        ("small talk=delete after -1 days", "is no policy"),
    ],
)
def test_what_is_no_policy_is_refused_at_the_start(tmp_path: Path, given: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        load_settings({"ARXIVSCOUT_POLICIES": given}, home=tmp_path, user="ann")
    assert told in refused.value.cause
    assert "ARXIVSCOUT_POLICIES" in refused.value.mend


@given(st.dictionaries(NAMES.filter(bool), POLICIES))
def test_policies_are_read_as_they_are_written(policies: dict[str, Policy]) -> None:
    written = ", ".join(f"{name}={policy}" for name, policy in policies.items())
    assert parse_policies(written) == policies
    assert parse_policies({name: str(policy) for name, policy in policies.items()}) == policies


@given(st.text() | st.dictionaries(st.text(), st.text() | st.integers()) | st.integers())
def test_anything_else_is_a_plain_error(given) -> None:
    try:
        policies = parse_policies(given)
    except ValueError:
        return
    assert all(isinstance(each, Policy) for each in policies.values())
