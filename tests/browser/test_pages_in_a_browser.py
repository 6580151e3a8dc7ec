"""The pages we write, in a real browser: they show, run nothing, fetch nothing, and can be read."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from report_of_mesons import SHI, meson_report, saying
from statistics_of_a_month import month, nothing

from arxivscout.history.page import page as thread_page
from arxivscout.history.transcript import Section, Transcript
from arxivscout.monitoring.page import statistics_page
from arxivscout.papers import Paper
from arxivscout.reports.html import to_html
from arxivscout.reports.index import Entry, index_page
from arxivscout.reports.report import Cost, Report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

HOSTILE = '<script>document.title="run"</script><img src=x onerror=alert(1)>'
THREAD = Transcript(
    title=f"Mesons {HOSTILE}",
    thread_id="t",
    sections=[
        Section(question="Who?", asked_at=None, answer="**Yu Shi** [arXiv:0712.2288].\n\n- `CP`")
    ],
    papers={"0712.2288": Paper(arxiv_id="0712.2288", title=SHI.title, abstract="")},
)
ENTRIES = [
    Entry(
        job_id=f"{number:03}",
        question=meson_report().question,
        state="done",
        papers=12,
        seconds=187.4,
        tokens=51_615,
        cost=0.0189,
        files=(("HTML", f"{number:03}/report.html"), ("Markdown", f"{number:03}/report.md")),
        answer="Mesons of $10^{-8}$ s are teleported, as measurements of their CP property show.",
        degraded=("arXiv can't be reached (no network?)",),
    )
    for number in range(1, 8)
] + [
    Entry(job_id="008", question=HOSTILE, state="failed", error=f"no model answers {HOSTILE}"),
    Entry(
        job_id="008b",
        question="What is known of owls?",
        state="done",
        not_found="Not found in what is held.",
    ),
    Entry(job_id="009", question="What is dark matter?", state="waiting"),
    Entry(job_id="010", question="What is dark energy?", state="cancelled"),
]
PAGES = {
    "report": to_html(meson_report()),
    "hostile": to_html(saying(f"{HOSTILE} {'W' * 120} $\\Phi$")),
    "many": to_html(
        meson_report(
            papers=tuple(
                SHI.model_copy(
                    update={
                        "arxiv_id": f"0712.{2288 + n}",
                        "published": str(1992 + n % 34),
                        "theme": n % 3,
                        "x": (n * 37 % 100) / 50 - 1,
                        "y": (n * 61 % 100) / 50 - 1,
                    }
                )
                for n in range(60)
            )
        )
    ),
    "no answer": to_html(
        Report(
            job_id="n",
            question="How to bake bread at high altitude?",
            not_found="Not found in what is held.",
            degraded=("arXiv can't be reached (no network?)",),
            cost=Cost(model="extractive"),
            extractive=True,
            started_at=meson_report().started_at,
        )
    ),
    "mathematics": to_html(
        meson_report(
            papers=(
                SHI.model_copy(
                    update={"title": r"On $\langle\sigma v\rangle \sim {10^{-31}}\,{\rm cm^{3}}$"}
                ),
            )
        )
    ),
    "index": index_page("night", ENTRIES),
    "thread": thread_page(THREAD),
    "statistics": statistics_page(month(), HOSTILE),
    "no statistics": statistics_page(nothing(), "tester"),
}
# Of each text that is seen: how it stands out from what is behind it, as WCAG 2.1 has it.
_CONTRASTS = """() => {
  const rgb = (text) => {
    const n = text.match(/[\\d.]+/g).map(Number);
    return n.length < 4 ? [...n, 1] : n;
  };
  const light = (c) => c.slice(0, 3)
    .map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c[3] > 0) return c;
    }
    return [255, 255, 255, 1];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("title, desc, style")) continue;
    const style = getComputedStyle(element);
    const ink = rgb(element.closest("svg") ? style.fill : style.color);
    const [a, b] = [light(ink), light(behind(element))].sort((x, y) => y - x);
    found.push([(a + 0.05) / (b + 0.05), walker.currentNode.data.trim().slice(0, 40)]);
  }
  const shapes = [...document.querySelectorAll("svg path, svg rect")].map((each) => {
    const [a, b] = [light(rgb(getComputedStyle(each).stroke)), light(behind(each))]
      .sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  });
  return [found, shapes];
}"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    program = os.environ.get("ARXIVSCOUT_TEST_BROWSER") or next(
        filter(None, map(shutil.which, names)), None
    )
    if not program:
        pytest.exit(
            "no Chromium: install one (apt-get install chromium), or name its program by "
            "ARXIVSCOUT_TEST_BROWSER",
            returncode=1,
        )
    # Chromium refuses its sandbox to root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=program, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture(params=PAGES)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A page as the file that a person opens."""
    file = tmp_path / f"{request.param}.html"
    file.write_text(PAGES[request.param], encoding="utf-8")
    return file


class Seen:
    """A page that is open, and what it said and asked for."""

    def __init__(self, browser: Browser, file: Path, width: int, scheme: str) -> None:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        self.page: Page = context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append(dialog.message))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 360])
def test_a_page_shows_and_can_be_read(browser: Browser, file: Path, width: int, scheme: str):
    seen = Seen(browser, file, width, scheme)
    page = seen.page
    assert seen.said == []
    assert seen.asked == [file.as_uri()]
    assert page.locator("h1").is_visible()
    assert page.title() != "run"
    assert page.locator("script, img, iframe, link, object").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    texts, shapes = page.evaluate(_CONTRASTS)
    assert len(texts) > 5
    assert [text for text in texts if text[0] < 4.5] == []
    assert [shape for shape in shapes if shape < 3] == []
    page.context.close()


def test_every_link_leads_to_arxiv_or_to_a_place_that_is(browser: Browser, file: Path):
    page = Seen(browser, file, 1000, "light").page
    links = page.locator("a").evaluate_all("all => all.map((each) => each.getAttribute('href'))")
    assert links
    for link in links:
        if link.startswith("#"):
            assert page.locator(f"[id='{link[1:]}']").count() == 1, link
        elif file.stem == "index":
            assert re.fullmatch(r"\./\d{3}/report\.(html|md)", link)
        else:
            assert link.startswith("https://arxiv.org/abs/")
    page.context.close()


def test_a_page_prints(browser: Browser, file: Path):
    page = Seen(browser, file, 1400, "dark").page
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 690, "height": 900})  # A4 within its margins
    assert page.evaluate("document.documentElement.scrollWidth") <= 690
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    texts, _ = page.evaluate(_CONTRASTS)
    assert [text for text in texts if text[0] < 4.5] == []
    links = page.locator("main a[href^='https:']:not(.point)")
    if links.count():
        shown = links.first.evaluate("each => getComputedStyle(each, '::after').content")
        assert "arxiv.org/abs" in shown
    page.context.close()


def test_a_title_of_markup_is_text(browser: Browser, tmp_path: Path):
    file = tmp_path / "hostile.html"
    file.write_text(PAGES["hostile"], encoding="utf-8")
    page = Seen(browser, file, 1000, "light").page
    assert HOSTILE in page.locator("#papers tbody th").first.inner_text()
    assert HOSTILE in page.locator("h1").inner_text()
    page.context.close()


def test_what_the_check_found_is_said_in_words(browser: Browser, tmp_path: Path):
    file = tmp_path / "report.html"
    file.write_text(PAGES["report"], encoding="utf-8")
    page = Seen(browser, file, 1000, "light").page
    assert page.locator(".mark").all_inner_texts() == ["weakly supported", "not supported"]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the content"
    assert page.locator(".skip").bounding_box()["x"] >= 0  # type: ignore[index]
    assert page.locator("svg.map a.point").count() == 12
    page.context.close()
