"""Secrets and addresses do not stay in what is kept; the numbers of science do."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.llm.extractive_requests import find_request
from arxivscout.redaction import ADDRESS, PHONE, SECRET, holds_secret, redacted, without_marks

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
        ("Wrong API key provided: sk-abc123def456ghi789", f"Wrong API key provided: {SECRET}"),
        ("OPENAI_API_KEY=abc123", f"OPENAI_API_KEY={SECRET}"),
        ("la mia password è gattonero1", f"la mia password è {SECRET}"),
        ("mein Passwort ist geheim1", f"mein Passwort ist {SECRET}"),
        ("Authorization: Bearer abcdef1234567890", f"Authorization: {SECRET}"),
        ("postgresql://scout:pw@db.example/x", f"postgresql://{SECRET}@db.example/x"),
        ("write to anna.b@cern.ch please", f"write to {ADDRESS} please"),
        ("write to anna (at) cern (dot) ch", f"write to {ADDRESS}"),
        ("call me at 022 767 61 11", f"call me at {PHONE}"),
        ("or +41 22 767 61 11.", f"or {PHONE}."),
        ("or +41 22.767.6111 or +39.02.1234.5678", f"or {PHONE} or {PHONE}"),
        ("123456@163.com", ADDRESS),
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
        "H0 = +67.40 69.80 73.04 km/s/Mpc",
        "mAP@0.5 and recall@10.In all of them, P@5.The rest",
    ],
)
def test_what_stays(text):
    assert redacted(text) == text
    assert not holds_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "I decided to use the password hunter2Secret! for the cluster.",
        "I use the login annav with pw: Gatto99!",
        "Remember that my wifi key is 'blue-Lagoon-77'.",
        "Remember that the PIN of my card is 4711.",
        "My card's PIN is 4711.",
        "The password for the cluster is hunter2.",
        "The password for my cluster is Lagoon.",
        'my passphrase is "correct horse battery staple".',
        "la password della rete è Gatto99",
        "La mia password è gattonero",
        "il mio PIN è 4711",
        "Das Passwort für den Cluster lautet Sommer2020",
        "Das WLAN-Passwort ist Sommer2020!",
        "mein WLAN-Schlüssel ist blauerSee7",
        "Mon mot de passe est soleil12",
        'le mot de passe du wifi est "soleil bleu"',
        "mi contraseña es sol99luna",
        "la contraseña del servidor es sol99luna",
        "el PIN de mi tarjeta es 4711",
        "hunter2Secret! is my password.",
        "Use hunter2x as the password for the cluster.",
        "I changed the password to hunter2x",
        'password "hello world"',
        "passwd=hello",
        "my secret: s3cr3t",
        "cvv: 123",
        "My pwd is lagoon",
        "la clave del wifi es luna77",
        "la chiave del wifi è luna77",
        "die PIN ist 4711",
        "login: annav7",
    ],
)
def test_a_secret_goes_wherever_its_name_says_so(text):
    left = redacted(text)
    assert SECRET in left and redacted(left) == left
    hidden = re.findall(r"[\w-]*\d[\w-]*|lagoon|Lagoon|gattonero|correct|soleil bleu", text)
    assert not [value for value in hidden if value in left]


@pytest.mark.parametrize(
    "text",
    [
        "password hashing with Argon2 is slow",
        "The key result is 42.5 GeV",
        "the secret sharing scheme of Shamir is 4-out-of-7",
        "PIN diode S3590 of 300 um",
        "the PIN diode is 4711 um thick",
        "key is attention",
        "the key is attention, 512 dims",
        "the login is needed",
        "10 pW: 3.5e-12 W",
        "private key is 2048 bits long",
        "a password to log in 2023",
        "The secret is self-attention",
        "password-based authentication of 2019",
        "I use the token [MASK] in BERT",
        "next token is 42",
        "tokens: 4096",
        "Our secret is that we use 4 GPUs",
        "the token budget is 4096",
        "pinning is 4711",
        "spin is 3/2",
        "access key results of 2023",
        "We study passwords in 2023 data",
        "an encryption key is 12048 bits long",
        "The password is needed to log in; a passphrase is too long for it",
        "Passwords 2013 was a conference",
        "the secret of good tuning is patience",
    ],
)
def test_words_about_secrets_and_things_of_that_name_stay(text):
    assert redacted(text) == text


NAMED = st.sampled_from(
    [
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "wifi key",
        "API key",
        "Passwort",
        "WLAN-Schlüssel",
        "mot de passe",
        "contraseña",
        "chiave del wifi",
    ]
)
LINKS = st.sampled_from([" is ", ": ", "=", " ", " ist ", " est ", " es ", " è ", " is '", ' "'])
AROUND = st.sampled_from(["", "my ", "the ", "Remember that the ", "mein ", "la mia ", "mon "])
VALUES = st.builds(
    "{}{}{}".format,
    st.text(string.ascii_letters, min_size=2, max_size=8),
    st.integers(10, 9999),
    st.text(string.ascii_letters + "!-_#$%", max_size=6),
)


@given(AROUND, NAMED, LINKS, VALUES, st.sampled_from(["", ".", " for the cluster", "', please"]))
def test_what_is_named_a_secret_is_taken_out(before, name, link, value, after):
    text = f"{before}{name}{link}{value}{after}"
    assert value not in redacted(text)
    assert redacted(redacted(text)) == redacted(text)


SIGNS = ["is", ":", "=", "my", "PIN", "of", "as", "'", '"', "(", ")", "[", "]", "to", "hf_", "+41"]
PIECES = [*SIGNS, "4711", "a@b.org", "022 767 61 11", "x7!y", "bits", "->", SECRET, PHONE, ADDRESS]
NEAR = st.lists(st.one_of(NAMED, st.sampled_from(PIECES)), max_size=12)


@given(NEAR, st.sampled_from([" ", ""]))
def test_redacting_what_is_redacted_changes_nothing(parts, between):
    once = redacted(between.join(parts))
    assert redacted(once) == once


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("my token = sk-proj-QQQQaaaaBBBBcccc1111dddd; what is known about axions?",
         "what is known about axions?"),
        ("What is known about axions? password: hunter2xx", "What is known about axions?"),
        ("My API key is AKIAABCDEFGHIJKLMNOP. Which bounds hold?", "Which bounds hold?"),
        ("Which papers of a.b@example.org are on axions?", "Which papers of are on axions?"),
        ("Is the token mixing of [1] known?", "Is the token mixing of [1] known?"),
    ],
)  # fmt: skip
def test_of_a_question_with_a_secret_the_question_is_left(words: str, left: str):
    assert without_marks(redacted(words)) == left
    assert find_request(redacted(words)).question in ("", left)


@given(st.text() | NEAR.map(" ".join))
def test_without_marks_nothing_is_made_up(text: str):
    left = without_marks(redacted(text))
    assert not any(mark in left for mark in (SECRET, ADDRESS, PHONE))
    assert without_marks(left) == left
