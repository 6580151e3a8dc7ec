"""Secrets and addresses taken out of what is kept: nobody wants them remembered.

Rules of shape, and of what stands before a value ("my password is …"). Numbers of science stay:
arXiv ids, years, DOIs, quantities, hashes and ids of memories are no secrets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

SECRET, ADDRESS, PHONE = "[secret removed]", "[e-mail removed]", "[phone number removed]"
LEAST_SECRET = 4  # characters; shorter ones would blank out half of every line
_MARKS = ("secret removed", "e-mail removed", "phone number removed")

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
_IN_URL = re.compile(
    r"(?<=://)(?!git@)[^\s/@]{1,400}(?=@)|(?<=[?&]key=)[^&\s'\"]{4,200}|(?<=[?&]token=)[^&\s'\"]{4,200}"
)
_BEARER = re.compile(r"\b(?:bearer|basic)\s+(?=[\w.~+/-]*\d)[\w.~+/-]{12,}=*", re.IGNORECASE)
# What a secret is called, in five languages. `_STRONG` names mean nothing else; the others ("the
# secret is attention", "a PIN diode") need a value that looks like one, or is the person's own.
_STRONG = (
    r"pass(?:word|wd|phrase|code)s?|pwd|[\w-]{0,20}passwor[td]|kennwort|mot de passe|mdp"
    r"|contrase[ñn]a|parola d[ei]?['’ ]?(?:ordine|accesso)|clave (?:de acceso|secreta)|geheimzahl"
    r"|wi-?fi[ _-]?(?:key|code|password|passwort)|(?:wlan|wi-?fi|netzwerk)-?schl[üu]e?ssel"
    r"|(?:clé|clef|chiave|clave|codice|código) (?:du |de la |de |del |della )?"
    r"(?:wi-?fi|wlan|api|rete|réseau|red)"
    r"|(?:api|wpa2?|access|auth|secret|private|session|refresh|client|login)"
    r"[ _-]?(?:key|token|secret|schlüssel)"
)
_WEAK = (
    r"(?:ssh|vpn|encryption|recovery|security|access|door)[ _-](?:key|code)|secret|token|login|cvv"
    r"|cvc|(?<!\d)(?<!\d )pw|pin(?:[ -]?(?:code|nummer|number))?|codice (?:pin|segreto)"
    r"|code (?:pin|secret|confidentiel)|código (?:pin|secreto)"
)
_MY = r"(?:my|our|mein(?:e[mnrs]?)?|unser(?:e[mnrs]?)?|mon|ma|notre|mi|nuestr[ao]|mi[ao]|nostr[ao])"
# "for the cluster", "della rete", "I use for it": what may stand between a name and "is".
_BETWEEN = (
    r"(?:\s+\(?(?:of|for|to|on|at|in|von|vom|für|zum|zur|im|de|du|des|del|dell[ao]|dell'|per|pour"
    r"|para|di|da|al|that i|which i|i|we)\b(?:[ '’]+[\w'’.-]{1,30}\)?){1,5}?)?"
)
_NAMED = re.compile(
    rf"(?P<mine>\b{_MY}\s+(?:[\w-]+\s+){{0,2}}?)?"
    rf"(?:\b|(?<=_))(?P<name>(?P<strong>{_STRONG})|{_WEAK})\b"
    rf"(?:(?P<between>{_BETWEEN})(?P<link>[\"'”»]?\s*(?:=>?|:=?|->|→|\b(?:is|are|was|to|ist|lautet|war"
    r"|est|es|era|était|sera|will be|should be|called)(?: now| still)?\b|(?<![\w])è(?!\w))\s*)"
    r"|(?P<behind> ?[(]| ))"
    r"(?P<value>(?P<open>[\"'`“«„‘])[^\"'`”»“’\n]{3,200}(?=[\"'`”»“’])"
    r"|[\"'`“«„‘]?[^\s\"'`“”«»,;()\[\]]{3,200}+)"
    r"(?!\s?-?(?:bits?|bytes?|characters?|digits?|letters?|zeichen|caratteri|caractères|caracteres)\b)",
    re.IGNORECASE,
)
# "hunter2 is my password", "use hunter2 as the password".
_BEFORE = re.compile(
    r"(?P<value>(?<![\w.-])(?=[^\s\"'`“”«»,;]{0,200}\d)[^\s\"'`“”«»,;()\[\]]{4,200})"
    r"(?P<rest>[\"'`”»]?\s+(?:is|ist|est|es|è|as|als|comme|como|come)\s+"
    rf"(?:{_MY}\s+|(?:the|a|das|la|le|il|el)\s+)?(?:[\w-]+\s+)?(?:{_STRONG}|pin)\b"
    r"(?=\s*(?:[.,;!?)]|$|\b(?:for|of|on|für|von|pour|per|de|del|para)\b)))",
    re.IGNORECASE | re.MULTILINE,
)
_EMAIL = re.compile(
    r"(?<![\w.+%'-])[\w.+%'-]{1,64}+\s?(?:@|\(at\)|\[at\]|\{at\}|＠)\s?"
    r"(?:(?P<label>[^\W_][\w-]{0,62})(?:\.|\s?(?:\(dot\)|\[dot\])\s?)){1,6}"
    r"(?P<top>[^\W\d_]{2,24})(?![\w-])",
    re.IGNORECASE,
)
_TOPS_OF_NUMBERS = frozenset(("com", "net", "org", "cn"))  # 163.com
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
# A mark, with what names it before.
_MARKED = re.compile(
    rf" ?(?:(?:\b{_MY}\s+)?(?:\b|(?<=_))(?:{_STRONG}|{_WEAK})\b[^\[\]\n.!?]{{0,40}})?"
    rf"\[(?:{'|'.join(_MARKS)})\][ ,;:.]*",
    re.IGNORECASE,
)
# A long run of letters of both cases and digits is a key; hashes and UUIDs have one case.
_RANDOM = re.compile(r"(?<![\w/+.-])(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])[\w+/-]{32,}={0,2}(?![\w])")


def redacted(text: str) -> str:
    """`text` with a mark in the place of each secret, e-mail address and phone number; idempotent.

    Linear in the length but for a small factor: every pattern is bounded.
    """
    for pattern, mark in _RULES:
        text = pattern.sub(mark, text)
    return text


def without_marks(text: str) -> str:
    """Redacted `text` without the marks and what they are called ("my token = …"): what is left
    to look for."""
    return _MARKED.sub(" ", text).strip()


def hidden(text: str, secrets: Iterable[str]) -> str:
    """`text` with a mark in the place of each of these secrets, whatever their shape."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= LEAST_SECRET:
            text = text.replace(secret, SECRET)
    return text


def holds_secret(text: str) -> bool:
    """Whether anything would be taken out of `text`."""
    return redacted(text) != text


def _named(found: re.Match[str]) -> str:
    start = found.start("value") - found.start()
    value = found["value"]
    quoted = bool(found["open"])
    bare = value.lstrip("\"'`“«„‘")
    start += len(value) - len(bare)
    kept = found[0][:start] + SECRET
    if bare.startswith(_MARKS) or not _is_value(found, bare.rstrip(".!?:"), quoted=quoted):
        return found[0]
    return kept


def _is_value(found: re.Match[str], value: str, *, quoted: bool) -> bool:
    """Whether what stands behind a secret's name is the secret, and no word about it."""
    name = found["name"].lower()
    mixed = any(c.isdigit() for c in value) and not value.isdigit()
    plain = all(c.isalpha() or c in "-'’" for c in value)
    number = value.isdigit() and len(value) >= (3 if name[0] == "c" else 4)
    is_pin = "pin" in name or name[0] == "c"
    if found["behind"] is not None:  # "the password hunter2", "PIN 4711", not "password hashing"
        if found["strong"]:
            looks_like_one = quoted or mixed or number or (not plain and len(value) >= 6)
            return looks_like_one and not name.endswith("s")
        return (is_pin and number) or (name in ("pw", "login") and mixed)
    if len(value) < 4 and not number:
        return False
    # "the token is a word", "a password is needed": without a digit or a sign only what is the
    # person's own or assigned is a value.
    own = bool(found["mine"]) or bool(re.search(rf"\b{_MY}\b", found["between"], re.IGNORECASE))
    assigned = found["link"].strip(" \"'”»") in ("=", ":", ":=", "=>", "->", "→")
    if (
        found["link"].strip().lower() == "to"
    ):  # "changed the password to …", not "a password to log"
        return not plain or quoted
    stated = own or assigned
    if found["strong"]:
        return quoted or stated or not plain
    return (is_pin and number) or (stated and (quoted or not plain))


def _before(found: re.Match[str]) -> str:
    value = found["value"]
    if not any(c.isalpha() for c in value) and not re.fullmatch(r"\d{4,12}", value):
        return found[0]
    return SECRET + found["rest"]


def _called(found: re.Match[str]) -> str:
    digits = sum(c.isdigit() for c in found["number"])
    return found["cue"] + PHONE if digits >= 7 else found[0]


def _email(found: re.Match[str]) -> str:
    """Not "recall@10.In all …", where a sentence begins without a blank."""
    is_number = found["label"].isdigit() and found["top"].lower() not in _TOPS_OF_NUMBERS
    return found[0] if is_number else ADDRESS


def _phone(found: re.Match[str]) -> str:
    """Not "+67.40 69.80", numbers with a decimal point each."""
    digits = sum(c.isdigit() for c in found[0])
    decimals = all(re.fullmatch(r"\+?\d+\.\d+", each) for each in found[0].split())
    return PHONE if 8 <= digits <= 16 and not decimals else found[0]


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
    (_BEFORE, _before),
    (_EMAIL, _email),
    (_CALLED, _called),
    (_PHONE, _phone),
    (_CARD, _card),
    (_IBAN, _iban),
    (_RANDOM, _random),
)
