"""Chess beside python-chess and the numbers of others: legal moves, texts, ends, counts of moves, evaluation."""

import _thread
import random
import threading

import chess
import pytest

import mcts
from cext.game.playouts import evaluate

GAME = mcts.load_game("chess")
CHESS960 = mcts.load_game("chess(chess960=true)")
START = chess.STARTING_FEN
SUITES = {
    START: [20, 400, 8902, 197281, 4865609, 119060324],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": [48, 2039, 97862, 4085603, 193690690],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2812, 43238, 674624, 11030083],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9467, 422333, 15833292],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1486, 62379, 2103487, 89941194],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [46, 2079, 89890, 3894594, 164075551],
}
"""Positions -> numbers of sequences of one, two and more moves, as the chess programming wiki has them."""
FISCHER = {
    "nrkb2nr/ppppp1p1/6bp/5p2/BPP1P1P1/P7/3P1P1P/qRK1BQNR w BHbh - 0 3": [28, 763, 19347],
    "2r3kr/pbqp1ppp/1pn1p3/8/8/1PN1P3/PBQP1PPP/2R3KR w HChc - 0 1": [36, 1257, 45678],
}


@pytest.mark.parametrize("fen", SUITES)
def test_sequences_of_moves_are_as_many_as_others_count(fen):
    state = GAME.state_from_text(fen)
    assert [mcts.perft(state, depth) for depth in range(5)] == [1, *SUITES[fen][:4]]


@pytest.mark.long
@pytest.mark.parametrize("fen", SUITES)
def test_long_sequences_of_moves_are_as_many_as_others_count(fen):
    state = GAME.state_from_text(fen)
    for depth, count in enumerate(SUITES[fen], 1):
        assert mcts.perft(state, depth) == count


@pytest.mark.parametrize("fen", FISCHER)
def test_sequences_with_other_castling(fen):
    state = CHESS960.state_from_text(fen)
    assert [mcts.perft(state, depth) for depth in (1, 2, 3)] == FISCHER[fen]


def test_perft_counts_through_draws_and_refuses_other_games():
    state = GAME.state_from_text("8/8/8/3k4/8/3K4/8/8 w - - 120 200")
    assert state.is_terminal()
    assert mcts.perft(state, 2) == 36
    with pytest.raises(ValueError, match="depth=31; valid: 0 to 30"):
        mcts.perft(state, 31)
    with pytest.raises(mcts.UnsupportedGameError, match="games with perft"):
        mcts.perft(mcts.load_game("mnk").new_initial_state(), 1)


def test_a_long_count_is_interrupted():
    threading.Timer(0.05, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        mcts.perft(GAME.new_initial_state(), 30)
    assert mcts.perft(GAME.new_initial_state(), 3) == 8902


def check_same(state, board):
    """A state and a board of python-chess are the same position, with the same moves in both notations."""
    assert state.to_text().replace("_", " ") == board.fen(en_passant="legal")
    player = state.current_player()
    legal = {move.uci(): board.san(move) for move in board.legal_moves}
    found = {
        state.action_to_string(player, action): state.action_to_string(player, action, notation="san")
        for action in state.legal_actions(player)
    }
    assert found == legal
    for uci, san in legal.items():
        assert state.string_to_action(player, san) == state.string_to_action(player, uci)


def play_along(state, board, rng):
    """Play a random game, and return how many plies it had."""
    while not state.is_terminal():
        assert not board.is_checkmate()
        assert not (board.is_stalemate())
        assert not (board.is_insufficient_material())
        assert not (board.is_repetition(3))
        assert not (board.halfmove_clock >= 100)
        check_same(state, board)
        move = rng.choice([*board.legal_moves])
        board.push(move)
        state.apply_action(state.string_to_action(state.current_player(), move.uci()))
    assert (
        board.is_checkmate()
        or board.is_stalemate()
        or board.is_insufficient_material()
        or (board.is_repetition(3) or board.halfmove_clock >= 100)
    )
    winner = [50, 50] if not board.is_checkmate() else [0, 100] if board.turn else [100, 0]
    assert state.returns() == winner
    return board.ply()


@pytest.mark.parametrize("seed", range(2))
def test_random_games_are_those_of_another_program(seed):
    rng = random.Random(seed)
    board = chess.Board()
    assert play_along(GAME.new_initial_state(), board, rng) > 20


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
def test_random_games_of_chess960_are_those_of_another_program(seed):
    rng = random.Random(seed)
    board = chess.Board.from_chess960_pos(rng.randrange(960))
    state = CHESS960.state_from_text(board.shredder_fen() if seed % 2 else board.fen())
    assert play_along(state, board, rng) > 20


def test_moves_of_scoresheets():
    state = GAME.state_from_text("r3k2r/8/8/8/8/8/6P1/R3K2R w KQkq - 0 1")
    read = {text: state.action_to_string(0, state.string_to_action(0, text)) for text in ("O-O", "0-0-0", "Ke1-f2")}
    assert read == {"O-O": "e1g1", "0-0-0": "e1c1", "Ke1-f2": "e1f2"}
    assert state.action_to_string(0, state.string_to_action(0, "Rxa8+!?"), notation="san") == "Rxa8+"
    state = GAME.state_from_text("7k/P7/8/8/8/8/1N3N2/K7 w - - 0 1")
    assert state.action_to_string(0, state.string_to_action(0, "a8Q"), notation="uci") == "a7a8q"
    assert state.string_to_action(0, "a7a8Q") == state.string_to_action(0, "a8=Q+")
    for wrong in ("Nd1", "a8", "Kb1", "e4"):
        with pytest.raises(mcts.IllegalActionError, match="or one of"):
            GAME.state_from_text("7k/P7/8/8/8/8/1N3N2/1K6 w - - 0 1").string_to_action(0, wrong)
    with pytest.raises(mcts.IllegalActionError, match=r"Nd1' is.*it fits several"):
        state.string_to_action(0, "Nd1")
    with pytest.raises(ValueError, match="notation='lan'; valid: uci, san"):
        state.action_to_string(0, state.legal_actions()[0], notation="lan")
    with pytest.raises(ValueError, match="mnk has one notation"):
        mcts.load_game("mnk").new_initial_state().action_to_string(0, 0, notation="san")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1"),
        ("4k3/8/8/8/8/8/8/4K2R w KQkq e6 5 0", "4k3/8/8/8/8/8/8/4K2R_w_K_-_5_1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9", "4k3/8/8/3pP3/8/8/8/4K3_w_-_d6_0_9"),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 9", "4k3/8/8/3p4/8/8/8/4K3_w_-_-_0_9"),
    ],
)
def test_positions_are_read_with_what_is_missing_or_impossible(text, read):
    assert GAME.state_from_text(text).to_text() == read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8/8/8/8/8/8/8/8 w - -", "white has 0 kings"),
        ("4k3/8/8/8/8/8/8/4K3 w", "it has 2 fields, not 4 or 6"),
        ("4k3/8/8/8/8/8/4K3 w - -", "valid: 8 rows of 8 squares"),
        ("4k3/8/8/8/8/9/8/4K3 w - -", "valid: 8 rows of 8 squares"),
        ("4k3/8/8/8/8/8/8/4K3 x - -", "to_move is 'x'; valid: w, b"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "numbers up to 9999"),
        ("4k3/8/8/8/8/8/8/4K3 w Z - 0 1", "'castling' is 'Z'"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(text, message):
    with pytest.raises(mcts.StateError, match=message):
        GAME.state_from_text(text)


def test_repetitions_are_in_the_dict_and_begin_anew_in_a_text():
    state = GAME.new_initial_state()
    for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]:
        state.apply_action(state.string_to_action(state.current_player(), text))
    by_dict, by_text = GAME.state_from_dict(state.to_dict()), GAME.state_from_text(state.to_text())
    for each in (state, by_dict, by_text):
        each.apply_action(each.string_to_action(1, "f6g8"))
    assert state.is_terminal()
    assert by_dict == state
    assert not by_text.is_terminal()


def test_the_evaluation_is_that_of_the_mirrored_position_and_sees_captures():
    rng = random.Random(3)
    board = chess.Board()
    for _ in range(200):
        if board.is_game_over():
            board = chess.Board()
        value = evaluate(GAME.state_from_text(board.fen()))
        assert value == pytest.approx(evaluate(GAME.state_from_text(board.mirror().fen()))[::-1], abs=0.3)
        assert sum(value) == 100
        board.push(rng.choice([*board.legal_moves]))
    assert evaluate(GAME.new_initial_state())[0] == pytest.approx(52, abs=2)
    hanging = GAME.state_from_text("rnb1kbnr/pppppppp/8/8/3q4/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1")
    assert evaluate(hanging)[0] > 95
    with pytest.raises(mcts.StateError, match="has no static evaluation"):
        evaluate(mcts.load_game("mnk").new_initial_state())


def test_a_search_evaluates_instead_of_playing_out():
    searcher = mcts.MCTS(GAME, seed=1)
    assert (searcher.parameters["leaf"], searcher.parameters["selection"]) == ("static", "ucb1")
    state = GAME.state_from_text("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    found = searcher.run(state, simulations=2000)
    assert state.action_to_string(0, found.action, notation="san") == "Qxf7#"
    assert found.proven
    assert mcts.MCTS.plain(GAME).parameters["leaf"] == "playout"
    assert mcts.MCTS(GAME, selection="grave").parameters["leaf"] == "playout"
    with pytest.raises(mcts.ParameterError, match=r"mnk.*has no static evaluation"):
        mcts.MCTS(mcts.load_game("mnk"), leaf="static", selection="ucb1")
