"""Descriptions of tournaments: files for `playout arena --config`, texts of its options, stored descriptions."""

from __future__ import annotations

import json

from bots.arena.description import read_sprt
from bots.arena.ratings.anchors import parse_anchors
from bots.arena.tournament.adjudication import read_adjudication
from bots.arena.tournament.failure_policy import parse_policies
from bots.arena.tournament.limits import parse_bot_limit, parse_clock
from bots.arena.tournament.names import read_names
from bots.arena.tournament.schedule import Tournament
from bots.commands import arena
from bots.commands.arena_config import read_config
from fuzz.files import file_of
from fuzz.reader import Reader
from mcts import PlayoutError

SEEDS = (
    b'\0game = "mnk"\nbots = ["random", "greedy"]\ngames = 10\nsprt = "0,5"\n',
    b'\0[[bots]]\nspec = "mcts"\nname = "x"\nlimit = "simulations=10"\n[[bots]]\nspec = "random"\n',
    b"\x010,5,model=logistic,alpha=0.05,beta=0.05",
    b"\x02crash=replay:3,stall=abort",
    b"\x03simulations=1000,clock=10+0.1",
    b"\x0410+0.1",
    b"\x05-90,3",
    b"\x061=new",
    b"\x07random=1500",
    b"\x08\0\0\0",
)
TOKENS = (
    "game", "bots", "games", "pairing", "rounds", "sprt", "seed", "name", "limit", "spec", "on-failure",
    "clock", "resign", "workers", " = ", '"', "[[bots]]", "true", "inf", "nan", "1e400", "crash=", "replay",
    "abort", "forfeit", "simulations=", "model=", "alpha=", "+", ",", "\n",
)  # fmt: skip
GIVEN = Tournament("mnk(m=3,n=3,k=3)", 2, ("random", "greedy", "mcts(simulations=5)"), 3).to_dict()
TEXTS = (
    read_sprt,
    parse_policies,
    parse_bot_limit,
    parse_clock,
    lambda text: read_adjudication(text, text, 5),
    lambda text: read_names(2, [text, text[::-1]]),
    lambda text: parse_anchors([text], ["random", "greedy"]),
)


def target(data: bytes) -> None:
    """Read one kind of description."""
    reader = Reader(data)
    kind = reader.byte() % (len(TEXTS) + 2)
    try:
        if kind == 0:
            with file_of(reader.rest()) as path:
                read_config(str(path), arena.command, ("context", "config"))
        elif kind <= len(TEXTS):
            TEXTS[kind - 1](reader.rest_text())
        else:
            read_stored(reader)
    except PlayoutError:
        return


def read_stored(reader: Reader) -> None:
    """A changed description that is accepted describes itself, and every game has a place."""
    given = json.loads(json.dumps(GIVEN))
    for _ in range(1 + reader.byte() % 4):
        given = reader.changed(given)
    found = Tournament.from_dict(given)
    again = Tournament.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again == found
    assert again.digest == found.digest
    for number in {0, found.num_games // 2, found.num_games - 1}:
        found.place(number)
        found.game_seed(number)
