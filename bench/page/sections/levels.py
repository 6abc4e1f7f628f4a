"""Ratings of the levels of each game, from the tables that come with the package."""

from bots.arena.ratings.elo import elo_of_score
from bots.calibration import GOOD_STEP, even_step, span
from bots.levels import NUM_LEVELS, shipped_tables

from ..format import table

FILES = ()
RAW = ("bots/levels.json",)
COMMAND = "playout calibrate GAME --games GAMES --simulations SIMULATIONS --out bots/levels.json"


def markdown():
    tables = shipped_tables()
    rows = [_row(spec, found) for spec, found in tables.items()]
    head = [
        "Game",
        *map(str, range(1, NUM_LEVELS + 1)),
        "Steps",
        "1 and 10 against `random`",
        "Simulations of 10",
        "Games",
    ]
    # A table without measured ends is not shipped: the tests ask for them.
    narrow = [_told(spec, found) for spec, found in tables.items() if even_step(found) < GOOD_STEP]
    return "\n\n".join([table(head, rows), *(["\n".join([_WHY, "", *narrow])] if narrow else [])])


_NEEDED = (NUM_LEVELS - 1) * elo_of_score(GOOD_STEP)
_WHY = (
    f"Nine steps of {100 * GOOD_STEP:.0f} % need {_NEEDED:.0f} Elo between random play and level {NUM_LEVELS}. "
    "These games have less, so their steps are even and smaller:"
)


def _row(spec, found):
    scores = [score for score, _ in found.scores]
    steps = f"{100 * min(scores):.0f} to {100 * max(scores):.0f} %"
    ends = " and ".join(f"{100 * score:.0f}" for score, _ in found.ends)
    top = f"{found.levels[-1].simulations:,}"
    return [f"`{spec}`", *(f"{elo:.0f}" for elo in found.elo), steps, f"{ends} %", top, f"{found.games:,}"]


def _told(spec, found):
    told = f"- `{spec}`: {span(found):.0f} Elo along the steps"
    for score, error in found.ends[1:]:
        told += f"; level {NUM_LEVELS} scores {100 * score:.1f} ± {100 * error:.1f} % against random play"
    return f"{told}. An even step is {100 * even_step(found):.1f} %."
