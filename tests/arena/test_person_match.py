"""`bots.Match`: persons and bots in every kind of game, what each sees, undo, failures, and use from asyncio."""

import asyncio
import threading

import pytest
from chance_games import Dice
from waiting import HANG_SECONDS, Clock, no_hang, until, wait_until

import bots
import mcts
from bots.errors import CRASH, ILLEGAL
from bots.match.analysis import analyst_of
from mcts.registry import native_games

HIDDEN = "bidding_3d_ttt"
SLOW = mcts.Limit(seconds=10.0 * HANG_SECONDS)


class Listener(bots.Bot):
    """Plays the first legal action, and keeps what it is told."""

    def __init__(self, **given):
        super().__init__(**given)
        self.heard = []
        self.closed = 0

    def new_game(self, game, player, seed):
        super().new_game(game, player, seed)
        self.heard = []

    def choose(self, view, limit=None):
        return view.legal_actions()[0]

    def inform(self, step):
        self.heard.append(step)

    def close(self):
        self.closed += 1


class Broken(Listener):
    """Fails in `choose` while `broken` is true."""

    broken = True

    def choose(self, view, limit=None):
        if self.broken:
            raise RuntimeError("out of order")
        return super().choose(view)


def play_to_end(match):
    """Let the persons of a match play sampled actions."""
    for number in range(2000):
        if match.is_over:
            break
        for name in match.waits_for:
            match.play(match.view(name).sample_action(number), name)
    assert match.is_over


@pytest.mark.parametrize("name", native_games())
@pytest.mark.parametrize("count", [0, 1, 2])
def test_every_game_is_played_with_any_number_of_bots(name, count):
    game = mcts.load_game(name)
    with bots.Match(game, dict.fromkeys(range(count), "random"), seed=3) as match:
        assert match.seats == {one: "random" if i < count else None for i, one in enumerate(game.players)}
        if match.persons:
            play_to_end(match)
        else:
            assert match.history() == []
            match.go_on()
        assert match.returns == tuple(match.state.returns())
        assert match.waits_for == ()
        who = {one for ply in match.history() for one in ply}
        assert who <= {*game.players, "chance"}
        assert ("chance" in who) == game.has_chance


def test_the_bot_answers_and_equal_seeds_play_equal_games():
    games = []
    for _ in range(2):
        with bots.Match("points_ttt", {"o": "random"}, seed=7) as match:
            assert match.play("mark(2,2)") == match.history()
            play_to_end(match)
            games.append(match.history())
    assert games[0] == games[1]
    assert games[0][0] == {"x": "mark(2,2)"}


def test_bots_begin_where_they_move_first():
    match = bots.Match("mnk", {"x": "random"}, seed=1)
    assert len(match.history()) == 1
    assert match.waits_for == ("o",)
    waiting = bots.Match("mnk", {"x": "random"}, seed=1, begin=False)
    assert waiting.history() == []
    assert waiting.waits_for == ()
    with pytest.raises(mcts.StateError, match=r"o has nothing to decide now; valid: go_on"):
        waiting.play("mark(1,1)")
    assert waiting.go_on() == match.history()


def test_plies_are_counted():
    match = bots.Match("mnk", {"x": "random", "o": "random"}, seed=1)
    assert len(match.go_on(2)) == 2
    assert len(match.history()) == 2
    own = bots.Match("mnk", {"o": "random"}, seed=1)
    assert own.play("mark(1,1)", plies=1) == [{"x": "mark(1,1)"}]
    assert len(own.go_on()) == 1
    for plies in (0, -1, 1.5, True):
        with pytest.raises(mcts.ParameterError, match=f"plies={plies}"):
            own.go_on(plies)


def test_of_several_persons_the_one_who_decides_is_asked():
    match = bots.Match("three_player_ttt", {"zplayer": "random"}, seed=1)
    assert match.legal_actions() == match.legal_actions("xplayer")
    match.play(match.legal_actions()[0])
    assert match.legal_actions() == match.legal_actions("oplayer")
    assert match.legal_actions("xplayer") == []
    with pytest.raises(mcts.StateError, match="xplayer has nothing to decide now; valid: oplayer"):
        match.hint(seconds=0.01, player="xplayer")
    with pytest.raises(mcts.ParameterError, match="2 persons play; valid: player=x or o"):
        bots.Match("bidding_ttt", seed=1).legal_actions()


def test_nothing_is_played_before_all_have_chosen():
    match = bots.Match("bidding_ttt", seed=1)
    assert match.waits_for == ("x", "o")
    with pytest.raises(mcts.ParameterError, match="2 persons decide now; valid: player=x or o"):
        match.play("bid(1)")
    assert match.play("bid(1)", "x") == []
    assert match.waits_for == ("o",)
    assert match.play("bid(2)", "x") == []
    assert match.history() == []
    assert match.play("bid(1)", "o") == [{"x": "bid(2)", "o": "bid(1)"}]


def test_a_person_sees_its_own_view_only():
    match = bots.Match(HIDDEN, {"blue": "random"}, seed=3)
    assert match.play("bid(A1:3)") == [{"red": "bid(A1:3)", "blue": "?"}] == match.history()
    assert str(match) == str(match.view())
    assert "blue ? chips" in str(match)
    with pytest.raises(mcts.StateError, match=r"hides parts of the state until it is over; valid: view\(player\)"):
        _ = match.state
    with pytest.raises(mcts.StateError, match="the view of blue is its bot's; valid: red"):
        match.view("blue")
    with pytest.raises(mcts.ParameterError, match="blue has a bot; valid: red"):
        match.history("blue")
    play_to_end(match)
    assert all(ply["blue"].startswith("bid(") for ply in match.history())
    assert match.view("blue").player == 1


def test_a_ply_that_changes_nothing_for_a_person_is_left_out():
    match = bots.Match("dark_mnk")
    for cell in ("1,1", "1,1", "2,2"):
        match.play(f"mark({cell})")
    assert match.history("x") == [{"x": "mark(1,1)"}, {"o": "?"}]
    assert match.history("o") == [{"x": "?"}, {"o": "mark(1,1)"}, {"o": "mark(2,2)"}]


def test_two_persons_do_not_see_each_other():
    match = bots.Match(HIDDEN)
    assert match.play("bid(A1:3)", "red") == []
    assert match.play("bid(A2:5)", "blue") == [{"red": "?", "blue": "bid(A2:5)"}]
    assert match.history("red") == [{"red": "bid(A1:3)", "blue": "?"}]
    with pytest.raises(mcts.ParameterError, match="2 persons play; valid: player=red or blue"):
        match.history()
    assert match.go_on() == []


def test_chance_decides_with_the_seed():
    first, second = (bots.Match(Dice(), {0: "random", 1: "random"}, seed=5) for _ in range(2))
    assert first.go_on() == second.go_on()
    assert [ply for ply in first.history() if "chance" in ply]
    bots.Match(Dice(), {0: "random"}, seed=5).go_on()


def test_undo_and_redo():
    listener = Listener()
    match = bots.Match("mnk", {"o": listener}, seed=1)
    match.play("mark(2,2)")
    match.play("mark(3,3)")
    after = match.history()
    match.undo()
    assert match.history() == after[:2]
    assert listener.heard == ["mark(2,2)", "mark(1,1)"]
    assert match.waits_for == ("x",)
    match.undo()
    assert match.history() == []
    with pytest.raises(mcts.StateError, match="nothing can be undone"):
        match.undo()
    match.redo()
    match.redo()
    assert match.history() == after
    with pytest.raises(mcts.StateError, match="nothing can be played again"):
        match.redo()
    match.undo()
    match.play("mark(3,1)")
    with pytest.raises(mcts.StateError, match="nothing can be played again"):
        match.redo()


@pytest.mark.parametrize(
    "spec", [*native_games(), "tic_block(block_phase=simultaneous)", "bidding_3d_ttt(chips=9)", "dice"]
)
@pytest.mark.parametrize("persons", [1, 2])
def test_all_plies_are_undone_and_played_again(spec, persons):
    game = Dice() if spec == "dice" else mcts.load_game(spec)
    own = game.players[:persons]
    with bots.Match(game, dict.fromkeys(game.players[persons:], "random"), seed=8) as match:
        play_to_end(match)
        seen = []
        while match.can_undo:
            seen.append((match.returns, match.waits_for, *(match.history(name) for name in own)))
            match.undo()
            assert match.returns is None
            assert match.has_chosen == ()
            assert len(match.history(0)) < len(seen[-1][2])
        assert not any(set(own) & ply.keys() for ply in match.history(own[0]))
        while match.can_redo:
            match.redo()
            assert (match.returns, match.waits_for, *(match.history(name) for name in own)) == seen.pop()
        assert seen == []
        assert match.is_over


def test_analyses_of_sealed_bids_value_both_players_alike():
    """A value against naive opponents would promise both players more than half."""
    state = mcts.load_game(HIDDEN).new_initial_state()
    state.apply_actions([state.string_to_action(player, "bid(A1:3,C5:2)") for player in range(2)])
    found = [analyst_of(state.game).run(state.view(player), simulations=40_000) for player in range(2)]
    assert sum(result.values[player] for player, result in enumerate(found)) == pytest.approx(100, abs=8)


def test_an_undo_of_hidden_bids_reveals_nothing():
    match = bots.Match(HIDDEN, {"blue": "random"}, seed=3)
    match.play("bid(A1:3)")
    match.play("bid(A2:1)")
    match.undo()
    assert match.history() == [{"red": "bid(A1:3)", "blue": "?"}]
    with pytest.raises(mcts.StateError, match="hides"):
        _ = match.state
    match.play("bid(A3:1)")
    match.resign()
    assert match.history()[0]["blue"].startswith("bid(")
    match.undo()
    assert match.history()[0] == {"red": "bid(A1:3)", "blue": "?"}


def test_a_bot_bids_anew_after_an_undo():
    match = bots.Match("bidding_ttt(coins=20)", {"o": "random"}, seed=1)
    bids = set()
    for _ in range(12):
        (ply, *_) = match.play("bid(1)")
        bids.add(ply["o"])
        match.undo()
    assert len(bids) > 1


def test_undo_takes_a_waiting_choice_back_alone():
    match = bots.Match("bidding_ttt", seed=1)
    match.play("bid(1)", "x")
    match.play("bid(2)", "o")
    match.choose("mark(1,1)", match.waits_for[0])
    match.go_on()
    before = match.history()
    match.play("bid(1)", "x")
    match.undo()
    assert (match.history(), match.has_chosen, match.waits_for) == (before, (), ("x", "o"))
    match.redo()
    assert (match.history(), match.has_chosen, match.waits_for) == (before, ("x",), ("o",))
    assert match.play("bid(0)", "o") == [{"x": "bid(1)", "o": "bid(0)"}]


def test_waiting_choices_are_taken_back_in_the_order_in_which_they_were_given():
    match = bots.Match("bidding_ttt", seed=1)
    match.choose("bid(1)", "x")
    match.choose("bid(0)", "o")
    match.choose("bid(2)", "x")  # now the last one
    match.undo()
    assert match.has_chosen == ("o",)
    match.undo()
    assert match.has_chosen == ()
    with pytest.raises(mcts.StateError, match="nothing can be undone"):
        match.undo()
    match.redo()
    match.redo()
    assert match.go_on() == [{"x": "bid(2)", "o": "bid(0)"}]
    match.undo()
    match.choose("bid(1)", "x")
    assert not match.can_redo


def test_an_undone_hidden_choice_is_told_to_nobody():
    match = bots.Match(HIDDEN)
    match.play("bid(A1:3)", "red")
    seen = str(match.view("blue")), match.history("blue")
    match.undo()
    assert match.has_chosen == ()
    assert (str(match.view("blue")), match.history("blue")) == seen
    match.redo()
    assert match.play("bid(A2:5)", "blue") == [{"red": "?", "blue": "bid(A2:5)"}]
    assert match.history("red") == [{"red": "bid(A1:3)", "blue": "?"}]


def test_a_choice_whose_bot_has_not_answered_is_taken_back_alone():
    broken = Broken()
    broken.broken = False
    match = bots.Match("bidding_ttt(coins=9)", {"o": broken}, seed=1)
    match.play("bid(3)")
    match.play(match.legal_actions()[0])
    before = match.history()
    broken.broken = True
    with pytest.raises(bots.BotFailureError):
        match.play("bid(0)")
    assert match.has_chosen == ("x",)
    match.undo()
    assert (match.history(), match.waits_for) == (before, ("x",))
    broken.broken = False
    assert match.play("bid(1)")[0] == {"x": "bid(1)", "o": "bid(0)"}


def test_undo_without_persons_takes_one_ply_back():
    match = bots.Match("mnk", {"x": "random", "o": "random"}, seed=1)
    played = match.go_on()
    match.undo()
    assert match.history() == played[:-1]
    assert match.returns is None


def test_resignation():
    match = bots.Match("three_player_ttt", {"xplayer": "random"}, seed=1)
    with pytest.raises(mcts.ParameterError, match="2 persons play; valid: player=oplayer or zplayer"):
        match.resign()
    with pytest.raises(mcts.ParameterError, match="xplayer has a bot"):
        match.resign("xplayer")
    match.resign("oplayer")
    assert match.returns == (100.0, 0.0, 100.0)
    for call in (match.resign, lambda _: match.play("mark(1,1)")):
        with pytest.raises(mcts.StateError, match="is over"):
            call("zplayer")
    match.undo()
    assert match.returns is None
    assert match.waits_for == ("oplayer",)


def test_bad_arguments_are_named():
    with pytest.raises(mcts.ParameterError, match=r"unknown player 'z' in mnk.*; valid: x, o, or 0 to 1"):
        bots.Match("mnk", {"z": "random"})
    for player in (2, -1, True, None, 0.0):
        with pytest.raises(mcts.ParameterError, match="unknown player"):
            bots.Match("mnk", {player: "random"})
    with pytest.raises(mcts.ParameterError, match="player x has two bots"):
        bots.Match("mnk", {"x": "random", 0: "greedy"})
    shared = Listener()
    with pytest.raises(mcts.ParameterError, match="has two players"):
        bots.Match("mnk", {"x": shared, "o": shared})
    assert shared.closed == 1
    with pytest.raises(mcts.UnsupportedGameError, match="cannot play bidding_3d_ttt"):
        bots.Match(HIDDEN, {"red": "mcts"})
    with pytest.raises(mcts.StateError, match="a state of tic_block"):
        bots.Match("mnk", start=mcts.load_game("tic_block").new_initial_state())
    with pytest.raises(mcts.StateError, match="is over at the start"):
        bots.Match("mnk", start=mcts.load_game("mnk").state_from_text("xxx/oo./..._-"))
    match = bots.Match("mnk", {"o": "random"}, seed=1)
    for action in ("mark(9,9)", "nonsense", 9, -1):
        with pytest.raises(mcts.IllegalActionError):
            match.play(action)
    assert match.history() == []


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"game": None}, "valid: a game"),
        ({"game": 5}, "5 is not a Game; valid: a game"),
        ({"bots": ["random", None]}, "valid: a dict of player -> bot"),
        ({"bots": "random"}, "valid: a dict of player -> bot"),
        ({"bots": {"o": 5}}, "5 is not a Bot; valid: a bot, its spec, or None"),
        ({"bots": {"o": bots.Bot}}, "valid: a bot, its spec, or None"),
        ({"limit": 0.5}, "0.5 is not a Limit; valid: a limit, such as"),
        ({"seed": "seven"}, "seed is 'seven'; valid: a whole number"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"start": "xo./.x./..._o"}, "valid: a state of mnk"),
        ({"record": {}}, "valid: a record"),
    ],
)
def test_arguments_of_another_type_are_refused_in_words(given, words):
    with pytest.raises(TypeError, match=words):
        bots.Match(**{"game": "mnk", **given})


def test_a_limit_may_be_set_between_calls():
    bot = bots.load_bot("mcts")
    match = bots.Match("mnk", {"o": bot}, limit=mcts.Limit(simulations=5))
    match.limit = mcts.Limit(simulations=7)
    match.play("mark(1,1)")
    assert match.limit.simulations == 7
    assert bot.search_info.simulations == 7
    with pytest.raises(TypeError, match="5 is not a Limit"):
        match.limit = 5
    with pytest.raises(TypeError, match="not int"):
        bots.Match.load(0)


def test_a_start_may_be_any_state():
    listener = Listener()
    start = mcts.load_game("mnk").state_from_text("xo./.x./..._o")
    match = bots.Match("mnk", {"x": listener}, start=start)
    match.play("mark(2,1)")
    assert listener.heard == []  # its steps do not begin at the initial state
    assert start.to_text() == "xo./.x./..._o"
    played = mcts.load_game("mnk").new_initial_state()
    played.apply_action(4)
    assert bots.Match("mnk", {"o": listener}, start=played).history() == [{"o": "mark(1,1)"}]
    assert listener.heard == ["mark(2,2)", "mark(1,1)"]


def test_a_bot_that_fails_is_named_and_asked_again():
    broken = Broken()
    match = bots.Match("mnk", {"o": broken}, seed=1)
    with pytest.raises(bots.BotFailureError, match=r"Broken failed: RuntimeError: out of order") as raised:
        match.play("mark(2,2)")
    assert raised.value.kind == CRASH
    assert "out of order" in raised.value.log
    assert match.history() == [{"x": "mark(2,2)"}]
    assert match.waits_for == ()
    broken.broken = False
    assert match.go_on() == [{"o": "mark(1,1)"}]


def test_a_failed_bot_begins_anew_and_the_others_miss_nothing():
    class Moody(Listener):
        """Fails once in each method that is named."""

        def __init__(self, *fails):
            super().__init__()
            self.fails = set(fails)

        def fail_in(self, method):
            if method in self.fails:
                self.fails.remove(method)
                raise RuntimeError(f"not in {method}")

        def new_game(self, game, player, seed):
            self.fail_in("new_game")
            super().new_game(game, player, seed)

        def inform(self, step):
            self.fail_in("inform")
            super().inform(step)

        def choose(self, view, limit=None):
            self.fail_in("choose")
            return super().choose(view)

    moody, listener = Moody("inform", "choose"), Listener()
    match = bots.Match("three_player_ttt", {1: moody, 2: listener}, seed=1)
    for message in ("not in inform", "not in choose"):
        with pytest.raises(bots.BotFailureError, match=message):
            match.play("mark(1,1)") if message.endswith("inform") else match.go_on()
        assert match.record().ending == "failed"
        assert match.history() == [{"xplayer": "mark(1,1)"}]
        assert listener.heard == ["mark(1,1)"]
    assert len(match.go_on()) == 2
    assert match.record().ending == "unfinished"
    assert moody.heard == listener.heard == [step for ply in match.history() for step in ply.values()]
    moody.fails.add("new_game")
    with pytest.raises(bots.BotFailureError, match="not in new_game"):
        match.undo()
    assert match.history() == listener.heard == []
    assert match.record().ending == "failed"
    match.play("mark(5,5)")
    assert moody.heard == listener.heard == [step for ply in match.history() for step in ply.values()]


class DeafOnce(Listener):
    """Fails in its first `inform`."""

    is_deaf = True

    def new_game(self, game, player, seed):
        super().new_game(game, player, seed)
        self.heard.append("new game")

    def inform(self, step):
        super().inform(step)
        if self.is_deaf:
            self.is_deaf = False
            raise RuntimeError("deaf")


def test_a_failed_bot_hears_nothing_before_it_begins_anew():
    deaf = DeafOnce()
    match = bots.Match("three_player_ttt", {2: deaf}, seed=1)
    with pytest.raises(bots.BotFailureError, match="deaf"):
        match.play("mark(1,1)")
    assert deaf.heard == ["new game", "mark(1,1)"]
    deaf.new_game = lambda *_: deaf.heard.append("begins")
    match.play("mark(1,2)")
    assert deaf.heard == ["new game", "mark(1,1)", "begins", "mark(1,1)", "mark(1,2)", "mark(1,3)"]


def test_of_several_failures_in_a_ply_the_first_is_recorded():
    match = bots.Match("three_player_ttt", {1: DeafOnce(), 2: DeafOnce()}, seed=1)
    with pytest.raises(bots.BotFailureError, match="deaf"):
        match.play("mark(1,1)")
    first = match.game.players[1]
    assert [failure.player for failure in match.record().failures] == [first]
    match.undo()
    assert (match.record().ending, match.record().failures) == ("unfinished", ())


def test_the_time_of_a_person_begins_with_its_ply(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("bots.match.running.time", clock.module)
    match = bots.Match("mnk", {}, seed=1)
    for seconds, player, action in ((3, "x", "mark(1,1)"), (5, "o", "mark(1,2)"), (2, "x", "mark(1,3)")):
        clock.now += seconds
        match.play(action, player)
    assert [dict(ply.seconds) for ply in match.record().plies] == [{"x": 3}, {"o": 5}, {"x": 2}]


def test_a_bot_that_cheats_is_refused():
    class Cheater(Listener):
        def choose(self, view, limit=None):
            return 9

    cheater = Cheater()
    with pytest.raises(bots.BotFailureError, match="illegal action") as raised:
        bots.Match("mnk", {"x": cheater})
    assert raised.value.kind == ILLEGAL
    assert cheater.closed == 1


def test_a_match_closes_its_bots_and_outlives_their_errors(caplog):
    class Stubborn(Listener):
        def close(self):
            raise RuntimeError("not now")

    listener = Listener()
    with bots.Match("mnk", {"x": Stubborn(), "o": listener}):
        pass
    assert listener.closed == 1
    assert "RuntimeError: not now" in caplog.text


def test_a_closed_match_starts_no_bot_again():
    listener = Listener()
    with bots.Match("mnk", {"o": listener}, seed=1) as match:
        match.play("mark(2,2)")
    heard = list(listener.heard)
    for call in (
        lambda: match.play("mark(3,3)"),
        lambda: match.choose("mark(3,3)"),
        match.go_on,
        match.undo,
        match.redo,
    ):
        with pytest.raises(mcts.StateError, match="the match is closed"):
            call()
    assert listener.heard == heard
    assert match.hint(seconds=0.01) in match.legal_actions()
    with bots.Match.load(match.record(), {"o": "random"}) as again:
        assert len(again.play("mark(3,3)")) == 2


def test_a_failure_without_a_text_has_its_name_and_line():
    class Wordless(Listener):
        def choose(self, view, limit=None):
            raise AssertionError

    class Unfinished(bots.Bot):
        pass

    for bot, words in (
        (Wordless(), "AssertionError \\(test_person_match.py:\\d+\\)$"),
        (Unfinished(), "NotImplementedError: Unfinished must define choose"),
    ):
        with pytest.raises(bots.BotFailureError, match=words):
            bots.Match("mnk", {"x": bot})


def test_analysis_and_hints():
    match = bots.Match("mnk", start=mcts.load_game("mnk").state_from_text("xx./oo./..._x"))
    assert match.hint(seconds=60.0) == "mark(1,3)"  # which is proven at once
    assert match.analyse(simulations=500).values == (100.0, 0.0)
    hidden = bots.Match(HIDDEN, {"blue": "random"}, seed=1)
    assert hidden.hint(seconds=0.05).startswith("bid(")
    with pytest.raises(mcts.errors.LimitError):
        match.analyse()
    match.play("mark(1,3)")
    with pytest.raises(mcts.StateError, match="nothing to search"):
        match.hint()


def test_threads_do_not_share_a_match():
    match = bots.Match("mnk(m=7,n=7,k=5)", {"o": "mcts"}, limit=SLOW)
    thread = threading.Thread(target=match.play, args=("mark(4,4)",))
    thread.start()
    try:
        wait_until(match.history)
        with pytest.raises(mcts.errors.BusyError):
            match.undo()
    finally:
        while thread.is_alive():
            match.stop()
            thread.join(0.05)
    assert len(match.history()) == 2


class Deaf(Listener):
    """Answers when it may, whatever it is told."""

    def __init__(self):
        super().__init__()
        self.thinks, self.may, self.stops = threading.Event(), threading.Event(), 0

    def choose(self, view, limit=None):
        self.thinks.set()
        assert self.may.wait(HANG_SECONDS)
        return super().choose(view)

    def stop(self):
        self.stops += 1


def test_the_event_loop_goes_on_while_a_bot_thinks():
    async def run():
        deaf = Deaf()
        match = bots.Match("mnk(m=7,n=7,k=5)", {"o": deaf}, seed=1)
        playing = asyncio.create_task(match.play_async("mark(4,4)"))
        await until(deaf.thinks.is_set)
        assert not playing.done()
        deaf.may.set()
        assert len(await playing) == 2

    asyncio.run(run())


def test_a_cancelled_call_ends_soon_and_plays_nothing_more():
    async def run():
        match = bots.Match("mnk(m=7,n=7,k=5)", {"o": "mcts"}, seed=1, limit=SLOW)
        playing = asyncio.create_task(match.play_async("mark(4,4)"))
        await until(match.history)
        playing.cancel()
        with no_hang(), pytest.raises(asyncio.CancelledError):
            await playing
        assert match.history() == [{"x": "mark(4,4)"}]
        match.limit = mcts.Limit(simulations=50)
        assert len(await match.go_on_async()) == 1

    asyncio.run(run())


def test_a_second_cancellation_waits_for_the_end_too():
    async def run():
        deaf = Deaf()
        match = bots.Match("mnk", {"o": deaf}, seed=1)
        playing = asyncio.create_task(match.play_async("mark(2,2)"))
        await until(deaf.thinks.is_set)
        for _ in range(2):
            stops = deaf.stops
            playing.cancel()
            await until(lambda stops=stops: deaf.stops > stops + 1)
            assert not playing.done()
        deaf.may.set()
        with pytest.raises(asyncio.CancelledError):
            await playing
        assert match.history() == [{"x": "mark(2,2)"}]
        assert len(match.go_on()) == 1

    asyncio.run(run())


def test_errors_reach_the_caller_of_an_asynchronous_call():
    async def run():
        match = bots.Match("mnk", {"o": Broken()})
        with pytest.raises(bots.BotFailureError):
            await match.play_async("mark(2,2)")
        with pytest.raises(mcts.errors.LimitError):
            async for _ in match.analyse_async():
                pass

    asyncio.run(run())


def test_analysis_streams_until_the_caller_leaves():
    async def run():
        match = bots.Match("mnk(m=7,n=7,k=5)", {"o": "random"}, seed=1)
        counts = [result.simulations async for result in match.analyse_async(simulations=500)]
        assert counts[-1] == 500
        stream = match.analyse_async(seconds=10.0 * HANG_SECONDS)
        counts = []
        with no_hang():
            async for result in stream:
                counts.append(result.simulations)
                if len(counts) == 3:
                    break
            await stream.aclose()
        assert 0 < counts[0] < counts[2]
        assert counts == sorted(counts)
        match.play("mark(1,1)")

    asyncio.run(run())
