"""Ratings of the levels of each game, from the tables that come with the package."""

from bots.levels import NUM_LEVELS, shipped_tables

from ..format import table

FILES = ()
RAW = ("bots/levels.json",)
COMMAND = "playout calibrate GAME --games GAMES --simulations SIMULATIONS --out bots/levels.json"


def markdown():
    tables = shipped_tables()
    rows = []
    for spec, found in tables.items():
        scores = [score for score, _ in found.scores]
        steps = f"{100 * min(scores):.0f} to {100 * max(scores):.0f} %"
        top = f"{found.levels[-1].simulations:,}"
        rows.append([f"`{spec}`", *(f"{elo:.0f}" for elo in found.elo), steps, top, f"{found.games:,}"])
    return table(["Game", *map(str, range(1, NUM_LEVELS + 1)), "Steps", "Simulations of 10", "Games of a step"], rows)
