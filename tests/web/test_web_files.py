"""Files that are read while a server runs: what somebody puts in their place is refused."""

import os
import queue
import re
import threading

import pytest
from waiting import HANG_SECONDS

import mcts
from bots.players.common.levels import tables_of_file
from mcts.primitives.files import read_regular


def read_net(path):
    return mcts.ValueNet.load(mcts.load_game("mnk"), path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(("name", "read"), [("x.net", read_net), ("x.kif", mcts.load_game), ("x.json", tables_of_file)])
def test_a_pipe_in_place_of_a_file_is_refused_without_waiting(name, read, tmp_path):
    path = tmp_path / name
    os.mkfifo(path)
    errors = queue.SimpleQueue()

    def try_it():
        try:
            read(str(path))
        except mcts.PlayoutError as error:
            errors.put(str(error))

    threading.Thread(target=try_it, daemon=True).start()  # a read would wait for one who writes
    assert re.search(rf"{name}.* not a regular file", errors.get(timeout=HANG_SECONDS))


def test_a_file_may_be_as_large_as_the_limit(tmp_path):
    (tmp_path / "x").write_bytes(b"12345")
    assert read_regular(tmp_path / "x", 5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        read_regular(tmp_path / "x", 4)
