"""A bot as an engine that speaks the Universal Game Interface, so that any runner can have it play.

Commands are read in one thread while the bot thinks in another, so that `isready` and `stop` are heard at any time.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable
from threading import Event, Lock, Thread
from typing import Any

from mcts import Game, PlayoutError, State, View, load_game
from mcts.parameters import Choice, Flag, Integer, Parameter

from ..base import Bot
from ..steps import apply_step
from .requests import GoRequest, RequestError, read_go
from .search_info import info_line

AUTHOR = "the Playout authors"
HALT_SECONDS = 0.01
"""Between two tries to stop a bot: one that comes before its search has begun is lost."""
LAST_SECONDS = 2.0
"""How long a bot may take to end its search when the engine quits."""


class UgiServer:
    """One conversation.

    Args:
        game: what is played until an option says otherwise.
        bot: who plays.
        write: called with every line, from several threads but never at the same time.
        seed: root of all that the bot draws; None for another in each game.
    """

    def __init__(self, game: Game, bot: Bot, write: Callable[[str], None], seed: int | None = None) -> None:
        self.game = game
        self.bot = bot
        self._write = write
        self._seed = seed
        self._state: State | None = game.new_initial_state()  # None where only a view is known, or nothing
        self._view: dict[str, Any] | None = None
        self._is_new = True  # the bot has not been told of this game yet
        self._seat = -1  # the player that it was told it is
        self._thinker: Thread | None = None
        self._stopped = Event()
        self._lock = Lock()

    def serve(self, lines: Iterable[str]) -> None:
        """Answer lines until `quit` or their end."""
        for line in lines:
            words = line.split()
            if words[:1] == ["quit"]:
                break
            if not words:
                continue
            command = getattr(self, f"_do_{words[0]}", None) if words[0].isalpha() else None
            try:
                if command is None:
                    raise RequestError(f"unknown command {words[0]!r}; valid: {', '.join(_COMMANDS)}")
                command(line.strip()[len(words[0]) :].strip())
            except PlayoutError as error:
                self._remark(str(error))
        self._do_stop("")
        if self._thinker is not None:
            self._thinker.join(LAST_SECONDS)

    def _do_ugi(self, _: str) -> None:
        self._say(f"id name Playout {self.bot.spec}")
        self._say(f"id author {AUTHOR}")
        self._say(f"option name game type string default {self.game.spec}")
        self._say("option name seed type string default random")
        for name, kind in self.bot.PARAMETERS.items():
            self._say(f"option name {name} {_option_type(kind, self.bot.parameters[name])}")
        self._say("ugiok")

    def _do_isready(self, _: str) -> None:
        self._say("readyok")

    def _do_setoption(self, rest: str) -> None:
        name, _, value = rest.removeprefix("name").strip().partition(" value ")
        name, value = name.strip(), value.strip()
        if name == "game":
            game = load_game(value)
            self.bot.check_game(game)
            self.game = game
            self._state, self._view, self._is_new = game.new_initial_state(), None, True
        elif name == "seed":
            self._seed = None if value == "random" else _read_seed(value)
        elif name in self.bot.PARAMETERS:
            self._finish_thinking()
            bot = type(self.bot)(**{**self.bot.parameters, name: value})
            bot.check_game(self.game)
            self.bot, self._is_new = bot, True
        else:
            valid = ", ".join(["game", "seed", *self.bot.PARAMETERS])
            raise RequestError(f"there is no option {name!r}; valid: {valid}")

    def _do_uginewgame(self, _: str) -> None:
        self._state, self._view, self._is_new = self.game.new_initial_state(), None, True

    def _do_position(self, rest: str) -> None:
        self._state = self._view = None  # a position that cannot be reached is none
        kind, _, more = rest.partition(" ")
        if kind == "startpos":
            words = more.split()
            if words and words[0] != "moves":
                raise RequestError(f"{words[0]!r} follows startpos; valid: moves, and then the steps")
            state = self.game.new_initial_state()
            for step in words[1:]:
                apply_step(state, step)
            self._state = state
        elif kind == "view":
            try:
                given = json.loads(more)
            except (ValueError, RecursionError) as error:
                raise RequestError(f"the view is no JSON: {error}") from None
            if self.game.has_hidden_information:
                self._view = given
            else:
                self._state = self.game.state_from_dict(given)
        else:
            raise RequestError(f"no position {kind!r}; valid: startpos, startpos moves ..., view JSON")

    def _do_go(self, rest: str) -> None:
        if self._is_thinking() and not self._stopped.is_set():
            raise RequestError("go while thinking; valid: stop, isready, query, quit")
        self._finish_thinking()
        try:
            request = read_go(rest.split(), self.game.num_players)
            view = self._view_for(request.seat)
            if request.unknown:
                self._remark(f"not known, and passed over: {' '.join(request.unknown)}")
            if self._is_new or self._seat != view.player:
                seed = secrets.randbits(64) if self._seed is None else self._seed
                self.bot.new_game(self.game, view.player, seed)
                self._is_new, self._seat = False, view.player
        except PlayoutError as error:
            self._remark(str(error))
            self._say("bestmove none")
            return
        self._stopped.clear()
        self._thinker = Thread(target=self._think, args=(view, request), daemon=True)
        self._thinker.start()

    def _do_stop(self, _: str) -> None:
        self._stopped.set()
        if (thinker := self._thinker) is not None:
            Thread(target=_halt, args=(self.bot, thinker), daemon=True).start()

    def _do_query(self, rest: str) -> None:
        state = self._known_state()
        acting = state.acting_players() if state is not None else ()
        over = not acting
        returns = state.returns() if state is not None and over and self._state is not None else None
        answers = {
            "p1turn": _truth(0 in acting),
            "gameover": _truth(over),
            "result": _result(returns),
            "players": str(self.game.num_players),
            "acting": " ".join(str(player + 1) for player in acting) or "none",
            "returns": "none" if returns is None else " ".join(f"{value:g}" for value in returns),
        }
        if rest not in answers:
            raise RequestError(f"no query {rest!r}; valid: {', '.join(answers)}")
        self._say(f"response {answers[rest]}")

    def _known_state(self) -> State | None:
        """The state, or one that looks like it to whose view is known; None where there is no good position."""
        if self._view is None:
            return self._state
        for player in range(self.game.num_players):
            try:
                return self.game.view_from_dict(player, self._view).resample(0)
            except PlayoutError:
                continue
        return None

    def _view_for(self, seat: int | None) -> View:
        """What the player that is to decide sees. Raises PlayoutError where nobody decides, or it is not clear who."""
        if self._view is not None and seat is not None:
            view = self.game.view_from_dict(seat, self._view)
        else:
            state = self._known_state()
            if state is None:
                raise RequestError("there is no position to go from")
            acting = state.acting_players()
            if seat is None and (len(acting) > 1 or self._view is not None):
                raise RequestError("several players decide here; valid: go seat P, P counted from 1")
            view = state.view(seat if seat is not None else acting[0] if acting else 0)
        if view.player not in view.acting_players():
            over = "the game is over" if view.is_terminal() else f"player {view.player + 1} has nothing to decide"
            raise RequestError(f"no go: {over}")
        return view

    def _think(self, view: View, request: GoRequest) -> None:
        try:
            action = self.bot.choose(view, request.limit)
            text = view.action_to_string(action)
        except Exception as error:  # a bot can be anybody's, and the runner waits for an answer whatever happens
            self._remark(f"{type(error).__name__}: {error}")
            text = "none"
        else:
            if (info := info_line(self.bot.findings, view.player)) is not None:
                self._say(info)
        if request.infinite:
            self._stopped.wait()
        self._say(f"bestmove {text}")

    def _is_thinking(self) -> bool:
        return self._thinker is not None and self._thinker.is_alive()

    def _finish_thinking(self) -> None:
        if self._is_thinking():
            self._do_stop("")
            assert self._thinker is not None
            self._thinker.join()

    def _remark(self, text: str) -> None:
        self._say(f"info string {' '.join(text.split())}")

    def _say(self, line: str) -> None:
        with self._lock:
            self._write(line)


_COMMANDS = (*(name[4:] for name in vars(UgiServer) if name.startswith("_do_")), "quit")


def _halt(bot: Bot, thinker: Thread) -> None:
    """Tell a bot to stop until it has."""
    while thinker.is_alive():
        bot.stop()
        thinker.join(HALT_SECONDS)


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _result(returns: list[float] | None) -> str:
    """Who has won: the only one with the highest return; `draw` where there are several."""
    if returns is None:
        return "none"
    best = [player for player, value in enumerate(returns, 1) if value == max(returns)]
    return f"p{best[0]}win" if len(best) == 1 else "draw"


def _read_seed(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise RequestError(f"seed {text!r} is no whole number; valid: a whole number, or random") from None


def _option_type(kind: Parameter, value: Any) -> str:
    """A parameter as UGI describes an option."""
    if isinstance(kind, Integer) and value is not None:
        return f"type spin default {value} min {kind.low} max {kind.high}"
    if isinstance(kind, Flag):
        return f"type check default {_truth(value)}"
    if isinstance(kind, Choice):
        return " ".join(["type combo default", value, *(f"var {option}" for option in kind.options)])
    return "type string" if value is None else f"type string default {value}"
