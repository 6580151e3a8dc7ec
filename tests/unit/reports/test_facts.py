"""Numbers, names, days, times and money as every form of a report says them."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest
from report_of_mesons import PAPERS, SHI, meson_report

from arxivscout.reports import facts
from arxivscout.reports.bib import as_paper, to_bib
from arxivscout.reports.drawing import letter, meaning_map, symbol, timeline


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.04, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"), (59.7, "1 min 00 s"),
        (185, "3 min 05 s"), (3599.9, "1 h 00 min"), (7620, "2 h 07 min"), (math.nan, "unknown"),
        (math.inf, "unknown"), (-1, "unknown"),
    ],
)  # fmt: skip
def test_durations(seconds: float, said: str):
    assert facts.duration(seconds) == said


@pytest.mark.parametrize(
    ("dollars", "said"),
    [
        (0.0, "$0.00"),
        (0.00004, "<$0.0001"),
        (0.0123, "$0.0123"),
        (1234.5, "$1,234.50"),
        (None, "unknown"),
    ],
)
def test_money(dollars: float | None, said: str):
    assert facts.money(dollars) == said


def test_names_of_papers():
    names = {paper.arxiv_id: facts.short_name(paper) for paper in PAPERS}
    assert names["0712.2288"] == "Shi 2007"
    assert names["quant-ph/9910030"] == "Braunstein et al. 1999"
    assert names["0808.2504"] == "arXiv:0808.2504"
    assert facts.byline(("A B", "C D", "E F", "G H")) == "A B, C D, E F and 1 other"


def test_a_number_is_given_in_the_order_of_reading():
    assert list(facts.numbers(meson_report()).items())[:3] == [
        ("0712.2288", 1),
        ("quant-ph/9910030", 2),
        ("quant-ph/0311056", 3),
    ]


@pytest.mark.parametrize(
    ("published", "year"),
    [("2007-12-14", "2007"), ("2007-12", "2007"), ("2007", "2007"), ("", ""), ("9999", ""),
     ("in 2007", "")],
)  # fmt: skip
def test_years(published: str, year: str):
    assert facts.year(SHI.model_copy(update={"published": published})) == year


def test_every_year_from_the_first_to_the_last_has_a_bar():
    years = facts.years(meson_report())
    assert [year for year, *_ in years] == list(range(1994, 2026))
    assert sum(cited + other for _, cited, other in years) == len(PAPERS)
    assert facts.span(meson_report()) == "1994–2025"
    assert facts.span(meson_report(papers=(SHI,))) == "2007"


def test_nothing_is_new_where_nothing_was_known():
    papers = tuple(paper.model_copy(update={"known_since": None}) for paper in PAPERS)
    report = meson_report(papers=papers, known_before=None)
    assert facts.novelty(report, papers[0]) == ""
    assert facts.remembered(report) == ""
    again = meson_report(papers=papers, known_before=datetime(2026, 1, 2, 12, tzinfo=UTC))
    assert facts.novelty(again, papers[0]) == "new"


def test_bibtex_has_each_paper():
    written = to_bib(meson_report())
    assert written.startswith(f"% Job: {meson_report().job_id}\n\n@")
    assert written.count("eprint ") == len(PAPERS)
    assert "@misc{shi2007cp," in written
    assert "{{CP Measurement in Quantum Teleportation of Neutral Mesons}}" in written
    assert to_bib(meson_report(papers=())) == ""


def test_a_date_that_is_none_gives_way_to_the_month_of_the_id():
    assert as_paper(SHI.model_copy(update={"published": "spring"})).published == "2007-12"


def test_themes_past_the_eighth_pair_colour_and_shape_anew():
    drawn = [symbol(theme) for theme in range(64)]
    assert len(set(drawn)) == 64
    assert [letter(place) for place in (0, 25, 26, 27)] == ["A", "Z", "AA", "AB"]


def test_a_point_lies_within_the_map_whatever_its_place():
    wild = [math.nan, math.inf, -math.inf, 5.0, 0.3]
    papers = tuple(
        paper.model_copy(update={"x": x, "y": -x})
        for paper, x in zip(PAPERS, [*wild, *[0.1] * 7], strict=True)
    )
    assert "nan" not in meaning_map(meson_report(papers=papers))
    alone = meson_report(papers=(SHI,))
    assert meaning_map(alone) == ""
    assert "2007" in timeline(alone)
