"""`playout records`: stored games as PGN for ordo, BayesElo and chess readers, and as JSON lines."""

import re
import sqlite3

import pytest

import bots
import mcts
from bots.arena.records import GameRecord
from bots.arena.store.pgn import pgn_games
from bots.arena.store.store import StoredGame
from bots.arena.tournament.openings import start_state
from bots.arena.tournament.schedule import Tournament
from bots.game.failures import Failure

THREADS = ("--executor", "threads")

# The grammar of the PGN standard, sections 8.1 and 18: tags, then movetext, here comments alone, and the result.
TAG = re.compile(r'\[([A-Za-z0-9_]+) "((?:[^"\\\x00-\x1f]|\\["\\])*)"\]')
RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}
SEVEN = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
TERMINATIONS = {
    "abandoned", "adjudication", "death", "emergency", "normal", "rules infraction", "time forfeit", "unterminated",
}  # fmt: skip


def read_pgn(text):
    """Tags, steps and result of each game; what is not of the grammar fails."""
    games = []
    parts = text.split("\n\n")
    assert parts[-1].strip() == ""
    for tags, movetext in zip(parts[:-1:2], parts[1::2], strict=True):
        found = []
        for line in tags.splitlines():
            match = TAG.fullmatch(line)
            assert match, line
            found.append((match[1], match[2].replace('\\"', '"').replace("\\\\", "\\")))
        for line in movetext.splitlines():
            assert not line.startswith("[")
        *comment, result = movetext.split("\n")
        assert result in RESULTS
        comment = " ".join(comment)
        assert re.fullmatch(r"(\{[^{}]*\})?", comment)
        steps = comment.strip("{}").split()
        assert steps[::2] == [f"{number}." for number in range(1, len(steps) // 2 + 1)]
        games.append((found, steps[1::2], result))
    return games


def test_games_for_two_have_the_tags_of_pgn_and_replay(playout):
    options = ["--games", "6", "--opening-plies", "2", "--name", '1=a "b"\\[/x]']
    playout("arena", "points_ttt", "random", "greedy", *THREADS, *options)
    result = playout("records", "-o", "-.pgn")
    assert (result.status, result.err) == (0, "")
    games = read_pgn(result.out)
    assert len(games) == 6
    records = [bots.Record.from_json(line) for line in playout("records", "-o", "-").out.splitlines()]
    for (found, steps, end), record in zip(games, records, strict=True):
        assert [name for name, _ in found[:7]] == SEVEN
        tags = dict(found)
        assert len(tags) == len(found)
        labels = {"random": 'a "b"\\[/x]'}
        assert [tags["White"], tags["Black"]] == [labels.get(seat.bot, seat.bot) for seat in record.seats]
        assert [tags["White"], tags["Black"]] == [seat.name for seat in record.seats]
        assert 'a "b"\\[/x]' in (tags["White"], tags["Black"])
        assert re.fullmatch(r"\d{4}\.\d\d\.\d\d", tags["Date"])
        assert tags["Result"] == end
        first, second = record.returns
        assert end == ("1-0" if first > second else "0-1" if first < second else "1/2-1/2")
        assert (tags["Termination"], tags["SetUp"], tags["Seed"]) == ("normal", "1", str(record.seed))
        texts = [text for ply in record.plies for text in ply.actions.values()]
        assert steps == texts[record.opening :]
        assert tags["PlyCount"] == str(len(steps))
        game = mcts.load_game(tags["Game"])
        assert game.state_from_text(tags["FEN"]) == start_state(game, texts[: record.opening])
        assert tags["Opening"].split() == texts[: record.opening]
        assert tags["GameId"] == record.game_id
        assert playout("replay", "arena.db", tags["GameId"]).status == 0
    assert [dict(found)["Round"] for found, _, _ in games] == ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"]


def test_games_for_three_have_tags_of_their_own_and_say_so(playout, tmp_path):
    playout("arena", "three_player_ttt", "random", "greedy", "random", *THREADS, "--games", "3")
    result = playout("records", "-o", "games.pgn")
    assert "has 3 players: ordo and BayesElo can only rate games of two players" in result.err
    for found, _, end in read_pgn((tmp_path / "games.pgn").read_text(encoding="utf-8")):
        tags = dict(found)
        assert "White" not in tags
        assert {tags[f"Player{seat}"] for seat in (1, 2, 3)} == {"random", "greedy", "random#2"}
        assert (tags["Result"], end) == ("*", "*")
        assert len(tags["Returns"].split()) == 3


@pytest.mark.parametrize(
    ("record", "termination", "result"),
    [
        (GameRecord(0, 0, (0, 1), 1, (), (0.0, 100.0), 0, "", (Failure(0, "late", "x", 0),)), "time forfeit", "0-1"),
        (
            GameRecord(0, 0, (0, 1), 1, (), (0.0, 100.0), 0, "", (Failure(0, "illegal move", "x", 0),)),
            "rules infraction",
            "0-1",
        ),
        (
            GameRecord(0, 0, (0, 1), 1, (), (100.0, 0.0), 0, "", (Failure(1, "crash", 'a "b" {c}', 0),)),
            "abandoned",
            "1-0",
        ),
        (GameRecord(0, 0, (0, 1), 1, (), None, 0, "", (Failure(-1, "death", "x", 0),)), "unterminated", "*"),
        (GameRecord(0, 0, (0, 1), 1, (), (50.0, 50.0), 2, "a{b} [c]", (), (), "max plies"), "adjudication", "1/2-1/2"),
    ],
)
def test_terminations_are_those_of_the_standard(record, termination, result):
    assert termination in TERMINATIONS
    of = Tournament("mnk", 2, ("random", "greedy"), 1)
    (text,) = pgn_games(of, [StoredGame(record)], "id-")
    ((found, _, end),) = read_pgn(text)
    tags = dict(found)
    assert (tags["Termination"], tags["Result"], end) == (termination, result, result)
    assert tags["Date"] == "????.??.??"
    for failure in record.failures:
        assert failure.message in tags["Failure"]


def test_long_games_are_wrapped_and_no_line_looks_like_a_tag():
    moves = " ".join(["[mark(1,1)]", "x" * 100] * 60)
    of = Tournament("mnk", 2, ("random", "greedy"), 1)
    record = GameRecord(0, 0, (0, 1), 1, (), (50.0, 50.0), 120, moves)
    (text,) = pgn_games(of, [StoredGame(record)], "id-")
    ((_, steps, _),) = read_pgn(text)
    assert steps == moves.split()
    assert max(map(len, text.split("\n\n")[1].splitlines())) < 120


def test_all_formats_at_once_and_only_one_to_standard_output(playout, tmp_path):
    playout("arena", "mnk", "random", "greedy", *THREADS, "--games", "4")
    result = playout("records", "-o", "a.pgn", "-o", "-", "-o", "a.csv")
    assert len(result.out.splitlines()) == 4
    assert len(read_pgn((tmp_path / "a.pgn").read_text())) == 4
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 5
    result = playout("records", "-o", "-.pgn", "-o", "-.csv")
    assert (result.status, result.out) == (2, "")
    assert "--output -.pgn and --output -.csv cannot both" in result.err


def test_names_that_look_like_markup_are_text(playout):
    playout("arena", "mnk", "random", "greedy", *THREADS, "--games", "2", "--name", "1=[/x]", "--name", "2=[bold]b")
    for command in (["records"], ["tournaments"], ["ratings"], ["replay", "arena.db", "1"]):
        result = playout(*command)
        assert result.status == 0
        assert "[/x]" in result.out
        assert "[bold]b" in result.out


def test_an_opening_that_cannot_be_played_is_one_line(playout, tmp_path):
    playout("arena", "mnk", "random", "greedy", *THREADS, "--games", "2", "--opening-plies", "1")
    connection = sqlite3.connect(tmp_path / "arena.db")
    with connection:
        connection.execute("""UPDATE games SET opening = '["mark(9,9)"]'""")
    connection.close()
    result = playout("records", "-o", "-.pgn")
    assert result.status == 2
    assert "the opening 'mark(9,9)' cannot be played" in result.err
