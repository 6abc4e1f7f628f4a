"""Games in Python that raise: the error reaches the caller, and the search keeps nothing of the failed run."""

import gc
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from faulty_games import RARE, Raises, Secret, Stuck
from python_games import TicTacToe, after_first_action, matrix_game, search_from_start, zero_sum
from waiting import HANG_SECONDS, no_hang

import mcts
from mcts.searchers.ismcts import ISMCTS

METHODS = ("initial_state", "acting_players", "legal_actions", "next_state", "returns")


class Broken(Exception):
    """What the games below raise."""


class Fragile(TicTacToe):
    """Tic-tac-toe that raises `error` in the call numbered `at` of one method, counted from 1 once it is armed."""

    def __init__(self):
        super().__init__()
        self.disarm()

    def arm(self, method, at=1, error=Broken):
        self.method, self.at, self.error = method, at, error

    def disarm(self):
        self.method = None

    def count(self, method):
        if method == self.method:
            self.at -= 1
            if self.at == 0:
                raise self.error(f"in {method}")

    def initial_state(self):
        self.count("initial_state")
        return super().initial_state()

    def acting_players(self, board):
        self.count("acting_players")
        return super().acting_players(board)

    def legal_actions(self, board, player):
        self.count("legal_actions")
        return super().legal_actions(board, player)

    def next_state(self, board, joint):
        self.count("next_state")
        return super().next_state(board, joint)

    def returns(self, board):
        self.count("returns")
        return super().returns(board)


def calls():
    """Name, method that fails and call that leads to it, on a game that is armed after what the call needs is there."""
    yield "new_initial_state", "initial_state", lambda game, state, over: game.new_initial_state()
    yield "is_terminal", "acting_players", lambda game, state, over: state.is_terminal()
    yield "current_player", "acting_players", lambda game, state, over: state.current_player()
    yield "acting_players", "acting_players", lambda game, state, over: state.acting_players()
    yield "legal_actions", "legal_actions", lambda game, state, over: state.legal_actions(1)
    yield "is_legal", "legal_actions", lambda game, state, over: state.is_legal(1, 3)
    yield "sample_action", "legal_actions", lambda game, state, over: state.sample_action(1, 3)
    yield "string_to_action", "legal_actions", lambda game, state, over: state.string_to_action(1, "3")
    yield "apply_action legality", "legal_actions", lambda game, state, over: state.apply_action(3)
    yield "apply_actions", "next_state", lambda game, state, over: state.apply_actions([-1, 3])
    yield "apply_action", "next_state", lambda game, state, over: state.apply_action(3)
    yield "returns", "returns", lambda game, state, over: over.returns()
    for method in METHODS[1:]:
        yield f"playouts {method}", method, lambda game, state, over: mcts.playouts(state, 50)
        yield f"threaded playouts {method}", method, lambda game, state, over: mcts.playouts(state, 50, threads=2)


@pytest.mark.sample(12)
@pytest.mark.parametrize("error", [Broken, KeyboardInterrupt])
@pytest.mark.parametrize(("method", "call"), [pytest.param(*rest, id=name) for name, *rest in calls()])
def test_errors_of_rules_are_raised_by_the_call_that_caused_them(method, call, error):
    game = Fragile()
    state = after_first_action(game)
    over = state.clone()
    for action in (3, 1, 4, 2):
        over.apply_action(action)
    before = state.clone()
    game.arm(method, 1, error)
    with pytest.raises(error, match=f"in {method}"):
        call(game, state, over)
    game.disarm()
    assert state == before
    assert state.legal_actions() == list(range(1, 9))
    assert search_from_start(game).arms == search_from_start(TicTacToe()).arms


def failures():
    """Method, number of the call that fails, threads."""
    for method in METHODS[1:]:
        for at in (1, 2, 3, 4, 5, 6, 7, 8, 20, 150):
            for threads in (1, 2):
                yield pytest.param(method, at, threads, id=f"{method} {at} threads {threads}")


@pytest.mark.sample(8)
@pytest.mark.parametrize(("method", "at", "threads"), list(failures()))
def test_errors_of_rules_are_raised_by_the_search(method, at, threads):
    game = Fragile()
    state = after_first_action(game)
    searcher = mcts.MCTS.plain(game, threads=threads)
    game.arm(method, at)
    with pytest.raises(Broken, match=f"in {method}"):
        searcher.run(state, simulations=400)
    game.disarm()
    fresh = mcts.MCTS.plain(TicTacToe(), threads=threads).run(after_first_action(TicTacToe()), simulations=400)
    assert searcher.run(state, simulations=400).arms == fresh.arms


FAULT = ((2, -1), (-1, 1), (0, -1), (-1, 2), (1, -1))
"""The joint actions to the rare state of `faulty_games`."""


@pytest.mark.parametrize("game", [Raises(), Stuck(), Secret()], ids=str)
def test_an_error_has_the_steps_that_lead_to_it(game):
    start = game.new_initial_state()
    later = start.clone()
    later.apply_actions(FAULT[0])
    kind = mcts.MCTS.plain if game.name != "secret" else ISMCTS
    for call in (
        lambda: mcts.playouts(start, 5_000),
        lambda: mcts.playouts(later, 5_000, threads=2),
        lambda: kind(game, exploration=50).run(start.view(0), simulations=5_000),
        lambda: kind(game, exploration=50).run(later.view(1), simulations=5_000),
        lambda: [later.apply_actions(joint) for joint in FAULT[1:]] and later.legal_actions(),
    ):
        with pytest.raises((KeyError, ValueError)) as error:
            call()
        assert error.value.failed_play == FAULT


def test_steps_begin_where_a_position_came_from_outside():
    game = Raises()
    state = game.state_from_dict({"chosen": list(RARE[:2])})
    for again in (state, pickle.loads(pickle.dumps(state))):
        with pytest.raises(KeyError) as error:
            mcts.playouts(again, 1_000)
        assert error.value.failed_play == FAULT[2:]


def test_errors_that_take_no_attributes_are_raised_too():
    class Closed(KeyError):
        __slots__ = ()

        def __setattr__(self, name, value):
            raise AttributeError(name)

    game = Fragile()
    state = after_first_action(game)
    game.arm("next_state", 20, Closed)
    with pytest.raises(Closed):
        mcts.playouts(state, 50)


def test_an_error_in_one_thread_ends_the_search_of_the_others():
    game = Fragile()
    state = after_first_action(game)
    game.arm("returns", 50)
    with no_hang(), pytest.raises(Broken):
        mcts.MCTS.plain(game, threads=2).run(state, seconds=2 * HANG_SECONDS)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", METHODS[1:])
def test_an_interrupt_inside_rules_ends_the_search(method, threads):
    """Where Python runs all the time, Ctrl-C reaches the game's own code first."""
    game = Fragile()
    state = after_first_action(game)
    game.arm(method, 150, KeyboardInterrupt)
    found = mcts.MCTS.plain(game, threads=threads).run(state, simulations=100_000, seconds=HANG_SECONDS)
    assert found.interrupted
    assert 0 < found.simulations < 100_000
    assert sum(found.visits.values()) == found.simulations


def test_advancing_fails_as_the_game_does():
    game = Fragile()
    state = after_first_action(game)
    searcher = mcts.MCTS.plain(game, seed=1)
    searcher.run(state, simulations=500)
    for at in (1, 2):
        game.arm("next_state", at)
        with pytest.raises(Broken):
            searcher.advance(4)
        game.disarm()
    assert searcher.advance(4)
    state.apply_action(4)
    assert sum(searcher.run(state, simulations=10).visits.values()) > 10


def test_two_threads_search_two_games_and_one_game_at_once():
    alone = search_from_start(TicTacToe(), 1_000, seed=1).arms
    same = TicTacToe()
    with ThreadPoolExecutor(2) as pool:
        for games in ((same, same), (TicTacToe(), TicTacToe())):
            assert [found.arms for found in pool.map(lambda game: search_from_start(game, 1_000, seed=1), games)] == [
                alone
            ] * 2


def test_an_error_stays_in_its_thread():
    broken, sound = Fragile(), TicTacToe()
    start = after_first_action(broken)
    alone = search_from_start(sound, 500, seed=1).arms

    def fail(number):
        broken.arm(METHODS[1 + number % 4], 40)
        with pytest.raises(Broken):
            mcts.MCTS.plain(broken).run(start, simulations=500)

    with ThreadPoolExecutor(2) as pool:
        good = pool.submit(lambda: [search_from_start(sound, 500, seed=1).arms for _ in range(6)])
        bad = pool.submit(lambda: [fail(number) for number in range(12)])
        assert good.result() == [alone] * 6
        bad.result()


class Tracked:
    """A state of the game below that counts how many of them are alive."""

    alive = 0

    def __init__(self, board):
        self.board = board
        Tracked.alive += 1

    def __del__(self):
        Tracked.alive -= 1

    def __eq__(self, other):
        return self.board == other.board

    def __hash__(self):
        return hash(self.board)


class TrackedGame(Fragile):
    """The same game over counted states."""

    def initial_state(self):
        return Tracked(super().initial_state())

    def acting_players(self, state):
        return super().acting_players(state.board)

    def legal_actions(self, state, player):
        return super().legal_actions(state.board, player)

    def next_state(self, state, joint):
        return Tracked(super().next_state(state.board, joint))

    def returns(self, state):
        return super().returns(state.board)


def use_everything(game):
    """Search, advance, fail, play out, and copy states."""
    state, start = after_first_action(game), after_first_action(game)
    searcher = mcts.MCTS.plain(game, memory_mb=1)
    joint = searcher.run(state, simulations=60).pv[0]
    searcher.advance(joint)
    state.apply_actions(joint)
    searcher.run(state, simulations=30).to_dict()
    mcts.playouts(state, 20)
    assert state.clone() == state
    for method in METHODS[1:]:
        game.arm(method, 30)
        with pytest.raises(Broken):
            searcher.run(start, simulations=200)
        game.arm(method, 10)
        with pytest.raises(Broken):
            mcts.playouts(state, 20)
        game.disarm()


def test_states_are_freed_with_their_owners():
    game = TrackedGame()
    use_everything(game)
    gc.collect()
    assert Tracked.alive == 0


def test_memory_is_stable_over_many_searches():
    game, matrix = TrackedGame(), matrix_game(zero_sum([[1, -1], [-1, 1]]))
    blocks = []
    for _ in range(4):
        for _ in range(5):
            use_everything(game)
            search_from_start(matrix, 100, memory_mb=1)
        gc.collect()
        blocks.append(sys.getallocatedblocks())
    assert blocks[-1] - blocks[1] < 100


def test_states_and_searches_in_cycles_are_collected():
    game = TrackedGame()
    for _ in range(3):
        state = after_first_action(game)
        searcher = mcts.MCTS.plain(game, memory_mb=1)
        knot = [state, searcher, searcher.run(state, simulations=50)]
        knot.append(knot)
        del state, searcher, knot
        gc.collect()
        assert Tracked.alive == 0
