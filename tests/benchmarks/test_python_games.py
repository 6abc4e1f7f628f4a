"""The versions of a game in Python whose speed is compared follow the same rules, and the table has a row for each."""

import random

import pytest

import mcts
from bench import python_games


@pytest.mark.parametrize("way", python_games.WAYS)
def test_all_versions_have_the_rules_of_the_compiled_game(way):
    rng = random.Random(1)
    ours, theirs = mcts.load_game("mnk"), way()
    for _ in range(200):
        state, other = ours.new_initial_state(), theirs.new_initial_state()
        while not state.is_terminal():
            assert other.legal_actions() == state.legal_actions()
            assert other.acting_players() == state.acting_players()
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            other.apply_action(action)
        assert other.is_terminal()
        assert other.returns() == state.returns()


def test_the_table_has_a_row_for_each_version(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["bench.python_games", "--seconds", "0.01"])
    python_games.main()
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split()[1] for row in rows] == ["cells", "last", "bits", "cached", "compiled"]
    first, *_, compiled = (float(row.split("|")[2].replace(",", "")) for row in rows)
    assert compiled > 100 * first
