"""What goes into a segment: each thing once, the best first, shortened before it is dropped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.context.budget import count_tokens
from arxivscout.context.competing import fill
from arxivscout.context.segments import Item, SegmentReport

LINE = "- 2026-03-0{day} (id {id}, thread t): {text}"


def lines(*texts: str) -> list[Item]:
    return [
        Item(LINE.format(day=at + 1, id=f"abc{at}", text=text), f"abc{at}")
        for at, text in enumerate(texts)
    ]


def filled(items: list[Item], room: int = 10_000) -> tuple[list[str], SegmentReport]:
    report = SegmentReport("findings", room)
    return fill(items, room, report), report


@given(
    st.lists(
        st.builds(Item, st.text(max_size=200), st.uuids().map(str), st.floats(0, 1)), max_size=12
    ),
    st.integers(-5, 300),
)
def test_lines_stay_within_their_room_in_their_order(items: list[Item], room: int) -> None:
    kept, report = filled(items, room)
    assert sum(count_tokens(line) + 1 for line in kept) <= max(room, 0)
    assert report.tokens == sum(count_tokens(line) + 1 for line in kept)
    told = {e["source"] for e in report.items} | {e["source"] for e in report.cut}
    assert told == {item.source for item in items}


def test_near_duplicates_go_in_once() -> None:
    kept, report = filled(
        lines(
            "Teleportation of neutral mesons is verified by a measurement of CP in decays.",
            "Teleportation of neutral mesons is verified by a measurement of CP in decays!",
            "Sparse attention speeds up long generation.",
        )
    )
    assert len(kept) == 2
    assert report.cut == [{"source": "abc1", "reason": "the same text again"}]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "In the large run on the test set the new model reached an accuracy of 91.2 percent.",
            "In the large run on the test set the new model reached an accuracy of 91.3 percent.",
        ),
        (
            "For the report on mesons we found that the old method is good enough to be used.",
            "For the report on mesons we found that the old method is not good enough to be used.",
        ),
    ],
)
def test_what_differs_by_a_number_or_a_no_is_no_duplicate(one: str, other: str) -> None:
    assert len(filled(lines(one, other))[0]) == 2


def test_where_room_is_scarce_value_per_token_decides_after_the_best() -> None:
    items = [
        Item("The best one is here. " * 3, "best", 0.9),
        Item("A long one that takes a great deal of room. " * 12, "long", 0.8),
        Item("A short one that fits.", "short", 0.6),
    ]
    kept, report = filled(items, 40)
    assert kept == [items[0].text, items[2].text]
    assert report.cut == [{"source": "long", "reason": "no room left"}]
