"""Token counts, shortening, and the sharing of a window."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arxivscout.context.budget import count_tokens, share_out, shorten
from arxivscout.window_shares import DEFAULT_SHARES, Share, parse_shares

TEXTS = st.one_of(
    st.text(max_size=400),
    st.text(alphabet="abc .\n", max_size=400),
    st.text(alphabet="研究論文。量子", max_size=200),
    st.text(alphabet="\\$_{}^αβ012", max_size=200),
    st.text(alphabet="ABCDEFabcdef0123456789+/=", min_size=100, max_size=400),
    st.text(alphabet="😀👩‍🔬🧪", max_size=60),
)


@given(TEXTS, st.integers(min_value=0, max_value=120))
def test_shortened_text_never_takes_more_than_its_tokens(text: str, tokens: int) -> None:
    assert count_tokens(shorten(text, tokens)) <= tokens


@given(TEXTS)
def test_text_that_fits_is_left_as_it_is(text: str) -> None:
    assert shorten(text, count_tokens(text)) == text


@example("\n", "\n")
@given(TEXTS, TEXTS)
def test_counts_of_parts_cover_the_count_of_the_whole(left: str, right: str) -> None:
    assert count_tokens(left + right) <= count_tokens(left) + count_tokens(right) + 1


def test_a_long_text_is_cut_at_the_end_of_a_sentence() -> None:
    text = "The first sentence stays. The second one is far too long to stay in the window."
    assert shorten(text, 12) == "The first sentence stays. […]"


def test_the_estimate_is_near_what_a_byte_pair_tokenizer_gives() -> None:
    # 41 tokens by the o200k vocabulary; an estimate may be above it, hardly below.
    text = (
        "Quantum teleportation using neutral pseudoscalar mesons shows novel connections between "
        "particle physics and quantum information. The projection basis, which is crucial in the "
        "teleportation process, is determined by the conservation laws of particle physics."
    )
    assert 36 <= count_tokens(text) <= 62


WANTS = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d"]), st.integers(0, 10_000), min_size=1, max_size=4
)
SHARES = st.fixed_dictionaries(
    dict.fromkeys(
        "abcd",
        st.builds(
            lambda share, least, more: Share(share, least, least + more),
            st.sampled_from([0.0, 0.1, 0.25]),
            st.integers(0, 300),
            st.integers(0, 20_000),
        ),
    )
)


@given(st.integers(-50, 5_000), WANTS, SHARES, st.integers(1, 10_000))
def test_shares_never_exceed_the_room_nor_a_want_nor_the_most(
    room: int, wants: dict[str, int], shares: dict[str, Share], window: int
) -> None:
    given_out = share_out(room, wants, shares, tuple(wants), window)
    assert sum(given_out.values()) <= max(room, 0)
    for name, tokens in given_out.items():
        assert 0 <= tokens <= min(wants[name], shares[name].most)


@given(st.integers(0, 5_000), WANTS, SHARES, st.integers(1, 10_000))
def test_no_room_is_left_while_somebody_wants_more_and_may_have_it(
    room: int, wants: dict[str, int], shares: dict[str, Share], window: int
) -> None:
    given_out = share_out(room, wants, shares, tuple(wants), window)
    wanted = sum(min(want, shares[name].most) for name, want in wants.items())
    assert sum(given_out.values()) == min(room, wanted)


@given(st.integers(0, 5_000), WANTS, SHARES, st.integers(1, 10_000))
def test_everybody_has_the_least_where_the_room_holds_them(
    room: int, wants: dict[str, int], shares: dict[str, Share], window: int
) -> None:
    given_out = share_out(room, wants, shares, tuple(wants), window)
    least = {name: min(want, shares[name].least) for name, want in wants.items()}
    if sum(least.values()) <= room:
        assert all(given_out[name] >= least[name] for name in wants)


def test_what_one_leaves_unused_goes_to_the_next_in_priority() -> None:
    shares = {"a": Share(0.5), "b": Share(0.25), "c": Share(0.25)}
    given_out = share_out(100, {"a": 10, "b": 90, "c": 90}, shares, ("a", "c", "b"), 100)
    assert given_out == {"a": 10, "b": 25, "c": 65}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("knowledge=0.5", "add up to 1.2"),
        ("knowledges=0.1", "no part of the window is called 'knowledges'; known: rules, aw"),
        ("knowledge", "'knowledge' is no share. Write NAME=SHARE"),
        ("knowledge=lots", "knowledge='lots' is no share"),
        ("knowledge=120%", "between 0 and 1"),
        ("knowledge=0.1:900-100", "knowledge would get 900 tokens at least"),
    ],
)
def test_shares_that_can_not_be_are_refused_in_one_line(given: str, said: str) -> None:
    with pytest.raises(ValueError) as refused:
        parse_shares(given)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_shares_are_read_from_a_line_and_from_a_table() -> None:
    read = parse_shares("knowledge = 20% , recent=0.1:300-9000")
    assert read["knowledge"].share == 0.2
    assert (read["recent"].share, read["recent"].least, read["recent"].most) == (0.1, 300, 9000)
    assert read == parse_shares({"knowledge": 0.2, "recent": "0.1:300-9000"})
    assert parse_shares("") == DEFAULT_SHARES
    assert sum(each.share for each in DEFAULT_SHARES.values()) == pytest.approx(1.0)


@given(st.text(max_size=60))
def test_no_words_for_shares_break_their_reading(given: str) -> None:
    with contextlib.suppress(ValueError):
        parse_shares(given)
