"""What one run is told besides the question, and the budgets that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arxivscout.errors import UsageError
from arxivscout.memory.paper_filter import PaperFilter

if TYPE_CHECKING:
    from arxivscout.settings import Settings

DATE = r"^\d{4}(-\d{2}(-\d{2})?)?$"
LEAST_EXTRACTIVE_WINDOW = 16_000  # tokens; the extractive model reads all it is given


class ContextRefused(UsageError, ValueError):
    """A context that can't be used. LangGraph's server shows the words of ValueErrors only."""


class ScoutContext(BaseModel):
    """How one question is to be answered. Every field may be left empty."""

    model_config = ConfigDict(extra="forbid")

    user: str | None = Field(
        default=None,
        max_length=200,
        description="Whose memory this is. A server takes it from its own authentication instead: "
        "there it is left empty.",
    )
    thread: str | None = Field(
        default=None,
        max_length=100,
        description="Name of the conversation in memory, to go on with one begun in the terminal; "
        "the run's own thread id if empty.",
    )
    model: str | None = Field(
        default=None,
        description="Chat model of this run: provider:model, a configured name, or extractive. "
        "The settings' model if empty.",
    )
    ask: bool = Field(
        default=True,
        description="Whether the run may stop to ask: before a memory is forgotten, and which "
        "paper a question means. If not, only what was plainly asked for is forgotten, and the "
        "first reading is taken.",
    )
    category: str | None = Field(
        default=None,
        max_length=40,
        description="Only papers of this arXiv category or archive are recalled and searched: "
        "cs.CL, cs, hep-th.",
    )
    since: str | None = Field(
        default=None,
        pattern=DATE,
        description="Only papers from then on are: YYYY, YYYY-MM or YYYY-MM-DD.",
    )
    until: str | None = Field(
        default=None, pattern=DATE, description="Only papers until then are, in the same forms."
    )
    author: str | None = Field(
        default=None, max_length=200, description="Only papers by this author are."
    )
    max_tool_rounds: int | None = Field(
        default=None,
        ge=1,
        le=20,
        description="How often the model may call tools in this turn (1 to 20).",
    )
    context_window: int | None = Field(
        default=None,
        ge=1_024,
        le=10_000_000,
        description="Tokens that the model can read at once (1,024 or more); memories and papers "
        "are cut to fit.",
    )
    answer_tokens: int | None = Field(
        default=None,
        ge=64,
        le=1_000_000,
        description="Tokens of the window that are kept free for the answer (64 or more).",
    )
    turn_timeout_s: float | None = Field(
        default=None,
        gt=0,
        le=3_600,
        description="Seconds for the whole turn (up to 3,600), without those that a person takes "
        "to choose.",
    )
    tool_timeout_s: float | None = Field(
        default=None, gt=0, le=600, description="Seconds for one round of tool calls (up to 600)."
    )

    def __init__(self, **given: Any) -> None:
        """Take the values as they are given.

        Raises:
            ContextRefused: the first one that can't be used, in one line.
        """
        try:
            super().__init__(**given)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            name = ".".join(map(str, first["loc"]))
            known = ", ".join(type(self).model_fields)
            if first["type"] == "extra_forbidden":
                raise ContextRefused(
                    f"{name[:60]!a} is no field of the context.", f"Known are: {known}."
                ) from None
            value = repr(first["input"])[:60]
            raise ContextRefused(
                f"{name}={value} can't be used: {first['msg'].lower()}.", "Change it, or leave it."
            ) from None

    @property
    def bounds(self) -> PaperFilter:
        """Which papers may be recalled and found by searches."""
        return PaperFilter(
            category=self.category, since=self.since, until=self.until, author=self.author
        )


@dataclass(frozen=True, slots=True)
class Budgets:
    """What one turn may take."""

    max_tool_rounds: int
    context_window: int  # tokens
    answer_tokens: int
    turn_timeout_s: float
    tool_timeout_s: float


def budgets(
    settings: Settings, context: ScoutContext | None, model: str, *, readable: int | None = None
) -> Budgets:
    """The context's budgets, else those of the model, else those of the settings.

    Args:
        readable: tokens that the model is known to read, where nobody set its window.

    Raises:
        ConfigurationError: no such model.
    """
    context = context or ScoutContext()
    named = settings.model_named(model)
    window = context.context_window
    if window is None:
        window = named.context_window or settings.context_window
        if readable and not settings.window_set(model):
            window = readable
        if named.model == "extractive":
            window = max(window, LEAST_EXTRACTIVE_WINDOW)
    answer = context.answer_tokens or settings.answer_tokens
    if not context.answer_tokens and "answer_tokens" not in settings.model_fields_set:
        answer = settings.context_shares["answer"].of(window)
    return Budgets(
        max_tool_rounds=context.max_tool_rounds or settings.max_tool_rounds,
        context_window=window,
        answer_tokens=min(answer, window // 4),
        turn_timeout_s=context.turn_timeout_s or settings.turn_timeout_s,
        tool_timeout_s=context.tool_timeout_s or settings.tool_timeout_s,
    )
