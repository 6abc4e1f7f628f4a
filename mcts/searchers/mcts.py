"""Monte Carlo tree search over the compiled kernel."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex

from cext.actions import Action
from cext.arguments import shown, whole_number
from cext.game import NOOP, Game, State, View
from cext.parameters import Choice, Flag, Integer, Parameter, Real, Text
from cext.search.search import JOINT_SELECTIONS, PLAYOUTS, Search, sum_of_roots
from cext.search.selection import SELECTIONS
from cext.spec import format_value

from ..errors import IllegalActionError, LimitError, ParameterError, StateError, UnsupportedGameError
from ..evaluator import Evaluator, checked
from ..final_action import FINALS, best_action
from ..in_use import Exclusive, alone
from ..limits import Limit, search_limit
from ..nets.value_net import ValueNet
from ..progress import ProgressClock
from ..result import SearchResult, unread_result
from ..root_statistics import RootStatistics
from ..tree_data import LiveTree
from .base import Searcher, state_of

if TYPE_CHECKING:
    from ..evaluator import BatchFunction

EXPLORATION = 0.4
"""Default weight of exploration. sqrt(2), of the proof of UCB1, explores too much for values in [0, 1]."""
OTHER_EXPLORATION = {"puct": 1.4, "ucb1_tuned": 0.7}
"""Selection policy -> its own default, if its exploration term is smaller than that of UCB1."""
GRAVE_EXPLORATION = 0.05
"""Default weight of exploration of GRAVE with more than two players. With two, exploration makes it weaker."""
ROOT_EXPLORATION = 0.2
"""The same at the root."""
_MEGABYTE = 1 << 20
_LOOK_SECONDS = 0.05
"""Time between two checks for signals while threads search. A signal just before a wait does not end the wait."""


class MCTS(Exclusive, Searcher):
    """Monte Carlo tree search for games in turns, simultaneous games and any number of players.

    Args:
        game: a game whose actions can be listed.
        selection: the policy where one player decides, a name in `cext.search.selection.SELECTIONS`: `ucb1`;
            `ucb1_tuned`, with the measured variance of each arm; `puct`, with the priors of an evaluator (all equal
            without one); `thompson`, Thompson sampling; `grave`, with the mean of an action wherever it was played. A
            policy of another package is named by the path of its module, or by its name after
            `mcts.register_selection`.
        joint_selection: the policy where several players decide: `regret_matching` or `exp3`, whose average strategies
            converge to an equilibrium of a zero-sum game; or `ducb1` and `ducb1_tuned`, decoupled UCB, which may not
            converge.
        exploration: weight of the exploration term of `ucb1`, `ucb1_tuned`, `puct` and decoupled UCB, 0 to 100, for
            values in [0, 1]. None: 1.4 with `puct`, 0.7 with `ucb1_tuned`, else 0.4. docs/strength.md has the matches
            behind these numbers.
        grave_exploration: weight of the exploration term of `grave`, 0 to 100; it does not read `exploration`. None: 0
            with two players, else 0.05.
        root_exploration: the same at the root alone. None: as `grave_exploration`, and with more than two players at
            least 0.2.
        playout: `uniform`; `decisive`: wins if it can, prevents a win if it can, else uniform; or `mast`: mostly the
            action with the best mean wherever it was played.
        opponents: `max_n`: where one player decides, it maximises its own return; `paranoid`: all others minimise the
            return of the player who decides at the root.
        final: how the action is chosen where one player decides: `visits`, `value`, `lcb` (highest lower confidence
            bound) or `mixed` (drawn from the policy). Where several decide it is always drawn.
        temperature: where one player decides, the action is drawn with probabilities in proportion to
            visits^(1 / temperature), as for self-play; 0: it is not drawn. Needs `final="visits"`, no `early_stop`.
        temperature_plies: plies of a game in which the temperature applies; later it is 0. None: all. They are counted
            by the history of the state.
        first_play_urgency: value in [0, 1] that untried actions are taken to have where one player decides; more than 1
            is more urgent. UCB1 tries an untried action only if no upper confidence bound reaches this value (Gelly and
            Wang 2006). None: UCB1 tries every action once, and PUCT takes the mean value of the state. For `ucb1`, and
            policies that read it, such as `puct`.
        first_play_reduction: taken from the mean value of the state to value untried actions, times the square root of
            the sum of the priors of visited actions (Wu 2019). For policies that read it, such as `puct`.
        widening: progressive widening where one player decides: a state with n visits has at most
            widening * n^widening_exponent tried actions (Coulom 2007; Chaslot et al. 2008). None: no limit.
        widening_exponent: see `widening`, 0 to 1.
        solver: keep proven bounds on the values of all states in the tree, skip what cannot matter, and stop when the
            value of the root is proven. Where one player decides, for any number of players; where several decide at
            once, for two players with opposite interests. Between such two, simulations prefer what is not proven yet,
            and the weights of actions with a mean below the best lower bound move to the action with that bound.
        transpositions: merge the nodes of equal states, found by 64-bit hashes, into a graph. The value of a state is
            then computed from those of its children, on whatever path these were reached (Czech, Korus and Kersting
            2021). Symmetric states are merged too, unless a policy keeps statistics of actions wherever they are
            played. With the solver, this proves the most per simulation.
        early_stop: end a run when the simulations that are left cannot change which action is visited most. For
            `final="visits"` and one thread; without effect where several players decide at once.
        threads: number of threads that search, each with a tree of its own and a fixed share of the simulations. Their
            statistics are added at the root, and the same seed gives the same answer.
        memory_mb: memory limit of all trees together; searches of rulesheets have up to a quarter of it, at most 32 MB
            for each thread, beside them. At the limit, the least visited states are removed and new ones added; what
            their simulations brought stays in the statistics of the states above. Proven values stay.
        seed: root of the random streams.
        root_noise: share of noise in the priors of the root, 0 to 1, for self-play (Silver et al. 2018). Needs an
            evaluator.
        noise_alpha: parameter of the Dirichlet distribution of the noise. None: 10 / number of legal actions.
        evaluator: evaluates new states instead of playouts. A `mcts.ValueNet`, or the path of its file, works in
            compiled code with every selection and option, but with `playout="uniform"` and without `root_noise`. Any
            other evaluator needs `selection="puct"`, and no transpositions.
        batch_size: most states in one call of the evaluator, 1 to 65536. In a larger batch, more states are chosen
            before the values of the others are known.
        leaves: number of new states, up to 512, that are collected before random games from all of them are played side
            by side, 512 games in all. It is fast in rulesheets, which have `game.has_wide_playouts`; other games are
            played one by one. The first actions of the games are the first visits of the actions of a new state. With
            `transpositions`, a new state has the mean of the state above it until then. For `selection="ucb1"` and
            `playout="uniform"`, without evaluator, `first_play_urgency` and `widening`. 0: each new state is played
            out once.

    One thread uses a searcher at a time, except for `stop`: `run`, `advance` and the trees of results raise BusyError
    while another call of them has not returned. So do calls from an evaluator or a game that is being searched.

    Raises:
        ParameterError: a parameter out of range, or two that do not go together.
        TypeError: `game`, `seed` or `evaluator` is something else.
        NetFileError: the file of the evaluator cannot be read, is damaged, or is of another game.
        UnsupportedGameError: the game's actions are too many to list, or an evaluator is given and it has no encoding.

    Example:
        >>> game = mcts.load_game("mnk")
        >>> state = game.state_from_text("xx./oo./..._x")
        >>> result = mcts.MCTS(game, solver=True, seed=1).run(state, simulations=1000)
        >>> state.action_to_string(0, result.action), result.values, result.proven
        ('mark(1,3)', (100.0, 0.0), True)
    """

    NAME = "mcts"
    SUMMARY = "Monte Carlo tree search, for games whose actions can be listed"
    PARAMETERS: ClassVar[dict[str, Parameter]] = {
        "selection": Choice("ucb1", SELECTIONS),
        "joint_selection": Choice("regret_matching", tuple(JOINT_SELECTIONS)),
        "exploration": Real(None, 0.0, 100.0),
        "grave_exploration": Real(None, 0.0, 100.0),
        "root_exploration": Real(None, 0.0, 100.0),
        "playout": Choice("uniform", tuple(PLAYOUTS)),
        "opponents": Choice("max_n", ("max_n", "paranoid")),
        "final": Choice("visits", FINALS),
        "temperature": Real(0.0, 0.0, 100.0),
        "temperature_plies": Integer(None, 0, 1_000_000),
        "first_play_urgency": Real(None, 0.0, 100.0),
        "first_play_reduction": Real(0.0, 0.0, 1.0),
        "widening": Real(None, 0.01, 10_000.0),
        "widening_exponent": Real(0.5, 0.0, 1.0),
        "root_noise": Real(0.0, 0.0, 1.0),
        "noise_alpha": Real(None, 0.001, 1000.0),
        "solver": Flag(False),
        "transpositions": Flag(False),
        "early_stop": Flag(False),
        "threads": Integer(1, 1, 256),
        "memory_mb": Integer(256, 1, 32_000),
        "batch_size": Integer(16, 1, 65536),
        "leaves": Integer(0, 0, 512),
        "evaluator": Text(None),
    }

    def __init__(
        self,
        game: Game,
        *,
        selection: str = "ucb1",
        joint_selection: str = "regret_matching",
        exploration: float | None = None,
        grave_exploration: float | None = None,
        root_exploration: float | None = None,
        playout: str = "uniform",
        opponents: str = "max_n",
        final: str = "visits",
        temperature: float = 0.0,
        temperature_plies: int | None = None,
        first_play_urgency: float | None = None,
        first_play_reduction: float = 0.0,
        widening: float | None = None,
        widening_exponent: float = 0.5,
        root_noise: float = 0.0,
        noise_alpha: float | None = None,
        solver: bool = False,
        transpositions: bool = False,
        early_stop: bool = False,
        threads: int = 1,
        memory_mb: int = 256,
        seed: int = 0,
        evaluator: Evaluator | str | None = None,
        batch_size: int = 16,
        leaves: int = 0,
    ) -> None:
        super().__init__(
            game,
            seed=seed,
            selection=selection,
            joint_selection=joint_selection,
            exploration=exploration,
            grave_exploration=grave_exploration,
            root_exploration=root_exploration,
            playout=playout,
            opponents=opponents,
            final=final,
            temperature=temperature,
            temperature_plies=temperature_plies,
            first_play_urgency=first_play_urgency,
            first_play_reduction=first_play_reduction,
            widening=widening,
            widening_exponent=widening_exponent,
            root_noise=root_noise,
            noise_alpha=noise_alpha,
            solver=solver,
            transpositions=transpositions,
            early_stop=early_stop,
            threads=threads,
            memory_mb=memory_mb,
            batch_size=batch_size,
            leaves=leaves,
            evaluator=evaluator if isinstance(evaluator, str) else None,
        )
        if exploration is None:
            self.parameters["exploration"] = OTHER_EXPLORATION.get(selection, EXPLORATION)
        self._fill_grave()
        if solver and opponents == "paranoid" and not game.is_zero_sum:
            raise ParameterError(
                "mcts: solver=true proves what players get who maximise their own returns; with opponents=paranoid it "
                "would prove something else; valid: one of the two"
            )
        if early_stop and (final != "visits" or threads > 1):
            raise ParameterError(
                f"mcts: early_stop=true does not go with final={final}, threads={threads}; "
                "valid: final=visits, threads=1"
            )
        self._check_temperature()
        self._check_untried()
        self._check_leaves()
        self._net: ValueNet | None = None
        if isinstance(evaluator, str):
            evaluator = ValueNet.load(game, evaluator)
        if leaves and evaluator is not None:
            raise ParameterError(f"mcts: leaves={leaves} does not go with an evaluator; valid: one of the two")
        if isinstance(evaluator, ValueNet):
            self._net, evaluator = evaluator, None
            self._check_net(self._net)
        if self.parameters["root_noise"] and evaluator is None:
            raise ParameterError(
                f"mcts: root_noise={root_noise} needs an evaluator with priors, which it changes; valid: 0 without one"
            )
        if transpositions and game.has_chance:
            raise ParameterError(
                f"mcts: transpositions=true does not go with {game.spec}, a game with chance; "
                "valid: transpositions=false"
            )
        if evaluator is not None:
            if not callable(getattr(evaluator, "evaluate", None)):
                raise TypeError(f"the evaluator {shown(evaluator)} has no method evaluate; see mcts.Evaluator")
            if game.encoding_size == 0:
                raise UnsupportedGameError(f"{game.spec} has no encoding: an evaluator cannot judge its states")
            if not SELECTIONS[selection].needs_priors or transpositions:
                valid = " or ".join(name for name in SELECTIONS if SELECTIONS[name].needs_priors)
                raise ParameterError(
                    f"mcts: an evaluator does not go with selection={selection}, transpositions={transpositions}; "
                    f"valid: selection={valid}, transpositions=false"
                )
        self._evaluate: BatchFunction | None = None if evaluator is None else checked(evaluator, game)
        self._trees = [self._new_tree() for _ in range(threads)]
        self._kept = False
        self._generation = 0

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        return None if game.is_enumerable else "its actions are too many to list; use sampled_mcts"

    @alone
    def run(
        self,
        position: State | View,
        limit: Limit | int | None = None,
        seconds: float | None = None,
        *,
        simulations: int | None = None,
        player: int | None = None,
        on_progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Search a position.

        The tree is new, unless `advance` has just led to this very state. With a limit on simulations alone, the same
        seed gives the same result.

        Args:
            position: a state of this searcher's game, not over; or a view of such a state, if nothing is hidden.
            limit: a `Limit`, or a number of simulations. A Limit's `memory_mb` may not be below that of this searcher,
                whose trees have their memory from the start.
            simulations: at most so many, over all threads; instead of `limit`.
            seconds: at most about so long; the clock is read every 256 simulations. Not together with a `Limit`.
            player: the player whose decision the result describes; by default the player of the view, or the first that
                decides.
            on_progress: called with the result so far while the search runs, between two simulations: first after about
                0.1 s, then whenever the time has doubled, at least once a second. It does not change the result. With
                several threads it is called in one of them, with the statistics of one tree. It may read the tree of
                the result, and must not use this searcher otherwise. An exception in it ends the run and is passed on.

        Returns:
            A SearchResult. After Ctrl-C or `stop` it has what was found until then, with `interrupted` set.

        Raises:
            LimitError: neither limit is given, one is given twice or is out of range.
            StateError: the game is over, chance decides, the position is of another game, or a view with hidden
                information.
            ValueError: `player` does not decide here.
            TypeError: `position` is neither a State nor a View.
            BusyError: another thread runs this searcher, or this is called from within a run.
        """
        limit = search_limit(limit, simulations, seconds)
        own_memory: int = self.parameters["memory_mb"]
        if limit.memory_mb is not None and limit.memory_mb < own_memory:
            raise LimitError(
                f"memory_mb={limit.memory_mb} is less than this searcher's {own_memory}; "
                f"valid: {own_memory} and up, or a searcher with less, MCTS(game, memory_mb={limit.memory_mb})"
            )
        self.check_position(position)
        state = state_of(position)
        if state is position:
            state = state.clone()
        acting = state.acting_players()
        if player is None and isinstance(position, View):
            player = position.player
        if player is not None:
            player = whole_number("player", player, ", ".join(map(str, acting)))
        if player is not None and player not in acting:
            raise ValueError(f"player {shown(player)} has nothing to decide here; valid: {', '.join(map(str, acting))}")
        begin = time.perf_counter()
        me = acting[0] if player is None else player
        self._generation += 1
        if not (self._kept and all(tree.is_rooted_at(state) for tree in self._trees)):
            for number, tree in enumerate(self._trees):
                tree.set_root(
                    state, _stream(self.seed, number), me if self.parameters["opponents"] == "paranoid" else -1
                )
        self._kept = False
        on_pause = None if on_progress is None else self._progress_reader(state, me, begin, on_progress)
        done, interrupted = self._simulate(limit, on_pause)
        number = 0 if len(self._trees) == 1 else self._trees.index(_most_visited(self._trees))
        live = LiveTree(self, number, self._generation)
        return self._result(state, me, done, interrupted, begin, self._trees, live)

    @alone
    def advance(self, joint: Sequence[int] | int) -> bool:
        """Play a joint action and keep the subtrees of the state after it, for the next `run` of that state.

        Args:
            joint: one action per player in player order, NOOP for those who do not decide; where one player decides,
                its action alone will do, and where chance decides, the outcome.

        Returns:
            True when something was kept.

        Raises:
            StateError: nothing has been searched yet.
            IllegalActionError: the joint action is not legal there.
            BusyError: another thread runs this searcher, or this is called from within a run.
        """
        state = self._trees[0].root_state()
        if state is None:
            raise StateError("advance follows a run: nothing has been searched yet")
        if isinstance(joint, SupportsIndex):
            if len(state.acting_players()) > 1:
                raise IllegalActionError(f"several players decide here: {state.acting_players()}; give a joint action")
            state.apply_action(joint)
        else:
            state.apply_actions(joint)
        self._generation += 1
        actions = list(state.history()[-1])
        kept = [tree.advance(actions) for tree in self._trees]
        self._kept = all(kept) and not state.is_terminal()
        return self._kept

    def stop(self) -> None:
        """End a run in another thread soon. The run returns what it has found, with `interrupted` set."""
        for tree in self._trees:
            tree.stop()

    @property
    def generation(self) -> int:
        """Number of changes of the trees, by `run` or `advance`."""
        return self._generation

    def raw_tree(self, number: int, depth: int, max_nodes: int, path: Sequence[list[Action]]) -> dict[str, Any] | None:
        """Return the tree of one thread as `Search.tree` does; `SearchResult.tree` makes it readable.

        It may be called while a run reports its progress; between reports `Search` refuses it.
        """
        return self._trees[number].tree(depth, max_nodes, path)

    def _check_net(self, net: ValueNet) -> None:
        """Raise an error for a net of another game, or options that do not go with a net."""
        if self.game.spec not in net.specs:
            raise UnsupportedGameError(f"the net is for {', '.join(net.specs)}, not for {self.game.spec}")
        if self.parameters["playout"] != "uniform":
            raise ParameterError(
                f"mcts: playout={self.parameters['playout']} does not go with a net, which replaces playouts; "
                "valid: playout=uniform"
            )

    def _check_temperature(self) -> None:
        """Raise ParameterError for options that do not go with a temperature."""
        parameters = self.parameters
        if parameters["temperature"] and (parameters["final"] != "visits" or parameters["early_stop"]):
            raise ParameterError(
                f"mcts: temperature={parameters['temperature']:g} draws from the visits of a whole search, and does "
                f"not go with final={parameters['final']}, early_stop={str(parameters['early_stop']).lower()}; "
                "valid: final=visits, early_stop=false"
            )

    def _check_leaves(self) -> None:
        """Raise ParameterError for options that do not go with batches of leaves."""
        leaves, parameters = self.parameters["leaves"], self.parameters
        needed: dict[str, Any] = {"selection": "ucb1", "playout": "uniform"}
        needed |= dict.fromkeys(("first_play_urgency", "widening", "evaluator"))
        for name, value in needed.items():
            if leaves and parameters[name] != value:
                valid = f"no {name}" if value is None else f"{name}={format_value(value)}"
                raise ParameterError(
                    f"mcts: leaves={leaves} does not go with {name}={format_value(parameters[name])}; "
                    f"valid: leaves=0, or {valid}"
                )

    def _check_untried(self) -> None:
        """Raise ParameterError for a selection that does not read the value of untried actions."""
        selection = self.parameters["selection"]
        for name, off, also in (("first_play_urgency", None, ["ucb1"]), ("first_play_reduction", 0.0, [])):
            value = self.parameters[name]
            if value != off and not (selection in also or SELECTIONS[selection].values_untried):
                valid = also + [policy for policy in SELECTIONS if SELECTIONS[policy].values_untried]
                raise ParameterError(
                    f"mcts: {name}={value:g} does not go with selection={selection}; "
                    f"valid: selection={' or '.join(valid)}"
                )

    def _fill_grave(self) -> None:
        """Set the defaults of what GRAVE alone reads. Raise an error for a value with another selection."""
        parameters, many = self.parameters, self.game.num_players > 2
        if parameters["selection"] != "grave":
            for name in ("grave_exploration", "root_exploration"):
                if parameters[name] is not None:
                    raise ParameterError(
                        f"mcts: {name}={parameters[name]:g} does not go with selection={parameters['selection']}; "
                        "valid: selection=grave"
                    )
            return
        if parameters["grave_exploration"] is None:
            parameters["grave_exploration"] = GRAVE_EXPLORATION if many else 0.0
        if parameters["root_exploration"] is None:
            parameters["root_exploration"] = max(parameters["grave_exploration"], ROOT_EXPLORATION if many else 0.0)

    def _new_tree(self) -> Search:
        parameters = self.parameters
        return Search(
            self.game,
            selection=parameters["selection"],
            joint_selection=parameters["joint_selection"],
            playout=parameters["playout"],
            exploration=parameters["exploration"],
            grave_exploration=parameters["grave_exploration"] or 0.0,
            root_exploration=parameters["root_exploration"],
            first_play_urgency=parameters["first_play_urgency"],
            first_play_reduction=parameters["first_play_reduction"],
            widening=parameters["widening"] or 0.0,
            widening_exponent=parameters["widening_exponent"],
            root_noise=parameters["root_noise"],
            noise_alpha=parameters["noise_alpha"],
            solver=parameters["solver"],
            transpositions=parameters["transpositions"],
            early_stop=parameters["early_stop"],
            memory_bytes=parameters["memory_mb"] * _MEGABYTE // parameters["threads"],
            batch_size=0 if self._evaluate is None else parameters["batch_size"],
            net=None if self._net is None else self._net.core,
            leaves=parameters["leaves"],
        )

    def _progress_reader(
        self, state: State, player: int, begin: float, on_progress: Callable[[SearchResult], object]
    ) -> Callable[[int, int], None]:
        """Return the function that each tree calls with its number and its simulations; it reports the first tree."""
        done = [0] * len(self._trees)
        clock = ProgressClock()

        def on_pause(number: int, simulations: int) -> None:
            done[number] = simulations
            if number or not clock.is_due():
                return
            tree = self._trees[0]
            now = state.clone()
            live = LiveTree(self, 0, self._generation)
            on_progress(self._result(now, player, sum(done), False, begin, [tree], live))

        return on_pause

    def _simulate(self, limit: Limit, on_pause: Callable[[int, int], None] | None) -> tuple[int, bool]:
        """Run every tree within its share of the limit. Return (simulations done, True if Ctrl-C ended the run)."""
        seconds = math.inf if limit.seconds is None else limit.seconds
        most = 2**31 - 1 if limit.simulations is None else limit.simulations
        trees = self._trees
        if len(trees) == 1:
            trees[0].stop(False)
            return self._run_tree(trees[0], most, seconds, None if on_pause is None else partial(on_pause, 0))
        shares = [most // len(trees) + (i < most % len(trees)) for i in range(len(trees))]
        if limit.simulations is None:
            shares = [most] * len(trees)
        for tree in trees:
            tree.stop(False)
        pauses = [None if on_pause is None else partial(on_pause, number) for number in range(len(trees))]

        def stop() -> None:
            for tree in trees:
                tree.stop()

        def run(tree: Search, share: int, pause: Callable[[int], None] | None) -> tuple[int, bool]:
            """Run one tree. If it fails or is interrupted (as a game in Python may be), stop the others."""
            begun.wait()
            if given_up:
                return 0, False
            ended = True
            try:
                done, ended = self._run_tree(tree, share, seconds, pause)
            finally:
                if ended:
                    stop()
            return done, ended

        interrupted = given_up = False
        begun = Event()  # no tree runs before all have a thread: an interrupt till then leaves nothing half done
        from concurrent.futures import Future, ThreadPoolExecutor, wait

        jobs: list[Future[tuple[int, bool]]] = []
        done, ended = 0, False
        first, *others = zip(trees, shares, pauses, strict=True)
        with ThreadPoolExecutor(len(others)) as pool:
            try:
                jobs.extend(pool.submit(run, *given) for given in others)
                begun.set()
                # This thread has a processor. If it slept, the system might wake two others on the same one.
                done, ended = run(*first)
                while wait(jobs, timeout=_LOOK_SECONDS).not_done:
                    pass
            except KeyboardInterrupt:
                interrupted = True
                given_up = not begun.is_set()
                stop()
                begun.set()
        runs = [(done, ended), *(job.result() for job in jobs)]
        return sum(done for done, _ in runs), interrupted or any(ended for _, ended in runs)

    def _run_tree(
        self, tree: Search, simulations: int, seconds: float, on_pause: Callable[[int], None] | None
    ) -> tuple[int, bool]:
        if self._evaluate is None:
            return tree.run(simulations, seconds, on_pause)
        return tree.run_evaluated(simulations, seconds, self._evaluate, on_pause)

    def _temperature_at(self, state: State) -> float:
        temperature: float = self.parameters["temperature"]
        plies = self.parameters["temperature_plies"]
        return temperature if not temperature or plies is None or len(state.history()) < plies else 0.0

    def _result(
        self,
        state: State,
        player: int,
        done: int,
        interrupted: bool,
        begin: float,
        trees: Sequence[Search],
        live_tree: LiveTree,
    ) -> SearchResult:
        """Return the result of some of the trees, merged at the root. It refers to `state`."""
        game, final = self.game, self.parameters["final"]
        temperature = self._temperature_at(state)
        by_visits = final == "visits" and not temperature
        merged = len(trees) > 1
        record = sum_of_roots(trees, by_visits) if merged else trees[0].root_record(by_visits=by_visits)
        exclude_dominated = self.parameters["solver"] and game.is_zero_sum
        root = RootStatistics(record, game.min_utility, game.max_utility, exclude_dominated)
        is_drawn = record.num_deciding > 1 or final == "mixed" or temperature > 0.0
        if merged or (root.action is None and not is_drawn):
            # The line begins with the action that is played, unless that is drawn.
            first = NOOP
            if not is_drawn:
                first = best_action(root.arms()[player], final) if root.action is None else root.action
            root.line = _most_visited(trees).principal_variation(first)
        return unread_result(
            root,
            state=state,
            player=player,
            simulations=done,
            seconds=time.perf_counter() - begin,
            nodes=record.nodes,
            memory_bytes=record.memory_bytes,
            final=final,
            temperature=temperature,
            seed=self.seed,
            interrupted=interrupted,
            live_tree=live_tree,
        )


def _most_visited(trees: Sequence[Search]) -> Search:
    return max(trees, key=lambda tree: tree.visits)


def _stream(seed: int, number: int) -> int:
    """Return the seed of a thread's tree: the searcher's own for the first, a different one for each other thread."""
    return (seed + number * 0x9E37_79B9_7F4A_7C15) & 0xFFFF_FFFF_FFFF_FFFF


SEARCHER = MCTS
