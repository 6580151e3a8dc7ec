"""Documents of every kind, good and bad: a full text or one clear line, within limits."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from pdf_typesetter import Part, Setting, typeset
from pdf_writer import Pdf, assemble, document

from arxivscout.errors import SourceError, UsageError
from arxivscout.sources.fulltext import Limits, read_document, read_html, read_pdf

_PROSE = "These are words that make up a paragraph of some length on the page of a paper. " * 4
_PAPER = typeset(
    [Part("title", "A title"), Part("heading", "1 Methods"), Part("paragraph", _PROSE)], Setting()
)
_HTML = b'<!DOCTYPE html><html><article class="ltx_document"><p>Words.</p></article></html>'

Save = Callable[[bytes, str], Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def write(data: bytes, name: str = "paper.pdf") -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


def _line(path: Path, limits: Limits | None = None) -> str:
    """The one line that the document is refused with; nothing is left running for it."""
    before = set(psutil.Process().children())  # of other tests in this process
    with pytest.raises(SourceError) as told:
        read_document(path, limits=limits)
    assert told.value.cause.startswith(str(path))
    assert told.value.cause.endswith(".")
    assert "\n" not in str(told.value)
    assert set(psutil.Process().children()) <= before
    return str(told.value).removeprefix(str(path)).strip()


def _flood(kind: bytes, mebibytes: int) -> bytes:
    """A Flate stream of a few kilobytes that unfolds to many times `kind`."""
    packer = zlib.compressobj(9)
    piece = kind * ((1 << 20) // len(kind))
    start = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    # what follows a full flush refers to nothing before it, and so may stand any number of times
    again = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    return start + again * (mebibytes - 1) + b"\x03\x00"


def _with_stream(stream: bytes) -> bytes:
    return assemble(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] /Resources << /Font"
            b" << /F << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >> >> >> >>",
            b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>",
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(stream), stream),
        ]
    )


_SLOW = _with_stream(_flood(b"BT /F 9 Tf 9 9 Td (words of a page) Tj ET\n", 400))


def _encrypted() -> bytes:
    """A PDF that asks for a password (RC4 with 40 bits, ISO 32000-1, 7.6.3)."""
    padding = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
    owner = hashlib.md5(b"owner", usedforsecurity=False).digest() * 2
    user = hashlib.md5(padding, usedforsecurity=False).digest() * 2
    trailer = (
        f"/ID [<{'00' * 16}> <{'00' * 16}>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4"
        f" /O <{owner.hex()}> /U <{user.hex()}> >>"
    )
    return assemble(
        [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"], trailer
    )


def test_what_a_document_is_is_judged_by_content(save: Save) -> None:
    by_pdf = read_document(save(_PAPER, "paper.html"))
    assert (by_pdf.kind, by_pdf.title, by_pdf.pages) == ("pdf", "A title", 1)
    assert by_pdf.sections[0].blocks[0].text == _PROSE.strip()
    by_html = read_document(save(_HTML, "paper.pdf"))
    assert (by_html.kind, by_html.sections[0].blocks[0].text) == ("html", "Words.")
    assert read_html(_HTML) == by_html
    assert read_pdf(save(b"some bytes before\n" + _PAPER, "-paper;$(a) ü.pdf")).title == "A title"


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"", "is empty."),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "is no PDF and no HTML, but a PNG picture."),
        (b"PK\x03\x04" + bytes(99), "is no PDF and no HTML, but a ZIP archive"),
        (b"Some words of a text.\n", "is no PDF and no HTML, but text."),
        (bytes(range(256)), "is no PDF and no HTML, but data of a kind that is not known."),
        (b"<html><p>An error page</p></html>", "is no HTML of a paper as arXiv makes it."),
        (b"%PDF-1.5\n" + bytes(range(256)) * 40, "is a broken PDF, or one cut short."),
        (_PAPER[:150], "is a broken PDF, or one cut short."),
        (document([]), "has no pages."),
        (document([b"1 0 0 RG 9 9 99 99 re f"] * 3), "has no text: its pages are pictures."),
        (_encrypted(), "is encrypted."),
    ],
)
def test_what_can_not_be_read_is_told_in_one_line(save: Save, data: bytes, cause: str) -> None:
    line = _line(save(data))
    assert line.startswith(cause)
    assert line != cause or cause.endswith("but text.")


def test_a_document_is_called_what_it_is_named(save: Save) -> None:
    for data in (b"", b"words", b"%PDF-1.5 broken", b"<html>"):
        with pytest.raises(SourceError, match=r"^https://arxiv\.org/pdf/1706\.03762 (?:is|has) "):
            read_document(save(data), name="https://arxiv.org/pdf/1706.03762")


def test_a_pdf_is_asked_for_where_html_is_given(save: Save) -> None:
    with pytest.raises(SourceError, match="is no PDF, but HTML"):
        read_pdf(save(_HTML))


def test_paths_that_are_no_files_are_the_persons_mistake(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, cause in [
        ("", "is a folder"),
        ("none", "can't be read: No such"),
        ("pipe", "is no reg"),
    ]:
        with pytest.raises(UsageError, match=cause):
            read_document(tmp_path / name)


def test_a_pdf_cut_short_gives_what_is_left_or_says_that_it_is_broken(save: Save) -> None:
    pdf = Pdf()
    for page in range(30):
        pdf.page()
        pdf.text(60, 700, f"Words of the page number {page} that are set here.")
    data = pdf.data()
    for share in (0.3, 0.6, 0.95):
        try:
            text = read_document(save(data[: int(share * len(data))]))
        except SourceError as error:
            assert "broken" in str(error)
        else:
            assert text.notes or text.pages == 30


def test_a_thousand_pages_are_read(save: Save) -> None:
    pdf = Pdf()
    for page in range(1000):
        pdf.page()
        pdf.text(60, 700, f"Words of the page number {page} that are set here.")
    text = read_document(save(pdf.data()))
    said = " ".join(block.text for section in text.sections for block in section.blocks)
    assert (text.pages, text.notes) == (1000, ())
    assert all(f"number {page} that" in said for page in range(1000))


def test_pages_past_the_limit_are_named(save: Save) -> None:
    pdf = Pdf()
    for page in range(5):
        pdf.page()
        pdf.text(60, 700, f"Words of the page number {page} that are set here.")
    text = read_document(save(pdf.data()), limits=Limits(pages=3))
    assert text.notes == ("pages 4 to 5 of 5 were left: the document is too long",)


def test_a_file_of_300_mib_is_refused_or_read_in_bounded_memory(tmp_path: Path) -> None:
    path, hole = tmp_path / "large.pdf", 300 << 20
    # a valid file: its table of objects says where they stand behind the hole
    data = _PAPER.replace(b"%\xe2\xe3\xcf\xd3\n", b"", 1)
    head, rest = data[:9], data[9:]
    table = rest.rindex(b"xref", 0, rest.rindex(b"startxref"))
    moved = b"".join(
        b"%010d%b" % (int(line[:10]) - 6 + hole - 9, line[10:]) if line.endswith(b" n \n") else line
        for line in rest[table : rest.rindex(b"startxref")].splitlines(keepends=True)
    )
    end = b"startxref\n%d\n%%%%EOF\n" % (hole + table)
    with path.open("wb") as file:
        file.write(head)
        file.seek(hole)
        file.write(rest[:table] + moved + end)
    assert _line(path).startswith("has 300 MiB; more than 200 MiB is not read.")
    text = read_document(path, limits=Limits(file=400 << 20, memory=256 << 20))
    assert text.title == "A title"


def test_a_stream_that_unfolds_to_gigabytes_ends_in_one_line(save: Save) -> None:
    data = _with_stream(_flood(b" " * 64, 3000))
    assert len(data) < 6 << 20
    line = _line(save(data), Limits(memory=256 << 20))
    assert line.startswith("is broken, or needs more than 256 MiB of memory.")


def test_html_that_needs_too_much_memory_ends_in_one_line(save: Save) -> None:
    data = b'<html><div class="ltx_document">' + b"<br>" * 400_000
    line = _line(save(data), Limits(memory=96 << 20))
    assert line.startswith("is broken, or needs more than 96 MiB")


def test_too_much_text_ends_in_one_line(save: Save) -> None:
    line = _line(save(_PAPER), Limits(output=200))
    assert line.startswith("holds more text than is read of one document.")


def test_a_document_that_takes_too_long_is_ended(save: Save) -> None:
    path = save(_SLOW)
    wide = 4 << 30
    assert _line(path, Limits(cpu_seconds=1, memory=wide)).startswith("takes longer than 1 s")
    assert _line(path, Limits(seconds=1, memory=wide)).startswith("takes longer than 1 s to read.")


def test_ctrl_c_ends_the_worker_too(save: Save) -> None:
    path = save(_SLOW)
    program = (
        "import sys; from arxivscout.sources.fulltext import Limits, read_document;"
        "read_document(sys.argv[1], limits=Limits(memory=4 << 30))"
    )
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as reader:
        workers: list[psutil.Process] = []
        until = time.monotonic() + 20
        while not workers and time.monotonic() < until:
            workers = psutil.Process(reader.pid).children()
            time.sleep(0.02)
        reader.send_signal(signal.SIGINT)
        _, said = reader.communicate(timeout=20)
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert workers
    assert not [worker for worker in workers if worker.is_running()]


def test_what_stands_in_the_current_folder_is_not_run(
    save: Save, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(_PAPER)
    save(b"raise SystemExit(9)", "json.py")
    monkeypatch.chdir(tmp_path)
    assert read_document(path.name).title == "A title"
