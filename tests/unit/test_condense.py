"""A condensed conversation keeps what was decided, counted, dated and named."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.context.budget import count_tokens
from arxivscout.context.condense import condense
from arxivscout.context.importance import decides, facts
from arxivscout.papers.sentences import split_sentences

THREAD = [
    ("user", "Hello there! I hope that you are well today. What is known about neutral mesons?"),
    (
        "assistant",
        "Teleportation of mesons is verified by a measurement of CP [arXiv:0712.2288]. "
        "The basis is fixed by conservation laws. It was a nice question by the way, and there is "
        "a great deal more that could be said about the history of the field and its people.",
    ),
    ("user", "Thanks a lot! We decided to compare it with arXiv:0809.4859 by 12 March 2026."),
    (
        "assistant",
        "Of 1,204 events 37 % pass the cut. This is only a rough figure, as was said before, and "
        "should be read with some care by anybody who reads it in this conversation of ours.",
    ),
    ("user", "No, I meant the other cut. The report must have at most 300 words."),
    ("assistant", "Then 52.5 % pass. I will use the other cut from now on."),
] * 3
WORDS = st.sampled_from(
    "we decided to use 42 papers on 7 May 2023 arXiv:0712.2288 . it was nice ! must 3.5 %".split()
)


def kept(messages: list[tuple[str, str]], text: str) -> tuple[float, float]:
    """Shares of facts and of decisions that are in `text`."""
    sentences = [part for _, said in messages for part in split_sentences(said)]
    wanted = [fact for part in sentences for fact in facts(part)]
    held = set(facts(text))
    decided = [" ".join(part.split()) for part in sentences if decides(part)]
    return (
        sum(fact in held for fact in wanted) / max(len(wanted), 1),
        sum(part in text for part in decided) / max(len(decided), 1),
    )


def test_ids_numbers_dates_and_decisions_stay_and_small_talk_goes() -> None:
    size = sum(count_tokens(text) for _, text in THREAD)
    text = condense(THREAD, size // 4)
    assert kept(THREAD, text) == (1.0, 1.0)
    assert count_tokens(text) < 0.7 * size
    assert "history of the field" not in text


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["user", "assistant"]), st.lists(WORDS, max_size=40).map(" ".join)
        ),
        max_size=12,
    ),
    st.integers(0, 400),
)
def test_a_summary_is_never_longer_than_it_may_be(
    messages: list[tuple[str, str]], tokens: int
) -> None:
    # Roles stand in front of a message's lines.
    size = sum(count_tokens(text) for _, text in messages) + 6 * len(messages)
    assert count_tokens(condense(messages, tokens)) <= max(tokens, size) + 4
    assert count_tokens(condense(messages, tokens, whole=False)) <= tokens + 1


def test_a_summary_of_summaries_has_their_lines_as_they_are() -> None:
    first = condense(THREAD[:3], 200)
    both = condense([("summary", first), ("summary", "user: We agreed on 5 papers.")], 400)
    assert "user: We agreed on 5 papers." in both.splitlines()
    assert set(both.splitlines()) <= {*first.splitlines(), "user: We agreed on 5 papers."}


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=200))))
def test_no_text_breaks_it(messages: list[tuple[str, str]]) -> None:
    condense(messages, 50)
