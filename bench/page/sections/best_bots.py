"""Bots at equal time, game by game."""

from itertools import groupby

from ..format import table

FILES = ("best_bots",)
COMMAND = "python -m bench.best_bots"


def markdown(stored):
    def game_of(result):
        return result.name.split("/")[1]

    parts = []
    for game, rows in groupby(sorted(stored.group("best_bots"), key=game_of), key=game_of):
        found = list(rows)
        head = ["Bot", "Elo", "95 % interval", "Mean return", "Games"]
        cells = [_row(result) for result in sorted(found, key=lambda result: -result.values.get("elo", -1e9))]
        parts.append(f"### {game}\n\n{table(head, cells)}\n\n`{found[0].labels['command']}`")
    return "\n\n".join(parts)


def _row(result):
    values = result.values
    ends = [f"{round(values[key]):+d}" if key in values else "" for key in ("elo_lower", "elo_upper")]
    interval = " to ".join(ends) if all(ends) else f"above {ends[0]}" if ends[0] else f"below {ends[1]}"
    elo = f"{round(values['elo']):+d}" if "elo" in values else ""
    return [f"`{result.labels['bot']}`", elo, interval, f"{values['mean_return']:.1f}", f"{values['games']:.0f}"]
