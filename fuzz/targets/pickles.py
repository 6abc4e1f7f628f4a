"""Pickles of states and views with changed bytes.

The unpickler may import the functions that restore states and nothing else: any other pickle runs code by design.
What it raises by itself is no finding.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

from soundness import check_sound

from fuzz.games import chosen_game, played
from fuzz.reader import Reader

MOST = 1 << 16


class Restricted(pickle._Unpickler):
    """An unpickler of states, views and games.

    It is the one in Python. The one in C allocates as much memory as a changed index of its memo demands.
    """

    def find_class(self, module: str, name: str) -> Any:
        """Return a class or function of the core that pickles of states name."""
        if module.startswith("cext.") and (name.startswith("_restore") or name in CLASSES):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


CLASSES = ("Mnk", "BiddingTtt", "PointsTtt", "ThreePlayerTtt", "TicBlock", "Bidding3dTtt", "DiceTtt")


def target(data: bytes) -> None:
    """Change some bytes of a pickle, and use what it gives."""
    reader = Reader(data)
    game = chosen_game(reader)
    state = played(game, reader, 80)
    player = reader.below(game.num_players + 1)
    packed = bytearray(pickle.dumps(state if player == game.num_players else state.view(player), reader.byte() % 6))
    while reader:
        at = reader.below(MOST) % len(packed)
        kind = reader.byte()
        if kind < 128:
            packed[at] ^= 1 << kind % 8
        elif kind < 160:
            del packed[at : at + 1 + kind % 8]
        else:
            packed[at:at] = reader.bytes(kind % 8)
        if not packed:
            return
    try:
        found = Restricted(io.BytesIO(bytes(packed))).load()
    except Exception:
        return
    check_sound(found)
