"""Stages of the solver: states that both players decide at, mixed strategies, and the table of states."""

import random

import numpy as np
import pytest
from brute_force import ZeroSum, successors
from support import random_path

import mcts
from cext.exact.backward_induction import StageSolver, pack_space
from cext.exact.random_walks import RandomWalks
from cext.exact.solved_states import SolvedStates, state_bytes
from cext.exact.state_space import StateSpace, TooLargeError, bytes_per_state, why_unsolvable
from mcts.exact.size_estimate import estimate_size

SIMULTANEOUS = mcts.load_game("tic_block(block_phase=simultaneous)")


def explore(space, steps=1000):
    """Find all states of a space."""
    while not space.explore(steps):
        pass


def solve_from(start, **limits):
    """Solve what follows one state."""
    space = StateSpace(start.game, **{"max_bytes": 1 << 30, "max_states": 10**7, **limits}, start=start)
    explore(space)
    space.sort()
    solver = StageSolver(space)
    gap = max(solver.solve(begin, end) for begin, end in zip(space.layers, space.layers[1:], strict=False))
    base, bits, keys, values = pack_space(space)
    order = np.lexsort(keys.T)
    return SolvedStates(start.game, True, base, bits, keys[order], values[order]), solver, gap


def block_states(blanks, count):
    """States of the simultaneous block phase with so many blank cells."""
    found = []
    for seed in range(10_000):
        for state in random_path(SIMULTANEOUS, seed):
            shown = state.to_dict()["block"]
            if shown and shown.count(".") == blanks and not state.is_terminal():
                found.append(state)
        if len(found) >= count:
            return found[:count]
    raise AssertionError(f"too few states with {blanks} blanks")


@pytest.mark.parametrize(("blanks", "count"), [(2, 20), (3, 20), (4, 10), (5, 5)])
def test_simultaneous_stages_have_the_value_of_their_matrix_game(blanks, count):
    """Among these are stages with and without saddle points."""
    mixed = saddles = 0
    for start in block_states(blanks, count):
        solved, solver, gap = solve_from(start)
        truth = ZeroSum()
        assert solved.value(start) == pytest.approx(truth.value(start), abs=1e-9)
        for state, value in truth.known.values():
            assert solved.value(state) == pytest.approx(value, abs=1e-9)
        assert gap <= 1e-9
        assert (gap > 0) <= (solver.num_mixed > 0)
        mixed += solver.num_mixed
        saddles += solver.num_saddle
    assert saddles
    assert mixed or blanks < 4


def test_larger_stages_that_have_to_be_mixed():
    for start in block_states(9, 3):
        solved, solver, gap = solve_from(start)
        assert solver.num_mixed > 10
        assert gap <= 1e-9
        assert 0 <= solved.value(start) <= 100


def test_the_tic_board_is_dropped_in_the_block_phase():
    """Two games of tic-tac-toe of the same score lead to the same values, and other scores are added."""
    (start,) = block_states(6, 1)
    solved, _, _ = solve_from(start)
    shown = start.to_dict()
    value = solved.value(start) - shown["tic_scores"][0]
    for tic, scores in [("xxxoo....", [50, 0]), ("oooxx.x..", [0, 50]), ("xoxxoxoxo", [25, 25])]:
        other = SIMULTANEOUS.state_from_dict({**shown, "tic": tic, "tic_scores": scores})
        assert solved.value(other) == pytest.approx(value + scores[0], abs=1e-12)


def test_errors_name_why_a_game_is_not_solved():
    assert why_unsolvable(mcts.load_game("points_ttt")) is None
    assert "3 players" in why_unsolvable(mcts.load_game("three_player_ttt"))
    assert "does not see" in why_unsolvable(mcts.load_game("bidding_3d_ttt"))
    for spec in ("three_player_ttt", "bidding_3d_ttt"):
        with pytest.raises(TypeError, match="cannot be solved by backward induction"):
            StateSpace(mcts.load_game(spec), 1 << 20, 1000)


def test_a_start_of_another_game_is_refused():
    other = mcts.load_game("mnk(m=4,n=3,k=3)").new_initial_state()
    with pytest.raises(TypeError, match=r"m=4.*valid: a state of mnk\(m=3"):
        StateSpace(mcts.load_game("mnk"), 1 << 20, 1000, start=other)


@pytest.mark.parametrize("most", [1, 10, 700, 764])
def test_the_number_of_states_is_limited(most):
    space = StateSpace(mcts.load_game("mnk"), 1 << 30, most)
    with pytest.raises(TooLargeError) as raised:
        explore(space, 100)
    assert raised.value.args == (most, f"{most:,} states")


def test_the_exact_number_of_states_is_within_the_limit():
    space = StateSpace(mcts.load_game("mnk"), 1 << 30, 765)
    explore(space, 7)
    assert (space.num_canonical, space.num_states) == (765, 5478)


def test_states_of_the_second_board_are_counted_with_their_images():
    (start,) = block_states(3, 1)
    seen, left = {}, [start]
    while left:
        state = left.pop()
        if state.key() not in seen:
            seen[state.key()] = state
            left.extend([] if state.is_terminal() else successors(state).values())
    space = StateSpace(start.game, 1 << 30, 10**7, start=start)
    explore(space)
    assert len(seen) <= space.num_states <= 4 * len(seen)


def test_memory_is_limited():
    game = mcts.load_game("bidding_ttt(coins=3)")
    space = StateSpace(game, 1 << 20, 10**9)
    with pytest.raises(TooLargeError, match=r"1 MB of memory") as raised:
        explore(space)
    assert 5000 < raised.value.args[0] <= (1 << 20) / bytes_per_state(game)


def test_arrays_that_do_not_fit_are_refused():
    solved = solve_from(mcts.load_game("mnk").new_initial_state())[0]
    given = [solved.game, True, solved.base, solved.bits, solved.keys, solved.values]
    SolvedStates(*given)
    for place, wrong in [(2, solved.base[:-1]), (4, solved.keys[1:]), (5, solved.values[1:]), (3, solved.bits + 1000),
                         (3, np.arange(65, dtype=np.int32))]:  # fmt: skip
        with pytest.raises(ValueError, match="do not fit"):
            SolvedStates(*given[:place], wrong, *given[place + 1 :])
    empty = [np.empty((0, 1), dtype=np.uint64), np.empty(0)]
    with pytest.raises(ValueError, match="do not fit"):
        SolvedStates(*given[:4], *empty)


def test_keys_may_take_several_machine_words():
    """A board of 64 cells has more bits than a word; the last states of a game on it are few."""
    game = mcts.load_game("mnk(m=8,n=8,k=8)")
    rng = random.Random(2)
    state = game.new_initial_state()
    while len(state.legal_actions()) > 5 and not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    played = state.clone()
    assert len(state.legal_actions()) == 5
    solved = solve_from(state)[0]
    truth = ZeroSum()
    assert solved.value(played) == truth.value(played)
    for after, value in truth.known.values():
        assert solved.value(after) == value
    with pytest.raises(mcts.StateError, match="no play"):
        solved.value(game.new_initial_state())


def test_packed_states_are_unpacked_exactly():
    game = mcts.load_game("mnk")
    state = game.new_initial_state()
    state.apply_action(3)
    assert state_bytes(state)[0] == 8
    assert state_bytes(state) == state_bytes(state.clone()) != state_bytes(game.new_initial_state())


@pytest.mark.parametrize(
    ("spec", "states"), [("mnk", 765), ("mnk(m=4,n=3,k=3)", 28_275), ("points_ttt", 25_792), ("bidding_ttt", 75_321)]
)
def test_estimated_sizes_are_lower_bounds(spec, states):
    size = estimate_size(mcts.load_game(spec))
    assert not size.is_least
    assert states / 3 < size.states <= states
    assert str(size).startswith("about ")


def test_sizes_beyond_the_estimate_are_reported_as_such():
    size = estimate_size(mcts.load_game("mnk(m=8,n=8,k=5)"))
    assert size.is_least
    assert size.states > 1e10
    assert str(size).startswith("more than ")


def test_an_estimate_stops_when_it_is_late():
    asked = []

    def is_late():
        asked.append(True)
        return len(asked) == 100

    size = estimate_size(mcts.load_game("mnk"), is_late=is_late)
    assert size.is_late
    assert size.is_least
    assert len(asked) == 100
    assert size.states < 765
    assert not estimate_size(mcts.load_game("mnk")).is_late


def test_random_walks_in_pieces_are_those_of_one_step():
    game = mcts.load_game("tic_block")
    whole, pieces = RandomWalks(game, 100, 1), RandomWalks(game, 100, 1)
    for _ in range(5):
        found = [hashed for first in range(0, 100, 30) for hashed in pieces.step(first, min(first + 30, 100))]
        assert found == list(whole.step())
    for first, last in ((0, 101), (101, None), (7, 6)):
        with pytest.raises(ValueError, match="valid: 0 to 100, in ascending order"):
            whole.step(first, last)
    with pytest.raises(OverflowError):
        whole.step(-1)


def test_random_walks_end():
    walkers = RandomWalks(mcts.load_game("mnk"), 100, 1)
    counts = [len(walkers.step()) for _ in range(11)]
    assert counts[:5] == [100] * 5
    assert counts[-2:] == [0, 0]
    assert counts == sorted(counts, reverse=True)
