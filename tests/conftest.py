"""Settings of the whole suite: hypothesis draws the same examples in every run, and slow machines fail nothing.

And the command line as a fixture.
"""

import io
import signal
import sys
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from ugi_conversation import Conversation

import bots.cli

settings.register_profile(
    "playout",
    derandomize=True,
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("playout")

# A suite that a script starts in the background inherits that Ctrl-C is ignored, and so would all that its tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def solutions_of_the_suite(tmp_path_factory):
    """Solutions are kept for the time of the suite, and never come from or go to where the user keeps them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


class Result(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def playout(monkeypatch, capfd, tmp_path):
    """Runs the command in this process as its console script does, in a folder of its own; everything written to the
    two streams is kept."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, stdin="", columns=100):
        monkeypatch.setattr(sys, "argv", ["playout", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        monkeypatch.setenv("COLUMNS", str(columns))
        capfd.readouterr()
        try:
            bots.cli.main()
            status = 0
        except SystemExit as error:
            status = error.code or 0
        sys.stdout.flush()
        found = capfd.readouterr()
        return Result(status, found.out, found.err)

    return run


@pytest.fixture
def start_server():
    """Starts UGI servers, and ends them."""
    made = []

    def make(*arguments, **options):
        made.append(Conversation(*arguments, **options))
        return made[-1]

    yield make
    assert all(conversation.end() for conversation in made)
