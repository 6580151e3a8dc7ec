"""A model's summary is held against what was said."""

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.context.budget import count_tokens
from arxivscout.context.checked_summary import checked_summary
from arxivscout.context.importance import facts

TALK = [
    ("user", "We decided to keep run 1007, because run 1003 was noisy. What limits it?"),
    ("assistant", "Dead time limits it to 5,000 events a day [arXiv:0712.2288]. " * 2),
    ("user", "Good. The deadline is 3 May, and we must stay below 40 GB. " + "It is so. " * 60),
]


def test_a_line_with_a_number_that_nobody_said_is_left_out() -> None:
    text = "They keep run 1007.\nDead time limits it to 9,000 events a day."

    summary = checked_summary(text, TALK, 60)

    assert "run 1007" in summary
    assert "9,000" not in summary


def test_an_invented_paper_is_left_out() -> None:
    summary = checked_summary("See arXiv:2101.00001 on run 1007.\nThey keep run 1007.", TALK, 60)

    assert "2101.00001" not in summary


def test_what_the_model_left_out_is_added_in_the_speakers_words() -> None:
    summary = checked_summary("They keep run 1007.", TALK, 60)

    wanted = {fact for _, text in TALK for fact in facts(text)}
    assert wanted <= set(facts(summary))
    assert "deadline is 3 May" in summary


def test_a_model_that_says_nothing_true_has_made_no_summary() -> None:
    assert checked_summary("All 77 runs were kept in 1999.", TALK, 60) == ""
    assert checked_summary("", TALK, 60) == ""


def test_a_model_that_goes_on_and_on_is_cut() -> None:
    summary = checked_summary("They keep run 1007 for good. " * 5_000, TALK, 60)

    assert count_tokens(summary) <= 0.6 * sum(count_tokens(text) for _, text in TALK)


@given(
    text=st.text(max_size=300),
    said=st.lists(
        st.tuples(st.sampled_from(["user", "assistant", "summary"]), st.text(max_size=200)),
        max_size=5,
    ),
    tokens=st.integers(1, 400),
)
def test_no_summary_holds_a_fact_that_was_not_said(
    text: str, said: list[tuple[str, str]], tokens: int
) -> None:
    heard = {fact.casefold() for _, each in said for fact in facts(each)}
    summary = checked_summary(text, said, tokens)
    first = summary.partition("\nin their words:")[0]

    assert all(fact.casefold() in heard for line in first.splitlines() for fact in facts(line))
