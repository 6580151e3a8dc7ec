"""`/why`: each sentence that cites a paper with its own verdict and passage."""

from __future__ import annotations

import pytest

from arxivscout.agent.events import Citation
from arxivscout.checking.cited import CitedSentence
from arxivscout.cli.chat.answers import show_support

GOOD = CitedSentence("Mesons teleport.", "supported", "Teleportation of mesons is shown.")
BAD = CitedSentence("It costs 42 euro.", "unsupported", "")
PLACED = CitedSentence("It was 77 K.", "supported", "Cooled to 77 K.", "Methods > Cooling", 4)


def shown(capsys: pytest.CaptureFixture[str], *sentences: CitedSentence) -> list[str]:
    citation = Citation(
        arxiv_id="0712.2288",
        title="CP Measurement",
        url="https://arxiv.org/abs/0712.2288",
        verdict=min((each.verdict for each in sentences), key="unsupported supported".index),
        passage=sentences[0].passage,
        sentences=sentences,
    )
    assert Citation.from_json(citation.to_json()) == citation
    show_support(1, citation)
    return [line.strip() for line in capsys.readouterr().out.splitlines()]


def test_each_sentence_has_its_passage(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, GOOD, BAD)
    at = lines.index("Mesons teleport.")
    assert lines[at:] == [
        "Mesons teleport.",
        "supported: what is held of the paper says so",
        "▎ Teleportation of mesons is shown.",
        "It costs 42 euro.",
        "unsupported: what is held of the paper does not say so",
        "No passage of it is held that bears on the sentence.",
    ]
    lines = shown(capsys, GOOD)  # one is not repeated
    assert "Mesons teleport." not in lines
    assert lines[-1] == "▎ Teleportation of mesons is shown."
    lines = shown(capsys, GOOD, PLACED)
    at = lines.index("▎ Cooled to 77 K.")
    assert lines[at + 1] == "in its full text: Methods > Cooling, p. 4"
