from pathlib import Path

import playout

state = playout.load_game("my_corners.Corners").new_initial_state().child(3)
Path("corners.svg").write_text(state.to_svg(last=["4"]))
