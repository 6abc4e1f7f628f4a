"""Lines to `playout ugi`: every command has its answer, whatever the lines are."""

from __future__ import annotations

from collections import Counter
from unittest import mock

from bots import load_bot
from bots.engines.server import ugi as server
from fuzz.games import SPECS, loaded
from fuzz.reader import Reader

SEEDS = (
    b"\0\0ugi\nisready\nposition startpos moves mark(2,2)\ngo nodes 5\nquery result\nquit\n",
    b"\1\1setoption name seed value 3\nposition startpos\ngo seat 1\nstop\nquery acting\n",
    b"\5\1position startpos\nisready\ngo seat 2 movetime 10\nquery players\nquery returns\n",
    b"\3\2uginewgame\nsetoption name game value points_ttt\nposition fen x../../.._1,0_x_0\ngo p1time 100 p1inc 1\n",
    b'\2\2position fen {"board": ["...", "...", "..."]} moves pass\ngo infinite\nstop\ngo ponder\nponderhit\n',
    b"\0\1setoption name simulations value 7\nsetoption name Move Overhead value 5\nposition view .../.../..._x\ngo\n",
)
TOKENS = (
    "ugi", "isready", "uginewgame", "quit", "stop", "ponderhit", "position ", "startpos", "fen ", "view ",
    " moves ", "go ", "infinite", "ponder", "seat ", "nodes ", "movetime ", "p1time ", "p2inc ", "query ",
    "p1turn", "gameover", "result", "players", "acting", "returns", "setoption name ", " value ", "game",
    "seed", "Move Overhead", "simulations", "mark(1,1)", "bid(1)|bid(2)", "pass", "\n", "{", "}",
)  # fmt: skip
BOTS = (
    "random",
    "greedy",
    "mcts(simulations=5,memory_mb=1)",
    "double_oracle(simulations=5)",
)
PATIENCE_SECONDS = 15.0
"""Time for a bot to end on a machine with many other processes."""
SLOW = ("simulations", "nodes", "movetime", "infinite", "ponder", "seconds", "memory_mb", "threads")
"""Words with which a search may take long, as it is asked to."""
ANSWERS = {"ugi": "ugiok", "isready": "readyok", "query": "response", "go": "bestmove"}


def target(data: bytes) -> None:
    """Give the lines of the input to a server."""
    reader = Reader(data)
    game = loaded(reader.choice(SPECS))
    bot = load_bot(reader.choice(BOTS))
    try:
        bot.check_game(game)
    except Exception:
        bot = load_bot("random")
    lines = [line for line in reader.rest_text().split("\n") if is_quick(line, bot.spec)]
    answered = lines[: next((i for i, line in enumerate(lines) if line.split()[:1] == ["quit"]), len(lines))]
    wanted = Counter(ANSWERS[word] for line in answered for word in line.split()[:1] if word in ANSWERS)
    said: list[str] = []
    with mock.patch.object(server, "LAST_SECONDS", PATIENCE_SECONDS):
        assert server.UgiServer(game, bot, said.append, seed=1).serve(lines), "the bot did not end"
    found = Counter(word for line in said for word in line.split()[:1] if word in ANSWERS.values())
    # A search that still runs when the lines end is not answered any more, and the commands behind it neither.
    assert all(found[word] <= wanted[word] for word in found), (found, wanted, said)
    assert all(line.isprintable() for line in said), said


def is_quick(line: str, bot: str) -> bool:
    """Return True if a line asks for no long search and names no class to import."""
    words = line.lower().split()
    if words[:1] == ["setoption"]:
        return "." not in line and not any(slow in line.lower() for slow in SLOW)
    return bot in BOTS[:2] or not any(slow in line.lower() for slow in SLOW)
