"""The options, the features and the memory of a search, which its life does not change."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..game.game cimport Game, check_sealed
from ..game.game_table cimport LANES, MOST_FOLLOWERS, game_t, lanes_t, list_size
from ..nets.net cimport Net
from ..primitives.in_use cimport begin_change, end_change, wait_for_change
from .policies.joint_selection_table cimport TAKES_PRIORS
from .policies.playout_table cimport recorded_t
from .search_state cimport (BY_TABLE, EVALUATOR, FOLLOWERS, GRAVE, GUIDED, HAS_CHANCE, LATE, LEAF, NET, PREFER_UNPROVEN,
                            RECORD, SETS, SOLVER, STATES, SYMMETRIES, TRANSPOSITIONS, WIDE, config_t, followers_t,
                            halving_t, leaf_t, search_t, step_t, tally_t)
from .policies.selection_table cimport NEEDS_AMAF, NEEDS_PRIORS, NEEDS_SQUARES, NO_URGENCY, PLAIN_UCB1, VALUES_UNTRIED
from .tree cimport amaf_blocks, shape_t, tree_free, tree_init, tree_t
from .values cimport VALUE_SCALE

from ..arguments import shown
from .policies import JOINT_SELECTIONS, PLAYOUTS, SELECTIONS

cdef enum:
    MOST_BATCH = 1 << 20        # states evaluated at once
    KEPT_BYTES = 1 << 25        # of the states that follow others, at most
    MOST_STATE_BYTES = 256      # of a state that nodes have
    CACHE_LINE = 64             # more than needed of what a simulation writes, so that no two threads write to one line
    AMAF_VISITS = 50            # visits from which a node keeps AMAF statistics
    PRIOR_VISITS = 8            # the same with priors of the game
    FIRST_STEPS = 64            # of a path and of recorded actions, in the beginning


GUIDED_PLAYOUTS = "guided"
"""Name of the policy whose playouts are a function of the game."""


def _entry(kinds, what, name):
    """Return what a table has under a name. Raises ValueError with the valid names."""
    try:
        return kinds[name]
    except (KeyError, TypeError):
        raise ValueError(f"{what}={shown(name)}; valid: {', '.join(kinds)}") from None


@cython.no_gc_clear             # __dealloc__ needs the game
cdef class SearchMemory:
    """The options and the memory of a search. `Search` is derived from it, and describes arguments and errors."""

    def __cinit__(self, Game game not None, options, *, uint64_t memory_bytes, int32_t batch_size=0, Net net=None):
        cdef search_t *search = &self.search
        cdef int32_t leaves = options["leaves"]
        memset(search, 0, sizeof(search_t))
        check_sealed(game)
        if game.table.legal_actions == NULL:
            raise TypeError(f"the actions of {game.name} are too many to list")
        if not 0 <= batch_size <= MOST_BATCH:
            raise ValueError(f"batch_size={batch_size}; valid: 0 to {MOST_BATCH}")
        if not 0 <= leaves <= LANES:
            raise ValueError(f"leaves={leaves}; valid: 0 to {LANES}")
        self.game = game
        self.batch_size = batch_size
        search.game = &game.table
        search.solver.zero_sum = game.is_zero_sum
        search.utility_scale = VALUE_SCALE / (game.table.max_utility - game.table.min_utility)
        self.set_policies(options)
        search.features = self.features_of(options)
        if net is not None:
            self.set_net(net)
        self.set_noise(options["root_noise"], options["noise_alpha"])
        self.set_halving(options["gumbel_actions"], options["gumbel_noise"])
        if batch_size or leaves:
            search.leaves = <leaf_t *> self.take(max(batch_size, leaves) * sizeof(leaf_t))
        if leaves:
            self.make_wide(leaves)
        if game.table.apply_each != NULL:
            self.make_followers(min(<uint64_t> KEPT_BYTES, memory_bytes // 4))
        self.make_playouts()
        self.make_scratch()
        self.make_tree(memory_bytes)

    def __dealloc__(self):
        cdef search_t *search = &self.search
        cdef const game_t *game = search.game
        cdef int32_t i
        if game != NULL and game.release != NULL:
            self.release_states(search.root_state, 1, game.state_size)
            self.release_states(search.state, 1, game.state_size)
            self.release_states(search.trial, 2, game.state_size)
            self.release_states(search.leaf_states, search.config.leaves, search.leaf_size)
        if search.leaves != NULL:
            for i in range(max(self.batch_size, search.config.leaves)):
                free(search.leaves[i].path)
        free(search.path)
        free(search.recorded)
        free(search.solver.work)
        if search.tree != NULL:
            tree_free(search.tree)
        for i in range(self.num_blocks):
            free(self.blocks[i])

    cdef void release_states(self, void *states, int32_t count, size_t size) noexcept:
        cdef int32_t i
        if states != NULL:
            for i in range(count):
                self.search.game.release(self.search.game, <char *> states + i * size)

    cdef void *take(self, size_t bytes) except NULL:
        """Return zeroed memory that is freed with the search."""
        cdef void *block = calloc(1, bytes + CACHE_LINE)
        if block == NULL:
            raise MemoryError
        self.blocks[self.num_blocks] = block
        self.num_blocks += 1
        return block

    cdef int set_policies(self, options) except -1:
        """Check and set the policies and their weights."""
        cdef config_t *config = &self.search.config
        self.selection = _entry(SELECTIONS, "selection", options["selection"])
        self.joint_selection = _entry(JOINT_SELECTIONS, "joint_selection", options["joint_selection"])
        self.playout = _entry(PLAYOUTS, "playout", options["playout"])
        config.selection = &self.selection.table
        config.joint_selection = &self.joint_selection.table
        config.playout = &self.playout.table
        if self.playout.name == GUIDED_PLAYOUTS and self.search.game.guided_action == NULL:
            raise ValueError(f"playout='guided'; valid: 'uniform', {self.game.spec} has no guided playouts")
        config.early_stop = options["early_stop"]
        config.playout_share = options["playout_share"] or 0.0
        if not 0.0 <= config.playout_share <= 1.0:
            raise ValueError(f"playout_share={options['playout_share']}; valid: 0 to 1")
        config.is_static = options["leaf"] == "static"
        if config.is_static and self.search.game.evaluate == NULL:
            raise ValueError(f"leaf='static'; valid: 'playout', {self.game.spec} has no static evaluation")
        self.set_exploration(options)
        self.value_untried(options["first_play_urgency"], options["first_play_reduction"])
        return 0

    cdef uint32_t features_of(self, options) except? 0:
        """Return the features that the game, the policies and the options need, without those of a net."""
        cdef const game_t *game = self.search.game
        cdef const config_t *config = &self.search.config
        cdef uint32_t features = HAS_CHANCE if game.num_outcomes else 0, needs = config.selection.needs
        if options["solver"]:
            features |= SOLVER
            if self.search.solver.zero_sum:
                features |= PREFER_UNPROVEN
        if config.selection.select != NULL and not (needs & PLAIN_UCB1 and config.urgency == NO_URGENCY):
            features |= BY_TABLE
        elif needs & NEEDS_AMAF:
            features |= GRAVE
        if needs & NEEDS_AMAF or config.playout.learn != NULL:
            features |= RECORD
        if options["transpositions"]:
            if game.num_outcomes:
                raise TypeError(f"{self.game.spec} has chance, and transpositions are merged in games without chance "
                                "only")
            features |= TRANSPOSITIONS
            # Statistics are kept by action: symmetric states, whose actions have other numbers, would mix them up.
            if game.canonical != NULL and not features & RECORD:
                features |= SYMMETRIES
        if self.batch_size:
            if game.encode == NULL or not needs & NEEDS_PRIORS or features & TRANSPOSITIONS:
                raise TypeError("evaluation needs a game with an encoding, a selection with priors such as puct, and "
                                "no transpositions")
            features |= EVALUATOR
        return features

    cdef int make_tree(self, uint64_t memory_bytes) except -1:
        """Make an empty tree, and what the policy of joint actions reads."""
        cdef search_t *search = &self.search
        cdef uint32_t needs = search.config.selection.needs
        cdef shape_t shape
        shape.bounded = search.features & SOLVER != 0
        shape.graph = search.features & TRANSPOSITIONS != 0
        shape.priors = needs & NEEDS_PRIORS != 0
        shape.squared = needs & NEEDS_SQUARES != 0
        shape.amaf_blocks = amaf_blocks(search.game.num_actions) if needs & NEEDS_AMAF else 0
        shape.state_bytes = search.game.state_size if search.features & STATES else 0
        search.tree = <tree_t *> self.take(sizeof(tree_t))
        if tree_init(search.tree, search.game.num_players, shape, memory_bytes) != 0:
            raise MemoryError
        search.joint.tree = search.tree
        search.joint.rng = &search.rng
        search.joint.exploration = search.config.exploration
        search.joint.weights = search.weights
        search.joint.expected = search.expected
        search.joint.numbers = search.legal
        search.joint.value = search.value
        return 0

    cdef int make_playouts(self) except -1:
        """Allocate the memory of the playout policy, and choose the function that plays."""
        cdef search_t *search = &self.search
        cdef const game_t *game = search.game
        if search.config.playout.memory_size != NULL:
            search.playout_memory = self.take(search.config.playout.memory_size(game))
        if not search.features & RECORD or game.playout_records:
            if search.config.playout.choose == NULL:
                search.playout = game.playout
            elif self.playout.name == GUIDED_PLAYOUTS:
                search.playout = game.guided_playout
        search.played_words = (game.num_actions + 63) // 64
        if search.features & RECORD and search.config.selection.needs & NEEDS_AMAF:
            search.played = <uint64_t *> self.take(8 * game.num_players * search.played_words)
            search.features |= SETS
        search.amaf_visits = AMAF_VISITS
        if search.features & SETS and self.playout.name == GUIDED_PLAYOUTS and game.action_priors != NULL:
            search.priors = <float *> self.take(2 * game.num_actions * sizeof(float))
            search.amaf_visits = PRIOR_VISITS
        return 0

    cdef int make_scratch(self) except -1:
        """Allocate the memory of the running simulation."""
        cdef search_t *search = &self.search
        cdef const game_t *game = search.game
        cdef size_t most = game.num_players * game.max_legal
        search.root_state = self.take(game.state_size)
        search.state = self.take(game.state_size)
        search.trial = self.take(2 * game.state_size)
        search.replies = <int32_t *> self.take(game.max_legal * sizeof(int32_t))
        search.legal = <int32_t *> self.take(max(most, <size_t> list_size(game)) * sizeof(int32_t))
        search.weights = <double *> self.take(most * sizeof(double))
        search.expected = <double *> self.take(most * sizeof(double))
        search.path_capacity = search.record_capacity = FIRST_STEPS
        search.path = <step_t *> malloc(FIRST_STEPS * sizeof(step_t) + CACHE_LINE)
        search.recorded = <recorded_t *> malloc(FIRST_STEPS * sizeof(recorded_t) + CACHE_LINE)
        if search.path == NULL or search.recorded == NULL:
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
        search.leaf_states = <char *> self.take(leaves * search.leaf_size)
        search.lanes = <lanes_t *> self.take(sizeof(lanes_t))
        search.tally = <tally_t *> self.take(game.num_actions * sizeof(tally_t))
        search.leaves_memory = <void *> ((<size_t> self.take(game.leaves_memory) + CACHE_LINE - 1)
                                         & ~<size_t> (CACHE_LINE - 1))
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
            kept.slot = <char *> self.take(slots * kept.slot_size)
        kept.memory = self.take(game.followers_memory)
        kept.joint = <int32_t *> self.take(sizeof(int32_t) * MOST_FOLLOWERS * game.num_players)
        kept.after = <char *> self.take(<size_t> MOST_FOLLOWERS * game.state_size)
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
                    search.policy_actions = <uint16_t *> self.take(actions * sizeof(uint16_t))
                    search.policy_weights = <float *> self.take(actions * sizeof(float))
                # Where steps take long, a simulation makes one then, in place of one for each node of its path.
                if (search.game.apply_each != NULL and search.game.copy == NULL
                        and search.game.state_size <= MOST_STATE_BYTES
                        and not search.config.selection.needs & NEEDS_AMAF):
                    search.features |= STATES
        search.inputs = <float *> self.take(search.game.encoding_size * sizeof(float))
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
        halving.base = <double *> self.take(self.game.table.num_actions * sizeof(double))
        halving.chosen = <int32_t *> self.take(self.game.table.num_actions * sizeof(int32_t))
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

    # ---- Users.

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
