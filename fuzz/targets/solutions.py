"""Files of exact solutions, with right checksums and wrong content: `read_solution`."""

from __future__ import annotations

import numpy as np
from solution_files import parts_of, write

import mcts
from fuzz.files import folder
from fuzz.games import loaded
from fuzz.reader import Reader
from mcts.exact.solution_file import SolutionFileError, read_solution
from mcts.exact.tabular_solution import TabularSolution

SPECS = ("mnk(m=2,n=2,k=2)", "bidding_ttt(coins=0)", "mnk(m=3,n=1,k=2)")


def made(spec: str) -> tuple[dict[str, object], np.ndarray, np.ndarray]:
    """Return the parts of a right file."""
    with folder() as place:
        path = mcts.solve(loaded(spec), cache_dir=place).path
        assert path is not None
        header, keys, values = parts_of(path)
        return header, keys.copy(), values.copy()


PARTS = {spec: made(spec) for spec in SPECS[:1]}


def target(data: bytes) -> None:
    """Change a file, seal it again or not, and use what is read."""
    reader = Reader(data)
    spec = reader.choice(SPECS)
    if spec not in PARTS:
        PARTS[spec] = made(spec)
    header, keys, values = PARTS[spec]
    game = loaded(spec)
    kind = reader.byte() % 4
    if kind != 1:
        for _ in range(1 + reader.byte() % 3):
            header = reader.changed(header)
    if kind != 0:
        keys, values = keys.copy(), values.copy()
        for _ in range(reader.byte() % 4):
            keys[reader.below(len(keys)), 0] += np.uint64(reader.byte()) << np.uint64(reader.byte() % 64)
            values[reader.below(len(values))] = reader.number()
    with folder() as place:
        path = write(place / "x", header if isinstance(header, dict) else repr(header).encode(), keys, values)
        if kind == 3:
            raw = bytearray(path.read_bytes())
            raw[reader.below(1 << 16) % len(raw)] ^= 1 << reader.byte() % 8
            path.write_bytes(raw[: len(raw) - reader.byte()])
        try:
            found = read_solution(path, game)
        except SolutionFileError:
            return
        use(TabularSolution(game, *found, path=path), reader)


def use(solution: mcts.Solution, reader: Reader) -> None:
    """Ask a solution about the states of a random play."""
    state = solution.game.new_initial_state()
    while not state.is_terminal():
        try:
            solution.value(state)
            for player in state.acting_players():
                solution.policy(state, player)
        except mcts.StateError:
            pass
        state.apply_actions([state.sample_action(player, reader.byte()) for player in range(2)])
