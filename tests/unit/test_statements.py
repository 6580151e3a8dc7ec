"""What a statement is taken for: kind, category and role; and what is only said, or asked."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.learning import Turn, learned
from arxivscout.llm.extractive_requests import find_request
from arxivscout.memory.gate.verdict import compare
from arxivscout.preferences import stated_wishes
from arxivscout.statements.apart import each_tool
from arxivscout.statements.declaring import declares, unsaid
from arxivscout.statements.own_words import own_clauses
from arxivscout.statements.roles import another, roles
from arxivscout.statements.stating import told

NOW = datetime(2026, 11, 30, tzinfo=UTC)
FILED = [
    json.loads(line)
    for line in (Path(__file__).parent / "learning" / "filed.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def learn(words: str, before: str = "") -> list[tuple[str, str, str | None]]:
    found = learned(Turn(person="ann", words=words, at=NOW, before=before))
    return [(each.kind, each.text, each.reason) for each in found.candidates if each.name is None]


@pytest.mark.parametrize("row", FILED, ids=lambda row: row["text"][:50])
def test_a_statement_has_the_kind_category_and_role_that_it_says(row: dict[str, Any]) -> None:
    found = learned(Turn(person="ann", words=row["text"], at=NOW))
    said = [(each.kind, each.filed_under) for each in found.candidates if each.name is None]
    assert said == [(row["kind"], row["filed_under"])]
    assert [[role.name, role.value] for role in roles(row["text"])] == row["roles"]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("I use JAX now, which compiles faster.", ("I use JAX now", "it compiles faster")),
        ("I use JAX since it compiles faster.", ("I use JAX", "it compiles faster")),
        ("I use JAX because of its speed.", ("I use JAX", "its speed")),
        ("I use JAX, as Python is slow.", ("I use JAX", "Python is slow")),
        ("I use JAX so that my models compile.", ("I use JAX", "my models compile")),
        ("I use JAX due to its speed.", ("I use JAX", "its speed")),
        ("I use JAX thanks to my supervisor.", ("I use JAX", "my supervisor")),
        ("Since laptops are slow, I use the cluster.", ("I use the cluster", "laptops are slow")),
        ("Uso JAX perché è veloce.", ("Uso JAX", "è veloce")),
        ("Uso JAX, visto che è veloce.", ("Uso JAX", "è veloce")),
        ("Visto che è veloce, uso JAX.", ("uso JAX", "è veloce")),
        ("Ich benutze JAX, da es schnell ist.", ("Ich benutze JAX", "es schnell ist")),
        ("J'utilise JAX parce que c'est rapide.", ("J'utilise JAX", "c'est rapide")),
        ("Uso JAX ya que es rápido, creo.", ("Uso JAX", "es rápido, creo")),
        ("I've used JAX since 2019.", ("I've used JAX since 2019", None)),
        ("I work at DESY, which is in Hamburg.", ("I work at DESY, which is in Hamburg", None)),
        ("I use Zotero, which my group pays for.", ("I use Zotero, which my group pays for", None)),
        ("We decided to use Herwig, which is newer.", ("We decided to use Herwig", "it is newer")),
    ],
)
def test_why_something_is_so_is_kept_however_it_is_said(words: str, kept: tuple[str, Any]) -> None:
    assert [(text, reason) for _, text, reason in learn(words)] == [kept]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("I work at X Corp and use ROOT.", ["I work at X Corp", "I use ROOT"]),
        ("I use PyTorch, JAX and Flax for training.",
         ["I use PyTorch for training", "I use JAX for training", "I use Flax for training"]),
        ("I use Overleaf for writing and Zotero for references.",
         ["I use Overleaf for writing", "I use Zotero for references"]),
        ("I use Weights and Biases.", ["I use Weights and Biases"]),
        ("I plan to learn Rust and work on axions.", ["I plan to learn Rust and work on axions"]),
        ("My deadline is March 3 and I prefer short answers.",
         ["I prefer short answers.", "My deadline is March 3"]),
        ("I live in Rome because it is warm, and I use Julia.", ["I live in Rome", "I use Julia"]),
        ("I work at DESY and want to know what is new on axions.", ["I work at DESY"]),
    ],
)  # fmt: skip
def test_each_clause_is_a_memory_of_its_own(words: str, kept: list[str]) -> None:
    assert [text for _, text, _ in learn(words)] == kept


@pytest.mark.parametrize(
    "words",
    [
        "I don't use Mathematica.",
        "I never use Mathematica.",
        "I no longer use Mathematica.",
        "I don't use Mathematica any longer.",
        "I never use Mathematica any more.",
        "I'm done with Mathematica.",
        "I haven't used Mathematica for years.",
        "I can't work with Mathematica.",
        "Non uso Mathematica.",
    ],
)
def test_what_a_person_does_not_use_is_a_fact_and_no_wish(words: str) -> None:
    assert stated_wishes(words) == []
    assert [kind for kind, _, _ in learn(words)] == ["fact"]
    assert compare(words, "I use Mathematica.", 0.0).relation != "same"


def test_what_of_papers_is_not_used_is_a_wish() -> None:
    assert [each.kind for each in stated_wishes("I don't use papers without code.")]


@pytest.mark.parametrize(
    "words",
    [
        "Great, another RL paper, just what I needed.",
        "Wonderful, yet another survey on LLMs.",
        "Fantastic: one more paper by the same group, I love them.",
        "I can't wait to read yet another survey.",
        "Fantastico, un altro articolo sugli assioni.",
        "Toll, schon wieder ein Review.",
        "Super, encore un article sur ChatGPT.",
        "Genial, otro artículo más.",
        "My favourite pastime is waiting for referees.",
    ],
)
def test_irony_teaches_nothing_and_is_no_question(words: str) -> None:
    assert learn(words) == []
    assert find_request(words).wish == "stated"


@pytest.mark.parametrize(
    "words",
    [
        "I secretly love Fortran.",
        "My cat is called Gluon.",
        "I play the violin.",
        "I'm vegetarian",
        "I was born in Cluj.",
        "My sister lives in Rome.",
        "Yesterday I broke my leg.",
        "We are three people in the group.",
        "Adoro il Fortran.",
        "Ich liebe Fortran.",
        "J'adore le Fortran.",
        "Me encanta el Fortran.",
        "The deadline is now March 10.",
    ],
)
def test_what_no_rule_knows_is_kept_as_it_is_and_not_searched_for(words: str) -> None:
    assert [kind for kind, _, _ in learn(words)] == ["fact"]
    request = find_request(words)
    assert (request.wish, request.kept) == ("stated", True)


@pytest.mark.parametrize(
    "words",
    [
        "It is raining here.",
        "My supervisor says: I hate RL.",
        "My supervisor says “I hate RL papers”.",
        "He works at DESY.",
        "I might switch to JAX.",
        "I think we use the wrong prior.",
        "The cluster is down.",
        "I'm a bit lost here.",
    ],
)
def test_what_is_only_said_is_neither_kept_nor_searched_for(words: str) -> None:
    assert learn(words) == []
    assert (find_request(words).wish, find_request(words).kept) == ("stated", False)


@pytest.mark.parametrize(
    "words",
    [
        "graph neural networks for jets",
        "papers on Fortran",
        "tell me about dark matter",
        "which of the papers I liked use JAX?",
        "Attention is all you need",
        "Dark matter makes up 27% of the universe.",
        "I need papers on jets.",
        "I'm looking for a review of axion searches.",
        "I want to learn about jets.",
        "I would like to know what is new on anyons",
        "We propose a transformer for jets. It beats the baseline.",
        "Show me something about jets, I use Pythia.",
        "I use Pythia, what else is there?",
        "I work on axions and need a method to bound their mass.",
        "If I moved to DESY, would I need a visa?",
        "I have a question about black holes.",
        "My question is about neutrino masses.",
        "Cerco articoli sugli assioni.",
        "Ich suche Arbeiten zu Axionen.",
        "My Face Is Mine, Not Yours",
        "neutrino oscillations with JUNO",
    ],
)
def test_what_is_asked_or_looked_for_is_no_statement(words: str) -> None:
    assert find_request(words).wish == "research"


@pytest.mark.parametrize(
    ("newer", "older", "role"),
    [
        ("I moved to DESY", "I work at CERN", "employer"),
        ("I'm now at DESY", "I'm a postdoc at CERN", "employer"),
        ("I left CERN", "I work at CERN on jets", "employer"),
        ("I moved to Hamburg", "I work at CERN", ""),
        ("I moved to Hamburg", "I live in Geneva", "home"),
        ("I also work at MIT", "I work at CERN", ""),
        ("I'm visiting DESY", "I work at CERN", ""),
        ("My wife works at DESY", "I work at CERN", ""),
        ("I will move to DESY", "I work at CERN", ""),
        ("I'm moving to DESY in June", "I work at CERN", ""),
        ("I worked at SLAC until 2019", "I work at CERN", ""),
        ("I'm a postdoc now", "I'm a PhD student in optics", "position"),
        ("I finished my PhD", "I'm a postdoc", ""),
        ("The deadline for the poster is 10 May", "The deadline for the abstract is 3 May", ""),
        ("The deadline is 2026-05-03", "The deadline is 3 May 2026", ""),
        ("The deadline is now 10 May", "My deadline is 3 May", "deadline"),
        ("I use JAX for speech", "I use PyTorch for vision", ""),
        ("I now use JAX for vision", "I use PyTorch for vision", "for vision"),
        ("My supervisor is Italian", "My supervisor is Anna Rossi", ""),
        ("My supervisors are Anna Rossi and Karl Weber", "My supervisor is Anna Rossi", ""),
    ],
)
def test_of_what_one_has_one_at_a_time_the_newer_ends_the_older(
    newer: str, older: str, role: str
) -> None:
    assert another(newer, older) == role
    assert (compare(newer, older, 0.0).relation == "contradicts") == bool(role)


def test_what_is_put_right_takes_the_place_of_what_was_said_just_before() -> None:
    found = learned(Turn(person="ann", words="No, I use JAX.", at=NOW, before="I use PyTorch."))
    assert [each.instead_of for each in found.candidates if each.name is None] == ["I use PyTorch"]
    beside = learned(
        Turn(person="ann", words="Actually, I also use JAX.", at=NOW, before="I use PyTorch.")
    )
    assert [each.instead_of for each in beside.candidates if each.name is None] == [None]


@pytest.mark.parametrize(
    ("words", "wishes"),
    [
        (
            "I prefer papers with code. No wait, I prefer theory papers.",
            ["I prefer theory papers."],
        ),
        ("I prefer short answers. No, I prefer long answers.", ["I prefer long answers."]),
        ("I avoid RL. I avoid surveys.", ["I avoid RL.", "I avoid surveys."]),
        ("No simulations please, from now on", ["No simulations please, from now on"]),
        ("Non voglio articoli prima del 2015", ["Non voglio articoli prima del 2015"]),
    ],
)
def test_of_wishes_the_one_put_right_is_kept_and_each_by_itself(
    words: str, wishes: list[str]
) -> None:
    assert [each.quote for each in stated_wishes(words)] == wishes
    assert list(find_request(words).each) == wishes


SENTENCES = st.sampled_from([row["text"] for row in FILED])
WORDS = st.lists(SENTENCES | st.text(max_size=30), max_size=5).map(" ".join)


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("?0", "?0"),
        ("Thanks! Which papers are about axions?", "Which papers are about axions?"),
        ("I work on axions.  Who found them?", "Who found them?"),
    ],
)
def test_what_is_asked_is_left_as_it_was_written(words: str, left: str) -> None:
    assert unsaid(words) == left


@given(WORDS)
def test_whatever_is_written_is_read_without_a_fault(words: str) -> None:
    assert len(unsaid(words)) <= len(words)
    for clause in own_clauses(words):
        assert clause.text
        assert isinstance(declares(clause.text), bool)
        for role in roles(clause.text):
            assert role.name and role.value.strip()
        assert another(clause.text, clause.text) == ""


@pytest.mark.parametrize("piece", ["I use A, ", "because I ", "the deadline is ", "my a ", "a-b "])
def test_a_sentence_of_nothing_but_small_words_takes_no_time(piece: str) -> None:
    words = (piece * 300)[:290]
    roles(words)
    unsaid(words)
    learn(words)


@pytest.mark.parametrize(
    ("words", "statements"),
    [
        ("I work at CERN on the trigger.", ["I work at CERN", "I work on the trigger"]),
        ("i work at cern on jets", ["i work at cern", "i work on jets"]),
        (
            "I work for Google in Zurich on search",
            ["I work for Google in Zurich", "I work on search"],
        ),
        (
            "I am working with Anna Schmidt on axions at LMU.",
            [
                "I am working with Anna Schmidt",
                "I am working on axions",
                "I am working at LMU",
            ],
        ),
        (
            "I'm a PhD student at the University of Bologna, working on neutrinos.",
            ["I'm a PhD student at the University of Bologna", "I'm working on neutrinos"],
        ),
        ("Lavoro al CERN sul trigger.", ["Lavoro al CERN", "Lavoro sul trigger"]),
        ("Ich arbeite am DESY an Axionen", ["Ich arbeite am DESY", "Ich arbeite an Axionen"]),
        (
            "Je travaille au CERN sur le trigger.",
            ["Je travaille au CERN", "Je travaille sur le trigger"],
        ),
        ("Trabajo en el CERN en axiones.", ["Trabajo en el CERN", "Trabajo en axiones"]),
        # who knows where the jets are, and where the person is
        ("I work on jets at ATLAS.", ["I work on jets at ATLAS"]),
        ("I work on attention at scale.", ["I work on attention at scale"]),
        ("I work with PyTorch on vision.", ["I work with PyTorch on vision"]),
        (
            "I work at the interface of physics and biology on membranes.",
            ["I work at the interface of physics and biology on membranes"],
        ),
    ],
)
def test_where_with_whom_and_on_what_one_works_are_statements_of_their_own(
    words: str, statements: list[str]
) -> None:
    assert [each.text for each in own_clauses(words)] == statements


@pytest.mark.parametrize(
    "words",
    ["I work with large models", "I collaborate with many people", "I left the meeting early",
     "We dropped the idea", "Trabajo en casa"],
)  # fmt: skip
def test_what_is_written_small_is_no_name(words: str) -> None:
    assert [(each.predicate, each.what) for each in told(words)] == []


@pytest.mark.parametrize(
    ("clause", "each"),
    [
        (
            "I use PyTorch, zuko and the sbi package",
            ["I use PyTorch", "I use zuko", "I use the sbi package"],
        ),
        ("I use numpy and the healpy package", ["I use numpy", "I use the healpy package"]),
        ("I use Python for plots and fits", ["I use Python for plots and fits"]),
        ("I use Weights and Biases", ["I use Weights and Biases"]),
        ("I use synchrotron light and neutrons", ["I use synchrotron light and neutrons"]),
    ],
)
def test_each_tool_is_a_statement_of_its_own(clause: str, each: list[str]) -> None:
    assert each_tool(clause) == each


@pytest.mark.parametrize(
    ("words", "clauses"),
    [
        ("Uso emcee ed evito PyMC perché è lento.", ["Uso emcee", "evito PyMC"]),
        ("Ich verwende Python und vermeide ROOT.", ["Ich verwende Python", "ich vermeide ROOT"]),
        ("J'utilise Python et évite ROOT.", ["J'utilise Python", "je évite ROOT"]),
        ("Uso Python y evito ROOT.", ["Uso Python", "evito ROOT"]),
    ],
)
def test_what_is_avoided_is_no_tool_that_is_used(words: str, clauses: list[str]) -> None:
    assert [each.text for each in own_clauses(words)] == clauses


@pytest.mark.parametrize(
    "newer",
    [
        "My advisor is not Paolo Rossi any more, it is Carla Bianchi now",
        "My supervisor is no longer Paolo Rossi, but Carla Bianchi",
        "My supervisor is Carla Bianchi now, not Paolo Rossi",
    ],
)
def test_who_it_is_instead_takes_the_place(newer: str) -> None:
    assert another(newer, "My advisor is Paolo Rossi") == "supervisor"
    assert [role.value for role in roles(newer)] == ["carla bianchi"]
