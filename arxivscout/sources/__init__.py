"""Where papers and their full texts come from; everything foreign is cleaned here.

`arxiv_api.py` asks arXiv, `files.py` and `huggingface.py` stream records, `fulltext` reads PDF and
HTML, `bibtex.py` other programs' libraries. `records.py` makes a `Paper` of any known shape.
"""
