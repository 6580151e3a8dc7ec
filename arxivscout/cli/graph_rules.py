"""`arxivscout graph rule`: what follows from what."""

from __future__ import annotations

from typing import Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, door

app = typer.Typer(
    help="Rules: what follows from what is known; inferred edges are marked and explained.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="As the list has it.")]


@app.command("add")
def add(
    context: typer.Context,
    rule: Annotated[str, typer.Argument(help='Such as "?a extends ?b, ?b extends ?c => …".')],
    name: Annotated[str | None, typer.Option(help="What to call it (default: its end).")] = None,
    user: UserOption = None,
) -> None:
    """Add a rule and infer by it; one of the same name is replaced.

    Rules go by what is remembered, not by what papers give; they hold for what comes later too.
    """
    from arxivscout.cli import render
    from arxivscout.memory.graph.node import SHARED_PREDICATES

    with door(context).scout(user) as scout:
        added, inferred = scout.graph.add_rule(rule, name)
    render.line(f"{added.name}: {added.rule}")
    if added.built_in:
        render.line("This rule comes along with ArxivScout: it is there already.")
    render.line(f"{inferred:,} edge{'' if inferred == 1 else 's'} inferred.", "dim")
    given = sorted({each.predicate for each in added.rule.body} & set(SHARED_PREDICATES))
    if given and not inferred:
        named = ", ".join(given)
        render.note(f"Of {named} only what is remembered counts here, not what papers give.")


@app.command("list")
def list_(context: typer.Context, user: UserOption = None, as_json: JsonOption = False) -> None:
    """List the rules, and how many edges each has inferred that hold."""
    from arxivscout.cli import render

    with door(context).scout(user, quiet=as_json) as scout:
        found = scout.graph.rules()
    if as_json:
        render.json_out(
            [
                {
                    "name": each.name,
                    "rule": str(each.rule),
                    "active": each.active,
                    "built_in": each.built_in,
                    "edges": each.edges,
                }
                for each in found
            ]
        )
        return
    render.table(
        ("name", "edges", "", "rule"),
        [
            (
                each.name,
                str(each.edges),
                "" if each.active else "off",
                str(each.rule),
            )
            for each in found
        ],
        folded=3,
    )


@app.command("remove")
def remove(context: typer.Context, name: NameArgument, user: UserOption = None) -> None:
    """Take a rule away, or switch off one that comes along; what it inferred ends."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        removed = scout.graph.remove_rule(name)
    if removed.built_in:
        render.line(f"Switched off: {removed.name}. `graph rule restore` switches it on.")
    else:
        render.line(f"Removed: {removed.name}")


@app.command("restore")
def restore(context: typer.Context, name: NameArgument, user: UserOption = None) -> None:
    """Switch on again a rule that comes along."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        restored, inferred = scout.graph.restore_rule(name)
    render.line(f"Switched on: {restored.name}; {inferred:,} inferred.")
