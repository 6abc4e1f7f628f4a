"""Compare the simulations per second of tic-tac-toe written in Python with the packages `mcts` and `multimcts`.

Both packages come from PyPI. One of them has the same name as a package of this project. They are therefore installed
into a separate environment, temporary unless --environment names a folder, and run there by a second interpreter.

usage: python -m bench.python_games [--repeats N] [--simulations N] [--environment FOLDER]
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

import mcts

PEERS = Path(__file__).parent / "ttt_peers.py"
PACKAGES = {"mcts": "mcts==1.0.4", "multimcts": "multimcts==0.6.4"}
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL = 0o777


class NoPeersError(Exception):
    """The other packages cannot be installed or run. The message has the reason."""


class TicTacToe(mcts.PythonGame):
    """Tic-tac-toe. A state has the cells of the player to move and of the other one as bits, and the player to move."""

    name = "python_ttt"
    players = ("x", "o")
    num_actions = 9
    utility_sum = 1.0

    def initial_state(self):
        """Return the empty board."""
        return 0, 0, 0

    def acting_players(self, state):
        """Return the player to move, or () when the last mark made a line or the board is full."""
        own, other, mover = state
        for line in LINES:
            if other & line == line:
                return ()
        return mover if own | other != FULL else ()

    def legal_actions(self, state, player):
        """Return the blank cells."""
        taken = state[0] | state[1]
        return [cell for cell in range(9) if not taken >> cell & 1]

    def next_state(self, state, joint):
        """Return the board after the player to move has marked a cell."""
        own, other, mover = state
        return other, own | 1 << joint[mover], 1 - mover

    def returns(self, state):
        """Return 1 for a line, 1/2 for a draw."""
        _, other, mover = state
        if not any(other & line == line for line in LINES):
            return 0.5, 0.5
        return (1.0, 0.0) if mover == 1 else (0.0, 1.0)


def install(folder):
    """Install the packages into an environment of their own and return its interpreter. Raises NoPeersError."""
    python = Path(folder) / "bin" / "python"
    if not python.exists():
        run_or_refuse([sys.executable, "-m", "venv", str(folder)])
    run_or_refuse([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES.values()])
    return python


def run_or_refuse(command):
    """Run a command. Raises NoPeersError if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise NoPeersError(f"{' '.join(command)} failed:\n{done.stderr.strip()[-2000:]}")


class Peers:
    """The other interpreter, which runs until `close`."""

    def __init__(self, python):
        # -I: neither this folder nor PYTHONPATH may put the package mcts of this project first.
        self._process = subprocess.Popen(
            [str(python), "-I", str(PEERS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, package, simulations):
        """Return the time of some simulations of a package in seconds. Raises NoPeersError."""
        try:
            print(package, simulations, file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise NoPeersError(f"{PEERS.name} has ended; its error is above") from None
        answer = self._process.stdout.readline()
        if not answer:
            raise NoPeersError(f"{PEERS.name} has ended; its error is above")
        return float(answer)

    def close(self):
        """End the interpreter."""
        self._process.communicate()


def our_seconds(simulations):
    """Return the time of some simulations of Playout from the empty board in seconds."""
    game = TicTacToe()
    search = mcts.MCTS(game, exploration=2**0.5)
    state = game.new_initial_state()
    begin = time.perf_counter()
    search.run(state, simulations=simulations)
    return time.perf_counter() - begin


def compare(python, repeats, simulations):
    """Return rates from interleaved measurements: a list for Playout, and name -> list for the other packages."""
    ours, theirs = [], {name: [] for name in PACKAGES}
    peers = Peers(python)
    try:
        for _ in range(repeats):
            ours.append(simulations / our_seconds(simulations))
            for name, rates in theirs.items():
                rates.append(simulations / peers.seconds(name, simulations))
    finally:
        peers.close()
    return ours, theirs


def main():
    """Measure and print the results."""
    arguments = argparse.ArgumentParser(description="Measure the simulations per second of tic-tac-toe in Python.")
    arguments.add_argument(
        "--repeats", type=int, default=7, help="interleaved measurements, of which the median is shown"
    )
    arguments.add_argument("--simulations", type=int, default=5000, help="simulations per measurement")
    arguments.add_argument("--environment", type=Path, help="folder for the other packages; default: temporary")
    given = arguments.parse_args()
    if given.repeats < 1 or given.simulations < 1:
        arguments.error("--repeats and --simulations must be at least 1")
    console = Console()
    try:
        with tempfile.TemporaryDirectory() as temporary:
            python = install((given.environment or Path(temporary)).absolute())
            ours, theirs = compare(python, given.repeats, given.simulations)
    except NoPeersError as reason:
        rate = statistics.median(given.simulations / our_seconds(given.simulations) for _ in range(given.repeats))
        console.print(f"playout: {rate:,.0f} simulations/s. Not compared: {reason}", soft_wrap=True)
        return
    table = Table("package", title=f"Tic-tac-toe in Python, {given.simulations} simulations from the empty board")
    table.add_column("simulations/s", justify="right")
    table.add_column("playout / package", justify="right")
    table.add_row("playout", f"{statistics.median(ours):,.0f}", "")
    for name, rates in theirs.items():
        ratio = statistics.median(a / b for a, b in zip(ours, rates, strict=True))
        table.add_row(PACKAGES[name], f"{statistics.median(rates):,.0f}", f"{ratio:.2f}")
    console.print(table)


if __name__ == "__main__":
    main()
