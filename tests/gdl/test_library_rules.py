"""The rulesheets of the library, beside published numbers and beside rules that are written by hand in Python."""

import random

import pytest
import rules_by_hand as by_hand

import mcts

RULES = {
    "gomoku_9x9": lambda: by_hand.InARow(9, 9, 5),
    "gomoku_13x13": lambda: by_hand.InARow(13, 13, 5),
    "hex_7x7": lambda: by_hand.Hex(7),
    "hex_9x9": lambda: by_hand.Hex(9),
    "connect_five_9x6": lambda: by_hand.Dropped(9, 6, 5),
    "reversi": by_hand.Reversi,
    "breakthrough_8x8": by_hand.Breakthrough,
    "knightthrough": by_hand.Knightthrough,
    "hexapawn": by_hand.Hexapawn,
    "nim": lambda: by_hand.Nim(2, (3, 5, 7), 7),
    "three_player_nim": lambda: by_hand.Nim(3, (4, 5, 6), 3),
    "chomp": by_hand.Chomp,
    "three_player_connect_four": by_hand.DroppedByThree,
    "rock_paper_scissors": by_hand.Scissors,
    "pursuit": by_hand.Pursuit,
    "checkers": by_hand.Checkers,
    "ataxx_5x5": lambda: by_hand.Ataxx(5, 60),
    "pentago": by_hand.Pentago,
    "kalah": lambda: by_hand.Kalah(4, 3),
    "lines_of_action": by_hand.LinesOfAction,
    "minichess": by_hand.Minichess,
    "tic_tac_chec": by_hand.TicTacChec,
    "fox_and_hounds": by_hand.FoxAndHounds,
}

COUNTS = {
    "reversi": (4, 12, 56, 244, 1396, 8200, 55092),
    "checkers": (7, 49, 302, 1469, 7361, 36768),
    "breakthrough_8x8": (22, 484, 11132),
    "minichess": (7, 53, 506, 4775, 52512),
}
"""Rulesheet -> published numbers of sequences of 1, 2, ... turns; those of minichess are of Fairy-Stockfish."""
SHORT = 2000
"""Most sequences that are counted in a short test."""


def text_of(move):
    return f"{move[0]}({','.join(map(str, move[1:]))})" if move[1:] else move[0]


def sequences(state, turns):
    """Return the number of sequences of turns. The moves that a player makes one after the other are one turn."""
    if turns == 0:
        return 1
    if state.is_terminal():
        return 0
    mover = state.current_player()
    total = 0
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        total += sequences(after, turns - (after.is_terminal() or after.current_player() != mover))
    return total


def play_beside(name, seed):
    """Play a random game, and compare the players who move, their moves and the returns."""
    rng = random.Random(seed)
    state, position = mcts.load_game(name).new_initial_state(), RULES[name]()
    while (result := position.result()) is None:
        assert state.acting_players() == position.acting()
        chosen = {}
        for player in position.acting():
            moves = {text_of(move): move for move in position.moves_of(player)}
            texts = [state.action_to_string(player, action) for action in state.legal_actions(player)]
            assert sorted(texts) == sorted(moves)
            text = rng.choice(texts)
            chosen[player] = text, moves[text]
        state.apply_actions(state.joint_action({player: text for player, (text, _) in chosen.items()}))
        position.play(*(move for _, move in chosen.values()))
    assert state.is_terminal()
    assert tuple(state.returns()) == result


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", RULES)
def test_a_game_has_the_moves_and_returns_of_rules_by_hand(name):
    play_beside(name, 1)


@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_many_games_have_the_moves_and_returns_of_rules_by_hand(name):
    for seed in range(2, 16):
        play_beside(name, seed)


@pytest.mark.parametrize("name", COUNTS)
def test_published_numbers_of_sequences(name):
    start = mcts.load_game(name).new_initial_state()
    short = [count for count in COUNTS[name] if count <= SHORT]
    assert len(short) > 1
    assert [sequences(start, turns) for turns in range(1, len(short) + 1)] == short


@pytest.mark.long
@pytest.mark.parametrize("name", COUNTS)
def test_large_published_numbers_of_sequences(name):
    assert sequences(mcts.load_game(name).new_initial_state(), len(COUNTS[name])) == COUNTS[name][-1]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hexapawn", 0),  # Gardner 1962
        ("nim", 100),  # 3, 5 and 7 have the nim-sum 1 (Bouton 1901)
        ("chomp", 100),  # the first player could begin with any reply of the second (Gale 1974)
    ],
)
def test_solved_games_have_their_known_values(name, value):
    assert mcts.solve(mcts.load_game(name), cache=False).value() == [value, 100 - value]
