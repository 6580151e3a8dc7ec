"""The reflection machine for LangGraph's server: one run over the person's newest episodes."""

from arxivscout.agent.reflection import build_reflection_graph
from arxivscout.app import server_services

graph = build_reflection_graph(server_services())
