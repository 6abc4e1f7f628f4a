"""One search tree of one thread, as Python sees it."""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..game.game cimport State, new_state, same_game
from ..game.game_table cimport MAX_ENTRIES, NO_ACTION, copy_state, equal_states
from ..primitives.clock cimport playout_seconds
from ..primitives.lock cimport read_flag, write_flag
from ..primitives.rng cimport rng_seed
from .compaction cimport keep_below
from .evaluation_batches cimport abandon, add_root_noise, collect, take_answer
from .halving cimport begin_halving
from .leaf_batches cimport run_batches, run_late
from .leaves cimport evaluate, expand, judge
from .root_record cimport copy_root, sum_of
from .roots cimport child_of_root, map_root_actions
from .search_loop cimport is_decided, is_proven, run_until
from .search_memory cimport SearchMemory
from .search_state cimport (GAME_FAILED, GUIDED, LATE, LEAF, OUT_OF_MEMORY, SYMMETRIES, TRANSPOSITIONS, WIDE, search_t,
                            set_exact_value)
from .statistics cimport find_line, line_joints, line_t, read_tree
from .transpositions cimport open_node
from .tree cimport CHANCE_NODE, NO_NODE, PROVEN, node_actions, node_at, node_priors, node_t, tree_clear

from ..arguments import seed_bits
from ..errors import StateError

ctypedef int (*run_t)(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil

cdef double SIGNAL_SECONDS = 0.02   # between two looks at the signals, which need the GIL


def sum_of_roots(searches):
    """Return the sum of the statistics of several trees with the same root, as a RootRecord without a line.

    Args:
        searches: at least one, of the same game and state.

    Raises:
        StateError: a search has no root.
        TypeError: one is something else.
        ValueError: the searches have different roots, or there is none.
    """
    records = [(<Search?> search).root_record(False) for search in searches]
    if not records:
        raise ValueError("no search is given; valid: at least one")
    return sum_of(records)


@cython.no_gc_clear             # __dealloc__ needs the game
cdef class Search(SearchMemory):
    """One search tree of one thread.

    Args:
        game: a Game whose actions can be listed.
        options: name -> value of every option of a search, as `mcts.options.plain_options` returns them. Options that
            concern several trees, the choice of the action or the evaluator are not read.
        memory_bytes: cap of the tree's pool. A game that computes many states at once (`apply_each`) has up to a
            quarter of that beside it, at most KEPT_BYTES, for states that it has computed.
        batch_size: most states that are evaluated at once, by `run_evaluated`; 0: states are played out, by `run`.
        net: gives new states their values instead of playouts, or None. Its outputs are the values of the players, or
            of the first one in a game of two with opposite interests. Not with a batch_size, and with uniform playouts.
            If it has a policy and the selection reads priors, each new state has its priors, and there are no
            transpositions.

    One thread uses a search at a time, except for `stop`. Other uses raise BusyError, as do calls from an evaluator or
    from the code of a game within a run. Methods that read the root raise StateError if there is none.

    Raises:
        KeyError: an option is missing.
        TypeError: options that do not go together, or not with the game.
        ValueError: an option out of range.
    """

    cdef uint64_t roots                 # how many roots the tree has had
    cdef uint64_t noisy_root            # the root that has its noise, counted by `roots`

    # ---- Helpers of the methods below, which are called by a thread that has `users`.

    cdef void add_noise(self) noexcept:
        """Add noise to the priors of the root, once for each root where one player decides."""
        cdef node_t *root = node_at(self.search.tree, self.search.root)
        if self.root_noise > 0.0 and root.blocks == 1 and self.noisy_root != self.roots:
            add_root_noise(&self.search, root, self.root_noise, self.noise_alpha or 10.0 / root.num_choices)
            self.noisy_root = self.roots

    cdef bint has_root(self) noexcept:
        return self.search.root != NO_NODE

    cdef int check_root(self) except -1:
        if not self.has_root():
            raise StateError("the search has no root yet: call set_root first")
        return 0

    cdef void forget_root(self) noexcept:
        self.search.root = NO_NODE
        self.search.halving.is_open = False
        self.roots += 1
        tree_clear(self.search.tree)

    # ---- Changes of the root. They take `turn` and `users`, and raise BusyError during a run, in its pauses too.

    def set_root(self, State state not None, seed):
        """Begin a new tree at a state that is not over.

        Args:
            state: of the game of this search.
            seed: of the random stream.

        Raises:
            StateError: the game is over, or the state is of another game.
            MemoryError: the memory cap does not hold the root.
        """
        cdef uint64_t bits = seed_bits(seed)
        cdef State copy = state.clone()
        if not same_game(copy.game, self.game):
            raise StateError(f"this search is of {self.game.spec}, not of {copy.game.spec}")
        self.begin_turn()
        try:
            self.forget_root()
            self._set_root(copy, bits)
        except BaseException:
            self.forget_root()
            raise
        finally:
            self.end_turn()

    cdef int _set_root(self, State state, uint64_t seed) except -1:
        cdef search_t *search = &self.search
        cdef uint32_t acting
        copy_state(&self.game.table, search.root_state, state.data)
        rng_seed(&search.rng, seed)
        if search.playout_memory != NULL:
            memset(search.playout_memory, 0, search.config.playout.memory_size(search.game))
        copy_state(&self.game.table, search.state, search.root_state)
        acting = self.game.table.acting(&self.game.table, search.state)
        self.game.reraise()         # a failed game names no player, and a node needs one
        if acting == 0:
            raise StateError(f"the game {self.game.spec} is over: there is nothing to search")
        search.root = expand(search, acting)
        self.game.reraise()
        if search.root == NO_NODE:
            raise MemoryError("the memory cap does not even hold the root of the search tree")
        if search.features & LEAF == GUIDED:
            judge(search, node_at(search.tree, search.root))
            self.game.reraise()
        if search.features & TRANSPOSITIONS:
            search.hash = self.game.table.hash(&self.game.table, search.root_state)
            if node_at(search.tree, search.root).flags & PROVEN:
                set_exact_value(search, node_at(search.tree, search.root))
            else:
                evaluate(search, False)
            self.game.reraise()
            open_node(search, search.root, 0)
        return 0

    cdef State _root_state(self):
        cdef State state = new_state(self.game)
        copy_state(&self.game.table, state.data, self.search.root_state)
        return state

    def advance(self, joint):
        """Play a joint action at the root and keep the tree below it.

        Args:
            joint: one legal action per player, NO_ACTION for those who do not decide; where chance decides, the outcome
                follows.

        Returns:
            True when a subtree was kept, False when there was none.

        Raises:
            IllegalActionError: the joint action is not legal; the tree stays as it is.
        """
        self.begin_turn()
        try:
            return self._advance(joint) if self.has_root() else False
        finally:
            self.end_turn()

    cdef bint _advance(self, joint) except -1:
        cdef search_t *search = &self.search
        cdef int32_t packed[MAX_ENTRIES]
        cdef uint64_t version
        cdef uint32_t child
        self._root_state().read_joint(joint, packed, &version)
        child = child_of_root(search, packed)
        self.game.table.apply(&self.game.table, search.root_state, packed)
        self.game.reraise()
        if child != NO_NODE and node_at(search.tree, child).blocks == 0:     # over, or proven and shrunk to its head
            copy_state(&self.game.table, search.state, search.root_state)
            if self.game.table.acting(&self.game.table, search.state) != 0:
                child = NO_NODE
            self.game.reraise()
        if child == NO_NODE:
            self.forget_root()
            return False
        if keep_below(search.tree, &child) != 0:
            self.forget_root()
            raise MemoryError
        search.root = child
        search.halving.is_open = False
        self.roots += 1
        if search.features & SYMMETRIES:
            map_root_actions(search)
        return True

    # ---- Runs. They take `turn` and `users`, give `users` up while `on_pause` is called, and free the GIL.

    def run(self, int64_t simulations, double seconds, on_pause=None):
        """Simulate without the GIL; Ctrl-C ends it.

        Args:
            simulations: the most simulations.
            seconds: at most about so long by the wall clock. It is looked at about every millisecond between two
                simulations, and with `leaves` also between two steps of the games of a batch. A batch that is late is
                dropped, or if the run has no other one, becomes a single game. A batch that would be more than a
                twentieth late, if it takes as long as the one before, is not begun.
            on_pause: called about every 20 ms with the simulations done so far. Between two simulations the tree may be
                read, and must not be changed. An exception in it ends the run and comes out as it is.

        Returns:
            (simulations done, True if Ctrl-C ended it)

        Raises:
            StateError: there is no root.
            TypeError: this search is made for evaluations.
        """
        if self.batch_size:
            raise TypeError("this search has a batch_size and is run by run_evaluated")
        if seconds != seconds:
            raise ValueError("seconds is not a number")
        self.begin_turn()
        try:
            self.check_root()
            return self._run(simulations, seconds, on_pause)
        finally:
            self.end_turn()

    cdef tuple _run(self, int64_t simulations, double seconds, on_pause):
        cdef search_t *search = &self.search
        cdef double deadline = playout_seconds() + seconds, pause, now, late
        cdef int64_t done = 0
        cdef int failed = 0
        cdef run_t run = run_until
        if search.features & LEAF == WIDE:
            run = run_batches
        elif search.features & LEAF == LATE:
            run = run_late
        search.deadline = deadline
        search.has_played = False
        self.add_noise()
        if search.halving.most:
            copy_state(search.game, search.state, search.root_state)
            judge(search, NULL)
            self.game.reraise()
            begin_halving(search, simulations)
        while done < simulations and not read_flag(&search.stop) and not is_proven(search):
            pause = min(deadline, playout_seconds() + SIGNAL_SECONDS)
            if search.game.failed != NULL:      # calls Python all the time: giving the GIL up and back would cost more
                failed = run(search, &done, simulations, pause)
            else:
                with nogil:
                    failed = run(search, &done, simulations, pause)
            late = playout_seconds() - pause            # about the time of a batch, if that is long
            if failed == OUT_OF_MEMORY:
                raise MemoryError
            try:
                if failed == GAME_FAILED:
                    self.game.reraise()
                PyErr_CheckSignals()
                if on_pause is not None:
                    self.pause(on_pause, done)
            except KeyboardInterrupt:
                return done, True
            except BaseException:       # a simulation that failed has left half-made arms and nodes
                if failed == GAME_FAILED:
                    self.forget_root()
                raise
            now = playout_seconds()
            if now >= deadline or (search.config.early_stop and is_decided(search, simulations - done)):
                break
            if now + late > deadline + seconds / 20:
                break
        return done, False

    def run_evaluated(self, int64_t simulations, double seconds, evaluate_batch, on_pause=None):
        """Simulate with new states evaluated in batches instead of played out; Ctrl-C ends it.

        The root of a new tree is evaluated first, for its priors; that is no simulation.

        Args:
            simulations, seconds: as for `run`; the clock is looked at after every batch.
            evaluate_batch: float32 [B, encoding_size] -> (float32 [B, num_actions] priors, none negative,
                float64 [B, num_players] values in [0, 1]), both contiguous. An exception in it comes out as it is; what
                waited for it is then forgotten.
            on_pause: as for `run`, after a batch.

        Returns:
            (simulations done, True if Ctrl-C ended it)

        Raises:
            StateError: there is no root.
            TypeError: this search is made without a batch_size.
            ValueError: the arrays of evaluate_batch have a wrong shape, or values that cannot be.
        """
        if not self.batch_size:
            raise TypeError("this search has no batch_size and is run by run")
        if seconds != seconds:
            raise ValueError("seconds is not a number")
        import numpy as np

        # Memory that no array owns: nobody who keeps a batch can move it.
        encoded = np.frombuffer(bytearray(4 * self.batch_size * self.game.table.encoding_size), dtype=np.float32)
        encoded = encoded.reshape(self.batch_size, self.game.table.encoding_size)
        self.begin_turn()
        try:
            self.check_root()
            return self._run_evaluated(simulations, seconds, evaluate_batch, on_pause, encoded)
        finally:
            self.end_turn()

    cdef tuple _run_evaluated(self, int64_t simulations, double seconds, evaluate_batch, on_pause, encoded):
        cdef search_t *search = &self.search
        cdef double deadline = playout_seconds() + seconds, pause = playout_seconds() + SIGNAL_SECONDS
        cdef int64_t done = 0
        cdef int failed
        cdef float[:, ::1] buffer = encoded
        cdef node_t *root = node_at(search.tree, search.root)
        search.deadline = deadline
        search.encoded = &buffer[0, 0]
        try:
            if root.blocks == 1 and root.visits == 0 and not root.flags & CHANCE_NODE:
                search.game.encode(search.game, search.root_state, search.encoded)
                self.game.reraise()
                take_answer(search, evaluate_batch(encoded[:1]), 1, True)
            self.add_noise()
            while (done < simulations and not read_flag(&search.stop) and not is_proven(search)
                   and playout_seconds() < deadline):
                failed = collect(search, self.batch_size, simulations, &done)
                if failed == OUT_OF_MEMORY:
                    raise MemoryError
                if failed == GAME_FAILED:
                    self.game.reraise()
                if search.config.early_stop and is_decided(search, simulations - done):
                    break
                if search.waiting:
                    count = search.waiting
                    take_answer(search, evaluate_batch(encoded[:count]), count, False)
                    done += count
                PyErr_CheckSignals()
                if on_pause is not None and playout_seconds() >= pause:
                    self.pause(on_pause, done)
                    pause = playout_seconds() + SIGNAL_SECONDS
        except KeyboardInterrupt:
            return done, True
        finally:
            abandon(search, 0)
            search.encoded = NULL
        return done, False

    # ---- Safe at any time, in any thread.

    def stop(self, bint now=True):
        """End a run in another thread at its next look at the clock; `stop(False)` allows runs again."""
        write_flag(&self.search.stop, now)

    # ---- Reading. It takes `users`: others may read in pauses of a run, and get BusyError between them.

    def is_rooted_at(self, State state not None):
        """True when the root of the tree is this very state."""
        self.begin()
        try:
            state.enter()
            try:
                if not self.has_root() or not same_game(state.game, self.game):
                    return False
                equal = equal_states(&self.game.table, self.search.root_state, state.data)
                self.game.reraise()
                return equal
            finally:
                state.leave()
        finally:
            self.end()

    def root_state(self):
        """A copy of the state at the root, or None before the first search."""
        self.begin()
        try:
            return self._root_state() if self.has_root() else None
        finally:
            self.end()

    @property
    def nodes(self):
        """Nodes in the tree."""
        self.begin()
        count = self.search.tree.nodes
        self.end()
        return count

    @property
    def passes(self):
        """Number of times that the least visited nodes below this root were removed for new ones."""
        self.begin()
        count = self.search.tree.passes
        self.end()
        return count

    @property
    def memory_bytes(self):
        """Bytes of the pool in use."""
        self.begin()
        count = 8 * self.search.tree.used
        self.end()
        return count

    @property
    def visits(self):
        """Simulations through the root."""
        self.begin()
        count = node_at(self.search.tree, self.search.root).visits if self.has_root() else 0
        self.end()
        return count

    @property
    def proven(self):
        """True when the value of the root is exact."""
        self.begin()
        proven = self.has_root() and is_proven(&self.search)
        self.end()
        return proven

    def root_record(self, bint with_line=True):
        """Return a copy of the statistics of the root, as a RootRecord. with_line: with the principal variation."""
        self.begin()
        try:
            self.check_root()
            record = copy_root(&self.search, with_line)
            self.game.reraise()
            return record
        finally:
            self.end()

    def bounds(self):
        """Per player, the proven (lower, upper) bounds of the root's value in [0, 1]."""
        return self.root_record(False).bounds()

    def value_sums(self):
        """Per player, the sum over simulations of values in [0, 1]."""
        return self.root_record(False).value_sums()

    def root_arms(self):
        """The statistics of the root.

        Returns:
            dict player -> list of (action, visits, sum of values in [0, 1], weight in the mixed strategy, lower bound,
            upper bound), by ascending action. The weight is exact where the root is proven and several decide, else the
            regret-matching average where that is used, else the number of visits. Bounds are on the deciding player's
            value; 0 and 1 where nothing is proven.
        """
        return self.root_record(False).root_arms()

    def root_priors(self):
        """The priors of the actions at the root, with noise once a search has begun.

        Returns:
            dict action -> prior, by ascending action; empty where several players decide, or for a selection without
            priors.
        """
        cdef node_t *root
        self.begin()
        try:
            self.check_root()
            root = node_at(self.search.tree, self.search.root)
            if not self.search.tree.priors or root.blocks != 1:
                return {}
            return dict(sorted((node_actions(self.search.tree, root)[i], node_priors(self.search.tree, root)[i])
                               for i in range(<int32_t> root.num_choices)))
        finally:
            self.end()

    def principal_variation(self, int32_t first=NO_ACTION):
        """The line of most visits (of most weight in the mixed strategy, where several decide), up to a repetition.

        Where chance decides, it continues with the most visited outcome, which is the last entry of its joint action.
        With the solver, an arm that surely brings more than the most visited one goes before it.

        Args:
            first: the action that the line begins with, where one player decides at the root; NO_ACTION: as above.

        Returns:
            A list of joint actions, tuples with NO_ACTION for players that do not decide.
        """
        cdef line_t line
        memset(&line, 0, sizeof(line))
        self.begin()
        try:
            self.check_root()
            if first != NO_ACTION and node_at(self.search.tree, self.search.root).blocks == 1:
                self.check_first(first)
            if find_line(&self.search, first, &line) == OUT_OF_MEMORY:
                raise MemoryError
            self.game.reraise()
            return line_joints(&line, self.game.table.num_players)
        finally:
            free(line.steps)
            self.end()

    cdef int check_first(self, int32_t first) except -1:
        """Raise ValueError unless an action is legal at the root, where one player decides."""
        legal = self._root_state().legal_actions()
        if first not in legal:
            raise ValueError(f"first={first} is not legal at the root; valid: {legal}")
        return 0

    def tree(self, int max_depth, int64_t max_nodes, path=()):
        """Return the tree at and below the end of a path as plain data, the most visited states first.

        Args:
            max_depth: actions below it, 0 for that state alone.
            max_nodes: most states, the first among them. Those left out have the fewest visits.
            path: joint actions from the root, as they stand in `arms`.

        Returns:
            The state there; None before the first search, or where the tree has no node. A state is a dict of `visits`;
            `acting`, the players that decide; `values`, the mean per player in [0, 1], or None; `bounds`, (lower,
            upper) per player where they are kept, else None; `blocks`, where several decide per player (player,
            [(action, visits, weight), ...]) as in `root_arms`; `arms`, by descending visits; and `left_out`, how many
            more arms have been visited. An arm is a dict of `joint`, the joint action with NO_ACTION for those who do
            not decide, and the outcome behind them where chance decides; `probability`, that of an outcome of chance,
            else None; `visits`; `values`, the mean per player in [0, 1], None for those it is not kept of; and `child`,
            a state, or None where the tree has no node. A node that several arms lead to is repeated below each. The
            first state has an entry `symmetries`: if it is True, symmetric states share a node, and nodes below the
            root have the actions of the canonical state.
        """
        self.begin()
        try:
            return read_tree(&self.search, max_depth, max_nodes, path) if self.has_root() else None
        finally:
            self.end()
