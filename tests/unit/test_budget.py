"""Token counts, shortening, and the sharing of a window."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from arxivscout.context.budget import count_tokens, share_out, shorten

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


@given(st.integers(-50, 5_000), WANTS)
def test_shares_never_exceed_the_room_nor_a_want(room: int, wants: dict[str, int]) -> None:
    given_out = share_out(room, wants, dict.fromkeys(wants, 0.25), tuple(wants))
    assert sum(given_out.values()) <= max(room, 0)
    assert all(0 <= given_out[name] <= wants[name] for name in wants)


@given(st.integers(0, 5_000), WANTS)
def test_no_room_is_left_while_somebody_wants_more(room: int, wants: dict[str, int]) -> None:
    given_out = share_out(room, wants, dict.fromkeys(wants, 0.25), tuple(wants))
    assert sum(given_out.values()) == min(room, sum(wants.values()))


def test_what_one_leaves_unused_goes_to_the_next_in_priority() -> None:
    given_out = share_out(
        100, {"a": 10, "b": 90, "c": 90}, {"a": 0.5, "b": 0.25, "c": 0.25}, ("a", "c", "b")
    )
    assert given_out == {"a": 10, "b": 25, "c": 65}
