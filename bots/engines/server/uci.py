"""Server of the Universal Chess Interface: a bot as a chess engine for other programs."""

from __future__ import annotations

import re
from dataclasses import replace

from cext.spec import format_spec

from ..options import plain_name
from .positions import Position, read_position
from .requests import GoRequest, RequestError, read_go, read_whole
from .search_info import uci_info_line
from .ugi import UgiServer

CHESS960 = "UCI_Chess960"
NAMES = {"hash": "memory_mb", "threads": "threads"}
"""Options of chess programs -> parameters of bots."""
CLOCKS = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
"""Words of `go` -> words of the Universal Game Interface."""
MOST_MOVES_TO_GO = 10_000


class UciServer(UgiServer):
    """A session of the protocol, with the commands and errors of a UgiServer but the words of chess.

    The arguments are those of a UgiServer; the game is `chess`.
    """

    HELLO, NEW_GAME = "uci", "ucinewgame"
    NO_MOVE = "0000"
    INFO_LINE = staticmethod(uci_info_line)

    def _option_lines(self) -> list[str]:
        is_960 = "true" if self.game.parameters["chess960"] else "false"
        lines = [line for line in super()._option_lines() if not line.startswith("option name game ")]
        for name, parameter in NAMES.items():
            lines = [line.replace(f"option name {parameter} ", f"option name {name.title()} ") for line in lines]
        ponder = "option name Ponder type check default false"
        return [*lines, f"option name {CHESS960} type check default {is_960}", ponder]

    def _set_option(self, name: str, value: str | None) -> None:
        key = plain_name(name)
        if key == plain_name(CHESS960):
            if value not in ("true", "false"):
                raise RequestError(f"the option {name!r} is not {value!r}; valid: true, false")
            if (value == "true") != self.game.parameters["chess960"]:
                self._load(format_spec(self.game.name, {**self.game.parameters, "chess960": value == "true"}))
        elif key == "game":
            raise RequestError("unknown option 'game': this engine plays chess")
        elif key != "ponder":  # a program that ponders says so, and needs nothing
            super()._set_option(NAMES.get(key, name), value)

    def _read_position(self, text: str) -> Position:
        """Return the position of `startpos` or `fen FEN`, the fields of a FEN separated by spaces."""
        kind, _, rest = text.partition(" ")
        if kind == "fen":
            fields, moves, after = f"{rest.strip()} ".partition(" moves ")
            text = f"fen {'_'.join(fields.split())} {moves}{after}"
        return read_position(self.game, text)

    def _read_go(self, words: list[str]) -> GoRequest:
        moves: int | None = None
        rest: list[str] = []
        given = list(words)
        while given:
            word = given.pop(0)
            if word == "movestogo":
                moves = read_whole(word, given.pop(0) if given else "", 1, MOST_MOVES_TO_GO)
            elif word in ("depth", "mate"):
                given[:1] = []  # a search in trees has no depth
            elif word == "searchmoves":
                while given and re.fullmatch(r"[a-h][1-8][a-h][1-8][nbrq]?", given[0]):
                    given.pop(0)
            else:
                rest.append(CLOCKS.get(word, word))
        request = read_go(rest, self.game.num_players)
        clocks = tuple(clock and replace(clock, moves_to_go=moves) for clock in request.limit.clocks)
        return replace(request, limit=replace(request.limit, clocks=clocks))
