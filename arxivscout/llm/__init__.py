"""Chat models: those of providers behind one boundary, and the one that needs none.

`models.py` opens a model by its name, `reply.py` asks it (the only owner of retries), `failures.py`
and `tool_calls.py` read what went wrong and what was called. The model that answers by rule in
quoted sentences is `extractive*.py`, with readings of questions beside it (`about_me.py`,
`graph_questions.py`, `record_questions.py`, …).
"""
