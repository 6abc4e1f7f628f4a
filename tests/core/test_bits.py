"""Selection of the j-th set bit of a board, against a list of the free cells."""

import json

import pytest
from support import run_python

from cext import _variant

# Play by the table asks the game for a list of its legal actions and takes the j-th; fused play asks the board's bits.
# On the boards of 64 cells all numbers of set bits are met.
PLAY_BOTH_WAYS = """
import json, mcts
from cext.game.playouts import play_chunks
told = []
for spec in ("mnk(m=8,n=8,k=8)", "mnk(m=64,n=1,k=4)", "mnk(m=5,n=5,k=4)", "three_player_ttt", "bidding_ttt"):
    state = mcts.load_game(spec).new_initial_state()
    for seed in range(50):
        told += [[spec, play_chunks(state, seed, 40, 0, 1, False, way)] for way in ("playout", "table")]
print(json.dumps(told))
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("build", _variant.available())
def test_the_selected_bit_is_the_cell_of_the_list(build):
    told = json.loads(run_python(PLAY_BOTH_WAYS, PLAYOUT_VARIANT=build))
    assert told[0::2] == told[1::2]
    assert len({str(row) for row in told}) > 100
