"""Openings of games: random plies, or openings from a file, drawn without replacement."""

from __future__ import annotations

import json
import os
import re
from array import array
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cext.arguments import shown, whole_number_in
from mcts import CHANCE, Game, PlayoutError, State
from mcts.primitives.failures import failures_named
from mcts.seeds import seed_for

from ...errors import TournamentError
from ...steps import apply_step, step_text
from ...system.checked_json import read_file
from ...system.untrusted import clean_line
from ..formats import FormatError, decoded
from ..formats.opening_lines import READERS, OpeningLine, opening_lines

STREAM = 2**40
"""Seed path of openings, larger than every game number."""
DRAWS_ALLOWED = 1000
"""Number of consecutive random openings without a new position after which the search for more ends."""
MOST_PLIES = 10_000
MOST_BYTES = 1 << 26
"""Size of the largest file of openings that is read."""
RANDOM_ORDER = "random"
ORDERS = (RANDOM_ORDER, "sequential")
"""Orders of the openings of a file."""
_MESSAGE_LENGTH = 300
_COMMENT = re.compile(r"\s+#")


@dataclass(frozen=True)
class Openings:
    """Positions in which games begin; by default, the initial state of the game.

    Args:
        plies: number of random plies from the initial state, 0 to 10,000.
        given: openings in turn, each plies separated by spaces. They lead from the initial state, or from a state that
            stands before them as JSON of its `to_dict`, without spaces.
        order: `random`, by the seed of the tournament, or `sequential`.
        start: number of the first opening in this order, 1 and up.

    Raises:
        TournamentError: a value is out of range, or both random plies and openings are given.
    """

    plies: int = 0
    given: tuple[str, ...] = ()
    order: str = RANDOM_ORDER
    start: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "plies", whole_number_in("openings of random plies", self.plies, 0, MOST_PLIES, TournamentError)
        )
        if self.plies and self.given:
            raise TournamentError("openings are random plies or from a file, not both")
        if self.order not in ORDERS:
            raise TournamentError(f"the order of openings is {shown(self.order)}; valid: {', '.join(ORDERS)}")
        start = whole_number_in("first opening", self.start, 1, max(1, len(self.given)), TournamentError)
        object.__setattr__(self, "start", start)

    def to_dict(self) -> dict[str, Any]:
        """Return the openings as data for JSON. Order and start are left out where they have their default."""
        used = {name: value for name, value in (("order", self.order), ("start", self.start))
                if value != getattr(Openings, name)}  # fmt: skip
        return {"plies": self.plies, "given": list(self.given), **used}


def start_state(game: Game, opening: Sequence[str]) -> State:
    """Return the state after an opening.

    Args:
        game: the game to be played.
        opening: plies from the initial state, or from a state before them as JSON of its `to_dict`.
    """
    position = opening_position(opening)
    state = game.state_from_dict(json.loads(*position)) if position else game.new_initial_state()
    for step in opening_steps(opening):
        apply_step(state, step)
    return state


def opening_position(opening: Sequence[str]) -> Sequence[str]:
    """Return the state in which an opening begins, as JSON; nothing for the initial state."""
    return opening[:1] if opening and opening[0].startswith("{") else ()


def opening_steps(opening: Sequence[str]) -> Sequence[str]:
    """Return the plies of an opening, which lead from its position."""
    return opening[len(opening_position(opening)) :]


class _ListedOpenings:
    """Openings of a file in their order, repeated after the last one."""

    def __init__(self, openings: Openings, seed: int) -> None:
        self._given = openings.given or ("",)
        self._order = list(range(len(self._given)))
        self._start = openings.start - 1
        if openings.order == RANDOM_ORDER:
            self._order.sort(key=lambda index: (seed_for(seed, STREAM, index), index))

    def opening(self, cycle: int) -> tuple[str, ...]:
        """Return the opening of a cycle, 0 and up. Equal arguments give equal openings."""
        return _parts(self._given[self._order[(self._start + cycle) % len(self._order)]])


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
    return _ListedOpenings(openings, seed)


def read_openings(path: str, game: Game, most_plies: int | None = None) -> Openings:
    """Read openings from a file: positions in EPD, games in PGN or SGF, or one opening per line.

    The end of the file's name tells the format. A line of another file is one of:

    - plies from the initial state, separated by spaces: `mark(2,2) mark(1,1)`;
    - a position in the notation of `state.to_text()`: `x../.o./..x_o`;
    - JSON: a state as returned by `to_dict`, a list of plies, or a string of plies.

    Blank lines are ignored. A `#` at the beginning of a line or after a space begins a comment.

    Raises:
        TournamentError: the file cannot be read, has no openings, or has an invalid line, which the message names.
    """
    content = read_file(path, MOST_BYTES, "a file of openings", TournamentError)
    kind = os.path.splitext(path)[1].lower()
    try:
        given = tuple(_given_in(content, kind, game, most_plies))
    except FormatError as error:
        raise TournamentError(f"{path}, {clean_line(error, _MESSAGE_LENGTH)}") from None
    except ValueError as error:
        raise TournamentError(f"cannot read openings from {path!r}: {error}") from None
    if not given:
        what = f"games of {READERS[kind][0]}" if kind in READERS else "plies, a position or JSON in each line"
        raise TournamentError(f"{path!r} has no openings; valid: {what}")
    return Openings(given=given)


def _given_in(content: bytes, kind: str, game: Game, most_plies: int | None) -> Iterator[str]:
    """Yield the openings of a file, in the form of `Openings.given`."""
    if kind in READERS:
        name = READERS[kind][0]
        if game.name != name:
            raise FormatError(f"which is a file of {name}, is given for {game.spec}; valid: a text with plies")
        yield from opening_lines(kind, decoded(content), game, most_plies)
        return
    for number, line in enumerate(content.decode("utf-8-sig").split("\n"), 1):
        with failures_named(f"line {number}", FormatError, ValueError, RecursionError, PlayoutError):
            found = _read_line(line.strip(), game, number, most_plies)
        if found is not None:
            yield found


def _read_line(line: str, game: Game, number: int, most_plies: int | None) -> str | None:
    """Return the opening of a line; None for a line without one."""
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
    opening = OpeningLine(game, number, most_plies)
    if isinstance(found, dict):
        opening.begin(game.state_from_dict(found))
    for step in found if isinstance(found, list) else ():
        opening.play(step)
    return opening.text()


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
    if not text.startswith("{"):
        return tuple(text.split())
    _, end = json.JSONDecoder().raw_decode(text)
    return text[:end], *text[end:].split()
