"""Recorded games of every variant: states, legal and illegal actions, and returns at every ply.

In a playthrough, what is drawn, written, legal and seen at every ply is the same to the byte.
`python tests/helpers/playthrough.py --write` records them anew; the difference shows in `git diff`.
"""

import json

import playthrough
import pytest
from support import RECORDINGS, is_registered, read_recording, recorded_spec

import mcts

REPLAYABLE = [name for name in RECORDINGS if is_registered(recorded_spec(name))]
PLAYTHROUGHS = playthrough.recorded()


def check_state(state, expected):
    shown = state.to_dict()
    assert {key: shown.get(key, "missing") for key in expected} == expected
    rebuilt = state.game.state_from_dict(json.loads(json.dumps(shown)))
    assert rebuilt == state
    assert rebuilt.key() == state.key()
    assert state.game.state_from_text(state.to_text()) == state


def check_legal(state, player, expected):
    legal = state.legal_actions(player)
    assert legal == sorted(legal)
    assert sorted(state.action_to_string(player, action) for action in legal) == expected


def accepts(state, player, text):
    try:
        return state.is_legal(player, state.string_to_action(player, text))
    except mcts.IllegalActionError:
        return False


def replay(record):
    state = mcts.load_game(record["game"]).new_initial_state()
    for step in record["steps"]:
        assert not state.is_terminal()
        check_state(state, step["state"])
        if step["legal"] is not None:
            for player, expected in enumerate(step["legal"]):
                check_legal(state, player, expected)
        for player, texts in enumerate(step.get("illegal", [])):
            for text in texts:
                assert not accepts(state, player, text), text
        joint = [state.string_to_action(player, text) for player, text in enumerate(step["joint"])]
        assert [state.action_to_string(player, action) for player, action in enumerate(joint)] == step["joint"]
        state.apply_actions(joint)
    assert state.is_terminal()
    check_state(state, record["final"])
    assert state.returns() == [float(value) for value in record["returns"]]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", REPLAYABLE)
def test_recorded_games_replay(name):
    records = read_recording(name)
    assert len(records) == 200
    for number, record in enumerate(records):
        try:
            replay(record)
        except Exception as error:
            error.add_note(f"in game {number} of {name}")
            raise


def test_every_recording_has_a_registered_game():
    missing = [name for name in RECORDINGS if not is_registered(recorded_spec(name))]
    assert not missing
    assert len(RECORDINGS) == 10


@pytest.mark.parametrize("spec", playthrough.specs())
def test_playthroughs_equal_the_recorded_ones(spec):
    assert playthrough.recording(spec) == PLAYTHROUGHS[spec]


def test_every_playthrough_belongs_to_a_variant():
    assert sorted(PLAYTHROUGHS) == sorted(playthrough.specs())
