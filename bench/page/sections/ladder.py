"""Ratings of random, greedy, levels, searches and exact play: a column for each game."""

import shlex

from bench.ladder import BOTS

from ..format import table

FILES = ("ladder",)
COMMAND = "python -m bench.ladder"


def markdown(stored):
    found = {}
    for result in stored.group("ladder"):
        found.setdefault(result.labels["game"], {})[result.labels["bot"]] = result
    games = [game for game in BOTS if game in found]
    bots = list(dict.fromkeys(bot for game in games for bot in ("random", "greedy", *BOTS[game])))
    rows = [[f"`{bot}`", *(_cell(found[game].get(bot)) for game in games)] for bot in bots]
    commands = [f"- `playout arena {shlex.quote(game)} BOTS {_any(found[game]).labels['options']}`" for game in games]
    head = ["Bot", *(f"`{game.partition('(')[0]}`" if _is_alone(game, games) else f"`{game}`" for game in games)]
    told = "The tournaments, with the bots of the column for `BOTS`:"
    return "\n\n".join([table(head, rows), told, "\n".join(commands)])


def _any(results):
    return next(iter(results.values()))


def _is_alone(game, games):
    """Return True if no other game has the same name with other parameters."""
    name = game.partition("(")[0]
    return sum(other.partition("(")[0] == name for other in games) == 1


def _cell(result):
    if result is None:
        return ""
    values = result.values
    if "elo" not in values:
        return "not rated"
    if "elo_lower" not in values or "elo_upper" not in values:
        return f"{values['elo']:.0f}"
    half = (values["elo_upper"] - values["elo_lower"]) / 2
    return f"{values['elo']:.0f} ± {half:.0f}" if half else f"{values['elo']:.0f}"
