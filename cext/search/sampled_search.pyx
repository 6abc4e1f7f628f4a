"""Search over sampled actions, for two-player games of hidden information whose actions are too many to list.

What the player cannot see is sampled: a particle is a full state that looks the same to it. What the players can do is
sampled too: some candidates of the player, the same in all particles as it cannot tell them apart, and in each particle
some replies of the opponent, who knows its own secrets. A simulation draws a particle, a candidate and a reply by
regret matching, plays them, plays the rest at random, and updates both sides' regrets. Written against the game table
alone.

Values are those of the searching player, in [0, 1]; the opponent's are 1 minus them.
"""
from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from ..game.game cimport Game, State, View
from ..game.game_table cimport MAX_JOINT_BYTES, MAX_PLAYERS, game_t, playout_by_table
from ..primitives.in_use cimport begin_change, end_change
from ..primitives.rng cimport rng_below, rng_seed, rng_t, rng_unit

from ..arguments import seed_bits, shown, whole_number

cdef enum:
    PATIENCE = 4                # draws for each wanted distinct action before fewer are taken
    MOST_CELLS = 1 << 24        # particles * replies * candidates

cdef double PRIOR = 3.0         # playouts that the guess at a cell from its row and column counts for
cdef double LEAST_EXPLORATION = 0.005

cdef struct cell_t:             # playouts of one particle, reply and candidate
    double sum                  # of values
    double count

cdef struct arm_t:              # a candidate, or a reply within its particle
    double regret               # cumulated, never below 0
    double strategy             # cumulated probability
    double sum                  # of values, always the searching player's
    double count                # of simulations

cdef struct search_t:
    const game_t *game
    int32_t player              # who searches
    bint opponent_acts             # whether the opponent decides too
    int32_t particles
    int32_t stride              # cells from one reply to the next: candidates at the start
    int32_t max_replies         # per particle
    int32_t candidates          # still in the race
    char *states                # [particles][state_size]
    char *actions               # [candidates][action_size]
    char *replies               # [particles][max_replies][action_size]
    int32_t *reply_counts       # [particles], distinct replies
    arm_t *arms                 # [candidates]
    arm_t *reply_arms           # [particles][max_replies]
    cell_t *cells               # [particles][max_replies][stride]
    double *guesses             # [stride], scratch: values of the candidates against one reply
    char *scratch               # a state
    arm_t total                 # sum and count of all simulations since the last halving
    int64_t simulations
    double exploration          # least share of the simulations that draws the candidate evenly


cdef inline double mean(const arm_t *arm, double prior) noexcept nogil:
    """Mean value, drawn towards `prior` while there are few playouts."""
    return (arm.sum + PRIOR * prior) / (arm.count + PRIOR)


cdef inline double cell_value(const cell_t *cell, double prior) noexcept nogil:
    return (cell.sum + PRIOR * prior) / (cell.count + PRIOR)


cdef inline void add(arm_t *arm, double value) noexcept nogil:
    arm.sum += value
    arm.count += 1


cdef double regret_sum(const arm_t *arms, int32_t count) noexcept nogil:
    cdef double sum = 0
    cdef int32_t i
    for i in range(count):
        sum += arms[i].regret
    return sum


cdef inline double probability(const arm_t *arm, double sum, int32_t count) noexcept nogil:
    """By regret matching, without exploration."""
    return arm.regret / sum if sum > 0 else 1.0 / count


cdef int32_t draw_arm(arm_t *arms, int32_t count, double exploration, rng_t *rng) noexcept nogil:
    """Draw an arm by regret matching with some uniform exploration; the average strategy gets its share."""
    cdef double sum = regret_sum(arms, count), point = rng_unit(rng)
    cdef int32_t i, chosen = count - 1
    for i in range(count):
        arms[i].strategy += probability(&arms[i], sum, count)
    if point < exploration:
        return min(count - 1, <int32_t> (point / exploration * count))
    point = (point - exploration) / (1.0 - exploration)
    for i in range(count):
        point -= probability(&arms[i], sum, count)
        if point < 0:
            chosen = i
            break
    return chosen


cdef void learn(arm_t *arms, int32_t count, const double *values, double sign) noexcept nogil:
    """Add to each arm's regret what it would have been worth above the strategy's own value."""
    cdef double sum = regret_sum(arms, count), expected = 0, regret
    cdef int32_t i
    for i in range(count):
        expected += values[i] * probability(&arms[i], sum, count)
    for i in range(count):
        regret = arms[i].regret + sign * (values[i] - expected)
        arms[i].regret = regret if regret > 0 else 0


cdef double play(search_t *search, int32_t particle, int32_t reply, int32_t candidate, rng_t *rng) noexcept nogil:
    """Value of one playout after both have acted."""
    cdef const game_t *game = search.game
    cdef char joint[MAX_JOINT_BYTES]
    cdef double out[MAX_PLAYERS]
    cdef int32_t size = game.action_size
    memcpy(search.scratch, search.states + <size_t> particle * game.state_size, game.state_size)
    memcpy(joint + search.player * size, search.actions + <size_t> candidate * size, size)
    memcpy(joint + (1 - search.player) * size,
           search.replies + (<size_t> particle * search.max_replies + reply) * size, size)
    game.apply(game, search.scratch, joint)
    if game.playout != NULL:
        game.playout(game, search.scratch, rng, NULL, NULL, out)
    else:
        playout_by_table(game, search.scratch, rng, NULL, out)
    return (out[search.player] - game.min_utility) / (game.max_utility - game.min_utility)


cdef void simulate(search_t *search, rng_t *rng) noexcept nogil:
    cdef int32_t particle = <int32_t> rng_below(rng, <uint32_t> search.particles)
    cdef int32_t replies = search.reply_counts[particle], first = particle * search.max_replies
    cdef arm_t *reply_arms = search.reply_arms + first
    cdef cell_t *cells = search.cells + <size_t> first * search.stride
    cdef double exploration = max(LEAST_EXPLORATION, 1.0 / sqrt(search.total.count + 1.0))
    cdef int32_t candidate = draw_arm(search.arms, search.candidates, max(search.exploration, exploration), rng)
    cdef int32_t reply = draw_arm(reply_arms, replies, exploration, rng)
    cdef cell_t *column = cells + <size_t> reply * search.stride
    cdef double value = play(search, particle, reply, candidate, rng), overall, shift
    cdef int32_t i
    column[candidate].sum += value
    column[candidate].count += 1
    add(&search.arms[candidate], value)
    add(&reply_arms[reply], value)
    add(&search.total, value)
    search.simulations += 1
    # where a cell has few playouts, its candidate's mean plus what the reply changes on average stands in
    overall = mean(&search.total, 0.5)
    shift = mean(&reply_arms[reply], overall) - overall
    for i in range(search.candidates):
        search.guesses[i] = cell_value(&column[i], mean(&search.arms[i], overall) + shift)
    learn(search.arms, search.candidates, search.guesses, 1.0)
    shift = mean(&search.arms[candidate], overall) - overall
    for i in range(replies):
        search.guesses[i] = cell_value(&cells[<size_t> i * search.stride + candidate],
                                       mean(&reply_arms[i], overall) + shift)
    learn(reply_arms, replies, search.guesses, -1.0)


cdef int32_t draw_distinct(const game_t *game, const void *state, int32_t player, int32_t wanted, char *out,
                           rng_t *rng) noexcept nogil:
    """Sample up to `wanted` distinct actions. Return their number."""
    cdef int32_t count = 0, size = game.action_size, i, _
    cdef char *fresh
    for _ in range(PATIENCE * wanted):
        fresh = out + <size_t> count * size
        game.sample_action(game, state, player, rng, fresh)
        i = 0
        while i < count and memcmp(out + <size_t> i * size, fresh, size):
            i += 1
        if i == count:
            count += 1
            if count == wanted:
                break
    return count


cdef class SampledSearch:
    """The pools of one search, and what can be done with them: simulate, halve the candidates, read the statistics.

    Args:
        view: of a two-player constant-sum game whose actions are sampled; its player decides now.
        candidates: most sampled actions of the player.
        particles: sampled truths.
        replies: most sampled actions of the opponent in each.
        seed: root of the random stream.

    Raises:
        TypeError: the view is of another kind of game.
        ValueError: the player does not decide, or a number is below 1, or their product above 2**24.
    """
    cdef search_t search
    cdef int users              # see in_use.pxd
    cdef rng_t rng
    cdef Game game
    cdef View view

    def __cinit__(self, View view not None, int candidates, int particles, int replies, seed):
        cdef State seen = view.redacted()
        cdef const game_t *game = &seen.game.table
        cdef search_t *search = &self.search
        cdef int32_t i, size = game.action_size
        if game.legal_actions != NULL or game.sample_action == NULL or game.num_players != 2 or game.copy != NULL:
            raise TypeError(f"{seen.game.spec} is not a game of two players whose actions are sampled")
        if min(candidates, particles, replies) < 1 or <double> candidates * particles * replies > MOST_CELLS:
            raise ValueError(f"candidates={candidates}, particles={particles}, replies={replies}; valid: each at least "
                             f"1, the product up to {MOST_CELLS}")
        if not (game.acting(game, seen.data) >> view.player) & 1:
            raise ValueError("the viewing player has nothing to decide")
        self.view = view
        self.game = seen.game
        rng_seed(&self.rng, seed_bits(seed))
        search.game = game
        search.player = view.player
        search.opponent_acts = (game.acting(game, seen.data) >> (1 - view.player)) & 1
        search.particles = particles
        search.stride = candidates
        search.max_replies = replies
        search.states = <char *> calloc(particles, game.state_size)
        search.actions = <char *> calloc(candidates, size)
        search.replies = <char *> calloc(<size_t> particles * replies, size)
        search.reply_counts = <int32_t *> calloc(particles, sizeof(int32_t))
        search.arms = <arm_t *> calloc(candidates, sizeof(arm_t))
        search.reply_arms = <arm_t *> calloc(<size_t> particles * replies, sizeof(arm_t))
        search.cells = <cell_t *> calloc(<size_t> particles * replies * candidates, sizeof(cell_t))
        search.guesses = <double *> calloc(max(candidates, replies), sizeof(double))
        search.scratch = <char *> calloc(1, game.state_size)
        if (search.states == NULL or search.actions == NULL or search.replies == NULL or search.reply_counts == NULL
                or search.arms == NULL or search.reply_arms == NULL or search.cells == NULL or search.guesses == NULL
                or search.scratch == NULL):
            raise MemoryError
        search.candidates = draw_distinct(game, seen.data, view.player, candidates, search.actions, &self.rng)
        for i in range(particles):
            memcpy(search.states + <size_t> i * game.state_size, seen.data, game.state_size)
            if game.redact != NULL:
                game.resample(game, search.states + <size_t> i * game.state_size, view.player, &self.rng)
            search.reply_counts[i] = 1      # an opponent that has nothing to decide has one reply, which is not read
            if search.opponent_acts:
                search.reply_counts[i] = draw_distinct(
                    game, search.states + <size_t> i * game.state_size, 1 - view.player, replies,
                    search.replies + <size_t> i * replies * size, &self.rng)

    def __dealloc__(self):
        cdef search_t *search = &self.search
        free(search.states)
        free(search.actions)
        free(search.replies)
        free(search.reply_counts)
        free(search.arms)
        free(search.reply_arms)
        free(search.cells)
        free(search.guesses)
        free(search.scratch)

    @property
    def simulations(self):
        """Simulations run so far."""
        begin_change(&self.users, "SampledSearch")
        count = self.search.simulations
        end_change(&self.users)
        return count

    def simulate(self, int64_t count, double exploration):
        """Run simulations without the GIL.

        Args:
            count: how many.
            exploration: least share of them that draws the candidate evenly, in [0, 1].

        Raises:
            ValueError: exploration is out of range.
            BusyError: another thread uses the search.
        """
        cdef int64_t _
        if not 0.0 <= exploration <= 1.0:
            raise ValueError(f"exploration={exploration}; valid: 0 to 1")
        begin_change(&self.users, "SampledSearch")
        with nogil:
            self.search.exploration = exploration
            for _ in range(count):
                simulate(&self.search, &self.rng)
        end_change(&self.users)

    def keep(self, order):
        """Go on with some of the candidates only.

        Their playouts and regrets stay; the average strategies of both sides begin anew.

        Args:
            order: numbers of the candidates that stay, ascending.

        Raises:
            ValueError: the numbers do not ascend, are not of candidates, or none stays.
            BusyError: another thread uses the search.
        """
        cdef search_t *search = &self.search
        cdef int32_t size = search.game.action_size, new, old, column, last = -1
        order = [whole_number("a candidate", number) for number in order]
        begin_change(&self.users, "SampledSearch")
        try:
            for number in order:
                if not last < number < search.candidates:
                    raise ValueError(f"order has {shown(number)}; valid: ascending numbers from 0 to "
                                     f"{search.candidates - 1}")
                last = number
            if last < 0:
                raise ValueError("order is empty; valid: at least one candidate")
            for new, old in enumerate(order):
                search.arms[new] = search.arms[old]
                search.arms[new].strategy = 0
                memcpy(search.actions + <size_t> new * size, search.actions + <size_t> old * size, size)
                for column in range(search.particles * search.max_replies):
                    search.cells[<size_t> column * search.stride + new] = search.cells[
                        <size_t> column * search.stride + old]
            search.candidates = <int32_t> len(order)
            for column in range(search.particles * search.max_replies):
                search.reply_arms[column].strategy = 0
            search.total.sum = search.total.count = 0
        finally:
            end_change(&self.users)

    def candidate_statistics(self):
        """Return, by candidate: action, weight in the average strategy, sum of values in [0, 1], simulations."""
        cdef search_t *search = &self.search
        cdef int32_t i
        begin_change(&self.users, "SampledSearch")
        try:
            return [(self.game.unpack_action(search.actions + <size_t> i * search.game.action_size),
                     search.arms[i].strategy, search.arms[i].sum, search.arms[i].count)
                    for i in range(search.candidates)]
        finally:
            end_change(&self.users)

    def value(self):
        """Mean value in [0, 1] of the simulations since candidates were last dropped; 0.5 if there are none."""
        begin_change(&self.users, "SampledSearch")
        try:
            return self.search.total.sum / self.search.total.count if self.search.total.count else 0.5
        finally:
            end_change(&self.users)
