"""Search in a graph: equal states share a node, with the same findings and fewer nodes than a tree."""

import functools
import itertools

import pytest
from game_cases import position
from python_games import TicTacToe, minimax, place, winner
from support import random_path, reproducible_part

import mcts

SPECS = ["mnk", "points_ttt", "three_player_ttt", "bidding_ttt(coins=3)", "tic_block"]
MNK = mcts.load_game("mnk")


def search(state, simulations, **parameters):
    return mcts.MCTS.plain(state.game, transpositions=True, **parameters).run(state, simulations=simulations)


def tree_search(state, simulations, **parameters):
    return mcts.MCTS.plain(state.game, **parameters).run(state, simulations=simulations)


def start_of(spec):
    return mcts.load_game(spec).new_initial_state()


@functools.cache
def tic_tac_toe():
    """All boards that can come up: those where the game continues, and how many ways lead from them to an end."""
    going, ends, wave = set(), 0, {"." * 9}
    while wave:
        going |= wave
        after = [place(board, cell) for board in wave for cell, mark in enumerate(board) if mark == "."]
        over = [board for board in after if winner(board) or "." not in board]
        ends += len(over)
        wave = set(after).difference(over)
    assert len(going) == 4520
    return going, ends


def test_every_answer_of_a_long_search_is_optimal():
    boards = {state.to_dict()["board"]: state for seed in range(12) for state in random_path(MNK, seed)[:-1]}
    for board, state in boards.items():
        found = search(state, 8_000, seed=2)
        assert minimax(place(board, found.action)) == minimax(board), (board, found.action)


def test_values_converge_to_the_exact_ones():
    boards = {state.to_dict()["board"]: state for seed in range(4) for state in random_path(MNK, seed)[:-1]}
    for board, state in boards.items():
        found = search(state, 30_000, exploration=0.3)
        assert found.values[0] == pytest.approx(50 + 50 * minimax(board), abs=6), board
        assert sum(found.values) == pytest.approx(100, abs=1e-3)


@pytest.mark.parametrize(
    ("state", "wanted"),
    [
        (position("points_ttt", None, ["mark(2,2)", "mark(2,1)", "pass", "mark(3,1)", "pass"]), "mark(1,1)"),
        (position("points_ttt", None, ["mark(2,2)", "mark(2,1)", "pass", "mark(3,1)"]), "mark(1,1)"),
        (
            mcts.load_game("three_player_ttt").state_from_dict(
                {"board": "xxx..o.z.o.....z.o.z.....", "control": "xplayer"}
            ),
            "mark(1,4)",
        ),
        (
            mcts.load_game("three_player_ttt").state_from_dict(
                {"board": "ooo.....x.z....x...z.z.x.", "control": "xplayer"}
            ),
            "mark(1,4)",
        ),
    ],
    ids=["points: a win", "points: a block", "three players: a win", "three players: a block"],
)
def test_a_graph_finds_the_action_that_a_tree_finds(state, wanted):
    for seed in range(3):
        found = search(state, 4_000, exploration=1.4, seed=seed)
        assert state.action_to_string(found.player, found.action) == wanted
    found = tree_search(state, 4_000, exploration=1.4)
    assert state.action_to_string(found.player, found.action) == wanted


def test_simultaneous_bids_are_judged_no_worse_than_in_a_tree():
    game = mcts.load_game("bidding_ttt(coins=1)")
    tree_errors, graph_errors = [], []
    for seed in range(4):
        for state in random_path(game, seed)[-9:-3]:
            exact = tree_search(state, 30_000, exploration=1.4, solver=True)
            if not exact.proven:
                continue
            found = search(state, 20_000, exploration=1.4, seed=1)
            assert sum(found.values) == pytest.approx(100, abs=1e-3)
            graph_errors.append(abs(found.values[0] - exact.values[0]))
            tree_errors.append(abs(tree_search(state, 20_000, exploration=1.4, seed=1).values[0] - exact.values[0]))
            assert graph_errors[-1] <= tree_errors[-1] + 3, state.to_dict()
            proof = search(state, 30_000, exploration=1.4, solver=True)
            assert proof.proven
            assert proof.values == pytest.approx(exact.values, abs=1e-4)
    assert len(graph_errors) > 12
    assert sum(graph_errors) < sum(tree_errors)


@pytest.mark.parametrize("solver", [False, True])
def test_no_state_has_two_nodes(solver):
    """Nor two states of which one is an image of the other; and all ends of equal value share one."""
    going, _ = tic_tac_toe()
    images = {MNK.state_from_dict({"board": board}).canonical()[0].key() for board in going}
    assert len(images) == 627
    found = search(MNK.new_initial_state(), 100_000, exploration=10.0, solver=solver)
    assert found.nodes <= len(images) + 3
    assert found.nodes > len(images) // 2
    if not solver:
        assert tree_search(MNK.new_initial_state(), 100_000, exploration=10.0).nodes > 20 * found.nodes


def test_symmetric_states_are_not_merged_with_action_statistics():
    going, _ = tic_tac_toe()
    found = search(MNK.new_initial_state(), 30_000, seed=1, selection="grave")
    assert 630 < found.nodes <= len(going) + 3


@pytest.mark.parametrize("spec", SPECS)
def test_results_are_consistent(spec):
    game = mcts.load_game(spec)
    for state in random_path(game, 11)[:-1][::3]:
        for threads in (1, 2):
            found = search(state, 501, threads=threads, seed=1)
            assert found.simulations == 501
            for player in found.arms:
                mine = found.for_player(player)
                assert sum(mine.visits.values()) == 501
                assert sum(mine.policy.values()) == pytest.approx(1)
                means = [mean for mean in mine.action_values.values() if mean is not None]
                assert all(game.min_utility <= mean <= game.max_utility for mean in means)
            assert all(game.min_utility - 1e-6 <= value <= game.max_utility + 1e-6 for value in found.values)
            if game.utility_sum is not None:
                assert sum(found.values) == pytest.approx(game.utility_sum, abs=1e-3)
            line = state.clone()
            for joint in found.pv:
                line.apply_actions(joint)
            assert reproducible_part(search(state, 501, threads=threads, seed=1)) == reproducible_part(found)


@pytest.mark.parametrize("selection", ["ucb1", "puct", "grave"])
def test_every_selection_works_in_a_graph(selection):
    for board, best in (("xx.oo....", 2), ("oo..x...x", 2)):
        found = search(MNK.state_from_dict({"board": board}), 4_000, selection=selection)
        assert found.action == best
        assert sum(found.visits.values()) == 4_000


@pytest.mark.parametrize(("spec", "values"), [("mnk", (50, 50)), ("points_ttt", (0, 100))])
def test_the_solver_proves_in_fewer_simulations_than_in_a_tree(spec, values):
    found = search(start_of(spec), 1_000_000, solver=True)
    assert found.proven
    assert found.values == values
    assert found.simulations == sum(found.visits.values())
    tree = tree_search(start_of(spec), 2 * found.simulations, solver=True)
    assert tree.simulations == 2 * found.simulations
    assert not tree.proven


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("threads", [1, 2])
def test_advancing_keeps_the_graph(spec, threads):
    """The first simulation behind an advance is made by the kept graph: it has all that was known there."""
    searcher = mcts.MCTS.plain(mcts.load_game(spec), transpositions=True, threads=threads, seed=3)
    state = searcher.game.new_initial_state()
    found = searcher.run(state, simulations=8_000)
    for _ in range(2):
        joint = found.pv[0]
        visits = found.visits[joint[found.player]]
        mean = found.action_values[joint[found.player]]
        assert searcher.advance(joint)
        state.apply_actions(joint)
        below = searcher.run(state, simulations=threads)
        assert below.nodes <= found.nodes + threads
        assert below.memory_bytes < found.memory_bytes
        assert below.simulations == threads
        scale = searcher.game.max_utility - searcher.game.min_utility
        if not found.is_mixed:
            # Every arm leads to a node at once, whose first visit is its own; other ways may have led there too.
            assert sum(below.visits.values()) >= visits - threads
            if threads == 1:
                assert abs(below.values[found.player] - mean) * visits <= 3 * scale
        found = below


def test_a_kept_graph_still_finds_equal_states():
    """What is new after an advance is merged with what was kept, not only with itself."""
    going, ends = tic_tac_toe()
    searcher = mcts.MCTS.plain(MNK, transpositions=True, exploration=10.0)
    state = MNK.new_initial_state()
    searcher.run(state, simulations=20_000)
    for cell in (4, 0):
        searcher.advance(cell)
        state.apply_action(cell)
        found = searcher.run(state, simulations=20_000)
    fresh = search(state, 60_000, exploration=10.0)
    assert found.nodes <= fresh.nodes * 1.01
    reachable = {board for board in going if board[4] == "x" and board[0] == "o"}
    assert found.nodes <= len(reachable) + ends


@pytest.mark.parametrize("solver", [False, True])
def test_states_kept_by_an_advance_have_the_values_they_had(solver):
    searcher = mcts.MCTS.plain(MNK, transpositions=True, exploration=0.5, solver=solver, seed=2)
    state = MNK.state_from_dict({"board": "x...o...."})
    found = searcher.run(state, simulations=3_000 if not solver else 60)
    for action, mean in found.action_values.items():
        again = mcts.MCTS.plain(MNK, transpositions=True, exploration=0.5, solver=solver, seed=2)
        again.run(state, simulations=found.simulations)
        assert again.advance(action)
        below = state.clone()
        below.apply_action(action)
        kept = again.run(below, simulations=1)
        lower, upper = kept.bounds[0]
        assert lower <= kept.values[0] <= upper
        assert abs(kept.values[0] - mean) * max(found.visits[action], 1) <= 300


@pytest.mark.parametrize("spec", ["mnk(m=8,n=8,k=5)", "bidding_ttt(coins=40)"])
def test_the_memory_cap_holds(spec):
    searcher = mcts.MCTS.plain(mcts.load_game(spec), transpositions=True, memory_mb=1)
    state = searcher.game.new_initial_state()
    found = searcher.run(state, simulations=30_000)
    assert found.simulations == sum(found.for_player(found.player).visits.values()) == 30_000
    assert 0.7 * (1 << 20) < found.memory_bytes <= 1 << 20
    joint = found.pv[0]
    if searcher.advance(joint):
        state.apply_actions(joint)
        found = searcher.run(state, simulations=3_000)
        assert found.memory_bytes <= 1 << 20


class Ring(mcts.PythonGame):
    """A token on a path, moved left or right in turns, or always by the first: at either end the game is over.

    The first wins at the right end, the second at the left one. Play can go to and fro for ever.
    """

    name = "ring"
    players = ("right", "left")
    num_actions = 2
    utility_sum = 1.0

    def __init__(self, length, movers=(0, 1)):
        super().__init__()
        self.length = length
        self.movers = movers

    def initial_state(self):
        return self.length // 2, 0

    def acting_players(self, state):
        at, turn = state
        return self.movers[turn] if 0 < at < self.length else ()

    def legal_actions(self, state, player):
        return (0, 1)

    def next_state(self, state, joint):
        at, turn = state
        return at + 2 * joint[self.movers[turn]] - 1, 1 - turn

    def returns(self, state):
        return (1.0, 0.0) if state[0] else (0.0, 1.0)

    def from_dict(self, given):
        return given["at"], given["turn"]

    def to_dict(self, state):
        return dict(zip(("at", "turn"), state, strict=True))


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize(("length", "movers"), [(4, (0, 1)), (7, (0, 1)), (8, (0, 0)), (7, (1, 1))])
def test_searches_of_games_with_repetitions_end(length, movers, solver):
    game = Ring(length, movers)
    state = game.new_initial_state()
    searcher = mcts.MCTS.plain(game, transpositions=True, solver=solver, seed=1)
    found = searcher.run(state, simulations=3_000)
    assert found.nodes <= 2 * length + 2 * length
    assert 0 <= found.values[0] <= 1
    assert sum(found.values) == pytest.approx(1)
    assert len(found.pv) <= found.nodes
    assert found.simulations == sum(found.visits.values())
    assert found.proven == (solver and movers != (0, 1))
    assert (found.simulations < 3_000) == found.proven
    if movers != (0, 1):
        assert found.action == 1 - movers[0]
        assert found.values[movers[0]] > 0.9
    for joint in itertools.islice(found.pv, 3):
        kept = searcher.advance(joint)
        state.apply_actions(joint)
        if state.is_terminal():
            assert not kept
            break
        found = searcher.run(state, simulations=200)
        assert found.simulations == (0 if found.proven else 200)


@pytest.mark.parametrize("turn", [0, 1])
def test_a_win_is_preferred_to_a_repetition(turn):
    game = Ring(8)
    state = game.state_from_dict({"at": 1 if turn else 7, "turn": turn})
    for solver in (False, True):
        found = search(state, 2_000, solver=solver)
        assert found.action == 1 - turn
        assert found.action_values[found.action] == 1


def test_a_game_in_python_is_searched_like_a_built_in_one():
    found = search(TicTacToe().new_initial_state(), 3_000, exploration=10.0)
    going, ends = tic_tac_toe()
    assert found.nodes <= len(going) + ends
    assert sum(found.visits.values()) == 3_000
    assert search(TicTacToe().new_initial_state(), 100_000, solver=True).values == (50, 50)


@pytest.mark.parametrize(("one", "other"), [(-1, -2), (1, 1 << 61), (0, (1 << 61) - 1), (5, 4 + (1 << 61))])
def test_states_whose_numbers_hash_equally_stay_apart(one, other):
    """Python's hash of whole numbers is one modulo 2^61 - 1, and -1 is not a hash."""

    class Pick(mcts.PythonGame):
        name = "pick"
        players = ("a", "b")
        num_actions = 2
        utility_sum = 1.0

        def initial_state(self):
            return (3, 0)

        def acting_players(self, state):
            return state[1] if state[1] < 2 else ()

        def legal_actions(self, state, player):
            return (0, 1)

        def next_state(self, state, joint):
            return ((one, other)[joint[0]] if state[1] == 0 else state[0], state[1] + 1)

        def returns(self, state):
            return (1.0, 0.0) if state[0] == other else (0.0, 1.0)

    assert hash((one, 1)) == hash((other, 1))
    found = search(Pick().new_initial_state(), 500)
    assert found.action == 1
    assert found.action_values == {0: 0.0, 1: 1.0}


def test_equal_states_of_python_games_have_equal_keys():
    game = Ring(6)
    for at, same in ((-1, -1.0), (1 << 70, float(1 << 70)), (True, 1), (3, 3.0)):
        one, other = (game.state_from_dict({"at": value, "turn": 0}) for value in (at, same))
        assert one == other
        assert one.key() == other.key()


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("corner", [0, 2, 6, 8])
def test_a_kept_tree_is_mapped_to_the_actual_state(corner, solver):
    searcher = mcts.MCTS.plain(MNK, transpositions=True, solver=solver, exploration=0.5)
    state = MNK.new_initial_state()
    searcher.run(state, simulations=3_000)
    for cell in (corner, 8 - corner):
        state.apply_action(cell)
        if not searcher.advance(cell):
            assert solver  # what is proven may have no more below it
            break
        found = searcher.run(state, simulations=3_000)
        assert set(found.visits) == set(state.legal_actions())
        after = state.clone()
        after.apply_action(found.action)
        assert minimax(after.to_dict()["board"]) == minimax(state.to_dict()["board"])


@pytest.mark.sample(1)
@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("spec", SPECS)
def test_lines_and_trees_below_symmetric_states_are_playable(spec, solver):
    for number in range(2):
        state = random_path(mcts.load_game(spec), number, 2)[-1]
        found = search(state, 1_000, solver=solver)
        at = state.clone()
        for joint in found.pv:
            at.apply_actions(joint)
        assert found.pv
        tree = mcts.MCTS.plain(state.game, transpositions=True, solver=solver)
        assert tree.run(state, simulations=500).tree(depth=6)["arms"]
