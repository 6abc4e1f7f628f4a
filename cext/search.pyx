"""The search kernel: select, expand, play out, backpropagate. One for every game, without the GIL.

A simulation walks from the root along arms that the policies choose. An arm's first visit plays out at random from the
state behind it; its second visit makes a node there. Every player maximises its own component of the value vector
(max^n: Luckhardt and Irani 1986); where several decide at once, each chooses for itself among its own arms.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport sqrtf
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from .game cimport (Game, MAX_PLAYERS, NO_ACTION, State, copy_state, equal_states, game_t, has_failed,
                    playout_by_table)
from .policies cimport (DUCB1, REGRET_MATCHING, UCB1, VALUE_SCALE, VALUE_UNIT, joint_selection_t, mixture_t, prefetch,
                        select_decoupled_ucb1, select_regret_matching, select_ucb1, select_untried, selection_t,
                        update_regret_matching)
from .rng cimport rng_seed, rng_t
from .solver cimport solve_cells, solver_t, tighten
from .tree cimport (NO_NODE, ONE, PROVEN, arm_child, arm_mean, arm_value, arm_visits, arm_width, block_t, cell_sums,
                    cell_t, claim_cell, find_cell, first_block, joint_action, joint_strategy, joint_value, joint_visits,
                    more_arms, new_end, new_node, next_block, node_actions, node_at, node_lower, node_sums, node_t,
                    node_upper, tree_clear, tree_free, tree_init, tree_keep, tree_t)

cdef extern from "clock.h" nogil:
    double playout_seconds() noexcept

cdef extern from "arms.h" nogil:
    void playout_fill_roots() noexcept

playout_fill_roots()

SELECTIONS = {"ucb1": UCB1}
JOINT_SELECTIONS = {"regret_matching": REGRET_MATCHING, "ducb1": DUCB1}

cdef enum:
    BATCH = 256                 # simulations between two looks at the clock
    OUT_OF_MEMORY = -1
    GAME_FAILED = -2            # a game written in Python has raised

cdef double SIGNAL_SECONDS = 0.02   # between two looks at the signals, which need the GIL

cdef struct config_t:
    selection_t selection
    joint_selection_t joint_selection
    double exploration          # weight of the exploration term in the UCB policies
    bint solve                  # keep proven bounds

cdef struct step_t:             # one node on the way of a simulation
    uint32_t node
    uint32_t arm                # arm, or index of the joint action

cdef struct search_t:
    const game_t *game
    config_t config
    tree_t tree
    rng_t rng
    void *root_state            # [state_size]
    void *state                 # [state_size], where the running simulation stands
    int32_t *legal              # [num_players * max_legal], scratch
    double *weights             # [num_players * max_legal], scratch
    double *expected            # [num_players * max_legal], scratch
    step_t *path                # way of the running simulation
    int32_t path_capacity
    uint32_t root               # node, or NO_NODE before the first simulation
    int64_t value[MAX_PLAYERS]  # outcome of the running simulation, in units of 2^-30 of [0, 1]
    double utility_scale        # (utility - min_utility) * utility_scale is a value in those units
    solver_t solver
    int stop                    # set by another thread to end the run early


cdef uint32_t expand(search_t *search, uint32_t acting) noexcept nogil:
    """A node for the state where the simulation stands, or NO_NODE when the memory cap is reached."""
    cdef const game_t *game = search.game
    cdef int32_t counts[MAX_PLAYERS]
    cdef int32_t player, blocks = 0, total = 0
    for player in range(game.num_players):
        if (acting >> player) & 1:
            counts[blocks] = game.legal_actions(game, search.state, player, search.legal + total)
            if has_failed(game):
                return NO_NODE
            total += counts[blocks]
            blocks += 1
    return new_node(&search.tree, acting, counts, search.legal)


cdef inline uint32_t select_single(search_t *search, node_t *node) noexcept nogil:
    """The arm that the one deciding player chooses: every arm once, then as the policy says."""
    if node.used < node.joints and (node.used < node.slots or more_arms(&search.tree, node)):
        return select_untried(&search.tree, node, &search.rng)
    return select_ucb1(&search.tree, node, <float> search.config.exploration)


cdef inline uint32_t select_joint(search_t *search, node_t *node, int32_t *joint) noexcept nogil:
    """Let every deciding player choose an arm; writes their actions, returns the index of the joint action."""
    cdef block_t *block = first_block(&search.tree, node)
    cdef uint32_t index = 0
    cdef int32_t arm, _
    for _ in range(node.blocks):
        if search.config.joint_selection == REGRET_MATCHING:
            arm = select_regret_matching(node, block, &search.rng)
        else:
            arm = select_decoupled_ucb1(node, block, &search.rng, search.config.exploration)
        joint[block.player] = joint_action(block)[arm]
        index = index * <uint32_t> block.count + <uint32_t> arm
        block = next_block(block)
    return index


cdef inline void update_single(search_t *search, node_t *node, uint32_t arm) noexcept nogil:
    cdef int64_t *value = arm_value(&search.tree, node) + arm
    cdef int32_t *visits = arm_visits(&search.tree, node) + arm
    value[0] += search.value[node.mover]
    visits[0] += 1
    arm_mean(&search.tree, node)[arm] = <float> (<double> value[0] * VALUE_UNIT / visits[0])
    arm_width(&search.tree, node)[arm] = <float> 1.0 / sqrtf(<float> visits[0])


cdef inline void update_joint(search_t *search, node_t *node, uint32_t index) noexcept nogil:
    """After the simulation has been added to the node's own statistics."""
    cdef mixture_t mixtures[MAX_PLAYERS]
    cdef block_t *block = first_block(&search.tree, node)
    cdef uint32_t stride = node.joints
    cdef int32_t arm, player, i, room = 0
    cdef cell_t *cell = claim_cell(&search.tree, node, index)
    if cell != NULL:
        cell.visits += 1
        for player in range(search.game.num_players):
            cell_sums(cell)[player] += search.value[player]
    for i in range(node.blocks):
        stride //= <uint32_t> block.count
        arm = <int32_t> (index // stride % <uint32_t> block.count)
        joint_value(block)[arm] += search.value[block.player]
        joint_visits(block)[arm] += 1
        mixtures[i].block = block
        mixtures[i].stride = stride
        mixtures[i].chosen = arm
        mixtures[i].arm = search.legal + room
        mixtures[i].weight = search.weights + room
        mixtures[i].expected = search.expected + room
        room += block.count
        block = next_block(block)
    if search.config.joint_selection == REGRET_MATCHING:
        update_regret_matching(&search.tree, node, mixtures)


cdef inline node_t *child_on_path(search_t *search, int32_t depth) noexcept nogil:
    """The node behind the arm that the simulation took at this depth, or NULL if there is none."""
    cdef node_t *node = node_at(&search.tree, search.path[depth].node)
    cdef uint32_t child = NO_NODE
    cdef cell_t *cell
    if node.blocks == 1:
        child = arm_child(&search.tree, node)[search.path[depth].arm]
    else:
        cell = find_cell(&search.tree, node, search.path[depth].arm)
        if cell != NULL:
            child = cell.child
    return NULL if child == NO_NODE else node_at(&search.tree, child)


cdef void make_exact(search_t *search, int32_t depth, node_t *child) noexcept nogil:
    """Replace what simulations said of an arm by what is now proven."""
    cdef node_t *node = node_at(&search.tree, search.path[depth].node)
    cdef uint32_t arm = search.path[depth].arm
    cdef int32_t player, visits
    cdef int32_t *exact = node_lower(&search.tree, child)
    cdef cell_t *cell
    if node.blocks == 1:
        visits = arm_visits(&search.tree, node)[arm]
        arm_value(&search.tree, node)[arm] = <int64_t> exact[node.mover] * visits
        arm_mean(&search.tree, node)[arm] = <float> (exact[node.mover] * VALUE_UNIT)
        return
    cell = find_cell(&search.tree, node, arm)
    if cell != NULL:
        for player in range(search.game.num_players):
            cell_sums(cell)[player] = <int64_t> exact[player] * cell.visits


cdef void prove(search_t *search, int32_t depth) noexcept nogil:
    """Tighten the bounds along the way of a simulation that ended at a proven node, as far up as they move."""
    cdef node_t *child
    while depth > 0:
        depth -= 1
        child = child_on_path(search, depth)
        if child == NULL:
            return
        if child.flags & PROVEN:
            make_exact(search, depth, child)
        if not tighten(&search.solver, &search.tree, node_at(&search.tree, search.path[depth].node)):
            return


cdef inline void backpropagate(search_t *search, int32_t depth) noexcept nogil:
    """Add the value of the simulation to every node on its way."""
    cdef int32_t player
    cdef node_t *node
    while depth > 0:
        depth -= 1
        node = node_at(&search.tree, search.path[depth].node)
        node.visits += 1
        for player in range(search.game.num_players):
            node_sums(node)[player] += search.value[player]
        if node.blocks == 1:
            update_single(search, node, search.path[depth].arm)
        else:
            update_joint(search, node, search.path[depth].arm)


cdef int longer_path(search_t *search) noexcept nogil:
    cdef step_t *path = <step_t *> realloc(search.path, 2 * sizeof(step_t) * search.path_capacity)
    if path == NULL:
        return OUT_OF_MEMORY
    search.path = path
    search.path_capacity *= 2
    return 0


cdef inline void evaluate(search_t *search, bint over) noexcept nogil:
    """The value of the state where the simulation stands: its returns, or those of a playout."""
    cdef const game_t *game = search.game
    cdef double out[MAX_PLAYERS]
    cdef int32_t player
    if over:
        game.returns(game, search.state, out)
    elif game.playout != NULL:
        game.playout(game, search.state, &search.rng, out)
    else:
        playout_by_table(game, search.state, &search.rng, search.legal, out)
    for player in range(game.num_players):
        search.value[player] = <int64_t> ((out[player] - game.min_utility) * search.utility_scale + 0.5)


cdef void add_end(search_t *search, int32_t depth) noexcept nogil:
    """Give the end of the game that a simulation has just found a node, and prove what follows from it."""
    cdef node_t *node = node_at(&search.tree, search.path[depth - 1].node)
    cdef cell_t *cell
    cdef uint32_t *link
    if search.solver.zero_sum:
        search.value[1] = ONE - search.value[0]
    if node.blocks == 1:
        link = &arm_child(&search.tree, node)[search.path[depth - 1].arm]
    else:
        cell = find_cell(&search.tree, node, search.path[depth - 1].arm)
        if cell == NULL:
            return
        link = &cell.child
    link[0] = new_end(&search.tree, search.value)
    prove(search, depth)


cdef int simulate(search_t *search) noexcept nogil:
    """One simulation. Returns 0, OUT_OF_MEMORY or GAME_FAILED; a failed one leaves no trace in the statistics."""
    cdef const game_t *game = search.game
    cdef int32_t joint[MAX_PLAYERS]
    cdef uint32_t index = search.root, arm, acting, child
    cdef uint32_t *link
    cdef int32_t depth = 0, visits, player
    cdef node_t *node
    cdef cell_t *cell
    copy_state(game, search.state, search.root_state)
    while True:
        node = node_at(&search.tree, index)
        if node.blocks == 1:
            arm = select_single(search, node)
            joint[node.mover] = node_actions(&search.tree, node)[arm]
            visits = arm_visits(&search.tree, node)[arm]
            link = &arm_child(&search.tree, node)[arm]
        else:
            arm = select_joint(search, node, joint)
            cell = find_cell(&search.tree, node, arm)
            visits = 0 if cell == NULL else cell.visits
            link = NULL if cell == NULL else &cell.child
        child = NO_NODE if link == NULL else link[0]
        if child != NO_NODE:
            prefetch(node_at(&search.tree, child))
            prefetch(<char *> node_at(&search.tree, child) + 256)
        if depth == search.path_capacity and longer_path(search) != 0:
            return OUT_OF_MEMORY
        search.path[depth].node = index
        search.path[depth].arm = arm
        depth += 1
        if child != NO_NODE and node_at(&search.tree, child).flags & PROVEN:
            for player in range(game.num_players):
                search.value[player] = node_lower(&search.tree, node_at(&search.tree, child))[player]
            break
        game.apply(game, search.state, joint)
        if child == NO_NODE:
            acting = game.acting(game, search.state)
            if acting != 0 and visits > 0:
                child = expand(search, acting)
            if child == NO_NODE:
                evaluate(search, acting == 0)
                if has_failed(game):
                    return GAME_FAILED
                if search.config.solve and acting == 0:
                    backpropagate(search, depth)
                    add_end(search, depth)
                    return 0
                break
            link[0] = child
        index = child
    backpropagate(search, depth)
    return 0


cdef inline bint is_proven(search_t *search) noexcept nogil:
    return node_at(&search.tree, search.root).flags & PROVEN != 0


cdef int run_until(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil:
    """Simulate until `done` reaches the target, the clock the deadline, the root is proven, or somebody sets `stop`."""
    cdef int64_t _
    cdef int failed
    while done[0] < target and not search.stop and not is_proven(search):
        for _ in range(min(<int64_t> BATCH, target - done[0])):
            failed = simulate(search)
            if failed:
                return failed
            done[0] += 1
            if search.config.solve and is_proven(search):
                return 0
        if playout_seconds() >= deadline:
            break
    return 0


cdef class Search:
    """One search tree of one thread.

    Args:
        game: a Game whose actions can be listed.
        selection, joint_selection: names in SELECTIONS and JOINT_SELECTIONS.
        exploration: weight of the exploration term.
        solve: keep proven bounds, skip what cannot matter, and stop when the root is proven.
        memory_bytes: cap of the tree's pool.
    """

    cdef readonly Game game
    cdef search_t search

    def __cinit__(self, Game game, *, selection, joint_selection, double exploration, bint solve,
                  uint64_t memory_bytes):
        cdef search_t *search = &self.search
        memset(search, 0, sizeof(search_t))
        if game.table.legal_actions == NULL:
            raise TypeError(f"the actions of {game.name} are too many to list")
        self.game = game
        search.game = &game.table
        search.config.selection = SELECTIONS[selection]
        search.config.joint_selection = JOINT_SELECTIONS[joint_selection]
        search.config.exploration = exploration
        search.config.solve = solve
        search.solver.zero_sum = game.table.num_players == 2 and game.table.utility_is_constant
        search.utility_scale = VALUE_SCALE / (game.table.max_utility - game.table.min_utility)
        search.path_capacity = 64
        search.path = <step_t *> malloc(sizeof(step_t) * search.path_capacity)
        search.root_state = calloc(1, game.table.state_size)
        search.state = calloc(1, game.table.state_size)
        search.legal = <int32_t *> malloc(sizeof(int32_t) * game.table.num_players * game.table.max_legal)
        search.weights = <double *> malloc(sizeof(double) * game.table.num_players * game.table.max_legal)
        search.expected = <double *> malloc(sizeof(double) * game.table.num_players * game.table.max_legal)
        if (search.weights == NULL or search.expected == NULL or search.legal == NULL
                or search.path == NULL or search.root_state == NULL or search.state == NULL
                or tree_init(&search.tree, game.table.num_players, solve, memory_bytes) != 0):
            raise MemoryError

    def __dealloc__(self):
        if self.game is not None and self.game.table.release != NULL and self.search.state != NULL:
            self.game.table.release(&self.game.table, self.search.root_state)
            self.game.table.release(&self.game.table, self.search.state)
        free(self.search.path)
        free(self.search.root_state)
        free(self.search.state)
        free(self.search.legal)
        free(self.search.weights)
        free(self.search.expected)
        free(self.search.solver.work)
        tree_free(&self.search.tree)

    def plant(self, State state, uint64_t seed):
        """Begin a new tree at a state that is not over."""
        cdef search_t *search = &self.search
        search.root = NO_NODE
        copy_state(&self.game.table, search.root_state, state.data)
        rng_seed(&search.rng, seed)
        tree_clear(&search.tree)
        copy_state(&self.game.table, search.state, search.root_state)
        search.root = expand(search, self.game.table.acting(&self.game.table, search.state))
        self.game.reraise()
        if search.root == NO_NODE:
            raise MemoryError("the memory cap does not even hold the root of the search tree")

    def stands_at(self, State state):
        """True when the root of the tree is this very state."""
        return (self.search.root != NO_NODE
                and equal_states(&self.game.table, self.search.root_state, state.data))

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
            tree_clear(&search.tree)
            return False
        if tree_keep(&search.tree, child) != 0:
            raise MemoryError
        search.root = 1
        return True

    cdef uint32_t _child_of_root(self, const int32_t *joint):
        cdef node_t *root = node_at(&self.search.tree, self.search.root)
        cdef block_t *block = first_block(&self.search.tree, root)
        cdef uint32_t index = 0
        cdef int32_t arm, _
        cdef cell_t *cell
        if root.blocks == 1:
            for arm in range(<int32_t> root.used):
                if node_actions(&self.search.tree, root)[arm] == joint[root.mover]:
                    return arm_child(&self.search.tree, root)[arm]
            return NO_NODE
        for _ in range(root.blocks):
            arm = 0
            while joint_action(block)[arm] != joint[block.player]:
                arm += 1
            index = index * <uint32_t> block.count + <uint32_t> arm
            block = next_block(block)
        cell = find_cell(&self.search.tree, root, index)
        return NO_NODE if cell == NULL else cell.child

    def run(self, int64_t simulations, double seconds):
        """Simulate without the GIL; Ctrl-C ends it.

        Args:
            simulations: at most so many.
            seconds: at most about so long; looked at every 256 simulations.

        Returns:
            (simulations done, True if Ctrl-C ended it)
        """
        cdef search_t *search = &self.search
        cdef double deadline = playout_seconds() + seconds, pause
        cdef int64_t done = 0
        cdef int failed = 0
        while done < simulations and not search.stop and not is_proven(search):
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
            except KeyboardInterrupt:
                return done, True
            if playout_seconds() >= deadline:
                break
        return done, False

    def stop(self, bint now=True):
        """End a run in another thread at its next look at the clock; `stop(False)` allows runs again."""
        self.search.stop = now

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
        return 0 if self.search.root == NO_NODE else node_at(&self.search.tree, self.search.root).visits

    @property
    def proven(self):
        """True when the value of the root is exact."""
        return self.search.root != NO_NODE and is_proven(&self.search)

    def bounds(self):
        """Per player, the proven (lower, upper) bounds of the root's value in [0, 1]."""
        cdef tree_t *tree = &self.search.tree
        cdef node_t *root = node_at(tree, self.search.root)
        cdef int32_t player
        if not tree.bounded:
            return [(0.0, 1.0)] * self.game.table.num_players
        return [(node_lower(tree, root)[player] * VALUE_UNIT, node_upper(tree, root)[player] * VALUE_UNIT)
                for player in range(self.game.table.num_players)]

    def value_sums(self):
        """Per player, the sum over simulations of values in [0, 1]."""
        cdef node_t *root = node_at(&self.search.tree, self.search.root)
        cdef int32_t player
        return [<double> node_sums(root)[player] * VALUE_UNIT for player in range(self.game.table.num_players)]

    def root_arms(self):
        """The statistics of the root.

        Returns:
            dict player -> list of (action, visits, sum of values in [0, 1], weight in the mixed strategy, lower bound,
            upper bound), by ascending action. The weight is exact where the root is proven and several decide, else the
            regret-matching average where that is used, else the number of visits. Bounds are on the deciding player's
            value; 0 and 1 where nothing is proven.
        """
        cdef tree_t *tree = &self.search.tree
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
        cdef block_t *block = first_block(&self.search.tree, node)
        cdef int32_t arm
        cdef bint side
        if not (node.flags & PROVEN and node.blocks == 2):
            return None
        found = []
        for side in range(2):
            if not solve_cells(&self.search.solver, &self.search.tree, node, side, strategies):
                raise MemoryError
            found.append([strategies[side][arm] for arm in range(block.count)])
            block = next_block(block)
        return found

    cdef list _single_rows(self, node_t *node):
        cdef tree_t *tree = &self.search.tree
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
        return rows

    cdef list _block_rows(self, block_t *block):
        cdef int32_t arm
        averaged = self.search.config.joint_selection == REGRET_MATCHING
        return [(joint_action(block)[arm], joint_visits(block)[arm], joint_value(block)[arm] * VALUE_UNIT,
                 joint_strategy(block)[arm] if averaged else float(joint_visits(block)[arm]), 0.0, 1.0)
                for arm in range(block.count)]

    def principal_variation(self):
        """The line of most visits (of most weight in the mixed strategy, where several decide).

        Returns:
            A list of joint actions, tuples with NO_ACTION for players that do not decide.
        """
        cdef tree_t *tree = &self.search.tree
        cdef uint32_t at = self.search.root, index, arm
        cdef node_t *node
        cdef block_t *block
        cdef cell_t *cell
        cdef int32_t _
        line = []
        while at != NO_NODE:
            node = node_at(tree, at)
            if node.visits == 0:
                break
            joint = [NO_ACTION] * self.game.table.num_players
            index = 0
            if node.blocks == 1:
                for arm in range(1, node.used):
                    if arm_visits(tree, node)[arm] > arm_visits(tree, node)[index]:
                        index = arm
                joint[node.mover] = node_actions(tree, node)[index]
                at = arm_child(tree, node)[index]
            else:
                block = first_block(tree, node)
                for _ in range(node.blocks):
                    weights = [row[3] for row in self._block_rows(block)]
                    arm = weights.index(max(weights))
                    joint[block.player] = joint_action(block)[arm]
                    index = index * <uint32_t> block.count + arm
                    block = next_block(block)
                cell = find_cell(tree, node, index)
                at = NO_NODE if cell == NULL else cell.child
            line.append(tuple(joint))
        return line
