"""The bot `mcts` keeps its tree between decisions, and ponders."""

import threading

import pytest
from rulesheets import path_of
from support import noted_searches
from waiting import wait_until

import mcts
from bots import arena, load_bot

GAME = mcts.load_game("mnk(m=4,n=4,k=4)")


def started(spec, game=GAME, seed=3):
    bot = load_bot(spec)
    bot.new_game(game, 0, seed)
    return bot


def visits_of(bot):
    """Visits of all actions in the last search."""
    return sum(bot.search_info.visits.values())


def decide_twice(bot, game=GAME):
    """Two decisions of the first player with a legal answer between them; the state of the second."""
    state = game.new_initial_state()
    state.apply_action(bot.choose(state.view(0)))
    state.apply_action(state.view(1).legal_actions()[-1])
    bot.choose(state.view(0))
    return state


@pytest.mark.parametrize("more", ["", ",transpositions=true", ",solver=false", ",threads=2"])
def test_a_search_continues_with_the_tree_of_the_last_one(more):
    specs = (f"mcts(simulations=3000,keep_tree=true{more})", f"mcts(simulations=3000{more})")
    kept, new = (started(spec, seed=6) for spec in specs)  # by this seed, the trees of both threads have the answer
    for bot in (kept, new):
        decide_twice(bot)
        assert bot.search_info.simulations == 3000
    assert visits_of(kept) > visits_of(new) + 5


def test_a_new_game_forgets_the_tree():
    bot = started("mcts(simulations=300,keep_tree=true)")
    first = decide_twice(bot), bot.search_info.visits
    bot.new_game(GAME, 0, 3)
    assert (decide_twice(bot), bot.search_info.visits) == first


def test_positions_that_do_not_follow_each_other_have_new_trees():
    bot = started("mcts(simulations=300,keep_tree=true)")
    decide_twice(bot)
    for text in ("..../..../.x../..o._x", "x.../...o/..../...._x", "..../..../.x../..o._x"):
        state = GAME.state_from_text(text)
        bot.choose(state.view(0))
        assert visits_of(bot) <= 301
        state.apply_action(state.view(0).legal_actions()[0])


def test_a_strategy_is_that_of_a_new_search():
    bot, other = started("mcts(simulations=300,keep_tree=true)"), started("mcts(simulations=300)")
    states = [decide_twice(player) for player in (bot, other)]
    state = states[0]
    state.apply_action(state.view(0).legal_actions()[0])
    for player in (bot, other):
        player.random.seed(1)
    assert bot.strategy(state.view(1)) == other.strategy(state.view(1))
    state.apply_action(state.view(1).legal_actions()[0])
    bot.choose(state.view(0))
    assert visits_of(bot) <= 301


def test_several_deciders_keep_their_tree():
    game = mcts.load_game("bidding_ttt(coins=3)")
    played = []
    for _ in range(2):
        bot, state, steps = started("mcts(simulations=200,keep_tree=true)", game), game.new_initial_state(), []
        while acting := state.acting_players():
            actions = {player: state.view(player).legal_actions()[0] for player in acting}
            if 0 in acting:
                actions[0] = bot.choose(state.view(0))
            steps.append(actions)
            state.apply_actions(state.joint_action(actions))
        played.append(steps)
    assert played[0] == played[1]


def pondering_threads():
    return [thread for thread in threading.enumerate() if thread.name == "pondering"]


def test_another_memory_limit_begins_a_new_tree():
    """Each limit makes a new search. Its tree does not have the state of a decision without a choice."""
    game = mcts.load_game("points_ttt")
    bot, state, limits, searched = started("mcts(simulations=50,keep_tree=true)", game), game.new_initial_state(), 0, []
    while not state.is_terminal():
        player = state.current_player()
        action = state.legal_actions()[0]
        if player == 0:
            limits += 1
            action = bot.choose(state.view(0), mcts.Limit(memory_mb=32 if limits % 2 else 64))
            searched.append(bot.search_info is not None)
        state.apply_action(action)
    assert [True, False, True] in [searched[at : at + 3] for at in range(len(searched))]


@pytest.mark.parametrize("kept", ["", "keep_tree=true,"])
def test_pondering_adds_simulations_and_ends(monkeypatch, kept):
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    bot = started(f"mcts(simulations=100,selection=ucb1,{kept}ponder=true,memory_mb=16)", game)
    state, counts, search = game.new_initial_state(), [], mcts.MCTS.run

    def run(*given, **limit):
        limit.setdefault("on_progress", lambda result: counts.append(result.simulations))
        return search(*given, **limit)

    monkeypatch.setattr(mcts.MCTS, "run", run)
    state.apply_action(bot.choose(state.view(0)))
    assert len(pondering_threads()) == 1
    wait_until(lambda: counts[-1:] > [5000])
    monkeypatch.undo()
    state.apply_action(mcts.MCTS.plain(game).run(state, 20_000).action)  # a reply that was searched
    bot.choose(state.view(0))
    assert bot.search_info.simulations <= 100
    assert visits_of(bot) > 1000  # with what was pondered
    assert len(pondering_threads()) == 1
    bot.close()
    bot.close()
    assert pondering_threads() == []
    bot.choose(state.view(0))  # a closed bot works, as others do
    bot.new_game(game, 0, 1)
    assert pondering_threads() == []


def test_an_error_while_pondering_is_raised_by_the_next_decision(monkeypatch):
    search = mcts.MCTS.run

    def run(*given, **limit):
        if pondering_threads() == [threading.current_thread()]:
            raise MemoryError("no memory")
        return search(*given, **limit)

    monkeypatch.setattr(mcts.MCTS, "run", run)
    bot, state = started("mcts(simulations=100,ponder=true)"), GAME.new_initial_state()
    state.apply_action(bot.choose(state.view(0)))
    state.apply_action(state.view(1).legal_actions()[0])
    with pytest.raises(MemoryError, match="no memory"):
        bot.choose(state.view(0))
    monkeypatch.undo()
    bot.choose(state.view(0))
    bot.close()


@pytest.mark.parametrize("game", ["mnk", "tic_block", "three_player_ttt"])
def test_pondering_bots_play_whole_games(game):
    tournament = arena.describe(
        game, ["mcts(simulations=20,keep_tree=true,ponder=true,memory_mb=8)", "random"], games=4
    )
    with arena.run(tournament, workers=1, executor="threads") as result:
        assert result.failures == ()
    assert pondering_threads() == []


@pytest.mark.parametrize(
    ("spec", "game", "selection"),
    [
        ("mcts", "mnk(m=5,n=5,k=4)", "grave"),
        ("mcts", "three_player_ttt(torus=true)", "grave"),
        ("mcts", "three_player_ttt", "puct"),
        ("mcts", "mnk", "ucb1"),
        ("mcts", "points_ttt", "ucb1"),
        ("mcts", "tic_block", "ucb1"),
        ("mcts", "bidding_ttt", "ucb1"),
        ("mcts(exploration=0.3)", "tic_block", "ucb1"),
        ("mcts(grave_exploration=0.1)", "three_player_ttt", "grave"),
        ("mcts(transpositions=true)", "mnk(m=5,n=5,k=4)", "grave"),
        ("mcts(threads=2)", "three_player_ttt(torus=true)", "grave"),
        ("mcts(selection=puct)", "three_player_ttt", "puct"),
    ],
)
def test_the_selection_depends_on_the_game(monkeypatch, spec, game, selection):
    made = noted_searches(monkeypatch)
    started(spec, mcts.load_game(game))
    assert {options["selection"] for options in made} == {selection}


@pytest.mark.parametrize(
    ("spec", "game", "selection", "leaves"),
    [
        ("mcts", "connect_four", "ucb1", 64),
        ("mcts(exploration=0.3)", "connect_four", "ucb1", 64),
        ("mcts(selection=grave)", "connect_four", "grave", 0),
        ("mcts(leaves=0)", "connect_four", "grave", 0),
        ("mcts(transpositions=true)", "connect_four", "ucb1", 64),
        ("mcts", "tic_tac_toe", "ucb1", 64),
        ("mcts(leaves=8)", "tic_tac_toe", "ucb1", 8),
    ],
)
def test_rulesheets_are_searched_in_batches(monkeypatch, spec, game, selection, leaves):
    made = noted_searches(monkeypatch)
    started(spec, mcts.load_game(str(path_of(game))))
    assert [(options["selection"], options["leaves"]) for options in made] == [(selection, leaves)]


@pytest.mark.parametrize(
    ("spec", "game", "unread", "way"),
    [
        (
            "mcts(exploration=0.4)",
            "mnk(m=5,n=5,k=4)",
            "exploration=0.4 does not go with selection=grave",
            "selection=puct or ucb1, or no exploration",
        ),
        (
            "mcts(exploration=0.4)",
            "three_player_ttt(torus=true)",
            "exploration=0.4 does not go with selection=grave",
            "or ucb1",
        ),
        (
            "mcts(first_play_urgency=1)",
            "mnk(m=5,n=5,k=4)",
            "first_play_urgency=1 does not go with selection=grave",
            "ucb1",
        ),
        ("mcts(grave_exploration=0.1)", "points_ttt", "does not go with selection=ucb1", "valid: selection=grave"),
        ("mcts(root_exploration=0.1)", "bidding_ttt", "does not go with selection=ucb1", "valid: selection=grave"),
        (
            "mcts(leaves=8)",
            "mnk(m=5,n=5,k=4)",
            "leaves=8 does not go with selection=grave",
            "selection=ucb1, or leaves=0",
        ),
        (
            "mcts(temperature_plies=3)",
            "mnk",
            "temperature_plies=3 is not read without temperature",
            "no temperature_plies",
        ),
        ("mcts(noise_alpha=3)", "mnk", "noise_alpha=3 is not read without root_noise", "no noise_alpha"),
        ("mcts(batch_size=8)", "mnk", "batch_size=8 is not read without an evaluator", "or batch_size=16"),
    ],
)
def test_an_option_that_the_search_of_the_game_does_not_read_is_refused_before_a_game(spec, game, unread, way):
    with pytest.raises(mcts.ParameterError) as refusal:
        load_bot(spec).check_game(mcts.load_game(game))
    assert unread in str(refusal.value)
    assert way in str(refusal.value)
    with pytest.raises(mcts.ParameterError, match=unread):
        arena.describe(game, [spec, *["random"] * (mcts.load_game(game).num_players - 1)], games=2)


def test_the_refusal_tells_what_the_game_has_chosen():
    defaults = r"defaults in mnk\(m=5,n=5,k=4\): leaf=playout, playout=uniform, selection=grave, solver=true"
    with pytest.raises(mcts.ParameterError, match=defaults):
        load_bot("mcts(exploration=0.4)").check_game(mcts.load_game("mnk(m=5,n=5,k=4)"))


@pytest.mark.parametrize(
    ("spec", "unread"),
    [
        ("mcts(grave_exploration=0.1)", "does not go with selection=ucb1; valid: selection=grave"),
        ("mcts(leaves=0,exploration=0.4)", "exploration=0.4 does not go with selection=grave"),
    ],
)
def test_an_option_that_batches_do_not_read_is_refused(spec, unread):
    game = mcts.load_game(str(path_of("connect_four")))
    with pytest.raises(mcts.ParameterError, match=unread):
        load_bot(spec).check_game(game)


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("mcts(net=no/such.npz)", "mnk"),
        ("mcts(selection=puct,net=no/such.npz)", "mnk(m=5,n=5,k=4)"),
    ],
)
def test_a_net_without_a_file_is_refused_before_a_game(spec, game):
    with pytest.raises(mcts.errors.NetFileError, match=r"no/such\.npz"):
        arena.describe(game, [spec, "random"], games=2)
