"""Our tools and those of others' servers, brought into the toolbox memory once."""

from __future__ import annotations

from contextlib import suppress

from arxivscout.agent.archive_tools import ARCHIVE_TOOLS
from arxivscout.agent.comparing import COMPARING_TOOLS
from arxivscout.agent.correcting import CORRECTING_TOOLS
from arxivscout.agent.deep_recall_tools import DEEP_RECALL_TOOLS
from arxivscout.agent.full_text_tools import FULL_TEXT_TOOLS
from arxivscout.agent.graph_tools import GRAPH_TOOLS
from arxivscout.agent.keeping_tools import KEEPING_TOOLS
from arxivscout.agent.lesson_tools import LESSON_TOOLS
from arxivscout.agent.link_tool import LINK_TOOLS
from arxivscout.agent.memory_tools import MEMORY_TOOLS
from arxivscout.agent.outside_tools import Outside
from arxivscout.agent.paper_tools import PAPER_TOOLS
from arxivscout.agent.pattern_tool import PATTERN_TOOLS
from arxivscout.agent.services import Services
from arxivscout.agent.summary_tools import SUMMARY_TOOLS
from arxivscout.errors import DatabaseUnavailable
from arxivscout.memory import toolbox

# What other agents may use: the others work on what a turn has just called.
LENT = (*PAPER_TOOLS, *FULL_TEXT_TOOLS, *COMPARING_TOOLS, *MEMORY_TOOLS)
TOOLS = (
    *LENT,
    *KEEPING_TOOLS,
    *CORRECTING_TOOLS,
    *LINK_TOOLS,
    *ARCHIVE_TOOLS,
    *GRAPH_TOOLS,
    *PATTERN_TOOLS,
    *SUMMARY_TOOLS,
    *LESSON_TOOLS,
    *DEEP_RECALL_TOOLS,
)


def equip(services: Services) -> None:
    """Give the services their tools, and let the toolbox memory know them.

    Others' servers are asked for theirs from now on; `take_outside` takes them.
    """
    if services.tools:
        return
    if services.settings.mcp_servers is not None:
        services.outside = Outside(services.settings)
    services.tools.update({tool.name: tool for tool in TOOLS})
    _register(services)


def take_outside(services: Services) -> None:
    """Take the tools that others' servers have given by now; the first turn waits for some time."""
    outside = services.outside
    if outside is None:
        return
    found = outside.tools()
    # Ours win: no name of theirs has the form of one of ours, and none takes its place.
    ours = {tool.name: tool for tool in TOOLS}
    services.tools = {**{tool.name: tool for tool in found.tools}, **services.tools, **ours}
    services.missing_tools = list(found.problems)
    if found.complete:
        services.outside = None
    if found.tools:
        _register(services)


def _register(services: Services) -> None:
    # Without a database the core is bound all the same; the next process makes up for it.
    with suppress(DatabaseUnavailable), services.database.shared() as conn:
        toolbox.register_shared(
            conn,
            [(tool.name, tool.description) for tool in services.tools.values()],
            services.embedder.embed_documents,
        )
