"""No answer, however it is made, keeps the check at work for long or stops it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from arxivscout.checking.source import Source
from arxivscout.checking.verdicts import Checked, check_answer
from arxivscout.papers import Paper

MESONS = Paper(
    arxiv_id="0712.2288",
    title="CP Measurement in Quantum Teleportation",
    abstract="Teleportation of neutral mesons can be verified. Conservation laws fix the basis.",
    authors=("Yu Shi",),
)
C = "[arXiv:0712.2288]"

HOSTILE = {
    "citations at a line's start": "Shown.\n" + ", ".join([C] * 10_000) + " Then more",
    "citations in a row": "Shown.\n" + C * 10_000 + " Then more",
    "a table's rule": "|a|b|\n|" + "-" * 200_000 + "x|\n",
    "initials": "Seen " + "A." * 1000 + " did it " + C,
    "initials apart": "A. " * 60_000 + C,
    "a list of people": "Aaa Bbb, " * 20_000 + C,
    "people without a list": "Aaa Bbb " * 20_000 + C,
    "authors": "author " + "Aaa, " * 40_000 + C,
    "commas": "Smith" + " , " * 50_000 + C,
    "particles": "de " * 60_000 + C,
    "particles before a name": "by " + "van der " * 25_000 + "Aaa" + C,
    "number words": "hundred million " * 12_000 + C,
    "numbers": " ".join(map(str, range(30_000))) + C,
    "bullets": f"- a fact about mesons {C}\n" * 7_000,
    "rows": f"|a|b {C}|\n" * 6_000,
    "ends and blanks": "a.\n \n" * 40_000 + C,
    "quotation marks": "“a”" * 60_000 + C,
    "typed quotation marks": '"a ' * 60_000 + C,
    "stars": "**a" * 60_000 + C,
    "brackets": "[a](" * 50_000 + C,
    "blanks": ("a" + " " * 1000) * 200 + C,
    "comparisons": "mesons decay faster than " * 5_000 + C,
    "deeds": "mesons cause it from a to " * 5_000 + C,
    "one word": "A'a" * 60_000 + C,
}


def embed(texts: list[str]) -> NDArray[np.float32]:
    return np.full((len(texts), 4), 0.5, dtype=np.float32)


def check(answer: str) -> Checked:
    return check_answer(answer, {"0712.2288": Source(MESONS)}, embed)


@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.timeout(60)
def test_a_long_answer_is_checked_to_its_end(answer: str) -> None:
    check(answer)


@pytest.mark.parametrize(
    "mark", ["\ue00099\ue001", "\ue0000\ue001", "\ue000" + "9" * 5000 + "\ue001"]
)
def test_private_characters_in_an_answer_are_no_marks(mark: str) -> None:
    found = check(f"[{mark}] Teleportation of neutral mesons can be verified {C}.")
    assert found.verdicts["0712.2288"].verdict == "supported"


def test_what_is_past_the_limit_is_not_checked_and_that_is_said() -> None:
    found = check("- Tea is green.\n" * 400 + f"It is 42 % of bread {C}.")
    assert found.verdicts["0712.2288"].verdict == "unchecked"
    assert found.problems[-1] == "only the first 300 statements of the answer were checked"


def test_a_sentence_without_an_end_is_checked_to_its_end() -> None:
    found = check("mesons and conservation laws and " * 200 + f"42 % of bread {C}.")
    assert found.verdicts["0712.2288"].problems == ("the number 42 % does not occur in the source",)
