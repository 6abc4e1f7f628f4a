"""Openings of EPD, PGN and SGF files: what they say by python-chess and sgfmill, and the errors of unsuitable files."""

import json
import random

import pytest

import bots
import mcts
from bots.arena import describe, run
from bots.arena.tournament.openings import Openings, make_book, read_openings, start_state
from bots.arena.tournament.plan import Plan
from bots.arena.tournament.schedule import Tournament
from bots.system.untrusted import clean_line

BOARD = "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -"
SPECS = {".epd": "chess", ".pgn": "chess", ".sgf": "go"}


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def states(path, spec=None, most_plies=None):
    game = mcts.load_game(spec or SPECS[path[-4:]])
    given = read_openings(path, game, most_plies).given
    return [start_state(game, make_book(game, Openings(given=(one,)), 0).opening(0)) for one in given]


def fens(path, spec=None, most_plies=None):
    return [state.to_text().replace("_", " ") for state in states(path, spec, most_plies)]


def test_epd_has_counters_as_operations_or_as_fields(tmp_path):
    lines = [
        f"{BOARD} fmvn 2; hmvc 1; ce +30;", f'{BOARD} id "a; b \\"c\\" # d";', f"{BOARD} 3 7",
        f'{BOARD} 3 7 ; c0 "x";', "", "# a comment", BOARD, f"{BOARD} bm Nf3 e4; hmvc 4",
    ]  # fmt: skip
    found = fens(written(tmp_path, "book.EPD", "\ufeff" + "\r\n".join(lines)), "chess")
    assert [fen.removeprefix(BOARD) for fen in found] == [" 1 2", " 0 1", " 3 7", " 3 7", " 0 1", " 4 1"]


PGN = r"""
[Event "a \"quoted\" \\ name"]
[Result "1-0"]
%an escape: e4 {
1. e4 {a comment [x] ( of
two lines} e5 ; to the end ) {
2. Nf3 (2. f4 exf4 (2... d5 $2) 3. Nf3 *) Nc6 $1 3.Bb5 a6!? 4. 0-0 Nf6 1-0

[FEN "4k3/8/8/8/4p3/8/3P4/4K3 w - - 7 30"]

30. d4 exd3 e.p. 31... Kd8 1/2-1/2
[White "nobody"]

*
1. d2d4 d7-d5 2 c4
"""


def test_pgn_has_comments_variations_numbers_and_positions(tmp_path):
    chess = pytest.importorskip("chess")
    path = written(tmp_path, "book.pgn", "\ufeff" + PGN.replace("31... Kd8", "31. Kf2"))
    boards = [chess.Board(), chess.Board("4k3/8/8/8/4p3/8/3P4/4K3 w - - 7 30"), chess.Board(), chess.Board()]
    for board, moves in zip(boards, ("e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6", "d4 exd3 Kf2", "", "d4 d5 c4"), strict=True):
        for move in moves.split():
            board.push_san(move)
    assert fens(path) == [board.fen(en_passant="legal") for board in boards]
    assert [len(one) for one in map(str.split, read_openings(path, mcts.load_game("chess"), 2).given)] == [2, 3, 0, 2]


def test_books_of_random_games_agree_with_python_chess(tmp_path):
    chess = pytest.importorskip("chess")
    pgn = pytest.importorskip("chess.pgn")
    rng = random.Random(4)
    games, ends = [], []
    for number in range(40):
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        game = pgn.Game()
        game.setup(board)
        game.headers["Variant"] = "Chess960"
        node = game
        for _ in range(number):
            node = node.add_variation(move := rng.choice([*board.legal_moves]), comment="x" * rng.randrange(3))
            board.push(move)
            if board.is_game_over(claim_draw=True):
                break
        if not board.is_game_over(claim_draw=True):
            games.append(game)
            ends.append(board)
    path = written(tmp_path, "book.pgn", "\n\n".join(map(str, games)))
    found = states(path, "chess(chess960=true)")
    for state, board in zip(found, ends, strict=True):
        other = chess.Board(state.to_text().replace("_", " "), chess960=True)
        assert {board.san(move) for move in board.legal_moves} == {other.san(move) for move in other.legal_moves}
        assert (other.halfmove_clock, other.fullmove_number) == (board.halfmove_clock, board.fullmove_number)


def test_repetitions_of_an_opening_count(tmp_path):
    line = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *"
    (state,) = states(written(tmp_path, "book.pgn", line))
    state.apply_action(state.string_to_action(1, "Ng8"))
    assert state.is_terminal()


SGF = r"""junk ( (;GM[1]FF[4]SZ[9]KM[375]AB[cc:cd][gg]AW[ee]PL[W];W[aa]C[a \] (;];B[bb](;W[ac];B[tt])(;W[cc]))
(;SZ[9:9]Komi[]KM[];B[aa];B[bb];W[cc];AW[ii]AE[aa];B[hh](;W[dd]))
(;SZ[9]HA[2];W[aa])
(;SZ[9])"""


def test_sgf_has_stones_variations_and_passes(tmp_path):
    path = written(tmp_path, "book.sgf", SGF)
    found = states(path)
    boards = [state.to_dict() for state in found]
    assert ["/".join(board["board"]) for board in boards] == [
        "w......../.b......./w.b....../..b....../....w..../........./......b../........./.........",
        "........./.b......./..w....../...w...../........./........./........./.......b./........w",
        "w......../........./......b../........./........./........./..b....../........./.........",
        "/".join(["." * 9] * 9),
    ]
    assert [(board["to_move"], board["passes"]) for board in boards] == [
        ("white", 1), ("black", 0), ("black", 0), ("black", 0)
    ]  # fmt: skip
    assert len(boards[0]["earlier"]) == 3
    assert states(path, most_plies=0)[0].to_dict()["board"][4] == "....w...."
    # the empty board is not among the earlier ones
    assert [len(state.to_dict()["earlier"]) for state in states(path, most_plies=1)] == [1, 0, 1, 0]
    # the first move after stones decides who is to move, and a pass fills the gap of a color that moves twice
    assert read_openings(written(tmp_path, "b.sgf", "(;SZ[9];B[aa];B[bb])"), mcts.load_game("go")).given == (
        "A9 pass B8",
    )
    shifted = SGF.replace("C[a", "C[\u30bd a").replace("GM", "CA[Shift_JIS]GM").encode("shift_jis")
    assert b"\x5c a" in shifted.replace(b"\x83\x5c", b"\x5c")
    assert states(written(tmp_path, "c.sgf", shifted)) == found


def test_random_games_of_sgfmill_are_read(tmp_path):
    sgf = pytest.importorskip("sgfmill.sgf")
    boards = pytest.importorskip("sgfmill.boards")
    game, rng, texts, ends = mcts.load_game("go(size=7)"), random.Random(5), [], []
    for _ in range(10):
        written_game, board, state = sgf.Sgf_game(size=7), boards.Board(7), game.new_initial_state()
        for color in "bw" * 20:
            points = [a for a in state.legal_actions(state.acting_players()[0]) if a < 49]
            if not points:
                break
            row, column = divmod(rng.choice(points), 7)
            state.apply_action(7 * row + column)
            board.play(6 - row, column, color)
            written_game.extend_main_sequence().set_move(color, (6 - row, column))
        texts.append(written_game.serialise())
        ends.append(board)
    for state, board in zip(states(written(tmp_path, "b.sgf", b"".join(texts)), game.spec), ends, strict=True):
        rows = ["".join(board.get(6 - row, column) or "." for column in range(7)) for row in range(7)]
        assert state.to_dict()["board"] == rows


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("b.epd", f"{BOARD}\n8/8 w", "line 2: it has 2 fields"),
        ("b.epd", f'{BOARD} id "x', "line 1: 'id \"x' is not an operation"),
        ("b.epd", f"{BOARD} hmvc x;", "line 1: .* half_moves and full_moves are 'x 1'"),
        ("b.epd", "8/8/8/8/8/8/8/8 w - -", "line 1: white has 0 kings"),
        ("b.epd", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -", "line 1: the game is over"),
        ("b.epd", "\n\n", "' has no openings; valid: games of chess"),
        ("b.pgn", "1. e4 *\n\n1. f3 e5\n2. g4 Qh4# 0-1", "game 2, line 4: the game is over in this position"),
        ("b.pgn", "1. f3 e5 2. g4 Qh4#\n3. e4 *", "game 1, line 2: the game is over before 'e4'"),
        ("b.pgn", "1. e4\n-- 2. d4", "game 1, line 2: a null move"),
        ("b.pgn", "*\n*\n1. Z0", "game 3, line 3: a null move"),
        ("b.pgn", "1. e4 e5 0000", "game 1, line 1: a null move"),
        ("b.pgn", "1. e4 e5\n2. Nd5", "game 1, line 2: 'Nd5' cannot be played"),
        ("b.pgn", "1. e4\n{ no end", "game 1, line 2: '{ no end' is not a part of a game"),
        ("b.pgn", "1. e4\n( e5 ( d5 )", "game 1, line 2: a variation has no end"),
        ("b.pgn", "1. e4 )", r"game 1, line 1: \) ends no variation"),
        ("b.pgn", "*\n" + "(" * 300_000, "game 2, line 2: a variation has no end"),
        ("b.pgn", "*\n\n[FEN \"8/8\"]\n*", "game 2, line 3: '8/8' is not a state"),
        ("b.pgn", '[Variant "Atomic"]\n1. e4', "game 1, line 1: the game is of the variant 'Atomic'"),
        ("b.pgn", '[Variant "fischerandom"]\n1. e4', r"game 1, line 1: .*chess\(chess960=true\)"),
        ("b.pgn", b"1. e4 \xff\x00\x1b[31m", "game 1, line 1: "),
        ("b.pgn", "", "' has no openings; valid: games of chess"),
        ("b.sgf", "(;SZ[9])\n(;B[aa])", "game 2, line 2: the size is 19; valid: 9"),
        ("b.sgf", "(;SZ[13])", "game 1, line 1: the size is 13"),
        ("b.sgf", "(;GM[2]SZ[9])", "game 1, line 1: GM is '2'"),
        ("b.sgf", "(;SZ[9];B[aa]\n;W[];B[tt])", "game 1, line 2: the game is over in this position"),
        ("b.sgf", "(;SZ[9];B[];W[]\n;B[aa])", "game 1, line 2: the game is over"),
        ("b.sgf", "(;SZ[9];B[aa]\n;W[aa])", "game 1, line 2: 'A9' cannot be played"),
        ("b.sgf", "(;SZ[9];B[jj])", "game 1, line 1: 'jj' is not a point"),
        ("b.sgf", "(;SZ[9]AB[a:b])", "game 1, line 1: 'a:b' is not a point"),
        ("b.sgf", "(;SZ[9]AB[aa]AW[x])", "game 1, line 1: 'x' is not a point"),
        ("b.sgf", "(;SZ[9]PL[?])", r"game 1, line 1: PL is '\?'; valid: B or W"),
        ("b.sgf", "(;SZ[9]AB[ba][ab]AW[aa])", "game 1, line 1: .*stone on A9 has no liberty"),
        ("b.sgf", "\n(;SZ[9];B[aa]", "game 1, line 2: it has no end"),
        ("b.sgf", "(;SZ[9]\n;B[aa", r"game 1, line 2: '\[aa' is not a part of a game"),
        ("b.sgf", "(;" * 200_000, "game 1, line 1: it has no end"),
        ("b.sgf", "nothing", "' has no openings; valid: games of go"),
    ],
)  # fmt: skip
def test_unsuitable_files_are_refused_in_one_line(tmp_path, name, content, words):
    with pytest.raises(bots.TournamentError, match=rf"{name[0]}\.{name[2:]}(, )?{words}") as error:
        states(written(tmp_path, name, content))
    assert clean_line(str(error.value), 1000) == str(error.value)


@pytest.mark.parametrize("kind", SPECS)
def test_damaged_files_raise_errors_of_tournaments_only(tmp_path, kind):
    content = {".epd": f'{BOARD} fmvn 2; id "x";\n'.encode(), ".pgn": PGN.encode(), ".sgf": SGF.encode()}[kind] * 3
    rng = random.Random(6)
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(damaged))
            damaged[at : at + rng.randrange(3)] = rng.choice(
                (b"", b"(", b")", b"[", b"]", b"{", b'"', b"\\", b";", b"\xff")
            )
        try:
            states(written(tmp_path, f"b{kind}", bytes(damaged)))
        except bots.TournamentError:
            continue


def test_files_are_for_their_game(tmp_path):
    with pytest.raises(bots.TournamentError, match=r"x\.sgf, which is a file of go, is given for chess"):
        states(written(tmp_path, "x.sgf", "(;SZ[9])"), "chess")
    with pytest.raises(bots.TournamentError, match=r"x\.pgn, which is a file of chess, is given for go"):
        states(written(tmp_path, "x.pgn", "*"), "go")


def test_order_start_and_plies_are_options(tmp_path, playout):
    path = written(tmp_path, "book.pgn", "1. e4 e5 *\n1. d4 d5 *\n1. c4 c5 *\n1. Nf3 Nf6 *\n")
    game = mcts.load_game("chess")

    def firsts(seed=0, **given):
        of = describe("chess", ["random", "random"], games=12, seed=seed, openings=path, **given)
        assert Tournament.from_dict(json.loads(json.dumps(of.to_dict()))) == of
        plan = Plan(of, game)
        games = [plan.scheduled(number) for number in range(12)]
        assert [one.opening for one in games[::2]] == [one.opening for one in games[1::2]]
        assert [one.seats for one in games[:2]] == [(0, 1), (1, 0)]
        return [" ".join(one.opening) for one in games[::2]]

    lines = ["e2e4 e7e5", "d2d4 d7d5", "c2c4 c7c5", "g1f3 g8f6"]
    assert firsts(opening_order="sequential") == [*lines, *lines[:2]]
    assert firsts(opening_order="sequential", opening_start=3) == [*lines[2:], *lines]
    assert firsts(opening_order="sequential", opening_max_plies=1)[:2] == ["e2e4", "d2d4"]
    assert firsts(opening_order="sequential", opening_max_plies=0)[:2] == ["", ""]
    mixed = firsts(3)
    assert sorted(mixed[:4]) == sorted(lines)
    assert mixed == firsts(3)
    assert firsts(3, opening_start=2)[:3] == mixed[1:4]
    assert len({tuple(firsts(seed)) for seed in range(20)}) > 5
    for given, words in (
        ({"opening_start": 5}, "first opening=5 is not valid; valid: a whole number from 1 to 4"),
        ({"opening_order": "up"}, "order of openings is 'up'; valid: random, sequential"),
        ({"opening_max_plies": -1}, "opening_max_plies"),
    ):
        with pytest.raises(bots.TournamentError, match=words):
            firsts(**given)
    result = playout("arena", "chess", "random", "random", "--opening-order", "sequential", "--no-db")
    assert result.status == 2
    assert "without a file of openings; valid: --openings FILE" in result.err


def test_a_tournament_goes_on_with_its_openings(tmp_path):
    text = '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n1. e4 Kd7 *\n1. e4 *\n1. d4 d5 2. c4 *'
    given = {"openings": written(tmp_path, "book.pgn", text), "max_plies": 6, "seed": 3}
    specs, db = ["random", "greedy", "random"], tmp_path / "x.db"
    run(describe("chess", specs, games=4, **given), db=db, workers=1, executor="threads").close()
    with run(describe("chess", specs, games=10, **given), db=db, workers=2, executor="threads") as result:
        extended = [stored.record for stored in result.records()]
    with run(describe("chess", specs, games=10, **given), workers=2) as result:
        assert [stored.record for stored in result.records()] == extended
    assert len({record.opening for record in extended}) == 3
    assert {len(record.opening) for record in extended} == {1, 3}


def test_the_book_of_a_position_with_plies_has_both(tmp_path):
    game = mcts.load_game("chess")
    path = written(tmp_path, "book.pgn", '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n1. e4 Kd7 *')
    opening = make_book(game, read_openings(path, game), 0).opening(0)
    assert opening[1:] == ("e2e4", "e8d7")
    assert json.loads(opening[0])["board"].count(".") == 61
