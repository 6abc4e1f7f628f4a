"""Evaluators: the states that they are given, the effect of their answers, and answers that are refused."""

import json
import os
import signal

import numpy as np
import pytest
from python_games import TicTacToe, minimax, place
from sampling import sweep
from support import VARIANTS, deciding_path, random_path, reproducible_part
from waiting import no_hang

import mcts

LISTED = [spec for spec in VARIANTS if mcts.load_game(spec).is_enumerable]
MNK = mcts.load_game("mnk")


class Neutral:
    """Knows nothing: equal priors, the middle of the scale. Remembers what it was asked."""

    def __init__(self, game):
        self.game = game
        self.batches = []

    def evaluate(self, batch):
        self.batches.append(batch.copy())
        return self.priors(batch), self.values(batch)

    def priors(self, batch):
        return np.ones((len(batch), self.game.num_actions), dtype=np.float32)

    def values(self, batch):
        middle = (self.game.min_utility + self.game.max_utility) / 2
        return np.full((len(batch), self.game.num_players), middle)


class Weights(Neutral):
    """Random but fixed opinions: every state gets its own from a random linear map of its numbers."""

    def __init__(self, game, seed=0):
        super().__init__(game)
        rng = np.random.default_rng(seed)
        self.feature_map = rng.normal(size=(game.encoding_size, 8))
        self.prior_map = rng.normal(size=(8, game.num_actions))
        self.value_map = rng.normal(size=(game.encoding_size, game.num_players))

    def priors(self, batch):
        return np.exp(np.tanh(batch @ self.feature_map @ self.prior_map))

    def values(self, batch):
        low, high = self.game.min_utility, self.game.max_utility
        return low + (high - low) / (1 + np.exp(-(batch @ self.value_map)))


def searcher(evaluator, **parameters):
    return mcts.MCTS.plain(evaluator.game, selection="puct", evaluator=evaluator, **parameters)


def search(evaluator, simulations, state=None, **parameters):
    start = evaluator.game.new_initial_state() if state is None else state
    return searcher(evaluator, **parameters).run(start, simulations=simulations)


def board_of(row):
    """The tic-tac-toe board that an encoded state of mnk shows."""
    return "".join("x" if x else "o" if o else "." for x, o in zip(row[:9], row[9:18], strict=True))


class Exact(Neutral):
    """Knows the value of every state of tic-tac-toe."""

    def values(self, batch):
        x = np.array([50 + 50 * minimax(board_of(row)) for row in batch], dtype=float)
        return np.stack([x, 100 - x], axis=1)


@pytest.mark.parametrize("batch_size", [1, 3, 16, 1000])
def test_batches_hold_states_of_the_game_and_are_never_too_large(batch_size):
    asked = Weights(MNK)
    search(asked, 400, batch_size=batch_size)
    assert all(batch.dtype == np.float32 and batch.shape[1:] == (MNK.encoding_size,) for batch in asked.batches)
    assert all(1 <= len(batch) <= batch_size for batch in asked.batches)
    assert batch_size == 1 or max(map(len, asked.batches)) > 1
    for row in np.concatenate(asked.batches):
        state = MNK.state_from_dict({"board": board_of(row)})
        assert not state.is_terminal()
        np.testing.assert_array_equal(row, state.encode())


def test_the_root_is_evaluated_first_and_no_state_twice():
    asked = Weights(TicTacToeHistory())
    search(asked, 300)
    rows = np.concatenate(asked.batches)
    np.testing.assert_array_equal(asked.batches[0], [asked.game.new_initial_state().encode()])
    assert len({row.tobytes() for row in rows}) == len(rows)


class TicTacToeHistory(TicTacToe):
    """Tic-tac-toe in which different ways never lead to the same state: a state is the cells in the order of play."""

    name = "ttt_history"
    encoding_size = 9

    def initial_state(self):
        return ()

    def board(self, cells):
        return "".join("xo"[cells.index(cell) % 2] if cell in cells else "." for cell in range(9))

    def acting_players(self, cells):
        return super().acting_players(self.board(cells))

    def legal_actions(self, cells, player):
        return [cell for cell in range(9) if cell not in cells]

    def next_state(self, cells, joint):
        return (*cells, joint[len(cells) % 2])

    def returns(self, cells):
        return super().returns(self.board(cells))

    def encode(self, cells):
        return [1 + cells.index(cell) if cell in cells else 0 for cell in range(9)]


@pytest.mark.parametrize("batch_size", [1, 16])
@pytest.mark.parametrize("favourite", range(0, 9, 3))
def test_priors_direct_the_search(favourite, batch_size):
    class Biased(Neutral):
        def priors(self, batch):
            return np.eye(9)[[favourite] * len(batch)]

    found = search(Biased(MNK), 40, batch_size=batch_size)
    assert found.action == favourite
    assert found.visits[favourite] > 30
    assert sum(search(Neutral(MNK), 40).visits.values()) == 40
    assert max(search(Neutral(MNK), 45).visits.values()) < 15


def test_priors_need_not_add_up_and_those_of_illegal_actions_do_not_count():
    state = MNK.state_from_dict({"board": "xo......."})

    class Scaled(Neutral):
        scale, illegal = 1.0, 0.0

        def priors(self, batch):
            priors = self.scale * np.tile(np.arange(1.0, 10.0), (len(batch), 1))
            priors[batch[:, :9] + batch[:, 9:18] > 0] = self.illegal
            return priors

    class Huge(Scaled):
        scale = 1024.0

    class Tempting(Scaled):
        illegal = 1e6

    plain, *others = (reproducible_part(search(kind(MNK), 200, state)) for kind in (Scaled, Huge, Tempting))
    assert others == [plain, plain]
    assert plain != reproducible_part(search(Neutral(MNK), 200, state))


def test_priors_of_zeros_count_as_equal():
    class Zero(Neutral):
        def priors(self, batch):
            return np.zeros((len(batch), 9))

    assert reproducible_part(search(Zero(MNK), 200)) == reproducible_part(search(Neutral(MNK), 200))


@pytest.mark.parametrize("batch_size", [1, 8])
@pytest.mark.parametrize("favourite", [0, 4, 7])
def test_values_direct_the_search(favourite, batch_size):
    class Likes(Neutral):
        """Thinks that whoever holds one cell wins."""

        def values(self, batch):
            x = 50 + 40 * (batch[:, favourite] - batch[:, 9 + favourite])
            return np.stack([x, 100 - x], axis=1)

    found = search(Likes(MNK), 200, batch_size=batch_size)
    assert found.action == favourite
    assert found.action_values[favourite] > 75


@pytest.mark.parametrize("batch_size", [1, 4])
def test_an_exact_evaluator_plays_optimally_in_few_simulations(batch_size):
    boards = {s.to_dict()["board"]: s for seed in range(15) for s in random_path(MNK, seed)[:-1]}
    assert len(boards) > 60
    for board, state in boards.items():
        found = search(Exact(MNK), 60, state, batch_size=batch_size, exploration=0.5)
        assert minimax(place(board, found.action)) == minimax(board), (board, found.action)


WRONG = {
    "a column too few": (lambda p, v: (p[:, 1:], v), r"priors.*\(1, 8\).*\(1, 9\)"),
    "no batch": (lambda p, v: (p[0], v), r"priors.*\(9,\)"),
    "a row too many": (lambda p, v: (p, np.concatenate([v, v])), r"values.*\(2, 2\).*\(1, 2\)"),
    "one value": (lambda p, v: (p, v[:, :1]), r"values.*\(1, 1\)"),
    "a prior not a number": (lambda p, v: (p * np.nan, v), "priors.*finite"),
    "an infinite value": (lambda p, v: (p, v + np.inf), "values.*finite"),
    "a value not a number": (lambda p, v: (p, v * np.nan), "values.*finite"),
    "a negative prior": (lambda p, v: (p - 1.25, v), r"prior of -0\.25.*0 and above"),
    "a value too high": (lambda p, v: (p, v + 51), r"value of 101\.0.*0 to 100"),
    "a value too low": (lambda p, v: (p, v - 51), r"value of -1\.0.*0 to 100"),
    "words": (lambda p, v: (p, [["good", "bad"]]), "values are not an array of numbers"),
    "nothing": (lambda p, v: None, r"None.*\(priors, values\)"),
    "three things": (lambda p, v: (p, v, v), r"\(priors, values\)"),
}


@pytest.mark.parametrize("when", [0, 5])
@pytest.mark.parametrize("case", WRONG)
def test_impossible_answers_are_refused(case, when):
    spoil, why = WRONG[case]

    class Wrong(Neutral):
        def evaluate(self, batch):
            answer = super().evaluate(batch)
            return spoil(*answer) if len(self.batches) == when + 1 else answer

    wrong = Wrong(MNK)
    asking = searcher(wrong, batch_size=1)
    with pytest.raises(mcts.errors.EvaluatorError, match=why):
        asking.run(MNK.new_initial_state(), simulations=50)
    assert len(wrong.batches) == when + 1
    again = asking.run(MNK.new_initial_state(), simulations=50)
    assert reproducible_part(again) == reproducible_part(search(Neutral(MNK), 50, batch_size=1))


class Failing(Weights):
    """Raises once, at one of the batches."""

    def __init__(self, game, when, error):
        super().__init__(game)
        self.when = when
        self.error = error

    def evaluate(self, batch):
        if len(self.batches) == self.when:
            self.when = -1
            raise self.error
        return super().evaluate(batch)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec", ["mnk", "bidding_ttt(coins=3)"])
def test_errors_of_the_evaluator_are_raised_and_the_search_can_continue(spec, threads):
    game, error = mcts.load_game(spec), ZeroDivisionError("the network is out of order")
    failing = Failing(game, 7, error)
    asking = searcher(failing, threads=threads)
    state = game.new_initial_state()
    with pytest.raises(ZeroDivisionError) as raised:
        asking.run(state, simulations=300)
    assert raised.value is error
    wanted = reproducible_part(search(Weights(game), 300, threads=threads))
    assert reproducible_part(asking.run(state, simulations=300)) == wanted


@pytest.mark.parametrize("spec", ["mnk", "bidding_ttt(coins=3)"])
def test_results_before_a_failure_can_be_kept(spec):
    """Simulations that waited for the evaluation that failed have left nothing behind that would stop later ones."""
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    asking = searcher(Failing(game, 12, RuntimeError("once")), batch_size=8, solver=True)
    with pytest.raises(RuntimeError, match="once"):
        asking.run(state, simulations=1000)
    joint = [state.legal_actions(player)[0] for player in range(game.num_players)]
    state.apply_actions(joint)
    kept = asking.advance(joint)
    found = asking.run(state, simulations=200)
    assert found.simulations == 200 or found.proven
    assert kept or sum(found.visits.values()) == found.simulations
    assert sum(found.visits.values()) >= found.simulations


@pytest.mark.parametrize("when", [0, 1, 9])
def test_an_interrupt_in_the_evaluator_returns_what_was_found(when):
    asking = searcher(Failing(MNK, when, KeyboardInterrupt()))
    found = asking.run(MNK.new_initial_state(), simulations=1000)
    assert found.interrupted
    assert 0 <= found.simulations == sum(found.visits.values()) < 16 * when + 1
    assert (found.simulations > 0) == (when > 1)
    assert found.action in MNK.new_initial_state().legal_actions()
    assert json.dumps(found.to_dict())
    again = asking.run(MNK.new_initial_state(), simulations=100)
    assert not again.interrupted
    assert reproducible_part(again) == reproducible_part(search(Weights(MNK), 100))


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_while_the_evaluator_works(threads):
    pressed = iter([False] * 20 + [True])

    class Pressed(Weights):
        def evaluate(self, batch):
            if next(pressed, False):
                os.kill(os.getpid(), signal.SIGINT)
            return super().evaluate(batch)

    game = mcts.load_game("mnk(m=8,n=8,k=5)")
    found = search(Pressed(game), 10**6, threads=threads, memory_mb=8)
    assert found.interrupted
    assert 0 < found.simulations == sum(found.visits.values()) < 10**6


@pytest.mark.sample(8)
@pytest.mark.parametrize("batch_size", [1, 16])
@pytest.mark.parametrize("spec", LISTED)
def test_the_seed_decides_and_simulations_are_exact(spec, batch_size):
    game = mcts.load_game(spec)
    for state in deciding_path(game, 4)[::3]:
        asking = searcher(Weights(game), batch_size=batch_size, seed=6)
        first, again = (asking.run(state, simulations=203) for _ in range(2))
        assert reproducible_part(again) == reproducible_part(first)
        same = search(Weights(game), 203, state, batch_size=batch_size, seed=6)
        assert reproducible_part(same) == reproducible_part(first)
        check(first, 203)


def check(found, simulations):
    """The findings agree with each other."""
    game = found.state.game
    assert found.simulations == simulations
    for player in found.arms:
        mine = found.for_player(player)
        assert sum(mine.visits.values()) == simulations
        assert sum(mine.policy.values()) == pytest.approx(1)
        total = sum(mean * mine.visits[action] for action, mean in mine.action_values.items() if mean is not None)
        assert total / simulations == pytest.approx(found.values[player], abs=1e-4)
    assert all(game.min_utility <= value <= game.max_utility for value in found.values)
    line = found.state.clone()
    for joint in found.pv:
        line.apply_actions(joint)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("spec", ["mnk(m=5,n=5,k=4)", "three_player_ttt", "tic_block", "bidding_ttt(coins=10)"])
def test_threads_share_the_simulations(spec, threads):
    game = mcts.load_game(spec)
    runs = [search(Weights(game), 401, threads=threads, seed=2) for _ in range(2)]
    assert reproducible_part(runs[0]) == reproducible_part(runs[1])
    check(runs[0], 401)


@pytest.mark.parametrize("batch_size", [1, 16])
def test_the_solver_proves_with_an_evaluator(batch_size):
    found = search(Neutral(MNK), 10**6, batch_size=batch_size, solver=True)
    assert found.proven
    assert found.values == (50, 50)
    assert found.simulations == sum(found.visits.values()) < 10**5


@pytest.mark.parametrize("batch_size", [1, 64])
@pytest.mark.parametrize("spec", ["mnk", "points_ttt", "bidding_ttt(coins=1)"])
def test_proofs_are_exact_for_any_evaluator(spec, batch_size):
    game = mcts.load_game(spec)
    seen = 0
    for seed in range(6):
        for state in random_path(game, seed)[-6:-1]:
            found = search(Weights(game, seed), 300, state, batch_size=batch_size, solver=True)
            plain = mcts.MCTS.plain(game, solver=True).run(state, simulations=20_000)
            for (lower, upper), (least, most) in zip(found.bounds, plain.bounds, strict=True):
                assert lower <= most
                assert upper >= least
            if found.proven and plain.proven:
                assert found.values == pytest.approx(plain.values, abs=1e-5)
            if found.is_mixed:
                continue
            for arm in found.arms[found.player]:
                if arm.visits and arm.lower >= arm.upper:
                    seen += 1
                    assert arm.mean == pytest.approx(arm.lower, abs=1e-5)
    assert seen > 10 or spec.startswith("bidding")


def test_simultaneous_decisions_use_the_values():
    """Bids of all coins lose nothing to an evaluator for whom coins are worthless and marks are all."""
    game = mcts.load_game("bidding_ttt(coins=3)")

    class Marks(Neutral):
        def values(self, batch):
            x = 50 + 10 * np.clip(batch[:, :9].sum(axis=1) - batch[:, 9:18].sum(axis=1), -4, 4)
            return np.stack([x, 100 - x], axis=1)

    found = search(Marks(game), 2000, batch_size=4)
    assert found.is_mixed
    for player in found.arms:
        mine = found.for_player(player)
        state = found.state
        worth = {state.action_to_string(player, action): share for action, share in mine.policy.items()}
        assert worth["bid(0)"] < 0.1
    check(found, 2000)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_every_one_of_three_players_follows_its_own_values(seat):
    game = mcts.load_game("three_player_ttt")
    state = random_path(game, 3)[seat]
    favourite = state.legal_actions(seat)[7]

    class Likes(Neutral):
        def values(self, batch):
            values = np.full((len(batch), 3), 20.0)
            values[:, seat] += 60 * batch[:, 25 * seat + favourite]
            return values

    found = search(Likes(game), 300, state)
    assert found.player == seat
    assert found.action == favourite


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec", ["mnk(m=5,n=5,k=4)", "three_player_ttt", "tic_block", "bidding_ttt(coins=3)"])
def test_advancing_keeps_the_subtree(spec, threads):
    game = mcts.load_game(spec)
    asking = searcher(Weights(game), threads=threads, seed=1)
    state = game.new_initial_state()
    found = asking.run(state, simulations=2000)
    joint = found.pv[0]
    assert asking.advance(joint)
    state.apply_actions(joint)
    below = asking.run(state, simulations=10)
    kept = sum(below.visits.values()) - 10
    assert 0 < kept < 2000
    if not found.is_mixed:
        assert kept == found.visits[joint[found.player]] - threads
    assert below.nodes < found.nodes + 10
    assert below.simulations == 10


class Encoded(TicTacToe):
    """Tic-tac-toe in Python with the numbers that mnk gives."""

    name = "encoded_ttt"
    encoding_size = 20

    def encode(self, board):
        turn = board.count("x") - board.count("o")
        return [*(mark == "x" for mark in board), *(mark == "o" for mark in board), turn == 0, turn == 1]


def test_a_game_in_python_is_searched_like_a_built_in_one():
    game = Encoded()
    assert reproducible_part(search(Weights(game), 500)) == reproducible_part(search(Weights(MNK), 500))
    assert search(Exact(game), 60, exploration=0.5).simulations == 60


@pytest.mark.parametrize(("when", "batch_size"), [(0, 4), (1, 1), (30, 4)])
def test_a_search_works_after_an_encoding_failed(when, batch_size):
    class Fails(Encoded):
        left = when

        def encode(self, board):
            self.left -= 1
            if self.left == -1:
                raise LookupError("no numbers")
            return super().encode(board)

    game = Fails()
    asking = searcher(Weights(game), batch_size=batch_size)
    state = game.new_initial_state()
    with pytest.raises(LookupError, match="no numbers"):
        asking.run(state, simulations=100)
    asking.advance(0)
    state.apply_action(0)
    assert asking.run(state, simulations=100).simulations == 100
    assert reproducible_part(asking.run(game.new_initial_state(), simulations=100)) == reproducible_part(
        search(Weights(MNK), 100, batch_size=batch_size)
    )


def test_an_encoding_of_a_wrong_length_is_refused():
    class Short(Encoded):
        def encode(self, board):
            return [0.0] * 19

    game = Short()
    with pytest.raises(ValueError, match=r"19 numbers.*20"):
        game.new_initial_state().encode()
    with pytest.raises(ValueError, match=r"19 numbers.*20"):
        search(Neutral(game), 10)


def test_a_game_without_an_encoding_is_refused():
    game = TicTacToe()
    assert game.encoding_size == 0
    with pytest.raises(mcts.StateError, match="python_ttt has no encoding"):
        game.new_initial_state().encode()
    with pytest.raises(mcts.UnsupportedGameError, match=r"python_ttt.*no encoding"):
        search(Neutral(game), 10)


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"selection": "ucb1"},
        {"selection": "grave"},
        {"selection": "puct", "transpositions": True},
        {"selection": "puct", "batch_size": 0},
        {"selection": "puct", "batch_size": 65537},
        {"selection": "puct", "batch_size": 2.5},
    ],
    ids=str,
)
def test_parameters_that_do_not_go_with_an_evaluator_are_refused(bad):
    with pytest.raises(mcts.ParameterError) as refusal:
        mcts.MCTS.plain(MNK, evaluator=Neutral(MNK), **bad)
    assert "valid" in str(refusal.value)
    assert all(str(value) in str(refusal.value) for value in bad.values() if value not in ("puct", True))


@pytest.mark.parametrize("spec", ["mnk(m=8,n=8,k=5)", "bidding_ttt(coins=10)"])
def test_the_memory_cap_holds(spec):
    game = mcts.load_game(spec)
    found = search(Neutral(game), 30_000, batch_size=64, memory_mb=1)
    check(found, 30_000)
    assert 0.3 * (1 << 20) < found.memory_bytes <= 1 << 20  # half or more becomes free when it is full


def test_seconds_end_a_search_with_an_evaluator():
    with no_hang():
        found = searcher(Neutral(MNK)).run(MNK.new_initial_state(), seconds=0.1)
    assert 0 < found.simulations == sum(found.visits.values())


def told(state):
    """Return what an encoding tells of a state: in Go, only which points the earlier positions forbid."""
    if state.game.name != "go":
        return state
    known = {key: value for key, value in state.to_dict().items() if key not in ("earlier", "last")}
    return known, [state.legal_actions(player) for player in state.acting_players()]


@sweep("spec", LISTED, 6)
def test_encodings_tell_states_apart(spec):
    game = mcts.load_game(spec)
    assert game.encoding_size > 0
    seen = {}
    for seed in range(10):
        for state in random_path(game, seed):
            numbers = state.encode()
            assert numbers.dtype == np.float32
            assert numbers.shape == (game.encoding_size,)
            assert np.isfinite(numbers).all()
            assert np.abs(numbers).max() <= 10
            np.testing.assert_array_equal(numbers, state.clone().encode())
            np.testing.assert_array_equal(numbers, game.state_from_dict(state.to_dict()).encode())
            assert told(seen.setdefault(numbers.tobytes(), state)) == told(state)
    assert len(seen) == len({json.dumps(state.to_dict(), sort_keys=True) for state in seen.values()})
    assert len(seen) > 1
