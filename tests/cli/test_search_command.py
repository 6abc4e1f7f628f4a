"""`playout search`: tables, JSON, the tree, the file for Graphviz, and bad input."""

import json
import re

import pytest

import mcts
from bots.steps import sample_joint_action
from mcts.registry import native_games
from mcts.results.tree_data import tree_to_dot

PLAIN = "mcts:selection=ucb1,solver=false,transpositions=false"
LATE = json.dumps({"board": "xx.oo.x.."})  # o wins at once


def rows(text, first):
    """The words of a table's rows: what stands between the heading that begins with `first` and the next blank line."""
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(first))
    end = next(i for i, line in enumerate([*lines, ""]) if i > begin and not line.strip())
    return [line.split() for line in lines[begin + 1 : end]]


def test_a_position_in_turns(playout):
    done = playout("search", "mnk", "--state", LATE, "--searcher", PLAIN, "--simulations", "500")
    assert done.status == 0
    assert done.err == ""
    assert done.out.startswith("  1 2 3\n1 x x .\n2 o o .\n3 x . .\n")
    assert "o to decide" in done.out
    found = rows(done.out, "action ")
    assert {row[0] for row in found} == {"mark(1,3)", "mark(2,3)", "mark(3,2)", "mark(3,3)"}
    assert found[0][:2] == ["mark(2,3)", "*"]
    assert sum(int(row[-4].replace(",", "")) for row in found) == 500
    assert sum(float(row[-3]) for row in found) == pytest.approx(100, abs=0.3)
    assert found[0][-1] == "100.00"
    assert "answer       mark(2,3)" in done.out
    assert "expected     o mark(2,3)" in done.out
    assert "500 in" in done.out
    assert "nodes" in done.out


def test_proven_values_are_marked(playout):
    done = playout("search", "mnk", "--state", LATE, "--simulations", "500")
    assert rows(done.out, "action ")[0][-1] == "100"
    assert "x 0.00, o 100.00 (proven)" in done.out


def test_those_who_decide_at_once_have_a_table_each(playout):
    done = playout("search", "bidding_ttt", "--simulations", "2000")
    for name, bids in (("x", 8), ("o", 4)):
        heading = f"{name} to decide, at the same time"
        table = rows(done.out, heading)[1:]
        assert len(table) == bids
        assert sum(int(row[1].replace(",", "")) for row in table) == 2000
    assert "answer" not in done.out
    assert "x bid(" in done.out.split("expected")[1]


@pytest.mark.parametrize("spec", [name for name in native_games() if not mcts.load_game(name).has_hidden_information])
def test_every_game_fits_80_columns(playout, spec):
    state = mcts.load_game(spec).new_initial_state()
    if state.is_chance():
        state.apply_actions(sample_joint_action(state, 1))
    done = playout("search", spec, "--state", state.to_text(), "--simulations", "300", "--tree", "1", columns=80)
    assert done.status == 0
    assert max(map(len, done.out.splitlines())) <= 80


def test_json_has_the_result_and_the_tree(playout):
    given = ("search", "mnk", "--simulations", "400", "--seed", "5", "--json")
    plain = json.loads(playout(*given).out)
    game = mcts.load_game("mnk")
    searcher = mcts.MCTS(game, seed=5)
    wanted = searcher.run(game.new_initial_state(), simulations=400)
    assert {**plain, "seconds": 0} == {**json.loads(json.dumps(wanted.to_dict())), "seconds": 0}
    with_tree = json.loads(playout(*given, "--tree", "2").out)
    assert with_tree["tree"] == wanted.tree(2)


def test_the_tree_is_drawn(playout):
    done = playout("search", "mnk", "--searcher", PLAIN, "--simulations", "400", "--tree", "1")
    drawn = done.out[done.out.index("400 visits") :].splitlines()
    assert len(drawn) == 7
    assert all(" mark(" in line for line in drawn[1:6])
    assert "4 more" in drawn[6]


@pytest.mark.parametrize(("more", "deep"), [((), 2), (("--tree", "1"), 1)])
def test_the_tree_is_written_for_graphviz(playout, tmp_path, more, deep):
    file = tmp_path / "tree.dot"
    assert playout("search", "mnk", "--simulations", "400", "-o", str(file), *more).status == 0
    game = mcts.load_game("mnk")
    searcher = mcts.MCTS(game, seed=0)
    found = searcher.run(game.new_initial_state(), simulations=400)
    assert file.read_text() == tree_to_dot(found.tree(deep))


def test_a_state_is_read_from_stdin(playout):
    done = playout("search", "mnk", "--state", "-", "--simulations", "10", stdin=LATE)
    assert "o to decide" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nimm"], "unknown game 'nimm'"),
        (["mnk", "--state", "{"], r"--state: '{' is not a state of mnk.*not JSON.*valid: <board>_<to_move>, as in "),
        (["mnk", "--state", "[1]"], r"--state: '\[1\]' is not a state of mnk.*valid: <board>_<to_move>, as in "),
        (["mnk", "--state", '{"board": "xx"}'], "board"),
        (["mnk", "--state", '{"board": "xxxoo...."}'], "is over"),
        (
            ["mnk", "--searcher", "minimax"],
            "unknown searcher 'minimax'; valid: cfr, double_oracle, ismcts, mcts, oos",
        ),
        (["mnk", "--searcher", "mcts:depth=3"], "no parameter 'depth'; valid: "),
        (["dice_ttt"], r"chance decides in this state of dice_ttt; valid: --state .*, such as \.\.\./\.\.\./\.\.\."),
        (["bidding_3d_ttt"], "what its players do not see"),
        (["mnk", "--seconds", "-1"], "seconds=-1"),
        (["mnk", "-o", "/nowhere/tree.dot"], "cannot write '/nowhere/tree.dot'"),
    ],
)
def test_bad_input_is_one_line(playout, arguments, message):
    done = playout("search", *arguments)
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("playout: ")
    assert done.err.count("\n") == 1
    assert re.search(message, done.err)


def test_a_picture_of_the_position_has_the_visits(playout, tmp_path):
    file = tmp_path / "visits.svg"
    assert playout("search", "points_ttt", "--simulations", "300", "--seed", "3", "-o", str(file)).status == 0
    state = mcts.load_game("points_ttt").new_initial_state()
    result = mcts.MCTS(state.game, seed=3).run(state, simulations=300)
    assert file.read_text() == state.to_svg(heat=result) + "\n"
    shown = playout("search", "points_ttt", "--simulations", "300", "--seed", "3", "-o", "-")
    assert shown.out == file.read_text()
    assert "simulations" in shown.err
