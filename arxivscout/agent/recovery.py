"""Where a failing node goes: the run ends with one line that says why, in the state.

LangGraph's server shows no exception's words, and a turn that failed is stored as such, so an error
is no end of a run. The terminal raises it again from the state, with its exit code.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.errors import NodeError
from langgraph.graph import END
from langgraph.types import Command

from arxivscout import errors
from arxivscout.agent.state import ScoutState
from arxivscout.errors import ScoutError, Stopped, ThreadBusy, WrongPerson

_log = logging.getLogger(__name__)


def recover(state: ScoutState, error: NodeError) -> Command[str]:
    """End the run with the error in its state; store the turn as failed if it was begun.

    Raises:
        BaseException: Ctrl-C and Stopped stop the graph, the door stores what there is; a defect
            outside of a turn, or in storing one, is shown with its traceback.
    """
    raised = error.error
    if not isinstance(raised, Exception) or isinstance(raised, Stopped):
        raise raised
    if error.node == "persist" and not isinstance(raised, WrongPerson):
        raise raised
    if error.node == "check":  # the answer is there; what is wrong with the check can be told
        _log.info("an answer could not be checked", exc_info=raised)
        unchecked = f"the answer was not checked: {described(raised)['cause']}"
        return Command(goto="persist", update={"degraded": [*state["degraded"], unchecked]})
    begun = error.node != "understand" and not isinstance(raised, ThreadBusy | WrongPerson)
    if not begun and not isinstance(raised, ScoutError):
        raise raised
    told = described(raised)
    update: dict[str, Any] = {
        "error": told,
        "messages": [
            AIMessage(
                f"{told['cause']} {told['mend']}".strip(),
                response_metadata={"error": told["type"]},
            )
        ],
    }
    if begun:
        return Command(goto="persist", update={**update, "status": "failed"})
    # What stands in the state is of the turn before.
    nothing = {"status": "refused", "turn_id": "", "answer": ""}
    lists: dict[str, Any] = {"citations": [], "problems": [], "degraded": []}
    return Command(goto=END, update={**update, **nothing, **lists})


def described(error: BaseException) -> dict[str, Any]:
    """The error as plain values, so that state can carry it to the door."""
    if isinstance(error, ScoutError):
        return {"type": type(error).__name__, "cause": error.cause, "mend": error.mend}
    return {
        "type": "Defect",
        "cause": f"A defect: {type(error).__name__}: {error}".partition("\n")[0],
        "mend": "The question is kept; `arxivscout retry` asks it again.",
    }


def error_of(description: Mapping[str, Any]) -> Exception:
    """The error that a state describes, as the door raises it."""
    found = getattr(errors, description["type"], None)
    if not (isinstance(found, type) and issubclass(found, errors.Fatal)):
        found = errors.ModelError
    return found(description["cause"], description["mend"])
