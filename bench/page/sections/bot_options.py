"""Options of the bot `mcts`, one table for each group."""

from ..format import table

FILES = ("bot_options",)
COMMAND = "python -m bench.bot_options"


def markdown(stored):
    groups = {}
    for result in stored.results:
        groups.setdefault((result.labels["group"], result.labels["base"]), []).append(result)
    return "\n\n".join(_group(*group, results) for group, results in sorted(groups.items()))


def _group(title, base, results):
    bots = sorted({result.labels["bot"] for result in results}, key=_order)
    places = sorted({(result.labels["game"], result.labels["limit"]) for result in results})
    found = {(r.labels["game"], r.labels["limit"], r.labels["bot"]): r.values for r in results}
    rows = []
    for game, limit in places:
        cells = [_cell(found.get((game, limit, bot))) for bot in bots]
        games = sorted({f"{found[game, limit, bot]['games']:,.0f}" for bot in bots if (game, limit, bot) in found})
        rows.append([f"`{game}`", f"`{limit}`", *cells, " or ".join(games)])
    head = ["Game", "Limit", *(f"`{bot.removeprefix('mcts(').removesuffix(')')}`" for bot in bots), "Games"]
    title = title[0].upper() + title[1:].replace("_", " ")
    return f"### {title}, against `{base}`\n\n{table(head, rows)}"


def _order(bot):
    """Return a key that puts bots with the same words in the order of their numbers."""
    words, _, number = bot[:-1].rpartition("=")
    try:
        return words, float(number), ""
    except ValueError:
        return words, 0.0, number


def _cell(values):
    if values is None:
        return ""
    if "elo" not in values:
        return f"{values['points']:+.1f} ± {values['points_error']:.1f} points"
    if "low" not in values or "high" not in values:
        return f"{values['elo']:+.0f}"
    return f"{values['elo']:+.0f} ± {(values['high'] - values['low']) / 2:.0f}"
