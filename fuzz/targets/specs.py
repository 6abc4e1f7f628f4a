"""Specs of games, bots and searchers: `parse_spec`, `load_game`, `load_bot`, `load_searcher`.

Paths of classes and the bot `ugi` run code by design, so they are parsed, and not loaded.
"""

from __future__ import annotations

from bots import load_bot
from cext.spec import format_spec, parse_spec
from fuzz.games import loaded
from fuzz.reader import Reader
from mcts import PlayoutError, load_game, load_searcher
from mcts.errors import SpecError

SEEDS = (
    b"\0mnk(m=3,n=3,k=3)",
    b"\0bidding_ttt:coins=3,tiebreaker=o",
    b"\1mcts(simulations=1000,selection=puct)",
    b"\1exact()",
    b"\2mcts(threads=2,memory_mb=1)",
    b"\2double_oracle(types=3)",
    b'\3ugi(command="a \\"b\\" c",memory_mb=5)',
)
TOKENS = (
    "mnk", "bidding_ttt", "bidding_3d_ttt", "mcts", "double_oracle", "greedy", "random", "exact", "(", ")",
    "=", ",", ":", '"', "'", "\\", "m=", "n=", "k=", "coins=", "chips=", "simulations=", "selection=", "puct",
    "true", "false", "nan", "1e309", "memory_mb=",
)  # fmt: skip


def target(data: bytes) -> None:
    """Read a spec of the input."""
    reader = Reader(data)
    kind = reader.byte() % 4
    text = reader.rest_text()
    try:
        name, parameters = parse_spec(text)
    except SpecError:
        return
    written = format_spec(name, parameters)
    assert parse_spec(written) == (name, parameters), written
    if "." in name or name == "ugi" or kind == 3:
        return
    try:
        if kind == 0:
            game = load_game(text)
            assert load_game(game.spec) == game
            game.new_initial_state()
        elif kind == 1:
            bot = load_bot(text)
            assert load_bot(bot.spec).spec == bot.spec
            bot.close()
        else:
            load_searcher(text, loaded("mnk(m=3,n=3,k=3)"))
    except PlayoutError:
        return
