"""Ids old and new, in every wrapping they come in, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.papers import PaperId, find_paper_ids
from arxivscout.papers.ids import OLD_ARCHIVES


def _new_id(year: int, month: int, number: int) -> str:
    stamp = f"{year % 100:02}{month:02}"
    return f"{stamp}.{number:0{4 if stamp < '1501' else 5}}"


new_values = st.builds(
    _new_id, st.integers(2008, 2060), st.integers(1, 12), st.integers(1, 9999)
) | st.builds(_new_id, st.just(2007), st.integers(4, 12), st.integers(1, 9999))
old_values = st.builds(
    lambda archive, year, month, number: f"{archive}/{year % 100:02}{month:02}{number:03}",
    st.sampled_from(sorted(OLD_ARCHIVES)),
    st.integers(1992, 2006),
    st.integers(1, 12),
    st.integers(1, 999),
)
values = new_values | old_values
versions = st.none() | st.integers(1, 99)


@given(values, versions)
def test_text_and_id_are_inverse(value: str, version: int | None) -> None:
    paper_id = PaperId(value, version)
    assert PaperId.parse(str(paper_id)) == paper_id
    assert PaperId.parse(paper_id.url) == PaperId(value)


@given(
    values,
    versions,
    st.sampled_from(
        [
            "arXiv:{}",
            "arxiv: {}",
            "ARXIV:{}",
            "https://arxiv.org/abs/{}",
            "http://arxiv.org/abs/{}",
            "arxiv.org/abs/{}",
            "https://www.arxiv.org/abs/{}?context=hep-th",
            "http://export.arxiv.org/abs/{}",
            "https://arxiv.org/pdf/{}",
            "https://arxiv.org/pdf/{}.pdf",
            "https://arxiv.org/pdf/{}.pdf#page=3",
            "https://arxiv.org/html/{}#S3.SS1",
            "https://ar5iv.labs.arxiv.org/html/{}/",
            "10.48550/arXiv.{}",
            "doi:10.48550/arXiv.{}",
            "https://doi.org/10.48550/arXiv.{}",
            "http://dx.doi.org/10.48550/ARXIV.{}",
            " {}\n",
            "({}),",
            "[arXiv:{}].",
            "<https://arxiv.org/abs/{}>;",
            "“{}”",
            "arXiv:{} [quant-ph]",
            "arXiv:{} [cond-mat.stat-mech] 14 Dec 2007",
        ]
    ),
)
def test_every_wrapping_is_taken_off(value: str, version: int | None, wrapping: str) -> None:
    paper_id = PaperId(value, version)
    assert PaperId.parse(wrapping.format(paper_id)) == paper_id


@given(values, versions, st.sampled_from(["see {}.", "({}, 2020)", "x [arXiv:{}] y", "a\n{}\nb"]))
def test_free_text_gives_its_ids(value: str, version: int | None, text: str) -> None:
    assert find_paper_ids(text.format(PaperId(value, version))) == [PaperId(value, version)]


@given(st.text(max_size=200))
def test_any_text_gives_an_id_or_a_reason_in_one_line(text: str) -> None:
    find_paper_ids(text)
    try:
        PaperId.parse(text)
    except ValueError as error:
        assert "is no arXiv id: " in str(error)
        assert str(error).isprintable()


@pytest.mark.parametrize("archive", sorted(OLD_ARCHIVES))
def test_every_old_archive_is_known(archive: str) -> None:
    assert PaperId.parse(f"{archive.upper()}/9901001v2") == PaperId(f"{archive}/9901001", 2)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("math.GT/0309136", "math/0309136"),
        ("cond-mat.stat-mech/0309136v3", "cond-mat/0309136"),
        ("physics.optics/0601001", "physics/0601001"),
        ("https://arxiv.org/abs/math.AG/0309136", "math/0309136"),
        ("cs.CL/0309136", "cs/0309136"),
    ],
)
def test_subject_classes_are_another_name_of_the_same_paper(text: str, value: str) -> None:
    assert PaperId.parse(text).value == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("abc", "look like"),
        ("0713.0001", "no month 13"),
        ("0700.0001", "no month 00"),
        ("hep-th/9913001", "no month 13"),
        ("0703.0001", "begin in April 2007"),
        ("9901.00001", "begin in April 2007"),
        ("0808.05394", "4 digits"),
        ("1412.00001", "4 digits"),
        ("1501.0001", "5 digits"),
        ("2301.123", "digits are missing"),
        ("704.0001", "digits are missing"),
        ("0704.0000", "begin at 1"),
        ("0712.2288v0", "no version v0"),
        ("0712.2288v1234", "no version"),
        ("9901001", "needs its archive"),
        ("hep-xx/9901001", "no archive 'hep-xx'"),
        ("hep-th/0704001", "July 1991 to March 2007"),
        ("hep-th/9106001", "July 1991 to March 2007"),
        ("hep-th/990100", "look like"),
        ("https://example.org/abs/0712.2288", "look like"),
        ("10.1103/PhysRevD.77.056002", "look like"),
        ("０７１２.２２８８", "look like"),
        ("0712.2288 and more", "look like"),
        ("x" * 10_000_000, "look like"),
    ],
)
def test_what_is_none_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        PaperId.parse(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "month"),
    [("0712.2288", "2007-12"), ("hep-th/9108001", "1991-08"), ("math/0703001", "2007-03")],
)
def test_every_id_carries_its_month(text: str, month: str) -> None:
    assert PaperId.parse(text).month == month


def test_numbers_that_are_no_ids_are_left_alone() -> None:
    text = (
        "pi is 3141.5926, it cost $1512.0001, doi 10.1016/0704.0001, version 1.0704.0001, "
        "host 0712.2288.5, 0712.22881, file-0712.2288, 1999.1234"
    )
    assert find_paper_ids(text) == []


def test_each_paper_is_found_once_where_it_is_first_named() -> None:
    text = (
        "arXiv:0712.2288v1, https://arxiv.org/abs/hep-th/9901001v2; 0712.2288 "
        "and doi.org/10.48550/arXiv.2301.00001 (math.GT/0309136)."
    )
    assert list(map(str, find_paper_ids(text))) == [
        "0712.2288v1",
        "hep-th/9901001v2",
        "2301.00001",
        "math/0309136",
    ]


def test_a_long_text_is_searched_in_linear_time() -> None:
    for piece in ("hep-th/99 arxiv.org/abs/ a-a-a- ", "a", "a-", "a.", "arxiv: ", "1234."):
        assert find_paper_ids(piece * 50_000) == []
