"""Monte Carlo tree search over the compiled kernel."""

from __future__ import annotations

import math
import textwrap
import time
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar, Self, SupportsIndex, Unpack

from cext.arguments import shown, whole_number
from cext.game.actions import Action
from cext.game.game import NOOP, Game, State, View
from cext.parameters import Parameter
from cext.search.search import Search, sum_of_roots
from cext.spec import format_value

from ..errors import IllegalActionError, LimitError, ParameterError, StateError
from ..evaluator import Evaluator, checked
from ..limits import Limit, search_limit
from ..nets.shipped_nets import chosen_net, playout_share
from ..nets.value_net import ValueNet
from ..options import (
    COMMON,
    EVALUATOR,
    NET,
    NO_NET,
    OPTIONS,
    PARAMETERS,
    PLAIN,
    POLICY_NET,
    SHIPPED,
    SearchOptions,
    check_options,
    fill_weights,
)
from ..primitives.in_use import HAS_THREADS, Exclusive, alone
from ..primitives.progress import ProgressClock
from ..results.final_action import best_action
from ..results.result import SearchResult
from ..results.tree_data import LiveTree
from ..seeds import seed_for
from .base import TOO_MANY_ACTIONS, Searcher, state_of, with_signature
from .strongest import leaves_place_for_net, strongest_options

if TYPE_CHECKING:
    from ..evaluator import BatchFunction

_MEGABYTE = 1 << 20
_LOOK_SECONDS = 0.05
"""Time between two checks for signals while threads search. A signal just before a wait does not end the wait."""


def _options_text() -> str:
    """Return the options as the arguments of a docstring."""
    lines = []
    for name, option in OPTIONS.items():
        default = option.default or format_value(option.kind.default)
        text = f"{name}: {option.text}. Default: {default}."
        lines.append(textwrap.fill(text, 120, initial_indent=" " * 8, subsequent_indent=" " * 12))
    return "\n".join(lines).lstrip()


@with_signature
class MCTS(Exclusive, Searcher):
    """Monte Carlo tree search for games in turns, simultaneous games and any number of players.

    Without options it is the strongest search that is known for the game. `MCTS.plain` is plain UCB1.

    Args:
        game: a game whose actions can be listed.
        seed: root of the random streams.
        evaluator: values new states in place of playouts, in Python; not together with `net`.
        estimate_seconds: most wall-clock seconds of the estimate of the number of states, on which the defaults of
            `selection`, `solver` and `transpositions` depend. It has at most a second of processor time anyway; a game
            that takes longer counts as a large one. The estimate is kept for the process.
        {options}

    One thread uses a searcher at a time, except for `stop`: `run`, `advance` and the trees of results raise BusyError
    while another call of them has not returned. So do calls from an evaluator or a game that is being searched.

    Attributes:
        parameters: the value of every option, also of those that were left out.
        net: the net that values new states, or None.

    Raises:
        ParameterError: an option is unknown, out of range, not read by this search, or does not go with another.
        TypeError: `game`, `seed`, `net` or `evaluator` is something else.
        NetFileError: the file of the net cannot be read, is damaged, or is of another game.
        UnsupportedGameError: the game's actions are too many to list, or an evaluator is given and it has no encoding.

    Example:
        >>> game = mcts.load_game("mnk")
        >>> state = game.state_from_text("xx./oo./..._x")
        >>> result = mcts.MCTS(game, seed=1).run(state, simulations=1000)
        >>> state.action_to_string(0, result.action), result.values, result.proven
        ('mark(1,3)', (100.0, 0.0), True)
    """

    NAME = "mcts"
    SUMMARY = "Monte Carlo tree search, for games whose actions can be listed"
    PARAMETERS: ClassVar[dict[str, Parameter]] = PARAMETERS
    EXPERT = tuple(name for name in PARAMETERS if name not in COMMON)

    def __init__(
        self,
        game: Game,
        *,
        seed: int = 0,
        evaluator: Evaluator | None = None,
        estimate_seconds: float = math.inf,
        **options: Unpack[SearchOptions],
    ) -> None:
        given: dict[str, Any] = dict(options)
        net = given.pop("net") if isinstance(given.get("net"), ValueNet) else None
        super().__init__(game, seed=seed, **given)
        if net is None and self.parameters["net"] is None:
            has_place = evaluator is None and leaves_place_for_net(game, self.parameters)
            net = chosen_net(game, None if has_place else NO_NET)
            self.parameters["net"] = NO_NET if net is None else SHIPPED
        else:
            net = chosen_net(game, net or self.parameters["net"])
        if evaluator is not None and not callable(getattr(evaluator, "evaluate", None)):
            raise TypeError(f"the evaluator {shown(evaluator)} has no method evaluate; see mcts.Evaluator")
        if net is not None and evaluator is not None:
            raise ParameterError("mcts: net and evaluator are given; valid: one of them")
        kind = None if evaluator is None else EVALUATOR
        if net is not None:
            kind = POLICY_NET if net.core.num_actions else NET
            if self.parameters["playout_share"] is None:
                self.parameters["playout_share"] = playout_share(game, net)
        self.net = net
        self._evaluate: BatchFunction | None = None if evaluator is None else checked(evaluator, game)
        defaults = strongest_options(game, self.parameters, kind, estimate_seconds)
        self.parameters |= defaults
        try:
            check_options(game, self.parameters, kind)
        except ParameterError as error:
            if not defaults:
                raise
            chosen = ", ".join(f"{name}={format_value(value)}" for name, value in defaults.items())
            raise ParameterError(f"{error}; defaults in {game.spec}: {chosen}") from None
        self.parameters = fill_weights(game.num_players, self.parameters)
        self._trees = [self._new_tree() for _ in range(self.parameters["threads"])]
        self._kept = False
        self._generation = 0

    @classmethod
    def plain(cls, game: Game, *, seed: int = 0, **options: Unpack[SearchOptions]) -> Self:
        """Return plain UCB1 (Kocsis and Szepesvari 2006) with some options replaced.

        It has `selection="ucb1"`, `playout="uniform"`, `solver=False`, `transpositions=False`, `leaf="playout"` and
        `leaves=0`, in every game. Arguments and errors are those of `MCTS`.
        """
        return cls(game, seed=seed, **{**PLAIN, **options})

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        return None if game.is_enumerable else TOO_MANY_ACTIONS

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

        The tree is new, unless `advance` has just led to this very state, or `keep` has kept it. With a limit on
        simulations alone, the same seed gives the same result.

        Args:
            position: a state of this searcher's game, not over; or a view of such a state, if nothing is hidden.
            limit: a `Limit`, or a number of simulations. A Limit's `memory_mb` may not be below that of this searcher,
                whose trees have their memory from the start.
            simulations: the most simulations over all threads; replaces `limit`.
            seconds: at most about so long by the wall clock, which is read about every millisecond, and with `leaves`
                between two steps of the games of a batch; after the first simulation at the earliest. Not together
                with a `Limit`.
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
        if self.parameters["gumbel_actions"] and limit.simulations is None:
            raise LimitError(
                f"gumbel_actions={self.parameters['gumbel_actions']} divides the simulations of a run, and there is no "
                "limit on them; valid: a limit on simulations, or gumbel_actions=0"
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
                # The first thread has the searcher's own seed.
                tree.set_root(state, seed_for(self.seed, number) if number else self.seed)
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
            True if the trees of all threads have the state; else the next run begins with new ones.

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

    @alone
    def keep(self) -> None:
        """Keep the tree of the last run, so that the next one of the same state adds to it.

        Raises:
            StateError: nothing has been searched yet.
            BusyError: another thread runs this searcher, or this is called from within a run.
        """
        if self._trees[0].root_state() is None:
            raise StateError("keep follows a run: nothing has been searched yet")
        self._kept = True

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

    def _new_tree(self) -> Search:
        options = self.parameters
        return Search(
            self.game,
            options,
            memory_bytes=options["memory_mb"] * _MEGABYTE // options["threads"],
            batch_size=0 if self._evaluate is None else options["batch_size"],
            net=None if self.net is None else self.net.core,
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
        if not HAS_THREADS:
            return self._simulate_in_turn(shares, seconds, on_pause)
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
            except BaseException as error:  # from a signal handler, or because the system starts no more threads
                interrupted = isinstance(error, KeyboardInterrupt)
                given_up = not begun.is_set()
                begun.set()
                stop()
                if not interrupted:
                    raise
        runs = [(done, ended), *(job.result() for job in jobs)]
        return sum(done for done, _ in runs), interrupted or any(ended for _, ended in runs)

    def _simulate_in_turn(
        self, shares: Sequence[int], seconds: float, on_pause: Callable[[int, int], None] | None
    ) -> tuple[int, bool]:
        """Run one tree after the other, each for its share of the simulations and of the time."""
        total = 0
        for number, (tree, share) in enumerate(zip(self._trees, shares, strict=True)):
            pause = None if on_pause is None else partial(on_pause, number)
            done, ended = self._run_tree(tree, share, seconds / len(shares), pause)
            total += done
            if ended:
                return total, True
        return total, False

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
        record = trees[0].root_record() if len(trees) == 1 else sum_of_roots(trees)
        found = SearchResult(
            state=state,
            player=player,
            simulations=done,
            seconds=time.perf_counter() - begin,
            nodes=record.nodes,
            memory_bytes=record.memory_bytes,
            final=self.parameters["final"],
            seed=self.seed,
            temperature=self._temperature_at(state),
            interrupted=interrupted,
            record=record,
            live_tree=live_tree,
        )
        # Else the line of the record begins with the action that is played, unless that is drawn.
        if len(trees) > 1 or record.visits == 0 or found.final in ("value", "lcb"):
            first = NOOP if found.is_drawn else best_action(found.arms[player], found.final)
            found.line = _most_visited(trees).principal_variation(first)
        return found


def _most_visited(trees: Sequence[Search]) -> Search:
    return max(trees, key=lambda tree: tree.visits)


MCTS.__doc__ = (MCTS.__doc__ or "").replace("{options}", _options_text())
SEARCHER = MCTS
