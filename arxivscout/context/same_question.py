"""Do two questions ask the same? By form alone: what may differ is what carries no meaning.

Either question is brought to a form: how it is asked ("could you show me papers on …") goes, and so
do articles, forms of "be" and "do", plural endings, spellings and typography. Whatever is left must
be the same words in the same order, so that a negation, a number, a name, an id, a unit, a
preposition or a quantifier that differs is another question, with no list of such words. Order has
no meaning in three places only: "detection of dark matter" is "dark matter detection", either side
of an "and" may come first, and "heated by stars" is "stars heat".

Synonyms and abbreviations are other words here: no measure tells "increase" from "decrease" and
"enhance" from "improve", and a wrong answer is worse than one more search.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass

from arxivscout.context.asking_frames import unframed
from arxivscout.papers import PaperId, fold_accents, one_line
from arxivscout.papers.accents import accents_to_unicode
from arxivscout.papers.language import language_of

# Articles, and forms of "be" and "do": they carry tense and number, and ask.
_EMPTY = frozenset("a an the is are was were be been being am do does did that what which".split())
_SAME = {"has": "have", "had": "have"} | {
    word: str(number)
    for number, word in enumerate("two three four five six seven eight nine ten".split(), start=2)
}
_MODALS = frozenset("can could may might must shall should will would".split())
_ASKING = frozenset("how who whom whose when where why".split()) | _MODALS
# Behind any of these begins another part of a sentence.
_PARTS = frozenset(
    """about above across after against along among and around as at before behind below beneath
    beside besides between beyond but by despite during except for from if in inside into like near
    of off on onto or out outside over per since than through to toward towards under until unlike
    upon versus via vs when where whether while who with within without""".split()
)
# What these bear on is told by their place alone.
_FOCUS = frozenset("also always even just mostly never no not often only".split())
_DENIALS = frozenset("not no never none neither nor without cannot fail fails lack lacks".split())
# In capitals these are names, WHO, IT, US, and so are Be, As and In within a sentence.
_NAMES_IN_CAPITALS = _EMPTY | _PARTS | _FOCUS | {"us", "it", "we", "me", "who"}
_NO_PLURALS = frozenset("always as gas his its less mathematics means news physics plus series "
                        "species this thus us was is has does".split())  # fmt: skip

_MATHS = re.compile(r"\$(?=\S)([^$]*)(?<=\S)\$")
_LATEX = re.compile(r"\\(?=[A-Za-z])|[{}_]|(?<=\S)\\")
_DASHES = re.compile("[‐‑‒–—―−]")
_QUOTES = str.maketrans("’‘“”„«»", '\'\'"""""')
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_UNIT = re.compile(r"(?<=\d)(?=%|(?:[A-Za-zµμΩ]{1,4})(?![\w]))")  # 77K, 5%, 7B
_SHORT = re.compile(r"(?<=[a-z])n't\b", re.IGNORECASE)
_IS_SHORT = re.compile(
    r"\b(what|who|it|that|there|here|how|where|when)'s\b|\b(you|they|we)'re\b", re.IGNORECASE
)
_POSSESSIVE = re.compile(r"'s?(?=\s|$|[.,;:?!)])")
_MINUTES = re.compile(r"(?<=\d)(?:''|\"|'(?!s))")
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_ENDS_IN_E = re.compile(r"(?:[cvuz]|[^s]s|[^n]g|[^eo]at|[^aeiou]l)$")
_AROUND = ".,;:?!\"'()[]…*`|"
# In plain letters; a capital is another sign than the small letter.
_GREEK = re.compile(r"[α-ωΑ-Ω]")
_GREEK_CAPITAL = re.compile(r"\\(?=[A-Z][a-z]+)")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
# "In small networks, does …": what stands in front may stand behind.
_IN_FRONT = re.compile(
    r"(?P<part>(?:in|with|using|for|at|on|among|under|without|by) [^,]{1,80}), (?P<rest>.+?)[?.!]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    form: str


def same_question(one: str, other: str) -> str | None:
    """Why the two may not be answered alike; None if they ask the same."""
    first, second = _language(one), _language(other)
    if first != second:
        return "language"
    these, those = question_form(one), question_form(other)
    if these == those:
        return None
    missing = (set(these) - set(those)) | (set(those) - set(these))
    if any(_is_id(word) for word in missing):
        return "ids"
    if any(any(sign.isdigit() for sign in word) for word in missing):
        return "numbers"
    if missing & _DENIALS:
        return "negation"
    return "words" if sorted(these) != sorted(those) else "order"


def question_key(question: str) -> str:
    """What exactly the questions share that ask the same: 32 hexadecimal digits."""
    parts = "\0".join([_language(question), *question_form(question)])
    return hashlib.blake2b(parts.encode("utf-8", "replace"), digest_size=16).hexdigest()


def question_form(question: str) -> tuple[str, ...]:
    """The words that make the question, in an order that only meaning changes."""
    bare = bare_question(question)
    if _language(question):
        return tuple(fold_accents(word).casefold() for word in _pieces(bare))
    if in_front := _IN_FRONT.fullmatch(bare):
        part = in_front["part"]
        bare = f"{in_front['rest']} {part[0].lower()}{part[1:]}"
    words = _words(bare)
    asks = any(word.form in _ASKING for word in words) or _asks(bare)
    forms = _active(words) if asks else [word.form for word in words]
    forms = [form for form in forms if form not in _EMPTY]
    return tuple(_coordinated(_compounds(forms, longest=1 if asks else 2)))


def bare_question(question: str) -> str:
    """What is asked, without how, LaTeX and typography: what vectors are compared of."""
    line = _plain(question)
    return line if _language(question) else unframed(line)


def _language(question: str) -> str:
    return language_of(question) or ""


def _plain(question: str) -> str:
    """One line without LaTeX and typography; ids of papers in one form."""
    line = accents_to_unicode(one_line(question)).translate(_QUOTES)
    line = _MINUTES.sub(lambda found: " arcmin" if found[0] == "'" else " arcsec", line)
    line = _DASHES.sub("-", _MATHS.sub(r"\1", line))
    line = _SUPERSCRIPT.sub(lambda found: "^" + found[0], line)
    line = _GREEK_CAPITAL.sub("capital", unicodedata.normalize("NFKC", line))
    line = _GREEK.sub(_greek, _LATEX.sub("", line))
    line = _IS_SHORT.sub(lambda found: f"{found[1] or found[2]} is", line)
    return line.lower() if line.isupper() and " " in line else line


def _greek(found: re.Match[str]) -> str:
    name = unicodedata.name(found[0]).rpartition(" ")[2]
    return name.lower() if found[0].islower() else "capital" + name.title()


def _pieces(line: str) -> list[str]:
    found = []
    for piece in line.split():
        bare = piece.strip(_AROUND) if not piece.endswith("*") else piece
        if bare:
            found.append(_paper(bare) or ("and" if bare == "&" else bare))
    return found


def _words(line: str) -> list[_Word]:
    """The words as they stand, with what is compared of each."""
    line = _POSSESSIVE.sub("", _SHORT.sub(" not", _short_can(line)))
    words: list[_Word] = []
    for piece in _pieces(line):
        if _is_id(piece):
            words.append(_Word(piece, piece))
            continue
        split = _UNIT.sub(" ", _HYPHEN.sub(" ", _THOUSANDS.sub("", piece))).split()
        for each in split:
            counted = bool(words) and words[-1].text[-1:].isdigit() and len(each) <= 4
            words.append(_Word(each, each if counted else _form(each, first=not words)))
    return words


def _short_can(line: str) -> str:
    line = re.sub(r"\bwon't\b", "will not", line, flags=re.IGNORECASE)
    return re.sub(r"\bcan(?:'t|not)\b", "can not", line, flags=re.IGNORECASE)


def _form(word: str, *, first: bool) -> str:
    if word.endswith("s") and len(word) > 2 and word[:-1].isupper():
        word = word[:-1]  # GANs
    small = fold_accents(word).casefold()
    if small in _NAMES_IN_CAPITALS and (
        (word.isupper() and not (first and len(word) == 1))
        or (word[:1].isupper() and not first and len(word) == 2)
    ):
        return word
    if not word[1:].islower() and not word.islower() and (len(word) == 2 or not word.isupper()):
        return word  # CO is not Co, and MeV not meV
    if word[:1].isupper() and word[1:].islower() and not first:
        return small  # a name: Adams is not Adam
    small = _SAME.get(small, small)
    return _spelled(_singular(small))


def _singular(word: str) -> str:
    if len(word) < 4 or word in _NO_PLURALS or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


def _spelled(word: str) -> str:
    """American and British spellings in one."""
    if len(word) < 6:
        return word
    word = re.sub(r"our(?=$|e|i|al)", "or", word)
    word = re.sub(r"(?<=\w{3})is(?=(?:e|ed|er|ing|ation)$)", "iz", word)
    word = re.sub(r"(?<=\w)ys(?=(?:e|ed|er|ing)$)", "yz", word)
    word = re.sub(r"(?<=\w{3}[aeiou])ll(?=(?:ed|er|ing)$)", "l", word)
    return re.sub(r"(?<=\w{3})tre$", "ter", word)


def _asks(line: str) -> bool:
    """Whether the line is a sentence and no mere topic: there is a verb whose place is unknown."""
    return any(word in _EMPTY - {"a", "an", "the"} for word in line.lower().split())


def _active(words: list[_Word]) -> list[str]:
    """`is gas heated by stars` as `do stars heat gas`."""
    small = [word.text.lower() for word in words]
    forms = [word.form for word in words]
    begins = 1 if small and small[0] in _MODALS else 0
    be = [at for at, each in enumerate(small) if each in ("is", "are", "was", "were", "be")]
    if small.count("by") != 1 or len(be) != 1 or (be[0] != 0 and not begins):
        return forms
    if any(each in _FOCUS or each.endswith("ly") for each in small):
        return forms
    by = small.index("by")
    verb = small[by - 1]
    doing = [form for form in forms[by + 1 :] if form not in _EMPTY]
    done_to = [
        form
        for at, form in enumerate(forms[begins : by - 1], start=begins)
        if at != be[0] and form not in _EMPTY
    ]
    if not verb.endswith("ed") or not doing or not done_to:
        return forms
    return [*forms[:begins], *doing, _present(forms[by - 1]), *done_to]


def _present(past: str) -> str:
    """`heated` as `heat`, `reduced` as `reduce`."""
    verb = past.removesuffix("ed")
    return verb + "e" if _ENDS_IN_E.search(verb) else verb


def _compounds(forms: list[str], longest: int) -> list[str]:
    """`detection of dark matter` as `dark matter detection`.

    Only where "detection" stands alone: early formation of galaxies is no formation of early ones.

    Args:
        longest: words behind "of" that may be moved; among more, a verb may be.
    """
    forms = list(forms)
    for at in range(len(forms) - 2, 0, -1):
        if forms[at] != "of" or forms[at - 1] in _PARTS:
            continue
        if at > 1 and forms[at - 2] not in _PARTS:
            continue
        end = at + 1
        while end < len(forms) and forms[end] not in _PARTS:
            end += 1
        if at + 1 < end <= at + 1 + longest:
            forms[at - 1 : end] = [*forms[at + 1 : end], forms[at - 1]]
    return forms


def _coordinated(forms: list[str]) -> list[str]:
    """Either side of an "and" or "or" in one order, where both are as long and end together."""
    forms = list(forms)
    for at in [place for place, form in enumerate(forms) if form in ("and", "or")]:
        begin, end = at, at + 1
        while begin > 0 and forms[begin - 1] not in _PARTS | _FOCUS:
            begin -= 1
        if begin > 0 and forms[begin - 1] in _FOCUS:
            continue
        while end < len(forms) and forms[end] not in _PARTS | _FOCUS:
            end += 1
        one, other = forms[begin:at], forms[at + 1 : end]
        if len(one) == len(other) and other < one:
            forms[begin:end] = [*other, forms[at], *one]
    return forms


def _paper(text: str) -> str | None:
    if not any(sign.isdigit() for sign in text):
        return None
    try:
        return f"arXiv:{PaperId.parse(text)}"
    except ValueError:
        return None


def _is_id(word: str) -> bool:
    return word.startswith(("arXiv:", "10."))
