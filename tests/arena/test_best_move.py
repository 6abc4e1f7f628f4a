"""`playout.best_move`: one decision of a bot in a position that a program gives."""

import pytest
from support import ROOT

import playout
from bots.match.decision import state_after

RULES = (ROOT / "mcts/rulesheets/tic_tac_toe.kif").read_text()
THREE = ["drop(4)", "drop(1)", "drop(4)", "drop(1)", "drop(4)", "drop(2)"]  # three in a column, and two


def move(game, **given):
    return playout.best_move(game, **{"simulations": 300, "seed": 1} | given)


def test_a_win_is_found_from_plies_and_from_each_form_of_the_state():
    game = playout.load_game("connect_four")
    state = game.new_initial_state()
    joints = []
    for text in THREE:
        (seat,) = state.acting_players()
        joints.append({game.players[seat]: text})
        state.apply_action(state.string_to_action(seat, text))
    before = state.to_text()
    for given in ({"plies": THREE}, {"plies": joints}, {"state": state}, {"state": before}):
        found = move(game, **given)
        assert (found.player, found.action, found.value) == (game.players[0], "drop(4)", 100.0)
        assert next(iter(found.values)) == "drop(4)"
        assert set(found.values) == {f"drop({column})" for column in range(1, 8)}
    assert state.to_text() == before


def test_the_text_of_a_rulesheet_is_a_game():
    found = move(RULES, plies=["mark(1,1)", "mark(2,2)", "mark(1,2)"])
    assert (found.player, found.action) == ("o", "mark(1,3)")


def test_every_bot_answers_and_the_seed_decides():
    assert len({move("mnk", bot="random", seed=seed).action for seed in range(30)}) > 5
    assert move("mnk", bot="random", seed=4) == move("mnk", bot="random", seed=4)
    assert move("mnk", bot="random").values == {}
    assert move("mnk", bot="random").value is None
    bot = playout.load_bot("mcts(simulations=50)")
    assert sum(playout.best_move("mnk", bot=bot, simulations=50).value > 0 for _ in range(3)) == 3
    assert playout.best_move("mnk", seconds=0.01).action.startswith("mark(")


def test_hidden_information_is_read_from_the_view_of_the_mover():
    game = playout.load_game("kuhn_poker")
    state = game.new_initial_state()
    while state.is_chance():
        state.apply_action(state.chance_outcomes()[0][0])
    (seat,) = state.acting_players()
    found = move(game, state=state.view(seat).to_text())
    assert found.player == game.players[seat]
    assert found.action in {state.action_to_string(seat, action) for action in state.legal_actions(seat)}
    assert move(game, state=state.view(seat).to_text(), player=game.players[seat]) == found
    with pytest.raises(playout.errors.StateError, match="cannot be read"):
        move(game, state=state.view(seat).to_text(), player=game.players[1 - seat])
    with pytest.raises(playout.errors.StateError, match="cannot be read"):
        move(game, state=state.view(seat).to_text(), plies=["pass"])


def test_decisions_at_once_need_a_player():
    with pytest.raises(playout.errors.StateError, match=r"several players decide .* valid for player: "):
        move("rock_paper_scissors")
    game = playout.load_game("rock_paper_scissors")
    assert move(game, player=game.players[1]).player == game.players[1]
    with pytest.raises(playout.errors.IllegalActionError, match=r"ply 1: .* does not say whose action"):
        move(game, plies=["rock"], player=game.players[1])


class Cheat(playout.Bot):
    """Chooses an action that is not legal."""

    def choose(self, view, limit=None):
        return 10_000


class Broken(playout.Bot):
    """Raises an error with a line break."""

    def choose(self, view, limit=None):
        raise ZeroDivisionError("one\ntwo")


@pytest.mark.parametrize(
    ("game", "plies", "written"),
    [
        ("connect_four", ["drop(4)", "drop(3)"], ["d", "c"]),
        ("chess", ["e2e4", "e7e5", "g1f3"], ["e2-e4", "e7-e5", "g1-f3"]),
        ("hex", ["place(1,3)", {"blue": "place(2,3)"}], ["c1", {"blue": "c2"}]),
    ],
)
def test_plies_may_be_in_the_notation_of_the_board(game, plies, written):
    state = playout.load_game(game).new_initial_state()
    by_text, by_notation = (state_after(state.game, plies=steps).to_text() for steps in (plies, written))
    assert by_notation == by_text != state.to_text()
    match = playout.Match(game)
    for step in written:
        match.play(*([step] if isinstance(step, str) else step.values()))
    assert match.state.to_text() == by_text


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"plies": ["drop(8)"]}, playout.errors.IllegalActionError, "ply 1: .*drop"),
        ({"plies": ["drop(1)"] * 7}, playout.errors.IllegalActionError, "ply 7: "),
        ({"plies": [{"nobody": "drop(1)"}]}, playout.errors.IllegalActionError, "ply 1: expected one action"),
        ({"state": "x"}, playout.errors.StateError, "the state cannot be read"),
        ({"state": playout.load_game("mnk").new_initial_state()}, playout.errors.StateError, "valid: connect_four"),
        ({"player": "nobody"}, playout.errors.StateError, "'nobody' does not decide.*valid for player: "),
        ({"plies": [*THREE, "drop(4)"]}, playout.errors.StateError, "the game is over"),
        ({"bot": "nobody"}, playout.errors.UnknownBotError, "nobody"),
        ({"bot": "double_oracle"}, playout.errors.UnsupportedGameError, "cannot play"),
        ({"bot": Cheat()}, playout.errors.BotFailureError, "illegal action: 10000"),
        ({"bot": Broken()}, playout.errors.BotFailureError, "ZeroDivisionError: one.*two"),
        ({"simulations": 0}, playout.errors.LimitError, "simulations"),
    ],
)
def test_bad_requests_are_named(given, error, message):
    with pytest.raises(error, match=message):
        move("connect_four", **given)
