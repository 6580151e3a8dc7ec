"""Chat models: those of providers behind one boundary, and the one that needs none.

`models.py` opens a model by its name, `reply.py` asks it (the only owner of retries) over a
`line.py` that is waited at no longer than is wanted, `failures.py` and `tool_calls.py` read what
went wrong and what was called, `beside.py` what else came. The model that answers by rule in
quoted sentences is `extractive*.py`, with readings of questions beside it (`about_me.py`,
`graph_questions.py`, `record_questions.py`, …).
"""
