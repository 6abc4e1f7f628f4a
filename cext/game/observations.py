"""Games in Python that hide something: what each player has seen of a game, and states that look the same to a player.

A player sees its own actions, what `observation` returns, and who decides. It never forgets, because the whole sequence
is kept.
"""

from __future__ import annotations

import random
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple, Protocol

from ..arguments import shown
from ..errors import StateError
from .game import CHANCE

MOST_STEPS = 50_000
"""Steps of the game that a search for a state takes at most."""
REJECTION_STEPS = 1_000
"""Steps after which the sampler looks one step ahead."""
_SAMPLES = 16
"""States of which one is drawn by its weight, if the sampler looks ahead."""
_MOST_OPTIONS = 2_000
"""Joint actions or outcomes that are tried in one step, at most."""
NOTHING = -1
"""No action of a player, as in a joint action."""


class Rules(Protocol):
    """The methods of `PythonGame` that this module calls."""

    name: Any
    players: Any

    @property
    def num_players(self) -> int: ...
    @property
    def num_actions(self) -> int: ...
    @property
    def num_outcomes(self) -> int: ...
    def initial_state(self) -> Any: ...
    def next_state(self, state: Any, joint: tuple[int, ...]) -> Any: ...
    def chance_outcomes(self, state: Any) -> Mapping[int, int]: ...
    def to_dict(self, state: Any) -> dict[str, Any]: ...
    def from_dict(self, given: dict[str, Any]) -> Any: ...
    def draw(self, state: Any) -> str: ...
    def _acting_mask(self, state: Any) -> int: ...
    def _ascending_actions(self, state: Any, player: int) -> list[int]: ...

    @property
    def observation(self) -> Any: ...
    @property
    def resample(self) -> Any: ...


class Sight(NamedTuple):
    """The observation of a player after a step of the game.

    Attributes:
        action: its own action in the step; NOTHING if it did not decide.
        observation: what `observation` returns.
        acting: mask of the players who decide now; CHANCE where chance does.
    """

    action: int
    observation: Any
    acting: int


Sights = tuple[Sight, ...]


class Whole(NamedTuple):
    """A complete state.

    Attributes:
        state: the state of the game's own code.
        seen: what each player has seen so far. A step that changes nothing for a player and is not its own is left out.
    """

    state: Any
    seen: tuple[Sights, ...]

    @property
    def acting(self) -> int:
        """Mask of the players who decide."""
        return self.seen[0][-1].acting


Played = tuple[Whole, list[tuple[int, ...]]]
"""A state, and the joint actions and outcomes that led to it."""


class Seen(NamedTuple):
    """The contents of a view.

    Attributes:
        player: who sees it.
        sights: what the player has seen so far.
        legal: the legal actions of the player if it decides.
    """

    player: int
    sights: Sights
    legal: tuple[int, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seen) and self[:2] == other[:2]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:2])

    @property
    def state(self) -> None:
        """A view has no state."""
        return None

    @property
    def acting(self) -> int:
        """Mask of the players who decide."""
        return self.sights[-1].acting


def first(game: Rules) -> Whole:
    """Return the initial state."""
    return _whole(game, game.initial_state(), None, ())


def following(game: Rules, whole: Whole, joint: tuple[int, ...]) -> Whole:
    """Return the state after a joint action or an outcome of chance."""
    if not isinstance(whole, Whole):
        raise StateError(f"a view of {game.name} cannot be played on; valid: a state, such as View.resample returns")
    return _whole(game, game.next_state(whole.state, joint), whole.seen, joint)


def seen_by(game: Rules, whole: Whole, player: int) -> Seen:
    """Return what a player may see of a state."""
    if isinstance(whole, Seen):
        return whole
    sights = whole.seen[player]
    decides = whole.acting != CHANCE and whole.acting >> player & 1
    return Seen(player, sights, tuple(game._ascending_actions(whole.state, player)) if decides else ())


def known_state(game: Rules, whole: Whole) -> Any:
    """Return the state of the game's own code. Raises StateError for a view."""
    if not isinstance(whole, Whole):
        raise StateError(f"a view of {game.name} does not show the whole state; View.resample returns a possible one")
    return whole.state


def known_actions(game: Rules, whole: Whole | Seen, player: int) -> list[int]:
    """Return the legal actions of a player. Raises StateError for another player of a view."""
    if not isinstance(whole, Seen):
        return game._ascending_actions(whole.state, player)
    if player != whole.player or not whole.legal:
        raise StateError(f"a view of {game.name} shows the actions of the viewing player alone, when it decides")
    return list(whole.legal)


def sights_of(whole: Whole | Seen, player: int) -> Sights:
    """Return what a player has seen so far."""
    return whole.sights if isinstance(whole, Seen) else whole.seen[player]


def draw(game: Rules, whole: Whole | Seen) -> str:
    """Return the drawing of a state, or the last observation of a view."""
    return str(whole.sights[-1].observation) if isinstance(whole, Seen) else game.draw(whole.state)


def to_dict(game: Rules, whole: Whole | Seen) -> dict[str, Any]:
    """Return a state or a view as plain data: its part of the game's own code, and what each player has seen."""
    if isinstance(whole, Seen):
        return {"seen": _listed(whole.sights)}
    return {**game.to_dict(whole.state), "seen": [_listed(sights) for sights in whole.seen]}


def from_dict(game: Rules, given: dict[str, Any]) -> Whole:
    """Return the state that `to_dict` described. Raises StateError."""
    own = {key: value for key, value in given.items() if key != "seen"}
    seen = given.get("seen")
    if not isinstance(seen, list) or len(seen) != game.num_players:
        raise StateError(f"seen is {shown(seen)}; valid: what each of {game.num_players} players has seen")
    whole = Whole(game.from_dict(own), tuple(_sights(game, player, each) for player, each in enumerate(seen)))
    mask = game._acting_mask(whole.state)
    for player, name in enumerate(game.players):
        found, right = whole.seen[player][-1], Sight(NOTHING, game.observation(whole.state, player), mask)
        if found[1:] != right[1:]:
            raise StateError(
                f"{name} sees {shown(found.observation)} and the mask {found.acting}; valid in this state: "
                f"{shown(right.observation)} and {mask}"
            )
    return whole


def view_from_dict(game: Rules, player: int, given: dict[str, Any]) -> Whole:
    """Return a state whose view `to_dict` described. Raises StateError."""
    if set(given) != {"seen"}:
        raise StateError(f"a view has the keys {', '.join(map(shown, given))}; valid: seen")
    return resampled(game, Seen(player, _sights(game, player, given["seen"]), ()), 0)[0]


def resampled(game: Rules, seen: Seen, seed: int) -> Played:
    """Return a random state that looks the same to the player of a view, and the joint actions that lead to it.

    A game may have its own way, `resample`; what it returns is checked. Else the other players act at random. The games
    that lead to such a state are drawn by rejection. If that needs more than 1,000 steps of the game, the sampler draws
    among the actions and outcomes after which the player sees what it has seen, and chooses one of 16 such games by its
    weight (sequential importance sampling).

    Args:
        game: of the view.
        seen: the view.
        seed: of the random choices.

    Raises:
        StateError: no state was found in about 50,000 steps of the game, or the game's own way leads to another view.
    """
    if not isinstance(seen, Seen):
        return seen, []
    draw = random.Random(seed)
    if game.resample is not None:
        return _replayed(game, seen, game.resample(seen.player, seen.sights, draw))
    steps = _Steps(game, seen)
    while steps.taken < REJECTION_STEPS:
        found = steps.played(draw)
        if found is not None:
            return found
    weighted: list[tuple[Played, float]] = []
    while len(weighted) < _SAMPLES and steps.taken < MOST_STEPS:
        weighted += steps.led(draw)
    if not weighted:
        raise StateError(
            f"no state of {game.name} that looks like {shown(repr(seen.sights[-1].observation))} to "
            f"{game.players[seen.player]} was found in {MOST_STEPS:,} steps of random games; "
            "valid: games whose observations can be reached by random play"
        )
    return draw.choices([found for found, _ in weighted], [weight for _, weight in weighted])[0]


def _replayed(game: Rules, seen: Seen, joints: Iterable[Sequence[int]]) -> Played:
    """Return the state after joint actions. Raises StateError if one is illegal, or the player sees something else."""
    whole, taken = first(game), list(map(tuple, joints))
    for joint in taken:
        if not _is_legal(game, whole, joint):
            raise StateError(f"resample of {game.name} has the joint action {shown(joint)}, which is illegal there")
        whole = following(game, whole, joint)
    if whole.seen[seen.player] != seen.sights:
        raise StateError(
            f"resample of {game.name} leads to {shown(repr(whole.seen[seen.player][-1]))} for "
            f"{game.players[seen.player]}; valid: what it has seen, {shown(repr(seen.sights[-1]))}"
        )
    return whole, taken


def _is_legal(game: Rules, whole: Whole, joint: tuple[int, ...]) -> bool:
    if whole.acting == CHANCE:
        *others, outcome = joint or (NOTHING,)
        return others == [NOTHING] * game.num_players and outcome in game.chance_outcomes(whole.state)
    return len(joint) == game.num_players and all(
        action in game._ascending_actions(whole.state, player) if whole.acting >> player & 1 else action == NOTHING
        for player, action in enumerate(joint)
    )


class _Steps:
    """Random games from the start in which a player sees what it has seen.

    Args:
        game: the game.
        seen: what the player has seen.

    Attributes:
        taken: steps so far.
    """

    def __init__(self, game: Rules, seen: Seen) -> None:
        self.taken = 0
        self._game, self._player, self._sights = game, seen.player, seen.sights

    def played(self, draw: random.Random) -> Played | None:
        """Return the end of a random game, or None if the player has seen something else."""
        whole, before = first(self._game), self.taken
        joints: list[tuple[int, ...]] = []
        while self._goes_on(whole):
            if len(whole.seen[self._player]) == len(self._sights):
                return whole, joints
            joint = self._random_step(whole, draw)
            if joint is None:
                break
            joints.append(joint)
            whole = following(self._game, whole, joint)
            self.taken += 1
        if self.taken == before:
            self.taken += 1  # not even the first state fits
        return None

    def led(self, draw: random.Random) -> Iterator[tuple[Played, float]]:
        """Yield the end of a game that fits and its weight, if no step of the game leads to a dead end."""
        whole, weight = first(self._game), 1.0
        joints: list[tuple[int, ...]] = []
        while self._goes_on(whole):
            if len(whole.seen[self._player]) == len(self._sights):
                yield (whole, joints), weight
                return
            options, weights = [], []
            for joint, share in self._options(whole, draw):
                option = following(self._game, whole, joint)
                self.taken += 1
                if self._fits(option):
                    options.append((option, joint))
                    weights.append(share)
            if not options:
                self.taken += 1
                return
            weight *= sum(weights)
            ((whole, joint),) = draw.choices(options, weights)
            joints.append(joint)
        self.taken += 1

    def _goes_on(self, whole: Whole) -> bool:
        """Return False where the player has seen something else, the game ended too early, or the steps are used up."""
        is_whole = len(whole.seen[self._player]) == len(self._sights)
        return self._fits(whole) and (is_whole or (whole.acting != 0 and self.taken < MOST_STEPS))

    def _fits(self, whole: Whole) -> bool:
        found = whole.seen[self._player]
        return found == self._sights[: len(found)]

    def _actions(self, whole: Whole, player: int) -> list[int]:
        """Return the actions that one who decides may have taken: of the viewer the one that it took, if legal."""
        legal = self._game._ascending_actions(whole.state, player)
        if player != self._player:
            return legal
        action = self._sights[len(whole.seen[player])].action  # it decides, so it has seen the step
        return [action] if action in legal else []

    def _random_step(self, whole: Whole, draw: random.Random) -> tuple[int, ...] | None:
        """Return a random joint action or outcome; None if the viewer cannot have acted as it did."""
        game, mask = self._game, whole.acting
        joint = [NOTHING] * game.num_players
        if mask == CHANCE:
            outcomes = game.chance_outcomes(whole.state)
            (outcome,) = draw.choices(list(outcomes), list(outcomes.values()))
            return (*joint, outcome)
        for player in range(game.num_players):
            if mask >> player & 1:
                actions = self._actions(whole, player)
                if not actions:
                    return None
                joint[player] = actions[0] if player == self._player else draw.choice(actions)
        return tuple(joint)

    def _options(self, whole: Whole, draw: random.Random) -> list[tuple[tuple[int, ...], float]]:
        """Return the joint actions or outcomes that may come next, with their probabilities; some if there are many."""
        game, mask = self._game, whole.acting
        if mask == CHANCE:
            outcomes = game.chance_outcomes(whole.state)
            total, nobody = sum(outcomes.values()), (NOTHING,) * game.num_players
            found = [((*nobody, outcome), weight / total) for outcome, weight in outcomes.items()]
            if len(found) <= _MOST_OPTIONS:
                return found
            scale = len(found) / _MOST_OPTIONS
            return [(joint, scale * share) for joint, share in draw.sample(found, _MOST_OPTIONS)]
        players = range(game.num_players)
        choices = [self._actions(whole, player) if mask >> player & 1 else [NOTHING] for player in players]
        count = prod(map(len, choices))
        if count > _MOST_OPTIONS:
            drawn = {tuple(map(draw.choice, choices)) for _ in range(_MOST_OPTIONS)}
            return [(joint, 1.0 / len(drawn)) for joint in sorted(drawn)]
        return [(joint, 1.0 / count) for joint in product(*choices)]


def _whole(game: Rules, state: Any, seen: tuple[Sights, ...] | None, joint: tuple[int, ...]) -> Whole:
    mask = game._acting_mask(state)
    sights = []
    for player in range(game.num_players):
        before = () if seen is None else seen[player]
        sight = Sight(joint[player] if joint else NOTHING, game.observation(state, player), mask)
        is_news = not before or sight.action != NOTHING or sight[1:] != before[-1][1:]
        sights.append((*before, sight) if is_news else before)
    return Whole(state, tuple(sights))


def _listed(sights: Sights) -> list[list[Any]]:
    return [[sight.action, repr(sight.observation), sight.acting] for sight in sights]


def _sights(game: Rules, player: int, given: Any) -> Sights:
    """Return what a player has seen, as `_listed` wrote it. Raises StateError."""
    try:
        found = tuple(Sight(action, literal_eval(text), acting) for action, text, acting in given)
        hash(found)
        is_right = _listed(found) == [list(sight) for sight in given] and _may_follow(game, player, found)
    except (TypeError, ValueError, SyntaxError, MemoryError, RecursionError):
        is_right = False
    if not is_right:
        raise StateError(
            f"{shown(given)} is not what {game.players[player]} has seen; valid: a list of [action, text of an "
            f"observation, mask of the players who decide], with actions from 0 to {game.num_actions - 1} where the "
            f"player has decided, else {NOTHING}, masks from {CHANCE if game.num_outcomes else 0} to "
            f"{(1 << game.num_players) - 1}, and observations that are numbers, texts, tuples and the like"
        )
    return found


def _may_follow(game: Rules, player: int, sights: Sights) -> bool:
    """Return True if a player acts where it decides and nowhere else, and the game ends with the last sight at most."""
    decided = False
    for sight in sights:
        if type(sight.action) is not int or type(sight.acting) is not int:
            return False
        if not (0 <= sight.action < game.num_actions if decided else sight.action == NOTHING):
            return False
        if not (0 <= sight.acting < 1 << game.num_players or (sight.acting == CHANCE and game.num_outcomes)):
            return False
        decided = sight.acting != CHANCE and bool(sight.acting >> player & 1)
    return bool(sights) and all(sight.acting for sight in sights[:-1])
