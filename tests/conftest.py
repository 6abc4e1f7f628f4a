"""Settings of the whole suite, and fixtures for the command line and UGI servers.

Hypothesis draws the same examples in every run, and no test fails because a machine is slow. The mark `sample` draws
the cases of a test by the day; PLAYOUT_SAMPLE repeats the draw of another day, or is "all".
"""

import datetime
import gc
import io
import os
import signal
import sys
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from sampling import mark_unsampled
from support import ROOT
from ugi_conversation import Conversation

import bots.cli

settings.register_profile(
    "playout", derandomize=True, deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("few", settings.get_profile("playout"), max_examples=8)  # for builds that are slow
settings.load_profile("playout")

# For the folders `bench` and `fuzz`. Last: the packages are imported where they are installed.
sys.path.append(str(ROOT))

# A process that a shell starts in the background ignores Ctrl-C and Ctrl-\, and so would all processes of the tests.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)

# Rulesheets are interpreted, unless a test asks for their compilation.
os.environ["PLAYOUT_COMPILE"] = "never"

# In the environment, so that all workers draw the same, also at midnight.
SAMPLE = os.environ.setdefault("PLAYOUT_SAMPLE", datetime.date.today().isoformat())


@pytest.hookimpl(tryfirst=True)  # before tests are selected by their marks
def pytest_collection_modifyitems(config, items):
    mark_unsampled(items, SAMPLE, is_long=config.option.markexpr == "long")


if sys.platform == "emscripten":  # the Python of browsers, in which `make wasm-test` runs tests

    def missing(error):
        """Return what a test needs that is not there, from its error: a package, processes or threads; else None."""
        while error is not None:
            is_of_package = isinstance(error, ModuleNotFoundError)
            if is_of_package and (error.name or "").partition(".")[0] not in ("bots", "cext", "mcts"):
                return str(error)
            if "emscripten does not support" in str(error) or "can't start new thread" in str(error):
                return str(error)
            error = error.__cause__
        return None

    def skipped_if_missing(report, call):
        why = missing(call.excinfo.value) if report.outcome == "failed" and call.excinfo else None
        if why is not None:
            report.outcome, report.longrepr = "skipped", (__file__, None, f"Skipped: {why}")
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(collector):
        report = yield
        return skipped_if_missing(report, report.call) if report.outcome == "failed" else report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(item, call):
        return skipped_if_missing((yield), call)


def pytest_collection_finish():
    gc.freeze()  # the tests live as long as the process, and collections of garbage need not look at them


def pytest_terminal_summary(terminalreporter):
    if {"failed", "error"} & terminalreporter.stats.keys():
        terminalreporter.write_line(f"PLAYOUT_SAMPLE={SAMPLE} draws the same cases of sampled tests")


@pytest.fixture(autouse=True, scope="session")
def solutions_of_the_suite(tmp_path_factory):
    """Keep solutions in a temporary folder instead of the cache of the user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


class Result(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def playout(monkeypatch, capfd, tmp_path):
    """Return a function that runs the command in this process, in a temporary folder, and returns its output."""
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
    """Return a function that starts UGI servers, which end with the test."""
    made = []

    def make(*arguments, **options):
        made.append(Conversation(*arguments, **options))
        return made[-1]

    yield make
    assert all(conversation.end() for conversation in made)
