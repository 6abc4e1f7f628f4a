"""Where games begin: openings of random steps or of a file, drawn without replacement."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from mcts import NOOP, Action, Game, PlayoutError, State

from ...errors import TournamentError
from ...seeds import seed_for
from ...steps import apply_step, step_text
from .schedule import Openings

STREAM = 2**40
"""Path of the seeds of openings: no game has such a number."""
DRAWS_ALLOWED = 1000
"""After so many random openings in a row that brought nothing new, there are taken to be no others."""
_COMMENT = re.compile(r"\s+#")


def start_state(game: Game, opening: Sequence[str]) -> State:
    """Where a game with an opening begins.

    Args:
        game: what is played.
        opening: steps from the start; or, alone, a state as JSON of its `to_dict`.
    """
    if opening and not opening_steps(opening):
        return game.state_from_dict(json.loads(opening[0]))
    state = game.new_initial_state()
    for step in opening:
        apply_step(state, step)
    return state


def opening_steps(opening: Sequence[str]) -> Sequence[str]:
    """The steps of an opening; none where it is a state, to which no steps are known."""
    return () if opening and opening[0].startswith("{") else opening


class Book(Protocol):
    """Openings by the number of their cycle."""

    def opening(self, cycle: int) -> tuple[str, ...]:
        """The opening of a cycle, 0 and up: always the same for the same number."""
        ...


class _Start:
    """Every game begins at the start."""

    def opening(self, cycle: int) -> tuple[str, ...]:
        return ()


class _Listed:
    """The openings of a file in an order of their own, from the first again after the last."""

    def __init__(self, given: Sequence[str], seed: int) -> None:
        order = sorted(range(len(given)), key=lambda index: (seed_for(seed, STREAM, index), index))
        self._openings = [_parts(given[index]) for index in order]

    def opening(self, cycle: int) -> tuple[str, ...]:
        return self._openings[cycle % len(self._openings)]


class _Drawn:
    """Random steps from the start to states that are no ends of games, all of them different while there are more.

    What has been drawn is remembered by the number of the draw, not by its text: a tournament can have a million.
    """

    def __init__(self, game: Game, plies: int, seed: int) -> None:
        self._game = game
        self._plies = plies
        self._seed = seed
        self._draws = array("Q")
        self._next_draw = 0
        self._seen: set[int] = set()
        self._exhausted = False
        self._last: tuple[int, tuple[str, ...]] = (-1, ())

    def opening(self, cycle: int) -> tuple[str, ...]:
        while cycle >= len(self._draws) and not self._exhausted:
            self._find_another()
        if not self._draws:
            raise TournamentError(
                f"no opening of {self._plies} random plies was found that leaves a game of {self._game.spec} "
                f"unfinished ({DRAWS_ALLOWED:,} were tried); valid: fewer plies"
            )
        number = self._draws[cycle % len(self._draws)]
        if number != self._last[0]:  # all games of a cycle ask for the same
            self._last = number, self._draw(number)[0]
        return self._last[1]

    def _find_another(self) -> None:
        for number in range(self._next_draw, self._next_draw + DRAWS_ALLOWED):
            _, state = self._draw(number)
            if state is None:
                continue
            # Two states of one hash are taken for equal: a good opening is then passed over once in 10**13 draws.
            key = hash(state)
            if key not in self._seen:
                self._seen.add(key)
                self._draws.append(number)
                self._next_draw = number + 1
                return
        self._exhausted = True

    def _draw(self, number: int) -> tuple[tuple[str, ...], State | None]:
        """The steps of a draw and where they lead; None where the game ends too early."""
        state = self._game.new_initial_state()
        root = seed_for(self._seed, STREAM, number)
        steps = []
        for ply in range(self._plies):
            acting = state.acting_players()
            joint: list[Action] = [NOOP] * self._game.num_players
            for player in acting:
                joint[player] = state.sample_action(player, seed_for(root, ply, player))
            steps.append(step_text(state, acting, joint))
            state.apply_actions(joint)
            if state.is_terminal():
                return (), None
        return tuple(steps), state


def make_book(game: Game, openings: Openings, seed: int) -> Book:
    """The openings of a tournament of this seed."""
    if openings.given:
        return _Listed(openings.given, seed)
    return _Drawn(game, openings.plies, seed) if openings.plies else _Start()


def read_openings(path: str, game: Game) -> Openings:
    """Openings of a file, one a line.

    A line is one of:

    - steps from the start of the game, separated by spaces: `mark(2,2) mark(1,1)`;
    - a position in the notation of `state.to_text()`: `x../.o./..x_o`;
    - JSON: a state as `to_dict` has it, a list of steps, or a text of steps.

    Blank lines are passed over, and so is what follows a `#` at the beginning of a line or after a space; JSON lines
    have no comments.

    Raises:
        TournamentError: the file cannot be read, has no openings, or a line is none; it names the line.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    except (OSError, ValueError) as error:
        raise TournamentError(f"cannot read openings from {path!r}: {error}") from None
    given = []
    for number, line in enumerate(lines, 1):
        try:
            found = _read_line(line.strip(), game)
        except (ValueError, RecursionError, PlayoutError) as error:
            raise TournamentError(f"{path}, line {number}: {error}") from None
        if found is not None:
            given.append(found)
    if not given:
        raise TournamentError(f"{path!r} has no openings; valid: steps, a position or JSON in each line")
    return Openings(given=tuple(given))


def _read_line(line: str, game: Game) -> str | None:
    """The opening of a line as `Openings` holds it; None for a line without one."""
    if line.startswith(("{", "[", '"')):
        plain = json.loads(line)
    else:
        plain = line if line.startswith("#") else _COMMENT.split(line, maxsplit=1)[0]
        if not plain or plain.startswith("#"):
            return None
    found: dict[str, Any] | list[str]
    if isinstance(plain, str):
        found = _read_text(plain, game)
    elif isinstance(plain, dict) or (isinstance(plain, list) and all(isinstance(step, str) for step in plain)):
        found = plain
    else:
        raise TournamentError("an opening is an object (a state), a list of steps, or a text of steps")
    state = game.state_from_dict(found) if isinstance(found, dict) else start_state(game, found)
    if state.is_terminal():
        raise TournamentError("the game is over there")
    return " ".join(found) if isinstance(found, list) else json.dumps(state.to_dict(), separators=(",", ":"))


def _read_text(text: str, game: Game) -> dict[str, Any] | list[str]:
    """The steps that a text lists, or the state of a position."""
    words = text.split()
    if len(words) != 1:
        return words
    try:
        start_state(game, words)
        return words
    except PlayoutError as error:
        no_step = error
    try:
        state: dict[str, Any] = game.state_from_text(words[0]).to_dict()
        return state
    except PlayoutError as no_position:
        if "(" in words[0]:
            raise no_step from None
        raise TournamentError(
            f"an opening is an object (a state), a position or steps; {words[0]!r} is no step of the first position, "
            f"and as a position: {no_position}"
        ) from None


def _parts(text: str) -> tuple[str, ...]:
    return (text,) if text.startswith("{") else tuple(text.split())
