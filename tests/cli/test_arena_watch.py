"""`playout arena --watch`: a page beside a tournament, by a process that ends with it."""

import signal
import socket
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest
from support import environment
from waiting import HANG_SECONDS, wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

COMMAND = [sys.executable, "-P", "-m", "bots.cli", "arena", "mnk", "random", "greedy", "--workers", "1"]


@contextmanager
def watched(file, *options):
    """The process of a watched tournament, and the address of its page."""
    command = [*COMMAND, "--watch", "--db", str(file), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    try:
        line = process.stderr.readline()
        assert "http://" in line, line + process.stderr.read()
        yield process, line.split()[-1]
    finally:
        process.kill()
        process.communicate()


def is_closed(address):
    try:
        httpx.get(address, timeout=HANG_SECONDS)
    except httpx.TransportError:
        return True
    return False


@pytest.mark.long
def test_a_tournament_is_watched_while_it_runs_and_afterwards(tmp_path):
    with watched(tmp_path / "arena.db", "--games", "40") as (process, link):
        address, _, digest = link.partition("#/tournament/")
        assert address.startswith("http://127.0.0.1:")
        results = f"{address}api/v1/arena/tournaments/{digest}"
        found = wait_until(lambda: (found := httpx.get(results).json())["is_over"] and found)
        assert found["games"] == found["games_scheduled"] == 40
        wait_until(lambda: "Ctrl-C ends the page" in process.stderr.readline())
        assert httpx.get(results).status_code == 200
        process.send_signal(signal.SIGINT)
        output, messages = process.communicate(timeout=HANG_SECONDS)
        assert process.returncode == 0
        assert "greedy" in output
        assert "Traceback" not in messages
        assert is_closed(address)


@pytest.mark.long
def test_the_page_ends_with_a_killed_arena(tmp_path):
    with watched(tmp_path / "arena.db", "--games", "1000000") as (process, link):
        address = link.partition("#")[0]
        assert httpx.get(f"{address}api/v1/info").status_code == 200
        process.kill()
        process.wait()
        wait_until(lambda: is_closed(address))


@pytest.mark.long
def test_a_port_that_is_taken_is_said(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [*COMMAND, "--watch", "--port", str(port), "--db", str(tmp_path / "arena.db")]
        done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=HANG_SECONDS)
        assert done.returncode == 2
        assert f"cannot listen on 127.0.0.1 port {port}" in done.stderr


def test_options_that_do_not_fit_together_are_refused(playout):
    for options, reason in ((("--watch", "--no-db"), "the page reads the database"), (("--port", "80"), "--watch")):
        result = playout("arena", "mnk", "random", "greedy", *options)
        assert (result.status, reason in result.err) == (2, True)


@pytest.mark.long
def test_ctrl_c_ends_tournament_and_page(tmp_path):
    with watched(tmp_path / "arena.db", "--games", "1000000") as (process, link):
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=HANG_SECONDS)
        assert process.returncode == 130
        assert "To continue" in messages
        assert is_closed(link.partition("#")[0])
