"""Images of states of a network under its symmetries. `images.pxd` describes them."""
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from ..game.game_table cimport game_t
from ..primitives.bits cimport lowest64
from ..primitives.rng cimport seed_for
from .network cimport head_t, images_t, network_t
from .network_arrays cimport zeros

cdef enum:
    COLUMNS = 8                 # sums that are computed side by side
    SYMMETRIES = 256
    INPUTS = 8192
    WORDS = (INPUTS >> 6) + 10  # of facts and of the legal moves of eight roles, which begin with a new word each

MOST_SYMMETRIES = SYMMETRIES
MOST_INPUTS = INPUTS


cdef void transform(const game_t *game, void *data, int32_t symmetry) noexcept nogil:
    """Replace a state by its image: facts and legal moves. A state at the end has returns in the place of moves."""
    cdef const network_t *net = <const network_t *> game.rules
    cdef int32_t words = net.fact_words, word, place
    cdef const int32_t *image
    cdef uint64_t *old = <uint64_t *> (<char *> data + sizeof(head_t))
    cdef uint64_t new[WORDS]
    cdef uint64_t bits
    if (<head_t *> data).acting:
        words += net.legal_words
    memset(new, 0, 8 * <size_t> words)
    image = net.images.bit + 64 * <size_t> symmetry * (net.fact_words + net.legal_words)
    for word in range(words):
        bits = old[word]
        while bits:
            place = image[64 * word + lowest64(bits)]
            new[place >> 6] |= <uint64_t> 1 << (place & 63)
            bits &= bits - 1
    memcpy(old, new, 8 * <size_t> words)


cdef int32_t transform_action(const game_t *game, int32_t symmetry, int32_t player, int32_t action) noexcept nogil:
    cdef const network_t *net = <const network_t *> game.rules
    cdef int32_t words = net.fact_words + net.legal_words, begin = 64 * (net.fact_words + net.role_word[player])
    if action >= net.role_node[player + 1] - net.role_node[player]:
        return action           # a move of another role
    return net.images.bit[64 * <size_t> symmetry * words + begin + action] - begin


cdef int32_t canonical(const game_t *game, void *data) noexcept nogil:
    """Replace a state by the image with the least sum of keys; of equal images, by that of the lowest symmetry."""
    cdef const network_t *net = <const network_t *> game.rules
    cdef const images_t *images = net.images
    cdef const uint64_t *facts = <const uint64_t *> (<char *> data + sizeof(head_t))
    cdef const uint64_t *row
    cdef uint64_t sums[COLUMNS]
    cdef uint64_t bits, least = 0
    cdef int32_t begin = 0, word, i, found = 0
    while begin < images.count:
        for i in range(COLUMNS):
            sums[i] = 0
        for word in range(net.fact_words):
            bits = facts[word]
            while bits:
                row = images.key + (64 * <size_t> word + lowest64(bits)) * images.columns + begin
                for i in range(COLUMNS):
                    sums[i] += row[i]
                bits &= bits - 1
        if begin == 0:
            least = sums[0]
        for i in range(min(COLUMNS, images.count - begin)):
            if sums[i] < least:
                least, found = sums[i], begin + i
        begin += COLUMNS
    if found:
        transform(game, data, found)
    return found


cdef class Images:
    """The symmetries of a network as tables."""


cdef Images make_images(const network_t *net, object symmetries):
    """Return the tables of symmetries: see `mcts.gdl.network.Network`.

    Raises:
        ValueError: the symmetries do not fit the network. Whether they keep the rules is not checked.
    """
    cdef Images images = Images()
    cdef images_t *table = &images.table
    cdef int32_t fluents = net.num_fluents, inputs = net.none_node - 1, words = net.fact_words + net.legal_words
    cdef int32_t symmetry, i, role
    cdef int32_t *bit
    cdef int32_t *bit_of        # of each fluent and move
    cdef uint64_t *key
    cdef uint64_t *key_of
    rows = [[int(number) for number in row] for row in symmetries]
    if not 1 <= len(rows) <= SYMMETRIES or (inputs > INPUTS and len(rows) > 1) or rows[0] != list(range(inputs)):
        raise ValueError(f"the network has {len(rows)} symmetries of {inputs} fluents and moves; valid: 1, or up to "
                         f"{SYMMETRIES} of up to {INPUTS}, first the identity")
    bounds = [0, *[net.role_node[role] - 1 for role in range(net.num_roles + 1)]]
    for row in rows:
        if len(row) != inputs or any([sorted(row[begin:end]) != list(range(begin, end))
                                      for begin, end in zip(bounds, bounds[1:])]):
            raise ValueError("a symmetry does not map the fluents and the moves of each role onto themselves")
    images.owned = []
    table.count = <int32_t> len(rows)
    if table.count == 1:
        return images
    table.columns = (table.count + COLUMNS - 1) // COLUMNS * COLUMNS
    bit = <int32_t *> zeros(4 * 64 * <size_t> words * table.count, images.owned)
    key = <uint64_t *> zeros(8 * <size_t> fluents * table.columns, images.owned)
    bit_of = <int32_t *> zeros(4 * <size_t> inputs, images.owned)
    key_of = <uint64_t *> zeros(8 * <size_t> fluents, images.owned)
    for i in range(fluents):
        bit_of[i] = i
        key_of[i] = seed_for(1, <uint64_t> i)
    for role in range(net.num_roles):
        for i in range(net.role_node[role], net.role_node[role + 1]):
            bit_of[i - 1] = 64 * (net.fact_words + net.role_word[role]) + i - net.role_node[role]
    for symmetry in range(table.count):
        row = rows[symmetry]
        for i in range(inputs):
            bit[64 * <size_t> symmetry * words + bit_of[i]] = bit_of[<int32_t> row[i]]
        for i in range(fluents):
            key[<size_t> i * table.columns + symmetry] = key_of[<int32_t> row[i]]
    table.bit, table.key = bit, key
    return images
