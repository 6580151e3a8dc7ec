"""What tests stand on: a real PostgreSQL server of the session, and a fresh database for each test.

The server is the embedded one in a short temporary home, so that it works as root and as anybody.
A template database is migrated once and cloned for each test, which takes some 20 ms. Only this
server skips fsync; the tests of durability start their own.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import psycopg
import pytest
from warm import WarmCommands

from arxivscout.memory.cluster import OWNER
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.opening import open_database
from arxivscout.memory.postgres import Database
from arxivscout.settings import Settings, load_settings

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder, EmbeddingIdentity

# Properties are judged by what they find, not by how fast a busy machine runs one example.
hypothesis.settings.register_profile(
    "default", hypothesis.settings.get_profile("default"), deadline=None
)
# In CI fewer, and the same every time: a change is not judged by luck.
hypothesis.settings.register_profile(
    "ci", hypothesis.settings.get_profile("ci"), deadline=None, max_examples=30
)
hypothesis.settings.load_profile("default")

FAST = {"fsync": "off", "full_page_writes": "off", "max_connections": "200"}
_numbers = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--data",
        type=Path,
        default=None,
        metavar="DIR",
        help="folder of real records: also run the tests marked `records`",
    )


def pytest_configure(config: pytest.Config) -> None:
    # A job in the background ignores Ctrl-C, and hands that down to every process it starts; the
    # tests of Ctrl-C mean a terminal's.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "records: runs over real records, given by --data DIR")
    config.addinivalue_line("markers", "browser: opens our pages in a real Chromium")
    config.addinivalue_line("markers", "live: asks the model server of ARXIVSCOUT_MODEL_BASE_URL")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = set()
    if config.getoption("--data") is None:
        left_out.add("records")
    left_out |= {"live", "browser"} - {config.getoption("-m")}
    deselected = [item for item in items if any(map(item.get_closest_marker, left_out))]
    if deselected:
        config.hook.pytest_deselected(items=deselected)
        items[:] = [item for item in items if item not in deselected]


@pytest.fixture(scope="session")
def data_dir(request: pytest.FixtureRequest) -> Path:
    """The folder of real records, given by --data."""
    folder: Path = request.config.getoption("--data")
    assert folder.is_dir(), f"--data {folder} is no folder"
    return folder.resolve()


@pytest.fixture
def short_home() -> Iterator[Path]:
    """A home folder with a short path that an unprivileged account may enter; gone afterwards."""
    with _home() as home:
        yield home


class _home:
    def __enter__(self) -> Path:
        self.path = Path(tempfile.mkdtemp(prefix="as-", dir="/tmp"))
        if os.geteuid() == 0:
            self.path.chmod(0o711)
        return self.path

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmCommands]:
    """Runs commands to their end, without the seconds of their imports."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ARXIVSCOUT_")}
    commands = WarmCommands({**kept, "ARXIVSCOUT_OFFLINE": "1", "PYTHONWARNINGS": "default"})
    yield commands
    commands.close()


@pytest.fixture(scope="session")
def _pristine_home() -> Iterator[Path]:
    """A home whose server has been made and is down."""
    with _home() as home:
        server = EmbeddedServer(home)
        server.acquire()
        server.release()
        yield home


@pytest.fixture(scope="session")
def copied_home(_pristine_home: Path) -> Callable[[], AbstractContextManager[Path]]:
    """Makes homes whose server has been made (copies: less work) and is down."""

    @contextmanager
    def copied() -> Iterator[Path]:
        with _home() as home:
            subprocess.run(["cp", "-a", str(_pristine_home / "postgres"), str(home)], check=True)
            yield home

    return copied


@pytest.fixture
def made_home(copied_home: Callable[[], AbstractContextManager[Path]]) -> Iterator[Path]:
    """A home of the test's own whose server has been made and is down."""
    with copied_home() as home:
        yield home


@pytest.fixture(scope="session")
def server() -> Iterator[EmbeddedServer]:
    """The session's PostgreSQL server; a test that stops or breaks one takes its own."""
    with _home() as home:
        server = EmbeddedServer(home, settings=FAST)
        server.acquire()
        yield server
        server.release()


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The default embedder, loaded once."""
    from arxivscout.embedding import load_embedder

    return load_embedder(load_settings({}, home=Path("/nonexistent"), user="tester"))


@pytest.fixture(scope="session")
def identity(embedder: Embedder) -> EmbeddingIdentity:
    """The identity of the default embedder."""
    return embedder.identity


@pytest.fixture(scope="session")
def template(server: EmbeddedServer, identity: EmbeddingIdentity) -> str:
    """A migrated database bound to the default embedder; never connected to while tests run."""
    return _make_template(server, "template_minilm", identity)


@pytest.fixture(scope="session")
def template_unbound(server: EmbeddedServer) -> str:
    """A migrated database with no embedder."""
    return _make_template(server, "template_unbound", None)


def _make_template(server: EmbeddedServer, name: str, identity: EmbeddingIdentity | None) -> str:
    with psycopg.connect(server.url(OWNER, "postgres"), autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name}")
    open_database(_settings(server, name), identity=identity).close()
    return name


def _settings(server: EmbeddedServer, name: str, home: Path = Path("/nonexistent")) -> Settings:
    return load_settings(
        {},
        home=home,
        user="tester",
        database_url=server.url(database=name),
        admin_database_url=server.url(OWNER, name),
    )


@pytest.fixture
def clone(server: EmbeddedServer) -> Iterator[Callable[[str], str]]:
    """Makes a copy of a template database and returns its name; dropped after the test."""
    made: list[str] = []

    def make(template: str) -> str:
        name = f"test_{os.getpid()}_{next(_numbers)}"
        with psycopg.connect(server.url(OWNER, "postgres"), autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        made.append(name)
        return name

    yield make
    with psycopg.connect(server.url(OWNER, "postgres"), autocommit=True) as conn:
        for name in made:
            conn.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@pytest.fixture
def settings(
    server: EmbeddedServer, template: str, clone: Callable[[str], str], tmp_path: Path
) -> Settings:
    """Settings of a fresh database, a home of its own, and the user `tester`."""
    home = tmp_path / "home"
    home.mkdir()
    return _settings(server, clone(template), home)


@pytest.fixture
def environment(settings: Settings) -> dict[str, str]:
    """The environment of a process that uses the same database and home as `settings`."""
    assert settings.database_url and settings.admin_database_url
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ARXIVSCOUT_")}
    return {
        **kept,
        "ARXIVSCOUT_HOME": str(settings.home),
        "ARXIVSCOUT_USER": settings.user,
        "ARXIVSCOUT_OFFLINE": "1",
        "ARXIVSCOUT_DATABASE_URL": settings.database_url.get_secret_value(),
        "ARXIVSCOUT_ADMIN_DATABASE_URL": settings.admin_database_url.get_secret_value(),
    }


@pytest.fixture
def database(settings: Settings, identity: EmbeddingIdentity) -> Iterator[Database]:
    """A fresh database, migrated and bound to the default embedder."""
    database = open_database(settings, identity=identity)
    yield database
    database.close()


@pytest.fixture
def make_database(
    server: EmbeddedServer, template_unbound: str, clone: Callable[[str], str]
) -> Iterator[Callable[..., Database]]:
    """Makes fresh databases: `make_database(identity)`, or `make_database(None)` for an unbound."""
    opened: list[Database] = []

    def make(identity: EmbeddingIdentity | None) -> Database:
        opened.append(open_database(_settings(server, clone(template_unbound)), identity=identity))
        return opened[-1]

    yield make
    for database in opened:
        database.close()


@pytest.fixture
def database_768(make_database: Callable[..., Database]) -> Database:
    """A fresh database whose vectors have 768 dimensions, as the reference text's have."""
    from arxivscout.embedding import EmbeddingIdentity

    return make_database(
        EmbeddingIdentity(
            name="huggingface:sentence-transformers/paraphrase-mpnet-base-v2",
            dimension=768,
            fingerprint="768",
        )
    )
