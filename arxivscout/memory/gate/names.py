"""When two names call the same thing: spelling, abbreviations, initials, arXiv ids.

Missing that two are one leaves a double, taking two for one spoils what is known of both: so what
is in doubt stays apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from arxivscout.papers import PaperId, one_line
from arxivscout.papers.citing.names import split_name
from arxivscout.papers.search_form import search_form

LONGEST_KEY = 200

# Kinds whose names are not told apart by those who use them: BERT is a method, a model and a tool.
_SAME_KIND = {"author": "people", "person": "people", "method": "ideas", "concept": "ideas",
              "tool": "ideas"}  # fmt: skip

_ABBREVIATED = re.compile(r"(?P<long>[^()]{4,})\s*\((?P<short>[^()\s]{2,12})\)")
_REVERSED = re.compile(r"(?P<short>[^()\s]{2,12})\s*\((?P<long>[^()]{4,}\s[^()]+)\)")
_GENERIC = re.compile(
    r"^(?:the|a|an)\s+|\s+(?:data\s?sets?|corpus|benchmarks?|models?|methods?|algorithms?|architectures?"
    r"|frameworks?|library|toolkit|package|technique|approach|optimi[sz]ers?|software|tool|language)$",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"(?<=[a-z]{3})(?<![suix])s\b")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_JOINTS = re.compile(r"[^\w+#.]+|(?<!\d)\.|\.(?!\d)|_+")
_WORDS = re.compile(r"[^\W\d_]+")
_FUNCTION_WORDS = frozenset("of the for and in on with to a an by as from via at".split())

# Initials that many things share say nothing, unless everybody means the same by them.
_AGREED = frozenset(
    """ai ml nlp rl llm lstm gru cnn gan vae mlp svm pca mcmc hmm gmm knn rnn gnn gcn mle em sgd
    vit rag asr tts ocr cmb agn qcd qed lhc cdm bbn sph amr gw ode pde pinn rlhf dpo ppo moe bpe
    hpc gpu cpu tpu api uav iot hci crf lda ica umap tsne nerf ddpm""".split()
)
_LEAST_INITIALS = 4

# With these family names one initial is no evidence.
_COMMON_FAMILIES = frozenset(
    """wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he lin luo gao zheng
    liang xie tang kim lee park choi jung kang cho yoon singh kumar sharma gupta patel nguyen tran
    pham smith johnson williams brown jones miller davis garcia rodriguez martinez hernandez lopez
    gonzalez wilson anderson thomas taylor moore jackson martin thompson white harris clark lewis
    robinson walker young allen king wright scott muller schmidt schneider fischer weber meyer
    wagner becker rossi russo ferrari bianchi romano silva santos suzuki sato tanaka takahashi
    watanabe ito yamamoto nakamura ivanov petrov""".split()
)


def kind_of(kind: str) -> str:
    """What `kind` is compared as."""
    return _SAME_KIND.get(kind, kind)


@lru_cache(maxsize=20_000)
def plain(name: str) -> str:
    """A name without what may be written or left out: GPT-2, "gpt 2" and GPT2 are one."""
    name = unicodedata.normalize("NFKC", one_line(name))
    spelled = search_form(name).casefold().strip()
    previous = None
    while spelled != previous:  # "the BERT language model"
        previous = spelled
        spelled = _GENERIC.sub("", spelled) or spelled
    spelled = _PLURAL.sub("", spelled)
    return _JOINTS.sub("", spelled)[:LONGEST_KEY] or name.casefold()[:LONGEST_KEY]


def initials(name: str) -> str:
    """The initials of a name of several words; "" for one of a single word."""
    words = _WORDS.findall(search_form(one_line(name)).casefold())
    words = [word for word in words if word not in _FUNCTION_WORDS]
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def names_in(name: str, aliases: Iterable[str] = ()) -> tuple[str, ...]:
    """All that a thing is called: "long form (LF)" are two names."""
    found: dict[str, None] = {}
    for each in (name, *aliases):
        each = one_line(each)
        match = _ABBREVIATED.fullmatch(each) or _REVERSED.fullmatch(each)
        if match and _abbreviates(plain(match["short"]), plain(match["long"])):
            found |= {match["long"].strip(): None, match["short"].strip(): None}
        elif each:
            found[each] = None
    return tuple(found)


def name_keys(kind: str, name: str, aliases: Iterable[str] = ()) -> tuple[str, ...]:
    """What a thing is looked up by; two that share no key are not the same."""
    if kind == "paper":
        return (f"={paper_id(name) or plain(name)}",)
    keys: dict[str, None] = {}
    for each in names_in(name, aliases):
        keys |= dict.fromkeys(f"={spelled}" for spelled in sorted(_spellings([each])))
        if kind_of(kind) == "people":
            keys[f"@{_family_initial(each)}"] = None
        elif (short := initials(each)) and _is_telling(short):
            keys[f"={short}"] = None
    return tuple(keys)


def same_thing(kind: str, one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether things of one kind, called `one` and `other`, are the same.

    Args:
        kind: of both, as a candidate has it.
    """
    one, other = names_in("", one), names_in("", other)
    if kind == "paper":
        return _paper_names(one) & _paper_names(other) != set()
    if kind_of(kind) == "people":
        return any(same_person(a, b) for a in one for b in other)
    mine, theirs = _spellings(one), _spellings(other)
    if not mine & theirs:
        return any(_is_short_for(a, b) or _is_short_for(b, a) for a in one for b in other)
    shared = mine & theirs
    meant = [_long_forms(names, shared) for names in (one, other)]
    return not all(meant) or bool(meant[0] & meant[1])


def same_person(one: str, other: str) -> bool:
    """Whether two names may safely be taken for one person's: given names must be told alike.

    An initial stands for a name where the family name is rare enough, two stand for two.
    """
    if plain(one) == plain(other) != "":
        return True
    mine, theirs = split_name(one), split_name(other)
    if mine.group or theirs.group or _family(mine.family) != _family(theirs.family):
        return False
    if plain(mine.suffix) != plain(theirs.suffix):
        return False
    given = [_WORDS.findall(search_form(each.given).casefold()) for each in (mine, theirs)]
    if not all(given):
        return False
    pairs = list(zip(*given, strict=False))
    if not all(a == b or min((a, b), key=len) == max((a, b), key=len)[0] for a, b in pairs):
        return False
    if any(min(len(a), len(b)) > 1 for a, b in pairs):
        return True
    return len(pairs) > 1 or plain(mine.family) not in _COMMON_FAMILIES


def paper_id(name: str) -> str | None:
    """The arXiv id that `name` is, without a version."""
    try:
        return PaperId.parse(name).value
    except ValueError:
        return None


def _paper_names(names: Iterable[str]) -> set[str]:
    return {paper_id(each) or plain(each) for each in names}


def _family_initial(name: str) -> str:
    parts = split_name(name)
    given = _WORDS.findall(search_form(parts.given).casefold())
    return f"{_family(parts.family)} {given[0][0] if given else ''}".strip()


def _family(name: str) -> str:
    """A family name, with Schölkopf and Schoelkopf as one."""
    return re.sub("([aou])e", r"\1", plain(name))


def _is_telling(short: str) -> bool:
    return len(short) >= _LEAST_INITIALS or short in _AGREED


def _is_short_for(short: str, long: str) -> bool:
    said = plain(short)
    return _is_telling(said) and " " not in short.strip() and said == initials(long)


def _abbreviates(short: str, long: str) -> bool:
    """Whether the letters of `short` stand in `long` in their order, the first one first.

    After Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions" (2003).
    """
    letters = iter(long)
    return short[:1] == long[:1] and all(letter in letters for letter in short)


def _spellings(names: Iterable[str]) -> set[str]:
    """Names made plain, those with umlauts also as who has no umlauts writes them."""
    return {plain(form) for each in names for form in (each, each.translate(_UMLAUTS))}


def _long_forms(names: Iterable[str], shared: set[str]) -> set[str]:
    """What the shared name is short for, where that is said."""
    return {
        plain(each)
        for each in names
        if initials(each) and plain(each) not in shared
        if any(_abbreviates(short, plain(each)) for short in shared)
    }
