"""The shapes of records that are known, and what names and notices of withdrawal become."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.papers import Paper
from arxivscout.papers.accents import latex_to_unicode
from arxivscout.sources.authors import split_authors
from arxivscout.sources.records import paper_from_record
from arxivscout.sources.withdrawn import says_withdrawn

BASE = {"id": "0704.0001", "title": "T", "abstract": "A"}

KAGGLE = {
    "id": "0704.0001",
    "submitter": "Somebody",
    "authors": "C. Bal\\'azs, E. L. Berger, P. M. Nadolsky, C.-P. Yuan",
    "title": "Calculation of prompt diphoton production\n  cross sections",
    "comments": "37 pages, 15 figures; published version",
    "journal-ref": "Phys.Rev.D76:013009,2007",
    "doi": "10.1103/PhysRevD.76.013009",
    "report-no": "ANL-HEP-PR-07-12",
    "categories": "hep-ph hep-ex",
    "license": None,
    "abstract": "  A fully differential calculation\n  is presented.\n",
    "versions": [
        {"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"},
        {"version": "v2", "created": "Tue, 24 Jul 2007 20:10:27 GMT"},
    ],
    "update_date": "2008-11-26",
    "authors_parsed": [
        ["Balázs", "C.", ""],
        ["Berger", "E. L.", ""],
        ["Nadolsky", "P. M.", "Jr."],
        ["Yuan", "C. -P.", "", "Some University"],
    ],
}


def test_the_kaggle_snapshot() -> None:
    paper = Paper(
        arxiv_id="0704.0001",
        title="Calculation of prompt diphoton production cross sections",
        abstract="A fully differential calculation is presented.",
        authors=("C. Balázs", "E. L. Berger", "P. M. Nadolsky Jr.", "C. -P. Yuan"),
        categories=("hep-ph", "hep-ex"),
        primary_category="hep-ph",
        published="2007-04-02",
        updated="2007-07-24",
        version=2,
        doi="10.1103/PhysRevD.76.013009",
        journal_ref="Phys.Rev.D76:013009,2007",
        comments="37 pages, 15 figures; published version",
    )
    assert paper_from_record(KAGGLE) == paper
    unparsed = {key: value for key, value in KAGGLE.items() if key != "authors_parsed"}
    assert paper_from_record(unparsed).authors == (
        "C. Balázs",
        "E. L. Berger",
        "P. M. Nadolsky",
        "C.-P. Yuan",
    )
    as_table = {k: v if isinstance(v, str) or v is None else repr(v) for k, v in KAGGLE.items()}
    assert paper_from_record(as_table) == paper


@pytest.mark.parametrize(
    ("subjects", "categories"),
    [
        ("Optics (physics.optics); Quantum Physics (quant-ph)", ("physics.optics", "quant-ph")),
        ("Physics - Optics (physics.optics)", ("physics.optics",)),
        (["Machine Learning (cs.LG)", "cs.AI"], ("cs.LG", "cs.AI")),
        ("cs.LG cs.AI", ("cs.LG", "cs.AI")),
        ("cs.LG, cs.AI; cs.CL", ("cs.LG", "cs.AI", "cs.CL")),
        ('["cs.LG", "cs.AI"]', ("cs.LG", "cs.AI")),
        ("['cs.LG', 'cs.AI']", ("cs.LG", "cs.AI")),
        ("High Energy Physics - Theory", ()),
        ("Computation and Language (Natural) (cs.CL)", ("cs.CL",)),
        (None, ()),
    ],
)
def test_subjects_in_their_forms(subjects: object, categories: tuple[str, ...]) -> None:
    record = {**BASE, "subjects": subjects}
    assert paper_from_record(record).categories == categories


@pytest.mark.parametrize(
    ("given_", "published"),
    [
        ("2007-04-02", "2007-04-02"),
        ("2007-04-02T19:18:42Z", "2007-04-02"),
        ("20070402", "2007-04-02"),
        ("Mon, 2 Apr 2007 19:18:42 GMT", "2007-04-02"),
        ("[Submitted on 2 Apr 2007 (v1), last revised 24 Jul 2007]", "2007-04-02"),
        (datetime(2007, 4, 2, 19), "2007-04-02"),
        (date(2007, 4, 2), "2007-04-02"),
        ("2007-05", "2007-05"),
        (" 2007-05-1", "2007-05"),
        ("2007-13-40", "2007-04"),
        ("soon", "2007-04"),
        (1175541522000, "2007-04"),
        (float("nan"), "2007-04"),
        (None, "2007-04"),
    ],
)
def test_dates_in_their_forms(given_: object, published: str) -> None:
    assert paper_from_record({**BASE, "published": given_}).published == published


@pytest.mark.parametrize(
    ("change", "version"),
    [
        ({"id": "0704.0001v3"}, 3),
        ({"version": 2}, 2),
        ({"version": "v4"}, 4),
        ({"version": 5.0}, 5),
        ({"versions": [{"created": "2007-04-02"}, {"created": "2008-04-02"}]}, 2),
        ({"versions": ["v1", "v2", "v3"]}, 3),
        ({"versions": "broken ["}, None),
        ({"version": 0}, None),
        ({}, None),
    ],
)
def test_versions_in_their_forms(change: dict[str, object], version: int | None) -> None:
    assert paper_from_record({**BASE, **change}).version == version


def test_keys_are_compared_loosely_and_nothing_else_is_taken() -> None:
    record = {
        "Arxiv ID": "0704.0001",
        "TITLE": "T",
        "Summary": "A",
        "Journal-Ref": "J",
        "submitter": "x",
        "source": "elsewhere",
        3: "a key that is no text",
    }
    assert paper_from_record(record) == Paper(
        arxiv_id="0704.0001",
        title="T",
        abstract="A",
        journal_ref="J",
        published="2007-04",
        source="elsewhere",
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A. One, B. Two, and C. Three", ("A. One", "B. Two", "C. Three")),
        ("A. One and B. Two and C. Three", ("A. One", "B. Two", "C. Three")),
        ("A. One; B. Two & C. Three", ("A. One", "B. Two", "C. Three")),
        ("Ada Brandt, Sandra Land", ("Ada Brandt", "Sandra Land")),
        ("A. One (U. of X, Dept. (Physics) and Y), B. Two (Z)", ("A. One", "B. Two")),
        ("A. One (1), B. Two (1 and 2) ((1) X, (2) Y)", ("A. One", "B. Two")),
        ("The ATLAS Collaboration: A. One, et al", ("ATLAS Collaboration", "A. One")),
        ("A. One (for the X Collaboration)", ("A. One", "X Collaboration")),
        ("A. One, for the X Collaboration", ("A. One", "X Collaboration")),
        ("A. One, Jr., B. Two", ("A. One, Jr.", "B. Two")),
        ("A. One (never closed, B. Two", ("A. One", "B. Two")),
        ("", ()),
        (" , ;", ()),
    ],
)
def test_authors_written_as_one_text(text: str, names: tuple[str, ...]) -> None:
    assert split_authors(text) == names


def test_lists_of_authors_in_their_forms() -> None:
    def authors(value: object) -> tuple[str, ...]:
        return paper_from_record({**BASE, "authors": value}).authors

    assert authors(["S{\\o}r", "A. B.~Two (X)", ""]) == ("Sør", "A. B. Two")
    assert authors(["One, A. B.", "Two, C.", "X Collaboration"]) == (
        "A. B. One",
        "C. Two",
        "X Collaboration",
    )
    assert authors(["R. E. One, Jr.", "A. Two"]) == ("R. E. One, Jr.", "A. Two")
    assert authors([{"name": "A. One"}, {"first": "B.", "last": "Two"}]) == ("A. One", "B. Two")
    assert authors('["A. One", "B. Two"]') == ("A. One", "B. Two")
    assert len(authors([f"A. {n}" for n in range(3_000)])) == 3_000


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"K{\"o}hler", "Köhler"),
        (r"Mart\'{\i}n", "Martín"),
        (r"Mart\'\i n", "Martín"),
        (r"Dvo\v{r}\'ak", "Dvořák"),
        (r"\v Sime", "Šime"),
        (r"Fran\c{c}ois", "François"),
        (r"S{\l}awi\'nski", "Sławiński"),
        (r"\AA{}ngstr{\"{o}}m", "Ångström"),
        (r"Erd\H{o}s", "Erdős"),
        (r"Pla{\ss}", "Plaß"),
        (r"J.~Doe$^{1,2}$", "J. Doe"),
        (r"A. \& B.", "A. & B."),
        (r"broken \'", "broken '"),
        ("plain", "plain"),
    ],
)
def test_accents_in_names(text: str, name: str) -> None:
    assert latex_to_unicode(text) == name


@pytest.mark.parametrize(
    ("title", "abstract", "comments"),
    [
        ("T", "This paper has been withdrawn by the authors.", None),
        ("T", "The paper was temporarily withdrawn due to an error.", None),
        ("T", "Withdrawn", None),
        ("T", "[Withdrawn by the author]", None),
        ("T", "We have withdrawn this paper due to a fatal flaw.", None),
        ("T", "Proposition 1 is wrong. The paper is withdrawn.", None),
        ("Withdrawn", "A", None),
        ("T", "A", "This submission has been withdrawn due to an error"),
        ("T", "A", "4 pages. This paper has been withdrawn"),
        ("T", "A", "arXiv admin note: this paper has been withdrawn by arXiv administrators"),
        ("T", "A", "paper withdrawn by author"),
        ("T", "A", "withdrawn due to errors"),
    ],
)
def test_notices_of_withdrawal(title: str, abstract: str, comments: str | None) -> None:
    assert says_withdrawn(title, abstract, comments)


@pytest.mark.parametrize(
    ("title", "abstract", "comments"),
    [
        ("Withdrawn drugs", "Withdrawn drugs return to the market.", None),
        ("T", "Retracted papers are cited for years.", None),
        ("T", "We study energy withdrawn from a reservoir.", None),
        ("T", "A " * 400 + ". The paper was withdrawn from a journal.", None),
        ("T", "A", "10 pages, was withdrawn from the proceedings of X"),
        ("T", "A", "replaces the withdrawn arXiv:0704.0001"),
    ],
)
def test_what_is_no_notice(title: str, abstract: str, comments: str | None) -> None:
    assert not says_withdrawn(title, abstract, comments)


def test_a_flag_marks_a_withdrawn_paper() -> None:
    assert paper_from_record({**BASE, "withdrawn": True}).withdrawn
    assert paper_from_record({**BASE, "withdrawn": "true"}).withdrawn
    assert not paper_from_record({**BASE, "withdrawn": False}).withdrawn


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = (
    "title abstract authors authors_parsed categories subjects primary_category published versions "
    "version doi comments withdrawn update_date"
).split()


@given(st.dictionaries(st.sampled_from(FIELDS), values))
def test_any_values_give_a_paper_or_a_reason(fields: dict[str, object]) -> None:
    try:
        paper_from_record({**BASE, **fields}).cleaned()
    except ValueError as error:
        assert str(error)


@given(st.text() | st.text(st.sampled_from("\\'\"{}$~aoe(),; &and")))
def test_any_names_can_be_split(text: str) -> None:
    assert all(name == name.strip() and name for name in split_authors(text))


def test_hostile_names_take_linear_time() -> None:
    for piece in ("(", "((a)", "{\\'", "$", "A. B., ", " and", "the Collaboration ", "a  "):
        split_authors(piece * 20_000)
