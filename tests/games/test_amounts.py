"""Amounts on places: the descriptions of games allow the legal actions, and no others."""

import random
from itertools import islice

import pytest

import mcts
from mcts.pictures import amounts_of
from mcts.random_steps import random_game


def allows(amounts, bid):
    """True if a description allows a bid with names of places."""
    least, most = amounts.total
    return (
        set(bid) <= set(amounts.places)
        and least <= sum(bid.values()) <= most
        and all(
            sum(not bid.keys().isdisjoint(group) for group in groups.values()) <= most
            for most, groups in amounts.limits
        )
    )


@pytest.mark.parametrize("spec", ["bidding_3d_ttt(chips=20)", "bidding_3d_ttt(chips=20,recapture=true)"])
def test_the_limits_of_bids_on_tiles_are_the_rules(spec):
    game = mcts.load_game(spec)
    rng = random.Random(5)
    tiles = [f"{board}{tile}" for board in "ABCDEFGHI" for tile in range(1, 10)]
    seen = set()
    for number in range(60):
        for state in islice(random_game(game.new_initial_state(), number), number % 3, number % 3 + 1):
            view = state.view(0)
            amounts = amounts_of(view)
            some = rng.sample(tiles[: rng.choice((9, 27, 81))], rng.randrange(1, 6))
            bid = {tile: rng.randrange(1, 6) for tile in some}
            text = f"{amounts.action}({','.join(f'{tile}:{bid[tile]}' for tile in sorted(bid))})"
            is_legal = view.is_legal(view.string_to_action(text))
            assert allows(amounts, bid) == is_legal, (state.to_text(), text)
            seen.add((amounts.rule[:7], is_legal))
    assert seen == {(f"Round {number}", legal) for number in (1, 2, 3) for legal in (True, False)}


@pytest.mark.parametrize(
    ("spec", "steps", "places", "total", "words"),
    [
        ("bidding_ttt(coins=8)", 0, {"coins": (0, 8)}, (0, 8), ("tiebreaker",)),
        ("goofspiel", 0, {"card": (1, 5)}, (1, 5), ()),
        ("secret_goofspiel", 0, {"card": (1, 5)}, (1, 5), ()),
        ("oshi_zumo", 0, {"coins": (1, 15)}, (1, 15), ()),
        ("colonel_blotto", 0, dict.fromkeys(("left", "middle", "right"), (0, 10)), (10, 10), ()),
        ("oh_hell", 13, {"tricks": (0, 4)}, (0, 4), ()),
    ],
)
def test_amounts_are_read_from_legal_actions(spec, steps, places, total, words):
    state = next(islice(random_game(mcts.load_game(spec).new_initial_state(), 1), steps, None))
    amounts = amounts_of(state.view(state.acting_players()[0]))
    assert (dict(amounts.places), amounts.total, amounts.words) == (places, total, words)


def test_other_actions_have_no_amounts():
    for spec in ("mnk", "bidding_ttt"):
        state = mcts.load_game(spec).new_initial_state()
        if spec == "bidding_ttt":
            state.apply_actions(state.joint_action({0: "bid(2)", 1: "bid(1)"}))
        assert amounts_of(state.view(0)) is None
