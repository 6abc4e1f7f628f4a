"""Simulations a second of games written in Python: tic-tac-toe beside the same rules for `mcts` and `multimcts`.

Both packages come from PyPI. One of them has the name of our own, so they are installed into an environment apart, a
temporary one unless --environment names a folder to keep, and run there by a second interpreter.

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
    """The other packages cannot be installed or run here; the text says why."""


class TicTacToe(mcts.PythonGame):
    """Three in a row: cells of the player to move and of the other as bits, and who is to move."""

    name = "python_ttt"
    players = ("x", "o")
    num_actions = 9
    utility_sum = 1.0

    def initial_state(self):
        """The empty board."""
        return 0, 0, 0

    def acting_players(self, state):
        """Nobody when the player who moved last has made a line, or the board is full."""
        own, other, mover = state
        for line in LINES:
            if other & line == line:
                return ()
        return mover if own | other != FULL else ()

    def legal_actions(self, state, player):
        """Cells that can be marked."""
        taken = state[0] | state[1]
        return [cell for cell in range(9) if not taken >> cell & 1]

    def next_state(self, state, joint):
        """The board after the player to move has marked a cell."""
        own, other, mover = state
        return other, own | 1 << joint[mover], 1 - mover

    def returns(self, state):
        """1 for a line, half for a draw."""
        _, other, mover = state
        if not any(other & line == line for line in LINES):
            return 0.5, 0.5
        return (1.0, 0.0) if mover == 1 else (0.0, 1.0)


def install(folder):
    """Put the packages into an environment of their own and return its interpreter. Raises NoPeersError."""
    python = Path(folder) / "bin" / "python"
    if not python.exists():
        told = [sys.executable, "-m", "venv", str(folder)]
        run_or_refuse(told)
    run_or_refuse([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES.values()])
    return python


def run_or_refuse(command):
    """Run a command away from the settings of this interpreter. Raises NoPeersError."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise NoPeersError(f"{' '.join(command)} failed:\n{done.stderr.strip()[-2000:]}")


class Peers:
    """The other interpreter, which stays up between measurements."""

    def __init__(self, python):
        # -I: neither this folder nor PYTHONPATH may put our own mcts before theirs.
        self._process = subprocess.Popen(
            [str(python), "-I", str(PEERS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, package, simulations):
        """How long so many simulations of a package take. Raises NoPeersError."""
        try:
            print(package, simulations, file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise NoPeersError(f"{PEERS.name} has ended, as told above") from None
        told = self._process.stdout.readline()
        if not told:
            raise NoPeersError(f"{PEERS.name} has ended, as told above")
        return float(told)

    def close(self):
        """End it."""
        self._process.communicate()


def our_seconds(simulations):
    """How long so many simulations from the empty board take here."""
    game = TicTacToe()
    search = mcts.MCTS(game, exploration=2**0.5)
    state = game.new_initial_state()
    begin = time.perf_counter()
    search.run(state, simulations=simulations)
    return time.perf_counter() - begin


def compare(python, repeats, simulations):
    """Rates of us and of each package, from interleaved measurements: a list of ours, and name -> a list of theirs."""
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
    """Measure and print."""
    arguments = argparse.ArgumentParser(description="Simulations a second of tic-tac-toe written in Python.")
    arguments.add_argument(
        "--repeats", type=int, default=7, help="interleaved measurements, of which the median counts"
    )
    arguments.add_argument("--simulations", type=int, default=5000, help="simulations of one measurement")
    arguments.add_argument("--environment", type=Path, help="where to keep the other packages; else a temporary folder")
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
    table.add_column("ours / theirs", justify="right")
    table.add_row("playout", f"{statistics.median(ours):,.0f}", "")
    for name, rates in theirs.items():
        ratio = statistics.median(a / b for a, b in zip(ours, rates, strict=True))
        table.add_row(PACKAGES[name], f"{statistics.median(rates):,.0f}", f"{ratio:.2f}")
    console.print(table)


if __name__ == "__main__":
    main()
