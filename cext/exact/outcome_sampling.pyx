"""Online outcome sampling: regret minimisation by sampled games (Lisy, Lanctot and Bowling, AAMAS 2015).

A simulation plays one game from the first state on. One player learns from it: the regrets at its information sets
change by the return, divided by the probability of the game. The other player adds its strategy to its average
strategy. A simulation adds at most one information set; where none is known, everybody plays evenly.

With an aim, a share of the simulations keeps to the histories that lead to the decision that is searched. Both
distributions of games are known, so estimates stay unbiased. Probabilities are relative to that of the history so far:
no product becomes 0 in a long game.

A traversal, in place of a simulation, follows all actions of the player who learns; the other player's actions and
chance are drawn (external sampling: Lanctot et al. 2009). It adds every information set that it meets.
"""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from ..game.game cimport Game, check_sealed
from ..game.game_table cimport (ACTING_CHANCE, MAX_ENTRIES, NO_ACTION, copy_state, free_states, game_t, has_failed,
                                list_size, view_key)
from ..primitives.bits cimport hash_combine
from ..primitives.growing cimport NO_NUMBER, add_key, budget_t, find_key, grow_array, key_table_t
from ..primitives.in_use cimport begin_change, begin_reading, end_change, end_reading, read_number
from ..primitives.rng cimport rng_seed, rng_t, rng_unit
from .regret_matching cimport match_regrets
from .sequence_form cimport SequenceForm, aim_t, extend_history

from ..arguments import seed_bits
from .sequence_form import why_without_sequence_form

cdef enum:                      # the numbers of an action in an information set, each in a row for all actions
    REGRETS                     # cumulated
    STRATEGY                    # cumulated probability
    WORTH                       # sum of returns in [-1, 1], each times its weight
    WEIGHT                      # sum of these weights
    VISITS
    ROWS

cdef enum:
    ENDS = 512                  # games that end in traversals between two looks at the time

cdef double LEAST = 1e-9        # weight of an action that the strategies never play but that leads to the aim
cdef double MOST_SHARE = 1e100  # of what is learnt from: a rarer history says nothing

cdef struct node_t:             # an information set
    uint64_t view_key           # of what the player sees
    int64_t first               # its numbers [ROWS, count]
    int32_t player
    int32_t count               # actions

cdef struct step_t:             # a decision or an event of a simulation
    int64_t node                # NO_NUMBER for chance and for information sets that are not known
    int32_t player              # the number of players for chance
    int32_t arm
    double own                  # probability of the step if all play their strategies
    double drawn                # probability of the step in simulations
    double share                # see walk_t

cdef struct walk_t:             # the place of a simulation
    int32_t learner
    bint is_aimed
    bint leads                  # some history that continues the one so far leads to the aim
    bint grows                  # no information set was added yet
    bint traverses              # a traversal, not a simulation
    uint64_t history            # see extend_history
    uint64_t key[2]             # of the path of each player
    # of the history so far, divided by its probability in simulations: the probability of the actions of the player
    # who does not learn and of chance, and the probabilities in simulations without and with aim
    double share
    double plain
    double towards

cdef struct frame_t:            # a decision of the player who learns, in a traversal
    int64_t node                # NO_NUMBER without memory for it
    int32_t count               # actions
    int32_t arm                 # the action that is followed
    int32_t joint[MAX_ENTRIES]  # what the others do at the same time
    uint64_t key[2]             # see walk_t; that of the player without the action
    char *state
    int32_t *actions            # [list_size]
    double *values              # [list_size] return of the player, in [-1, 1], after each action

cdef struct sampler_t:
    const game_t *game
    double exploration          # share of even play of the player who learns
    double aimed                # share of simulations with aim, if there is one
    const aim_t *aim            # or NULL
    node_t *nodes
    int64_t num_nodes, max_nodes
    double *numbers
    int64_t num_numbers, max_numbers
    key_table_t known           # key of the path of a player -> number of an information set
    step_t *path
    int64_t length, max_length
    double *strategy            # scratch [list_size]: of a decision, or probabilities of outcomes
    double *plain               # the same of simulations without aim
    double *towards             # the same of those with aim
    int32_t *legal              # [list_size]
    frame_t *frames             # of traversals
    int64_t num_frames, max_frames
    int64_t depth               # frames of the traversal that is not complete
    walk_t walk                 # its place
    char *state
    char *scratch
    budget_t budget
    int64_t simulations


cdef int64_t add_node(sampler_t *sampler, uint64_t key, uint64_t seen, int32_t player, int32_t count) noexcept nogil:
    """Add an information set and return its number; NO_NUMBER at the memory limit."""
    cdef int64_t number = sampler.num_nodes
    cdef node_t *node
    if not (grow_array(&sampler.budget, <void **> &sampler.nodes, &sampler.max_nodes, number + 1, sizeof(node_t))
            and grow_array(&sampler.budget, <void **> &sampler.numbers, &sampler.max_numbers,
                           sampler.num_numbers + ROWS * count, sizeof(double))
            and add_key(&sampler.budget, &sampler.known, key, number)):
        return NO_NUMBER
    node = &sampler.nodes[number]
    node.view_key, node.player, node.count, node.first = seen, player, count, sampler.num_numbers
    sampler.num_numbers += ROWS * count
    sampler.num_nodes += 1
    return number


cdef inline double *row(const sampler_t *sampler, const node_t *node, int32_t which) noexcept nogil:
    """Return a row of the numbers of an information set."""
    return sampler.numbers + node.first + which * node.count


cdef void find_outcomes(sampler_t *sampler, int32_t *count) noexcept nogil:
    """Write the outcomes of chance and their probabilities."""
    cdef int32_t *weights = sampler.legal + sampler.game.num_outcomes
    cdef double total = 0.0
    cdef int32_t i
    count[0] = sampler.game.chance_outcomes(sampler.game, sampler.state, sampler.legal, weights)
    for i in range(count[0]):
        total += weights[i]
    for i in range(count[0]):
        sampler.strategy[i] = sampler.plain[i] = weights[i] / total


cdef int64_t find_strategy(sampler_t *sampler, walk_t *walk, int32_t player, int32_t *count) noexcept nogil:
    """Write the actions of a player, its strategy, and what simulations without aim draw from.

    Returns the number of the information set, or NO_NUMBER.
    """
    cdef uint64_t seen
    cdef int64_t number
    cdef int32_t i
    cdef double even, share = sampler.exploration if player == walk.learner else 0.0
    count[0] = sampler.game.legal_actions(sampler.game, sampler.state, player, sampler.legal)
    seen = view_key(sampler.game, sampler.state, player, sampler.scratch)
    if has_failed(sampler.game):
        return NO_NUMBER
    even = 1.0 / count[0]
    walk.key[player] = hash_combine(walk.key[player], seen)
    number = find_key(&sampler.known, walk.key[player])
    if number == NO_NUMBER and walk.grows:
        number = add_node(sampler, walk.key[player], seen, player, count[0])
        walk.grows = False
    if number != NO_NUMBER and sampler.nodes[number].count != count[0]:
        number = NO_NUMBER
    if number == NO_NUMBER:
        for i in range(count[0]):
            sampler.strategy[i] = even
    else:
        match_regrets(row(sampler, &sampler.nodes[number], REGRETS), count[0], sampler.strategy)
    for i in range(count[0]):
        sampler.plain[i] = share * even + (1.0 - share) * sampler.strategy[i]
    return number


cdef void find_towards(sampler_t *sampler, walk_t *walk, int32_t count, bint is_outcome) noexcept nogil:
    """Write what simulations with aim draw from: actions that lead to it; all of them where none does."""
    cdef double total = 0.0
    cdef int32_t i
    for i in range(count):
        sampler.towards[i] = 0.0
        if find_key(&sampler.aim.found, extend_history(sampler.aim, walk.history, sampler.legal[i],
                                                       is_outcome)) != NO_NUMBER:
            sampler.towards[i] = sampler.plain[i] + LEAST
            total += sampler.towards[i]
    walk.leads = total > 0.0
    for i in range(count):
        sampler.towards[i] = sampler.towards[i] / total if walk.leads else sampler.plain[i]


cdef int32_t draw(const double *chances, int32_t count, rng_t *rng) noexcept nogil:
    """Return the index of one of the probabilities, whose sum is 1."""
    cdef double rest = rng_unit(rng)
    cdef int32_t i, last = 0
    for i in range(count):
        if chances[i] > 0.0:
            last = i
            rest -= chances[i]
            if rest < 0.0:
                break
    return last


cdef int32_t take_step(sampler_t *sampler, walk_t *walk, step_t *step, int32_t count, rng_t *rng) noexcept nogil:
    """Draw an action or an outcome and move on. step: its node and player are set. Return the action."""
    cdef bint is_outcome = step.player == sampler.game.num_players
    cdef const double *towards = sampler.plain
    cdef double aimed = 0.0 if sampler.aim == NULL else sampler.aimed
    if walk.leads:
        find_towards(sampler, walk, count, is_outcome)
        towards = sampler.towards
    step.arm = draw(towards if walk.is_aimed else sampler.plain, count, rng)
    step.share = walk.share
    step.own = sampler.strategy[step.arm]
    walk.plain *= sampler.plain[step.arm]
    walk.towards *= towards[step.arm]
    step.drawn = aimed * walk.towards + (1.0 - aimed) * walk.plain
    walk.plain /= step.drawn
    walk.towards /= step.drawn
    walk.share /= step.drawn
    if step.player != walk.learner:
        walk.share *= step.own
    walk.leads = walk.leads and walk.towards > 0.0
    if walk.leads:
        walk.history = extend_history(sampler.aim, walk.history, sampler.legal[step.arm], is_outcome)
    return sampler.legal[step.arm]


cdef void learn(sampler_t *sampler, int32_t learner, double value) noexcept nogil:
    """Go back over a game and correct its information sets. value: of the player who learns, in [-1, 1]."""
    cdef const step_t *step
    cdef const node_t *node
    cdef double *regrets
    cdef double *strategy
    cdef double share, after, tail = 1.0    # probability of the rest if all play their strategies, see `step_t.drawn`
    cdef int64_t i
    cdef int32_t arm
    for i in range(sampler.length - 1, -1, -1):
        step = &sampler.path[i]
        after = tail / step.drawn
        tail = after * step.own
        share = step.share
        if step.node == NO_NUMBER or share * after > MOST_SHARE:
            continue
        node = &sampler.nodes[step.node]
        regrets, strategy = row(sampler, node, REGRETS), row(sampler, node, STRATEGY)
        row(sampler, node, VISITS)[step.arm] += 1.0
        if node.player == learner:
            for arm in range(node.count):
                regrets[arm] -= value * share * tail
            regrets[step.arm] += value * share * after
            row(sampler, node, WORTH)[step.arm] += value * share * after
            row(sampler, node, WEIGHT)[step.arm] += share * after
        else:
            match_regrets(regrets, node.count, sampler.strategy)
            for arm in range(node.count):
                strategy[arm] += share * sampler.strategy[arm]


cdef double scaled(const game_t *game, double value) noexcept nogil:
    """Return a return as a number in [-1, 1]."""
    return (2.0 * value - game.max_utility - game.min_utility) / (game.max_utility - game.min_utility)


cdef frame_t *add_frame(sampler_t *sampler, int64_t number) noexcept nogil:
    """Return the frame of a number, the first new one at most. Returns NULL without memory for it."""
    cdef int32_t size = max(1, list_size(sampler.game))
    cdef frame_t *frame
    if number == sampler.num_frames:
        if not grow_array(&sampler.budget, <void **> &sampler.frames, &sampler.max_frames, number + 1, sizeof(frame_t)):
            return NULL
        frame = &sampler.frames[number]
        frame.state = <char *> calloc(1, sampler.game.state_size)
        frame.values = <double *> malloc(size * (sizeof(double) + sizeof(int32_t)))
        if frame.state == NULL or frame.values == NULL:
            free(frame.state)
            free(frame.values)
            return NULL
        frame.actions = <int32_t *> (frame.values + size)
        sampler.num_frames += 1
    return &sampler.frames[number]


cdef void begin_walk(sampler_t *sampler, walk_t *walk, bint traverses) noexcept nogil:
    """Begin a simulation without aim, or a traversal, in the first state."""
    walk.learner = sampler.simulations & 1
    walk.traverses = traverses
    walk.is_aimed = walk.leads = False
    walk.grows = True
    walk.history = walk.key[0] = walk.key[1] = 0
    walk.share = walk.plain = walk.towards = 1.0
    sampler.length = 0
    sampler.game.init(sampler.game, sampler.state)


cdef int advance(sampler_t *sampler, walk_t *walk, rng_t *rng) noexcept nogil:
    """Play on and draw all steps: a simulation to its end, a traversal to the next decision of the player who learns.

    A simulation writes the path, a traversal the frame of the decision. Returns 1 with a frame; 0 at the end of the
    game; -1 if a game in Python has failed, or without memory.
    """
    cdef const game_t *game = sampler.game
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t player, i, count = 0
    cdef uint32_t acting
    cdef step_t drawn
    cdef step_t *step = &drawn
    cdef frame_t *frame
    while not has_failed(game):
        acting = game.acting(game, sampler.state)
        if acting == 0 or has_failed(game):
            break
        frame = NULL
        for player in range(game.num_players + 1):
            joint[player] = NO_ACTION
            if (acting == ACTING_CHANCE) != (player == game.num_players):
                continue
            if acting != ACTING_CHANCE and not (acting >> player) & 1:
                continue
            if not walk.traverses:
                if not grow_array(&sampler.budget, <void **> &sampler.path, &sampler.max_length, sampler.length + 1,
                                  sizeof(step_t)):
                    return -1
                step = &sampler.path[sampler.length]
            step.player, step.node = player, NO_NUMBER
            if acting == ACTING_CHANCE:
                find_outcomes(sampler, &count)
            else:
                walk.grows = walk.grows or walk.traverses
                step.node = find_strategy(sampler, walk, player, &count)
            if has_failed(game):
                return -1
            if walk.traverses and player == walk.learner:
                frame = add_frame(sampler, sampler.depth)
                if frame == NULL:
                    return -1
                frame.node, frame.count, frame.arm = step.node, count, 0
                for i in range(count):
                    frame.actions[i] = sampler.legal[i]
                continue
            if walk.traverses and step.node != NO_NUMBER:
                for i in range(count):
                    row(sampler, &sampler.nodes[step.node], STRATEGY)[i] += (
                        (sampler.simulations + 1.0) * sampler.strategy[i])
            joint[player] = take_step(sampler, walk, step, count, rng)
            if player < game.num_players:
                walk.key[player] = hash_combine(walk.key[player], <uint64_t> joint[player] + 1)
            sampler.length += 1
        if frame != NULL:
            for player in range(game.num_players + 1):
                frame.joint[player] = joint[player]
            frame.key[0], frame.key[1] = walk.key[0], walk.key[1]
            copy_state(game, frame.state, sampler.state)
            return 1
        game.apply(game, sampler.state, joint)
    return -1 if has_failed(game) else 0


cdef bint simulate(sampler_t *sampler, rng_t *rng) noexcept nogil:
    """Run one simulation. Return False if it could not end."""
    cdef const game_t *game = sampler.game
    cdef double returns[2]
    cdef walk_t walk
    begin_walk(sampler, &walk, False)
    walk.leads = sampler.aim != NULL
    walk.is_aimed = walk.leads and rng_unit(rng) < sampler.aimed
    if advance(sampler, &walk, rng) < 0:
        return False
    game.returns(game, sampler.state, returns)
    if has_failed(game):
        return False
    learn(sampler, walk.learner, scaled(game, returns[walk.learner]))
    sampler.simulations += 1
    return True


cdef void follow_arm(sampler_t *sampler, const frame_t *frame, walk_t *walk) noexcept nogil:
    """Go on from a frame with its present action."""
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t player
    for player in range(sampler.game.num_players + 1):
        joint[player] = frame.joint[player]
    joint[walk.learner] = frame.actions[frame.arm]
    walk.key[0], walk.key[1] = frame.key[0], frame.key[1]
    walk.key[walk.learner] = hash_combine(walk.key[walk.learner], <uint64_t> joint[walk.learner] + 1)
    copy_state(sampler.game, sampler.state, frame.state)
    sampler.game.apply(sampler.game, sampler.state, joint)


cdef double settle(sampler_t *sampler, const frame_t *frame) noexcept nogil:
    """Correct the regrets of a frame whose actions all have values. Return its value."""
    cdef const node_t *node
    cdef double value = 0.0
    cdef int32_t i
    if frame.node == NO_NUMBER:
        for i in range(frame.count):
            value += frame.values[i] / frame.count
        return value
    node = &sampler.nodes[frame.node]
    match_regrets(row(sampler, node, REGRETS), frame.count, sampler.strategy)
    for i in range(frame.count):
        value += sampler.strategy[i] * frame.values[i]
    for i in range(frame.count):
        row(sampler, node, REGRETS)[i] += (sampler.simulations + 1.0) * (frame.values[i] - value)
        row(sampler, node, WORTH)[i] += frame.values[i]
        row(sampler, node, WEIGHT)[i] += 1.0
        row(sampler, node, VISITS)[i] += 1.0
    return value


cdef int traverse(sampler_t *sampler, rng_t *rng, int64_t *ends) noexcept nogil:
    """Go on with a traversal, or begin one. Returns 1 when it is complete, 0 when `ends` games have ended before.

    It returns -1 if a game in Python has failed, or without memory; then the traversal is given up. ends: the number of
    games that may end; those that have ended are taken off.
    """
    cdef const game_t *game = sampler.game
    cdef walk_t *walk = &sampler.walk
    cdef double returns[2]
    cdef double value
    cdef frame_t *frame
    cdef int kind
    if sampler.depth == 0:
        begin_walk(sampler, walk, True)
    else:
        follow_arm(sampler, &sampler.frames[sampler.depth - 1], walk)
    while True:
        kind = advance(sampler, walk, rng)
        if kind > 0:
            follow_arm(sampler, &sampler.frames[sampler.depth], walk)
            sampler.depth += 1
            continue
        if kind == 0:
            game.returns(game, sampler.state, returns)
        if kind < 0 or has_failed(game):
            sampler.depth = 0
            return -1
        value = scaled(game, returns[walk.learner])
        ends[0] -= 1
        while sampler.depth > 0:
            frame = &sampler.frames[sampler.depth - 1]
            frame.values[frame.arm] = value
            frame.arm += 1
            if frame.arm < frame.count:
                break
            value = settle(sampler, frame)
            sampler.depth -= 1
        if sampler.depth == 0:
            sampler.simulations += 1
            return 1
        if ends[0] <= 0:
            return 0
        follow_arm(sampler, frame, walk)


@cython.no_gc_clear             # __dealloc__ needs the game, which must outlive the collection of a cycle
cdef class OutcomeSampling:
    """Strategies of both players of a game, improved by sampled games.

    Args:
        game: a two-player constant-sum game whose actions are listed.
        exploration: share of even play of the player who learns, above 0, at most 1.
        aimed: share of the simulations with aim, if there is one, from 0 to below 1.
        memory_mb: limit of the information sets in megabytes; at the limit none is added.

    Raises:
        TypeError: the game is another one.
        ValueError: a share is out of range.
    """
    cdef readonly Game game
    cdef SequenceForm form      # of the aim
    cdef sampler_t sampler
    cdef rng_t rng
    cdef int users              # see primitives/in_use.pxd

    def __cinit__(self, Game game not None, double exploration, double aimed, int64_t memory_mb):
        cdef sampler_t *sampler = &self.sampler
        cdef int32_t size
        check_sealed(game)
        reason = why_without_sequence_form(game)
        if reason is not None or not game.is_zero_sum:
            raise TypeError(f"{game.spec}: {reason or 'it is not for two players with opposite interests'}")
        if not 0.0 < exploration <= 1.0:
            raise ValueError(f"exploration={exploration}; valid: above 0, at most 1")
        if not 0.0 <= aimed < 1.0:
            raise ValueError(f"aimed={aimed}; valid: 0 and up, below 1")
        self.game = game
        sampler.game = &game.table
        sampler.exploration, sampler.aimed = exploration, aimed
        sampler.budget.most = <uint64_t> memory_mb << 20
        size = max(1, list_size(sampler.game))
        sampler.strategy = <double *> malloc(3 * size * sizeof(double))
        sampler.legal = <int32_t *> malloc(size * sizeof(int32_t))
        sampler.state = <char *> calloc(1, sampler.game.state_size)
        sampler.scratch = <char *> calloc(1, sampler.game.state_size)
        if sampler.strategy == NULL or sampler.legal == NULL or sampler.state == NULL or sampler.scratch == NULL:
            raise MemoryError
        sampler.plain = sampler.strategy + size
        sampler.towards = sampler.strategy + 2 * size
        rng_seed(&self.rng, 0)

    def __dealloc__(self):
        cdef sampler_t *sampler = &self.sampler
        cdef int64_t number
        for number in range(sampler.num_frames):
            free_states(sampler.game, sampler.frames[number].state, 1)
            free(sampler.frames[number].values)
        free(sampler.frames)
        free(sampler.nodes)
        free(sampler.numbers)
        free(sampler.known.slots)
        free(sampler.path)
        free(sampler.strategy)
        free(sampler.legal)
        free_states(sampler.game, sampler.state, 1)
        free_states(sampler.game, sampler.scratch, 1)

    @property
    def simulations(self):
        """Simulations run so far."""
        return read_number(&self.users, "OutcomeSampling", &self.sampler.simulations)

    @property
    def num_sets(self):
        """Information sets known so far."""
        return read_number(&self.users, "OutcomeSampling", &self.sampler.num_nodes)

    def reseed(self, seed):
        """Start the random stream of a seed."""
        begin_change(&self.users, "OutcomeSampling")
        try:
            rng_seed(&self.rng, seed_bits(seed))
        finally:
            end_change(&self.users)

    def aim(self, SequenceForm form):
        """Aim simulations at the histories that a walk has found.

        Args:
            form: a complete walk of this game with `seen`; None: at none.

        Raises:
            ValueError: the walk is not complete, has found nothing, or is of another game.
        """
        if form is not None:
            form.check_done()
            if form.game is not self.game or form.form.aim.found.count == 0:
                raise ValueError("the walk has found no history of this game; valid: one with num_found above 0")
        begin_change(&self.users, "OutcomeSampling")
        self.form = form
        self.sampler.aim = NULL if form is None else &form.form.aim
        end_change(&self.users)

    def traverse(self, int64_t count):
        """Run traversals, without the GIL, until some games have ended. The next call continues where this one ends.

        Args:
            count: traversals that are completed, at most.

        Returns:
            Those that were completed.

        Raises:
            BusyError: another thread uses the object.
            MemoryError: a game is longer than the memory limit allows.
        """
        return self.run(count, True)

    def simulate(self, int64_t count):
        """Run simulations, without the GIL.

        Raises:
            BusyError: another thread uses the object.
            MemoryError: a game is longer than the memory limit allows.
        """
        self.run(count, False)

    cdef int64_t run(self, int64_t count, bint traverses) except -1:
        cdef sampler_t *sampler = &self.sampler
        cdef int64_t before, ends = ENDS
        cdef bint runs = True
        begin_change(&self.users, "OutcomeSampling")
        try:
            before = sampler.simulations
            with nogil:
                while runs and ends > 0 and sampler.simulations - before < count:
                    runs = traverse(sampler, &self.rng, &ends) >= 0 if traverses else simulate(sampler, &self.rng)
            self.game.reraise()
            if not runs:
                raise MemoryError(f"a game of {self.game.spec} does not fit into the memory of its search")
            return sampler.simulations - before
        finally:
            end_change(&self.users)

    def answer(self, int player, uint64_t key):
        """Return what is known of the decision with a view; the most visited one if there are several.

        Args:
            player, key: see `SequenceForm.key_of`.

        Returns:
            By action: probability in the average strategy; visits; mean return in [-1, 1], None without any. None for
            a decision that is not known.
        """
        cdef const sampler_t *sampler = &self.sampler
        cdef const node_t *chosen = NULL
        cdef double *found
        cdef double visits, most = -1.0, total
        cdef int64_t number
        cdef int32_t i, count
        begin_reading(&self.users, "OutcomeSampling")
        try:
            for number in range(sampler.num_nodes):
                if sampler.nodes[number].view_key == key and sampler.nodes[number].player == player:
                    visits = 0.0
                    for i in range(sampler.nodes[number].count):
                        visits += row(sampler, &sampler.nodes[number], VISITS)[i]
                    if visits > most:
                        chosen, most = &sampler.nodes[number], visits
            if chosen == NULL:
                return None
            count, found, total = chosen.count, row(sampler, chosen, REGRETS), 0.0
            for i in range(count):
                total += found[STRATEGY * count + i]
            return (
                [found[STRATEGY * count + i] / total if total > 0.0 else 1.0 / count for i in range(count)],
                [int(found[VISITS * count + i]) for i in range(count)],
                [found[WORTH * count + i] / found[WEIGHT * count + i] if found[WEIGHT * count + i] > 0.0 else None
                 for i in range(count)],
            )
        finally:
            end_reading(&self.users)
