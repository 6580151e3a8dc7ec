"""`arxivscout serve-metrics`: numbers for Prometheus, and a dashboard for Grafana."""

from __future__ import annotations

from typing import Annotated

import typer

from arxivscout.cli.door import UserOption, check_range, door
from arxivscout.errors import UsageError

PORT = 9464
EPILOG = """\
\b
Examples:
  arxivscout serve-metrics --port 9464
  arxivscout serve-metrics --dashboard > arxivscout-dashboard.json
\b
In prometheus.yml:
  scrape_configs:
    - job_name: arxivscout
      static_configs: [{targets: ["127.0.0.1:9464"]}]
"""


def register(app: typer.Typer) -> None:
    """Hang this command on `app`."""
    app.command("serve-metrics", epilog=EPILOG)(serve)


def serve(
    context: typer.Context,
    port: Annotated[int, typer.Option(help="On 127.0.0.1; 0: any.")] = PORT,
    everybody: Annotated[
        bool,
        typer.Option("--everybody", help="Of all users; needs the schema owner's login."),
    ] = False,
    dashboard: Annotated[
        bool, typer.Option("--dashboard", help="Print a Grafana dashboard and end.")
    ] = False,
    user: UserOption = None,
) -> None:
    """Serve numbers to Prometheus on this machine: no questions, no papers."""
    from arxivscout.cli import render

    if dashboard:
        from importlib import resources

        file = resources.files("arxivscout.monitoring").joinpath("dashboard.json")
        render.document(file.read_text("utf-8"))
        return
    if everybody and user is not None:
        raise UsageError("--everybody and --user exclude each other.")
    check_range(port, "--port", 0, 65535)
    with door(context).scout(user) as scout:
        from arxivscout.monitoring.metrics import counted, sized
        from arxivscout.monitoring.reading import reader
        from arxivscout.monitoring.serving import Sizes, serve_metrics

        read = reader(scout.database, None if everybody else scout.user)
        whose = "everybody" if everybody else scout.user

        def ready(address: str) -> None:
            render.note(f"Serving the numbers of {whose} at {address}.")

        serve_metrics(lambda: counted(read), Sizes(lambda: sized(read)), port, ready)
