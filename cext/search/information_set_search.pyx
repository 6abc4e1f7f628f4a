"""Information set Monte Carlo tree search with several observers (Cowling, Powley and Whitehouse 2012).

A simulation draws a state that looks the same to the searching player, and descends with the statistics of what each
player sees: every information set has one node with an arm for each legal action. Players decide by UCB1, by Exp3
(Auer et al. 2002) or by regret matching (Lisy, Kovarik, Lanctot and Bosansky 2013). A new node is followed by a random
playout. Written against the game table alone, for any number of players.
"""
cimport cython
from libc.math cimport exp, log, sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from ..game.game cimport Game, State, View
from ..game.game_table cimport (ACTING_CHANCE, MAX_ENTRIES, MAX_PLAYERS, NO_ACTION, copy_state, draw_outcome,
                                free_states, game_t, has_failed, list_size, playout_by_table, view_key)
from ..primitives.growing cimport NO_NUMBER, add_key, budget_t, find_key, grow_array, key_table_t
from ..primitives.in_use cimport begin_change, begin_reading, end_change, end_reading, read_number
from ..primitives.rng cimport rng_below, rng_seed, rng_t, rng_unit

from ..arguments import seed_bits

cdef enum selection_t:
    UCB1
    EXP3
    REGRET_MATCHING

SELECTIONS = ("ucb1", "exp3", "regret_matching")

cdef double LEAST_SHARE = 0.005     # of uniform play in regret matching

cdef struct arm_t:
    double sum                  # of the values of the deciding player, in [0, 1]
    double regret               # cumulated; the estimated gain with Exp3
    double strategy             # cumulated probability
    int64_t visits

cdef struct node_t:             # an information set
    int64_t first               # its first arm
    int32_t count               # arms
    int32_t player
    int64_t visits

cdef struct step_t:             # a decision of the running simulation
    int64_t node
    int32_t arm
    double probability          # with which the arm was drawn

cdef struct search_t:
    const game_t *game
    selection_t selection
    double exploration          # weight of the exploration term of UCB1
    node_t *nodes
    int64_t num_nodes, max_nodes
    arm_t *arms
    int64_t num_arms, max_arms
    key_table_t numbers         # key of a player and what it sees -> number of a node
    step_t *path
    int64_t length, max_length
    double *weights             # scratch of one strategy [max_legal]
    int32_t *legal              # [list_size]
    char *state
    char *scratch
    budget_t budget
    int64_t simulations
    double total[MAX_PLAYERS]   # sums of the values of all simulations, in [0, 1]


cdef int64_t add_node(search_t *search, uint64_t key, int32_t player, int32_t count) noexcept nogil:
    """Add an information set and return its number; NO_NUMBER at the memory limit."""
    cdef node_t *node
    if not (grow_array(&search.budget, <void **> &search.nodes, &search.max_nodes, search.num_nodes + 1, sizeof(node_t))
            and grow_array(&search.budget, <void **> &search.arms, &search.max_arms, search.num_arms + count,
                           sizeof(arm_t))
            and add_key(&search.budget, &search.numbers, key, search.num_nodes)):
        return NO_NUMBER
    node = &search.nodes[search.num_nodes]
    node.player, node.count, node.visits, node.first = player, count, 0, search.num_arms
    search.num_arms += count
    search.num_nodes += 1
    return search.num_nodes - 1


cdef int32_t select_ucb1(const search_t *search, const node_t *node, rng_t *rng) noexcept nogil:
    """Return an untried arm at random, else the one of the highest upper confidence bound."""
    cdef const arm_t *arms = search.arms + node.first
    cdef int32_t arm, best = 0, untried = 0
    cdef double score, highest = -1.0, log_total
    for arm in range(node.count):
        untried += arms[arm].visits == 0
    if untried:
        untried = <int32_t> rng_below(rng, <uint32_t> untried)
        for arm in range(node.count):
            if arms[arm].visits == 0:
                if untried == 0:
                    return arm
                untried -= 1
    log_total = log(<double> node.visits)
    for arm in range(node.count):
        score = arms[arm].sum / arms[arm].visits + search.exploration * sqrt(log_total / arms[arm].visits)
        if score > highest:
            highest, best = score, arm
    return best


cdef double write_strategy(const search_t *search, const node_t *node, double *weights) noexcept nogil:
    """Write the strategy of Exp3 or regret matching [count], and return the share of uniform play to mix with it."""
    cdef const arm_t *arms = search.arms + node.first
    cdef double total = 0.0, highest = arms[0].regret, share, t = node.visits + 1.0
    cdef int32_t arm
    if search.selection == REGRET_MATCHING:
        for arm in range(node.count):
            weights[arm] = max(0.0, arms[arm].regret)
            total += weights[arm]
        for arm in range(node.count):
            weights[arm] = weights[arm] / total if total > 0.0 else 1.0 / node.count
        return max(LEAST_SHARE, 1.0 / sqrt(t))
    share = min(1.0, sqrt(node.count * log(<double> max(2, node.count)) / (1.718281828459045 * t)))
    for arm in range(node.count):
        highest = max(highest, arms[arm].regret)
    for arm in range(node.count):
        weights[arm] = exp(share / node.count * (arms[arm].regret - highest))
        total += weights[arm]
    for arm in range(node.count):
        weights[arm] /= total
    return share


cdef int32_t select_arm(search_t *search, int64_t number, rng_t *rng, double *probability) noexcept nogil:
    """Return an arm of a node, and the probability with which it was drawn."""
    cdef node_t *node = &search.nodes[number]
    cdef arm_t *arms = search.arms + node.first
    cdef double share, draw
    cdef int32_t arm, chosen = node.count - 1
    if search.selection == UCB1:
        probability[0] = 1.0
        return select_ucb1(search, node, rng)
    share = write_strategy(search, node, search.weights)
    draw = rng_unit(rng)
    for arm in range(node.count):
        arms[arm].strategy += search.weights[arm]
    for arm in range(node.count - 1):
        draw -= (1.0 - share) * search.weights[arm] + share / node.count
        if draw < 0.0:
            chosen = arm
            break
    probability[0] = (1.0 - share) * search.weights[chosen] + share / node.count
    return chosen


cdef void learn(search_t *search, const step_t *step, double value) noexcept nogil:
    """Add the value of a simulation to a decision."""
    cdef node_t *node = &search.nodes[step.node]
    cdef arm_t *arms = search.arms + node.first
    cdef int32_t arm
    node.visits += 1
    arms[step.arm].visits += 1
    arms[step.arm].sum += value
    if search.selection == EXP3:
        arms[step.arm].regret += value / step.probability
    elif search.selection == REGRET_MATCHING:
        for arm in range(node.count):
            arms[arm].regret -= value
        arms[step.arm].regret += value / step.probability


cdef bint descend(search_t *search, rng_t *rng) noexcept nogil:
    """Play from `state` to a new node or an end. Return False if a game in Python has failed."""
    cdef const game_t *game = search.game
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t player, count, arm
    cdef uint32_t acting
    cdef uint64_t key
    cdef int64_t number
    cdef double probability
    cdef bint grew = False
    search.length = 0
    while not grew:
        acting = game.acting(game, search.state)
        if acting == 0 or has_failed(game):
            break
        joint[game.num_players] = NO_ACTION
        if acting == ACTING_CHANCE:
            joint[game.num_players] = draw_outcome(game, search.state, rng, search.legal)
        for player in range(game.num_players):
            joint[player] = NO_ACTION
            if acting == ACTING_CHANCE or not (acting >> player) & 1:
                continue
            count = game.legal_actions(game, search.state, player, search.legal)
            key = view_key(game, search.state, player, search.scratch)
            if has_failed(game):
                return False
            number = find_key(&search.numbers, key)
            if number == NO_NUMBER:
                number = add_node(search, key, player, count)
                grew = True
            if number == NO_NUMBER or search.nodes[number].count != count or not grow_array(
                    &search.budget, <void **> &search.path, &search.max_length, search.length + 1, sizeof(step_t)):
                joint[player] = search.legal[rng_below(rng, <uint32_t> count)]
                continue
            arm = select_arm(search, number, rng, &probability)
            search.path[search.length].node = number
            search.path[search.length].arm = arm
            search.path[search.length].probability = probability
            search.length += 1
            joint[player] = search.legal[arm]
        game.apply(game, search.state, joint)
    return not has_failed(game)


cdef bint simulate(search_t *search, const void *seen, int32_t player, rng_t *rng) noexcept nogil:
    """Run one simulation. Return False if a game in Python has failed."""
    cdef const game_t *game = search.game
    cdef double value[MAX_PLAYERS]
    cdef double span = game.max_utility - game.min_utility
    cdef int64_t i
    copy_state(game, search.state, seen)
    if game.redact != NULL:
        game.resample(game, search.state, player, rng)
    if not descend(search, rng):
        return False
    if game.acting(game, search.state) == 0:
        game.returns(game, search.state, value)
    elif game.playout != NULL:
        game.playout(game, search.state, rng, NULL, value)
    else:
        playout_by_table(game, search.state, rng, search.legal, value)
    if has_failed(game):
        return False
    for i in range(game.num_players):
        value[i] = (value[i] - game.min_utility) / span
        search.total[i] += value[i]
    for i in range(search.length):
        learn(search, &search.path[i], value[search.nodes[search.path[i].node].player])
    search.simulations += 1
    return True


@cython.no_gc_clear             # __dealloc__ needs the game, which must outlive the collection of a cycle
cdef class InformationSetSearch:
    """A search of one decision.

    Args:
        view: of a player who decides, in a game whose actions are listed.
        seed: root of the random stream.
        selection: one of SELECTIONS.
        exploration: weight of the exploration term of UCB1.
        memory_mb: limit of the nodes in megabytes; at the limit no node is added.

    Raises:
        ValueError: the selection is unknown.
    """
    cdef Game game
    cdef View view
    cdef State seen
    cdef search_t search
    cdef rng_t rng
    cdef int users              # see primitives/in_use.pxd

    def __cinit__(self, View view not None, seed, selection, double exploration, int64_t memory_mb):
        cdef search_t *search = &self.search
        if selection not in SELECTIONS:
            raise ValueError(f"selection={selection!r}; valid: {', '.join(SELECTIONS)}")
        chosen = SELECTIONS.index(selection)
        self.view = view
        self.seen = view.redacted()
        self.game = self.seen.game
        search.game = &self.game.table
        search.selection = <selection_t> <int32_t> chosen
        search.exploration = exploration
        search.budget.most = <uint64_t> memory_mb << 20
        search.weights = <double *> malloc(max(1, search.game.max_legal) * sizeof(double))
        search.legal = <int32_t *> malloc(max(1, list_size(search.game)) * sizeof(int32_t))
        search.state = <char *> calloc(1, search.game.state_size)
        search.scratch = <char *> calloc(1, search.game.state_size)
        if search.weights == NULL or search.legal == NULL or search.state == NULL or search.scratch == NULL:
            raise MemoryError
        rng_seed(&self.rng, seed_bits(seed))

    def __dealloc__(self):
        cdef search_t *search = &self.search
        free(search.nodes)
        free(search.arms)
        free(search.numbers.slots)
        free(search.path)
        free(search.weights)
        free(search.legal)
        free_states(search.game, search.state, 1)
        free_states(search.game, search.scratch, 1)

    @property
    def simulations(self):
        """Simulations run so far."""
        return read_number(&self.users, "InformationSetSearch", &self.search.simulations)

    @property
    def num_nodes(self):
        """Information sets met so far."""
        return read_number(&self.users, "InformationSetSearch", &self.search.num_nodes)

    def simulate(self, int64_t count):
        """Run simulations, without the GIL.

        Raises:
            BusyError: another thread uses the search.
        """
        cdef int64_t _
        begin_change(&self.users, "InformationSetSearch")
        try:
            with nogil:
                for _ in range(count):
                    if not simulate(&self.search, self.seen.data, self.view.player, &self.rng):
                        break
            self.game.reraise()
        finally:
            end_change(&self.users)

    def arms(self):
        """Return, by action of the root: visits, sum of values in [0, 1], weight in the average strategy."""
        cdef arm_t *arms
        begin_change(&self.users, "InformationSetSearch")
        try:
            legal = self.seen.legal_actions(self.view.player)
            key = view_key(self.search.game, self.seen.data, self.view.player, self.search.scratch)
            number = find_key(&self.search.numbers, key)
            if number == NO_NUMBER:
                return {action: (0, 0.0, 0.0) for action in legal}
            arms = self.search.arms + self.search.nodes[<int64_t> number].first
            return {action: (arms[<int32_t> i].visits, arms[<int32_t> i].sum, arms[<int32_t> i].strategy)
                    for i, action in enumerate(legal)}
        finally:
            end_change(&self.users)

    def values(self):
        """Mean value of each player in [0, 1]; 0.5 before the first simulation."""
        begin_reading(&self.users, "InformationSetSearch")
        count = self.search.simulations
        totals = [self.search.total[player] for player in range(self.search.game.num_players)]
        end_reading(&self.users)
        return [total / count if count else 0.5 for total in totals]
