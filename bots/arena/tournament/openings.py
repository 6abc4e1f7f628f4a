"""Openings of games: random plies, or openings from a file, drawn without replacement."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from cext.arguments import shown, whole_number_in
from mcts import CHANCE, Game, PlayoutError, State
from mcts.seeds import seed_for

from ...errors import TournamentError
from ...steps import apply_step, step_text
from ...system.checked_json import read_file

STREAM = 2**40
"""Seed path of openings, larger than every game number."""
DRAWS_ALLOWED = 1000
"""Number of consecutive random openings without a new position after which the search for more ends."""
MOST_PLIES = 10_000
MOST_BYTES = 1 << 26
"""Size of the largest file of openings that is read."""
_COMMENT = re.compile(r"\s+#")


@dataclass(frozen=True)
class Openings:
    """Positions in which games begin; by default, the initial state of the game.

    Args:
        plies: number of random plies from the initial state, 0 to 10,000.
        given: openings in turn, each a state as JSON of its `to_dict`, or plies from the initial state separated by
            spaces.

    Raises:
        TournamentError: `plies` is out of range, or both are given.
    """

    plies: int = 0
    given: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "plies", whole_number_in("openings of random plies", self.plies, 0, MOST_PLIES, TournamentError)
        )
        if self.plies and self.given:
            raise TournamentError("openings are random plies or from a file, not both")


def start_state(game: Game, opening: Sequence[str]) -> State:
    """Return the state after an opening.

    Args:
        game: the game to be played.
        opening: plies from the initial state; or one item, a state as JSON of its `to_dict`.
    """
    if opening and not opening_steps(opening):
        return game.state_from_dict(json.loads(opening[0]))
    state = game.new_initial_state()
    for step in opening:
        apply_step(state, step)
    return state


def opening_steps(opening: Sequence[str]) -> Sequence[str]:
    """Return the plies of an opening; none for an opening that is a state."""
    return () if opening and opening[0].startswith("{") else opening


class _ListedOpenings:
    """Openings of a file in random order, repeated after the last one."""

    def __init__(self, given: Sequence[str], seed: int) -> None:
        order = sorted(range(len(given)), key=lambda index: (seed_for(seed, STREAM, index), index))
        self._openings = [_parts(given[index]) for index in order]

    def opening(self, cycle: int) -> tuple[str, ...]:
        """Return the opening of a cycle, 0 and up. Equal arguments give equal openings."""
        return self._openings[cycle % len(self._openings)]


class _RandomOpenings:
    """Random plies that do not end the game. The states are all different until no new one is found.

    Openings are stored by the number of their draw instead of their text, since a tournament can have a million.
    """

    def __init__(self, game: Game, plies: int, seed: int) -> None:
        self._game = game
        self._plies = plies
        self._seed = seed
        self._draws = array("Q")
        self._next_draw = 0
        self._seen: set[Hashable] = set()
        self._exhausted = False
        self._last: tuple[int, tuple[str, ...]] = (-1, ())

    def opening(self, cycle: int) -> tuple[str, ...]:
        """As in `_ListedOpenings`."""
        while cycle >= len(self._draws) and not self._exhausted:
            self._find_another()
        if not self._draws:
            raise TournamentError(
                f"no opening of {self._plies} random plies was found that leaves a game of {self._game.spec} "
                f"unfinished ({DRAWS_ALLOWED:,} were tried); valid: fewer plies"
            )
        number = self._draws[cycle % len(self._draws)]
        if number != self._last[0]:  # all games of a cycle have the same opening
            self._last = number, self._draw(number)[0]
        return self._last[1]

    def _find_another(self) -> None:
        for number in range(self._next_draw, self._next_draw + DRAWS_ALLOWED):
            _, state = self._draw(number)
            if state is None:
                continue
            key = state.key()
            if key not in self._seen:
                self._seen.add(key)
                self._draws.append(number)
                self._next_draw = number + 1
                return
        self._exhausted = True

    def _draw(self, number: int) -> tuple[tuple[str, ...], State | None]:
        """Return the plies of a draw and their final state; None as state if the game ends early."""
        state = self._game.new_initial_state()
        root = seed_for(self._seed, STREAM, number)
        steps = []
        for ply in range(self._plies):
            acting = state.acting_players()
            joint = state.joint_action(
                {CHANCE: state.sample_outcome(seed_for(root, ply))}
                if state.is_chance()
                else {player: state.sample_action(player, seed_for(root, ply, player)) for player in acting}
            )
            steps.append(step_text(state, acting, joint))
            state.apply_actions(joint)
            if state.is_terminal():
                return (), None
        return tuple(steps), state


def make_book(game: Game, openings: Openings, seed: int) -> _ListedOpenings | _RandomOpenings:
    """Return the opening book of a tournament with this seed. Without openings, games begin in the initial state."""
    if openings.plies:
        return _RandomOpenings(game, openings.plies, seed)
    return _ListedOpenings(openings.given or ("",), seed)


def read_openings(path: str, game: Game) -> Openings:
    """Read openings from a file, one per line.

    A line is one of:

    - plies from the initial state, separated by spaces: `mark(2,2) mark(1,1)`;
    - a position in the notation of `state.to_text()`: `x../.o./..x_o`;
    - JSON: a state as returned by `to_dict`, a list of plies, or a string of plies.

    Blank lines are ignored. A `#` at the beginning of a line or after a space begins a comment.

    Raises:
        TournamentError: the file cannot be read, has no openings, or has an invalid line, which the message names.
    """
    content = read_file(path, MOST_BYTES, "a file of openings", TournamentError)
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except ValueError as error:
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
        raise TournamentError(f"{path!r} has no openings; valid: plies, a position or JSON in each line")
    return Openings(given=tuple(given))


def _read_line(line: str, game: Game) -> str | None:
    """Return the opening of a line in the form of `Openings.given`; None for a line without one."""
    if line.startswith(("{", "[", '"')):
        plain, end = json.JSONDecoder().raw_decode(line)
        if more := _COMMENT.split(line[end:], maxsplit=1)[0].strip():
            raise TournamentError(f"{shown(more)} behind the JSON; valid: nothing, or a comment after a space and #")
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
        raise TournamentError("not an opening; valid: an object (a state), a list of plies, or a string of plies")
    state = game.state_from_dict(found) if isinstance(found, dict) else start_state(game, found)
    if state.is_terminal():
        raise TournamentError("the game is over in this position; valid: a position before its end")
    return " ".join(found) if isinstance(found, list) else json.dumps(state.to_dict(), separators=(",", ":"))


def _read_text(text: str, game: Game) -> dict[str, Any] | list[str]:
    """Return the plies of a text, or the state of a position as a dict."""
    words = text.split()
    if len(words) != 1:
        return words
    try:
        start_state(game, words)
        return words
    except PlayoutError as error:
        not_a_ply = error
    try:
        state: dict[str, Any] = game.state_from_text(words[0]).to_dict()
        return state
    except PlayoutError as not_a_position:
        if "(" in words[0]:
            raise not_a_ply from None
        raise TournamentError(
            f"{words[0]!r} is neither a ply from the initial state nor a position: {not_a_position}; "
            "valid: an object (a state), a position or plies"
        ) from None


def _parts(text: str) -> tuple[str, ...]:
    return (text,) if text.startswith("{") else tuple(text.split())
