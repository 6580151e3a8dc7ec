"""Long tool results: head, tail and a handle in the context, all of it page by page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.context.budget import count_tokens
from arxivscout.context.large_results import LONGEST_RESULT, PAGE_TOKENS, fit_results, pages
from arxivscout.papers import Paper, parse_papers, render_papers

HANDLE = "6f1d2c3b-0000-4000-8000-00000000000a"
RESULTS = st.one_of(
    st.text(max_size=600),
    st.sampled_from(["x" * 30_000, "word " * 9_000, "line\n" * 9_000, "量子論。" * 3_000]),
)
PAPERS = [
    Paper(
        arxiv_id=f"0712.{number:04}", title=f"Paper {number}", abstract=f"It is so {number}. " * 60
    )
    for number in range(40)
]


@given(st.lists(RESULTS, max_size=5), st.integers(0, 2_000), st.booleans())
def test_results_stay_within_their_tokens(results: list[str], tokens: int, handled: bool) -> None:
    fitted = fit_results(results, tokens, [HANDLE] * len(results) if handled else [])
    assert len(fitted) == len(results)
    assert sum(map(count_tokens, fitted)) <= tokens


def test_a_long_result_has_its_head_its_tail_a_handle_and_its_status() -> None:
    result = "The first line.\n" + "Another line.\n" * 900 + "The last line.\nstatus: ok · 12 ms"
    (cut,) = fit_results([result], 300, [HANDLE])
    assert cut.startswith("The first line.")
    assert "The last line.\nstatus: ok · 12 ms" in cut
    assert f"open_result(result_id='{HANDLE}')" in cut


def test_one_result_is_cut_however_large_the_window_is() -> None:
    (cut,) = fit_results(["A line of a log.\n" * 20_000 + "status: ok"], 150_000, [HANDLE])
    assert count_tokens(cut) <= LONGEST_RESULT
    assert HANDLE in cut


def test_records_that_stay_are_whole_and_no_text_moves_into_another() -> None:
    result = f"{render_papers(PAPERS)}\nstatus: ok · 40 papers"
    (cut,) = fit_results([result], 900, [HANDLE])
    shown = parse_papers(cut)
    assert 2 <= len(shown) < 40
    for paper, held in zip(shown, PAPERS, strict=False):
        assert paper.arxiv_id == held.arxiv_id
        assert held.abstract.startswith(paper.abstract.removesuffix("[…]").strip())


@given(RESULTS)
def test_pages_hold_all_of_a_result(result: str) -> None:
    found = pages(result)
    assert "".join("".join(found).split()) == "".join(result.split())
    assert all(count_tokens(page) <= 2 * PAGE_TOKENS for page in found)


def test_papers_can_be_read_from_each_page() -> None:
    found = pages(render_papers(PAPERS))
    assert len(found) > 2
    assert [p.arxiv_id for page in found for p in parse_papers(page)] == [
        paper.arxiv_id for paper in PAPERS
    ]
