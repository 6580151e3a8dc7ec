"""Titles of real papers as questions: those of two papers are two, and so is a changed one."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from arxivscout.context.same_question import question_form, same_question
from arxivscout.papers import Paper
from arxivscout.sources.files import read_papers

pytestmark = pytest.mark.records
RELATIONS = ("of", "for", "in", "on", "with", "from", "to", "by", "and", "or", "without")
EVERY = 5


@pytest.fixture(scope="module")
def titles(data_dir: Path) -> list[str]:
    read = read_papers(data_dir / "arxiv_meta/core_25k.jsonl.gz")
    return [each.title for each in read if isinstance(each, Paper) and len(each.title) < 300]


def letters(title: str) -> str:
    return re.sub(r"[^\w<>=+]|_", "", title.casefold())


def test_two_titles_are_two_questions(titles: list[str]) -> None:
    assert len(titles) > 25_000
    alike: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for title in titles:
        alike[question_form(title)].add(letters(title))
    assert [same for same in alike.values() if len(same) > 1] == []


def changed(title: str, chance: random.Random) -> Iterator[str]:
    """The title denied, with another number, and with another relation between its words."""
    words = title.split()
    place = chance.randrange(len(words))
    yield " ".join([*words[:place], "not", *words[place:]])
    yield " ".join([*words[:place], "without", *words[place:]])
    if digit := re.search(r"\d", title):
        other = str((int(digit[0]) + 1) % 10)
        yield title[: digit.start()] + other + title[digit.end() :]
    for place, word in enumerate(words):
        if word in RELATIONS:
            other = chance.choice([each for each in RELATIONS if each != word])
            yield " ".join([*words[:place], other, *words[place + 1 :]])


def test_a_title_with_one_thing_changed_is_another_question(titles: list[str]) -> None:
    chance = random.Random(5)
    same = [
        (title, other)
        for title in titles[::EVERY]
        for other in changed(title, chance)
        if same_question(title, other) is None
    ]
    assert same == []


def test_a_title_asked_for_politely_is_the_same_question(titles: list[str]) -> None:
    named = [title for title in titles[::EVERY] if re.match(r"[A-Z][a-z]{3,} [a-z]", title)]
    kept = [
        same_question(title, f"Could you please show me papers on {title}?") is None
        for title in named
    ]
    assert sum(kept) > 0.9 * len(kept)
