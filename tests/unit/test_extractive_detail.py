"""A question for a detail is answered only by a text that can hold it."""

from __future__ import annotations

import pytest
from extractive_world import starter

from arxivscout.llm.extractive_detail import asked_detail, gives

PAPERS = {paper.arxiv_id: paper for paper in starter()}


@pytest.mark.parametrize(
    ("arxiv_id", "question"),
    [
        ("1810.04805", "On how many benchmarks did BERT set new records?"),
        ("1810.04805", "What kind of network is BERT?"),
        ("1102.0291", "How many planets does Kepler-11 have?"),
        ("1102.0291", "What periods do the planets of Kepler-11 have?"),
        ("cs/9904010", "When was the survey of Internet users on privacy held?"),
        ("1307.0010", "How much can tearing speed up accretion?"),
        ("1003.0904", "What is known about dark matter?"),
        ("1003.0904", "Which papers from 2010 are about dark matter?"),
        ("1003.0904", "Which recent work by Feng is about dark matter?"),
        ("0704.0963", "Where did Einstein meet the astronomer Freundlich?"),
    ],
)
def test_what_the_text_gives(arxiv_id: str, question: str) -> None:
    assert gives(asked_detail(question), PAPERS[arxiv_id])


@pytest.mark.parametrize(
    ("arxiv_id", "question"),
    [
        ("1810.04805", "What is the vocabulary size of BERT?"),
        ("1810.04805", "How much did training BERT cost?"),
        ("0704.0858", "Who funded the honeypot experiment?"),
        ("0704.0858", "What operating system did the honeypot run?"),
        ("2101.04061", "How many images was GFP-GAN trained on?"),
        ("1102.0291", "What is the work function of Kepler-11?"),
        ("0704.0963", "What is the magnitude of Nova Geminorum 1912?"),
    ],
)
def test_what_the_text_does_not_give(arxiv_id: str, question: str) -> None:
    assert not gives(asked_detail(question), PAPERS[arxiv_id])
