"""Playout's bot against OpenSpiel's MCTSBot."""

from ..format import significant, table

FILES = ("matches",)
COMMAND = "PYTHONPATH=. .venv/bin/python -P -m bench.matches --results bench/results/matches.json"
WORDS = {"seconds": "{:g} ms", "simulations": "{:,.0f} simulations"}


def interval(values):
    """Return the Elo with its 95 % interval. An end that is missing is infinite."""
    low, high = (f"{values[end]:+.0f}" if end in values else "∞" for end in ("low", "high"))
    return f"{values['elo']:+.0f} ({'-∞' if low == '∞' else low} to {high})"


def limit_of(result):
    """Return the limit in words."""
    kind, _, number = result.labels["limit"].partition("=")
    return WORDS[kind].format(float(number) * (1000 if kind == "seconds" else 1))


def markdown(matches):
    rows = []
    for result in matches.group("matches"):
        values = result.values
        rows.append(
            [
                f"`{result.name.partition('/')[2].rpartition(', ')[0]}`",
                limit_of(result),
                interval(values),
                f"{values['wins']:.0f} / {values['draws']:.0f} / {values['losses']:.0f}",
                significant(values["our_milliseconds"]),
                significant(values["their_milliseconds"]),
            ]
        )
    opponent = matches.results[0].labels["opponent"]
    head = ["Game", "Limit", "Elo (95 %)", "Won / drawn / lost", "Playout, ms a decision", "OpenSpiel, ms a decision"]
    return f"Elo of Playout against {opponent}:\n\n{table(head, rows, 2)}"
