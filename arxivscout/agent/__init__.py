"""The LangGraph machines, and all that stands on LangGraph.

The turn: `graph.py` draws it, `nodes.py` does its work, `state.py` is what it carries, `run.py` is
how the doors see it, `afterwards.py` is what is left to do behind it. The research job
(`batch*.py`) and the reflection (`reflection*.py`) are built alike. What a model can call stands in
`*_tools.py`; `tools.py` says what a tool is, `toolkit.py` has them all.
"""
