"""Files of nets, with right checksums and wrong content: `mcts.ValueNet.load`."""

from __future__ import annotations

import hashlib
import struct
from itertools import pairwise

import mcts
from fuzz.files import file_of
from fuzz.games import loaded
from fuzz.reader import Reader
from mcts.nets.net_file import MAGIC, from_bytes, to_bytes

SPECS = ("mnk(m=3,n=3,k=3)", "three_player_ttt(torus=false)", "bidding_3d_ttt(chips=12)")
HIDDEN = (3, 9)
DIGEST_BYTES = 32


def made(spec: str) -> bytes:
    """Return a right file, in which all weights are 0."""
    import numpy as np

    game = loaded(spec)
    sizes = (game.encoding_size, *HIDDEN, 1 if game.is_zero_sum else game.num_players)
    layers = [(np.zeros(after), np.zeros((before, after))) for before, after in pairwise(sizes)]
    policy = (np.zeros(game.num_actions), np.zeros((HIDDEN[-1], game.num_actions))) if game.num_actions else None
    return mcts.ValueNet(game, layers, policy=policy).to_bytes()


FILES = {spec: made(spec) for spec in SPECS}
TOKENS = (MAGIC.decode(), *SPECS)


def target(data: bytes) -> None:
    """Change a file, seal it again or not, and use what is read."""
    reader = Reader(data)
    spec = reader.choice(SPECS)
    content = bytearray(FILES[spec][:-DIGEST_BYTES])
    kind = reader.byte() % 4
    if kind == 3:
        content = bytearray(MAGIC + reader.rest())
    for _ in range(1 + reader.byte() % 8 if kind else 0):
        at = reader.below(64 if kind == 1 else 1 << 16) // 4 * 4 % (len(content) - 4)
        is_float = reader.flag()
        content[at : at + 4] = (
            struct.pack("<f", reader.number() % 1e38) if is_float else reader.bytes(4).ljust(4, b"\0")
        )
    if reader.byte() % 4 == 1:
        del content[reader.below(1 << 16) % len(content) :]
    digest = hashlib.sha256(content).digest()
    whole = bytes(content) + (digest if reader.byte() % 8 else digest[:-1] + b"\0")
    try:
        parts = from_bytes(whole)
    except mcts.errors.NetFileError:
        return
    assert to_bytes(parts) == whole, "a file that was read is written differently"
    game = loaded(spec)
    with file_of(whole) as path:
        try:
            net = mcts.ValueNet.load(game, path)
        except mcts.errors.NetFileError:
            return
    state = game.new_initial_state()
    values = net.values([state.encode()])
    assert ((values >= game.min_utility) & (values <= game.max_utility)).all(), values
    if game.is_enumerable:
        selection = "ucb1" if net.policy is None else "puct"
        mcts.MCTS.plain(game, net=net, selection=selection, seed=1).run(state, simulations=20)
