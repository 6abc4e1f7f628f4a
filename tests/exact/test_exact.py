"""Exact solutions: against brute force, known results, and each other."""

import itertools
import math
import random

import numpy as np
import pytest
from brute_force import ZeroSum, successors
from hypothesis import given
from hypothesis import strategies as st
from python_games import TicTacToe
from solutions import first, solution, table_of, uniform
from support import by_key, random_path

import mcts
from cext.exact.solved_states import SolvedStates
from cext.matrix_game import matrix_game

# Specs, how many blank cells brute force takes on at most, and in how many random games.
LATE = {
    "mnk(m=3,n=3,k=3)": (6, 20),
    "mnk(m=4,n=3,k=3)": (6, 10),
    "mnk(m=5,n=2,k=2)": (8, 10),
    "mnk(m=4,n=4,k=4)": (6, 5),
    "points_ttt": (4, 20),
    "bidding_ttt(coins=0)": (4, 10),
    "bidding_ttt(coins=3)": (2, 5),
    "bidding_ttt(coins=1,o_coins=3,tiebreaker=o)": (3, 5),
    "bidding_ttt(coins=6)": (2, 8),
    "bidding_ttt(coins=20)": (1, 6),
    "tic_block(block_phase=alternating)": (5, 5),
    "tic_block(block_phase=simultaneous)": (4, 10),
}
# What takes brute force more than a few seconds.
EARLIER = {"mnk(m=4,n=4,k=4)": (7, 10), "bidding_ttt(coins=20)": (1, 10), "tic_block(block_phase=alternating)": (6, 5)}
# What takes seconds to solve.
LONG = {spec for spec in LATE if spec.startswith("tic_block")} | {"bidding_ttt(coins=20)", "mnk(m=4,n=4,k=4)"}
ALL = [pytest.param(spec, marks=pytest.mark.long) if spec in LONG else spec for spec in LATE]

for_every_game = pytest.mark.parametrize("spec", ALL)


def late_states(spec, limits=LATE):
    """The states of random games in which few cells are blank."""
    most, games = limits[spec]
    game = mcts.load_game(spec)
    found = []
    for seed in range(games):
        for state in random_path(game, seed):
            shown = state.to_dict()
            board = shown["board"] if "board" in shown else shown["block"]
            if board is not None and board.count(".") <= most:
                found.append(state)
    assert len(found) >= 5
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("spec", "limits"),
    [
        *(pytest.param(spec, LATE, marks=pytest.mark.long if spec in LONG else ()) for spec in LATE),
        *(pytest.param(spec, EARLIER, marks=pytest.mark.long) for spec in EARLIER),
    ],
)
def test_values_are_those_of_brute_force(spec, limits):
    solved, truth = solution(spec), ZeroSum()
    for state in late_states(spec, limits):
        value = truth.value(state)
        assert solved.value(state) == pytest.approx([value, 100 - value], abs=1e-9)


@pytest.mark.sample(1)
@for_every_game
def test_policies_secure_the_value(spec):
    """What a policy brings at a stage is the value, whatever the other does; other optimal actions too."""
    solved, truth = solution(spec), ZeroSum()
    for state in late_states(spec):
        if state.is_terminal():
            continue
        value = truth.value(state)
        payoffs = {joint: [truth.value(after), 100 - truth.value(after)] for joint, after in successors(state).items()}
        for player in range(2):
            policy = solved.policy(state, player)
            assert sum(policy.values()) == pytest.approx(1, abs=1e-12)
            assert set(policy) <= set(state.legal_actions(player))
            for reply in state.legal_actions(1 - player):
                total = 0.0
                for action, probability in policy.items():
                    joint = (action, reply) if player == 0 else (reply, action)
                    total += probability * payoffs[joint][player]
                assert total >= [value, 100 - value][player] - 1e-9
            optimal = solved.optimal_actions(state, player)
            assert optimal == sorted(optimal)
            assert set(policy) <= set(optimal)


@pytest.mark.sample(4)
@for_every_game
def test_optimal_actions_lose_nothing_and_others_lose(spec):
    solved = solution(spec)
    for state in late_states(spec):
        if state.is_terminal():
            continue
        for player in range(2):
            assert solved.loss(state, player, solved.policy(state, player)) == pytest.approx(0, abs=1e-9)
            assert solved.loss(state, player, solved.policy) == pytest.approx(0, abs=1e-9)
            optimal = solved.optimal_actions(state, player)
            losses = {action: solved.loss(state, player, action) for action in state.legal_actions(player)}
            if min(losses.values()) < 1e-9:
                assert [action for action, loss in losses.items() if loss < 1e-7] == optimal
            assert all(0 <= loss <= 100 for loss in losses.values())
            assert solved.loss(state, player, uniform) <= max(losses.values()) + 1e-9


@pytest.mark.sample(2)
@for_every_game
def test_symmetric_states_have_the_same_value(spec):
    solved = solution(spec)
    game = mcts.load_game(spec)
    rng = random.Random(3)
    for seed in range(5):
        for state in random_path(game, seed):
            image = state.transform(rng.randrange(game.num_symmetries))
            assert solved.value(image) == solved.value(state)


@pytest.mark.parametrize("spec", ["mnk(m=3,n=3,k=3)", "mnk(m=5,n=2,k=2)", "mnk(m=7,n=1,k=2)", "mnk(m=4,n=2,k=3)"])
def test_all_states_are_counted(spec):
    """By collecting every state there is, one by one."""
    game = mcts.load_game(spec)
    left = [game.new_initial_state()]
    seen = by_key(left)
    while left:
        state = left.pop()
        if not state.is_terminal():
            new = {key: after for key, after in by_key(successors(state).values()).items() if key not in seen}
            seen |= new
            left.extend(new.values())
    solved = solution(spec)
    assert solved.num_states == len(seen)
    assert solved.num_canonical_states == len(by_key(state.canonical()[0] for state in seen.values()))
    for state in random.Random(1).sample(sorted(seen.values(), key=str), 50):
        assert sum(solved.value(state)) == 100


def test_tic_tac_toe_is_a_draw():
    solved = solution("mnk(m=3,n=3,k=3)")
    assert solved.value() == [50, 50]
    assert solved.num_states == 5478
    assert solved.num_canonical_states == 765
    assert solved.max_error == solved.num_mixed_stages == solved.num_simultaneous_stages == 0
    state = solved.game.new_initial_state()
    assert solved.policy(state, 0) == dict.fromkeys(range(9), pytest.approx(1 / 9))
    assert solved.policy(state, 1) == {mcts.NOOP: 1}
    state.apply_action(4)
    assert solved.optimal_actions(state, 1) == [0, 2, 6, 8]
    assert solved.loss(state, 1, 1) == 50


@pytest.mark.parametrize(("m", "n", "k", "value"), [(1, 1, 1, 100), (2, 2, 2, 100), (4, 3, 3, 100), (5, 1, 2, 100),
                                                   (4, 1, 3, 50), (3, 3, 2, 100), (4, 2, 4, 50)])  # fmt: skip
def test_small_boards(m, n, k, value):
    assert solution(f"mnk(m={m},n={n},k={k})").value()[0] == value


def test_points_are_won_by_the_second_player():
    solved = solution("points_ttt")
    assert solved.value() == [0, 100]
    assert solved.num_states == 183_596


def test_three_coins_are_a_draw_without_mixing():
    solved = solution("bidding_ttt(coins=3)")
    assert solved.value() == [50, 50]
    assert solved.num_states == 530_879
    assert solved.num_simultaneous_stages == 21_273
    assert solved.num_mixed_stages == 0


def test_coins_and_the_tiebreaker_are_worth_having():
    """More coins for x, or the tiebreaker, never make it worse."""
    values = {
        (o_coins, holder): solution(f"bidding_ttt(coins=1,o_coins={o_coins},tiebreaker={holder})").value()[0]
        for o_coins in range(3)
        for holder in "xo"
    }
    for holder in "xo":
        of_coins = [values[o_coins, holder] for o_coins in range(3)]
        assert of_coins == sorted(of_coins, reverse=True)
        assert of_coins[0] > of_coins[-1]
    assert all(values[o_coins, "x"] >= values[o_coins, "o"] for o_coins in range(3))


def has_bridge(cells):
    """Plain Python again: a path from the first row of the 4x4 board to the last, one cell a row."""
    reached = {column for column in range(4) if cells >> column & 1}
    for row in range(1, 4):
        reached = {c for c in range(4) if cells >> 4 * row + c & 1 and reached & {c - 1, c, c + 1}}
    return bool(reached)


def count_block_boards(others):
    """Boards of the 4x4 phase; others(n): numbers of o marks beside n of x that leads to."""
    bridged = [has_bridge(cells) for cells in range(1 << 16)]
    count = 0
    for cells in range(1 << 16):
        marks = cells.bit_count()
        made_last = any(cells >> i & 1 and not bridged[cells & ~(1 << i)] for i in range(16))
        if bridged[cells] and not made_last:
            continue
        for beside in others(marks, bridged[cells]):
            if 0 <= beside <= 16 - marks:
                count += math.comb(16 - marks, beside)
    return count


TIC_GOING_ON, TIC_OVER = 4520, 958


@pytest.mark.long
def test_the_alternating_block_phase_is_won_by_xcplayer():
    solved = solution("tic_block(block_phase=alternating)")
    assert solved.value() == [75, 25]
    boards = count_block_boards(lambda marks, bridged: [marks - 1] if bridged else [marks - 1, marks])
    assert solved.num_states == TIC_GOING_ON + TIC_OVER * (1 + boards)


@pytest.mark.long
def test_the_simultaneous_block_phase_has_to_be_mixed():
    solved = solution("tic_block(block_phase=simultaneous)")
    boards = count_block_boards(lambda marks, bridged: range(marks, 17))
    assert solved.num_states == TIC_GOING_ON + TIC_OVER * (1 + boards)
    assert solved.num_mixed_stages > 1_000_000
    assert 0 < solved.max_error < 1e-6
    assert solved.value() == pytest.approx([38.9298146744, 61.0701853256], abs=1e-8)


@pytest.mark.long
def test_the_score_of_tic_tac_toe_is_added():
    """The block phase brings the same after any game of tic-tac-toe, beside its score."""
    solved = solution("tic_block(block_phase=alternating)")
    for seed in range(30):
        path = random_path(solved.game, seed)
        after = next(state for state in path if state.to_dict()["block"] is not None)
        assert solved.value(after)[0] == after.to_dict()["tic_scores"][0] + 50


def test_play_by_the_policies_returns_the_value():
    """Optimal play from any state ends with what was promised, on the way and at the end."""
    solved = solution("bidding_ttt(coins=3)")
    rng = random.Random(5)
    for seed in range(20):
        state = rng.choice(random_path(solved.game, seed))
        value = solved.value(state)
        while not state.is_terminal():
            joint = [rng.choice(list(solved.policy(state, player))) for player in range(2)]
            state.apply_actions(joint)
            assert solved.value(state) == value
        assert state.returns() == value


@pytest.mark.parametrize("spec", ["bidding_ttt(coins=3)", "points_ttt"])
def test_any_number_of_threads_finds_the_same_bits(spec):
    game = mcts.load_game(spec)
    one, three = (table_of(game, threads) for threads in (1, 3))
    for name in ("base", "bits", "keys", "values"):
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name))


def test_states_of_other_games_are_refused():
    solved = solution("mnk(m=3,n=3,k=3)")
    other = mcts.load_game("mnk(m=4,n=3,k=3)").new_initial_state()
    for ask in (solved.value, lambda state: solved.policy(state, 0), lambda state: solved.loss(state, 0, 0)):
        with pytest.raises(mcts.StateError, match=r"m=3.*m=4"):
            ask(other)


def test_states_that_no_play_leads_to_are_refused():
    """As if every other state were out of reach: those are refused, the others keep their values."""
    solved = solution("mnk(m=3,n=3,k=3)")
    whole = table_of(solved.game)
    keys, values = whole.keys[::2].copy(), whole.values[::2].copy()
    half = SolvedStates(whole.game, whole.reduces, whole.base, whole.bits, keys, values)
    known = 0
    refused = []
    for seed in range(50):
        for state in random_path(solved.game, seed):
            try:
                assert half.value(state) == whole.value(state)
                known += 1
            except mcts.StateError as error:
                refused.append((str(error), state.to_dict()["board"]))
    assert known > 50
    assert len(refused) > 50
    for told, board in refused:
        assert told.startswith("no play of mnk(m=3,n=3,k=3) leads to")
        assert board in told


def test_finished_states_have_values_and_no_policy():
    solved = solution("mnk(m=3,n=3,k=3)")
    state = solved.game.state_from_dict({"board": "xxxoo...."})
    assert solved.value(state) == [100, 0]
    for ask in (solved.policy, solved.optimal_actions, lambda *where: solved.loss(*where, 0)):
        with pytest.raises(mcts.StateError, match="over"):
            ask(state, 0)


def test_unknown_players_and_actions_are_refused():
    solved = solution("mnk(m=3,n=3,k=3)")
    state = solved.game.new_initial_state()
    with pytest.raises(ValueError, match="valid: 0 to 1"):
        solved.policy(state, 2)
    with pytest.raises(mcts.IllegalActionError, match="9 is illegal"):
        solved.loss(state, 0, 9)
    for wrong in ({0: 0.5}, {9: 1.0}, {0: -1.0, 1: 2.0}, {}):
        with pytest.raises(mcts.errors.PolicyError):
            solved.loss(state, 0, wrong)
    with pytest.raises(mcts.errors.PolicyError, match="mapping"):
        solved.loss(state, 0, lambda state, player: [1.0])
    assert solved.loss(state, 0, first) == 0


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("mnk(m=5,n=5,k=4)", "too large to solve.* more than .*e.* states.*valid: up to"),
        ("mnk(m=8,n=8,k=5)", "too large to solve.* more than .*e.* states"),
        ("three_player_ttt", "3 players, not two.*more than .* states"),
        ("bidding_3d_ttt", "its actions are too many to list"),
    ],
)
def test_games_that_are_too_large_are_refused_at_once(spec, reason):
    with pytest.raises(mcts.UnsupportedGameError, match=reason):
        mcts.solve(mcts.load_game(spec), cache=False)


def test_limits_are_kept():
    with pytest.raises(mcts.UnsupportedGameError, match=r"within 70,000 states: 70,000 canonical states were found"):
        mcts.solve(mcts.load_game("bidding_ttt(coins=3)"), cache=False, max_states=70_000)
    with pytest.raises(mcts.UnsupportedGameError, match=r"about .* states.*max_states=30000"):
        mcts.solve(mcts.load_game("bidding_ttt(coins=3)"), cache=False, max_states=30_000)
    with pytest.raises(mcts.UnsupportedGameError, match=r"too large to solve.*memory_mb=1"):
        mcts.solve(mcts.load_game("mnk(m=4,n=4,k=4)"), cache=False, memory_mb=1)
    with pytest.raises(mcts.UnsupportedGameError, match="within 4 MB of memory"):
        mcts.solve(mcts.load_game("bidding_ttt(coins=3)"), cache=False, memory_mb=4)
    assert mcts.solve(mcts.load_game("bidding_ttt(coins=3)"), cache=False, memory_mb=10).value() == [50, 50]
    for name in ("max_states", "memory_mb", "threads"):
        for wrong in (0, -1, 1.5, 10**12):
            with pytest.raises(mcts.errors.LimitError, match=name):
                mcts.solve(mcts.load_game("mnk"), cache=False, **{name: wrong})


def test_games_in_python_are_refused():
    with pytest.raises(mcts.UnsupportedGameError, match="Python objects"):
        mcts.solve(TicTacToe(), cache=False)


@pytest.mark.parametrize("phase", ["exploring", "solving"])
def test_solving_can_be_interrupted(phase):
    told = []

    def progress(now, done, total):
        told.append((now, done, total))
        if now == phase:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mcts.solve(mcts.load_game("bidding_ttt(coins=3)"), cache=False, progress=progress, threads=2)
    assert told[-1][0] == phase
    assert told[-1][2] is None or told[-1][1] <= told[-1][2]


def test_progress_is_reported_and_increases():
    told = []
    mcts.solve(mcts.load_game("bidding_ttt(coins=3)"), cache=False, progress=lambda *what: told.append(what))
    solving = [what for what in told if what[0] == "solving"]
    assert [done for _, done, _ in solving] == sorted(done for _, done, _ in solving)
    assert solving[-1][1] == solving[-1][2] == solution("bidding_ttt(coins=3)").num_canonical_states


@given(st.integers(0, 2**32))
def test_stages_are_matrix_games(seed):
    """The value of a state where both decide is that of the matrix of the values behind it."""
    solved = solution("bidding_ttt(coins=7)")
    rng = random.Random(seed)
    state = rng.choice(random_path(solved.game, seed))
    if len(state.acting_players()) < 2:
        return
    matrix = np.empty([len(state.legal_actions(player)) for player in range(2)])
    for (i, row), (j, column) in itertools.product(*(enumerate(state.legal_actions(player)) for player in range(2))):
        after = state.clone()
        after.apply_actions([row, column])
        matrix[i, j] = solved.value(after)[0]
    assert solved.value(state)[0] == pytest.approx(matrix_game(matrix)[0], abs=1e-8)


def test_decisions_with_hidden_cards_that_are_mixed_are_counted():
    """In each equilibrium of Kuhn poker, the second player bluffs and calls with a probability of 1/3."""
    solved = mcts.solve(mcts.load_game("kuhn_poker"), cache=False)
    assert 2 <= solved.num_mixed_stages <= 6 < solved.num_information_states == 12
