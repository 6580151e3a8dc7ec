"""Things with a name in what a person says: cut out of the words, and told what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from arxivscout.statements.names import TOOLS
from arxivscout.statements.stating import Told

MOST_WORDS, LONGEST = 6, 80
_DATASETS = frozenset(
    "imagenet imagenet-1k imagenet-21k cifar cifar-10 cifar-100 cifar10 cifar100 mnist "
    "fashion-mnist coco ms-coco squad glue superglue mmlu gsm8k humaneval wikitext wikitext-103 c4 "
    "laion openwebtext librispeech kitti nuscenes cityscapes ade20k celeba ffhq shapenet "
    "modelnet40 qm9 ogb cora citeseer pubmed mimic mimic-iii mimic-iv sdss gaia desi wmt wmt14 "
    "hotpotqa triviaqa msmarco beir locomo swe-bench".split()
)
_DATASET = re.compile(
    r"\b(?:data ?sets?|benchmarks?|corp(?:us|ora)|collections?|survey data|catalogue?s?|database)$",
    re.I,
)
_TOOL = re.compile(
    r"\b(?:librar(?:y|ies)|packages?|toolkits?|frameworks?|software|clusters?|gpus?|tpus?"
    r"|workstations?|laptops?|editors?|simulators?|compilers?|servers?|plugins?)$",
    re.I,
)
_METHOD = re.compile(
    r"\b(?:learning|networks?|regression|methods?|algorithms?|models?|transformers?|attention"
    r"|simulations?|sampling|inference|optimi[sz]ation|descent|estimat(?:or|ion)s?|analysis|theory"
    r"|decomposition|processes|process|search|training|diffusion|integration|monte carlo|mcmc|dft"
    r"|svms?|gans?|vaes?|cnns?|rnns?|lstms?|gnns?|llms?|bert|gpt(?:-\d\w*)?|resnet\w*|forests?"
    r"|trees?|boosting|clustering|distillation|pruning|quanti[sz]ation|embeddings?|metodo|verfahren"
    r"|méthode|método)$",
    re.I,
)
_ENDS_HERE = re.compile(
    r"\s*[,;(]?\s*\b(?:for|because|since|when|while|where|which|that|so|if|instead|rather than|but"
    r"|(?:and )?not|to (?=\w)|every|daily|these days|any ?more|until|during|after|before|as|from"
    r"|under|via|per|perch[eé]|weil|für|um|pour|parce|para|porque|desde|dal|seit|depuis)\b.*$"
    r"|\s+in (?:\d{4}|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|spring|summer|autumn|winter)$|\s*\((?:week of )?\d{4}(?:-\d\d){0,2}\)$|\s+(?:now"
    r"|too|again|already|a lot|mostly|mainly"
    r"|instead|currently|today|right now|yesterday|(?:last|this|next) \w+)$",
    re.I,
)
_AND = re.compile(
    r"\s*,\s*(?:and\s+|e\s+|und\s+|et\s+|y\s+)?|\s+(?:and|e|ed|und|et|y|as well as|&)\s+", re.I
)
_LEAD = re.compile(
    r"(?:the|an?|my|our|their|his|her|some|both|only|mostly|mainly|also|new|il|lo|la|i|gli|le|l'"
    r"|un[ao]?|der|die|das|dem|den|ein(?:e[nmr]?)?|les?|une?|des|el|los|las|al|del|dell[aeo']?|due"
    r"|two|three)(?:\s+|(?<='))",
    re.I,
)
# What has a verb is a clause and no name.
_VERB = re.compile(
    r"(?<![\w-])(?:is|are|was|were|has|have|does|did|will|should|è|sono|ist|sind|est|sont"
    r"|son)(?![\w-])"
)
_NOW = ("works_on", "works_at", "works_with")
_THEN = ("worked_on", "worked_at", "worked_with")
_ON = re.compile(r"\s+(?:on|su|sul|an|sur|sobre)\s+(?P<rest>.+)$", re.I)
_AT = re.compile(r"\s+(?:at|with|in the group of|presso|am|chez)\s+(?P<rest>.+)$", re.I)


@dataclass(frozen=True, slots=True)
class Related:
    """A thing that the person is related to."""

    predicate: str
    kind: str
    name: str


def related(told: Told) -> Iterator[Related]:
    """The things that a stated relation names; "at the LHC on jets" names two."""
    what = told.what
    on, at, together = _THEN if told.predicate in _THEN else _NOW
    if told.predicate == at and (cut := _ON.search(what)):
        what = what[: cut.start()]
        yield from related(Told(on, "", cut["rest"]))
    elif told.predicate == on and (cut := _AT.search(what)):
        if cut["rest"][:1].isupper() or cut["rest"].startswith("the "):
            if cut[0].split()[0].lower() == "with":
                yield from related(Told(together, "person", cut["rest"]))
            else:
                yield from related(Told(at, "organisation", cut["rest"]))
        what = what[: cut.start()]
    for part in parts(what):
        if name := thing_name(part):
            yield Related(told.predicate, told.kind or kind_of(name, told.predicate), name)


def parts(words: str) -> list[str]:
    """The words for each of the things that are named side by side: "JAX, Flax and Optax for …"."""
    while (shorter := _ENDS_HERE.sub("", words)) != words:
        words = shorter
    return _AND.split(words)


def thing_name(words: str) -> str:
    """What a thing is called, without article and ends; "" if that is no name."""
    name = " ".join(words.split()).strip(" .,;:!?\"'“”«»()[]")
    while found := _LEAD.match(name):
        name = name[found.end() :]
    if not 1 <= len(name.split()) <= MOST_WORDS or len(name) > LONGEST or _VERB.search(name):
        return ""
    letters = sum(c.isalpha() for c in name)
    return name if letters >= 2 or name in ("R", "C") else ""


def kind_of(name: str, predicate: str = "") -> str:
    """Tool, data set, method or concept: by its name, its last word, and what is done with it."""
    key = name.lower()
    if key in _DATASETS or _DATASET.search(name):
        return "dataset"
    if key in TOOLS or _TOOL.search(name):
        return "tool"
    if _METHOD.search(name):
        return "method"
    if predicate in ("uses", "used_before") and any(c.isupper() or c.isdigit() for c in name):
        return "tool"
    return "concept"
