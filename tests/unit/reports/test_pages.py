"""A report as a page: what it says, and that no words of others in it are markup."""

from __future__ import annotations

import itertools
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_of_mesons import HOSTILE, SHI, meson_report, saying

from arxivscout.papers import one_line
from arxivscout.papers.citing.mathematics import MATHS
from arxivscout.reports.facts import SAID_ABOVE
from arxivscout.reports.html import to_html
from arxivscout.reports.index import Entry, index_page, relative
from arxivscout.reports.markup import Markup, joined, tag
from arxivscout.reports.report import Comparison, Cost, Report, Section, Sentence

TEXTS = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=6), max_size=6).map("".join)
WORDS = TEXTS.map(lambda text: f"a{text}b")
_OPEN = {"meta", "br", "wbr"}


class Page(HTMLParser):
    """The elements of a page in order, its text, its addresses and its ids.

    A formula counts as text: there are raised and lowered parts in it, and nothing else.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.shape: list[tuple[str, ...]] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.text = ""
        self.headings: list[int] = []
        self._within: list[str] = []
        self._of_a_formula = 0  # elements that are open
        self.feed(html)
        self.close()
        assert not self._within

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._of_a_formula or (tag, attrs) == ("span", [("class", "maths")]):
            assert not self._of_a_formula or (tag in ("sub", "sup") and not attrs)
            self._of_a_formula += 1
            return
        self.shape.append((tag, *(name for name, _ in attrs)))
        given = dict(attrs)
        if "href" in given:
            self.links.append(given["href"] or "")
        if "id" in given:
            self.ids.append(given["id"] or "")
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in _OPEN:
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._of_a_formula:
            self._of_a_formula -= 1
            return
        self.shape.append((f"/{tag}",))
        assert self._within.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_data(self, data: str) -> None:
        if "style" not in self._within:
            self.text += data


def test_a_page_says_all_that_the_report_says():
    page = Page(to_html(meson_report()))
    for words in (
        "CP Measurement in Quantum Teleportation of Neutral Mesons",
        "Yu Shi",
        "known since 2026-03-02",
        "weakly supported",
        "not supported",
        "Of 10 sentences: 8 supported by what they cite, 1 not supported, 1 weakly supported.",
        "None found.",
        "$0.0189",
        "48,210 in, 3,405 out",
        "3 min 07 s",
        "arXiv did not answer: papers held were searched only",
        "Of 12 papers you knew 2; 10 new to you.",
    ):
        assert words in page.text


def test_links_lead_to_arxiv_or_within_the_page_and_ids_are_used_once():
    page = Page(to_html(meson_report()))
    assert "https://arxiv.org/abs/0712.2288" in page.links
    for link in page.links:
        assert link.startswith("https://arxiv.org/abs/") or link.removeprefix("#") in page.ids
    assert len(set(page.ids)) == len(page.ids)


def test_headings_go_down_by_one():
    headings = Page(to_html(meson_report())).headings
    assert headings.count(1) == 1
    assert headings[0] == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(headings))


def test_nothing_may_run_or_be_fetched():
    html = to_html(meson_report())
    assert "<script" not in html
    assert "default-src 'none'" in html.replace("&#x27;", "'")
    assert not re.search(r"url\(|@import|\bsrc=|<link|<iframe|style=", html)


@pytest.fixture(scope="module")
def plain_page() -> Page:
    return Page(to_html(saying("plain")))


@settings(max_examples=40)
@given(words=WORDS)
def test_no_words_change_the_page_they_stand_in(words: str, plain_page: Page):
    page, plain = Page(to_html(saying(words))), plain_page
    assert page.shape == plain.shape
    assert page.ids == plain.ids
    assert page.links == plain.links
    assert MATHS.search(one_line(words)) or page.text.count(one_line(words)) > 100


@settings(max_examples=100)
@given(TEXTS)
def test_an_element_holds_text_and_attributes_as_they_are(words: str):
    element = tag("p", words, joined(words, tag("b", words)), title=words)
    page = Page(element)
    assert page.shape == [("p", "title"), ("b",), ("/b",), ("/p",)]


def test_what_is_put_together_from_markup_as_text_is_text():
    assert tag("p", f"{tag('b', 'x')}") == "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"
    assert isinstance(tag("b", "x"), Markup)


def test_an_address_in_a_record_is_not_followed():
    paper = SHI.model_copy(update={"url": "javascript:alert(1)"})
    links = Page(to_html(meson_report(papers=(paper,)))).links
    assert not [link for link in links if "javascript" in link]


def test_a_citation_of_no_paper_of_the_report_has_no_number():
    brief = (Sentence(text="Nobody wrote this.", papers=("2401.00001",)),)
    page = Page(to_html(meson_report(brief=brief, sections=(), open_questions=())))
    assert "[1]" not in page.text
    assert "References" not in page.text


def test_a_report_of_nothing_says_so():
    nothing = Report(
        job_id="none",
        question="Is there life on Titan?",
        not_found="Nothing held bears on it.",
        cost=Cost(model="extractive"),
        extractive=True,
        started_at=meson_report().started_at,
    )
    page = Page(to_html(nothing))
    assert "Nothing held bears on it." in page.text
    assert "none billed" in page.text
    assert "svg" not in {name for name, *_ in page.shape}


COMPARED = Comparison(
    papers=("0712.2288", "2512.10225"),
    rows={"method": ("A basis of CP.", ""), "data": ("", ""), "findings": ("It can.", "It may.")},
)


def test_papers_are_compared_in_blocks_and_what_none_states_is_one_line():
    text = " ".join(Page(to_html(meson_report(comparison=COMPARED))).text.split())
    assert (
        "Shi 2007 [1] CP Measurement in Quantum Teleportation of Neutral Mesons method A basis of "
        "CP. findings It can. Datta et al. 2025 [6]"
    ) in text
    assert "findings It may. not stated method None of these papers states: data." in text


def test_a_section_that_says_what_the_brief_says_is_a_line():
    brief = meson_report().brief
    again = Section(title="One theme", paragraphs=(brief[:1], brief[1:]))
    report = meson_report(sections=(again,), open_questions=())
    text = Page(to_html(report)).text
    assert text.count(brief[0].text) == 1
    assert SAID_ABOVE in text
    assert f"Of {len(brief)} sentences: " in text
    more = again.model_copy(update={"paragraphs": (brief, (Sentence(text="And more."),))})
    text = Page(to_html(meson_report(sections=(more,)))).text
    assert text.count(brief[0].text) == 2
    assert SAID_ABOVE not in text


def test_a_cost_that_nobody_knows_is_unknown():
    cost = Cost(model="m", input_tokens=1, output_tokens=1)
    assert "unknown" in Page(to_html(meson_report(cost=cost))).text


ENTRIES = (
    Entry(
        job_id="a", question="Why?", state="done", papers=3, seconds=65.0, tokens=1200, cost=0.5,
        files=(("HTML", "a/report.html"), ("BibTeX", "a/report.bib")),
    ),
    Entry(job_id="b", question="How?", state="failed", error="no model answers", tokens=10),
    Entry(job_id="c", question="When?", state="waiting"),
    Entry(job_id="d", question="Who?", state="cancelled"),
)  # fmt: skip


def test_an_index_tells_of_every_job_and_adds_up():
    page = Page(index_page("night", ENTRIES))
    for words in (
        "4 jobs · 1 done · 1 failed · 1 waiting · 1 cancelled",
        "no model answers",
        "1 min 05 s",
        "1,210",
        "$0.50, and unknown for 1 job",
    ):
        assert words in page.text
    assert page.links == ["#content", "./a/report.html", "./a/report.html", "./a/report.bib"]


def test_an_index_of_extractive_jobs_has_no_bill():
    free = [Entry(job_id="a", question="Why?", state="done", tokens=0, billed=False)]
    page = Page(index_page("night", free))
    assert page.text.count("none billed") == 1
    assert page.text.count("Tokens") == 1


def test_an_index_says_how_each_answer_begins_and_which_jobs_have_none():
    amiss = ("arXiv can't be reached", "arXiv can't be reached")
    entries = [
        Entry(job_id="a", question="Why?", state="done", answer="Since $10^9$ years.",
              degraded=amiss),
        Entry(job_id="b", question="How?", state="done", not_found="Not found.", degraded=amiss),
    ]  # fmt: skip
    page = Page(index_page("night", entries))
    for words in (
        "2 jobs · 2 done · 1 without an answer",
        "Since 109 years.",
        "No answer: Not found.",
        "arXiv can't be reached (2 jobs)",
    ):
        assert words in page.text
    assert "did not work" not in Page(index_page("night", ENTRIES)).text


@settings(max_examples=60)
@given(WORDS)
def test_no_words_change_the_index_they_stand_in(words: str):
    def of(text: str) -> Page:
        entry = Entry(
            job_id=text, question=text, state="failed", error=text, files=((text, "a.html"),),
            answer=text, degraded=(text,),
        )  # fmt: skip
        return Page(index_page(text, [entry]))

    assert of(words).shape == of("plain").shape
    assert of(words).links == of("plain").links


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("a/report.html", "./a/report.html"),
        ("javascript:alert(1)", "./javascript%3Aalert%281%29"),
        ("//evil.example/x", "./evil.example/x"),
        ("../../etc/passwd", "./etc/passwd"),
        ("a b/#?.html", "./a%20b/%23%3F.html"),
    ],
)
def test_a_file_is_in_the_folder_of_its_index(path: str, address: str):
    assert relative(path) == address
