"""The options of a tree search: kind, default, range, conflicts and one line of text for each.

`MCTS`, the compiled search, the search in plain Python, the bots and the table in docs/bots.md read them here. A new
option is an entry of `SearchOptions`, and what the search does with it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict, get_type_hints

from cext.game.game import Game
from cext.game.playouts import has_evaluation, has_guided_playouts
from cext.parameters import Choice, Flag, Integer, Parameter, Real, Text, read_parameters
from cext.search.policies import JOINT_SELECTIONS, PLAYOUTS, SELECTIONS
from cext.spec import format_value

from .errors import ParameterError, UnsupportedGameError
from .results.final_action import FINALS

EXPLORATION = 0.4
"""Default weight of exploration. sqrt(2), of the proof of UCB1, explores too much for values in [0, 1]."""
PUCT_EXPLORATION = 1.4
"""The same with `puct`, whose exploration term is smaller."""
STATIC_EXPLORATION = 0.06
"""The same with the static evaluation of a game, whose values differ less than results."""
GRAVE_EXPLORATION = 0.05
"""Default weight of exploration of GRAVE with more than two players. With two, exploration makes it weaker."""
POLICY_REDUCTION = 0.25
"""Default of `first_play_reduction` with the policy of a net."""
ROOT_EXPLORATION = 0.2
"""The same at the root."""
MEMORY_MB = 256 if sys.maxsize > 1 << 32 else 32
"""Default memory limit of a search in MB: less where a process has addresses for 4 GB, as in a browser."""
SHIPPED, NO_NET = "shipped", "none"
"""What stands in place of a file for the net that comes with the package, and for no net."""
PLAIN: dict[str, Any] = {
    "selection": "ucb1",
    "playout": "uniform",
    "solver": False,
    "transpositions": False,
    "leaf": "playout",
    "leaves": 0,
    "net": NO_NET,
}
"""Plain UCB1 (Kocsis and Szepesvari 2006): the options that otherwise depend on the game."""

NET, POLICY_NET, EVALUATOR = "a net", "a net with a policy", "an evaluator"
"""What values new states in place of playouts, as conflicts name it."""


@dataclass(frozen=True)
class Need:
    """A condition under which the search reads an option.

    Args:
        option: another option.
        valid: its valid values; or a function that returns them; or None: any that is set.
        unless: called with the game and all options; True: the condition does not matter.
    """

    option: str
    valid: Iterable[Any] | Callable[[], Iterable[Any]] | None
    unless: Callable[[Game, Mapping[str, Any]], bool] = lambda game, options: False


@dataclass(frozen=True)
class Option:
    """An option of a search.

    Args:
        kind: kind, default and range. A default of None depends on the game and the other options.
        text: what it does, in one line.
        default: text of a default that depends on the game or on other options.
        needs: conditions, checked for every value but `off`.
        off: the value that needs nothing; left out: the default.
    """

    kind: Parameter
    text: str
    default: str = ""
    needs: tuple[Need, ...] = ()
    off: Any = ...

    @property
    def neutral(self) -> Any:
        """The value that needs nothing."""
        return self.kind.default if self.off is ... else self.off


def _values_untried() -> list[str]:
    return [name for name in SELECTIONS if SELECTIONS[name].values_untried]


def _with_exploration() -> list[str]:
    return [name for name in SELECTIONS if name != "grave"]


def _with_priors() -> list[str]:
    return [name for name in SELECTIONS if SELECTIONS[name].needs_priors]


def _explores_otherwise(game: Game, options: Mapping[str, Any]) -> bool:
    """Return True if a policy of another package, or the joint selection, reads `exploration` in a game."""
    from .random_steps import is_in_turns

    is_foreign = "." in (options["selection"] or "")
    return is_foreign or (JOINT_SELECTIONS[options["joint_selection"]].reads_exploration and not is_in_turns(game))


def _has_no_evaluator(game: Game, options: Mapping[str, Any]) -> bool:
    return bool(options["net"] != EVALUATOR)


def _has_no_priors(game: Game, options: Mapping[str, Any]) -> bool:
    return not (options["net"] in (EVALUATOR, POLICY_NET) and options["selection"] in _with_priors())


class SearchOptions(TypedDict, total=False):
    """The options of `mcts.MCTS`, as keywords."""

    selection: Annotated[
        str | None,
        Option(
            Choice(None, SELECTIONS),
            "policy where one player decides: `ucb1`; `puct`, with the priors of a net or an evaluator, else equal "
            "ones; `grave`, with the mean of an action wherever it was played; or the path of a policy's module",
            "`puct` with an evaluator or a net with a policy, `grave` in games in turns with many states, else `ucb1`",
        ),
    ]
    joint_selection: Annotated[
        str,
        Option(
            Choice("regret_matching", JOINT_SELECTIONS),
            "policy where several decide at once: `regret_matching` or `exp3`, which approach an equilibrium of a "
            "zero-sum game; or the path of a policy's module",
        ),
    ]
    exploration: Annotated[
        float | None,
        Option(
            Real(None, 0.0, 100.0),
            "weight of the exploration term of `ucb1` and `puct`, for values in [0, 1]",
            f"{PUCT_EXPLORATION:g} with `puct`, {STATIC_EXPLORATION:g} with `leaf=static`, else {EXPLORATION:g}",
            (Need("selection", _with_exploration, _explores_otherwise),),
        ),
    ]
    grave_exploration: Annotated[
        float | None,
        Option(
            Real(None, 0.0, 100.0),
            "weight of the exploration term of `grave`",
            f"0 with two players, else {GRAVE_EXPLORATION:g}",
            (Need("selection", ("grave",)),),
        ),
    ]
    root_exploration: Annotated[
        float | None,
        Option(
            Real(None, 0.0, 100.0),
            "the same at the root alone",
            f"as `grave_exploration`; with more than two players at least {ROOT_EXPLORATION:g}",
            (Need("selection", ("grave",)),),
        ),
    ]
    playout: Annotated[
        str | None,
        Option(
            Choice(None, PLAYOUTS),
            "policy of the actions of playouts: `uniform`; `guided` by knowledge of the game, with which `grave` also "
            "begins; or the path of a policy's module",
            "`guided` in games that have it, unless values come from elsewhere, else `uniform`",
            (Need("net", (None,)),),
            "uniform",
        ),
    ]
    playout_share: Annotated[
        float | None,
        Option(
            Real(None, 0.0, 1.0),
            "share of the result of a playout in the value of a new state, with a net",
            "0.5 with some nets of the package, else 0",
            (Need("net", (NET, POLICY_NET)),),
        ),
    ]
    final: Annotated[
        str,
        Option(
            Choice("visits", FINALS),
            "choice of the action where one player decides: `visits`, `value`, `lcb` (highest lower confidence bound) "
            "or `mixed` (drawn from the policy); where several decide it is always drawn",
        ),
    ]
    temperature: Annotated[
        float,
        Option(
            Real(0.0, 0.0, 100.0),
            "draw the action in proportion to visits^(1 / temperature), for self-play; 0: do not draw",
            needs=(Need("final", ("visits",)), Need("early_stop", (False,))),
        ),
    ]
    temperature_plies: Annotated[
        int | None,
        Option(
            Integer(None, 0, 1_000_000),
            "plies of a game, counted by the history of the state, in which the temperature applies",
            "all",
            (Need("temperature", None),),
        ),
    ]
    first_play_urgency: Annotated[
        float | None,
        Option(
            Real(None, 0.0, 100.0),
            "value in [0, 1] that untried actions are taken to have (Gelly and Wang 2006); more than 1 is more urgent",
            "`ucb1` tries every action once, `puct` takes the mean value of the state",
            (Need("selection", lambda: ["ucb1", *_values_untried()]),),
        ),
    ]
    first_play_reduction: Annotated[
        float | None,
        Option(
            Real(None, 0.0, 1.0),
            "taken from the mean value of the state to value untried actions, times the square root of the sum of the "
            "priors of visited actions (Wu 2019)",
            f"{POLICY_REDUCTION:g} in `puct` with the policy of a net, else 0",
            (Need("selection", _values_untried),),
        ),
    ]
    root_noise: Annotated[
        float,
        Option(
            Real(0.0, 0.0, 1.0),
            "share of noise in the priors of the root, for self-play (Silver et al. 2018)",
            needs=(Need("net", (POLICY_NET, EVALUATOR)), Need("selection", _with_priors)),
        ),
    ]
    noise_alpha: Annotated[
        float | None,
        Option(
            Real(None, 0.001, 1000.0),
            "parameter of the Dirichlet distribution of the noise",
            "10 / number of legal actions",
            (Need("root_noise", None),),
        ),
    ]
    gumbel_actions: Annotated[
        int,
        Option(
            Integer(0, 0, 65536),
            "actions that the root considers at first, by sequential halving; the policy of the result is the improved "
            "one (Danihelka et al. 2022). For few simulations, whose number must be limited",
            needs=(
                Need("net", (POLICY_NET,)),
                Need("selection", _with_priors),
                Need("final", ("visits",)),
                Need("temperature", (0.0,)),
                Need("root_noise", (0.0,)),
                Need("early_stop", (False,)),
                Need("threads", (1,)),
            ),
        ),
    ]
    gumbel_noise: Annotated[
        float,
        Option(
            Real(1.0, 0.0, 100.0),
            "scale of the Gumbel noise in that; 0: none",
            needs=(Need("gumbel_actions", None),),
        ),
    ]
    solver: Annotated[
        bool | None,
        Option(
            Flag(None),
            "keep proven bounds on the values of states, skip what cannot matter, and stop when the value of the root "
            "is proven",
            "on, but for large games with simultaneous moves",
        ),
    ]
    transpositions: Annotated[
        bool | None,
        Option(
            Flag(None),
            "merge equal states, and symmetric ones unless a policy keeps statistics of actions, into a graph (Czech, "
            "Korus and Kersting 2021)",
            "in small games without chance",
            off=False,
        ),
    ]
    early_stop: Annotated[
        bool,
        Option(
            Flag(False),
            "stop when the remaining simulations cannot change the most visited action; without effect where several "
            "players decide at once",
            needs=(Need("final", ("visits",)), Need("threads", (1,))),
        ),
    ]
    threads: Annotated[
        int,
        Option(
            Integer(1, 1, 256),
            "number of threads, each with a tree of its own and a share of the simulations; their statistics are added "
            "at the root",
        ),
    ]
    memory_mb: Annotated[
        int,
        Option(
            Integer(MEMORY_MB, 1, 32_000),
            "memory limit of all trees in MB; at the limit, the least visited states are removed. Searches of "
            "rulesheets have up to a quarter of it, at most 32 MB for each thread, beside them",
        ),
    ]
    batch_size: Annotated[
        int,
        Option(
            Integer(16, 1, 65536),
            "most states in one call of an evaluator",
            needs=(Need("net", (EVALUATOR,)),),
        ),
    ]
    leaf: Annotated[
        str | None,
        Option(
            Choice(None, ("playout", "static")),
            "value of a new state: a random `playout`, or the `static` evaluation of games that have one",
            "`static` in games with an evaluation, unless other options need playouts or values from elsewhere",
            (
                Need("selection", _with_exploration),
                Need("playout", ("uniform",)),
                Need("leaves", (0,)),
                Need("net", (None,)),
            ),
            "playout",
        ),
    ]
    leaves: Annotated[
        int | None,
        Option(
            Integer(None, 0, 512),
            "new states that are collected before 512 random games from all of them are played side by side; 0: each "
            "new state is played out once",
            "64 in rulesheets with `ucb1`, else 0",
            (
                Need("selection", ("ucb1",)),
                Need("playout", ("uniform",)),
                Need("first_play_urgency", (None,)),
                Need("net", (None,)),
            ),
            0,
        ),
    ]
    net: Annotated[
        Any,
        Option(
            Text(None, (NO_NET, SHIPPED)),
            "values new states in place of playouts, in compiled code: the path of a file, `shipped` for the net that "
            "comes with the package, `none`, or a `playout.ValueNet`. With its policy, `puct` has priors",
            "the net of the package if it makes the search stronger and goes with the other options, else `none`",
            (
                Need("selection", _with_priors, _has_no_evaluator),
                Need("transpositions", (False,), _has_no_priors),
            ),
        ),
    ]


OPTIONS: dict[str, Option] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(SearchOptions, include_extras=True).items()
}
"""Name -> option."""
COMMON = ("selection", "joint_selection", "exploration", "playout", "solver", "threads", "memory_mb", "leaf", "net")
"""The options that lists show first; the others are for experts."""
PARAMETERS: dict[str, Parameter] = {name: option.kind for name, option in OPTIONS.items()}
"""Name -> kind, default and range."""


def plain_options(**given: Any) -> dict[str, Any]:
    """Return all options of a plain UCB1 search, with some replaced.

    Args:
        given: options by name.

    Raises:
        ParameterError: an option is unknown or out of range.
    """
    values = read_parameters("mcts", PARAMETERS, {**PLAIN, **given})
    return fill_weights(2, values)


def fill_weights(num_players: int, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with the weights of selection policies that are None set to their defaults."""
    found = dict(values)
    many = num_players > 2
    if found["exploration"] is None:
        plain = STATIC_EXPLORATION if found["leaf"] == "static" else EXPLORATION
        found["exploration"] = PUCT_EXPLORATION if found["selection"] == "puct" else plain
    if found["first_play_reduction"] is None:
        found["first_play_reduction"] = 0.0
    if found["selection"] == "grave":
        if found["grave_exploration"] is None:
            found["grave_exploration"] = GRAVE_EXPLORATION if many else 0.0
        if found["root_exploration"] is None:
            found["root_exploration"] = max(found["grave_exploration"], ROOT_EXPLORATION if many else 0.0)
    return found


def check_options(game: Game, values: Mapping[str, Any], judge: str | None) -> None:
    """Raise an error for options that do not go together, or not with the game.

    Args:
        game: the game to search.
        values: all options. None: the search has a default of its own.
        judge: what values new states: NET, POLICY_NET or EVALUATOR; None: playouts.

    Raises:
        ParameterError: an option does not go with another one, or is not read.
        UnsupportedGameError: an evaluator for a game without an encoding.
    """
    values = {**values, "net": judge}
    for name, option in OPTIONS.items():
        if values[name] != option.neutral:
            for need in option.needs:
                if not need.unless(game, values):
                    _check_need(name, values, option, need)
    if values["transpositions"] and game.has_chance:
        raise ParameterError(
            f"mcts: transpositions=true does not go with {game.spec}, a game with chance; valid: transpositions=false"
        )
    if values["leaf"] == "static" and not has_evaluation(game):
        raise ParameterError(
            f"mcts: leaf=static does not go with {game.spec}, which has no static evaluation; valid: leaf=playout"
        )
    if values["playout"] == "guided" and not has_guided_playouts(game):
        raise ParameterError(
            f"mcts: playout=guided does not go with {game.spec}, which has no guided playouts; valid: playout=uniform"
        )
    if judge == EVALUATOR and game.encoding_size == 0:
        raise UnsupportedGameError(f"{game.spec} has no encoding: an evaluator cannot judge its states")


def _check_need(name: str, values: Mapping[str, Any], option: Option, need: Need) -> None:
    """Raise ParameterError if an option is set and a condition is not met."""
    given, found = _said(name, values[name]), values[need.option]
    if need.valid is None:
        if not found:
            raise ParameterError(
                f"mcts: {given} is not read without {need.option}; "
                f"valid: with {need.option}, or {_said(name, option.neutral)}"
            )
        return
    valid = list(need.valid() if callable(need.valid) else need.valid)
    if found not in valid:
        why = (
            f"is not read without {_said(need.option, *valid)}"
            if found is None
            else f"does not go with {_said(need.option, found)}"
        )
        raise ParameterError(
            f"mcts: {given} {why}; valid: {_said(need.option, *valid)}, or {_said(name, option.neutral)}"
        )


def _said(name: str, *values: Any) -> str:
    """Return an option with a value, or with several, as text."""
    if values == (None,):
        return f"no {name}"
    if values[0] in (NET, POLICY_NET, EVALUATOR):
        return " or ".join(values)
    return f"{name}={' or '.join(map(format_value, values))}"
