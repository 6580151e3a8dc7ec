"""Recalled messages as lines: a thread's day is one, what belongs together stands together."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.context.earlier import LONGEST, SHOWN, earlier_items
from arxivscout.context.repeated import answered_before, repeated_item
from arxivscout.llm.extractive_reading import parse_items


def row(place: int, text: str, **changed: Any) -> dict[str, Any]:
    role = "user" if place % 2 else "assistant"
    return {
        "id": f"{place:08d}-0000-0000-0000-000000000000",
        "role": role,
        "speaker": role,
        "text": text,
        "at": "2026-03-04T10:00:00+00:00",
        "thread_id": "mesons",
        "thread": 7,
        "place": place,
        "bears": 1.0,
        "score": 1.0,
        "other_id": None,
        "other_speaker": "assistant" if role == "user" else "user",
        "other_text": None,
        "question": None,
        "cited": None,
        **changed,
    }


def test_an_exchange_is_one_line_with_its_day_and_thread() -> None:
    items = earlier_items([row(2, "They decay."), row(1, "What do mesons do?")])
    assert [item.text for item in items] == [
        "- 2026-03-04 (thread mesons): asked: What do mesons do? | answered: They decay."
    ]


def test_a_message_brings_along_the_other_half_of_its_exchange() -> None:
    items = earlier_items([row(2, "They decay.", other_text="What do mesons do?")])
    assert "asked: What do mesons do? | answered: They decay." in items[0].text


def test_what_was_said_apart_in_a_day_stands_apart() -> None:
    items = earlier_items([row(1, "One."), row(5, "Two.")])
    assert items[0].text.endswith("asked: One. … asked: Two.")


def test_threads_and_days_have_lines_of_their_own_best_first() -> None:
    other = row(3, "Later.", at="2026-03-05T10:00:00+00:00", score=0.5)
    another = row(1, "Elsewhere.", thread=9, thread_id="dark (matter)")
    items = earlier_items([row(1, "One."), another, other])
    assert [item.text.partition(": ")[0] for item in items] == [
        "- 2026-03-04 (thread mesons)",
        "- 2026-03-04 (thread dark (matter)",
        "- 2026-03-05 (thread mesons)",
    ]


def test_who_has_a_name_is_called_by_it() -> None:
    assert "Ada: Hello." in earlier_items([row(1, "Hello.", speaker="ada")])[0].text


@given(st.lists(st.tuples(st.integers(1, 40), st.text(max_size=600)), max_size=30))
def test_any_messages_are_lines_that_a_reader_takes_apart(said: list[tuple[int, str]]) -> None:
    items = earlier_items([row(place, text) for place, text in dict(said).items()])
    for item in items:
        (parsed,) = parse_items(item.text)
        assert parsed.date == "2026-03-04" and parsed.about == ("thread mesons",)
        assert "\n" not in item.text and "[arXiv:" not in item.text
    assert sum(item.text.count("asked: ") for item in items) <= SHOWN + LONGEST * len(said)


def test_the_same_question_is_noticed_in_other_words_that_mean_nothing() -> None:
    asked = "What is known about neutral mesons?"
    before = row(2, "Much.", question=asked, cited="0712.2288 0809.4859")
    other = row(4, "No.", question="What is not known about neutral mesons?", cited="0712.2288")
    uncited = row(6, "Nothing.", question=asked)
    found = answered_before("Tell me what is known about neutral mesons", [other, uncited, before])
    assert found is before
    assert answered_before("What is known about charged mesons?", [before]) is None


def test_a_repeated_question_has_its_day_papers_and_what_is_new() -> None:
    before = row(2, "Much.", question="What of mesons?", cited="0712.2288 0809.4859")
    text = repeated_item(before, ["2505.21638"]).text
    assert text == (
        "- 2026-03-04 (thread mesons): the same question was answered before"
        " | asked: What of mesons? | from: [arXiv:0712.2288], [arXiv:0809.4859]"
        " | stored since: [arXiv:2505.21638] | answered: Much."
    )
    assert "stored since: nothing that fits" in repeated_item(before, []).text
