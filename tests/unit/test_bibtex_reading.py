"""BibTeX files of other programs: which arXiv paper an entry is, and what its owner noted."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arxivscout.errors import UsageError
from arxivscout.papers import Paper, Skipped, clean_text, one_line
from arxivscout.papers.citing import Own, render_citations
from arxivscout.papers.tags import clean_tag
from arxivscout.sources.bibtex import BibEntry, Foreign, read_bib


def entries_of(folder: Path, text: str | bytes) -> list[BibEntry | Skipped]:
    path = folder / "papers.bib"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_bib(path)


@pytest.mark.parametrize(
    ("fields", "arxiv_id"),
    [
        ("eprint={0712.2288}, archivePrefix={arXiv}", "0712.2288"),
        ("EPRINT = {0712.2288v3}", "0712.2288"),
        ('eprint="hep-th/9901001", archiveprefix="arXiv"', "hep-th/9901001"),
        ("eprint={9901001}, archivePrefix={arXiv}, primaryClass={hep-th}", "hep-th/9901001"),
        ("eprint={9901001}, archivePrefix={hep-th}", "hep-th/9901001"),
        ("eprint={1706.03762}, eprinttype={arXiv}", "1706.03762"),
        ("doi={10.48550/arXiv.1706.03762}", "1706.03762"),
        ("url={https://arxiv.org/pdf/1706.03762v5.pdf}", "1706.03762"),
        (r"url={\url{https://arxiv.org/abs/hep-th/9901001}}", "hep-th/9901001"),
        ("journal={arXiv preprint arXiv:1706.03762}", "1706.03762"),
        ("journal={CoRR}, volume={abs/1706.03762}", "1706.03762"),
        ("note={arXiv:1706.03762 [cs.CL]}", "1706.03762"),
        ("howpublished={arXiv:1706.03762}", "1706.03762"),
        ("note={compare arXiv:1706.03762 and arXiv:0712.2288}", None),
        ("eprint={PMC123}, eprinttype={pubmed}, doi={10.1000/1706.03762}", None),
        ("author={Donald Knuth}, year=1984", None),
    ],
)
def test_the_paper_an_entry_is(tmp_path: Path, fields: str, arxiv_id: str | None) -> None:
    (entry,) = entries_of(tmp_path, f"@misc{{key, title={{T}}, {fields}}}")
    if arxiv_id is None:
        assert isinstance(entry, Foreign)
        assert entry == Foreign(f"{tmp_path}/papers.bib:1", "the entry key names no paper on arXiv")
    else:
        assert isinstance(entry, BibEntry)
        assert entry.arxiv_id == arxiv_id


def test_keywords_and_notes_are_plain_text(tmp_path: Path) -> None:
    (entry,) = entries_of(
        tmp_path,
        r"""@article{x, eprint={0712.2288}, title={The {CP} of M\"uller \& sons},
            keywords = {Weak decay; {CP}, caf\'e,, }, annote={Read 50\% again}, note={Version 3.}}
        """,
    )
    assert isinstance(entry, BibEntry)
    assert entry.title == "The CP of Müller & sons"
    assert entry.keywords == ("Weak decay", "CP", "café")
    assert entry.note == "Read 50% again"


def test_broken_entries_are_told_with_their_line_and_the_others_are_read(tmp_path: Path) -> None:
    found = entries_of(
        tmp_path,
        "Some text.\n@misc{a, eprint={0712.2288}}\n\n@misc{b, title={never closed\n"
        "@misc{c, eprint={1706.03762}, title={One}, title={Two}}\n@misc{a, eprint={2301.00001}}\n"
        "@misc{d, eprint={0704.0001}",
    )
    where = f"{tmp_path}/papers.bib"
    ids = [each.arxiv_id for each in found if isinstance(each, BibEntry)]
    assert ids == ["0712.2288", "1706.03762", "2301.00001"]
    broken = [each for each in found if isinstance(each, Skipped)]
    assert [each.where for each in broken] == [f"{where}:4", f"{where}:7"]
    assert all("\n" not in each.reason and each.reason for each in broken)
    assert "end of file" in broken[1].reason
    (titled,) = [e for e in found if isinstance(e, BibEntry) and e.arxiv_id == "1706.03762"]
    assert titled.title == "One"


def test_other_encodings_and_line_ends_are_read(tmp_path: Path) -> None:
    for raw in (
        "\ufeff@misc{x, eprint={0712.2288}, keywords={café}}\r\n".encode(),
        "@misc{x, eprint={0712.2288}, keywords={café}}".encode("latin-1"),
    ):
        (entry,) = entries_of(tmp_path, raw)
        assert isinstance(entry, BibEntry)
        assert entry.keywords == ("café",)


@pytest.mark.parametrize("raw", [b"", b"no entry here", b"\x00\x01\x02", b"% comment\n@comment{x}"])
def test_what_is_no_bibtex_file_is_one_line(tmp_path: Path, raw: bytes) -> None:
    with pytest.raises(UsageError, match="holds no BibTeX entry"):
        entries_of(tmp_path, raw)


def test_a_file_that_can_not_be_read_is_one_line(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing.bib"):
        with pytest.raises(UsageError, match="can't be read"):
            read_bib(path)


@pytest.mark.timeout(30)
def test_hostile_notes_take_no_time(tmp_path: Path) -> None:
    for note in ("withdrawn." * 5_000 + "x", "arxiv" * 5_000 + " x", "preprint: " * 5_000 + "x"):
        entries_of(tmp_path, f"@misc{{x, eprint={{0712.2288}}, note={{{note}}}}}")


@settings(deadline=None)
@given(st.sampled_from(["0712.2288", "hep-th/9901001"]), st.text(min_size=1, max_size=40))
def test_what_we_export_is_taken_in_again(tmp_path_factory: object, ident: str, title: str) -> None:
    paper = Paper(arxiv_id=ident, title=f"x{title}", abstract="x", version=2, withdrawn=True)
    folder = tmp_path_factory.mktemp("bib")  # type: ignore[attr-defined]
    (entry,) = entries_of(folder, render_citations([paper.cleaned()], "bibtex"))
    assert isinstance(entry, BibEntry)
    assert (entry.arxiv_id, entry.note, entry.keywords) == (ident, "", ())


# What LaTeX, BibTeX and lists of keywords would obey, among plain words.
_TYPED = st.lists(
    st.sampled_from(
        [
            *"aZ é\n\t;:{}\\$#%&_^~@=\"'-",
            "$a_1$",
            "\\par ",
            "@misc{x,",
            "{}",
            ";{}",
            "\\'e",
            "$\\alpha;b$",
            "Version 3.",
            "\u00a0",
            "ß",
        ]
    )
    | st.text(max_size=3),
    max_size=12,
).map("".join)


@settings(deadline=None)
@given(st.lists(_TYPED, max_size=4), _TYPED, _TYPED)
def test_tags_notes_and_titles_of_wanted_papers_come_back_as_they_were(
    tmp_path_factory: object, words: list[str], note: str, title: str
) -> None:
    tags = tuple(sorted({tag for word in words if (tag := clean_tag(word))}))
    own = Own(tags, clean_text(note).strip(), wanted=True)
    paper = Paper(arxiv_id="0712.2288", title=one_line(title), abstract="", published="2007-12")
    folder = tmp_path_factory.mktemp("bib")  # type: ignore[attr-defined]
    (entry,) = entries_of(folder, render_citations([paper], "bibtex", {paper.arxiv_id: own}))
    assert isinstance(entry, BibEntry)
    assert tuple(sorted(filter(None, map(clean_tag, entry.keywords)))) == tags
    assert [one_line(line) for line in entry.note.split("\n")] == [
        one_line(line) for line in own.note.split("\n")
    ]
    assert entry.title == paper.title
