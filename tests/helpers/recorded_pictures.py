"""Record pictures of positions, of results and of a game without boards in one page that tests compare.

usage: python tests/helpers/recorded_pictures.py [--write]

Prints the names of the pictures that differ from those in tests/data/pictures.html, or writes this page.
"""

import argparse
import re
import sys
from pathlib import Path

from python_games import Walk

import mcts

PAGE = Path(__file__).parent.parent / "data" / "pictures.html"
FIGURE = re.compile(r'<figure id="(\w+)">\n(.*?)\n</figure>\n', re.DOTALL)
TILES = "rr.......|.........|..b..b...|.........|.........|.........|.r.......|.........|.........".replace("|", "/")
BIDS = f"2_64,65_{TILES}_...r.b..._A1:4,A2:4,G1:4,G2:4_A2:1,C3:5,C6:5,G1:4_{TILES}"


def after(spec, *steps):
    """Return the state after steps; the texts of a joint action are separated by blanks."""
    state = mcts.load_game(spec).new_initial_state()
    for step in steps:
        texts = step.split()
        deciders = [mcts.CHANCE] if state.is_chance() else state.acting_players()
        state.apply_actions(state.joint_action(dict(zip(deciders, texts, strict=True))))
    return state


def pictures():
    """Return name -> a function that draws."""
    ttt = after("mnk", "mark(2,2)", "mark(1,1)", "mark(3,1)")
    won = mcts.load_game("mnk").state_from_text("xxx/oo./..._-")
    bids = ("bid(1,tiebreaker) bid(1)", "mark(2,2)")
    tic = ("mark(1,1)", "mark(2,1)", "mark(1,2)", "mark(2,2)", "mark(1,3)", "reset reset", "mark(1,2) mark(2,2)")
    spatial = mcts.load_game("bidding_3d_ttt").state_from_text(BIDS)
    heat = {"mark(1,3)": 60, "mark(1,2)": 30, "mark(3,3)": 10}
    return {
        "mnk": ttt.to_svg,
        "mnk_dark_won": lambda: won.to_svg(theme="dark", last=["1,3"]),
        "mnk_small": lambda: ttt.to_svg(size=120),
        "mnk_heat": lambda: ttt.to_svg(size=None, theme="light", heat=heat, highlight=["mark(1,3)"]),
        "mnk_wide": after("mnk(m=12,n=2,k=3)", "mark(1,11)").to_svg,
        "bidding_ttt": after("bidding_ttt", *bids).to_svg,
        "points_ttt": after("points_ttt", "mark(2,2)", "mark(2,1)").to_svg,
        "three_player_ttt": after("three_player_ttt", "mark(3,3)", "mark(1,1)", "mark(2,4)").to_svg,
        "tic_block": after("tic_block", *tic).to_svg,
        "dice_ttt": after("dice_ttt", "throw(2)", "mark(2,2)", "throw(1)").to_svg,
        "bidding_3d_ttt": spatial.to_svg,
        "bidding_3d_ttt_view": spatial.view(1).to_svg,
        "text": Walk().new_initial_state().to_svg,
        "result": mcts.MCTS.plain(ttt.game, seed=1).run(ttt, simulations=500).to_svg,
    }


def recorded():
    """Return name -> recorded picture."""
    return dict(FIGURE.findall(PAGE.read_text(encoding="utf-8")))


def main():
    """Write the pictures, or print which differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the page")
    drawn = {name: draw() for name, draw in pictures().items()}
    if parser.parse_args().write:
        figures = [f'<figure id="{name}">\n{text}\n</figure>\n' for name, text in drawn.items()]
        PAGE.write_text("<!DOCTYPE html>\n<title>Recorded pictures</title>\n" + "".join(figures), encoding="utf-8")
    else:
        stored = recorded() if PAGE.exists() else {}
        print(*(name for name, text in drawn.items() if stored.get(name) != text), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
