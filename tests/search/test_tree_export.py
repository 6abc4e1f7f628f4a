"""The exported search tree: its content, when it may be read, and its formats."""

import json
import pickle
import re
import sys

import pytest
from sampling import sweep

import mcts
from mcts.results.tree_data import tree_to_dot, tree_to_networkx

CASES = {
    "in turns": ("mnk(m=4,n=3,k=3)", {}),
    "three players": ("three_player_ttt", {}),
    "at once": ("bidding_ttt", {}),
    "at once, by Exp3": ("bidding_ttt", {"joint_selection": "exp3"}),
    "with bounds": ("mnk", {"solver": True}),
    "at once with bounds": ("bidding_ttt(coins=1)", {"solver": True}),
    "threads": ("tic_block", {"threads": 2}),
}


def searched(spec, simulations=3000, **parameters):
    """A searcher, which has to be kept for its tree, and what it has found at the start."""
    game = mcts.load_game(spec)
    searcher = mcts.MCTS.plain(game, exploration=1.4, seed=7, **parameters)
    return searcher, searcher.run(game.new_initial_state(), simulations=simulations)


def places(tree, root):
    """Every state of a tree: (its dict, the state replayed from the action texts, actions below the root)."""
    todo = [(tree, root.clone(), 0)]
    for node, state, depth in todo:
        yield node, state, depth
        for arm in node["arms"]:
            if arm["child"] is not None:
                todo.append((arm["child"], after(state, arm["joint"]), depth + 1))


def after(state, texts):
    """The state behind a joint action in words; applying it checks that it is legal."""
    joint = [
        state.string_to_action(player, texts[name]) if name in texts else mcts.NOOP
        for player, name in enumerate(state.game.players)
    ]
    found = state.clone()
    found.apply_actions(joint)
    return found


def count(tree):
    """States and arms without a state, the root among them."""
    return 1 + sum(1 if arm["child"] is None else count(arm["child"]) for arm in tree["arms"])


@sweep("case", CASES, 3)
def test_every_state_agrees_with_the_game_and_with_its_arms(case):
    spec, parameters = CASES[case]
    _searcher, found = searched(spec, **parameters)
    players, inner = found.state.game.players, 0
    tree = found.tree(depth=3, max_nodes=100_000)
    for node, state, depth in places(tree, found.state):
        assert node["acting"] == [players[player] for player in state.acting_players()]
        assert (node["bounds"] is not None) == parameters.get("solver", False)
        if state.is_terminal():
            assert node["arms"] == []
            assert list(node["values"].values()) == pytest.approx(state.returns())
            continue
        if depth == 3:
            assert node["arms"] == []
            continue
        inner += 1
        visits = [arm["visits"] for arm in node["arms"]]
        assert visits == sorted(visits, reverse=True)
        assert sum(visits) == node["visits"]
        assert node["left_out"] == 0
        for name in players:
            weighed = [arm["visits"] * arm["values"][name] for arm in node["arms"] if name in arm["values"]]
            if len(weighed) == len(visits) and visits:
                assert sum(weighed) / node["visits"] == pytest.approx(node["values"][name], abs=1e-4)
        assert set(node["strategies"]) == (set(node["acting"]) if len(node["acting"]) > 1 else set())
        for name, rows in node["strategies"].items():
            assert sum(row["probability"] for row in rows) == pytest.approx(1.0)
            for row in rows:
                cells = [arm["visits"] for arm in node["arms"] if arm["joint"][name] == row["action"]]
                assert row["visits"] == sum(cells)
    assert inner > 10


@pytest.mark.parametrize("spec", ["mnk", "bidding_ttt"])
def test_the_root_is_the_result(spec):
    _searcher, found = searched(spec, solver=True)
    tree = found.tree(depth=1)
    assert tree["game"] == found.state.game.spec
    assert list(tree["values"].values()) == pytest.approx(found.values)
    assert [tuple(pair) for pair in tree["bounds"].values()] == list(found.bounds)
    for player in found.arms:
        name, mine = found.state.game.players[player], found.for_player(player)
        if found.is_mixed:
            rows = tree["strategies"][name]
            assert [row["visits"] for row in rows] == list(mine.visits.values())
            assert [row["probability"] for row in rows] == pytest.approx(list(mine.policy.values()))
        else:
            arms = {found.state.string_to_action(player, arm["joint"][name]): arm for arm in tree["arms"]}
            assert {action: arm["visits"] for action, arm in arms.items()} == {
                action: visits for action, visits in mine.visits.items() if visits
            }
            for action, arm in arms.items():
                assert arm["values"] == {name: pytest.approx(mine.action_values[action])}


def test_strategies_are_averages_and_not_visits():
    # Exploration alone visits a dominated bid; the average strategy of regret matching hardly plays it.
    _searcher, found = searched("bidding_ttt", simulations=20_000)
    rows = found.tree(depth=0)["strategies"]["x"]
    shares = [row["visits"] / 20_000 for row in rows]
    assert max(abs(row["probability"] - share) for row, share in zip(rows, shares, strict=True)) > 0.005


def test_a_proven_value_is_given_for_every_player():
    state = mcts.load_game("mnk").state_from_dict({"board": "xx.oo.x.."})
    searcher = mcts.MCTS.plain(state.game, solver=True)
    tree = searcher.run(state, simulations=1000).tree(depth=1)
    assert tree["bounds"] == {"x": [0.0, 0.0], "o": [100.0, 100.0]}
    assert "o 100 proven" in tree_to_dot(tree)


def test_merged_states_are_exported_below_each_of_their_parents():
    _searcher, found = searched("mnk", transpositions=True)
    below = {}
    for node, state, _ in places(found.tree(depth=4, max_nodes=100_000), found.state):
        below.setdefault(state.key(), []).append(node)
    twins = [nodes for nodes in below.values() if len(nodes) > 1]
    assert len(twins) > 10
    assert all(node["visits"] == nodes[0]["visits"] for nodes in twins for node in nodes)


def test_depth_and_size_are_kept():
    _searcher, found = searched("mnk")
    assert found.tree(depth=0)["arms"] == []
    assert found.tree(depth=0)["left_out"] == 9
    for depth in range(4):
        assert max(below for _, _, below in places(found.tree(depth), found.state)) == depth
    whole = found.tree(depth=2)
    visits = sorted((arm["visits"] for node, _, _ in places(whole, found.state) for arm in node["arms"]), reverse=True)
    some = found.tree(depth=2, max_nodes=30)
    kept = sorted((arm["visits"] for node, _, _ in places(some, found.state) for arm in node["arms"]), reverse=True)
    assert count(some) == 30
    assert kept == visits[:29]
    assert some["left_out"] + len(some["arms"]) == len(whole["arms"])


@sweep("case", [*CASES, "symmetries", "symmetries at once", "a die"], 3)
def test_a_node_at_the_end_of_a_path_is_that_of_the_tree(case):
    more = {
        "symmetries": ("mnk", {"transpositions": True, "solver": True}),
        "symmetries at once": ("bidding_ttt", {"transpositions": True}),
        "a die": ("dice_ttt", {}),
    }
    spec, parameters = (CASES | more)[case]
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    while state.is_chance():
        state.apply_action(state.sample_outcome(3))
    searcher = mcts.MCTS.plain(game, seed=7, **parameters)
    found = searcher.run(state, simulations=4000)
    whole = found.tree(depth=3, max_nodes=100_000)
    del whole["game"]
    todo = [(whole, [])]
    for node, path in todo:
        assert found.subtree(path, 3 - len(path), 100_000) == (node if path else {"game": game.spec, **node})
        for arm in node["arms"][:3]:
            if arm["child"] is None:
                assert len(path) == 3 or found.subtree([*path, arm["joint"]]) is None
            else:
                todo.append((arm["child"], [*path, arm["joint"]]))
    assert len(todo) > 20


def test_a_path_that_is_not_legal_is_refused():
    _searcher, found = searched("mnk", simulations=100)
    for wrong in ([{"x": "mark(9,9)"}], [{"o": "mark(1,1)"}], [{}], [{"x": "mark(1,1)"}, {"o": "mark(1,1)"}]):
        with pytest.raises(mcts.IllegalActionError):
            found.subtree(wrong)
    with pytest.raises(mcts.ParameterError, match="subtree: depth"):
        found.subtree([], depth=101)


@pytest.mark.parametrize(
    "given", [{"depth": -1}, {"depth": 101}, {"depth": 1.5}, {"max_nodes": 0}, {"max_nodes": 10**9}, {"depth": None}]
)
def test_bad_sizes_are_refused(given):
    _searcher, found = searched("mnk", simulations=10)
    with pytest.raises(mcts.ParameterError, match=f"tree: {next(iter(given))}=.*valid"):
        found.tree(**given)


def test_the_leading_thread_is_shown():
    searcher, found = searched("mnk", simulations=1001, threads=2)
    assert found.tree()["visits"] == 501
    assert found.tree() == found.tree()
    assert searcher.generation == 1


def test_an_old_result_has_no_tree():
    searcher, first = searched("mnk")
    kept = first.tree(1)
    second = searcher.run(first.state, simulations=10)
    with pytest.raises(mcts.StateError, match="has run or advanced"):
        first.tree(1)
    assert second.tree(1) != kept
    searcher.advance(second.action)
    with pytest.raises(mcts.StateError, match="has run or advanced"):
        second.tree()


def test_a_result_does_not_keep_the_searcher():
    searcher, found = searched("mnk")
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(mcts.StateError, match="keep the searcher"):
        pickle.loads(pickle.dumps(found)).tree()
    del searcher
    with pytest.raises(mcts.StateError, match="keep the searcher"):
        found.tree()


@pytest.mark.sample(1)
@pytest.mark.parametrize("case", CASES)
def test_every_form_has_all_states(case):
    spec, parameters = CASES[case]
    _searcher, found = searched(spec, simulations=500, **parameters)
    tree = found.tree(depth=2)
    assert json.loads(json.dumps(tree)) == tree
    size = count(tree)
    assert size > 10

    dot = tree_to_dot(tree)
    numbers = [int(number) for number in re.findall(r'^  (\d+) \[label="', dot, re.MULTILINE)]
    arrows = re.findall(r'^  (\d+) -> (\d+) \[label="[^"]+", penwidth=[\d.]+\];$', dot, re.MULTILINE)
    assert sorted(numbers) == list(range(size))
    assert sorted(int(end) for _, end in arrows) == list(range(1, size))

    networkx = pytest.importorskip("networkx")
    graph = tree_to_networkx(tree)
    assert networkx.is_arborescence(graph)
    assert sorted(graph) == list(range(size))
    assert graph.graph == {"game": tree["game"]}
    assert graph.nodes[0]["visits"] == tree["visits"]
    below = [arm["child"] or arm for arm in tree["arms"]]
    for node, end in zip(below, graph.successors(0), strict=True):
        assert graph.nodes[end] == {
            name: node.get(name) for name in ("visits", "values", "acting", "bounds", "strategies")
        }
    assert [graph.edges[0, end]["joint"] for end in graph.successors(0)] == [arm["joint"] for arm in tree["arms"]]
    assert {(int(begin), int(end)) for begin, end in arrows} == set(graph.edges)


def test_dot_labels_survive_any_text():
    arm = {"joint": {"x": 'say("a\\b")'}, "visits": 1, "values": {"x": 2.0}, "child": None}
    node = {"visits": 1, "values": None, "bounds": None, "arms": [arm]}
    dot = tree_to_dot({"game": "g", **node})
    assert r'label="say(\"a\\b\")"' in dot
    assert r'label="1 visit\nx 2.0", style=rounded' in dot


def test_a_missing_networkx_is_named_in_the_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    _searcher, found = searched("mnk", simulations=10)
    with pytest.raises(ImportError, match=re.escape("pip install 'playout[graph]'")):
        tree_to_networkx(found.tree())
