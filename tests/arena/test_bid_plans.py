"""Bots that bid by a plan in bidding_3d_ttt: legal in every variant, and true to their plans."""

import random

import pytest
from game_cases import position

import bots
import mcts
from bots.players.common.bid_plans import LINES, Table, has_line

NAMES = ["focus", "miser", "proportional", "spread", "web"]
VARIANTS = [
    f"bidding_3d_ttt(chips={chips},recapture={recapture})"
    for chips in (0, 1, 2, 3, 5, 12, 80, 255)
    for recapture in ("false", "true")
]


def bid_of(name, state, player=0, seed=1):
    bot = bots.load_bot(name)
    bot.new_game(state.game, player, seed)
    return bot.choose(state.view(player))


def tiles_of(bid, board):
    return {cell for cell in range(9) if bid[9 * board + cell]}


@pytest.mark.sample(3)
@pytest.mark.parametrize("spec", VARIANTS)
def test_bids_are_legal_in_every_variant(spec):
    """Opponents that bid at random lead to positions without plans, such as boards that nobody can control."""
    game = mcts.load_game(spec)
    for name in NAMES:
        for seed in range(20):
            draw = random.Random(seed)
            state, seat = game.new_initial_state(), seed % 2
            bot = bots.load_bot(name)
            bot.new_game(game, seat, seed)
            while not state.is_terminal():
                actions = [state.sample_action(player, draw.getrandbits(64)) for player in range(2)]
                actions[seat] = bot.choose(state.view(seat))
                assert state.is_legal(seat, actions[seat]), name
                state.apply_actions(actions)


@pytest.mark.parametrize("name", NAMES)
def test_all_chips_are_bid_in_the_last_round(name):
    state = position("bidding_3d_ttt", None, ["bid(A1:3,B2:1) bid(B1:2)", "bid(A2:1) bid()"])
    assert state.to_dict()["round"] == 3
    assert [sum(bid_of(name, state, player)) for player in range(2)] == [75, 78]


def test_web_begins_with_one_chip_on_four_tiles_of_each_board():
    state = mcts.load_game("bidding_3d_ttt").new_initial_state()
    seen = set()
    for seed in range(20):
        bid = bid_of("web", state, seed=seed)
        seen.add(bid)
        assert set(bid) == {0, 1}
        for board in range(9):
            assert len(tiles_of(bid, board)) == (0 if board in (3, 5) else 4)
            assert not has_line(tiles_of(bid, board))
    assert len(seen) > 10


@pytest.mark.parametrize("name", ["web", "focus"])
def test_the_cheapest_plan_completes_begun_lines(name):
    """Red holds D and has two tiles of a line of A and of G."""
    state = position("bidding_3d_ttt", None, ["bid(A1:1,A2:1,G1:1,G2:1) bid(C1:1)"])
    bid = bid_of(name, state)
    assert {tile for tile in range(81) if bid[tile]} == {2, 6 * 9 + 2}  # A3 and G3
    assert sum(bid) == 38


def test_a_plan_avoids_boards_and_lines_that_are_lost():
    """Blue controls A and F, and with them both lines of boards through red's D."""
    bids = ["bid() bid()", "bid() bid(A1:1,A2:1,A3:1,E1:1,E5:1)"]
    table = Table.of(position("bidding_3d_ttt", None, bids).view(0))
    assert table.control[0] == -1
    plan = table.plan(random.Random(1))
    boards = sorted({board for board, _ in plan})
    assert tuple(boards) in {line for line in LINES if not {0, 5} & set(line)}
    assert len(plan) == 9
    assert not {(4, 0), (4, 4)} & set(plan)


def test_plans_without_a_line_of_boards_take_single_boards():
    bids = ["bid() bid()", "bid() bid(B1:1,B2:1,B3:1,G1:1,G2:1,G3:1)"]
    table = Table.of(position("bidding_3d_ttt", None, bids).view(0))
    assert table.control[1] == table.control[6] == -1
    lost = Table(3, 9, table.owner, [-1, -1, 0, 1, -1, -1, -1, 0, 0], recapture=False)
    assert {board for board, _ in lost.plan(random.Random(1))} == {2, 7, 8}


def test_miser_waits_and_spread_covers_all_boards():
    state = mcts.load_game("bidding_3d_ttt").new_initial_state()
    assert sum(bid_of("miser", state)) == 0
    bid = bid_of("spread", state)
    assert sum(bid) == 53
    assert all(len(tiles_of(bid, board)) >= 4 for board in (0, 1, 2, 4, 6, 7, 8))
    assert max(bid) <= 3


def test_proportional_prefers_tiles_of_more_lines():
    """A middle is on four lines of its board, a corner on three, an edge on two; E is on more lines than B."""
    table = Table.of(mcts.load_game("bidding_3d_ttt").new_initial_state().view(0))
    assert table.weight((4, 4)) > table.weight((4, 0)) > table.weight((4, 1))
    assert table.weight((4, 4)) > table.weight((1, 4))


@pytest.mark.parametrize("name", NAMES)
def test_games_without_these_bids_are_refused(name):
    with pytest.raises(mcts.UnsupportedGameError, match="use mcts"):
        bots.load_bot(name).check_game(mcts.load_game("mnk"))


def test_web_beats_random_bids():
    """It wins nearly all games: by chance, 15 points of 100 less happen practically never."""
    game = mcts.load_game("bidding_3d_ttt")
    earned = 0.0
    for number in range(60):
        draw = random.Random(number)
        state, seat = game.new_initial_state(), number % 2
        bot = bots.load_bot("web")
        bot.new_game(game, seat, number)
        while not state.is_terminal():
            actions = [state.sample_action(player, draw.getrandbits(64)) for player in range(2)]
            actions[seat] = bot.choose(state.view(seat))
            state.apply_actions(actions)
        earned += state.returns()[seat]
    assert earned / 60 > 85
