"""Secrets and addresses taken out of what is kept: nobody wants them remembered.

Rules of shape, and of what stands before a value ("my password is …"). Numbers of science stay:
arXiv ids, years, DOIs, quantities, hashes and ids of memories are no secrets.
"""

from __future__ import annotations

import re
from collections.abc import Callable

SECRET, ADDRESS, PHONE = "[secret removed]", "[e-mail removed]", "[phone number removed]"

# Keys that their issuers made recognisable, private keys, tokens of three parts.
_KEYS = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:.*?-----END [A-Z ]{0,40}PRIVATE KEY-----|.*\Z)"
    r"|\b(?:sk|pk|rk)[-_](?:[a-z]{2,12}[-_]){0,3}[A-Za-z0-9_-]{16,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bhf_[A-Za-z0-9]{20,}"
    r"|\bxox[abeoprs]-[\w-]{10,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}"
    r"|\blsv2_(?:pt|sk)_\w{16,}|\b(?:npm|pypi|dop|shpat)[-_]\w{20,}|\bya29\.[\w-]{20,}"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}",
    re.DOTALL,
)
_IN_URL = re.compile(r"(?<=://)[^\s/:@]{1,200}:[^\s/@]{1,200}(?=@)")
_BEARER = re.compile(r"\b(?:bearer|basic)\s+(?=[\w.~+/-]*\d)[\w.~+/-]{12,}=*", re.IGNORECASE)
_NAMED = re.compile(
    r"(?P<mine>\b(?:my|our|the|his|her|mein|meine|unser|mon|notre|mi|nuestra|la mia|il mio)\s+"
    r"(?:[\w-]+\s+){0,2}?)?"
    r"(?:\b|(?<=_))(?P<name>pass(?:word|wd|phrase|code)s?|pwd|passwor[td]|kennwort|mot de passe"
    r"|contraseña|parola d'ordine|api[ _-]?(?:key|token|secret)|(?:access|auth|secret|private"
    r"|session|refresh|client|login)[ _-]?(?:key|token|secret)|secret|token|pin(?: code)?|cvv)"
    r"(?P<link>[\"']?\s*(?:=|:=?|\bis\b|\bist\b|\best\b|\bes\b|è)\s*)[\"'`]?"
    r"(?P<value>[^\s\"'`,;]{4,200})",
    re.IGNORECASE,
)
_WEAK_NAMES = ("secret", "token", "pin", "pin code", "cvv")
_EMAIL = re.compile(
    r"(?<![\w.+%'-])[\w.+%'-]{1,64}\s?(?:@|\(at\)|\[at\]|\{at\}|＠)\s?"
    r"(?:[^\W_][\w-]{0,62}(?:\.|\s?(?:\(dot\)|\[dot\])\s?)){1,6}[^\W\d_]{2,24}(?![\w-])",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<![\w.+/-])(?:\+\s?\d{1,3}|00\d{2})(?:[ ./-]?\(?\d{1,5}\)?){2,6}(?![\w/])"
    r"|(?<![\w.+/:-])\(?[2-9]\d{2}\)?[ .-]\d{3}[.-]\d{4}(?![\w/-])"
    r"|(?<![\w.+/-])\(0\d{1,5}\)[ ./-]?\d{2,}(?:[ ./-]\d{2,}){0,4}(?![\w/])"
)
_CALLED = re.compile(
    r"(?P<cue>\b(?:phone|telephone|telefono|téléphone|teléfono|telefon|mobile|cell|handy|whatsapp"
    r"|tel|fax|call me (?:at|on)|text me (?:at|on))\b[^\d\n]{0,20})"
    r"(?P<number>\(?\+?\d[\d ()./-]{5,18}\d)",
    re.IGNORECASE,
)
_CARD = re.compile(r"(?<![\w.-])\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?![\w-])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b")
# A long run of letters of both cases and digits is a key; hashes and UUIDs have one case.
_RANDOM = re.compile(r"(?<![\w/+.-])(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])[\w+/-]{32,}={0,2}(?![\w])")


def redacted(text: str) -> str:
    """`text` with a mark in the place of each secret, e-mail address and phone number; idempotent.

    Linear in the length but for a small factor: every pattern is bounded.
    """
    for pattern, mark in _RULES:
        text = pattern.sub(mark, text)
    return text


def holds_secret(text: str) -> bool:
    """Whether anything would be taken out of `text`."""
    return redacted(text) != text


def _named(found: re.Match[str]) -> str:
    value = found["value"]
    plain = value.strip(".!?)").isalpha()
    name = found["name"].lower()
    weak = name in _WEAK_NAMES
    # "the token is a word", "a password is needed": without a digit or a sign only what is the
    # person's own or assigned is a value.
    assigned = found["link"].strip(" \"'") in ("=", ":", ":=")
    own = bool(found["mine"]) and not found["mine"].lower().startswith("the")
    stated = own or assigned
    is_value = stated and not plain if weak else stated or not plain
    if value.startswith("[secret") or not is_value:
        return found[0]
    start = found.start("value") - found.start()
    end = found.end("value") - found.start()
    return found[0][:start] + SECRET + found[0][end:]


def _called(found: re.Match[str]) -> str:
    digits = sum(c.isdigit() for c in found["number"])
    return found["cue"] + PHONE if digits >= 7 else found[0]


def _phone(found: re.Match[str]) -> str:
    return PHONE if 8 <= sum(c.isdigit() for c in found[0]) <= 16 else found[0]


def _card(found: re.Match[str]) -> str:
    """Numbers whose check digit is right (Luhn)."""
    digits = [int(c) for c in found[0] if c.isdigit()]
    doubled = [d * 2 - 9 * (d > 4) for d in digits[-2::-2]]
    return SECRET if (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0 else found[0]


def _iban(found: re.Match[str]) -> str:
    """Accounts whose check digits are right (ISO 13616)."""
    plain = found[0].replace(" ", "")
    number = "".join(str(int(c, 36)) for c in plain[4:] + plain[:4])
    return SECRET if int(number) % 97 == 1 else found[0]


def _random(found: re.Match[str]) -> str:
    """Enough digits among letters of both cases, and no path or name made of words."""
    text = found[0]
    digits = sum(c.isdigit() for c in text)
    words = re.findall(r"[A-Za-z][a-z]{3,}", text)
    is_key = digits >= 4 and sum(map(len, words)) < len(text) / 2
    return SECRET if is_key else text


_RULES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_KEYS, SECRET),
    (_IN_URL, SECRET),
    (_BEARER, SECRET),
    (_NAMED, _named),
    (_EMAIL, ADDRESS),
    (_CALLED, _called),
    (_PHONE, _phone),
    (_CARD, _card),
    (_IBAN, _iban),
    (_RANDOM, _random),
)
