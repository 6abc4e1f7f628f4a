"""Counterfactual regret minimisation over a sequence form, by whole passes without sampling.

Every pass computes, for one player, the gain of each sequence against the present strategies of the others, goes back
over the player's information sets, and moves the strategy there by regret matching (Zinkevich et al. 2007). The average
strategies approach an equilibrium in games of two players with opposite interests.
"""
from libc.math cimport pow
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ..game.game_table cimport MAX_PLAYERS
from ..primitives.in_use cimport begin_change, end_change
from .regret_matching cimport match_regrets
from .sequence_form cimport SequenceForm, end_t, form_t, information_set_t

from ..arguments import whole_number_in

cdef enum kind_t:
    PLUS                        # CFR+: no negative regrets, averages weighted by the iteration
    DISCOUNTED                  # DCFR(1.5, 0, 2)
    PREDICTIVE                  # CFR+ that expects the regrets of the last iteration once more, averages by its square

KINDS = ("cfr+", "dcfr", "pcfr+")

cdef struct tables_t:           # of one player; all by sequence
    int64_t size
    double *regrets
    double *strategy            # probability of the action in its information set
    double *weights             # product of the player's own probabilities
    double *sums                # of the weights of all iterations, later ones counting more
    double *gains               # scratch


cdef void find_weights(const form_t *form, int32_t player, const double *strategy, double *weights) noexcept nogil:
    """Write the product of the player's own probabilities along each sequence."""
    cdef const information_set_t *one
    cdef int64_t number
    cdef int32_t i
    weights[0] = 1.0
    for number in range(form.num_sets):
        one = &form.sets[number]
        if one.player == player:
            for i in range(one.first, one.first + one.count):
                weights[i] = weights[one.parent] * strategy[i]


cdef void find_gains(const form_t *form, int32_t player, double *const *weights, double *gains,
                     int64_t size, bint count=False) noexcept nogil:
    """Write the return of each sequence where it ends a game, times the probabilities of the others and of chance.

    count: a return of 1 stands for each of a game, so that the gains are probabilities.
    """
    cdef int32_t other, players = form.game.num_players
    cdef const end_t *end
    cdef int64_t i
    cdef double reach
    memset(gains, 0, size * sizeof(double))
    for i in range(form.num_ends):
        end = &form.ends[i]
        reach = end.chance
        for other in range(players):
            if other != player:
                reach *= weights[other][end.sequence[other]]
        gains[end.sequence[player]] += reach if count else reach * form.returns[i * players + player]


cdef double best_gain(const form_t *form, int32_t player, double *gains) noexcept nogil:
    """Add to the gain of each sequence that of best play after it. Return the value of a best response."""
    cdef const information_set_t *one
    cdef int64_t number
    cdef int32_t i
    cdef double best
    for number in range(form.num_sets - 1, -1, -1):
        one = &form.sets[number]
        if one.player == player:
            best = gains[one.first]
            for i in range(one.first + 1, one.first + one.count):
                best = max(best, gains[i])
            gains[one.parent] += best
    return gains[0]


cdef void mean_gains(const form_t *form, int32_t player, const double *strategy, double *gains) noexcept nogil:
    """Add to the gain of each sequence that of a strategy after it."""
    cdef const information_set_t *one
    cdef int64_t number
    cdef int32_t i
    for number in range(form.num_sets - 1, -1, -1):
        one = &form.sets[number]
        if one.player == player:
            for i in range(one.first, one.first + one.count):
                gains[one.parent] += strategy[i] * gains[i]


cdef void update(const form_t *form, int32_t player, tables_t *own, kind_t kind, int64_t iteration) noexcept nogil:
    """Go back over a player's information sets: add the regrets of this iteration and move the strategy."""
    cdef double keep = 1.0, keep_bad = 1.0, value, scale, gain
    cdef const information_set_t *one
    cdef int64_t number
    cdef int32_t i
    if kind == DISCOUNTED:
        scale = pow(<double> iteration, 1.5)
        keep, keep_bad = scale / (scale + 1.0), 0.5
    for number in range(form.num_sets - 1, -1, -1):
        one = &form.sets[number]
        if one.player != player:
            continue
        value = 0.0
        for i in range(one.first, one.first + one.count):
            value += own.strategy[i] * own.gains[i]
        own.gains[one.parent] += value
        for i in range(one.first, one.first + one.count):
            if kind == DISCOUNTED:
                own.regrets[i] *= keep if own.regrets[i] > 0.0 else keep_bad
            gain = own.gains[i] - value
            own.regrets[i] += gain
            if kind != DISCOUNTED:
                own.regrets[i] = max(0.0, own.regrets[i])
            own.gains[i] = own.regrets[i] + (gain if kind == PREDICTIVE else 0.0)
        match_regrets(own.gains + one.first, one.count, own.strategy + one.first)


cdef void add_average(tables_t *own, kind_t kind, int64_t iteration) noexcept nogil:
    """Add the weights of this iteration to the sums."""
    cdef double kept = 1.0, share = <double> iteration
    cdef int64_t i
    if kind == DISCOUNTED:
        kept, share = pow(<double> iteration / (iteration + 1), 2.0), 1.0
    elif kind == PREDICTIVE:
        share *= share
    for i in range(own.size):
        own.sums[i] = (own.sums[i] + share * own.weights[i]) * kept


cdef void iterate(const form_t *form, tables_t *tables, kind_t kind, int64_t done, int64_t iterations) noexcept nogil:
    """Improve the strategies of all players, one after the other, by iterations after those done."""
    cdef double *weights[MAX_PLAYERS]
    cdef int32_t player, players = form.game.num_players
    cdef int64_t number
    for player in range(players):
        weights[player] = tables[player].weights
    for number in range(done + 1, done + iterations + 1):
        for player in range(players):
            find_gains(form, player, weights, tables[player].gains, tables[player].size)
            update(form, player, &tables[player], kind, number)
            find_weights(form, player, tables[player].strategy, tables[player].weights)
            add_average(&tables[player], kind, number)


cdef list read_numbers(numbers, int64_t count):
    """Return numbers of information sets, at least one. Raises ValueError."""
    found = [whole_number_in("number of an information set", number, 0, count - 1, ValueError) for number in numbers]
    if not found:
        raise ValueError("no information set is given; valid: at least one")
    return found


cdef class CounterfactualRegret:
    """Strategies of all players of a sequence form, improved by iterations.

    Args:
        form: a complete sequence form.
        kind: `cfr+` (Tammelin 2014); `dcfr`, discounted regrets (Brown and Sandholm 2019); or `pcfr+`, predictive CFR+
            (Farina, Kroer and Sandholm 2021), which ends closer to an equilibrium but begins more slowly.

    Raises:
        ValueError: the kind is unknown, or the form is not complete.
    """
    cdef readonly SequenceForm form
    cdef kind_t kind
    cdef tables_t tables[MAX_PLAYERS]
    cdef double *scratch[MAX_PLAYERS]
    cdef int64_t done
    cdef int users              # see primitives/in_use.pxd

    def __cinit__(self, SequenceForm form not None, kind="dcfr"):
        cdef int32_t player, chosen, first
        cdef int64_t number, size
        if kind not in KINDS:
            raise ValueError(f"kind={kind!r}; valid: {', '.join(KINDS)}")
        form.check_done()
        self.form = form
        chosen = KINDS.index(kind)
        self.kind = <kind_t> chosen
        for player in range(form.form.game.num_players):
            size = form.form.num_sequences[player]
            self.tables[player].size = size
            self.tables[player].regrets = <double *> calloc(6 * size, sizeof(double))
            if self.tables[player].regrets == NULL:
                raise MemoryError
            self.tables[player].strategy = self.tables[player].regrets + size
            self.tables[player].weights = self.tables[player].regrets + 2 * size
            self.tables[player].sums = self.tables[player].regrets + 3 * size
            self.tables[player].gains = self.tables[player].regrets + 4 * size
            self.scratch[player] = self.tables[player].regrets + 5 * size
        for number in range(form.form.num_sets):
            player = form.form.sets[number].player
            first = form.form.sets[number].first
            match_regrets(self.tables[player].regrets + first, form.form.sets[number].count,
                          self.tables[player].strategy + first)
        for player in range(form.form.game.num_players):
            find_weights(&form.form, player, self.tables[player].strategy, self.tables[player].weights)

    def __dealloc__(self):
        cdef int32_t player
        for player in range(MAX_PLAYERS):
            free(self.tables[player].regrets)

    @property
    def iterations(self):
        """Iterations done."""
        return self.done

    def run(self, iterations):
        """Improve the strategies by a number of iterations, without the GIL.

        Raises:
            BusyError: another thread uses the object.
            ValueError: the number is negative.
        """
        cdef int64_t more = whole_number_in("iterations", iterations, 0, 2**62, ValueError)
        begin_change(&self.users, "CounterfactualRegret")
        with nogil:
            iterate(&self.form.form, self.tables, self.kind, self.done, more)
        self.done += more
        end_change(&self.users)

    cdef void average(self, int32_t player, double *out) noexcept nogil:
        """Write the average strategy as probabilities by sequence; even where the player never came."""
        cdef const form_t *form = &self.form.form
        cdef const tables_t *own = &self.tables[player]
        cdef const information_set_t *one
        cdef int64_t number
        cdef int32_t i
        cdef double total
        out[0] = 1.0
        for number in range(form.num_sets):
            one = &form.sets[number]
            if one.player != player:
                continue
            total = 0.0
            for i in range(one.first, one.first + one.count):
                total += own.sums[i]
            for i in range(one.first, one.first + one.count):
                out[i] = own.sums[i] / total if total > 0.0 else own.strategy[i]

    def strategy(self, player):
        """Return the average strategy: float64 [sequences], the probability of each action in its information set."""
        import numpy as np

        cdef int32_t seat = self.form.game.read_player(player)
        found = np.empty(self.tables[seat].size)
        cdef double[::1] out = found
        begin_change(&self.users, "CounterfactualRegret")
        self.average(seat, &out[0])
        end_change(&self.users)
        return found

    def answer(self, numbers):
        """Return the average strategy in an information set, and the mean return of each action if all play so.

        Args:
            numbers: information sets of one player, of which the one is taken to which the player comes most often.

        Returns:
            Probabilities and returns, [actions]; a return is None where the other players never come.

        Raises:
            ValueError: no number is given, or there is no such information set.
        """
        cdef const form_t *form = &self.form.form
        cdef const information_set_t *one
        cdef int64_t number, chosen = -1
        cdef int32_t i, other, seat
        cdef double *weights[MAX_PLAYERS]
        cdef double *gains
        among = read_numbers(numbers, form.num_sets)
        begin_change(&self.users, "CounterfactualRegret")
        for other in range(form.game.num_players):
            self.average(other, self.scratch[other])
            find_weights(form, other, self.scratch[other], self.scratch[other])
            weights[other] = self.scratch[other]
        for number in among:
            one = &form.sets[number]
            if chosen < 0 or weights[one.player][one.parent] > weights[one.player][form.sets[chosen].parent]:
                chosen = number
        one = &form.sets[chosen]
        seat, gains = one.player, self.tables[one.player].gains
        self.average(seat, self.scratch[seat])
        chances = [self.scratch[seat][i] for i in range(one.first, one.first + one.count)]
        find_gains(form, seat, weights, gains, self.tables[seat].size)
        mean_gains(form, seat, self.scratch[seat], gains)
        returns = [gains[i] for i in range(one.first, one.first + one.count)]
        find_gains(form, seat, weights, gains, self.tables[seat].size, True)
        mean_gains(form, seat, self.scratch[seat], gains)
        reaches = [gains[i] for i in range(one.first, one.first + one.count)]
        end_change(&self.users)
        return chances, [gain / reach if reach > 0.0 else None for gain, reach in zip(returns, reaches)]

    def evaluate(self):
        """Return the values of the average strategies, [players], and of a best response of each player to them."""
        cdef const form_t *form = &self.form.form
        cdef double *weights[MAX_PLAYERS]
        cdef int32_t player, players = form.game.num_players
        cdef double value
        cdef int64_t i
        begin_change(&self.users, "CounterfactualRegret")
        for player in range(players):
            self.average(player, self.scratch[player])
            find_weights(form, player, self.scratch[player], self.scratch[player])
            weights[player] = self.scratch[player]
        values, best = [], []
        for player in range(players):
            find_gains(form, player, weights, self.tables[player].gains, self.tables[player].size)
            value = 0.0
            for i in range(self.tables[player].size):
                value += weights[player][i] * self.tables[player].gains[i]
            values.append(value)
            best.append(best_gain(form, player, self.tables[player].gains))
        end_change(&self.users)
        return values, best
