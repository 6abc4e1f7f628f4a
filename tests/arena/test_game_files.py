"""Stored games of chess as PGN and of Go as SGF: read back by python-chess and sgfmill, and by Playout itself."""

import io
import json

import pytest

import mcts
from bots.arena import describe, run
from bots.arena.records import GameRecord
from bots.arena.store.pgn import pgn_games
from bots.arena.store.sgf import sgf_games
from bots.arena.store.store import Store, StoredGame
from bots.arena.tournament.openings import Openings, read_openings, start_state
from bots.arena.tournament.schedule import Tournament
from bots.engines.uci import centipawns_of
from bots.game.failures import Failure

FAST = ("--executor", "threads", "--workers", "1")


def records(path):
    with Store(str(path), read_only=True) as store:
        (stored,) = store.tournaments()
        return stored.tournament, [game.record for game in store.games(stored.key)]


def replayed(game, record):
    return start_state(game, (*record.opening, *record.moves.split()))


def test_chess_is_read_back_with_clocks_and_scores(tmp_path, playout):
    chess = pytest.importorskip("chess")
    pgn = pytest.importorskip("chess.pgn")
    (tmp_path / "book.pgn").write_text('1. e4 c5 *\n[FEN "4k3/7p/8/8/8/8/P7/4K2R w K - 3 20"]\n20. O-O h6 *')
    specs = ["mcts(leaf=static,simulations=30)", "random", "--clock", "9/60+1", "--limit", "2:clock=50"]
    options = ["--openings", "book.pgn", "--opening-order", "sequential", "--max-plies", "40", "--games", "4"]
    playout("arena", "chess", *specs, *options, *FAST, "--db", "x.db")
    text = playout("records", "x.db", "-o", "-.pgn").out
    assert max(map(len, text.splitlines())) < 200
    tournament, found = records(tmp_path / "x.db")
    game, stream = mcts.load_game("chess"), io.StringIO(text)
    for record in found:
        read = pgn.read_game(stream)
        assert read.errors == []
        state, tags = replayed(game, record), read.headers
        assert read.end().board().fen(en_passant="legal") == state.to_text().replace("_", " ")
        assert (tags["White"], tags["Black"]) == tuple(tournament.labels[bot] for bot in record.seats)
        assert tags["Result"] in ("1-0", "0-1", "1/2-1/2")
        assert tags["PlyCount"] == str(len([*read.mainline_moves()]))
        own = {0: "9/60+1", 1: "50"}
        assert (tags["WhiteTimeControl"], tags["BlackTimeControl"]) == tuple(own[bot] for bot in record.seats)
        assert ("FEN" in tags) == (record.block == 1)
        if "FEN" in tags:
            assert (tags["SetUp"], tags["FEN"]) == ("1", "4k3/7p/8/8/8/8/P7/4K2R w K - 3 20")
        comments = [node.comment for node in read.mainline()]
        assert comments[:2] == ["book", "book"]
        assert len(comments) == 2 + len(record.decisions)
        left = [60.0 if bot == 0 else 50.0 for bot in record.seats]
        for ply, (comment, (seconds, value)) in enumerate(zip(comments[2:], record.decisions, strict=True)):
            score, _, rest = comment.rpartition("/0 ")
            taken, clock = (float(word.strip("tl=s,")) for word in rest.split())
            assert taken == pytest.approx(seconds, abs=6e-4)
            seat = ply % 2
            assert (score != "") == (record.seats[seat] == 0) == (value is not None)
            if score:
                assert float(score) * 100 == pytest.approx(centipawns_of(2 * value - 100))
                assert score[0] in "+-"
            left[seat] += (record.seats[seat] == 0) + 60 * (record.seats[seat] == 0 and ply // 2 % 9 == 8) - seconds
            assert clock == pytest.approx(left[seat], abs=1e-3)
    assert pgn.read_game(stream) is None
    assert chess.Board(tags["FEN"]).is_valid()
    (tmp_path / "games.pgn").write_text(text)
    again = read_openings(str(tmp_path / "games.pgn"), game, 6).given
    assert {line.partition("}")[2].strip() or line for line in again} == {
        " ".join((*(step for step in record.opening if step[0] != "{"), *record.moves.split()[:4])) for record in found
    }
    assert playout("records", "x.db", "-o", "x.sgf").status == 2


def test_chess960_has_its_tags(tmp_path):
    chess = pytest.importorskip("chess")
    pgn = pytest.importorskip("chess.pgn")
    board = chess.Board.from_chess960_pos(7)
    (tmp_path / "book.epd").write_text(board.epd())
    given = {"openings": tmp_path / "book.epd", "max_plies": 60, "games": 2}
    game = mcts.load_game("chess(chess960=true)")
    with run(describe(game, ["random", "random"], **given), workers=1, executor="threads") as result:
        games = [*result.records()]
        for text, stored in zip(pgn_games(result.tournament, games, "x-"), games, strict=True):
            read = pgn.read_game(io.StringIO(text))
            assert (read.headers["Variant"], read.errors) == ("Chess960", [])
            assert read.board() == board
            end = chess.Board(replayed(game, stored.record).to_text().replace("_", " "), chess960=True)
            assert read.end().board().board_fen() == end.board_fen()
            assert read.end().board().clean_castling_rights() == end.clean_castling_rights()


def test_go_is_read_back_with_stones_and_clocks(tmp_path, playout):
    sgf = pytest.importorskip("sgfmill.sgf")
    moves = pytest.importorskip("sgfmill.sgf_moves")
    (tmp_path / "book.sgf").write_text("(;SZ[5];B[cc];W[bb])(;SZ[5]AB[aa][ac]AW[bb]PL[W];W[dd])")
    options = ["--openings", "book.sgf", "--opening-order", "sequential", "--games", "4", "--clock", "60"]
    playout("arena", "go(size=5,komi=1.5)", "mcts(simulations=20)", "random", *options, *FAST, "--db", "x.db")
    playout("records", "x.db", "-o", "games.sgf")
    tournament, found = records(tmp_path / "x.db")
    content = (tmp_path / "games.sgf").read_bytes()
    texts = content.replace(b")\n(;", b")\n\n(;").split(b"\n\n")
    game = mcts.load_game("go(size=5,komi=1.5)")
    for text, record in zip(texts, found, strict=True):
        read, state = sgf.Sgf_game.from_bytes(text), replayed(game, record)
        assert (read.get_size(), read.get_komi(), read.root.get("RU")) == (5, 1.5, "Chinese")
        assert (read.get_player_name("b"), read.get_player_name("w")) == tuple(
            tournament.labels[bot] for bot in record.seats
        )
        board, plays = moves.get_setup_and_moves(read)
        assert len(plays) == len(record.moves.split()) + (1 if record.block else 2)
        for color, move in plays:
            if move is not None:
                board.play(*move, color)
        rows = ["".join(board.get(4 - row, column) or "." for column in range(5)) for row in range(5)]
        assert rows == state.to_dict()["board"]
        area = board.area_score() - 1.5
        assert read.root.get("RE") == f"{'B' if area > 0 else 'W'}+{abs(area):g}"
        assert read.get_winner() == ("b" if state.returns()[0] == 100 else "w")
        assert read.root.get("TM") == 60
        timed = [node.has_property("BL") or node.has_property("WL") for node in read.get_main_sequence()[1:]]
        assert timed == [False] * (1 if record.block else 2) + [True] * len(record.decisions)
        last = read.get_last_node()
        assert 0 < last.get("BL" if last.has_property("B") else "WL") <= 60
        if record.block:
            assert [set(stones) for stones in read.root.get_setup_stones()] == [{(4, 0), (2, 0)}, {(3, 1)}, set()]
            assert read.root.get("PL") == "w"
    given = read_openings(str(tmp_path / "games.sgf"), game, 4).given
    assert given[0].split() == [*found[0].opening, *found[0].moves.split()[:2]]
    assert playout("records", "x.db", "-o", "-.sgf").out.encode() == content


def test_handicap_stones_are_in_sgf(tmp_path):
    sgf = pytest.importorskip("sgfmill.sgf")
    of = Tournament("go(size=9,handicap=C3-G7)", 2, ("random", "random"), 1)
    record = GameRecord(0, 0, (0, 1), 1, (), (0.0, 100.0), 2, "D4 pass", (), (), "resigned")
    (text,) = sgf_games(of, [StoredGame(record)], "x-")
    read = sgf.Sgf_game.from_bytes(text.encode())
    assert (read.get_handicap(), read.root.get("RE"), read.root.get("PL")) == (2, "W+R", "w")
    assert read.root.get_setup_stones()[0] == {(2, 2), (6, 6)}
    assert [node.get_move() for node in read.main_sequence_iter()][1:] == [("w", (3, 3)), ("b", None)]


@pytest.mark.parametrize(
    ("returns", "failures", "ending", "result"),
    [
        ((0.0, 100.0), (Failure(0, "late", "x", 0),), "", "W+T"),
        ((100.0, 0.0), (Failure(1, "illegal move", "x", 0),), "", "B+F"),
        ((50.0, 50.0), (), "max plies", "0"),
        (None, (Failure(-1, "death", "x", 0),), "", "Void"),
        ((0.0, 100.0), (), "", "W+7"),
    ],
)
def test_results_of_go_have_the_reason(returns, failures, ending, result):
    of = Tournament("go", 2, ("random", "random"), 1, names=("a]b\\", "c"))
    record = GameRecord(0, 0, (0, 1), 1, (), returns, 0, "", failures, (), ending)
    (text,) = sgf_games(of, [StoredGame(record)], "x-")
    assert f"RE[{result}]" in text
    assert "PB[a\\]b\\\\]PW[c]" in text


def test_decisions_are_kept_for_chess_and_go_alone(tmp_path):
    for name, kept in (("chess", True), ("go(size=5)", True), ("mnk", False)):
        with run(describe(name, ["random", "random"], games=2, max_plies=10), workers=1) as result:
            for stored in result.records():
                record = stored.record
                assert len(record.decisions) == (record.plies if kept else 0)
                assert all(0 <= seconds < 60 and value is None for seconds, value in record.decisions)


def test_json_records_have_the_decisions(playout):
    playout("arena", "chess", "mcts(leaf=static,simulations=5)", "random", *FAST, "--games", "2", "--max-plies", "4")
    for line in playout("records", "-o", "-").out.splitlines():
        plies = json.loads(line)["plies"]
        assert [len(ply["seconds"]) for ply in plies] == [1] * 4
        assert sum("values" in ply for ply in plies) == 2


def test_the_standard_start_has_no_position():
    of = Tournament("chess", 2, ("random", "random"), 1, openings=Openings(given=("e2e4",)))
    record = GameRecord(0, 0, (0, 1), 1, ("e2e4",), (50.0, 50.0), 1, "e7e5", (), (), "max plies")
    (text,) = pgn_games(of, [StoredGame(record)], "x-")
    assert text.endswith("\n\n1. e4 {book} e5\n1/2-1/2\n\n")
    assert "FEN" not in text
    assert "Opening" not in text
