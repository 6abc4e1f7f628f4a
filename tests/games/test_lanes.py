"""Play in lanes: its means against exact ones of random play, against play one after the other, and its parts."""

import functools
import re
from pathlib import Path

import numpy as np
import pytest
from brute_force import successors
from sampling import sweep
from support import VARIANTS, random_path

import cext
import mcts
from cext.game.playouts import UNIT, play_chunks

WITH_LANES = ("bidding_ttt", "mnk", "points_ttt", "three_player_ttt", "tic_block")
IN_LANES = [spec for spec in VARIANTS if spec.partition("(")[0] in WITH_LANES]
SMALL = [
    "mnk(m=5,n=5,k=4)", "mnk(m=4,n=4,k=3)", "mnk(m=3,n=5,k=5)", "three_player_ttt", "three_player_ttt(torus=true)",
    "points_ttt", "bidding_ttt", "bidding_ttt(coins=2,o_coins=5,tiebreaker=o)", "tic_block",
    "tic_block(block_phase=alternating)",
]  # fmt: skip
COUNT = 200_000


def means(state, count, by, seed=11):
    return np.array(play_chunks(state, seed, count, 0, 1, False, by)) / (count * UNIT)


def moments(state, known):
    """Return the exact means of the returns of random play and of their squares, one row each."""
    key = state.key()
    if key not in known:
        if state.is_terminal():
            returns = np.array(state.returns())
            found = np.array([returns, returns**2])
        else:
            found = np.mean([moments(after, known) for after in successors(state).values()], axis=0)
        known[key] = found
    return known[key]


def check_means(state, known):
    mean, square = moments(state, known)
    error = np.sqrt(np.maximum(square - mean**2, 0) / COUNT)
    assert (abs(means(state, COUNT, "lanes") - mean) <= 5 * error + 1e-9).all(), state


def blank_cells(state):
    """Return the number of cells without a mark on all boards of a state."""
    return sum(value.count(".") for value in state.to_dict().values() if isinstance(value, str))


@sweep("spec", SMALL, 2)
def test_the_means_near_the_end_are_the_exact_ones(spec):
    game = mcts.load_game(spec)
    known = {}
    checked = 0
    for seed in range(60):
        path = [state for state in random_path(game, seed) if state.to_dict().get("block", "") is not None]
        near = [state for state in path if blank_cells(state) <= 5 and not state.is_terminal()]
        for state in near[:: 1 + len(near) // 2]:
            check_means(state, known)
            checked += 1
        if checked >= 12:
            break
    assert checked >= 5


@sweep("spec", ["mnk", "mnk(m=7,n=1,k=2)", "bidding_ttt(coins=0)"], 1)
def test_the_means_of_the_first_state_are_the_exact_ones(spec):
    check_means(mcts.load_game(spec).new_initial_state(), {})


def test_tic_tac_toe_has_its_known_probabilities():
    """x wins 737 of 1260 random games and o wins 121 of 420."""
    mean = means(mcts.load_game("mnk").new_initial_state(), 4_000_000, "lanes")[0]
    expected = 100 * (737 / 1260 + (1 - 737 / 1260 - 121 / 420) / 2)
    assert abs(mean - expected) < 4 * 45 / 2000


@pytest.mark.parametrize("spec", IN_LANES)
def test_the_means_agree_with_play_one_after_the_other(spec):
    path = random_path(mcts.load_game(spec), 3)
    for state in path[: max(1, len(path) - 1) : max(1, len(path) // 3)]:
        difference = means(state, 100_000, "lanes") - means(state, 100_000, "playout", seed=12)
        assert (abs(difference) < 5 * 50 * np.sqrt(2 / 100_000)).all(), state


@sweep("spec", IN_LANES, 2)
def test_every_count_plays_the_games_of_smaller_counts(spec):
    """One more playout adds the returns of one game, also where the last round or the last chunk is not full."""
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    for first in (0, 16_380):
        before = play_chunks(state, 5, first, 0, 1, False)
        for count in range(first + 1, first + 140):
            now = play_chunks(state, 5, count, 0, 1, False)
            returns = [(new - old) / UNIT for new, old in zip(now, before, strict=True)]
            assert all(game.min_utility <= value <= game.max_utility for value in returns)
            if game.utility_sum is not None:
                assert sum(returns) == game.utility_sum
            before = now


def test_ways_that_do_not_exist_are_refused():
    state = mcts.load_game("mnk").new_initial_state()
    with pytest.raises(ValueError, match="by='fast'; valid: table, playout, lanes"):
        play_chunks(state, 1, 10, 0, 1, False, "fast")


def test_the_chains_are_the_longest_with_few_rejections():
    text = (Path(cext.__file__).parent / "primitives/lanes.pxd").read_text()
    rows = [tuple(map(int, row)) for row in re.findall(r"\{(\d+), (\d+), (\d+)\}", text)]
    expected, bound = [], 2
    while bound <= 64:
        for count in range(1, 65 - bound + 1):
            product = int(np.prod(range(bound, bound + count), dtype=object))
            if product <= 1 << 16 and (count == 1 or 65536 % product <= 64):
                best = (bound, count, 65536 % product)
        expected.append(best)
        bound += best[1]
    assert rows == expected


def test_points_ttt_ends_in_the_turns_of_a_round_without_lines():
    costs = (2, 3, 4)

    @functools.cache
    def longest(blank, balance, other, passed):
        """Return the most turns from cells by cost, the balances of the mover and of the other player."""
        if not sum(blank):
            return 0
        if balance <= 0:
            return 1 + longest(blank, other + 2, balance, False)
        turns = [1 if passed else 1 + longest(blank, other + 2, balance, True)]
        for kind, cost in enumerate(costs):
            if blank[kind]:
                after = tuple(count - (i == kind) for i, count in enumerate(blank))
                turns.append(1 + longest(after, other + 2, balance - cost, False))
        return max(turns)

    text = (Path(cext.__file__).parent / "games" / "lanes" / "points_ttt.pxd").read_text()
    assert int(re.search(r"MOST_TURNS = (\d+)", text)[1]) == longest((4, 4, 1), 1, 0, False)
