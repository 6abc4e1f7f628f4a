"""Symmetries of rulesheets: found in the network, a group of bounded size, and of use to searches and solutions."""

import dataclasses
import itertools
import random

import numpy as np
import pytest
from rulesheets import load, path_of, written
from sampling import sweep
from support import random_path

import mcts
from cext.game_info import GameInfo
from cext.gdl.game import NetworkGame
from cext.gdl.network_graph import NetworkGraph
from mcts.gdl import symmetries
from mcts.gdl.compiling import compile_network
from mcts.gdl.game import MAX_INSTANCES, load_network
from mcts.gdl.grounding import ground
from mcts.gdl.rules import read_rules
from mcts.gdl.rulesheets import PARAMETERS

NUMBERS = {"tic_tac_toe": 8, "points_ttt": 8, "bidding_ttt": 8, "three_player_ttt": 8, "connect_four": 2, "tron": 1}
NATIVE = {"tic_tac_toe": "mnk(m=3,n=3,k=3)", "points_ttt": "points_ttt"}

MARKING = """
(role a) (role b) (init (turn a)) (other a b) (other b a)
(<= (free ?v) (vertex ?v) (not (true (marked ?v a))) (not (true (marked ?v b))))
(<= (legal ?r (mark ?v)) (true (turn ?r)) (free ?v))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (marked ?v ?r)) (does ?r (mark ?v))) (<= (next (marked ?v ?r)) (true (marked ?v ?r)))
(<= (next (turn ?r)) (true (turn ?s)) (other ?s ?r))
(<= (pair ?r) (role ?r) (edge ?v ?w) (true (marked ?v ?r)) (true (marked ?w ?r)))
(<= open (free ?v)) (<= terminal (pair ?r)) (<= terminal (not open))
(<= (goal ?r 100) (pair ?r)) (<= (goal ?r 0) (other ?r ?s) (pair ?s))
(<= (goal ?r 50) (role ?r) (not (pair a)) (not (pair b)))
"""
"""Who first marks both ends of an edge wins. The symmetries are those of the graph."""

PARTS = """
(role a) (init (step 0)) (<= (legal a (press ?x)) (button ?x))
(<= (next (on ?x)) (does a (press ?x)) (not (true (on ?x))))
(<= (next (on ?x)) (true (on ?x)) (button ?x) (not (does a (press ?x))))
(<= (next (step ?n)) (true (step ?m)) (after ?m ?n)) (after 0 1) (after 1 2) (after 2 3)
(<= dark (button ?x) (not (true (on ?x)))) (<= terminal (true (step 3))) (<= terminal (not dark))
(<= (goal a 100) (not dark)) (<= (goal a 0) dark)
"""
"""Alike buttons: each permutation of them is a symmetry."""


def graph_sheet(size, edges):
    facts = [f"(vertex {vertex})" for vertex in range(size)] + [f"(edge {one} {other})" for one, other in edges]
    return " ".join(facts) + MARKING


def count_maps(size, edges):
    """Return the number of permutations of the vertices that keep the edges."""
    pairs = {frozenset(edge) for edge in edges}
    return sum(
        {frozenset((image[one], image[other])) for one, other in edges} == pairs
        for image in itertools.permutations(range(size))
    )


def buttons(count):
    return " ".join(f"(button {number})" for number in range(count)) + PARTS


def assert_keeps_play(game, seed):
    """Play a random game and its images side by side."""
    rng = random.Random(seed)
    for state in random_path(game, seed)[:-1]:
        players = state.acting_players()
        joint = {player: rng.choice(state.legal_actions(player)) for player in players}
        for symmetry in rng.sample(range(game.num_symmetries), min(4, game.num_symmetries)):
            image = state.transform(symmetry)
            assert image.acting_players() == players
            for player in players:
                mapped = [game.transform_action(symmetry, player, action) for action in state.legal_actions(player)]
                assert sorted(mapped) == image.legal_actions(player)
            after = state.clone()
            after.apply_actions(after.joint_action(joint))
            image.apply_actions(
                image.joint_action({p: game.transform_action(symmetry, p, action) for p, action in joint.items()})
            )
            assert after.transform(symmetry) == image
            assert not after.is_terminal() or after.returns() == image.returns()
            assert after.canonical()[0] == image.canonical()[0]


def assert_group(maps):
    """The maps are permutations, closed under composition, the identity first; so each also has its inverse."""
    maps = np.array(maps)
    size = maps.shape[1]
    assert maps[0].tolist() == list(range(size))
    found = {image.tobytes() for image in maps}
    assert len(found) == len(maps)
    for first in maps:
        assert sorted(first.tolist()) == list(range(size))
        assert all(first[second].tobytes() in found for second in maps[:20])


@pytest.mark.parametrize("name", NUMBERS)
def test_symmetries_of_examples(name):
    game = load(path_of(name))
    assert game.num_symmetries == NUMBERS[name]
    assert_group(game.network.symmetries)
    initial = game.new_initial_state()
    assert all(initial.transform(symmetry) == initial for symmetry in range(NUMBERS[name]))


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "bidding_ttt", "dots_and_boxes", "quarto", "nine_mens_morris", "amazons"]
)
def test_images_keep_play(name):
    game = load(path_of(name))
    assert game.num_symmetries > 1
    for seed in range(3):
        assert_keeps_play(game, seed)


@sweep("seed", range(12), 4)
def test_symmetries_of_a_graph(seed, tmp_path):
    rng = random.Random(seed)
    size = rng.randint(3, 5)
    pairs = list(itertools.combinations(range(size), 2))
    edges = rng.sample(pairs, rng.randint(2, len(pairs)))
    game = load(written(tmp_path, graph_sheet(size, edges)))
    assert game.num_symmetries == count_maps(size, edges)
    assert_group(game.network.symmetries)
    for play in range(3):
        assert_keeps_play(game, play)
    assert mcts.check_game(game, games=5).problems == ()


@pytest.mark.sample(2)
@pytest.mark.parametrize("count", [3, 5, 6, 40, 300])
def test_large_groups_are_cut_to_a_group_of_limited_size(count, tmp_path):
    game = load(written(tmp_path, buttons(count)))
    assert game.num_symmetries == {3: 6, 5: 120}.get(count, game.num_symmetries)
    assert 1 < game.num_symmetries <= symmetries.MOST_SYMMETRIES
    assert np.size(game.network.symmetries) <= symmetries.MOST_ENTRIES
    assert_group(game.network.symmetries)
    assert_keeps_play(game, 1)


def test_the_search_ends_after_counted_work(monkeypatch, tmp_path):
    text = buttons(7)
    found = []
    for most_work in (0, 2_000, 10_000, 30_000, 10_000, 2_000):
        monkeypatch.setattr(symmetries, "MOST_WORK", most_work)
        found.append(compile_network(ground(read_rules(text), 60, MAX_INSTANCES)).symmetries)
        assert_group(found[-1])
    assert len(found[0]) == 1 < len(found[3])
    assert np.array_equal(found[1], found[5])
    assert np.array_equal(found[2], found[4])


def test_a_symmetry_keeps_the_initial_state_and_noop(tmp_path):
    uneven = "(init (marked 0 a))" + graph_sheet(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert load(written(tmp_path, uneven)).num_symmetries == 2
    waiting = buttons(3).replace("(init (step 0))", "(init (step 0)) (legal a noop)")
    assert load(written(tmp_path, waiting)).num_symmetries == 6


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", NATIVE)
def test_solutions_store_as_many_states_as_those_of_the_native_game(name):
    sheet, native = (mcts.solve(game, cache=False) for game in (load(path_of(name)), mcts.load_game(NATIVE[name])))
    assert sheet.num_canonical_states == native.num_canonical_states < sheet.num_states == native.num_states
    assert sheet.value() == pytest.approx(native.value())


def without(game):
    """Return the game of a rulesheet without its symmetries."""
    network = dataclasses.replace(game.network, symmetries=game.network.symmetries[:1])
    info = GameInfo("sheet", "without symmetries", network.roles, PARAMETERS, utility_sum=game.utility_sum)
    return NetworkGame(info, {}, network, 1000)


def test_a_graph_of_symmetric_states_proves_the_same_with_fewer_nodes():
    game = load(path_of("tic_tac_toe"))
    results = []
    for each in (game, without(game)):
        search = mcts.MCTS.plain(each, transpositions=True, solver=True, selection="ucb1", seed=1)
        results.append(search.run(each.new_initial_state(), simulations=20_000))
    merged, plain = results
    assert merged.simulations < plain.simulations
    assert [list(result.bounds) for result in results] == 2 * [list(plain.bounds)]


def test_invalid_symmetries_are_refused():
    network = load_network((path_of("tic_tac_toe")).read_text())
    info = GameInfo("sheet", "invalid symmetries", network.roles, PARAMETERS, utility_sum=100.0)
    size = len(network.symmetries[0])
    fluents = len(network.fluents)
    twice = np.arange(size)
    twice[1] = 0
    moved = np.arange(size)
    moved[[0, fluents]] = moved[[fluents, 0]]
    for wrong in (moved, twice, np.arange(size - 1), np.full(size, 10**6), np.full(size, -1)):
        for maps in ([wrong], [np.arange(size), wrong]):
            with pytest.raises(ValueError, match="symmetr"):
                NetworkGame(info, {}, dataclasses.replace(network, symmetries=maps), 1000)
    many = [np.arange(size)] * (symmetries.MOST_SYMMETRIES + 1)
    with pytest.raises(ValueError, match="valid: 1"):
        NetworkGame(info, {}, dataclasses.replace(network, symmetries=many), 1000)


def numbers(*given, kind=np.int32):
    return np.array(given, kind)


def test_graphs_that_do_not_fit_are_refused():
    tags = numbers(0, 0, 0, kind=np.uint64)
    graph = NetworkGraph(numbers(0, 2), numbers(2, 3), numbers(0, 4), tags)
    assert graph.refine(numbers(1, 2, kind=np.uint64))[0] == 2
    assert graph.extend(numbers(0, 1, 0))
    assert not graph.extend(numbers(1, 0, 0))
    for wrong in (
        (numbers(0, 1), numbers(2, 3), numbers(0, 4), tags),
        (numbers(0, 2), numbers(2, 4), numbers(0, 4), tags),
        (numbers(0, 2), numbers(2, 3), numbers(0, 6), tags),
        (numbers(0, 2), numbers(2, 3), numbers(0, -1), tags),
        (numbers(0, 2), numbers(2, 3), numbers(0, 4), tags[:2]),
        (numbers(0, 3, 2), numbers(2, 3), numbers(0, 4), numbers(0, 0, 0, 0, kind=np.uint64)),
        (numbers(), numbers(), numbers(), tags[:0]),
    ):
        with pytest.raises(ValueError, match="graph"):
            NetworkGraph(*wrong)
    with pytest.raises(ValueError, match="colors"):
        graph.refine(numbers(1, kind=np.uint64))
    for image in (numbers(0, 1), numbers(0, 2, 0), numbers(0, -1, 0)):
        with pytest.raises(ValueError, match="image"):
            graph.extend(image)
