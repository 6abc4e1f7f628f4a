"""Where games begin: openings of random steps or of a file, drawn without replacement."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from mcts import NOOP, Game, PlayoutError, State, TournamentError

from ...seeds import seed_for
from ...steps import apply_step, step_text
from .schedule import Openings

STREAM = 2**40
"""Path of the seeds of openings: no game has such a number."""
DRAWS_ALLOWED = 1000
"""After so many random openings in a row that brought nothing new, there are taken to be no others."""


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
            joint: list[Any] = [NOOP] * self._game.num_players
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
    """Openings of a file of JSON lines.

    Each line is a state as `to_dict` has it, a list of steps, or a text of steps separated by spaces; blank lines are
    passed over.

    Raises:
        TournamentError: the file cannot be read, has no openings, or a line is none; it names the line.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TournamentError(f"cannot read openings from {path!r}: {error}") from None
    given = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            given.append(_read_line(line, game))
        except (ValueError, RecursionError, PlayoutError) as error:
            raise TournamentError(f"{path}, line {number}: {error}") from None
    if not given:
        raise TournamentError(f"{path!r} has no openings; valid: a line of JSON for each")
    return Openings(given=tuple(given))


def _read_line(line: str, game: Game) -> str:
    plain = json.loads(line)
    if isinstance(plain, dict):
        state = game.state_from_dict(plain)
        found = json.dumps(state.to_dict(), separators=(",", ":"))
    elif isinstance(plain, str) or (isinstance(plain, list) and all(isinstance(step, str) for step in plain)):
        steps = plain.split() if isinstance(plain, str) else plain
        state = start_state(game, steps)
        found = " ".join(steps)
    else:
        raise TournamentError("an opening is an object (a state), a list of steps, or a text of steps")
    if state.is_terminal():
        raise TournamentError("the game is over there")
    return found


def _parts(text: str) -> tuple[str, ...]:
    return (text,) if text.startswith("{") else tuple(text.split())
