"""One search tree of one thread, as Python sees it."""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport isfinite
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..game.game cimport Game, State, check_sealed, new_state, same_game
from ..game.game_table cimport (LANES, MAX_ENTRIES, MOST_FOLLOWERS, NO_ACTION, copy_state, equal_states, game_t,
                                lanes_t, list_size)
from ..nets.net cimport Net
from ..primitives.clock cimport playout_seconds
from ..primitives.in_use cimport begin_change, end_change, wait_for_change
from ..primitives.lock cimport read_flag, write_flag
from ..primitives.rng cimport rng_seed
from .compaction cimport keep_below
from .evaluation_batches cimport abandon, add_root_noise, collect, deliver, set_priors
from .halving cimport begin_halving
from .leaf_batches cimport run_batches, run_late
from .joint_selection_table cimport TAKES_PRIORS, JointSelection
from .leaves cimport evaluate, expand, judge
from .playout_table cimport PlayoutPolicy, playout_policy_t, recorded_t
from .root_record cimport copy_root, sum_of
from .search_loop cimport is_decided, is_proven, run_until
from .search_state cimport (BY_TABLE, EVALUATOR, FOLLOWERS, GAME_FAILED, GRAVE, GUIDED, HAS_CHANCE, LATE, LEAF, NET,
                            OUT_OF_MEMORY, PREFER_UNPROVEN, RECORD, SETS, SOLVER, STATES, SYMMETRIES, TRANSPOSITIONS,
                            WIDE, config_t, followers_t, halving_t, leaf_t, search_t, set_exact_value, step_t, tally_t)
from .selection_table cimport NEEDS_AMAF, NEEDS_PRIORS, NEEDS_SQUARES, NO_URGENCY, PLAIN_UCB1, VALUES_UNTRIED, Selection
from .statistics cimport find_line, line_joints, line_t, read_tree
from .transpositions cimport open_node
from .tree cimport (CHANCE_NODE, NO_NODE, PROVEN, amaf_blocks, arm_child, block_t, cell_t,
                    find_cell, first_block, joint_action, next_block, node_actions, node_at, node_graph, node_priors,
                    node_t, shape_t, tree_clear, tree_free, tree_init, tree_t)
from .values cimport VALUE_SCALE

from ..arguments import seed_bits, shown
from ..errors import StateError
from .policies import JOINT_SELECTIONS, PLAYOUTS, SELECTIONS

cdef enum:
    MOST_BATCH = 1 << 20        # states evaluated at once
    KEPT_BYTES = 1 << 25        # of the states that follow others, at most
    MOST_STATE_BYTES = 256      # of a state that nodes have
    CACHE_LINE = 64             # more than needed of what a simulation writes, so that no two threads write to one line

ctypedef int (*run_t)(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil

cdef double SIGNAL_SECONDS = 0.02   # between two looks at the signals, which need the GIL


def _entry(kinds, what, name):
    """Return what a table has under a name. Raises ValueError with the valid names."""
    try:
        return kinds[name]
    except (KeyError, TypeError):
        raise ValueError(f"{what}={shown(name)}; valid: {', '.join(kinds)}") from None


cdef uint32_t features_of(const game_t *game, const config_t *config, bint solver, bint transpositions,
                          bint evaluator):
    """Return the features that a game and a choice of policies and options need."""
    cdef uint32_t features = HAS_CHANCE if game.num_outcomes else 0
    if solver:
        features |= SOLVER
    if transpositions:
        features |= TRANSPOSITIONS
    if evaluator:
        features |= EVALUATOR
    if config.selection.select != NULL and not (config.selection.needs & PLAIN_UCB1 and config.urgency == NO_URGENCY):
        features |= BY_TABLE
    elif config.selection.needs & NEEDS_AMAF:
        features |= GRAVE
    if config.selection.needs & NEEDS_AMAF or config.playout.learn != NULL:
        features |= RECORD
    return features


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
        raise ValueError("there is no search; valid: at least one")
    return sum_of(records)


@cython.no_gc_clear             # __dealloc__ needs the game
cdef class Search:
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

    # Fixed: set by the constructor. Any thread may read it at any time.
    cdef readonly Game game
    cdef readonly Selection selection    # policy where one player decides
    cdef readonly JointSelection joint_selection
    cdef readonly PlayoutPolicy playout
    cdef readonly int32_t batch_size
    cdef readonly Net net
    cdef double root_noise              # share of noise in the priors of the root
    cdef double noise_alpha             # 0: by the number of actions
    # Scratch: the blocks of search_t, which has the same three parts.
    cdef search_t search
    cdef void *leaves_block             # memory that search.leaves_memory is in
    # Changed: by the thread that has `turn`, see in_use.pxd. Who runs a search or gives it another root has it to the
    # end. Whoever looks at the memory of the search has `users`, which a run gives up while it is paused.
    cdef int turn
    cdef int users
    cdef uint64_t roots                 # how many roots the tree has had
    cdef uint64_t noisy_root            # the root that has its noise, counted by `roots`

    # ---- Construction. No other thread has the object yet, or has it any more.

    def __cinit__(self, Game game not None, options, *, uint64_t memory_bytes, int32_t batch_size=0, Net net=None):
        cdef search_t *search = &self.search
        cdef int32_t leaves = options["leaves"]
        cdef bint solver = options["solver"], transpositions = options["transpositions"]
        cdef shape_t shape
        memset(search, 0, sizeof(search_t))
        check_sealed(game)
        if game.table.legal_actions == NULL:
            raise TypeError(f"the actions of {game.name} are too many to list")
        if not 0 <= batch_size <= MOST_BATCH:
            raise ValueError(f"batch_size={batch_size}; valid: 0 to {MOST_BATCH}")
        if not 0 <= leaves <= LANES:
            raise ValueError(f"leaves={leaves}; valid: 0 to {LANES}")
        self.game = game
        search.game = &game.table
        self.selection = _entry(SELECTIONS, "selection", options["selection"])
        search.config.selection = &self.selection.table
        self.joint_selection = _entry(JOINT_SELECTIONS, "joint_selection", options["joint_selection"])
        search.config.joint_selection = &self.joint_selection.table
        self.playout = _entry(PLAYOUTS, "playout", options["playout"])
        search.config.playout = &self.playout.table
        search.config.playout_share = options["playout_share"] or 0.0
        if not 0.0 <= search.config.playout_share <= 1.0:
            raise ValueError(f"playout_share={options['playout_share']}; valid: 0 to 1")
        self.set_exploration(options)
        self.value_untried(options["first_play_urgency"], options["first_play_reduction"])
        search.config.early_stop = options["early_stop"]
        search.solver.zero_sum = game.is_zero_sum
        search.features = features_of(&game.table, &search.config, solver, transpositions, batch_size > 0)
        if solver and search.solver.zero_sum:
            search.features |= PREFER_UNPROVEN
        # AMAF statistics are kept by action: symmetric states, whose actions have other numbers, would mix them up.
        if transpositions and game.table.canonical != NULL and not search.features & RECORD:
            search.features |= SYMMETRIES
        self.batch_size = batch_size
        if transpositions and game.table.num_outcomes:
            raise TypeError(f"{game.spec} has chance, and transpositions are merged in games without chance only")
        if batch_size and (game.table.encode == NULL or not search.config.selection.needs & NEEDS_PRIORS
                           or transpositions):
            raise TypeError("evaluation needs a game with an encoding, a selection with priors such as puct, and no "
                            "transpositions")
        if net is not None:
            self.set_net(net)
        self.set_noise(options["root_noise"], options["noise_alpha"])
        self.set_halving(options["gumbel_actions"], options["gumbel_noise"])
        shape.bounded = solver
        shape.graph = transpositions
        shape.priors = search.config.selection.needs & NEEDS_PRIORS != 0
        shape.squared = search.config.selection.needs & NEEDS_SQUARES != 0
        shape.amaf_blocks = amaf_blocks(game.table.num_actions) if search.config.selection.needs & NEEDS_AMAF else 0
        shape.state_bytes = game.table.state_size if search.features & STATES else 0
        search.utility_scale = VALUE_SCALE / (game.table.max_utility - game.table.min_utility)
        search.tree = <tree_t *> calloc(1, sizeof(tree_t) + CACHE_LINE)
        search.path_capacity = 64
        if batch_size or leaves:
            search.leaves = <leaf_t *> calloc(max(batch_size, leaves), sizeof(leaf_t))
            if search.leaves == NULL:
                raise MemoryError
        if leaves:
            self.make_wide(leaves)
        if game.table.apply_each != NULL:
            self.make_followers(min(<uint64_t> KEPT_BYTES, memory_bytes // 4))
        search.path = <step_t *> malloc(sizeof(step_t) * search.path_capacity + CACHE_LINE)
        search.record_capacity = 64
        search.recorded = <recorded_t *> malloc(sizeof(recorded_t) * search.record_capacity + CACHE_LINE)
        search.played_words = (game.table.num_actions + 63) // 64
        search.fused = (game.table.playout != NULL and search.config.playout.choose == NULL
                        and (not search.features & RECORD or game.table.playout_records))
        if search.features & RECORD and net is None and search.fused:
            search.played = <uint64_t *> calloc(1, 8 * game.table.num_players * search.played_words
                                                + CACHE_LINE)
            if search.played == NULL:
                raise MemoryError
            search.features |= SETS
        self.make_playouts()
        search.replies = <int32_t *> malloc(sizeof(int32_t) * game.table.max_legal)
        search.trial = calloc(1, 2 * game.table.state_size + CACHE_LINE)
        search.root_state = calloc(1, game.table.state_size + CACHE_LINE)
        search.state = calloc(1, game.table.state_size + CACHE_LINE)
        search.legal = <int32_t *> malloc(sizeof(int32_t) * max(game.table.num_players * game.table.max_legal,
                                                                list_size(&game.table)) + CACHE_LINE)
        search.weights = <double *> malloc(sizeof(double) * game.table.num_players * game.table.max_legal + CACHE_LINE)
        search.expected = <double *> malloc(sizeof(double) * game.table.num_players * game.table.max_legal + CACHE_LINE)
        if (search.recorded == NULL or search.replies == NULL or search.trial == NULL or search.weights == NULL
                or search.expected == NULL or search.legal == NULL or search.path == NULL or search.root_state == NULL
                or search.state == NULL or search.tree == NULL
                or tree_init(search.tree, game.table.num_players, shape, memory_bytes) != 0):
            raise MemoryError
        search.joint.tree = search.tree
        search.joint.rng = &search.rng
        search.joint.exploration = search.config.exploration
        search.joint.weights = search.weights
        search.joint.expected = search.expected
        search.joint.numbers = search.legal
        search.joint.value = search.value

    def __dealloc__(self):
        if self.game is not None and self.game.table.release != NULL and self.search.state != NULL:
            self.game.table.release(&self.game.table, self.search.root_state)
            self.game.table.release(&self.game.table, self.search.state)
            if self.search.trial != NULL:
                self.game.table.release(&self.game.table, self.search.trial)
                self.game.table.release(&self.game.table, <char *> self.search.trial + self.game.table.state_size)
            if self.search.leaf_states != NULL:
                for leaf in range(self.search.config.leaves):
                    self.game.table.release(&self.game.table, self.search.leaf_states
                                            + <size_t> leaf * self.search.leaf_size)
        if self.search.leaves != NULL:
            for leaf in range(max(self.batch_size, self.search.config.leaves)):
                free(self.search.leaves[leaf].path)
        free(self.search.leaves)
        free(self.search.leaf_states)
        free(self.search.lanes)
        free(self.search.tally)
        free(self.leaves_block)
        free(self.search.followers.slot)
        free(self.search.followers.memory)
        free(self.search.followers.joint)
        free(self.search.followers.after)
        free(self.search.trial)
        free(self.search.replies)
        free(self.search.recorded)
        free(self.search.playout_memory)
        free(self.search.played)
        free(self.search.inputs)
        free(self.search.policy_actions)
        free(self.search.policy_weights)
        free(self.search.path)
        free(self.search.root_state)
        free(self.search.state)
        free(self.search.legal)
        free(self.search.weights)
        free(self.search.expected)
        free(self.search.halving.base)
        free(self.search.halving.chosen)
        free(self.search.solver.work)
        if self.search.tree != NULL:
            tree_free(self.search.tree)
            free(self.search.tree)

    cdef int make_playouts(self) except -1:
        """Allocate the memory of the playout policy."""
        cdef search_t *search = &self.search
        cdef const playout_policy_t *policy = search.config.playout
        if policy.memory_size != NULL:
            search.playout_memory = malloc(policy.memory_size(search.game) + CACHE_LINE)
            if search.playout_memory == NULL:
                raise MemoryError
        return 0

    cdef int make_wide(self, int32_t leaves) except -1:
        """Check the options of a search with batches of leaves, and allocate its memory."""
        cdef search_t *search = &self.search
        cdef const game_t *game = search.game
        if (search.features & ~(SOLVER | PREFER_UNPROVEN | HAS_CHANCE | TRANSPOSITIONS | SYMMETRIES)
                or search.config.playout.choose != NULL):
            raise TypeError("leaves need selection ucb1, playout uniform, and no first_play_urgency, "
                            "batch_size or net")
        search.config.leaves = leaves
        search.features |= LATE if search.features & TRANSPOSITIONS else WIDE
        search.leaf_size = (game.state_size + 7) & ~7
        search.leaf_states = <char *> calloc(leaves, search.leaf_size)
        search.lanes = <lanes_t *> calloc(1, sizeof(lanes_t))
        search.tally = <tally_t *> calloc(game.num_actions, sizeof(tally_t))
        self.leaves_block = calloc(1, game.leaves_memory + CACHE_LINE)
        if search.leaf_states == NULL or search.lanes == NULL or search.tally == NULL or self.leaves_block == NULL:
            raise MemoryError
        search.leaves_memory = <void *> ((<size_t> self.leaves_block + CACHE_LINE - 1) & ~<size_t> (CACHE_LINE - 1))
        return 0

    cdef int make_followers(self, uint64_t most_bytes) except -1:
        """Allocate the memory of states that follow others. With STATES none are kept."""
        cdef followers_t *kept = &self.search.followers
        cdef const game_t *game = self.search.game
        cdef uint64_t slots = 1
        kept.slot_size = sizeof(uint64_t) + ((<size_t> game.state_size + 7) & ~<size_t> 7)
        while 2 * slots * kept.slot_size <= most_bytes:
            slots *= 2
        kept.mask = slots - 1
        if not self.search.features & STATES:
            kept.slot = <char *> calloc(slots, kept.slot_size)
        kept.memory = malloc(game.followers_memory)
        kept.joint = <int32_t *> malloc(sizeof(int32_t) * MOST_FOLLOWERS * game.num_players)
        kept.after = <char *> calloc(MOST_FOLLOWERS, game.state_size)
        if (kept.memory == NULL or kept.joint == NULL or kept.after == NULL
                or (kept.slot == NULL and not self.search.features & STATES)):
            raise MemoryError
        self.search.features |= FOLLOWERS
        return 0

    cdef int set_net(self, Net net) except -1:
        """Check and set the net that gives new states their values."""
        cdef search_t *search = &self.search
        outputs = 1 if search.solver.zero_sum else search.game.num_players
        if search.game.encode == NULL or self.batch_size or search.config.playout.choose != NULL:
            raise TypeError("a net needs a game with an encoding, no batch_size, and playout uniform")
        if (net.num_inputs, net.num_outputs) != (search.game.encoding_size, outputs):
            raise ValueError(f"the net has {net.num_inputs} inputs and {net.num_outputs} outputs; "
                             f"valid: {search.game.encoding_size} and {outputs}")
        if net.num_actions:
            actions = search.game.num_actions
            if net.num_actions not in (actions, actions * search.game.num_players):
                raise ValueError(f"the policies of the net have {net.num_actions} actions; "
                                 f"valid: {actions}, or {actions} for each player")
            if search.config.selection.needs & NEEDS_PRIORS:
                if search.features & TRANSPOSITIONS:
                    raise TypeError("a net with a policy does not go with transpositions")
                search.features |= GUIDED
                if net.num_actions > actions and search.config.joint_selection.needs & TAKES_PRIORS:
                    search.joint.has_priors = True
                    search.policy_actions = <uint16_t *> calloc(actions, sizeof(uint16_t))
                    search.policy_weights = <float *> calloc(actions, sizeof(float))
                    if search.policy_actions == NULL or search.policy_weights == NULL:
                        raise MemoryError
                # Where steps take long, a simulation makes one then, in place of one for each node of its path.
                if (search.game.apply_each != NULL and search.game.copy == NULL
                        and search.game.state_size <= MOST_STATE_BYTES
                        and not search.config.selection.needs & NEEDS_AMAF):
                    search.features |= STATES
        search.inputs = <float *> calloc(search.game.encoding_size + CACHE_LINE, sizeof(float))
        if search.inputs == NULL:
            raise MemoryError
        self.net = net
        search.net = &net.net
        search.features |= NET
        return 0

    cdef int set_exploration(self, options) except -1:
        """Check and set the weights of the exploration terms. None: that of the root is as elsewhere."""
        cdef config_t *config = &self.search.config
        cdef double exploration = options["exploration"], grave = options["grave_exploration"] or 0.0, root = grave
        if options["root_exploration"] is not None:
            root = options["root_exploration"]
        if not 0.0 <= exploration < 1e300:
            raise ValueError(f"exploration={exploration}; valid: 0 and above")
        for name, weight in (("grave_exploration", grave), ("root_exploration", root)):
            if not 0.0 <= weight < 1e30:
                raise ValueError(f"{name}={weight}; valid: 0 and above")
            if weight > 0.0 and self.selection.name != "grave":
                raise TypeError(f"the selection {self.selection.name} does not read {name}={weight}")
        config.exploration = exploration
        config.grave_exploration = <float> grave
        config.root_exploration = <float> root
        return 0

    cdef int set_noise(self, double share, alpha) except -1:
        """Check and set the noise in the priors of the root. alpha None: by the number of actions."""
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"root_noise={share}; valid: 0 to 1")
        if alpha is not None and not 0.0 < alpha < 1e6:
            raise ValueError(f"noise_alpha={alpha}; valid: None, or above 0 and below 1,000,000")
        if share > 0.0 and not (self.batch_size or self.search.features & LEAF == GUIDED):
            raise TypeError("noise in the priors of the root needs evaluation, or a net with a policy and a selection "
                            "with priors")
        self.root_noise = share
        self.noise_alpha = 0.0 if alpha is None else alpha
        return 0

    cdef int set_halving(self, int32_t most, double noise) except -1:
        """Check and set the choice at the root by sequential halving. most: 0 without it."""
        cdef halving_t *halving = &self.search.halving
        if most < 0 or not 0.0 <= noise < 1e6:
            raise ValueError(f"gumbel_actions={most}, gumbel_noise={noise}; valid: 0 and above, 0 to 1,000,000")
        if most == 0:
            return 0
        if self.search.features & LEAF != GUIDED or self.root_noise > 0.0:
            raise TypeError("sequential halving at the root needs a net with a policy, a selection with priors, and no "
                            "root_noise")
        halving.most = most
        halving.noise = noise
        halving.base = <double *> calloc(self.game.table.num_actions, sizeof(double))
        halving.chosen = <int32_t *> calloc(self.game.table.num_actions, sizeof(int32_t))
        if halving.base == NULL or halving.chosen == NULL:
            raise MemoryError
        return 0

    cdef int value_untried(self, urgency, double reduction) except -1:
        """Check and set which value untried arms are taken to have."""
        cdef config_t *config = &self.search.config
        cdef uint32_t needs = config.selection.needs
        config.urgency = NO_URGENCY if urgency is None else urgency
        if urgency is not None and not 0.0 <= config.urgency < 1e300:
            raise ValueError(f"first_play_urgency={urgency}; valid: None, or 0 and above")
        if not 0.0 <= reduction <= 1.0:
            raise ValueError(f"first_play_reduction={reduction}; valid: 0 to 1")
        if not needs & VALUES_UNTRIED and (reduction > 0.0 or (urgency is not None and not needs & PLAIN_UCB1)):
            raise TypeError(f"the selection {self.selection.name} does not read first_play_urgency={urgency}, "
                            f"first_play_reduction={reduction}")
        config.reduction = reduction
        return 0

    # ---- Locks, and helpers of the methods below, which are called by a thread that has `users`.

    cdef int begin(self) except -1:
        """Keep other users out of this search, until `end`."""
        return begin_change(&self.users, "Search")

    cdef void end(self) noexcept:
        end_change(&self.users)

    cdef int begin_turn(self) except -1:
        """As `begin`, and keep out other runs and changes of the root during pauses too, until `end_turn`."""
        begin_change(&self.turn, "Search")
        try:
            self.begin()
        except BaseException:
            end_change(&self.turn)
            raise
        return 0

    cdef void end_turn(self) noexcept:
        self.end()
        end_change(&self.turn)

    cdef int pause(self, on_pause, int64_t done) except -1:
        """Within a run, let others look at the search while `on_pause` is called."""
        self.end()
        try:
            on_pause(done)
        finally:
            with nogil:
                wait_for_change(&self.users)
        return 0

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
        child = self._child_of_root(packed)
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
            self._map_root_actions()
        return True

    cdef int _map_root_actions(self) except -1:
        """Map the actions of the new root from the canonical state back to the actual state.

        No other path leads to the root any more.
        """
        cdef search_t *search = &self.search
        cdef node_t *root = node_at(search.tree, search.root)
        cdef block_t *block = first_block(search.tree, root)
        cdef const game_t *game = &self.game.table
        cdef int32_t symmetry, arm, _
        copy_state(game, search.state, search.root_state)
        symmetry = game.canonical(game, search.state)
        if symmetry == 0 or root.blocks == 0 or root.flags & CHANCE_NODE:     # symmetries keep outcomes
            return 0
        node_graph(search.tree, root).hash = game.hash(game, search.root_state)
        if root.blocks == 1:
            names = self._actual_actions(symmetry, root.mover)
            for arm in range(<int32_t> root.num_choices):
                node_actions(search.tree, root)[arm] = names[node_actions(search.tree, root)[arm]]
            return 0
        for _ in range(root.blocks):
            names = self._actual_actions(symmetry, block.player)
            for arm in range(block.count):
                joint_action(block)[arm] = names[joint_action(block)[arm]]
            block = next_block(block)
        return 0

    cdef dict _actual_actions(self, int32_t symmetry, int32_t player):
        """Return canonical action -> actual action, for a player at the root."""
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
            for arm in range(<int32_t> root.num_tried):
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

    # ---- Runs. They take `turn` and `users`, give `users` up while `on_pause` is called, and free the GIL.

    def run(self, int64_t simulations, double seconds, on_pause=None):
        """Simulate without the GIL; Ctrl-C ends it.

        Args:
            simulations: at most so many.
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
                self._take_answer(evaluate_batch(encoded[:1]), 1, True)
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
                    self._take_answer(evaluate_batch(encoded[:count]), count, False)
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

    cdef int _take_answer(self, answer, int32_t count, bint for_root) except -1:
        """Check an evaluator's answer to so many states, and give it to the root or to the leaves that wait."""
        cdef search_t *search = &self.search
        cdef const game_t *game = search.game
        cdef const float[:, ::1] priors
        cdef const double[:, ::1] values
        cdef Py_ssize_t row, column
        import numpy as np

        prior_array, value_array = answer
        if not (isinstance(prior_array, np.ndarray) and isinstance(value_array, np.ndarray)
                and prior_array.shape == (count, game.num_actions) and value_array.shape == (count, game.num_players)):
            raise ValueError(f"evaluate_batch answered {shown(answer)}; valid: arrays of the shapes "
                             f"{(count, game.num_actions)} and {(count, game.num_players)}")
        priors, values = prior_array, value_array
        for row in range(count):
            for column in range(game.num_actions):
                if not (priors[row, column] >= 0.0 and isfinite(priors[row, column])):
                    raise ValueError(f"evaluate_batch gave a prior of {priors[row, column]}; valid: 0 and above")
            for column in range(game.num_players):
                if not 0.0 <= values[row, column] <= 1.0:
                    raise ValueError(f"evaluate_batch gave a value of {values[row, column]}; valid: 0 to 1")
        if for_root:
            set_priors(search, node_at(search.tree, search.root), &priors[0, 0])
        else:
            deliver(search, &priors[0, 0], &values[0, 0])
        return 0

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

        Where chance decides, it goes on with the most visited outcome, which is the last entry of its joint action.
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
