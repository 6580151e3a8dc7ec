"""cite, similar, compare and library as commands, over the starter collection."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., subprocess.CompletedProcess[str]]
MESONS = "0712.2288"
STRINGS = "hep-th/9901002"


def test_cite_prints_only_the_entries(scout: Run) -> None:
    done = scout("cite", f"https://arxiv.org/abs/{MESONS}v9", f"arXiv:{STRINGS}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n@") + 1 == 2
    assert f"eprint        = {{{STRINGS}}}" in done.stdout
    for name, begins in (("ris", "TY  - "), ("csl", "["), ("markdown", "- ")):
        done = scout("cite", MESONS, "--format", name)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(begins)


def test_cite_of_what_is_not_held_prints_nothing_and_one_line(scout: Run) -> None:
    done = scout("cite", MESONS, "2401.00001", "2401.00002")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "arXiv:2401.00001, arXiv:2401.00002 are not held" in done.stderr
    assert scout("cite", MESONS, "--format", "word").returncode == 2
    assert scout("cite", "nonsense").returncode == 2
    assert scout("cite").returncode == 2


def test_marks_show_where_papers_are_shown(scout: Run) -> None:
    assert scout("library", "tag", MESONS, "#Mesons", "cp").returncode == 0
    assert scout("library", "read", MESONS, "--status", "reading").returncode == 0
    done = scout("library", "note", MESONS, "See \x1b[31msection\x1b[0m 3.")
    assert done.returncode == 0, done.stderr
    assert "See section 3." in scout("library", "note", MESONS).stdout
    shown = scout("paper", MESONS).stdout
    assert "In your library: reading #cp #mesons" in shown
    assert "See section 3." in shown
    assert json.loads(scout("paper", MESONS, "--json").stdout)["tags"] == ["cp", "mesons"]
    assert "[reading #cp #mesons]" in " ".join(scout("search", "neutral mesons").stdout.split())
    listed = scout("library", "list", "--tag", "mesons").stdout
    assert MESONS in listed
    assert "See section 3." in listed
    assert "\x1b" not in shown + listed
    assert scout("library", "list", "--tag", "cp", "--status", "read").stdout == ""
    assert scout("library", "list", "--status", "skimmed").returncode == 2
    assert scout("library", "note", MESONS, "-").stderr == "There is no note on it.\n"
    assert json.loads(scout("paper", MESONS, "--json").stdout)["note"] is None
    assert scout("library", "note", STRINGS, "-").returncode == 0
    assert scout("library", "note", "2401.00001").returncode == 1
    assert scout("library", "tag", MESONS, "cp", "--remove").returncode == 0
    (marked,) = json.loads(scout("library", "list", "--json").stdout)
    assert marked["tags"] == ["mesons"]
    removed = scout("library", "remove", MESONS)
    assert removed.stdout.startswith(f"Removed from your library: arXiv:{MESONS}  CP Measurement")
    assert scout("library", "remove", MESONS).returncode == 1
    assert scout("library", "tag", "2401.00001", "x").returncode == 1


def test_similar(scout: Run) -> None:
    done = scout("similar", f"arxiv.org/abs/{MESONS}", "--k", "3", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) == 3
    assert MESONS not in [each["arxiv_id"] for each in found]
    assert "teleportation" in found[0]["title"].lower()
    assert scout("similar", MESONS, "--k", "0").returncode == 2
    assert scout("similar", "2401.00001").returncode == 1


def test_compare_is_readable_at_80_columns(scout: Run, lived_in: dict[str, str]) -> None:
    lived_in["COLUMNS"] = "80"
    for ids in ([MESONS, STRINGS], [MESONS, STRINGS, "0704.0051"]):
        done = scout("compare", *ids)
        assert done.returncode == 0, done.stderr
        assert max(map(len, done.stdout.splitlines())) <= 80
        for row in ("question", "method", "data", "findings", "limits"):
            assert row in done.stdout
        assert "[arXiv:0712.2288]" in done.stdout
    found = json.loads(scout("compare", MESONS, STRINGS, "--json").stdout)
    assert [each["arxiv_id"] for each in found["papers"]] == [MESONS, STRINGS]
    assert set(found["rows"]) == {"question", "method", "data", "findings", "limits"}
    assert scout("compare", MESONS).returncode == 2
    assert scout("compare", MESONS, MESONS).returncode == 2


def test_what_is_found_and_listed_takes_few_lines_at_80_columns(
    scout: Run, lived_in: dict[str, str]
) -> None:
    lived_in["COLUMNS"] = "80"
    shown = scout("search", "neutral mesons").stdout.splitlines()
    assert max(map(len, shown)) <= 80
    found = json.loads(scout("search", "neutral mesons", "--json").stdout)
    assert len(shown) <= 3 * len(found) + 1
    assert all(each["title"].split()[0] in " ".join(shown) for each in found)
    assert scout("library", "tag", MESONS, "Dark matter", "wimps").returncode == 0
    listed = [line.strip() for line in scout("library", "list").stdout.splitlines()]
    assert listed[-1] == '#"dark matter" #wimps'
    assert "CP Measurement" in listed[-2] + listed[-3]


def test_a_file_goes_in_and_comes_out(scout: Run, tmp_path: Path) -> None:
    bib = tmp_path / "papers.bib"
    bib.write_text(
        f"@misc{{a, eprint={{{MESONS}}}, keywords={{mesons}}, annote={{Mine.}}}}\n"
        "@misc{b, eprint={1706.03762}, title={Attention Is All You Need}}\n"
        "@book{c, title={The TeXbook}}\n"
    )
    done = scout("library", "import", str(bib))
    assert done.returncode == 0, done.stderr
    assert "3 read: 2 added, 0 known before, 1 skipped" in done.stdout
    assert "0 were fetched from arXiv, 1 are wanted and not held." in done.stdout
    assert f"skipped {bib}:3: the entry c names no paper on arXiv" in done.stderr
    assert "wanted: 1706.03762" in done.stderr
    assert "0 added, 2 known before" in scout("library", "import", str(bib)).stdout
    exported = scout("library", "export", "--tag", "mesons")
    own = "  keywords      = {mesons},\n  annote        = {Mine.},\n}\n"
    assert exported.stdout == scout("cite", MESONS).stdout.removesuffix("}\n") + own
    assert "eprint        = {1706.03762}" in scout("library", "export").stdout
    again = tmp_path / "again.bib"
    again.write_text(exported.stdout)
    report = json.loads(scout("library", "import", str(again), "--json").stdout)
    assert report["known"] == [MESONS]
    with bib.open("a") as file:
        file.write("@misc{d, title={never closed\n")
    broken = scout("library", "import", str(bib))
    assert broken.returncode == 7
    assert f"{bib}:4: " in broken.stderr.splitlines()[-1]
    bib.write_text("@misc{d, title={never closed\n")
    assert scout("library", "import", str(bib)).returncode == 1
    assert scout("library", "import", str(tmp_path / "none.bib")).returncode == 2
