"""Server of the Go Text Protocol, version 2: a bot as a Go engine for other programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from cext.games.go.position_text import COLUMNS, owners_of
from cext.spec import format_spec
from mcts import Game, PlayoutError, State, load_game
from mcts.primitives.failures import failures_named

from ...base import Bot
from ...clocks import ClockFace, TurnLimit
from ...errors import BotFailureError
from ...system.untrusted import LINE_LENGTH, clean_line, failure_of, plain_action

OVERHEAD_SECONDS = 0.1
"""Time of an answer that is left for the program that asks."""
MOST_SECONDS = 10**7
NAMES = {"b": 0, "black": 0, "w": 1, "white": 1}
"""Colors as the protocol writes them -> players."""
NO_HANDICAP = "none"
_SETUP = ("size", "komi", "handicap")
_CORNERS, _SIDES = "ll ru lu rl", "lc rc cl cu"
_FIXED = {2: "ll ru", 3: "ll ru lu", 4: _CORNERS, 5: f"{_CORNERS} cc", 6: f"{_CORNERS} lc rc",
          7: f"{_CORNERS} lc rc cc", 8: f"{_CORNERS} {_SIDES}", 9: f"{_CORNERS} {_SIDES} cc"}  # fmt: skip
"""Number of handicap stones -> their points, each a column (left, center, right) and a row (lower, center, upper)."""


class CommandError(PlayoutError, ValueError):
    """A command of the protocol cannot be executed; the message has the reason."""


class GtpServer:
    """A session of the protocol. Each command gets one answer; commands are executed one after the other.

    The protocol lets a color move twice in a row; a pass of the other color is played between such moves.

    Args:
        game: the game `go`, until `boardsize`, `komi` or a handicap change it.
        bot: the bot that plays.
        write: called with each line of an answer.
        seed: root of all random numbers of the bot.
    """

    def __init__(self, game: Game, bot: Bot, write: Callable[[str], None], seed: int = 0) -> None:
        self._write, self._bot, self._seed = write, bot, seed
        self._game = game
        self._states: list[State] = [game.new_initial_state()]  # after each move, passes that fill gaps included
        self._steps: list[str] = []
        self._ready: int | None = None  # the player for whom the bot has begun this game
        self._told = 0  # steps that the bot was told
        self._settings: tuple[int, int, int] | None = None  # of time_settings
        self._clocks: dict[int, ClockFace] = {}

    def serve(self, lines: Iterable[str]) -> None:
        """Answer commands until `quit` or the last line. Raises OSError if an answer cannot be written."""
        try:
            for line in lines:
                words = re.sub(r"[^\t -~]", "", line.partition("#")[0]).split()
                if not words:
                    continue
                number = words.pop(0) if words[0].isdecimal() else ""
                if not words:
                    continue
                sign, text = self._answer(words[0], words[1:])
                self._write(f"{sign}{number} {text}".rstrip() + "\n")
                if words[0] == "quit":
                    break
        finally:
            self._bot.close()

    def _answer(self, command: str, words: list[str]) -> tuple[str, str]:
        try:
            if command not in COMMANDS:
                raise CommandError("unknown command")
            return "=", getattr(self, f"do_{command}")(words) or ""
        except (PlayoutError, ValueError) as error:
            return "?", clean_line(error, LINE_LENGTH)
        except Exception as error:  # any bot may be loaded: the session continues
            return "?", clean_line(failure_of(error).message, LINE_LENGTH)

    # About the engine

    def do_protocol_version(self, words: list[str]) -> str:
        return "2"

    def do_name(self, words: list[str]) -> str:
        return "Playout"

    def do_version(self, words: list[str]) -> str:
        return self._bot.spec

    def do_known_command(self, words: list[str]) -> str:
        return "true" if words[:1] and words[0] in COMMANDS else "false"

    def do_list_commands(self, words: list[str]) -> str:
        return "\n".join(COMMANDS)

    def do_quit(self, words: list[str]) -> None:
        """Answer; `serve` then ends."""

    # Setting up

    def do_boardsize(self, words: list[str]) -> None:
        size = _whole(words, 2, 19, "unacceptable size")
        self._change(size=size, handicap=NO_HANDICAP)

    def do_komi(self, words: list[str]) -> None:
        """Change the points of white; the moves that were played stay."""
        try:
            komi = float(words[0])
        except (IndexError, ValueError):
            raise CommandError("syntax error: komi is a number") from None
        steps = self._steps
        self._change(komi=komi)
        for step in steps:
            self._apply(step)

    def do_clear_board(self, words: list[str]) -> None:
        self._change(handicap=NO_HANDICAP)

    def do_fixed_handicap(self, words: list[str]) -> str:
        size = self._game.parameters["size"]
        number = _whole(words, 2, most_fixed(size), "invalid number of stones")
        return self._set_handicap(fixed_points(size, number))

    def do_set_free_handicap(self, words: list[str]) -> None:
        if len(words) < 2:
            raise CommandError("invalid number of stones; valid: two or more vertices")
        self._set_handicap([word.upper() for word in words])

    def _set_handicap(self, vertices: list[str]) -> str:
        if self._steps or self._game.parameters["handicap"] != NO_HANDICAP:
            raise CommandError("board not empty")
        self._change(handicap="-".join(vertices))
        return " ".join(vertices)

    def _change(self, **parameters: float | str) -> None:
        """Begin a game with other parameters."""
        given = {name: value for name, value in self._game.parameters.items() if name in _SETUP}
        game = load_game(format_spec("go", {**given, **parameters}))
        self._bot.check_game(game)
        self._game, self._states, self._steps = game, [game.new_initial_state()], []
        self._ready, self._told = None, 0
        self._clocks = {}

    # Play

    def do_play(self, words: list[str]) -> None:
        if len(words) != 2:
            raise CommandError("syntax error: play COLOR VERTEX")
        player = _player(words[0])
        with failures_named("illegal move", CommandError, PlayoutError):
            self._move(player, words[1])

    def do_genmove(self, words: list[str]) -> str:
        move = self._choose(words)
        self._move(_player(words[0]), move)
        return move

    def do_reg_genmove(self, words: list[str]) -> str:
        """Answer with a move that is not played."""
        return self._choose(words)

    def do_undo(self, words: list[str]) -> None:
        if not self._steps:
            raise CommandError("cannot undo")
        self._states.pop()
        self._steps.pop()
        self._ready, self._told = None, 0

    def _choose(self, words: list[str]) -> str:
        player = _player(words[0] if words else "")
        state = self._states[-1].clone()
        if state.is_terminal():
            return "pass"
        gap = state.acting_players()[0] != player
        if gap:
            state.apply_action(state.string_to_action(1 - player, "pass"))
            if state.is_terminal():
                return "pass"
        if self._ready != player:
            self._bot.new_game(self._game, player, self._seed)
            self._ready, self._told = player, 0
        steps = [*self._steps, *(["pass"] if gap else [])]
        for step in steps[self._told :]:
            self._bot.inform(step)
        self._told = len(self._steps)  # a pass that fills a gap is played with the move
        if gap:
            self._ready = None
        action = plain_action(self._bot.choose(state.view(player), self._limit(player)), self._game.spec)
        if not state.is_legal(player, action):
            raise BotFailureError("illegal move", f"the bot chose {action}, which is not legal")
        return state.action_to_string(player, action)

    def _move(self, player: int, vertex: str) -> None:
        """Play a move, after a pass of the other color if it is to move."""
        state = self._states[-1]
        if state.is_terminal():
            raise CommandError("the game is over")
        steps = [vertex] if state.acting_players()[0] == player else ["pass", vertex]
        before = len(self._steps)
        try:
            for step in steps:
                self._apply(step)
        except PlayoutError:
            del self._states[before + 1 :], self._steps[before:]
            raise

    def _apply(self, step: str) -> None:
        state = self._states[-1].clone()
        player = state.acting_players()[0]
        action = state.string_to_action(player, step)
        state.apply_action(action)
        self._steps.append(self._states[-1].action_to_string(player, action))
        self._states.append(state)

    # Time

    def do_time_settings(self, words: list[str]) -> None:
        main, byo, stones = (_whole(words[index:], 0, MOST_SECONDS, "syntax error") for index in range(3))
        self._settings = (main, byo, stones)
        self._clocks = {}

    def do_time_left(self, words: list[str]) -> None:
        player = _player(words[0] if words else "")
        seconds = _whole(words[1:], 0, MOST_SECONDS, "syntax error")
        stones = _whole(words[2:], 0, MOST_SECONDS, "syntax error")
        self._clocks[player] = ClockFace(float(seconds), moves_to_go=stones or None)

    def _limit(self, player: int) -> TurnLimit:
        """Return the limit of a decision, from `time_left` or else from `time_settings`."""
        if self._settings is not None and player not in self._clocks:
            main, byo, stones = self._settings
            if stones or not byo:  # byo without stones means no limit of time
                self._clocks[player] = ClockFace(float(main or byo), moves_to_go=None if main else stones or None)
        clock = self._clocks.get(player)
        if clock is None:
            return TurnLimit()
        clock = replace(clock, remaining_seconds=max(clock.remaining_seconds - OVERHEAD_SECONDS, 0.0))
        return TurnLimit(clocks=(clock, None) if player == 0 else (None, clock))

    # The board

    def do_showboard(self, words: list[str]) -> str:
        return "\n" + str(self._states[-1])

    def do_final_score(self, words: list[str]) -> str:
        """Answer with the area of the stones as they stand."""
        return score_text(self._states[-1])


def area_score(state: State) -> int:
    """Return the area of black minus that of white: stones, and empty points that only one color reaches."""
    rows = state.to_dict()["board"]
    owned = ["".join(rows), *owners_of(rows).values()]
    return sum(part.count("b") - part.count("w") for part in owned)


def score_text(state: State) -> str:
    """Return the score of a position as GTP and SGF write it, such as `B+3.5`."""
    score = area_score(state) - state.game.parameters["komi"]
    return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"


def most_fixed(size: int) -> int:
    """Return the most stones of a fixed handicap; 0 for boards without one."""
    return 0 if size < 7 else 9 if size % 2 == 1 and size > 7 else 4


def fixed_points(size: int, number: int) -> list[str]:
    """Return the vertices of a fixed handicap, as the protocol defines them."""
    edge = 3 if size < 13 else 4
    columns = {"l": edge, "c": (size + 1) // 2, "r": size + 1 - edge}
    rows = {"l": edge, "c": (size + 1) // 2, "u": size + 1 - edge}
    return [f"{COLUMNS[columns[point[0]] - 1]}{rows[point[1]]}" for point in _FIXED[number].split()]


def _player(color: str) -> int:
    if color.lower() not in NAMES:
        raise CommandError(f"syntax error: {color!r} is not a color; valid: {', '.join(NAMES)}")
    return NAMES[color.lower()]


def _whole(words: list[str], low: int, high: int, problem: str) -> int:
    text = words[0] if words else ""
    if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
        raise CommandError(f"{problem}: {clean_line(text, 60)!r}; valid: {low} to {high}")
    return int(text)


COMMANDS = tuple(name.removeprefix("do_") for name in vars(GtpServer) if name.startswith("do_"))
"""The commands, each a method of the server."""
