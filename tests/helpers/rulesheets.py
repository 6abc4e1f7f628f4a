"""Rulesheets of the library and the tests, and random games of two implementations of one game."""

import random
from pathlib import Path

from support import ROOT

import mcts
from cext.game.playouts import UNIT, play_chunks
from mcts.gdl.secret_game import sheet_of
from mcts.gdl.texts import term_text
from mcts.reference.rulesheet import Rulesheet

FOLDER = Path(mcts.__file__).parent / "rulesheets"
TWINS = ROOT / "tests" / "data" / "rulesheets"
"""The library, and the rules of native games."""
PATHS = sorted([*FOLDER.glob("*.kif"), *TWINS.glob("*.kif")])
SLOW = {"othello": 2, "reversi": 2, "ataxx_5x5": 2, "lines_of_action": 2, "minichess": 2, "gomoku_13x13": 2}
SLOW |= {"amazons": 2, "nine_mens_morris": 2, "chinese_checkers": 2, "hex_9x9": 2, "tic_tac_chec": 2, "checkers": 2}
"""Rulesheet -> steps and games that are compared in a short test, where these take long."""
SMALL = [
    path
    for path in PATHS
    if path.parent == TWINS
    or path.stem
    in {
        "breakthrough", "connect_four", "dots_and_boxes", "goofspiel", "hex", "king_and_rook", "nim", "pursuit",
        "rock_paper_scissors", "tic_tac_toe", "tron",
    }
]  # fmt: skip
"""Rulesheets of which many games are played in a short test."""

ENDLESS = """
(role walker) (init (at left)) (swap left right) (swap right left)
(legal walker go) (legal walker (wait a)) (<= (next (at ?b)) (true (at ?a)) (swap ?a ?b) (does walker go))
(<= (next (at ?a)) (true (at ?a)) (does walker (wait a)))
(<= terminal (true (at left)) (true (at right))) (<= (goal walker 30) (true (at left)))
"""

COMMON_NOOP = """
(role a) (role b) (init (step 1)) (legal a noop) (legal b noop)
(<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2))) (goal a 70) (goal b 10) (goal b 20)
"""

WITHOUT_MOVE = """
(role a) (role b) (init (left 1)) (legal a (take 1)) (<= (legal b (take 2)) (true (left 9)))
(<= (next (left 0)) (does a (take 1))) (<= (next (left 9)) (true (left 0)))
(<= (next gone) (does b (take 2))) (<= terminal (true gone)) (goal a 0) (goal b 100)
"""
"""Odd games: one that never ends by itself; one where all can only wait; one with a role without a move."""


def written(folder, text):
    """Write a rulesheet into a folder and return its path."""
    path = folder / "sheet.kif"
    path.write_text(text)
    return str(path)


def path_of(name):
    """Return the path of a rulesheet of the library or of a native game."""
    return next(path for path in PATHS if path.stem == name)


def load(path):
    """Return the game of a rulesheet."""
    return mcts.load_game(str(path))


def play_beside_reference(path, seed, most_steps):
    """Play a random game, and compare every state with the interpreter in plain Python."""
    game, rules = sheet_of(load(path)), Rulesheet(path.read_text())
    rng = random.Random(seed)
    state, expected = game.new_initial_state(), rules.initial()
    for _ in range(most_steps):
        facts = {*state.to_dict()["facts"], *game.network.always}
        assert facts == {term_text(fluent) for fluent in expected} - set(game.network.unused)
        assert state.is_terminal() == rules.terminal(expected)
        if state.is_terminal():
            assert [{value} for value in state.returns()] == list(rules.goals(expected).values())
            return
        moves, joint = {}, []
        for player, (role, legal) in enumerate(rules.legal(expected).items()):
            texts = {"noop()" if move == "noop" else term_text(move): move for move in legal}
            actions = state.legal_actions(player)
            if actions == [mcts.NOOP]:
                assert set(texts) == {"noop()"}
            else:
                assert {state.action_to_string(player, action) for action in actions} == set(texts)
            text = rng.choice(sorted(texts))
            moves[role] = texts[text]
            joint.append(mcts.NOOP if actions == [mcts.NOOP] else state.string_to_action(player, text))
        state.apply_actions(joint)
        expected = rules.following(expected, moves)


def play_beside_native(path, native, compare, seed):
    """Play a random game of a rulesheet and of the native game with the same texts of actions.

    compare: called with both states, at every step.
    """
    rng = random.Random(seed)
    state, other = load(path).new_initial_state(), mcts.load_game(native).new_initial_state()
    assert state.game.players == other.game.players
    while not state.is_terminal():
        compare(state, other)
        assert state.acting_players() == other.acting_players()
        texts = {}
        for player in state.acting_players():
            legal = [
                [each.action_to_string(player, action) for action in each.legal_actions(player)]
                for each in (state, other)
            ]
            assert sorted(legal[0]) == sorted(legal[1])
            texts[player] = rng.choice(legal[0])
        state.apply_actions(state.joint_action(texts))
        other.apply_actions(other.joint_action(texts))
    compare(state, other)
    assert other.is_terminal()
    assert state.returns() == other.returns()


def means(state, count, by):
    """Return the mean returns of random games from a state, played one after the other or side by side."""
    return [total / UNIT / count for total in play_chunks(state, 3, count, 0, 1, False, by)]
