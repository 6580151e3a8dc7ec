"""All recorded answers of arXiv's API, parsed, and played to the client by a loopback server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from arxiv_server import Reply, arxiv_server

from arxivscout.errors import SourceError
from arxivscout.papers import Paper
from arxivscout.settings import Settings
from arxivscout.sources.arxiv_api import ArxivClient
from arxivscout.sources.arxiv_feed import Refused, parse_feed

pytestmark = pytest.mark.records


@pytest.fixture(scope="module")
def feeds(data_dir: Path) -> list[tuple[dict[str, Any], bytes]]:
    folder = data_dir / "arxiv_api_feeds"
    index = json.loads((folder / "index.json").read_text("utf-8"))
    assert len(index) == 27
    return [(known, (folder / known["file"]).read_bytes()) for known in index]


def test_every_page_has_the_entries_that_its_index_names(
    feeds: list[tuple[dict[str, Any], bytes]],
) -> None:
    for known, body in feeds:
        if "error_entry" in known["kinds"]:
            with pytest.raises(Refused, match="incorrect id format for abc"):
                parse_feed(body)
            continue
        page = parse_feed(body)
        papers = [entry for entry in page.entries if isinstance(entry, Paper)]
        assert len(papers) == len(page.entries) == known["entries"], known["file"]
        assert page.total == int(known["total"])
        named = [
            f"http://arxiv.org/abs/{paper.arxiv_id}v{paper.version}"
            for paper in papers[: len(known["first_ids"])]
        ]
        assert named == known["first_ids"]
        for paper in papers:
            assert paper.authors
            assert paper.primary_category in paper.categories
            assert len(paper.published or "") == len(paper.updated or "") == 10
        for kind, field in (("doi", "doi"), ("journal_ref", "journal_ref")):
            if kind in known["kinds"]:
                assert any(getattr(paper, field) for paper in papers)


def test_the_client_reads_them_all(
    feeds: list[tuple[dict[str, Any], bytes]], tmp_path: Path
) -> None:
    for number, (known, body) in enumerate(feeds):
        status = known["status_code"] or 200
        with arxiv_server(Reply(body, status=status)) as script:
            settings = Settings(
                home=tmp_path / str(number),
                user="tester",
                arxiv_url=script.url,
                arxiv_interval_s=0.0,
            )
            with ArxivClient(settings) as arxiv:
                if "error_entry" in known["kinds"]:
                    with pytest.raises(SourceError, match="incorrect id format"):
                        list(arxiv.search("testing", max_results=10))
                    continue
                wanted = max(known["entries"], 1)
                found = list(arxiv.search("testing", max_results=wanted))
                assert len(found) == known["entries"], known["file"]
                assert len(script.asked) == 1
