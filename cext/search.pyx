"""One search tree of one thread, as Python sees it."""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from .batches cimport abandon, collect, deliver, set_priors
from .game cimport Game, MAX_PLAYERS, NO_ACTION, State, copy_state, equal_states, game_t
from .graph cimport open_node
from .kernel cimport (DECISIVE, GAME_FAILED, MAST, NOBODY, OUT_OF_MEMORY, UNIFORM, evaluate, expand, is_decided,
                      is_proven, leaf_t, move_t, run_until, search_t, step_t, take_value)
from .policies cimport (DUCB1, DUCB1_TUNED, EXP3, GRAVE, PUCT, REGRET_MATCHING, THOMPSON, UCB1, UCB1_TUNED, VALUE_SCALE,
                        VALUE_UNIT)
from .proofs cimport leading_arm
from .rng cimport rng_seed
from .solver cimport solve_cells
from .tree cimport (NO_NODE, PROVEN, arm_child, arm_value, arm_visits, block_t, cell_in_slot, cell_sums, cell_t,
                    find_cell, first_block, joint_action, joint_strategy, joint_value, joint_visits, next_block,
                    node_actions, node_at, node_lower, node_place, node_sums, node_t, node_upper, record_t, shape_t,
                    tree_clear, tree_free, tree_init, tree_keep, tree_t)

from heapq import heappop, heappush

import numpy as np

cdef extern from "clock.h" nogil:
    double playout_seconds() noexcept

cdef extern from "lock.h" nogil:
    bint read_flag "playout_read_flag"(const int *flag) noexcept
    void write_flag "playout_write_flag"(int *flag, int value) noexcept
    void lock "playout_lock"(int *lock) noexcept
    void unlock "playout_unlock"(int *lock) noexcept

SELECTIONS = {"ucb1": UCB1, "ucb1_tuned": UCB1_TUNED, "puct": PUCT, "thompson": THOMPSON, "grave": GRAVE}
JOINT_SELECTIONS = {"regret_matching": REGRET_MATCHING, "exp3": EXP3, "ducb1": DUCB1, "ducb1_tuned": DUCB1_TUNED}
PLAYOUTS = {"uniform": UNIFORM, "decisive": DECISIVE, "mast": MAST}

cdef double SIGNAL_SECONDS = 0.02   # between two looks at the signals, which need the GIL


def _trust_the_surest(rows, proven):
    """Move weight from arms worth no more than another one surely brings to that one, which is searched no further."""
    best = max(range(len(rows)), key=lambda i: (rows[i][4], rows[i][1]))
    surest = rows[best]
    moved = 0.0
    for i, (action, visits, value, weight, lower, upper) in enumerate(rows):
        if i != best and weight > 0.0 and (upper <= surest[4] or value < surest[4] * visits):
            rows[i] = (action, visits, value, 0.0, lower, upper)
            moved += weight
    weight = surest[3] + moved
    rows[best] = (*surest[:3], 1.0 if proven and weight == 0.0 else weight, *surest[4:])
    return rows


@cython.no_gc_clear             # __dealloc__ needs the game
cdef class Search:
    """One search tree of one thread.

    Args:
        game: a Game whose actions can be listed.
        selection, joint_selection, playout: names in SELECTIONS, JOINT_SELECTIONS and PLAYOUTS.
        exploration: weight of the exploration term.
        solve: keep proven bounds, skip what cannot matter, and stop when the root is proven.
        graph: merge nodes of equal states.
        early: stop when the most visited action can no longer change (never where several players decide).
        shared: other searches will follow this one in its tree, each in a thread of its own. For selection ucb1 or
            puct, games that are not in Python, playouts that do not learn, no graph.
        leader: the shared search whose tree this one searches.
        batch_size: most states that are evaluated at once, by `run_evaluated`; 0: states are played out, by `run`.
        memory_bytes: cap of the tree's pool.
    """

    cdef readonly Game game
    cdef readonly int32_t batch_size
    cdef Search leader                  # whose tree this searches, or None for one of its own
    cdef search_t search

    def __cinit__(self, Game game, *, selection, joint_selection, playout, double exploration, bint solve,
                  bint graph, uint64_t memory_bytes, bint early=False, int32_t batch_size=0, bint shared=False,
                  Search leader=None):
        cdef search_t *search = &self.search
        cdef int32_t records = game.table.num_players * game.table.num_actions
        cdef shape_t shape
        memset(search, 0, sizeof(search_t))
        if game.table.legal_actions == NULL:
            raise TypeError(f"the actions of {game.name} are too many to list")
        self.game = game
        search.game = &game.table
        search.config.selection = SELECTIONS[selection]
        search.config.joint_selection = JOINT_SELECTIONS[joint_selection]
        search.config.playout = PLAYOUTS[playout]
        search.config.exploration = exploration
        search.config.paranoid = NOBODY
        search.config.record = search.config.selection == GRAVE or search.config.playout == MAST
        search.config.solve = solve
        search.config.graph = graph
        search.config.early = early
        search.config.evaluated = batch_size > 0
        self.batch_size = batch_size
        if batch_size and (game.table.encode == NULL or search.config.selection != PUCT or graph):
            raise TypeError("evaluation needs a game with an encoding, selection puct and no graph")
        shape.bounded = solve
        shape.graph = graph
        shape.priors = search.config.selection == PUCT
        shape.shared = shared
        self.leader = leader
        shape.squared = search.config.selection == UCB1_TUNED
        shape.memory_bytes = sizeof(record_t) * records
        search.solver.zero_sum = (game.table.num_players == 2
                                  and game.utility_sum == game.table.min_utility + game.table.max_utility)
        search.config.pursue = solve and search.solver.zero_sum
        # What is remembered of actions wherever they are played would be mixed up by turning states.
        search.config.images = graph and game.table.canonical != NULL and not search.config.record
        search.config.plain = not (solve or graph or shared or leader is not None or batch_size
                                   or search.config.record or search.config.selection != UCB1)
        search.utility_scale = VALUE_SCALE / (game.table.max_utility - game.table.min_utility)
        search.tree = <tree_t *> calloc(1, sizeof(tree_t)) if leader is None else leader.search.tree
        search.path_capacity = 64
        if batch_size:
            search.leaves = <leaf_t *> calloc(batch_size, sizeof(leaf_t))
            if search.leaves == NULL:
                raise MemoryError
        search.path = <step_t *> malloc(sizeof(step_t) * search.path_capacity)
        search.move_capacity = 64
        search.moves = <move_t *> malloc(sizeof(move_t) * search.move_capacity)
        search.mast = <record_t *> calloc(records, sizeof(record_t)) if search.config.playout == MAST else NULL
        search.replies = <int32_t *> malloc(sizeof(int32_t) * game.table.max_legal)
        search.trial = calloc(2, game.table.state_size)
        search.root_state = calloc(1, game.table.state_size)
        search.state = calloc(1, game.table.state_size)
        search.legal = <int32_t *> malloc(sizeof(int32_t) * game.table.num_players * game.table.max_legal)
        search.weights = <double *> malloc(sizeof(double) * game.table.num_players * game.table.max_legal)
        search.expected = <double *> malloc(sizeof(double) * game.table.num_players * game.table.max_legal)
        if (search.moves == NULL or search.replies == NULL or search.trial == NULL or search.weights == NULL
                or search.expected == NULL or search.legal == NULL or search.path == NULL or search.root_state == NULL
                or search.state == NULL or (search.mast == NULL and search.config.playout == MAST)
                or search.tree == NULL
                or (leader is None and tree_init(search.tree, game.table.num_players, shape, memory_bytes) != 0)):
            raise MemoryError

    def __dealloc__(self):
        if self.game is not None and self.game.table.release != NULL and self.search.state != NULL:
            self.game.table.release(&self.game.table, self.search.root_state)
            self.game.table.release(&self.game.table, self.search.state)
            if self.search.trial != NULL:
                self.game.table.release(&self.game.table, self.search.trial)
                self.game.table.release(&self.game.table, <char *> self.search.trial + self.game.table.state_size)
        if self.search.leaves != NULL:
            for leaf in range(self.batch_size):
                free(self.search.leaves[leaf].path)
        free(self.search.leaves)
        free(self.search.trial)
        free(self.search.replies)
        free(self.search.moves)
        free(self.search.mast)
        free(self.search.path)
        free(self.search.root_state)
        free(self.search.state)
        free(self.search.legal)
        free(self.search.weights)
        free(self.search.expected)
        free(self.search.solver.work)
        if self.leader is None and self.search.tree != NULL:
            tree_free(self.search.tree)
            free(self.search.tree)

    def plant(self, State state, uint64_t seed, int paranoid=NOBODY):
        """Begin a new tree at a state that is not over.

        paranoid: the player whom all others are taken to play against, or -1 where every player plays for itself.
        """
        cdef search_t *search = &self.search
        cdef uint32_t acting
        search.root = NO_NODE
        search.config.paranoid = paranoid
        search.config.plain = search.config.plain and paranoid == NOBODY
        copy_state(&self.game.table, search.root_state, state.data)
        rng_seed(&search.rng, seed)
        tree_clear(search.tree)
        if search.mast != NULL:
            memset(search.mast, 0, sizeof(record_t) * self.game.table.num_players * self.game.table.num_actions)
        copy_state(&self.game.table, search.state, search.root_state)
        acting = self.game.table.acting(&self.game.table, search.state)
        self.game.reraise()         # a failed game names no player, and a node needs one
        search.root = expand(search, acting)
        self.game.reraise()
        if search.root == NO_NODE:
            raise MemoryError("the memory cap does not even hold the root of the search tree")
        if search.config.graph:
            hash = self.game.table.hash(&self.game.table, search.root_state)
            if node_at(search.tree, search.root).flags & PROVEN:
                take_value(search, node_at(search.tree, search.root))
            else:
                evaluate(search, False)
            self.game.reraise()
            open_node(search, search.root, hash)

    def follow(self, uint64_t seed):
        """Stand where the leader stands, with a random stream of its own."""
        cdef search_t *search = &self.search
        copy_state(&self.game.table, search.root_state, self.leader.search.root_state)
        rng_seed(&search.rng, seed)
        search.config.paranoid = self.leader.search.config.paranoid
        search.root = self.leader.search.root

    def stands_at(self, State state):
        """True when the root of the tree is this very state."""
        if self.search.root == NO_NODE:
            return False
        equal = equal_states(&self.game.table, self.search.root_state, state.data)
        self.game.reraise()
        return equal

    def root_state(self):
        """A copy of the state at the root, or None before the first search."""
        if self.search.root == NO_NODE:
            return None
        cdef State state = self.game.new_initial_state()
        copy_state(&self.game.table, state.data, self.search.root_state)
        return state

    def advance(self, joint):
        """Play a joint action at the root and keep the tree below it.

        Args:
            joint: one legal action per player, NO_ACTION for those who do not decide.

        Returns:
            True when a subtree was kept, False when there was none.
        """
        cdef search_t *search = &self.search
        cdef int32_t packed[MAX_PLAYERS]
        cdef int32_t player
        cdef uint32_t child
        if search.root == NO_NODE:
            return False
        for player in range(self.game.table.num_players):
            packed[player] = joint[player]
        child = self._child_of_root(packed)
        self.game.table.apply(&self.game.table, search.root_state, packed)
        self.game.reraise()
        if child == NO_NODE:
            search.root = NO_NODE
            tree_clear(search.tree)
            return False
        if tree_keep(search.tree, child) != 0:
            raise MemoryError
        search.root = 1
        if search.config.images:
            self._turn_root()
        return True

    cdef int _turn_root(self) except -1:
        """Let the new root, which speaks of the state that stands for all its images, speak of the state it is.

        No other way will lead to it any more.
        """
        cdef search_t *search = &self.search
        cdef node_t *root = node_at(search.tree, search.root)
        cdef block_t *block = first_block(search.tree, root)
        cdef const game_t *game = &self.game.table
        cdef int32_t symmetry, arm, _
        copy_state(game, search.state, search.root_state)
        symmetry = game.canonical(game, search.state)
        if symmetry == 0 or root.blocks == 0:
            return 0
        node_place(search.tree, root).hash = game.hash(game, search.root_state)
        if root.blocks == 1:
            names = self._true_actions(symmetry, root.mover)
            for arm in range(<int32_t> root.joints):
                node_actions(search.tree, root)[arm] = names[node_actions(search.tree, root)[arm]]
            return 0
        for _ in range(root.blocks):
            names = self._true_actions(symmetry, block.player)
            for arm in range(block.count):
                joint_action(block)[arm] = names[joint_action(block)[arm]]
            block = next_block(block)
        return 0

    cdef dict _true_actions(self, int32_t symmetry, int32_t player):
        """What the symmetry makes of a player's actions at the root -> these."""
        cdef const game_t *game = &self.game.table
        cdef int32_t i, count = game.legal_actions(game, self.search.root_state, player, self.search.legal)
        return {game.transform_action(game, symmetry, player, self.search.legal[i]): self.search.legal[i]
                for i in range(count)}

    cdef uint32_t _child_of_root(self, const int32_t *joint):
        cdef node_t *root = node_at(self.search.tree, self.search.root)
        cdef block_t *block = first_block(self.search.tree, root)
        cdef uint32_t index = 0
        cdef int32_t arm, _
        cdef cell_t *cell
        if root.blocks == 1:
            for arm in range(<int32_t> root.used):
                if node_actions(self.search.tree, root)[arm] == joint[root.mover]:
                    return arm_child(self.search.tree, root)[arm]
            return NO_NODE
        for _ in range(root.blocks):
            arm = 0
            while joint_action(block)[arm] != joint[block.player]:
                arm += 1
            index = index * <uint32_t> block.count + <uint32_t> arm
            block = next_block(block)
        cell = find_cell(self.search.tree, root, index)
        return NO_NODE if cell == NULL else cell.child

    def run(self, int64_t simulations, double seconds, on_pause=None):
        """Simulate without the GIL; Ctrl-C ends it.

        Args:
            simulations: at most so many.
            seconds: at most about so long; looked at every 256 simulations.
            on_pause: called about every 20 ms with the simulations done so far. Between two simulations the tree may be
                read, and must not be changed. An exception in it ends the run and comes out as it is.

        Returns:
            (simulations done, True if Ctrl-C ended it)
        """
        cdef search_t *search = &self.search
        cdef double deadline = playout_seconds() + seconds, pause
        cdef int64_t done = 0
        cdef int failed = 0
        while done < simulations and not read_flag(&search.stop) and not is_proven(search):
            pause = min(deadline, playout_seconds() + SIGNAL_SECONDS)
            if search.game.failed != NULL:      # calls Python all the time: giving the GIL up and back would cost more
                failed = run_until(search, &done, simulations, pause)
            else:
                with nogil:
                    failed = run_until(search, &done, simulations, pause)
            if failed == OUT_OF_MEMORY:
                raise MemoryError
            try:
                if failed == GAME_FAILED:
                    self.game.reraise()
                PyErr_CheckSignals()
                if on_pause is not None:
                    on_pause(done)
            except KeyboardInterrupt:
                return done, True
            except BaseException:       # the failed simulation has left half-made arms and nodes
                search.root = NO_NODE
                tree_clear(search.tree)
                raise
            if playout_seconds() >= deadline or (search.config.early and is_decided(search, simulations - done)):
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
        """
        cdef search_t *search = &self.search
        cdef double deadline = playout_seconds() + seconds, pause = playout_seconds() + SIGNAL_SECONDS
        cdef int64_t done = 0
        cdef int failed
        cdef const float[:, ::1] priors
        cdef const double[:, ::1] values
        encoded = np.empty((self.batch_size, self.game.table.encoding_size), dtype=np.float32)
        cdef float[:, ::1] buffer = encoded
        cdef node_t *root = node_at(search.tree, search.root)
        search.encoded = &buffer[0, 0]
        try:
            if root.blocks == 1 and root.visits == 0:
                search.game.encode(search.game, search.root_state, search.encoded)
                self.game.reraise()
                priors, _ = evaluate_batch(encoded[:1])
                set_priors(search, root, &priors[0, 0])
            while (done < simulations and not read_flag(&search.stop) and not is_proven(search)
                   and playout_seconds() < deadline):
                failed = collect(search, self.batch_size, simulations, &done)
                if failed == OUT_OF_MEMORY:
                    raise MemoryError
                if failed == GAME_FAILED:
                    self.game.reraise()
                if search.config.early and is_decided(search, simulations - done):
                    break
                if search.waiting:
                    priors, values = evaluate_batch(encoded[:search.waiting])
                    done += search.waiting
                    deliver(search, &priors[0, 0], &values[0, 0])
                PyErr_CheckSignals()
                if on_pause is not None and playout_seconds() >= pause:
                    on_pause(done)
                    pause = playout_seconds() + SIGNAL_SECONDS
        except KeyboardInterrupt:
            return done, True
        finally:
            abandon(search)
            search.encoded = NULL
        return done, False

    def stop(self, bint now=True):
        """End a run in another thread at its next look at the clock; `stop(False)` allows runs again."""
        write_flag(&self.search.stop, now)

    @property
    def nodes(self):
        """Nodes in the tree."""
        return self.search.tree.nodes

    @property
    def memory_bytes(self):
        """Bytes of the pool in use."""
        return 8 * self.search.tree.used

    @property
    def visits(self):
        """Simulations through the root."""
        return 0 if self.search.root == NO_NODE else node_at(self.search.tree, self.search.root).visits

    @property
    def proven(self):
        """True when the value of the root is exact."""
        return self.search.root != NO_NODE and is_proven(&self.search)

    def bounds(self):
        """Per player, the proven (lower, upper) bounds of the root's value in [0, 1]."""
        cdef tree_t *tree = self.search.tree
        cdef node_t *root = node_at(tree, self.search.root)
        cdef int32_t player
        if not tree.bounded:
            return [(0.0, 1.0)] * self.game.table.num_players
        return [(node_lower(tree, root)[player] * VALUE_UNIT, node_upper(tree, root)[player] * VALUE_UNIT)
                for player in range(self.game.table.num_players)]

    def value_sums(self):
        """Per player, the sum over simulations of values in [0, 1]."""
        cdef node_t *root = node_at(self.search.tree, self.search.root)
        cdef int32_t player
        return [<double> node_sums(root)[player] * VALUE_UNIT for player in range(self.game.table.num_players)]

    def root_arms(self):
        """The statistics of the root.

        Returns:
            dict player -> list of (action, visits, sum of values in [0, 1], weight in the mixed strategy, lower bound,
            upper bound), by ascending action. The weight is exact where the root is proven and several decide, else the
            regret-matching average where that is used, else the number of visits; where one decides, those of arms that
            are worth no more than what another one surely brings count for that one. Bounds are on the deciding
            player's value; 0 and 1 where nothing is proven.
        """
        cdef tree_t *tree = self.search.tree
        cdef node_t *root = node_at(tree, self.search.root)
        cdef block_t *block = first_block(tree, root)
        cdef int32_t _
        if root.blocks == 1:
            return {root.mover: sorted(self._single_rows(root))}
        found = {}
        exact = self._exact_strategies(root)
        for _ in range(root.blocks):
            rows = self._block_rows(block)
            if exact is not None:
                rows = [(*row[:3], weight, *row[4:]) for row, weight in zip(rows, exact[len(found)], strict=True)]
            found[block.player] = sorted(rows)
            block = next_block(block)
        return found

    cdef object _exact_strategies(self, node_t *node):
        """The players' optimal strategies at a proven node where two decide at once, else None.

        The first player's is optimal against the lower bounds of the cells, the second's against the upper ones: where
        the value is proven, each then gets it whatever the open cells turn out to be.
        """
        cdef double *strategies[2]
        cdef block_t *block = first_block(self.search.tree, node)
        cdef int32_t arm
        cdef bint side
        if not (node.flags & PROVEN and node.blocks == 2):
            return None
        found = []
        for side in range(2):
            if not solve_cells(&self.search.solver, self.search.tree, node, side, strategies):
                raise MemoryError
            found.append([strategies[side][arm] for arm in range(block.count)])
            block = next_block(block)
        return found

    cdef list _single_rows(self, node_t *node):
        cdef tree_t *tree = self.search.tree
        cdef uint32_t arm
        rows = []
        for arm in range(node.joints):
            action = node_actions(tree, node)[arm]
            lower, upper = 0.0, 1.0
            if arm < node.used:
                visits = arm_visits(tree, node)[arm]
                child = arm_child(tree, node)[arm]
                if tree.bounded and child != NO_NODE:
                    lower = node_lower(tree, node_at(tree, child))[node.mover] * VALUE_UNIT
                    upper = node_upper(tree, node_at(tree, child))[node.mover] * VALUE_UNIT
                rows.append((action, visits, arm_value(tree, node)[arm] * VALUE_UNIT, float(visits), lower, upper))
            else:
                rows.append((action, 0, 0.0, 0.0, lower, upper))
        return _trust_the_surest(rows, node.flags & PROVEN != 0) if self.search.config.pursue else rows

    cdef list _block_rows(self, block_t *block):
        cdef int32_t arm
        averaged = self.search.config.joint_selection in (REGRET_MATCHING, EXP3)
        return [(joint_action(block)[arm], joint_visits(block)[arm], joint_value(block)[arm] * VALUE_UNIT,
                 joint_strategy(block)[arm] if averaged else float(joint_visits(block)[arm]), 0.0, 1.0)
                for arm in range(block.count)]

    def hold(self):
        """Keep other threads out of a shared tree until `release`, so that this one may read it. For a moment only."""
        if self.search.tree.shared:
            with nogil:
                lock(&self.search.tree.lock)

    def release(self):
        """Let other threads go on in a shared tree."""
        if self.search.tree.shared:
            unlock(&self.search.tree.lock)

    def principal_variation(self, int32_t first=NO_ACTION):
        """The line of most visits (of most weight in the mixed strategy, where several decide), up to a repetition.

        With the solver, an arm that surely brings more than the most visited one goes before it.

        Args:
            first: the action that the line begins with, where one player decides at the root; NO_ACTION: as above.

        Returns:
            A list of joint actions, tuples with NO_ACTION for players that do not decide.
        """
        cdef search_t *search = &self.search
        cdef tree_t *tree = search.tree
        cdef const game_t *game = &self.game.table
        cdef uint32_t at = search.root, index, arm
        cdef int32_t joint[MAX_PLAYERS]
        cdef int32_t player, symmetry = 0
        cdef State state = self.root_state()
        cdef node_t *node
        cdef block_t *block
        cdef cell_t *cell
        line = []
        passed = set()
        if node_at(tree, at).blocks != 1:
            first = NO_ACTION
        while at != NO_NODE and at not in passed:
            passed.add(at)
            node = node_at(tree, at)
            if first == NO_ACTION and node.used == 0:   # the end of the game, or a node whose arms are all untried
                break
            for player in range(game.num_players):
                joint[player] = NO_ACTION
            if node.blocks == 1 and first != NO_ACTION:
                joint[node.mover] = first
                at = NO_NODE
                for arm in range(node.used):
                    if node_actions(tree, node)[arm] == first:
                        at = arm_child(tree, node)[arm]
                first = NO_ACTION
            elif node.blocks == 1:
                index = leading_arm(tree, node)
                joint[node.mover] = node_actions(tree, node)[index]
                at = arm_child(tree, node)[index]
            else:
                index = 0
                block = first_block(tree, node)
                exact = self._exact_strategies(node)
                for player in range(node.blocks):
                    weights = [row[3] for row in self._block_rows(block)] if exact is None else exact[player]
                    arm = weights.index(max(weights))
                    joint[block.player] = joint_action(block)[arm]
                    index = index * <uint32_t> block.count + arm
                    block = next_block(block)
                cell = find_cell(tree, node, index)
                at = NO_NODE if cell == NULL else cell.child
            if symmetry:            # the node speaks of another image than the line has come to
                for player in range(game.num_players):
                    if joint[player] != NO_ACTION:
                        joint[player] = {self.game.transform_action(symmetry, player, action): action
                                         for action in state.legal_actions(player)}[joint[player]]
            line.append(tuple([joint[player] for player in range(game.num_players)]))
            if search.config.images:
                state.apply_actions(line[-1])
                symmetry = state.canonical()[1]
        return line

    def tree(self, int max_depth, int64_t max_nodes):
        """What stands in the tree at and below its root, the most visited first.

        Args:
            max_depth: actions below the root, 0 for the root alone.
            max_nodes: most states, the root among them. Those left out have the fewest visits.

        Returns:
            The root, None before the first search. A state is a dict of `visits`; `acting`, the players that decide;
            `values`, the mean per player in [0, 1], or None; `bounds`, (lower, upper) per player where they are kept,
            else None; `blocks`, where several decide per player (player, [(action, visits, weight), ...]) as in
            `root_arms`; `arms`, by descending visits; and `left_out`, how many more arms have been visited. An arm is
            a dict of `joint`, the joint action with NO_ACTION for those who do not decide; `visits`; `values`, the
            mean per player in [0, 1], None for those it is not kept of; and `child`, a state, or None where the tree
            has no node. A node that several arms lead to stands below each. Where images of states share a node,
            which the root's entry `images` tells, nodes below the root speak of the canonical image of their state.
        """
        cdef tree_t *tree = self.search.tree
        cdef uint32_t index, key, at
        cdef int32_t player, digit, num_players = self.game.table.num_players
        cdef node_t *node
        cdef block_t *block
        cdef cell_t *cell
        found, order = None, 0
        open_arms = [(0, 0, 0, None, None, self.search.root)] if self.search.root != NO_NODE else []
        while open_arms and max_nodes > 0:
            _, _, depth, parent, arm, index = heappop(open_arms)
            max_nodes -= 1
            if arm is not None:
                parent["arms"].append(arm)
                parent["left_out"] -= 1
            if index == NO_NODE:
                continue
            node = node_at(tree, index)
            entry = {"visits": node.visits, "acting": [], "values": None, "bounds": None, "blocks": [], "arms": [],
                     "left_out": 0}
            if arm is None:
                found = entry
                entry["images"] = bool(self.search.config.images)
            else:
                arm["child"] = entry
                if node.blocks == 0:            # the end of the game: the node does not count
                    entry["visits"] = arm["visits"]
            entry["acting"] = [player for player in range(num_players) if node.acting >> player & 1]
            if node.visits:
                entry["values"] = [node_sums(node)[player] * VALUE_UNIT / node.visits for player in range(num_players)]
            if tree.bounded:
                entry["bounds"] = [(node_lower(tree, node)[player] * VALUE_UNIT,
                                    node_upper(tree, node)[player] * VALUE_UNIT) for player in range(num_players)]
            rows = []
            if node.blocks == 1:
                for at in range(node.used):
                    visits = arm_visits(tree, node)[at]
                    if visits:
                        joint, values = [NO_ACTION] * num_players, [None] * num_players
                        joint[node.mover] = node_actions(tree, node)[at]
                        values[node.mover] = arm_value(tree, node)[at] * VALUE_UNIT / visits
                        rows.append((visits, joint, values, arm_child(tree, node)[at]))
            elif node.blocks > 1:
                exact = self._exact_strategies(node)
                block = first_block(tree, node)
                for digit in range(node.blocks):
                    entry["blocks"].append((block.player, [
                        (row[0], row[1], row[3] if exact is None else exact[digit][number])
                        for number, row in enumerate(self._block_rows(block))]))
                    block = next_block(block)
                for at in range(node.slots):
                    cell = cell_in_slot(tree, node, at)
                    if cell.key and cell.visits:
                        joint, key = [NO_ACTION] * num_players, cell.key - 1
                        for player, actions in reversed(entry["blocks"]):
                            joint[player] = actions[key % <uint32_t> len(actions)][0]
                            key //= <uint32_t> len(actions)
                        values = [cell_sums(cell)[player] * VALUE_UNIT / cell.visits for player in range(num_players)]
                        rows.append((cell.visits, joint, values, cell.child))
            entry["left_out"] = len(rows)
            if depth < max_depth:
                for visits, joint, values, child in rows:
                    order += 1
                    below = {"joint": joint, "visits": visits, "values": values, "child": None}
                    heappush(open_arms, (-visits, order, depth + 1, entry, below, child))
        return found
