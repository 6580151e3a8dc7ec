"""What of a search is an operator, and what stays text: everything that people paste."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arxivscout.papers.query import PaperQuery, parse_query, query_text
from arxivscout.papers.query_notes import notes_on
from arxivscout.papers.text import one_line

# Pieces that texts are made of; what can go wrong lies in how they meet.
ATOMS = (
    '" " “ ” „ « » - -- -x -" x y , ; . ! : = author: author:" TITLE: au:x cat: cs .* cs.cl year: '
    "year:x 2019 .. since: until: id: like: 0712.2288 Author: \u0301 \u0338 $-x$ a@b.c AND -ti:"
).split()
texts = st.text() | st.lists(st.sampled_from([*ATOMS, *" " * 20]), max_size=24).map("".join)


@given(texts)
@example('year:x "year:x" year:y')
@example('"b «foo» c" "b «c')
@example('5" x "author:x" author:"y z", -"a b"; "unclosed «a "b» c')
@example('x,y "x" x')
@example("“a “b” c” a b c")
def test_a_query_written_back_is_read_as_the_same(text: str) -> None:
    query = parse_query(text)
    assert parse_query(query_text(query)) == query


@given(texts)
def test_the_text_is_clean_and_holds_the_phrases_and_what_is_ignored(text: str) -> None:
    query = parse_query(text)
    assert query.text == " ".join(query.text.split())
    at = 0
    for phrase in query.phrases:
        at = f" {query.text} ".index(f" {phrase} ", at) + len(phrase) + 1
    assert all(each in query.text for each in query.ignored)


@given(st.text(st.characters(exclude_characters='"“”„«»-:')))
def test_text_without_a_sign_of_an_operator_is_text_only(text: str) -> None:
    assert parse_query(text) == PaperQuery(text=one_line(text))


words = st.text("abcxyzé", min_size=1, max_size=5)
several = st.lists(words, min_size=1, max_size=3).map(" ".join)
operators = st.one_of(
    st.tuples(st.just("text"), words, st.just("{}")),
    st.tuples(st.just("phrases"), several, st.sampled_from(['"{}"', "“{}”", "„{}“", "«{}»"])),
    st.tuples(st.just("without"), words, st.sampled_from(["-{}", '-"{}"', "-{},"])),
    st.tuples(st.just("without"), several, st.sampled_from(['-"{}"', "-“{}”"])),
    st.tuples(st.just("without_authors"), words, st.sampled_from(["-author:{}", '-AU:"{}"'])),
    st.tuples(st.just("without_titles"), several, st.sampled_from(['-title:"{}"', "-ti:«{}»,"])),
    st.tuples(st.just("authors"), words, st.sampled_from(["author:{}", "AU:{};", 'au:"{}"'])),
    st.tuples(st.just("authors"), several, st.sampled_from(['author:"{}"', "au:«{}»,"])),
    st.tuples(st.just("titles"), several, st.sampled_from(['title:"{}"', "TI:“{}”"])),
    st.tuples(st.just("ignored"), words, st.sampled_from(["year:{}", "id:{},", "UNTIL:{}"])),
)


@given(st.lists(operators, max_size=8))
def test_every_operator_is_taken_once_and_the_rest_keeps_its_order(
    given: list[tuple[str, str, str]],
) -> None:
    query = parse_query(" ".join(form.format(value) for _, value, form in given))
    for field in ("without", "without_authors", "without_titles", "authors", "titles"):
        wanted = dict.fromkeys(value for name, value, _ in given if name == field)
        assert getattr(query, field) == tuple(wanted)
    assert query.phrases == tuple(value for name, value, _ in given if name == "phrases")
    left = [
        form.format(value) if name == "ignored" else value
        for name, value, form in given
        if name in ("text", "phrases", "ignored")
    ]
    assert query.text == " ".join(left)


@pytest.mark.parametrize(
    "text",
    [
        "Title: a survey",
        "note: x",
        "Author: Smith",
        "author: smith",
        "Author:smith",
        "a 3:1 ratio",
        "see http://x or https://arxiv.org/list/cs.CL",
        "a - b",
        "state-of-the-art",
        "-1",
        "-0.5 eV",
        "--",
        "--word",
        "-",
        "x:-y",
        "mail author@x.org",
        "$-x$ and $a-b$",
        "GPT-4",
        "coauthor:smith",
        "(author:smith)",
        'the "unclosed',
        '"',
        '""',
        '" "',
        'a 5" disk and a 3" one',
        'a"b"c',
        "what does author: mean",
        "since: when",
        "papers like: this one",
        "rock 'n' roll",
        "",
    ],
)
def test_what_people_paste_stays_text(text: str) -> None:
    assert parse_query(text) == PaperQuery(text=text)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("graph -survey nets", PaperQuery(text="graph nets", without=("survey",))),
        ('-"weak lensing" map', PaperQuery(text="map", without=("weak lensing",))),
        ("author:smith", PaperQuery(authors=("smith",))),
        ('author:"van der Berg" x', PaperQuery(text="x", authors=("van der Berg",))),
        ("AU:smith au:jones", PaperQuery(authors=("smith", "jones"))),
        ("author:o'Brien, x", PaperQuery(text="x", authors=("o'Brien",))),
        ('author:"van den Berg", x', PaperQuery(text="x", authors=("van den Berg",))),
        ('ti:word title:"some words"', PaperQuery(titles=("word", "some words"))),
        (
            'who wrote "attention is all you need"?',
            PaperQuery(
                text="who wrote attention is all you need ?",
                phrases=("attention is all you need",),
            ),
        ),
        ("“a b” „c“ „d” «e f»", PaperQuery(text="a b c d e f", phrases=("a b", "c", "d", "e f"))),
        ('""a b""', PaperQuery(text="a b", phrases=("a b",))),
        ('"author:smith -x"', PaperQuery(text="author:smith -x", phrases=("author:smith -x",))),
        ('-"author:smith"', PaperQuery(without=("author:smith",))),
        ("author:x author:x", PaperQuery(authors=("x",))),
        ("id:0712.2288", PaperQuery(ids=("0712.2288",))),
        ("id:hep-th/9901001v2", PaperQuery(ids=("hep-th/9901001v2",))),
        ("id:arXiv:0712.2288v1", PaperQuery(ids=("0712.2288v1",))),
        ("ID:https://arxiv.org/abs/math.GT/0309136", PaperQuery(ids=("math/0309136",))),
        ("like:0712.2288v1 decay", PaperQuery(text="decay", like=("0712.2288v1",))),
        ("id:0712.2288,hep-th/9901001v2", PaperQuery(ids=("0712.2288", "hep-th/9901001v2"))),
        ("-author:smith x", PaperQuery(text="x", without_authors=("smith",))),
        ('-AU:"van der Berg"', PaperQuery(without_authors=("van der Berg",))),
        ("-ti:word -title:“some words”", PaperQuery(without_titles=("word", "some words"))),
        ("-CAT:cs.*, -cat:hep-th", PaperQuery(without_categories=("cs", "hep-th"))),
        ("-id:0712.2288", PaperQuery(without_ids=("0712.2288",))),
        ("author:x AND cat:cs", PaperQuery(authors=("x",), categories=("cs",))),
        ("author:x AND halos", PaperQuery(text="AND halos", authors=("x",))),
        ("AND", PaperQuery(text="AND")),
        ('"AND" author:x', PaperQuery(text="AND", phrases=("AND",), authors=("x",))),
        ("LIKE:hep-th/9901001, like:hep-th/9901001", PaperQuery(like=("hep-th/9901001",))),
    ],
)  # fmt: skip
def test_operators_are_taken_out(text: str, query: PaperQuery) -> None:
    assert parse_query(text) == query


@pytest.mark.parametrize(
    ("typed", "category"),
    [
        ("cs.CL", "cs.CL"),
        ("cs.cl", "cs.CL"),
        ("CS", "cs"),
        ("cs.*", "cs"),
        ("astro-ph.ga", "astro-ph.GA"),
        ("hep-TH", "hep-th"),
        ("COND-MAT.Str-El", "cond-mat.str-el"),
        ("alg-geom", "alg-geom"),
        ('"cs.CL"', "cs.CL"),
        ("cs.CL,", "cs.CL"),
    ],
)
def test_categories_come_out_as_arxiv_writes_them(typed: str, category: str) -> None:
    for name in ("cat", "category", "CAT"):
        assert parse_query(f"{name}:{typed} x") == PaperQuery(text="x", categories=(category,))


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("year:2019", "2019", "2019"),
        ("year:2019..2023", "2019", "2023"),
        ("year:2023..2019", "2019", "2023"),
        ("year:2019...2023", "2019", "2023"),
        ("year:2019-2023", "2019", "2023"),
        ("year:2023–2019", "2019", "2023"),
        ("year:2019-12", "2019-12", "2019-12"),
        ("year:2019..", "2019", None),
        ("year:..2023", None, "2023"),
        ("year:2020-05..2020", "2020-05", "2020"),
        ("since:2024-06", "2024-06", None),
        ("until:2025", None, "2025"),
        ("since:2024-02-29, until:2024-12", "2024-02-29", "2024-12"),
        # all that is given must hold
        ("since:2019 since:2020-01 since:2018", "2020-01", None),
        ("until:2020 until:2020-11 year:2015..2021", "2015", "2020-11"),
        # a contradiction is the caller's to tell
        ("since:2024 until:2020", "2024", "2020"),
    ],
)
def test_days_bound_the_search(text: str, since: str | None, until: str | None) -> None:
    assert parse_query(text) == PaperQuery(since=since, until=until)


@pytest.mark.parametrize(
    "typed",
    [
        "cat:nonsense!",
        "cat:cs.XX",
        "cat:cs.CL.*",
        "cat:hep-th.*.*",
        "year:20x",
        "year:0000",
        "year:..",
        "year:2019..x",
        "year:2019-2x",
        "year:2019-20",
        "since:soon",
        "since:2024-13",
        "since:2024-01-32",
        "until:2023-02-29",
        "UNTIL:12",
        "id:xyz",
        "id:0713.2288",
        "like:lemons",
        "like:0713.2288",
        "author:!",
        'author:""',
        'author:"van',
        '-"unclosed',
        "-year:2019",
        "-SINCE:2019",
        "-like:0712.2288",
        "-cat:cs.XX",
        "-author:!",
        '-title:"unclosed',
        "id:0712.2288,xyz",
    ],
)
def test_a_value_that_cannot_be_used_stays_in_the_text_and_is_named(typed: str) -> None:
    assert parse_query(f"a {typed} b {typed}") == PaperQuery(
        text=f"a {typed} b {typed}", ignored=(typed,)
    )
    assert parse_query(f"{typed} c").ignored == (typed,)


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("like:9999.99999", True),
        ("cat:foo, year:x", True),
        ("cat:foo cat:foo", True),
        ("cat:foo graphs", False),
        ("cat:foo author:shi", False),
        ("cat:foo", True),
        ("graphs", False),
        ("", False),
    ],
)
def test_what_can_not_be_used_alone_asks_nothing(text: str, nothing: bool) -> None:
    assert parse_query(text).asks_nothing is nothing


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("like:9999.99999", ["like:9999.99999: '9999.99999' is no arXiv id: there is no month 99"]),
        ("x id:0712.2288,foo", ["'foo' is no arXiv id"]),
        ("x cat:foo", ["cat:foo: arXiv has no such category"]),
        ("x cat:cs.CL,cs.LG", ["cat:cs.CL,cs.LG: one category each"]),
        ("x since:tomorrow", ["since:tomorrow: days are written 2024, 2024-06 or 2024-06-30"]),
        ("x until:2024-02-31", ["until:2024-02-31: there is no such day"]),
        (
            "x -year:2019",
            ["-year:2019: words, authors, titles, categories and ids can be left out"],
        ),
        ('x author:"van der', ["its quote is not closed"]),
        ("x author:!", ["author:!: there is no word in it"]),
        ("foo:bar x", ["foo:bar: there is no operator foo:, there are author:, title:, cat:"]),
        ("auhtor:shi x", ["auhtor:shi: there is no operator auhtor:, is author: meant?"]),
        ("Author:shi x", ["Author:shi: an operator is written author:"]),
        ("(author:shi x", ["(author:shi: an operator is written author:"]),
        ("-foo:bar x", ["-foo:bar: there is no operator foo:"]),
        ("cat:cs OR cat:math", ["OR: of several operators all must hold"]),
        ("graphs NOT survey", ["NOT: what is to be left out has a minus, -word"]),
        ("x foo:bar cat:foo", ["cat:foo: arXiv has", "foo:bar: there is no"]),
    ],
)
def test_what_seems_to_be_an_operator_is_told_of(text: str, told: list[str]) -> None:
    notes = notes_on(parse_query(text))
    assert len(notes) == len(told)
    assert all(part in note for part, note in zip(told, notes, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "Title: a survey",
        "see https://x.org/list or doi:10.1000/x or arXiv:0712.2288",
        "a 3:1 ratio at 12:30",
        "mail author@x.org",
        "std::vector",
        '"foo:bar" x',
        "IS THIS OR IS THIS NOT IT",
        "mesons or kaons, not pions",
        "A OR B",
        "author:shi -survey cat:cs.* year:2019..2020 like:0712.2288",
    ],
)
def test_of_what_people_paste_nothing_is_told(text: str) -> None:
    assert notes_on(parse_query(text)) == []


@given(texts)
def test_notes_are_lines_that_begin_with_what_was_typed(text: str) -> None:
    query = parse_query(text)
    for note in notes_on(query):
        assert "\n" not in note
        words = [*query.text.split(), *(f"-{word}" for word in query.without)]
        assert any(note.startswith(word.rstrip(",;")) for word in words)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    ['"', "-a ", "author:", "author:x ", '"a ', '"a" ', '-"a ', "„a «b ", '"!', "id:x "],
)
def test_a_megabyte_of_the_same_ends(piece: str) -> None:
    query = parse_query(piece * (1_000_000 // len(piece)))
    assert parse_query(query_text(query)) == query


def test_control_characters_and_lone_surrogates_never_come_out() -> None:
    assert parse_query("a\0\ud800b\n\tauthor:x\0y") == PaperQuery(text="ab", authors=("xy",))
