from pathlib import Path

import playout
from mcts.reference.rulesheet import Rulesheet


def test_a_light_needs_the_first_one():
    state = playout.load_game("lights.kif").new_initial_state()
    assert [state.action_to_string(0, action) for action in state.legal_actions()] == ["switch(a)"]
    assert len(state.child(state.legal_actions()[0]).legal_actions()) == 2


def test_the_interpreter_reads_it_too():
    rules = Rulesheet(Path("lights.kif").read_text())
    assert rules.legal(rules.initial()) == {"player": {("switch", "a")}}
