"""`arxivscout chat`: the conversation in the terminal.

`sitting.py` is the loop; `prompt.py` reads lines, `completion.py` completes them; `commands.py` is
the table of commands, which are in `threads.py`, `papers.py`, `answers.py` and `knobs.py`.
"""

from __future__ import annotations

import typer

from arxivscout.cli.door import (
    DEFAULT_THREAD,
    ModelOption,
    PrivateOption,
    ProjectOption,
    ThreadOption,
    UserOption,
    clean_thread,
    door,
)

EPILOG = """\
\b
In the chat, /help lists the commands. Ctrl-C stops an answer, Ctrl-D leaves.
"""


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("chat", epilog=EPILOG)(chat)


def chat(
    context: typer.Context,
    thread: ThreadOption = "default",
    user: UserOption = None,
    model: ModelOption = None,
    private: PrivateOption = False,
    project: ProjectOption = None,
) -> None:
    """Talk about papers, and be remembered."""
    thread_id = clean_thread(thread)
    if private and thread_id == DEFAULT_THREAD:
        thread_id = ""  # a new one, which the first question names
    again = True
    while again:  # another model was set up: the settings are read anew
        with door(context).scout(user, model=model) as scout:
            from arxivscout.cli.chat.sitting import Chat
            from arxivscout.cli.chat.welcome import first_start

            again = first_start(scout, model_given=model is not None)
            if not again:
                sitting = Chat(scout, thread_id, model)
                if private:
                    sitting.make_private(True)
                if project is not None:
                    sitting.enter_project(project)
                sitting.run()
