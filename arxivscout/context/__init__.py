"""What a model reads, put together within a budget; pure.

`assemble.py` fills the named `segments.py` from `memories.py`, `earlier.py`, `working_memory.py`;
`competing.py` decides what goes in and `budget.py` counts. `condense.py` makes long conversations
short by rule; `followup.py` and `same_question.py` understand a question by those before it.
"""
