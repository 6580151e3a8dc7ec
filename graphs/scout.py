"""The scout machine for LangGraph's server (`make studio`), which brings its own checkpointer."""

import atexit
from contextlib import ExitStack

from arxivscout.agent.graph import build_graph
from arxivscout.app import open_services
from arxivscout.settings import load_settings

_settings, _open = load_settings(), ExitStack()
atexit.register(_open.close)
graph = build_graph(_open.enter_context(open_services(_settings, known_user=_settings.user)))
