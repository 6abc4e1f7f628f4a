import playout
from playout import load_bot


def test_it_completes_a_line():
    game = playout.load_game("mnk")
    state = game.state_from_text("xx./oo./..._x")
    bot = load_bot("my_bots.Sampler(playouts=200)")
    bot.new_game(game, player=0, seed=1)
    assert state.action_to_string(0, bot.choose(state.view(0))) == "mark(1,3)"
