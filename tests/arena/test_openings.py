"""Openings: random ones, distinct ones, those of a file, and the errors of unsuitable files."""

import json
import os
from collections import Counter

import pytest

import bots
import mcts
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.runner import run_tournament
from bots.arena.tournament.limits import BotLimit
from bots.arena.tournament.openings import Openings, make_book, read_openings, start_state
from bots.arena.tournament.plan import Plan
from bots.arena.tournament.schedule import Tournament
from cext.notation import told_by_text
from mcts.registry import native_games


@pytest.mark.parametrize("name", sorted({*native_games()} - {"kuhn_poker"}))  # it is too small
def test_random_openings_are_different_and_a_function_of_the_seed(name):
    game = mcts.load_game(name)
    plies = 4 if game.has_chance else 2  # a mark and the throw before it are two plies
    book = make_book(game, Openings(plies), 5)
    found = [book.opening(cycle) for cycle in range(20)]
    states = [start_state(game, opening) for opening in found]
    assert all(len(opening) == plies for opening in found)
    assert not any(state.is_terminal() for state in states)
    assert all(one != other for number, one in enumerate(states) for other in states[:number])
    again = make_book(game, Openings(plies), 5)
    assert [again.opening(cycle) for cycle in reversed(range(20))] == found[::-1]
    assert {make_book(game, Openings(plies), seed).opening(0) for seed in range(6, 16)} != {found[0]}


def test_openings_repeat_when_all_are_used():
    book = make_book(mcts.load_game("mnk"), Openings(1), 1)
    found = [book.opening(cycle) for cycle in range(27)]
    assert Counter(found) == {(f"mark({row},{column})",): 3 for row in (1, 2, 3) for column in (1, 2, 3)}
    # x and o each have one cell: 72 states
    two = make_book(mcts.load_game("mnk"), Openings(2), 1)
    assert len({two.opening(cycle) for cycle in range(72)}) == 72
    assert [two.opening(cycle) for cycle in range(72, 144)] == [two.opening(cycle) for cycle in range(72)]


def test_random_steps_are_uniform():
    book = make_book(mcts.load_game("mnk"), Openings(4), 3)
    first = Counter(book.opening(cycle)[0] for cycle in range(700))
    assert len(first) == 9
    assert all(40 < times < 120 for times in first.values())


def test_openings_that_end_every_game_are_refused():
    book = make_book(mcts.load_game("mnk"), Openings(9), 1)
    with pytest.raises(bots.TournamentError, match=r"9 random plies.*mnk"):
        book.opening(0)


def test_all_pairings_have_the_same_openings_and_bots_play_on_from_there():
    of = Tournament("mnk", 2, ("random", "greedy", "random"), 4, 2, openings=Openings(3))
    plan = Plan(of, mcts.load_game("mnk"))
    games = [plan.scheduled(number) for number in range(of.num_games)]
    for cycle in range(4):
        of_cycle = games[cycle * 6 : (cycle + 1) * 6]
        assert len({game.opening for game in of_cycle}) == 1
        assert len({game.block for game in of_cycle}) == 3
    assert len({game.opening for game in games}) == 4
    for stored in (outcome := run_tournament(of, 2)).store.games(outcome.key):
        state = start_state(mcts.load_game("mnk"), (*stored.record.opening, *stored.record.moves.split()))
        scheduled = {**vars(games[stored.record.number]), "deal": None}  # which is not stored
        assert scheduled.items() <= vars(stored.record).items()
        assert state.is_terminal()
        assert tuple(state.returns()) == stored.record.returns


def lines(tmp_path, *texts):
    path = tmp_path / "openings.jsonl"
    path.write_text("\n".join(texts))
    return str(path)


def test_a_file_of_states_and_moves(tmp_path):
    game = mcts.load_game("points_ttt")
    state = game.new_initial_state()
    state.apply_action(state.string_to_action(0, "mark(2,2)"))
    path = lines(tmp_path, json.dumps(state.to_dict()), "", '"pass mark(2,3)"', '["mark(1,1)"]')
    openings = read_openings(path, game)
    assert len(openings.given) == 3
    book = make_book(game, openings, 1)
    starts = [start_state(game, book.opening(cycle)) for cycle in range(6)]
    assert starts[:3] == starts[3:]
    assert state in starts
    assert len({str(start) for start in starts}) == 3
    orders = {tuple(make_book(game, openings, seed).opening(cycle) for cycle in range(3)) for seed in range(40)}
    assert len(orders) == 6
    of = Tournament(game.spec, 2, ("random", "greedy"), 3, 1, openings=openings)
    assert Tournament.from_dict(json.loads(json.dumps(of.to_dict()))) == of
    outcome = run_tournament(of, 2)
    assert all(record.returns is not None and not record.failures for record in outcome.records)


def test_simultaneous_steps_of_a_file(tmp_path):
    game = mcts.load_game("bidding_ttt")
    step = make_book(game, Openings(1), 1).opening(0)
    openings = read_openings(lines(tmp_path, json.dumps(list(step))), game)
    assert start_state(game, make_book(game, openings, 1).opening(0)) == start_state(game, step)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 2: .*Expecting"),
        ("17", "line 2: '17' is neither a ply from the initial state nor a position"),
        ('"mark(1,1)" mark(2,2)', "line 2: 'mark\\(2,2\\)' behind the JSON; valid: nothing, or a comment"),
        ('["mark(1,1)"]#x', "line 2: '#x' behind the JSON"),
        ('["mark(1,1)", 3]', "line 2: not an opening; valid: an object"),
        ('"mark(1,1) mark(1,1)"', "line 2: .*illegal"),
        ('"mark(9,9)"', "line 2: .*is not an action of"),
        ('"mark(1,1) mark(2,1) mark(1,2) mark(2,2) mark(1,3)"', "line 2: the game is over in this position"),
        ('"mark(1,1) mark(2,1) mark(1,2) mark(2,2) mark(1,3) mark(3,3)"', "line 2: .*valid here: none"),
        ('{"board": "xxxxxxxxx"}', "line 2: "),
        ("[" * 100_000, "line 2: "),
    ],
)
def test_unsuitable_lines_are_refused(tmp_path, text, words):
    with pytest.raises(bots.TournamentError, match=rf"openings\.jsonl, {words}"):
        read_openings(lines(tmp_path, '"mark(1,1)"', text), mcts.load_game("mnk"))


def test_unsuitable_files_are_refused(tmp_path):
    game = mcts.load_game("mnk")
    with pytest.raises(bots.TournamentError, match=r"cannot read '.*none\.jsonl'"):
        read_openings(str(tmp_path / "none.jsonl"), game)
    if os.path.exists("/dev/zero"):
        with pytest.raises(bots.TournamentError, match="'/dev/zero' has more than 64 MB; valid: a file of openings"):
            read_openings("/dev/zero", game)
    with pytest.raises(bots.TournamentError, match="has no openings"):
        read_openings(lines(tmp_path, "", " "), game)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(bots.TournamentError, match="cannot read openings"):
        read_openings(str(tmp_path / "binary"), game)


def test_bots_are_informed_of_an_opening_before_their_first_move():
    told = []

    class Listener(bots.Bot):
        def new_game(self, game, player, seed):
            super().new_game(game, player, seed)
            told.append([])

        def inform(self, step):
            told[-1].append(step)

        def choose(self, view, limit=None):
            return view.legal_actions()[0]

    game = mcts.load_game("mnk")
    listeners = [Listener(), bots.load_bot("random")]
    for opening in (("mark(2,2)", "mark(3,3)"), (json.dumps(game.new_initial_state().to_dict()),)):
        scheduled = ScheduledGame(0, 0, (0, 1), 1, opening)
        record = play_game(game, listeners.__getitem__, scheduled, [BotLimit()] * 2, 60.0, lambda seat: None)
        steps = opening if len(opening) == 2 else ()
        assert told[-1] == [*steps, *record.moves.split()]
        assert record.plies == len(record.moves.split())


def test_a_file_of_text_has_steps_positions_and_comments(tmp_path):
    game = mcts.load_game("mnk")
    centre = start_state(game, ["mark(2,2)"])
    path = lines(
        tmp_path,
        "\ufeff# openings of tic-tac-toe",
        "",
        "mark(2,2) mark(1,1)  # a corner in reply",
        "   mark(1,2)\r",
        f"{centre.to_text()} # the centre",
        "#mark(9,9)",
        json.dumps(centre.to_dict()) + "  # the centre again",
        '"mark(1,3)"',
        '["mark(3,3)"] # and "]',
    )
    given = read_openings(path, game).given
    state = json.dumps(centre.to_dict(), separators=(",", ":"))
    assert given == ("mark(2,2) mark(1,1)", "mark(1,2)", state, state, "mark(1,3)", "mark(3,3)")


@pytest.mark.parametrize("name", native_games())
def test_positions_and_steps_of_every_game_are_read_from_text(name, tmp_path):
    game = mcts.load_game(name)
    steps = make_book(game, Openings(2), 3).opening(0)
    state = start_state(game, steps)
    given = read_openings(lines(tmp_path, " ".join(steps), state.to_text()), game).given
    found = [start_state(game, make_book(game, Openings(given=(one,)), 0).opening(0)) for one in given]
    assert [told_by_text(each) for each in found] == [told_by_text(state)] * 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mark(1,1) mark(1,1)", "line 2: .*illegal"),
        ("mark(9,9)", "line 2: .*is not an action of"),
        ("nonsense", "line 2: 'nonsense' is neither a ply .* nor a position: .*<board>.*; valid: an object"),
        ("xxx/oo./..._-", "line 2: the game is over in this position"),
        ("x../x../..._o", "line 2: .* is neither a ply from the initial state nor a position"),
        ("mark(1,1) nonsense", "line 2: "),
    ],
)
def test_unsuitable_lines_of_text_are_refused(tmp_path, text, words):
    with pytest.raises(bots.TournamentError, match=rf"openings\.jsonl, {words}"):
        read_openings(lines(tmp_path, "mark(1,1)", text), mcts.load_game("mnk"))
