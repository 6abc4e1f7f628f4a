from xml.etree import ElementTree

import playout


def test_free_corners_have_their_actions():
    state = playout.load_game("my_corners.Corners").new_initial_state().child(3)
    found = [shape.get("data-action") for shape in ElementTree.fromstring(state.to_svg()).iter()]
    assert [action for action in found if action] == ["take(1)", "take(2)", "take(3)"]
