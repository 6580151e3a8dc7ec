"""The batch machine for LangGraph's server: one research job a run (`batch run --remote`)."""

from arxivscout.agent.batch import build_batch_graph
from arxivscout.app import server_services

graph = build_batch_graph(server_services())
