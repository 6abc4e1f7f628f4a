"""Files of openings: `read_openings`."""

from __future__ import annotations

from bots.arena.tournament.openings import make_book, read_openings, start_state
from bots.errors import TournamentError
from fuzz.files import file_of
from fuzz.games import chosen_game
from fuzz.reader import Reader

SEEDS = (
    b"\0mark(2,2) mark(1,1)\n# comment\nx../.o./..._x\n",
    b'\0["mark(1,1)"]\n"mark(2,2) mark(1,1)"\n',
    b"\1bid(1)|bid(1,tiebreaker)  # after\n\n",
    b'\2{"board": ["...", "...", "..."], "balances": [1, 0], "to_move": "x", "passes": 0}\n',
    b"\4mark(1,1) mark(2,1) mark(1,2) mark(2,2) mark(1,3) reset|reset mark(1,1)|mark(1,2)\n",
    b"\5bid(A1:3)|bid()\n",
)
TOKENS = (
    "mark(", "bid(", "|", "pass", "reset", "#", '"', "[", "]", "{", "}", "\n", "_", "/", "\xef\xbb\xbf",
)  # fmt: skip


def target(data: bytes) -> None:
    """Read a file of openings, and begin a game with each."""
    reader = Reader(data)
    game = chosen_game(reader)
    with file_of(reader.rest()) as path:
        try:
            found = read_openings(str(path), game)
        except TournamentError:
            return
    assert found.given
    book = make_book(game, found, 1)
    for cycle in range(len(found.given)):
        assert not start_state(game, book.opening(cycle)).is_terminal()
