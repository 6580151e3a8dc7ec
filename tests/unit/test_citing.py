"""Papers as entries of a bibliography, read back by an independent parser where there is one."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import replace
from typing import Any

import bibtexparser
import pytest
from bibtexparser.middlewares import NameParts, SeparateCoAuthors, SplitNameParts
from hypothesis import given, settings
from hypothesis import strategies as st

from arxivscout.papers import Paper
from arxivscout.papers.accents import accents_to_unicode
from arxivscout.papers.citing import FORMATS, Own, citation_keys, render_citations, split_name
from arxivscout.papers.citing.latex import from_latex, to_latex
from arxivscout.papers.citing.markdown import escape_markdown

MESONS = Paper(
    arxiv_id="0712.2288",
    title="CP Measurement in Quantum Teleportation of Neutral Mesons",
    abstract="…",
    authors=("Yu Shi",),
    categories=("quant-ph", "hep-ph"),
    primary_category="quant-ph",
    published="2007-12-14",
    version=3,
)
OLD = Paper(
    arxiv_id="hep-th/9901001",
    title="Strings & things: 50% of $SU(2)_k$ at $5_000",
    abstract="…",
    authors=("Gerard 't Hooft", "Ludwig van der Berg, Jr.", "The X Collaboration"),
    published="1999-01",
    journal_ref="Nucl. Phys. B_1 (1999) 1-20",
    doi="10.1016/S0550-3213(99)00001_2",
    withdrawn=True,
)


def parsed(text: str) -> list[dict[str, Any]]:
    """The entries of a BibTeX file by bibtexparser: nothing in it may fail."""
    library = bibtexparser.parse_string(
        text, append_middleware=[SeparateCoAuthors(), SplitNameParts()]
    )
    assert not library.failed_blocks, library.failed_blocks[0].error
    assert len(library.blocks) == len(library.entries)
    return [
        {"type": each.entry_type, "key": each.key} | {f.key: f.value for f in each.fields}
        for each in library.entries
    ]


def in_parts(name: NameParts) -> tuple[str, str, str, str]:
    """(particle, family, suffix, given) as the parser told them apart."""
    return tuple(
        from_latex(" ".join(words)) for words in (name.von, name.last, name.jr, name.first)
    )  # type: ignore[return-value]


def told_apart(name: str) -> tuple[str, str, str, str]:
    """(particle, family, suffix, given) as we tell them apart."""
    parts = split_name(name)
    return parts.particle, parts.family, parts.suffix, parts.given


def test_bibtex_of_a_preprint() -> None:
    assert (
        render_citations([MESONS], "bibtex")
        == """\
@misc{shi2007cp,
  title         = {{CP Measurement in Quantum Teleportation of Neutral Mesons}},
  author        = {Shi, Yu},
  year          = {2007},
  month         = dec,
  eprint        = {0712.2288},
  archivePrefix = {arXiv},
  primaryClass  = {quant-ph},
  doi           = {10.48550/arXiv.0712.2288},
  url           = {https://arxiv.org/abs/0712.2288},
  note          = {Version 3.},
}
"""
    )


def test_bibtex_of_an_old_withdrawn_article_reads_back() -> None:
    (entry,) = parsed(render_citations([OLD], "bibtex"))
    assert entry["type"] == "article"
    assert entry["key"] == "hooft1999strings"
    assert entry["eprint"] == "hep-th/9901001"
    assert entry["title"] == r"{Strings \& things: 50\% of $SU(2)_k$ at \$5\_000}"
    assert from_latex(entry["title"]) == OLD.title
    assert entry["journal"] == r"Nucl. Phys. B\_1 (1999) 1-20"
    assert entry["doi"] == OLD.doi
    assert entry["note"] == "Withdrawn."
    assert [in_parts(name) for name in entry["author"]] == [
        ("'t", "Hooft", "", "Gerard"),
        ("van der", "Berg", "Jr.", "Ludwig"),
        ("", "The X Collaboration", "", ""),
    ]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Yu Shi", ("", "Shi", "", "Yu")),
        ("Shi, Yu", ("", "Shi", "", "Yu")),
        ("Plato", ("", "Plato", "", "")),
        ("J. van den Berg", ("van den", "Berg", "", "J.")),
        ("van den Berg, J.", ("van den", "Berg", "", "J.")),
        ("A. De Rujula", ("", "De Rujula", "", "A.")),
        ("Juan de la Cruz", ("de la", "Cruz", "", "Juan")),
        ("José Ortega y Gasset", ("", "Ortega y Gasset", "", "José")),
        ("Martin L. King Jr.", ("", "King", "Jr.", "Martin L.")),
        ("Martin L. King, Jr.", ("", "King", "Jr.", "Martin L.")),
        ("King, Jr., Martin L.", ("", "King", "Jr.", "Martin L.")),
        ("King, Martin L., III", ("", "King", "III", "Martin L.")),
        ("ATLAS Collaboration", ("", "ATLAS Collaboration", "", "")),
        ("Smith and Sons", ("", "Smith and Sons", "", "")),
        ("others", ("", "others", "", "")),
        ("A, B, C, D", ("", "A, B, C, D", "", "")),
    ],
)
def test_names_in_parts(name: str, parts: tuple[str, str, str, str]) -> None:
    assert told_apart(name) == parts
    (entry,) = parsed(render_citations([replace(MESONS, authors=(name,))], "bibtex"))
    assert [in_parts(each) for each in entry["author"]] == [parts]


def test_a_thousand_authors_are_all_named_in_order_and_shortened_for_people() -> None:
    names = tuple(f"Given{i} Family{i}" for i in range(1_000))
    paper = replace(MESONS, authors=names)
    text = render_citations([paper], "bibtex")
    assert max(map(len, text.splitlines())) < 200
    (entry,) = parsed(text)
    assert [" ".join(name.first + name.last) for name in entry["author"]] == list(names)
    assert render_citations([paper], "ris").count("AU  - ") == 1_000
    assert len(json.loads(render_citations([paper], "csl"))[0]["author"]) == 1_000
    assert "and 997 others" in render_citations([paper], "markdown")


def test_keys_are_unique_and_do_not_depend_on_the_order() -> None:
    other = replace(MESONS, arxiv_id="hep-ph/0701001", title="The CP of it all")
    third = replace(MESONS, arxiv_id="0801.0001", title="Mesons", authors=("李明",))
    nameless = replace(MESONS, arxiv_id="0801.0002", title="$\\alpha$", authors=())
    keys = citation_keys([MESONS, other, third, nameless])
    assert keys == citation_keys([nameless, third, other, MESONS])
    assert keys == {
        "0712.2288": "shi2007cp-0712.2288",
        "hep-ph/0701001": "shi2007cp-hep-ph0701001",
        "0801.0001": "anon2007mesons",
        "0801.0002": "arxiv0801.0002",
    }


def test_ris() -> None:
    assert (
        render_citations([OLD], "ris")
        == """\
TY  - JOUR
TI  - Strings & things: 50% of $SU(2)_k$ at $5_000
AU  - 't Hooft, Gerard
AU  - van der Berg, Ludwig, Jr.
AU  - The X Collaboration
PY  - 1999
DA  - 1999/01/
JO  - Nucl. Phys. B_1 (1999) 1-20
AN  - arXiv:hep-th/9901001
DO  - 10.1016/S0550-3213(99)00001_2
UR  - https://arxiv.org/abs/hep-th/9901001
N1  - Withdrawn.
ER  -\N{SPACE}
"""
    )


def test_csl() -> None:
    preprint, article = json.loads(render_citations([MESONS, OLD], "csl"))
    assert preprint["type"] == "article"
    assert preprint["issued"] == {"date-parts": [[2007, 12, 14]]}
    assert preprint["version"] == "3"
    assert article["type"] == "article-journal"
    assert article["note"] == "Withdrawn."
    assert article["author"] == [
        {"family": "Hooft", "given": "Gerard", "non-dropping-particle": "'t"},
        {
            "family": "Berg",
            "given": "Ludwig",
            "non-dropping-particle": "van der",
            "suffix": "Jr.",
        },
        {"literal": "The X Collaboration"},
    ]


def test_what_a_person_adds_is_in_every_exchange_format() -> None:
    own = {MESONS.arxiv_id: Own(("dark matter", "a;b"), "50% of it\nSee 3.")}
    assert render_citations([MESONS], "bibtex", own).endswith(
        "  keywords      = {dark matter, a;{}b},\n"
        "  annote        = {50\\% of it\\par\nSee 3.},\n}\n"
    )
    lines = render_citations([MESONS], "ris", own).splitlines()
    assert [line for line in lines if line.startswith(("KW", "N1"))] == [
        "KW  - quant-ph",
        "KW  - hep-ph",
        "KW  - dark matter",
        "KW  - a;b",
        "N1  - Version 3.",
        "N1  - 50% of it See 3.",
    ]
    (item,) = json.loads(render_citations([MESONS], "csl", own))
    assert item["keyword"] == "quant-ph, hep-ph, dark matter, a;b"
    assert item["note"] == "Version 3.\n50% of it\nSee 3."
    wanted = Paper(arxiv_id="1706.03762", title="", abstract="")
    assert "title" not in render_citations([wanted], "bibtex", {"1706.03762": Own(wanted=True)})


def test_markdown_shows_foreign_text_and_obeys_none() -> None:
    assert render_citations([MESONS], "markdown") == (
        "- Yu Shi. *CP Measurement in Quantum Teleportation of Neutral Mesons*. 2007. "
        "[arXiv:0712.2288](https://arxiv.org/abs/0712.2288).\n"
    )
    assert render_citations([OLD], "markdown").endswith(". **Withdrawn.**\n")
    assert escape_markdown("a $x_1$ *b* [c](d) <e>") == r"a $x_1$ \*b\* \[c\]\(d\) \<e\>"
    assert "$[" not in escape_markdown("$[x](javascript:alert)$")


def test_each_paper_once_and_nothing_for_none() -> None:
    assert render_citations([MESONS, MESONS], "bibtex").count("@misc") == 1
    assert [render_citations([], each) for each in FORMATS] == ["", "", "[]\n", ""]


# What arXiv's records have, and what tries a format: its own special characters.
_WORDS = st.text(
    st.one_of(
        st.sampled_from("aA09 .,;:'\"-&%$#_{}~^\\@=()[]<>|\n"),
        st.characters(exclude_categories=("C", "Z")),
    ),
    min_size=1,
    max_size=60,
)
_NAMES = st.one_of(
    _WORDS,
    st.lists(
        st.sampled_from(["van", "de", "y", "Jr.", "A.", "Ana", "Núñez", "o'Neil", "and", ","]),
        min_size=1,
        max_size=5,
    ).map(" ".join),
)


@st.composite
def papers(draw: st.DrawFn) -> Paper:
    """Any record as it may be stored."""
    paper = Paper(
        arxiv_id=draw(st.sampled_from(["0712.2288", "hep-th/9901001", "2301.12345v2"])),
        title=draw(_WORDS) + "x",
        abstract="x",
        authors=tuple(draw(st.lists(_NAMES, max_size=4))),
        published=draw(st.sampled_from([None, "2007-12-14", "1999-01"])),
        journal_ref=draw(st.none() | _WORDS),
        doi=draw(st.none() | _WORDS),
        primary_category=draw(st.sampled_from([None, "quant-ph", "cs.LG"])),
        withdrawn=draw(st.booleans()),
    )
    return paper.cleaned()


@settings(deadline=None)
@given(papers())
def test_bibtex_of_any_record_reads_back_the_same(paper: Paper) -> None:
    logging.disable(logging.WARNING)  # the parser logs what it skips; here it may skip nothing
    try:
        (entry,) = parsed(render_citations([paper], "bibtex"))
    finally:
        logging.disable(logging.NOTSET)
    assert entry["eprint"] == paper.arxiv_id
    assert entry["year"] == (paper.published or "")[:4]
    assert _plain(from_latex(entry["title"])) == _plain(paper.title)
    authors = [tuple(map(_plain, in_parts(name))) for name in entry.get("author", [])]
    assert authors == [tuple(map(_plain, told_apart(name))) for name in paper.authors]


@settings(deadline=None)
@given(papers())
def test_ris_and_csl_of_any_record_read_back_the_same(paper: Paper) -> None:
    lines = render_citations([paper], "ris").splitlines()
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in lines)
    assert f"TI  - {paper.title}" in lines
    assert sum(line.startswith("AU  - ") for line in lines) == len(paper.authors)
    (item,) = json.loads(render_citations([paper], "csl"))
    assert item["title"] == paper.title
    assert len(item.get("author", [])) == len(paper.authors)


def _plain(text: str) -> str:
    """Without what LaTeX can't tell: accents written as commands, a sign escaped in formulas."""
    text = accents_to_unicode(accents_to_unicode(text))
    return re.sub(r"[\s\\{}~]+", "", text)


@pytest.mark.parametrize(
    "maths",
    [
        r"$\alpha_{\mathrm{s}} \to \hat{x}\,\text{GeV}$",
        r"$SU(2)_k$",
        r"$\left\langle \sqrt{s} \right\rangle \% \\ \{a\}$",
    ],
)
def test_mathematics_that_prints_stays(maths: str) -> None:
    assert to_latex(f"On {maths} decays") == f"On {maths} decays"


@pytest.mark.parametrize(
    "maths",
    [
        *(rf"$\{name}{{/etc/passwd}}$" for name in ("input", "include", "InputIfFileExists")),
        r"$\openin5=x \read5 to\x$",
        r"$\immediate\write18{id}$",
        r"$\def\alpha{}\loop\repeat$",
        r"$\csname input\endcsname{x}$",
        r"$\catcode`\@=0 @input{x}$",
        r"$^^5cinput{/etc/passwd}$",
        r"$a\^^5cinput{x}$",
        r"$\begin{input}x\end{input}$",
        r"$\special{ps:x}\href{http://x}{y}$",
        r"$\directlua{os.execute()}$",
        r"$x\@input{y}$",
    ],
)
def test_commands_that_do_more_than_print_are_printed(maths: str) -> None:
    title = f"Mesons {maths} decay"
    written = to_latex(title)
    bare = re.sub(r"\\text(?:backslash|brace(?:left|right)|ascii\w+)\{\}|\\[$_&%#]", "", written)
    assert "\\" not in bare and "$" not in bare and "^" not in bare
    assert from_latex(written) == title
    assert "\n".join(re.findall(r"(?<!\\)\$", escape_markdown(title))) == ""


def test_an_address_in_mathematics_is_no_link() -> None:
    for maths in ("$http://evil.example/x$", "$www.evil.example$", "$WWW.evil.example$"):
        shown = escape_markdown(maths)
        assert "http://" not in shown and "www." not in shown.lower()


@settings(deadline=None)
@given(_WORDS)
def test_latex_is_balanced_and_prints_the_text(text: str) -> None:
    text = " ".join(text.split())
    written = to_latex(text)
    bare = re.sub(r"\\[{}]", "", written)
    assert written.count("{") == written.count("}")
    assert not re.search(r"(?<!\\)[%#&]", bare)
    if accents_to_unicode(text) == text and "$" not in text:
        assert from_latex(written) == text
