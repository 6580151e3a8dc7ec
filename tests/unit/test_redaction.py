"""Secrets and addresses do not stay in what is kept; the numbers of science do."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.redaction import ADDRESS, PHONE, SECRET, holds_secret, redacted

WORDS = st.text(string.ascii_letters + " .,:;!?@()+-=/\"'0123456789é\n[]", max_size=60)
ALNUM = string.ascii_letters + string.digits
KEYS = st.one_of(
    st.text(ALNUM, min_size=24, max_size=48).map("sk-proj-".__add__),
    st.text(ALNUM, min_size=36, max_size=36).map("ghp_".__add__),
    st.text(ALNUM, min_size=34, max_size=34).map("hf_".__add__),
    st.text(string.ascii_uppercase + string.digits, min_size=16, max_size=16).map("AKIA".__add__),
    st.text(ALNUM, min_size=35, max_size=35).map("AIza".__add__),
)
NAMES = st.text(string.ascii_lowercase, min_size=2, max_size=10)
EMAILS = st.builds("{}.{}@{}.{}".format, NAMES, NAMES, NAMES, st.sampled_from(["org", "ch", "edu"]))
PHONES = st.builds(
    "+{} {} {} {}".format,
    st.integers(1, 99),
    st.integers(100, 999),
    st.integers(100, 999),
    st.integers(1000, 9999),
)


@given(WORDS, st.one_of(KEYS, EMAILS, PHONES), WORDS)
def test_no_secret_is_left_wherever_it_stands(before, secret, after):
    assert secret not in redacted(f"{before} {secret} {after}")


@given(st.one_of(WORDS, st.text(max_size=200)))
def test_redacting_again_changes_nothing(text):
    once = redacted(text)
    assert redacted(once) == once
    assert holds_secret(text) == (once != text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("my password is hunter2", f"my password is {SECRET}"),
        ("password: correcthorse", f"password: {SECRET}"),
        ("My API key is abc123def456", f"My API key is {SECRET}"),
        ("OPENAI_API_KEY=abc123", f"OPENAI_API_KEY={SECRET}"),
        ("la mia password è gattonero1", f"la mia password è {SECRET}"),
        ("mein Passwort ist geheim1", f"mein Passwort ist {SECRET}"),
        ("Authorization: Bearer abcdef1234567890", f"Authorization: {SECRET}"),
        ("postgresql://scout:pw@db.example/x", f"postgresql://{SECRET}@db.example/x"),
        ("write to anna.b@cern.ch please", f"write to {ADDRESS} please"),
        ("write to anna (at) cern (dot) ch", f"write to {ADDRESS}"),
        ("call me at 022 767 61 11", f"call me at {PHONE}"),
        ("or +41 22 767 61 11.", f"or {PHONE}."),
        ("(415) 555-2671 is mine", f"{PHONE} is mine"),
        ("my card is 4111 1111 1111 1111", f"my card is {SECRET}"),
        ("IBAN CH93 0076 2011 6238 5295 7", f"IBAN {SECRET}"),
        ("key Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z", f"key {SECRET}"),
    ],
)
def test_what_is_taken_out(text, left):
    assert redacted(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "arXiv:2301.12345v2 and hep-th/9901001 of 1999-2003",
        "doi 10.1103/PhysRevLett.116.061102, pages 0123-4567",
        "The mass is 125.25 ± 0.17 GeV, not 1 000 000 eV or 3.14159265358979",
        "commit 3f2a9c0b1d4e5f60718293a4b5c6d7e8f9012345",
        "memory 0f8fad5b-d9cb-469f-a165-70867728950e",
        "next-token prediction: the token is a word, the secret is attention",
        "secret sharing: a scheme; the password is needed to log in",
        "we sampled 4096 points on 2024-05-03 at 10:30:00",
        "from 2015 to 2020, 10-20 papers a month, 299 792 458 m/s",
        "a 1234-5678 grid, @ 5 sigma, f(x)@g",
        "https://arxiv.org/abs/1706.03762 and https://github.com/Foo/BarBazQuxLibraryForNeuralNets",
        "BERT-large-uncased-whole-word-masking-finetuned-squad",
    ],
)
def test_what_stays(text):
    assert redacted(text) == text
    assert not holds_secret(text)
