"""Random games in which several engines compute each state, and everything that the rules give is compared.

Gates that follow changes play the games, one after the other. The whole network is evaluated for their states 64 and
512 at a time, and the compiled code of a network, if it is loaded, plays each step: what is legal, the next facts, the
ends and the returns must be the same bit by bit.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset
from libc.time cimport CLOCKS_PER_SEC, clock

from cext.game.game_table cimport LANES
from cext.gdl.followers cimport evaluate_words, score_lane, set_node
from cext.gdl.network cimport (MAX_ROLES, NO_MOVE, draw_moves, has_stopped, is_compiled, is_over, lay_out, network_t,
                               play_t, score, step, write_facts)
from cext.gdl.wide cimport MOST_PARTS, PARTS, WIDE_LANES, fill, get_long, put_long
from cext.gdl.wide_games cimport wide_bytes
from cext.gdl.wide_leaves cimport write_returns
from cext.gdl.wide_play cimport evaluate, read_literal, wide_play_t
from cext.primitives.rng cimport rng_t
from cext.primitives.vectors cimport vector_t

from state_rows cimport (OTHER_END, OTHER_FACTS, OTHER_MOVES, OTHER_RETURNS, OUT_OF_MEMORY, ROW, SAME, find_difference,
                         found_t, free_rows, given_t, new_found, new_given, write_rows)

cdef enum:
    WORDS = 1                   # engines that are compared with gates that follow changes
    WIDE = 2
    COMPILED = 3

cdef struct compared_t:
    int64_t games
    int64_t steps
    double sums[MAX_ROLES]      # of the returns
    double squares[MAX_ROLES]
    int engine                  # WORDS, WIDE or COMPILED if it differs

cdef struct comparison_t:
    given_t given
    found_t played              # by gates that follow changes
    found_t other               # by another engine
    int32_t count               # of the states so far
    uint64_t *facts             # [LANES + 1, fact_words] of each state, and of the state after the last one
    uint64_t *legal             # [LANES, legal_words]
    char *play                  # memory of the play
    uint64_t *words             # [2 * num_nodes] memory of an evaluation for 64 states
    void *wide                  # memory of one for 512 states
    uint64_t *compiled          # [fact_words + legal_words] words of the state that compiled code has reached


cdef inline bint new_comparison(const network_t *net, comparison_t *out) noexcept nogil:
    """Return False if there is no memory; what there is must be released in any case."""
    memset(out, 0, sizeof(comparison_t))
    out.facts = <uint64_t *> calloc((LANES + 1) * <size_t> (net.fact_words + 1), 8)
    out.legal = <uint64_t *> calloc(LANES * <size_t> net.legal_words, 8)
    out.play = <char *> malloc(net.play_size)
    out.words = <uint64_t *> malloc(16 * <size_t> net.num_nodes)
    out.wide = malloc(wide_bytes(net))
    out.compiled = <uint64_t *> calloc(<size_t> net.fact_words + net.legal_words, 8)
    return (new_given(net, &out.given) and new_found(net, &out.played) and new_found(net, &out.other)
            and out.facts != NULL and out.legal != NULL and out.play != NULL and out.words != NULL
            and out.wide != NULL and out.compiled != NULL)


cdef inline void end_comparison(comparison_t *comparison) noexcept nogil:
    free_rows(&comparison.given, &comparison.played, &comparison.other)
    free(comparison.facts)
    free(comparison.legal)
    free(comparison.play)
    free(comparison.words)
    free(comparison.wide)
    free(comparison.compiled)


cdef inline void evaluate_by_words(const network_t *net, const given_t *given, uint64_t *value,
                                   found_t *out) noexcept nogil:
    """Evaluate the whole network for 64 states at a time."""
    cdef double returns[MAX_ROLES]
    cdef int32_t k, lane, role
    cdef size_t i
    set_node(value, 0, ~<uint64_t> 0)
    for k in range(ROW):
        for i in range(<size_t> net.num_fluents):
            set_node(value, 1 + i, given.facts[ROW * i + k])
        for i in range(<size_t> (net.first_gate - net.role_node[0])):
            set_node(value, net.role_node[0] + i, given.moves[ROW * i + k])
        evaluate_words(net, value, 0, net.num_gates)
        for i in range(<size_t> net.num_fluents):
            out.following[ROW * i + k] = value[net.next_literal[i]]
        for i in range(<size_t> (net.none_node - net.role_node[0])):
            out.legal[ROW * i + k] = value[net.legal_literal[i]]
        out.over[k] = value[net.terminal]
        for lane in range(64):
            if given.last[k] >> lane & 1:
                score_lane(net, value, lane, returns)
                for role in range(net.num_roles):
                    out.ends.value[role][64 * k + lane] = returns[role]


cdef inline void evaluate_wide(const network_t *net, const given_t *given, void *memory, found_t *out) noexcept nogil:
    """Evaluate the network for 512 states at once. The memory has `wide_bytes` bytes."""
    cdef wide_play_t play
    cdef vector_t word[MOST_PARTS]
    cdef size_t i
    cdef int32_t k
    play.value = <vector_t *> ((<size_t> memory + 63) & ~<size_t> 63)
    play.period = WIDE_LANES
    fill(play.value, True)
    for i in range(<size_t> net.num_fluents):
        for k in range(ROW):
            put_long(play.value + (1 + i) * PARTS, k, given.facts[ROW * i + k])
    for i in range(<size_t> (net.first_gate - net.role_node[0])):
        for k in range(ROW):
            put_long(play.value + (net.role_node[0] + i) * PARTS, k, given.moves[ROW * i + k])
    evaluate(net, play.value, 0, net.goal_run)
    for i in range(<size_t> net.num_fluents):
        read_literal(play.value, net.next_literal[i], word)
        for k in range(ROW):
            out.following[ROW * i + k] = get_long(word, k)
    for i in range(<size_t> (net.none_node - net.role_node[0])):
        read_literal(play.value, net.legal_literal[i], word)
        for k in range(ROW):
            out.legal[ROW * i + k] = get_long(word, k)
    read_literal(play.value, net.terminal, word)
    for k in range(ROW):
        out.over[k] = get_long(word, k)
    write_returns(net, &play, WIDE_LANES, &out.ends)


cdef inline int compare_states(const network_t *net, comparison_t *comparison, compared_t *found) noexcept nogil:
    """Compare the states so far, and start over."""
    cdef given_t *given = &comparison.given
    cdef found_t *played = &comparison.played
    cdef int32_t role, first
    cdef int difference
    write_rows(comparison.facts, net.fact_words, net.num_fluents, given.facts)
    write_rows(comparison.facts + net.fact_words, net.fact_words, net.num_fluents, played.following)
    for role in range(net.num_roles):
        first = net.role_node[role]
        write_rows(comparison.legal + net.role_word[role], net.legal_words, net.role_node[role + 1] - first,
                   played.legal + ROW * <size_t> (first - net.role_node[0]))
    evaluate_by_words(net, given, comparison.words, &comparison.other)
    found.engine = WORDS
    difference = find_difference(net, given, played, &comparison.other)
    if difference == SAME:
        evaluate_wide(net, given, comparison.wide, &comparison.other)
        found.engine = WIDE
        difference = find_difference(net, given, played, &comparison.other)
    comparison.count = 0
    memset(given.moves, 0, 8 * ROW * <size_t> (net.first_gate - net.role_node[0]))
    memset(given.present, 0, 8 * ROW)
    memset(given.last, 0, 8 * ROW)
    memset(played.over, 0, 8 * ROW)
    return difference


cdef inline int step_compiled(const network_t *net, const play_t *play, const int32_t *moves,
                              uint64_t *words) noexcept nogil:
    """Play a step with compiled code, and compare its state with the play after the same step."""
    cdef bint over = net.compiled.step(words, moves)
    cdef int32_t i
    if over != is_over(net, play):
        return OTHER_END
    for i in range(net.num_fluents):
        if words[i >> 6] >> (i & 63) & 1 != play.value[1 + i]:
            return OTHER_FACTS
    if not over and memcmp(words + net.fact_words, play.out, 8 * <size_t> net.legal_words):
        return OTHER_MOVES
    return SAME


cdef inline int play_game(const network_t *net, comparison_t *comparison, rng_t *rng, compared_t *found) noexcept nogil:
    """Play a game to its end, and compare its states whenever there are 512."""
    cdef int32_t moves[MAX_ROLES]
    cdef double returns[MAX_ROLES]
    cdef double other[MAX_ROLES]
    cdef play_t play
    cdef int32_t role, ply = 0, i, word
    cdef uint64_t bit
    cdef size_t row
    cdef bint moved = True
    cdef int difference = SAME
    memcpy(comparison.play, net.first, net.play_size)
    lay_out(net, comparison.play, &play)
    write_facts(net, &play, comparison.compiled)
    memcpy(comparison.compiled + net.fact_words, play.out, 8 * <size_t> net.legal_words)
    while moved and difference == SAME:
        i = comparison.count
        word, bit = i >> 6, (<uint64_t> 1) << (i & 63)
        write_facts(net, &play, comparison.facts + <size_t> i * net.fact_words)
        memcpy(comparison.legal + <size_t> i * net.legal_words, play.out, 8 * <size_t> net.legal_words)
        comparison.given.present[word] |= bit
        if is_over(net, &play):
            comparison.played.over[word] |= bit
        moved = not has_stopped(net, &play, ply) and draw_moves(net, play.out, rng, moves)
        if moved:
            for role in range(net.num_roles):
                row = net.none_node + role if moves[role] == NO_MOVE else net.role_node[role] + moves[role]
                comparison.given.moves[ROW * (row - net.role_node[0]) + word] |= bit
            step(net, &play, moves)
            ply += 1
            if is_compiled(net):
                difference = step_compiled(net, &play, moves, comparison.compiled)
                if difference != SAME:
                    found.engine = COMPILED
                    break
        else:
            comparison.given.last[word] |= bit
            score(net, &play, returns)
            for role in range(net.num_roles):
                comparison.played.ends.value[role][i] = returns[role]
                found.sums[role] += returns[role]
                found.squares[role] += returns[role] * returns[role]
            if is_compiled(net):
                net.compiled.returns(comparison.compiled, other)
                for role in range(net.num_roles):
                    if returns[role] != other[role]:
                        found.engine = COMPILED
                        difference = OTHER_RETURNS
                if difference != SAME:
                    break
            found.games += 1
            found.steps += ply
        comparison.count += 1
        if comparison.count == LANES:
            write_facts(net, &play, comparison.facts + LANES * <size_t> net.fact_words)
            difference = compare_states(net, comparison, found)
    return difference


cdef inline int compare_games(const network_t *net, rng_t *rng, int64_t games, double seconds,
                              compared_t *found) noexcept nogil:
    """Play games until they are as many as wanted, no further one may begin, or the engines differ.

    seconds: time of the processor after which no game begins.
    """
    cdef double deadline = <double> clock() + seconds * CLOCKS_PER_SEC
    cdef comparison_t comparison
    cdef int difference = SAME
    memset(found, 0, sizeof(compared_t))
    if not new_comparison(net, &comparison):
        difference = OUT_OF_MEMORY
    while difference == SAME and found.games < games and (found.games == 0 or <double> clock() < deadline):
        difference = play_game(net, &comparison, rng, found)
    if difference == SAME and comparison.count:
        difference = compare_states(net, &comparison, found)
    end_comparison(&comparison)
    return difference
