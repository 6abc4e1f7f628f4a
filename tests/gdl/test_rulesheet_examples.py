"""The rulesheets of the examples, beside the interpreter in plain Python and beside the native games."""

import pytest
from rulesheets import PATHS, SLOW, load, path_of, play_beside_native, play_beside_reference

import mcts
from cext.game.playouts import play_chunks
from mcts.reference.rulesheet import Rulesheet

ids = [path.stem for path in PATHS]


@pytest.mark.sample(12)
@pytest.mark.parametrize("path", PATHS, ids=ids)
def test_relations_do_not_depend_on_their_own_negation(path):
    Rulesheet(path.read_text())  # stricter than the compiler, which looks at atoms


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", PATHS, ids=ids)
def test_the_network_agrees_with_the_reference(path):
    play_beside_reference(path, seed=1, most_steps=SLOW.get(path.stem, 4))


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS, ids=ids)
def test_longer_games_agree_with_the_reference(path):
    play_beside_reference(path, seed=2, most_steps=3 if path.stem in SLOW else 10)


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", PATHS, ids=ids)
def test_the_contract_of_games_holds(path):
    assert mcts.check_game(load(path), games=SLOW.get(path.stem, 4), seed=1).problems == ()


@pytest.mark.sample(12)
@pytest.mark.parametrize("path", PATHS, ids=ids)
def test_playouts_are_the_games_of_the_table(path):
    start = load(path).new_initial_state()
    assert play_chunks(start, 5, 40, 0, 1, False, "playout") == play_chunks(start, 5, 40, 0, 1, False, "table")


def board_of(state, size, blank="blank"):
    found = ["?"] * (size * size)
    for fact in state.to_dict()["facts"]:
        if fact.startswith("cell("):
            row, column, mark = fact[5:-1].split(",")
            found[(int(row) - 1) * size + int(column) - 1] = "." if mark == blank else mark[0]
    return "".join(found)


def facts_of(state, name):
    return {fact[len(name) + 1 : -1] for fact in state.to_dict()["facts"] if fact.startswith(name + "(")}


def compare_tic_tac_toe(state, native):
    assert board_of(state, 3) == native.to_dict()["board"]


def compare_three_player_ttt(state, native):
    assert board_of(state, 5) == native.to_dict()["board"]


def compare_bidding_ttt(state, native):
    given = native.to_dict()
    assert board_of(state, 3) == given["board"]
    assert facts_of(state, "purse") == {f"x,{given['coins'][0]}", f"o,{given['coins'][1]}"}
    assert facts_of(state, "tiebreaker") == {given["tiebreaker"]}


def compare_points_ttt(state, native):
    given = native.to_dict()
    assert board_of(state, 3) == given["board"]
    purses = dict(fact.split(",") for fact in facts_of(state, "purse"))
    balances = [int(purses[player]) for player in "xo"]
    if not state.is_terminal():  # the native balance of the player to move includes its income
        balances["xo".index(given["to_move"])] += 1 if facts_of(state, "turn") == {"first"} else 2
    assert balances == given["balances"]


def compare_tic_block(state, native):
    given, facts = native.to_dict(), state.to_dict()["facts"]
    assert board_of(state, 3) == given["tic"]
    winner = {(50, 0): {"xcplayer"}, (0, 50): {"obplayer"}, (25, 25): set(), None: set()}
    assert facts_of(state, "tic-winner") == winner[given["tic_scores"] and tuple(given["tic_scores"])]
    if given["block"] is not None:
        for number, mark in enumerate(given["block"]):
            place = f"{number // 4 + 1},{number % 4 + 1}"
            assert (f"block({place},blank)" in facts) == (mark == ".")
            assert (f"block({place},xcplayer)" in facts) == (mark == "x")


NATIVE = {
    "tic_tac_toe": ("mnk", compare_tic_tac_toe),
    "three_player_ttt": ("three_player_ttt", compare_three_player_ttt),
    "points_ttt": ("points_ttt", compare_points_ttt),
    "tic_block": ("tic_block", compare_tic_block),
    "bidding_ttt": ("bidding_ttt(coins=3)", compare_bidding_ttt),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", NATIVE)
def test_a_native_game_and_its_rulesheet_are_one_game(name):
    native, compare = NATIVE[name]
    for seed in range(40):
        play_beside_native(path_of(name), native, compare, seed)


@pytest.mark.parametrize("name", ["dots_and_boxes", "king_and_rook", "othello"])
def test_goals_that_mirror_each_other_are_seen(name):
    assert load(path_of(name)).is_zero_sum


def test_pegs_of_chinese_checkers_jump_on_and_come_home():
    game = load(path_of("chinese_checkers"))
    pegs = {"red": ((7, 4), (8, 4), (9, 3)), "green": ((7, 5), (4, 4), (3, 3)), "blue": ((3, 8), (4, 8), (5, 5))}
    facts = [f"peg({player},{row},{column})" for player, cells in pegs.items() for row, column in cells]
    state = game.state_from_dict({"step": 9, "facts": [*facts, "control(red)", "step(9)"]})
    texts = {state.action_to_string(0, action) for action in state.legal_actions(0)}
    assert {"jump(7,4,7,6)", "step(7,4,8,3)", "jump(8,4,6,4)", "jump(8,4,6,6)"} <= texts
    jumped = state.child(state.string_to_action(0, "jump(8,4,6,4)"))
    assert jumped.acting_players() == (0,)
    texts = {jumped.action_to_string(0, action) for action in jumped.legal_actions(0)}
    assert texts == {"stop", "jump(6,4,8,4)", "jump(6,4,4,6)"}
    assert jumped.child(jumped.string_to_action(0, "stop")).acting_players() == (1,)
    home = state.child(state.string_to_action(0, "step(7,4,8,3)"))
    assert home.is_terminal()
    assert home.returns() == [100.0, 20.0, 40.0]
