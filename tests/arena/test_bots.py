"""Bots: names, loading, parameters, seeds, and the moves that each of them must find in small positions."""

import copy
import pickle
import random

import pytest
from registries import forget_registered
from sampling import sweep
from support import noted_searches

import bots
import mcts
from bots.base import Bot
from bots.clocks import decision_limit
from bots.players.greedy import GreedyBot
from bots.registry import EXTERNAL_BOTS, find_bot
from bots.steps import sample_joint_action
from mcts.registry import native_games
from mcts.seeds import seed_for

GAMES = native_games()
ALONE = [name for name in bots.registered_bots() if name not in EXTERNAL_BOTS]  # those that need no other program
TOO_LARGE = (("tic_block", "exact"), ("dark_mnk", "cfr"))
PAIRS = [(game, name) for game in GAMES for name in ALONE if (game, name) not in TOO_LARGE]


def play_alone(spec, game_name, seed, limit=None):
    """The moves of a game in which one kind of bot has every seat."""
    limit = limit or mcts.Limit(simulations=20)
    game = mcts.load_game(game_name)
    players = [bots.load_bot(spec) for _ in game.players]
    for player, bot in enumerate(players):
        bot.new_game(game, player, seed_for(seed, player))
    state = game.new_initial_state()
    moves = []
    while not state.is_terminal():
        joint = sample_joint_action(state, len(moves))  # the outcomes of chance do not depend on the seed
        for player in state.acting_players():
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


def test_registered_bots_are_listed_and_have_classes():
    names = bots.registered_bots()
    assert names == sorted(names)
    assert {"random", "greedy", "mcts"} <= set(names)
    found = [find_bot(name) for name in names]
    assert names == [kind.NAME for kind in found]
    assert all(kind.SUMMARY for kind in found)


def test_parameters_may_be_arguments():
    bot = bots.load_bot("mcts(simulations=50)", exploration=2.0)
    assert bot.spec == bots.load_bot("mcts(simulations=50,exploration=2)").spec
    for given in ({"simulations": 60}, {"simulations": 50}):
        with pytest.raises(
            mcts.errors.SpecError, match=r"'simulations' is given both in 'mcts\(sim.*' and as an argument"
        ):
            bots.load_bot("mcts(simulations=50)", **given)
    with pytest.raises(mcts.ParameterError, match="nosuch"):
        bots.load_bot("mcts", nosuch=1)
    with pytest.raises(mcts.errors.SpecError, match="'level' is given both"):
        bots.load_bot("level(4)", level=5)


@pytest.mark.parametrize(
    "text",
    [
        "mcts(simulations=50,exploration=2)",
        "mcts:simulations=50,exploration=2",
        " mcts( exploration=2, simulations=50 ) ",
    ],
)
def test_one_bot_has_one_canonical_spec(text):
    bot = bots.load_bot(text)
    assert bot.spec == "mcts(simulations=50,exploration=2)"
    assert bots.load_bot(bot.spec).parameters == bot.parameters
    assert bots.load_bot("mcts(final=visits)").spec == "mcts"


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("alphazero", bots.UnknownBotError, ["alphazero", "greedy", "random", "package.module.Class"]),
        ("cli", bots.UnknownBotError, ["'cli'"]),
        ("arena", bots.UnknownBotError, ["'arena'"]),
        ("mcts(simulations=0)", mcts.ParameterError, ["simulations=0", "1 to"]),
        ("mcts(simulation=5)", mcts.ParameterError, ["simulation", "simulations", "exploration"]),
        ("mcts(selection=best)", mcts.ParameterError, ["best", "ucb1"]),
        ("random(x=1)", mcts.ParameterError, ["random", "x", "no parameters"]),
        ("mcts(", mcts.errors.SpecError, ["mcts("]),
        ("", mcts.errors.SpecError, ["name"]),
        (7, mcts.errors.SpecError, ["7"]),
        (".x", mcts.errors.SpecError, [".x", "name(key=value,...)"]),
        ("no_such_package.Bot", bots.UnknownBotError, ["no_such_package"]),
        ("troublesome_bots.Nobody", bots.UnknownBotError, ["Nobody"]),
        ("troublesome_bots.NotABot", bots.UnknownBotError, ["NotABot", "bots.Bot"]),
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


def test_bots_are_registered_once_and_by_name(monkeypatch):
    forget_registered(monkeypatch, "bots")

    class First(Bot):
        NAME = "first_legal"

        def choose(self, view, limit=None):
            return view.legal_actions()[0]

    bots.register_bot(First)
    assert isinstance(bots.load_bot("first_legal"), First)
    assert "first_legal" in bots.registered_bots()
    assert find_bot("first_legal") is First
    with pytest.raises(mcts.errors.SpecError, match="already"):
        bots.register_bot(First)
    with pytest.raises(mcts.errors.SpecError, match="cannot be registered as ''; valid: letters"):
        bots.register_bot(Bot)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda bot: pickle.loads(pickle.dumps(bot))], ids=["copy", "pickle"])
@pytest.mark.parametrize(
    ("spec", "game"),
    [("mcts", "mnk"), ("mcts", "three_player_ttt(torus=false)"), ("level(3)", "mnk"), ("fallible", "mnk"),
     ("oos", "mnk"), ("cfr", "kuhn_poker"), ("ismcts", "kuhn_poker"), ("greedy", "mnk")],
)  # fmt: skip
def test_a_copied_bot_goes_on_as_the_bot_does(spec, game, copied):
    loaded = mcts.load_game(game)
    state = loaded.new_initial_state()
    while state.is_chance():
        state.apply_action(state.sample_outcome(3))
    bot = bots.load_bot(spec)
    bot.new_game(loaded, 0, 5)
    bot.choose(state.view(0), mcts.Limit(simulations=50))
    twin = copied(bot)
    assert (twin.spec, twin.random.getstate()) == (bot.spec, bot.random.getstate())
    chosen = [one.choose(state.view(0), mcts.Limit(simulations=50)) for one in (bot, twin)]
    assert chosen[0] == chosen[1] or spec in ("oos", "cfr")  # which go on with what they have learned


def test_searchers_and_matches_say_that_they_cannot_be_copied():
    for what, name in ((mcts.MCTS(mcts.load_game("mnk")), "MCTS"), (bots.Match("mnk"), "Match")):
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match=f"{name} can be neither copied nor pickled.*; valid: another one"):
                copied(what)


def test_seeds_depend_on_their_arguments_alone_and_differ():
    assert seed_for(1, 2, 3) == seed_for(1, 2, 3) == seed_for(seed_for(1, 2), 3)
    found = {seed_for(root, number, seat) for root in (-1, 0, 1, 2**63) for number in range(100) for seat in range(3)}
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


@pytest.mark.parametrize("name", bots.registered_bots())
def test_bots_refuse_bad_parameters(name):
    kind = find_bot(name)
    for parameter, values in kind.PARAMETERS.items():
        for value in values.invalid():
            with pytest.raises(mcts.ParameterError, match=rf"{parameter}=.*valid: "):
                kind(**{parameter: value})


def test_the_tighter_limit_wins():
    mine = {"simulations": 10, "seconds": None}
    assert decision_limit(None, mcts.Limit(), mine) == mcts.Limit(simulations=10)
    assert decision_limit(None, mcts.Limit(simulations=5, seconds=2.0), mine) == mcts.Limit(simulations=5, seconds=2.0)


@sweep(("game", "name"), PAIRS, 30)
def test_every_bot_plays_legally_and_repeats_itself_by_its_seed(game, name):
    if not bots.load_bot(name).supports(mcts.load_game(game)):
        with pytest.raises(mcts.UnsupportedGameError) as caught:
            bots.load_bot(name).check_game(mcts.load_game(game))
        assert game in str(caught.value)
        assert "use" in str(caught.value)
        return
    first = play_alone(name, game, 1)
    assert first == play_alone(name, game, 1)
    draws = (game, name) != ("three_player_ttt", "mcts")  # its net leaves nothing to chance
    assert any(first != play_alone(name, game, seed) for seed in range(2, 6)) == draws


@pytest.mark.parametrize("name", [name for name in ALONE if bots.load_bot(name).supports(mcts.load_game("mnk"))])
def test_earlier_games_change_no_decision(name):
    game = mcts.load_game("mnk")
    bot = bots.load_bot(name)
    state = game.new_initial_state()

    def opening():
        bot.new_game(game, 0, 5)
        return bot.choose(state.view(0), mcts.Limit(simulations=30)), bot.random.getrandbits(64)

    first = opening()
    bot.choose(state.view(0), mcts.Limit(simulations=40))
    assert opening() == first


def reach(game, *texts):
    """The state after actions of whoever decides, or joint actions joined by | in player order."""
    state = mcts.load_game(game).new_initial_state()
    for text in texts:
        words = text.split("|")
        if len(words) == 1:
            state.apply_action(state.string_to_action(state.current_player(), text))
        else:
            state.apply_actions([state.string_to_action(player, word) for player, word in enumerate(words)])
    return state


def marks(*cells):
    return [f"mark({cell[0]},{cell[1]})" for cell in cells]


@pytest.mark.parametrize(
    ("game", "moves", "best"),
    [
        # wins, rather than stop a win
        ("mnk", marks("11", "21", "12", "22"), {"mark(1,3)"}),
        ("mnk", marks("11", "21", "12", "22", "33"), {"mark(2,3)"}),
        # stops the only win
        ("mnk", marks("11", "32", "12"), {"mark(1,3)"}),
        ("mnk(m=5,n=5,k=4)", marks("12", "11", "13", "55", "14"), {"mark(1,5)"}),
        ("three_player_ttt", marks("11", "51", "35", "12", "52", "31", "13", "55"), {"mark(1,4)"}),
    ],
)
def test_greedy_wins_and_stops_wins(game, moves, best):
    state = reach(game, *moves)
    assert chosen("greedy", state, state.current_player()) == best


def wins_at_once(state, player):
    """Actions of the one player who decides that end the game with the most it could bring."""
    found = []
    for action in state.legal_actions(player):
        after = state.clone()
        after.apply_action(action)
        if after.is_terminal() and after.returns()[player] == state.game.max_utility:
            found.append(action)
    return found


@pytest.mark.parametrize("game", ["bidding_ttt", "mnk", "mnk(m=5,n=5,k=4)", "points_ttt", "three_player_ttt"])
def test_greedy_never_misses_a_win_at_hand(game):
    loaded = mcts.load_game(game)
    bot = GreedyBot()
    checked = 0
    for seed in range(200):
        rng = random.Random(seed)
        state = loaded.new_initial_state()
        while acting := state.acting_players():
            if len(acting) == 1 and (wins := wins_at_once(state, acting[0])):
                assert bot.choose(state.view(acting[0])) in wins
                checked += 1
            state.apply_actions([state.sample_action(p, rng.getrandbits(64)) for p in range(loaded.num_players)])
        if checked >= 50:
            break
    assert checked >= 50


def test_greedy_bids_what_wins_and_what_stops_a_win():
    game = mcts.load_game("bidding_ttt(coins=1)")
    given = {"board": "xx.oo....", "coins": [2, 0], "tiebreaker": "x", "stage": "bidding", "control": None}
    state = game.state_from_dict(given)
    # o can only bid 0: x must not let the equal bids give o the mark
    assert chosen("greedy", state, 0, 30) == {
        "bid(0,tiebreaker)",
        "bid(1)",
        "bid(1,tiebreaker)",
        "bid(2)",
        "bid(2,tiebreaker)",
    }
    state = game.state_from_dict({**given, "coins": [0, 2]})
    # x can only bid 0 and the tiebreaker, which beats 0
    assert chosen("greedy", state, 1, 30) == {"bid(1)", "bid(2)"}


def test_greedy_finishes_a_bridge_and_stops_one():
    tic = [*marks("11", "21", "12", "22", "13"), "reset|reset"]
    block = ["mark(1,1)|mark(1,4)", "mark(2,1)|mark(2,4)", "mark(3,1)|mark(3,4)"]
    state = reach("tic_block", *tic, *block)
    ends = {"mark(4,1)", "mark(4,2)"}
    assert chosen("greedy", state, 0, 20) <= ends
    assert chosen("greedy", state, 1, 20) <= ends


def test_bots_decide_by_their_view_alone():
    """With the same view and seed a bot chooses the same, whatever the hidden part of the state is."""
    game = mcts.load_game("bidding_3d_ttt")
    states = []
    for spent in (0, 30):
        state = game.new_initial_state()
        # A5 is won against nothing; on E5 one state has a losing bid of blue, the other none
        blue = state.string_to_action(1, f"bid(E5:{spent})" if spent else "bid()")
        state.apply_actions([state.string_to_action(0, "bid(A5:1,E5:40)"), blue])
        states.append(state)
    assert states[0] != states[1]
    assert states[0].view(0) == states[1].view(0)
    for name in ALONE:
        if bots.load_bot(name).supports(game):
            answers = []
            for state in states:
                bot = bots.load_bot(name)
                bot.new_game(game, 0, 3)
                answers.append(bot.choose(state.view(0), mcts.Limit(simulations=500)))
            assert answers[0] == answers[1], name


def test_mcts_bot_mixes_where_players_decide_at_once():
    state = mcts.load_game("bidding_ttt").new_initial_state()
    assert len(chosen("mcts(simulations=300)", state, 0, 30)) > 1


def test_mcts_bot_finds_a_win_two_moves_away():
    state = reach("mnk", *marks("11", "12", "31", "21"))
    assert chosen("mcts(simulations=3000)", state, 0, 3) <= {"mark(2,2)", "mark(3,3)"}  # each makes two threats


def test_mcts_bot_keeps_to_the_tighter_limit():
    state = mcts.load_game("mnk(m=5,n=5,k=4)").new_initial_state()
    one = mcts.Limit(simulations=1)
    answers = []
    for spec in ("mcts(simulations=1)", "mcts"):
        bot = bots.load_bot(spec)
        bot.new_game(state.game, 0, 9)
        answers.append(bot.choose(state.view(0), one if spec == "mcts" else mcts.Limit()))
    assert answers[0] == answers[1]


def test_bots_choose_without_new_game():
    for name in ("random", "greedy", "mcts"):
        state = mcts.load_game("mnk").new_initial_state()
        assert state.is_legal(0, bots.load_bot(name).choose(state.view(0)))


@pytest.mark.parametrize(
    ("game", "spec"),
    [(g, b) for g in ("bidding_ttt", "mnk", "three_player_ttt") for b in ("random", "greedy", "mcts:simulations=30")]
    + [("bidding_3d_ttt", "random"), ("mnk", "mcts(simulations=30,final=mixed)")],
)
def test_a_strategy_is_what_is_chosen_from(game, spec):
    view = mcts.load_game(game).new_initial_state().view(0)
    bot = bots.load_bot(spec)
    bot.new_game(view.game, 0, 5)
    strategy = bot.strategy(view, samples=50)
    assert sum(strategy.values()) == pytest.approx(1)
    assert all(view.is_legal(action) and chance > 0 for action, chance in strategy.items())
    if spec != "greedy" and view.game.is_enumerable:  # neither of these is a sample
        bot.new_game(view.game, 0, 5)
        assert bot.choose(view) in strategy


def test_a_strategy_mixes_where_a_choice_does():
    view = mcts.load_game("bidding_ttt").new_initial_state().view(1)
    assert bots.load_bot("random").strategy(view) == dict.fromkeys(view.legal_actions(), 1 / 4)
    assert len(bots.load_bot("mcts:simulations=2000").strategy(view)) > 1
    turn = mcts.load_game("mnk").new_initial_state().view(0)
    assert list(bots.load_bot("mcts:simulations=2000").strategy(turn).values()) == [1.0]


@pytest.mark.parametrize(
    ("spec", "game", "merges", "proves"),
    [
        ("mcts", "bidding_ttt", True, True),
        ("mcts", "points_ttt", True, True),
        ("mcts", "three_player_ttt", False, True),
        ("mcts", "tic_block", True, False),
        ("mcts", "tic_block(block_phase=alternating)", False, True),
        ("mcts(transpositions=false)", "points_ttt", False, True),
        ("mcts(transpositions=true)", "three_player_ttt", True, True),
        ("mcts(solver=true)", "tic_block", True, True),
        ("mcts(solver=false)", "points_ttt", True, False),
    ],
)
def test_transpositions_and_proofs_by_default_depend_on_the_number_of_states(monkeypatch, spec, game, merges, proves):
    made = noted_searches(monkeypatch)
    bot = bots.load_bot(spec)
    view = mcts.load_game(game).new_initial_state().view(0)
    bot.choose(view, mcts.Limit(simulations=10))
    assert [(options["transpositions"], options["solver"]) for options in made] == [(merges, proves)]


def test_a_game_in_python_can_be_played_without_being_told_how_large_it_is():
    from python_games import TicTacToe

    view = TicTacToe().new_initial_state().view(0)
    assert view.is_legal(bots.load_bot("mcts").choose(view, mcts.Limit(simulations=50)))
