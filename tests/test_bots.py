"""Bots: naming, loading, parameters, seeds, and what each of them must find in small positions."""

import random

import pytest

import bots
import mcts
from bots.base import Bot, tighter_limit
from bots.greedy import GreedyBot
from bots.seeds import seed_for

GAMES = mcts.registered_games()
PAIRS = [(game, name) for game in GAMES for name in bots.registered_bots()]


def play_alone(spec, game_name, seed, limit=None):
    """The moves of a game in which one kind of bot has every seat."""
    limit = limit or mcts.Limit(simulations=20)
    game = mcts.load_game(game_name)
    players = [bots.load_bot(spec) for _ in game.players]
    for player, bot in enumerate(players):
        bot.new_game(game, player, seed_for(seed, player))
    state = game.new_initial_state()
    moves = []
    while acting := state.acting_players():
        joint = [mcts.NOOP] * game.num_players
        for player in acting:
            joint[player] = players[player].choose(state.view(player), limit)
            assert state.is_legal(player, joint[player])
        moves.append(tuple(joint))
        state.apply_actions(joint)
    return moves


def chosen(spec, state, player, tries=10):
    """The texts of what a bot chooses with several seeds."""
    found = set()
    for seed in range(tries):
        bot = bots.load_bot(spec)
        bot.new_game(state.game, player, seed)
        found.add(state.action_to_string(player, bot.choose(state.view(player))))
    return found


def test_registered_bots_are_listed_with_their_classes():
    found = bots.registered_bots()
    assert {"random", "greedy", "mcts"} <= set(found)
    assert all(kind.NAME == name and kind.SUMMARY for name, kind in found.items())


@pytest.mark.parametrize(
    "text",
    ["mcts(simulations=50,exploration=2)", "mcts:simulations=50,exploration=2", " mcts( exploration=2, simulations=50 ) "],
)
def test_one_bot_has_one_canonical_spec(text):
    bot = bots.load_bot(text)
    assert bot.spec == "mcts(simulations=50,exploration=2)"
    assert bots.load_bot(bot.spec).parameters == bot.parameters
    assert bots.load_bot("mcts(selection=ucb1)").spec == "mcts"


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("alphazero", mcts.UnknownBotError, ["alphazero", "greedy", "random", "package.module.Class"]),
        ("cli", mcts.UnknownBotError, ["'cli'"]),
        ("arena", mcts.UnknownBotError, ["'arena'"]),
        ("mcts(simulations=0)", mcts.ParameterError, ["simulations=0", "1 to"]),
        ("mcts(simulation=5)", mcts.ParameterError, ["simulation", "simulations", "exploration"]),
        ("mcts(selection=best)", mcts.ParameterError, ["best", "ucb1"]),
        ("random(x=1)", mcts.ParameterError, ["random", "x", "no parameters"]),
        ("mcts(", mcts.SpecError, ["mcts("]),
        ("", mcts.SpecError, ["name"]),
        (7, mcts.SpecError, ["7"]),
        (".x", mcts.UnknownBotError, [".x"]),
        ("no_such_package.Bot", mcts.UnknownBotError, ["no_such_package"]),
        ("troublesome_bots.Nobody", mcts.UnknownBotError, ["Nobody"]),
        ("troublesome_bots.NotABot", mcts.UnknownBotError, ["NotABot", "bots.Bot"]),
    ],
)
def test_a_bad_name_is_refused_with_the_valid_ones(text, kind, words):
    with pytest.raises(kind) as caught:
        bots.load_bot(text)
    assert all(word in str(caught.value) for word in words)


def test_a_bot_of_another_package_is_named_by_its_class():
    bot = bots.load_bot("troublesome_bots.Crasher:after=3")
    assert bot.parameters == {"after": 3}
    assert bot.spec == "troublesome_bots.Crasher(after=3)"
    assert type(bots.load_bot(bot.spec)) is type(bot)


def test_registering_a_bot(monkeypatch):
    monkeypatch.setattr("bots.registry._registered", {})

    class First(Bot):
        NAME = "first_legal"

        def choose(self, view, limit=None):
            return view.legal_actions()[0]

    bots.register_bot(First)
    assert isinstance(bots.load_bot("first_legal"), First)
    assert bots.registered_bots()["first_legal"] is First
    with pytest.raises(mcts.SpecError, match="already"):
        bots.register_bot(First)
    with pytest.raises(mcts.SpecError, match="no NAME"):
        bots.register_bot(Bot)


def test_seeds_are_pure_and_differ():
    assert seed_for(1, 2, 3) == seed_for(1, 2, 3) == seed_for(seed_for(1, 2), 3)
    found = {seed_for(root, number, seat) for root in (-1, 0, 1, 2**70) for number in range(100) for seat in range(3)}
    assert len(found) == 4 * 100 * 3
    assert all(0 <= seed < 2**64 for seed in found)


def test_seeds_follow_splitmix64():
    """seed_for(0, n) is mix(mix(golden) + (n + 1) * golden); mix(golden) is the published first output of seed 0."""
    first = 0xE220A8397B1DCDAF
    golden, mask = 0x9E3779B97F4A7C15, 2**64 - 1
    word = first + 1 * golden & mask
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & mask
    word = (word ^ word >> 27) * 0x94D049BB133111EB & mask
    assert seed_for(0, 0) == word ^ word >> 31


def test_the_tighter_limit_wins():
    mine = {"simulations": 10, "seconds": None}
    assert tighter_limit(mcts.Limit(), mine) == mcts.Limit(simulations=10)
    assert tighter_limit(mcts.Limit(simulations=5, seconds=2.0), mine) == mcts.Limit(simulations=5, seconds=2.0)


@pytest.mark.parametrize(("game", "name"), PAIRS)
def test_every_bot_plays_legally_and_repeats_itself_by_its_seed(game, name):
    if not bots.load_bot(name).supports(mcts.load_game(game)):
        with pytest.raises(mcts.UnsupportedGameError) as caught:
            bots.load_bot(name).check_game(mcts.load_game(game))
        assert game in str(caught.value)
        assert "use" in str(caught.value)
        return
    first = play_alone(name, game, 1)
    assert first == play_alone(name, game, 1)
    assert any(first != play_alone(name, game, seed) for seed in range(2, 6))


@pytest.mark.parametrize("name", [name for name in bots.registered_bots() if name != "bids"])
def test_a_game_played_before_leaves_nothing_behind(name):
    game = mcts.load_game("mnk")
    bot = bots.load_bot(name)
    state = game.new_initial_state()

    def opening():
        bot.new_game(game, 0, 5)
        return bot.choose(state.view(0), mcts.Limit(simulations=30)), bot.random.getrandbits(64)

    first = opening()
    bot.choose(state.view(0), mcts.Limit(simulations=40))
    assert opening() == first


@pytest.mark.parametrize(
    ("game", "given", "player", "best"),
    [
        # wins rather than stopping a win
        ("mnk", {"board": "xx.oo....", "to_move": "x"}, 0, {"mark(1,3)"}),
        ("mnk", {"board": "xx.oo...x", "to_move": "o"}, 1, {"mark(2,3)"}),
        # stops the only win
        ("mnk", {"board": "xx..o....", "to_move": "o"}, 1, {"mark(1,3)"}),
        ("mnk(m=5,n=5,k=4)", {"board": ".xxx......ooo.x.o........", "to_move": "o"}, 1, {"mark(3,4)"}),
        ("points_ttt", {"board": "xx.oo....", "balances": [2, 2], "to_move": "x"}, 0, {"mark(1,3)"}),
        ("three_player_ttt", {"board": "xxx..ooo..zz............."[:25], "control": "zplayer"}, 2, None),
    ],
)
def test_greedy_wins_and_stops_wins(game, given, player, best):
    loaded = mcts.load_game(game)
    try:
        state = loaded.state_from_dict(given)
    except mcts.StateError as error:
        pytest.fail(f"the test's own state is wrong: {error}")
    found = chosen("greedy", state, player)
    if best is not None:
        assert found == best


def reach(game, texts):
    """The state after joint actions, given as texts joined by | in player order."""
    state = mcts.load_game(game).new_initial_state()
    for text in texts:
        words = text.split("|")
        if len(words) == 1:
            mover = state.current_player()
            state.apply_action(state.string_to_action(mover, text))
        else:
            state.apply_actions([state.string_to_action(p, word) for p, word in enumerate(words)])
    return state
