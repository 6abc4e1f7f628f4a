"""One game: bots get views and seeds, the record is complete, and every kind of failure loses."""

import re

import pytest

import bots
import mcts
from bots import Bot, arena, errors
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.tournament.failure_policy import forfeited_returns
from bots.arena.tournament.limits import BotLimit
from bots.game.failures import NO_SEAT, Failure
from mcts.registry import native_games


def played(game_name, specs, seed=1, deadline=60.0, limit=None, on_turn=lambda seat: None, opening=()):
    game = mcts.load_game(game_name)
    found = [spec if isinstance(spec, Bot) else bots.load_bot(spec) for spec in specs]
    scheduled = ScheduledGame(5, 2, tuple(range(len(specs))), seed, opening)
    limits = [limit or BotLimit(simulations=20)] * len(specs)
    return play_game(game, found.__getitem__, scheduled, limits, deadline, on_turn)


def replayed(game_name, moves):
    """The state that the moves of a record lead to."""
    state = mcts.load_game(game_name).new_initial_state()
    for step in moves.split():
        words = step.split("|")
        if len(words) == 1:
            mover = state.current_player()
            state.apply_action(state.string_to_action(mover, step))
        else:
            state.apply_actions([state.string_to_action(player, word) for player, word in enumerate(words)])
    return state


@pytest.mark.parametrize("game", native_games())
def test_a_record_replays_to_its_returns(game):
    players = mcts.load_game(game).num_players
    record = played(game, ["random"] * players)
    state = replayed(game, record.moves)
    assert state.is_terminal()
    assert tuple(state.returns()) == record.returns
    assert record.plies == len(record.moves.split())
    assert (record.number, record.block, record.failures) == (5, 2, ())


@pytest.mark.parametrize("game", native_games())
def test_a_game_is_a_function_of_its_seed(game):
    players = mcts.load_game(game).num_players
    assert played(game, ["random"] * players, 3) == played(game, ["random"] * players, 3)
    assert len({played(game, ["random"] * players, seed).moves for seed in range(5)}) > 1


def test_the_games_of_a_block_have_the_same_cards_and_other_blocks_others():
    with arena.run(arena.describe("leduc_poker", ["random", "greedy"], games=40, seed=3), executor="threads") as found:
        records = [stored.record for stored in found.records()]
    cards = [[step for step in record.moves.split() if step.startswith("deal(")] for record in records]
    for one, other, shown, others in zip(records[::2], records[1::2], cards[::2], cards[1::2], strict=True):
        assert one.block == other.block
        assert one.seed != other.seed
        both = min(len(shown), len(others))  # the open card is missing where one folds before
        assert shown[:both] == others[:both]
    assert any(len(shown) == len(others) == 3 for shown, others in zip(cards[::2], cards[1::2], strict=True))
    assert len({tuple(shown[:2]) for shown in cards}) > 6


def test_the_same_bot_in_two_seats_has_two_seeds():
    seeds = []

    class Seeded(Bot):
        def new_game(self, game, player, seed):
            super().new_game(game, player, seed)
            seeds.append((player, seed))

        def choose(self, view, limit=None):
            assert isinstance(view, mcts.View)
            assert (limit.simulations, limit.seconds, limit.deadline_seconds) == (20, None, 60.0)
            return view.legal_actions()[0]

    played("mnk", [Seeded(), Seeded()])
    assert [player for player, _ in seeds] == [0, 1]
    assert seeds[0][1] != seeds[1][1]


@pytest.mark.parametrize(
    ("bot", "kind", "message"),
    [
        ("troublesome_bots.Crasher(after=1)", errors.CRASH, "RuntimeError: no idea what to do"),
        ("troublesome_bots.Exiter(after=1)", errors.CRASH, "SystemExit: 3"),
        ("troublesome_bots.Cheater(after=1)", errors.ILLEGAL, "action 4711 of o is illegal in this state of mnk"),
        ("troublesome_bots.Unprintable(after=1)", errors.ILLEGAL, "object of type Answer is not an action of mnk"),
        ("troublesome_bots.Sleeper(after=1)", errors.LATE, "the deadline is 0.2 s"),
    ],
)
def test_a_bot_that_fails_forfeits(bot, kind, message):
    record = played("mnk", ["random", bot], deadline=0.2)
    assert record.returns == (100.0, 0.0)
    assert record.plies == 3
    (failure,) = record.failures
    assert (failure.seat, failure.kind, failure.ply) == (1, kind, 3)
    assert message in failure.message
    assert "\n" not in failure.message
    assert replayed("mnk", record.moves).current_player() == 1


def test_the_others_get_the_most_with_three_players():
    record = played("three_player_ttt", ["random", "troublesome_bots.Crasher(after=2)", "random"])
    assert record.returns == (100.0, 0.0, 100.0)


def test_all_who_decide_are_asked_and_both_may_fail():
    record = played("bidding_ttt", ["troublesome_bots.Crasher", "troublesome_bots.Cheater"])
    assert record.returns == (0.0, 0.0)
    assert [(f.seat, f.kind) for f in record.failures] == [(0, errors.CRASH), (1, errors.ILLEGAL)]
    assert (record.plies, record.moves) == (0, "")


def test_failing_before_the_first_move():
    class Unprepared(Bot):
        def new_game(self, game, player, seed):
            raise OSError("no file")

    record = played("mnk", [Unprepared(), "random"])
    assert record.returns == (0.0, 100.0)
    (failure,) = record.failures
    assert failure == Failure(0, errors.CRASH, failure.message, 0)
    assert re.fullmatch(r"OSError: no file \(test_match.py:\d+\)", failure.message)


def test_games_without_a_culprit_count_for_nobody():
    game = mcts.load_game("mnk")
    assert forfeited_returns(game, [Failure(NO_SEAT, errors.DEATH, "", 0)]) is None
    assert forfeited_returns(game, [Failure(1, errors.DEATH, "", 0)]) == (100.0, 0.0)


def test_bots_are_informed_of_every_joint_action_in_turns():
    turns = []
    record = played("mnk", ["random", "random"], on_turn=turns.append)
    assert turns[1::2] == [NO_SEAT] * (record.plies + 2)
    assert turns[::2] == [0, 1, *[ply % 2 for ply in range(record.plies)]]


class Listener(Bot):
    """Keeps what it is told, and the state that it makes of it."""

    def new_game(self, game, player, seed):
        super().new_game(game, player, seed)
        self.steps = []

    def inform(self, step):
        self.steps.append(step)

    def choose(self, view, limit=None):
        told = replayed(view.game.spec, " ".join(self.steps)).view(view.player)
        assert told == view
        return view.sample_action(self.random.getrandbits(64))


@pytest.mark.parametrize("game", [name for name in native_games() if not mcts.load_game(name).has_hidden_information])
def test_bots_are_informed_of_joint_actions(game):
    listeners = [Listener() for _ in mcts.load_game(game).players]
    record = played(game, listeners)
    assert record.failures == ()
    assert all(" ".join(bot.steps) == record.moves for bot in listeners)


def test_bots_are_informed_of_the_opening():
    opening = ("mark(2,2)", "mark(1,1)")
    listeners = [Listener(), Listener()]
    record = played("mnk", listeners, opening=opening)
    assert record.failures == ()
    assert all(" ".join(bot.steps) == " ".join([*opening, record.moves]) for bot in listeners)


def test_bots_are_not_informed_where_something_is_hidden():
    class Deaf(Listener):
        def choose(self, view, limit=None):
            return view.sample_action(0)

    bots_told = [Deaf(), Deaf()]
    assert played("bidding_3d_ttt", bots_told).failures == ()
    assert [bot.steps for bot in bots_told] == [[], []]


def test_a_failure_in_inform_is_recorded():
    class Startled(Listener):
        def inform(self, step):
            raise ValueError(f"{step} is a surprise")

    record = played("mnk", ["random", Startled()])
    (failure,) = record.failures
    assert (failure.seat, failure.kind, failure.ply) == (1, errors.CRASH, 1)
    assert "is a surprise" in failure.message
    assert "Traceback" in failure.log


def test_a_lack_of_memory_is_a_kind_of_failure():
    class Hungry(Bot):
        def choose(self, view, limit=None):
            raise MemoryError("no more")

    (failure,) = played("mnk", ["random", Hungry()]).failures
    assert (failure.seat, failure.kind, failure.ply) == (1, errors.MEMORY, 1)
    assert re.fullmatch(r"MemoryError: no more \(test_match.py:\d+\)", failure.message)
