"""The scout machine for LangGraph's server (`make studio`), which brings its own checkpointer."""

from arxivscout.agent.graph import build_graph
from arxivscout.app import server_services

graph = build_graph(server_services())
