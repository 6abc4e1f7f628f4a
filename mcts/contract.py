"""The contract of games, checked over random games of any game: what searches, solvers and the arena rely on.

Each rule is a function that yields what is wrong in a state, in words. `check_game` plays random games and applies all
rules to every state.
"""

from __future__ import annotations

import json
import math
import pickle
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from cext.arguments import require
from cext.game.actions import Action
from cext.game.game import CHANCE, Game, State, View
from cext.game.python_game import PythonGame
from cext.notation import told_by_text

from .errors import UnknownGameError
from .game import playouts
from .gdl.rules import read_rules, unknown_roles
from .gdl.secret_game import sheet_of
from .limits import read_whole
from .primitives.places import with_place
from .random_steps import sample_joint_action
from .registry import load_game

LONGEST_GAME = 10_000
"""Plies after which a random game counts as endless."""
MOST_PLAYERS_ACTIONS = 200
"""Actions of a player in one state that are tried; more are sampled."""
SAMPLED_ACTIONS = 8
MOST_VIEWS = 20_000
"""Views that are kept, to be compared with equal ones of other games."""
MOST_PICTURES = 20
"""Pairs of views whose pictures are compared."""

Rule = Callable[[State, random.Random], Iterator[str]]


@dataclass(frozen=True)
class GameProblem:
    """One rule of the contract that a game breaks."""

    rule: str
    """Name of the rule."""
    message: str
    """Description of the fault, with the values."""
    steps: tuple[tuple[Action, ...], ...]
    """The joint actions from the initial state to the first state in which the rule is broken."""
    times: int
    """Number of states in which it is broken."""


@dataclass(frozen=True)
class GameCheck:
    """The results of a check, and facts of the random games behind it."""

    game: Game = field(repr=False)
    """The game that was checked."""
    problems: tuple[GameProblem, ...]
    """One for each broken rule."""
    games: int
    """Number of random games that ended."""
    plies: tuple[int, float, int]
    """Fewest, mean and most plies of a game."""
    actions: tuple[int, float, int] | None
    """Fewest, mean and most legal actions of a player; None if they cannot be listed."""
    simultaneous: bool
    """True if several players decided in some state."""
    chance: bool
    """True if chance decided in some state."""
    out_of_time: bool = False
    """True if the time was over before all games were played."""

    @property
    def passed(self) -> bool:
        """True if no rule is broken."""
        return not self.problems


def check_game(
    game: Game,
    *,
    games: int = 50,
    seed: int = 0,
    seconds: float = math.inf,
    on_state: Callable[[int], object] = lambda games: None,
) -> GameCheck:
    """Check the contract of a game over random games.

    Args:
        game: any game, such as one of your own.
        games: number of random games, 1 to 1,000,000.
        seed: root of the random numbers; any whole number.
        seconds: time after which no further state is looked at; by default, without a limit.
        on_state: called before every state is looked at, with the number of games that have ended.

    Returns:
        The broken rules, and facts of the games. An exception of the game's own code is a broken rule, too.

    Raises:
        LimitError: `games` is out of range.
        TypeError: `game` is not a Game.

    Example:
        >>> mcts.check_game(mcts.load_game("mnk"), games=5).passed
        True
    """
    require(Game, game, "a game, as mcts.load_game returns it")
    return _Check(game, read_whole("games", games, 1, 1_000_000), seed, seconds, on_state).run()


class _Check:
    def __init__(self, game: Game, games: int, seed: int, seconds: float, on_state: Callable[[int], object]) -> None:
        self.game = game
        self.end = time.monotonic() + seconds
        self.on_state = on_state
        self.out_of_time = False
        self.games = games
        self.rng = random.Random(seed)
        self.found: dict[str, GameProblem] = {}
        self.plies: list[int] = []
        self.actions: list[int] = []
        self.simultaneous = self.chance = False
        self.secrets = _Secrets()

    def run(self) -> GameCheck:
        self._apply("game", _whole_game, self.game, ())
        self._apply("roles", _roles, self.game, ())
        for _ in range(0 if "roles" in self.found else self.games):
            try:
                self._play()
            except Exception as error:
                self._add("play", _words(error), ())
                break
            if "ends" in self.found or self.out_of_time:
                break
        return GameCheck(
            self.game,
            tuple(self.found.values()),
            len(self.plies),
            _spread(self.plies) or (0, 0.0, 0),
            _spread(self.actions),
            self.simultaneous,
            self.chance,
            self.out_of_time,
        )

    def _play(self) -> None:
        state = self.game.new_initial_state()
        again = self.game.new_initial_state()
        steps: tuple[tuple[Action, ...], ...] = ()
        try:
            while not state.is_terminal():
                if len(steps) == LONGEST_GAME:
                    self._add("ends", f"a random game has not ended after {LONGEST_GAME:,} plies", ())
                    return
                if time.monotonic() > self.end:
                    self.out_of_time = True
                    return
                self.on_state(len(self.plies))
                self._check_state(state, again, steps)
                joint = self._joint(state)
                state.apply_actions(joint)
                again.apply_actions(joint)
                steps = (*steps, tuple(joint))
            self._check_state(state, again, steps)
        except Exception as error:
            self._add("play", _words(error), steps)
            return
        self.plies.append(len(steps))
        self._apply("playouts", _playouts, state, steps)

    def _check_state(self, state: State, again: State, steps: tuple[tuple[Action, ...], ...]) -> None:
        self.simultaneous |= len(state.acting_players()) > 1
        self.chance |= state.is_chance()
        if state != again or state.key() != again.key():
            self._add("repeatable", "the same actions lead to two states that differ, or whose hashes differ", steps)
        for name, rule in RULES.items():
            self._apply(name, rule, state, steps)
        if self.game.has_hidden_information:
            self._apply("secrets", self.secrets.told_in, state, steps)

    def _apply(self, name: str, rule: Callable[..., Iterator[str]], thing: Any, steps: Any) -> None:
        try:
            for message in rule(thing, self.rng):
                self._add(name, message, steps)
        except Exception as error:
            self._add(name, _words(error), steps)

    def _add(self, rule: str, message: str, steps: tuple[tuple[Action, ...], ...]) -> None:
        known = self.found.get(rule)
        if known is None:
            self.found[rule] = GameProblem(rule, message, steps, 1)
        else:
            self.found[rule] = GameProblem(rule, known.message, known.steps, known.times + 1)

    def _joint(self, state: State) -> list[Action]:
        """Return a random joint action; where chance decides, the outcome is its last entry."""
        if self.game.is_enumerable:
            self.actions.extend(len(state.legal_actions(player)) for player in state.acting_players())
        return sample_joint_action(state, self.rng.getrandbits(64))


class _Secrets:
    """Pairs of states that a player cannot tell apart: nothing that it is given may differ.

    A state is paired with one that is sampled from the view, and with the first one of other games with this view.
    """

    def __init__(self) -> None:
        self._first: dict[View, tuple[State, View]] = {}
        self._pictures = 0

    def told_in(self, state: State, rng: random.Random) -> Iterator[str]:
        """Yield what tells a state from others that look the same to a player."""
        seed = rng.getrandbits(64)
        for player in range(state.game.num_players):
            view = state.view(player)
            possible = view.resample(seed)
            pairs = [(possible, possible.view(player))]
            if view in self._first:
                pairs.append(self._first[view])
            elif len(self._first) < MOST_VIEWS:
                self._first[view] = state.clone(), view
            if state.game.info.public_actions and player not in state.acting_players():
                yield from self._same_after_two_actions(state, player, rng)
            for other, other_view in pairs:
                if other_view == view:
                    yield from self._differences(state, view, other, other_view, seed)

    def _same_after_two_actions(self, state: State, player: int, rng: random.Random) -> Iterator[str]:
        """Yield two actions of one player after which another sees the same, although all are told the actions."""
        if len(state.acting_players()) != 1:
            return
        (decider,) = state.acting_players()
        found: dict[View, str] = {}
        for action in _some_actions(state, decider, rng)[:SAMPLED_ACTIONS]:
            after, text = state.clone(), state.action_to_string(decider, action)
            after.apply_action(action)
            before = found.setdefault(after.view(player), text)
            if before != text:
                name = state.game.players[player]
                yield f"public_actions is true, but the view of {name} is the same after {before} and {text}"

    def _differences(self, state: State, view: View, other: State, other_view: View, seed: int) -> Iterator[str]:
        game, player = state.game, view.player
        told: dict[str, Callable[[State, View], object]] = {
            "str": lambda _, seen: str(seen),
            "to_dict": lambda _, seen: seen.to_dict(),
            "to_text": lambda _, seen: seen.to_text(),
            "resample with one seed": lambda _, seen: seen.resample(seed),
        }
        if player in state.acting_players() and game.is_enumerable:
            told["legal_actions"] = lambda whole, _: list(whole.legal_actions(player))
            told["legal_actions of the view"] = lambda _, seen: list(seen.legal_actions())
            told["the texts of actions"] = lambda _, seen: [*map(seen.action_to_string, seen.legal_actions())]
        if game.encoding_size:
            told["encode"] = lambda _, seen: seen.encode().tolist()
        if self._pictures < MOST_PICTURES:
            self._pictures += 1
            told["to_svg"] = lambda _, seen: seen.to_svg()
        for name, tell in told.items():
            one, two = tell(state, view), tell(other, other_view)
            if one != two:
                yield (
                    f"{game.players[player]} cannot tell two states apart, but {name} can: "
                    f"{one!s:.200} and {two!s:.200}"
                )


def _spread(numbers: Sequence[int]) -> tuple[int, float, int] | None:
    return (min(numbers), sum(numbers) / len(numbers), max(numbers)) if numbers else None


def _words(error: Exception) -> str:
    return with_place(f"{type(error).__name__}: {error}", error)


def _some_actions(state: State, player: int, rng: random.Random) -> Sequence[Action]:
    """Return actions of a player: all if they are few, else a sample."""
    if not state.game.is_enumerable:
        return list({state.sample_action(player, rng.getrandbits(64)): None for _ in range(SAMPLED_ACTIONS)})
    legal = list(state.legal_actions(player))
    return legal if len(legal) <= MOST_PLAYERS_ACTIONS else rng.sample(legal, MOST_PLAYERS_ACTIONS)


def _whole_game(game: Game, rng: random.Random) -> Iterator[str]:
    """The game itself: its spec, its players, its range of returns."""
    with suppress(UnknownGameError):  # the game was made by its class
        if load_game(game.spec) != game:
            yield f"load_game({game.spec!r}) is another game"
    if len(set(game.players)) != game.num_players:
        yield f"the names of the players are not different: {', '.join(game.players)}"
    if not game.min_utility < game.max_utility:
        yield f"min_utility {game.min_utility:g} is not below max_utility {game.max_utility:g}"
    if isinstance(game, PythonGame):
        first = game.initial_state()
        try:
            hash(first)
        except TypeError as error:
            kind = type(first).__name__
            yield f"initial_state returned a {kind}: {error}; valid: an object that is never changed, such as a tuple"


def _roles(game: Game, rng: random.Random) -> Iterator[str]:
    """A rulesheet has rules for its roles only: nobody else makes moves."""
    sheet = sheet_of(game)
    if sheet is not None:
        yield from unknown_roles(read_rules(sheet.text))


def _returns(state: State, rng: random.Random) -> Iterator[str]:
    """Returns are in their range, and have the stated sum."""
    if not state.is_terminal():
        return
    game, returns = state.game, state.returns()
    if len(returns) != game.num_players:
        yield f"{len(returns)} returns for {game.num_players} players: {returns}"
        return
    for player, value in zip(game.players, returns, strict=True):
        if not (math.isfinite(value) and game.min_utility <= value <= game.max_utility):
            yield f"{player} returns {value:g}; min_utility and max_utility say {game.min_utility:g} to " + (
                f"{game.max_utility:g}"
            )
    if game.utility_sum is not None and abs(sum(returns) - game.utility_sum) > 1e-9:
        yield f"the returns {returns} sum to {sum(returns):g}; utility_sum says {game.utility_sum:g}"


def _legal_actions(state: State, rng: random.Random) -> Iterator[str]:
    """Legal actions are different numbers in ascending order, `is_legal` agrees, and samples are among them."""
    game = state.game
    for player in state.acting_players():
        if game.is_enumerable:
            legal = list(state.legal_actions(player))
            if not legal:
                yield f"{game.players[player]} decides and has no legal action"
            elif legal != sorted(set(legal)) or not 0 <= legal[0] <= legal[-1] < game.num_actions:
                yield f"the legal actions of {game.players[player]} are {legal}; valid: ascending, 0 to " + (
                    f"{game.num_actions - 1}"
                )
            judged = [action for action in range(game.num_actions) if state.is_legal(player, action)]
            if game.num_actions <= MOST_PLAYERS_ACTIONS and judged != legal:
                yield f"is_legal accepts {judged}, legal_actions lists {legal}"
        seed = rng.getrandbits(64)
        action = state.sample_action(player, seed)
        if not state.is_legal(player, action) or action != state.sample_action(player, seed):
            yield f"sample_action returns {action!r}, which is not legal or differs for the same seed"


def _unchanged(state: State, rng: random.Random) -> Iterator[str]:
    """An action changes a copy alone; questions change nothing."""
    before, key = state.clone(), state.key()
    text = json.dumps(state.to_dict(), sort_keys=True)
    for player in state.acting_players():
        for action in _some_actions(state, player, rng)[:SAMPLED_ACTIONS]:
            joint = [
                action if other == player else state.sample_action(other, rng.getrandbits(64))
                for other in range(state.game.num_players)
            ]
            state.clone().apply_actions(joint)
            if state != before or state.key() != key or json.dumps(state.to_dict(), sort_keys=True) != text:
                yield f"{state.action_to_string(player, action)} in a copy has changed the state itself"
                return
    str(state)
    if state != before or state.key() != key:
        yield "drawing the state has changed it"


def _texts(state: State, rng: random.Random) -> Iterator[str]:
    """The texts of actions are different, and lead back to the actions."""
    for player in state.acting_players():
        actions = _some_actions(state, player, rng)
        texts: dict[str, Action] = {}
        for action in actions:
            text = state.action_to_string(player, action)
            if text in texts:
                yield f"the actions {texts[text]!r} and {action!r} have the same text {text!r}"
            texts[text] = action
            if state.string_to_action(player, text) != action:
                yield f"{text!r} is the text of {action!r}, and is read as {state.string_to_action(player, text)!r}"


def _dicts(state: State, rng: random.Random) -> Iterator[str]:
    """A state leads back to itself through its dict, its text and a pickle."""
    if pickle.loads(pickle.dumps(state)) != state:
        yield "a pickle of the state is another state"
    game = state.game
    if isinstance(game, PythonGame) and type(game).from_dict is PythonGame.from_dict:
        return  # the game leaves it out, as it may
    given = json.loads(json.dumps(state.to_dict()))
    if game.state_from_dict(given) != state:
        yield f"state_from_dict(to_dict()) is another state: {given}"
    read = game.state_from_text(state.to_text())
    if read != state and told_by_text(read) != told_by_text(state):
        yield f"state_from_text(to_text()) is another state: {state.to_text()}"


def _views(state: State, rng: random.Random) -> Iterator[str]:
    """A state that is sampled from a view looks the same to its player."""
    for player in range(state.game.num_players):
        view = state.view(player)
        possible = view.resample(rng.getrandbits(64))
        name = state.game.players[player]
        if possible.view(player) != view or hash(possible.view(player)) != hash(view):
            yield f"a state sampled from the view of {name} looks different to {name}"
        if possible.acting_players() != state.acting_players():
            yield f"in a state sampled from the view of {name}, other players decide"
        if not state.game.has_hidden_information and possible != state:
            yield f"nothing is hidden, but a state sampled from the view of {name} is another one"


def _chance(state: State, rng: random.Random) -> Iterator[str]:
    """Outcomes of chance are different numbers in range, and their probabilities sum to 1."""
    if not state.is_chance():
        return
    outcomes = state.chance_outcomes()
    numbers = [outcome for outcome, _ in outcomes]
    if numbers != sorted(set(numbers)) or not all(0 <= number < state.game.num_outcomes for number in numbers):
        yield f"the outcomes are {numbers}; valid: different numbers from 0 to {state.game.num_outcomes - 1}"
    if abs(math.fsum(probability for _, probability in outcomes) - 1.0) > 1e-9:
        yield f"the probabilities of the outcomes do not sum to 1: {outcomes}"
    texts = [state.action_to_string(CHANCE, number) for number in numbers]
    if len(set(texts)) < len(texts):
        yield f"two outcomes have the same text: {texts}"


def _symmetries(state: State, rng: random.Random) -> Iterator[str]:
    """A symmetry maps states, actions and play onto each other."""
    game = state.game
    if game.num_symmetries < 2:
        return
    symmetry = rng.randrange(1, game.num_symmetries)
    image = state.transform(symmetry)
    if image.acting_players() != state.acting_players():
        yield f"symmetry {symmetry} changes who decides"
        return
    if state.is_terminal():
        if image.returns() != state.returns():
            yield f"symmetry {symmetry} changes the returns from {state.returns()} to {image.returns()}"
        return
    if state.canonical()[0] != image.canonical()[0]:
        yield f"the canonical state changes by symmetry {symmetry}"
    for player in state.acting_players():
        for action in _some_actions(state, player, rng)[:SAMPLED_ACTIONS]:
            mapped = game.transform_action(symmetry, player, action)
            if not image.is_legal(player, mapped):
                yield f"symmetry {symmetry} maps the legal action {state.action_to_string(player, action)} to one " + (
                    "that is not legal"
                )


def _playouts(end: State, rng: random.Random) -> Iterator[str]:
    """Random playouts in the compiled core, run once a game has ended, return values in the range of the game."""
    game = end.game
    for value in playouts(game.new_initial_state(), 2, seed=rng.getrandbits(64)):
        if not game.min_utility <= value <= game.max_utility:
            yield f"a playout returns {value:g}; valid: {game.min_utility:g} to {game.max_utility:g}"


RULES: dict[str, Rule] = {
    "returns": _returns,
    "legal actions": _legal_actions,
    "unchanged": _unchanged,
    "texts of actions": _texts,
    "round trips": _dicts,
    "views": _views,
    "chance": _chance,
    "symmetries": _symmetries,
}
"""Name -> rule, for those that are checked in every state. Others are `game`, `roles`, `play`, `ends`,
`repeatable`, `secrets` and `playouts`."""
