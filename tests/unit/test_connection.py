"""No part of a database's address is repeated in an error: it may be the password."""

from __future__ import annotations

import pytest

from arxivscout.errors import ConfigurationError
from arxivscout.memory.connection import parse


@pytest.mark.parametrize(
    "address",
    [
        "mysql://a:SECRET@h/x",
        "postgresql://a:SECRET PW@h/x",
        "postgresql://a:SECRET@[bad/x",
        "host=h password='SECRET",
        "postgresql://a:SECRET%zz@h/x",
    ],
)
def test_a_broken_address_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse(address)
    assert "SECRET" not in str(refused.value)
    assert "\n" not in str(refused.value)
