"""The layout of encodings, as the page on nets describes it. Nets in files depend on it."""

import pytest
from cases.oh_hell import BIDS
from game_cases import position
from support import random_path

import mcts


def cells(board, marks):
    """For each player, a number for each cell: 1 if it has the cell."""
    return [float(cell == mark) for mark in marks for cell in board]


def choice(chosen, of):
    """A number for each of several: 1 for the chosen one."""
    return [float(one == chosen) for one in of]


def of_mnk(facts):
    return cells(facts["board"], "xo") + choice(facts["to_move"], "xo")


def of_dice_ttt(facts):
    return of_mnk(facts) + choice(facts["row"], (1, 2, 3))


def of_points_ttt(facts):
    return of_mnk(facts) + [0.1 * balance for balance in facts["balances"]] + [facts["passes"]]


def of_bidding_ttt(facts):
    coins = facts["coins"]
    holders = choice(facts["control"], "xo") + choice(facts["tiebreaker"], "xo")
    return cells(facts["board"], "xo") + holders + [held / sum(coins) for held in coins]


def of_three_player_ttt(facts):
    return cells(facts["board"], "xoz") + choice(facts["control"], ("xplayer", "oplayer", "zplayer"))


LAYOUTS = {
    "mnk(m=4,n=3,k=3)": of_mnk,
    "dice_ttt": of_dice_ttt,
    "points_ttt": of_points_ttt,
    "bidding_ttt": of_bidding_ttt,
    "three_player_ttt": of_three_player_ttt,
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_native_game_has_the_layout_that_is_described(name):
    game = mcts.load_game(name)
    for seed in range(3):
        for state in random_path(game, seed)[:-1]:
            assert state.encode().tolist() == pytest.approx(LAYOUTS[name](state.to_dict())), state


def test_oh_hell_has_the_cards_and_the_bid_of_each_player_then_the_trump_and_who_leads():
    deck = [rank + suit for suit in "cdhs" for rank in "TJQKA"]
    # The last trick was third's, who leads Kh.
    state = position("oh_hell", None, [*BIDS, "play(Jd)", "play(Td)", "play(Kd)", "play(Kh)"])
    expected = []
    for hand, played, in_trick, bid, won in (
        (["Jc", "Qc", "Ad"], ["Jd"], "", 0, 0.0),
        (["Tc", "Js", "As"], ["Td"], "", 2, 0.0),
        (["Th", "Ts"], ["Kd", "Kh"], "Kh", 1, 0.25),
    ):
        expected += [float(card in hand) for card in deck] + [float(card in played) for card in deck]
        expected += choice(in_trick, deck) + choice(bid, range(5)) + [won]
    assert state.encode().tolist() == expected + choice("Ac", deck) + choice("third", state.game.players)


def test_the_boards_of_tic_block_come_before_the_stage_and_the_players_who_decide():
    game = mcts.load_game("tic_block")
    for seed in range(3):
        for state in random_path(game, seed)[:-1]:
            facts, found = state.to_dict(), state.encode().tolist()
            if facts["tic"] is not None:
                assert found[:18] == cells(facts["tic"], "xo")
            if facts["block"] is not None:
                assert found[18:50] == cells(facts["block"], "xo")
            assert sum(found[50:54]) == 1
            assert found[54:56] == [float(player in state.acting_players()) for player in (0, 1)]


@pytest.mark.parametrize("name", ["connect_four", "breakthrough", "othello"])
def test_a_rulesheet_has_a_number_for_each_fact_in_the_order_of_its_network(name):
    game = mcts.load_game(name)
    fluents = game.network.fluents
    assert game.encoding_size == len(fluents)
    for state in random_path(game, 1, 30):
        facts = set(state.to_dict()["facts"])
        assert state.encode().tolist() == [float(fact in facts) for fact in fluents]


def test_the_facts_of_a_rulesheet_are_sorted_with_numbers_by_value():
    found = mcts.load_game("connect_four").network.fluents
    contents = ("empty", "red", "yellow")
    named = [f"cell({column},{row},{content})" for column in range(1, 8) for row in range(1, 7) for content in contents]
    assert found == (*named, "control(red)", "control(yellow)")
