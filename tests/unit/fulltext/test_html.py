"""arXiv's HTML: LaTeXML's marks become sections, formulas, tables, notes and references."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.papers.fulltext import Block, FullText
from arxivscout.papers.text import clean_text
from arxivscout.sources.fulltext.html_text import NoPaper, parse_html

PAGE = """<!DOCTYPE html><html lang="en"><head><title>not this</title>
<base href="/html/2402.08954v1/"><script>var a = "<p>no</p>";</script></head><body>
<nav class="ltx_page_navbar">a menu</nav><div id="target-section"><div id="license-tr">
<a href="https://creativecommons.org/licenses/by/4.0/">License: CC BY 4.0</a></div>
<div id="watermark-tr">arXiv:2402.08954v2 [cs.CL] 14 Feb 2024</div></div>
<div class="ltx_page_content"><article class="ltx_document">{body}</article></div>
<footer class="ltx_page_footer">made by LaTeXML</footer></body></html>"""

BODY = r"""
<h1 class="ltx_title ltx_title_document">Learning <em>flows</em></h1>
<div class="ltx_authors"><span class="ltx_creator ltx_role_author">
<span class="ltx_personname">Ada Author</span></span></div>
<div class="ltx_abstract"><h6 class="ltx_title ltx_title_abstract">Abstract</h6>
<p class="ltx_p">We learn <math alttext="x^{2}"><semantics><mi>x</mi></semantics></math> fast.</p>
</div>
<section class="ltx_section"><h2 class="ltx_title ltx_title_section">
<span class="ltx_tag ltx_tag_section">1 </span>Introduction</h2>
<div class="ltx_para"><p class="ltx_p">First words<span class="ltx_note ltx_role_footnote">
<sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span class="ltx_note_content">
<sup class="ltx_note_mark">1</sup><span class="ltx_tag ltx_tag_note">1</span>A note.</span></span>
</span> here <cite class="ltx_cite">[<a href="#b1">1</a>]</cite>.</p>
<table class="ltx_equation ltx_eqn_table"><tbody><tr class="ltx_equation ltx_eqn_row">
<td><math alttext="\displaystyle y=ax+b" display="block"><mi>y</mi></math></td>
<td><span class="ltx_tag ltx_tag_equation">(1)</span></td></tr></tbody></table>
<p class="ltx_p">where it ends.</p></div>
<section class="ltx_subsection"><h3 class="ltx_title ltx_title_subsection">
<span class="ltx_tag">1.1 </span>Data</h3>
<div class="ltx_theorem"><h6 class="ltx_title ltx_runin ltx_title_theorem">
<span class="ltx_tag ltx_tag_theorem">Theorem 1</span>.</h6>
<div class="ltx_para"><p class="ltx_p">All is well.</p></div></div>
<ul class="ltx_itemize"><li class="ltx_item"><span class="ltx_tag ltx_tag_item">•</span>
<div class="ltx_para"><p class="ltx_p">one thing</p></div></li>
<li class="ltx_item"><span class="ltx_tag">•</span><p class="ltx_p">another</p></li></ul>
<figure class="ltx_table"><figcaption class="ltx_caption">
<span class="ltx_tag ltx_tag_table">Table 1: </span>Results.</figcaption>
<span class="ltx_inline-block"><table class="ltx_tabular"><tr class="ltx_tr">
<th class="ltx_td">Method</th><th class="ltx_td">Score</th></tr>
<tr class="ltx_tr"><td class="ltx_td">ours</td><td class="ltx_td">0.9</td></tr></table></span>
</figure></section>
<div class="ltx_para"><p class="ltx_p">Back in one <span class="ltx_ERROR">\foo</span>.</p></div>
</section>
<section class="ltx_bibliography"><h2 class="ltx_title">References</h2><ul class="ltx_biblist">
<li class="ltx_bibitem"><span class="ltx_tag ltx_tag_bibitem">[1]</span>
<span class="ltx_bibblock">A. Vaswani.</span><span class="ltx_bibblock">Attention. arXiv:1706.03762.
</span></li></ul></section>
<section class="ltx_appendix"><h2 class="ltx_title ltx_title_appendix">
<span class="ltx_tag ltx_tag_appendix">Appendix A </span>Proofs</h2>
<p class="ltx_p">Clear.</p></section>
"""


def _read(body: str) -> FullText:
    return parse_html(PAGE.replace("{body}", body).encode())


def test_a_paper_is_read_as_it_is_made() -> None:
    paper = _read(BODY)
    assert [(section.path, section.blocks) for section in paper.sections] == [
        ((), (Block("Ada Author"),)),
        (("Abstract",), (Block("We learn $x^{2}$ fast."),)),
        (
            ("Introduction",),
            (
                Block("First words here [1]."),
                Block("A note."),
                Block("$$y=ax+b$$ (1)", "formula"),
                Block("where it ends."),
            ),
        ),
        (
            ("Introduction", "Data"),
            (
                Block("Theorem 1 . All is well."),
                Block("• one thing\n• another", "list"),
                Block("Table 1: Results.", "caption"),
                Block("Method | Score\nours | 0.9", "table"),
            ),
        ),
        (("Introduction",), (Block(r"Back in one \foo."),)),
        (("Proofs",), (Block("Clear."),)),
    ]
    assert paper.title == "Learning flows"
    assert (paper.arxiv_id, paper.version) == ("2402.08954", 2)
    assert paper.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert [(r.text, r.arxiv_id) for r in paper.references] == [
        ("[1] A. Vaswani. Attention. arXiv:1706.03762.", "1706.03762")
    ]
    assert paper.notes == ("places that LaTeXML could not turn into HTML: 1",)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html><body><p>No HTML for this paper</p></body></html>",
        b'<article class="ltx_document"></article>',
        b"\xff\xfe\x00 no html",
        b"<![if a]><![CDATA[b]]><!ELEMENT c>",
    ],
)
def test_other_html_is_no_paper(data: bytes) -> None:
    with pytest.raises(NoPaper):
        parse_html(data)


def test_elements_in_elements_without_end_are_read() -> None:
    paper = _read("<div><span>" * 20_000 + "deep words")
    assert paper.sections[0].blocks[-1].text == "deep words"


def test_what_no_reader_should_see_is_cleaned() -> None:
    paper = _read('<p class="ltx_p">a&#0;b&#x202e;c&#xD800;d &#x1b;[31mred</p>')
    text = paper.sections[0].blocks[0].text
    assert clean_text(text) == text
    assert "\x1b" not in text and "\u202e" not in text


TAGS = st.sampled_from(
    ["p", "div", "span", "table", "tr", "td", "ul", "li", "math", "section", "h2", "sup", "b"]
)
CLASSES = st.sampled_from(
    "ltx_p ltx_para ltx_section ltx_title ltx_equation ltx_note ltx_note_content ltx_tabular"
    " ltx_tr ltx_itemize ltx_bibitem ltx_bibliography ltx_caption ltx_tag ltx_abstract x".split()
)
PIECES = st.one_of(
    st.builds('<{} class="{}">'.format, TAGS, CLASSES),
    st.builds("</{}>".format, TAGS),
    st.text(max_size=8),
    st.sampled_from(["<!--", "-->", "<![CDATA[", "&amp", "&#x;", "<a href='", "<", "</"]),
)


@given(st.lists(PIECES, max_size=30))
def test_any_html_is_read_or_refused(pieces: list[str]) -> None:
    try:
        paper = parse_html(
            ("<div class='ltx_document'>" + "".join(pieces)).encode("utf-8", "replace")
        )
    except NoPaper:
        return
    for section in paper.sections:
        for block in section.blocks:
            assert block.text.strip()
            assert clean_text(block.text) == block.text


@given(st.lists(st.sampled_from(["ab", "cd", "ef", "gh"]), min_size=1, max_size=8), st.data())
def test_no_word_of_a_paragraph_is_lost(words: list[str], data: st.DataObject) -> None:
    inner = "".join(
        f"<{tag}>{word} </{tag}>"
        if (tag := data.draw(st.sampled_from(["em", "b", ""])))
        else f"{word} "
        for word in words
    )
    paper = _read(f'<p class="ltx_p">{inner}</p>')
    assert paper.sections[0].blocks[0].text.split() == words


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        parse_html(data)
    except NoPaper:
        return
