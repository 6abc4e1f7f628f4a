"""The sections of pages: the table `SECTIONS`, and the functions that make Markdown and plots from stored results."""

import re
import shlex
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from statistics import median

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from bench.ladder import BOTS
from bots.players.common.levels import NUM_LEVELS, even_levels, shipped_tables
from cext.spec import format_value
from mcts.gdl.rulesheets import library_games
from mcts.options import COMMON, OPTIONS

COLUMNS = 120
"""Of a line of text."""
WIDTH = 7.0
"""Inches of a plot."""


# Numbers and tables


def table(head, rows, text_columns=1):
    """Return a table. The first `text_columns` columns are aligned to the left, the others to the right."""
    marks = ["---"] * text_columns + ["---:"] * (len(head) - text_columns)
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, marks, *rows])


def wrapped(text, indent=""):
    """Return a paragraph in lines of the width of a page, without a break in code; all but the first are indented."""
    text = re.sub("`[^`]{1,118}`", lambda found: found[0].replace(" ", "\0"), text)
    lines = textwrap.fill(text, COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\0", " ")


def significant(number, digits=3):
    """Return a number with `digits` significant digits, without an exponent."""
    rounded = float(f"{number:.{digits}g}")
    before_point = len(f"{abs(int(rounded))}") if abs(rounded) >= 1 else 0
    return f"{rounded:,.{max(0, digits - before_point)}f}"


def rate(number):
    """Return a rate with three significant digits: 24.8 million, 312,000, 87.0."""
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{significant(number / size)} {word}"
    return significant(number)


def time_of(seconds):
    """Return a time with three significant digits in a fitting unit."""
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{significant(seconds / size)} {unit}"
    return f"{significant(seconds / 1e-9)} ns"


def case_of(result):
    """Return the part of a result's name after the slash."""
    return result.name.partition("/")[2]


def code(text):
    """Return a text as code."""
    return f"`{text}`"


def paired_ratio(one, other):
    """Return the median ratio of the rates of two results, measured in the same passes."""
    pairs = zip(one.seconds, other.seconds, strict=True)
    scale = one.units / other.units
    return median(scale * median(theirs) / median(ours) for ours, theirs in pairs)


def elo_with_error(values, low, high, form="+.0f"):
    """Return the Elo of a result with the half width of its interval, if the interval has both ends."""
    elo = f"{values['elo']:{form}}"
    half = (values[high] - values[low]) / 2 if low in values and high in values else 0
    return f"{elo} ± {half:.0f}" if half else elo


# The benchmark suite: speed and memory on one machine

MACHINE = "processor", "cores", "memory_mb", "system", "libc", "machine_code", "compiler", "python", "numpy", "playout"
WORDS = {
    "cores": "{} cores",
    "memory_mb": "{:,} MB",
    "python": "Python {}",
    "numpy": "numpy {}",
    "playout": "Playout {}",
}
POLICIES = {
    "selection": ("`mnk(m=5,n=5,k=4)`, one player decides", ("ucb1", "grave", "puct")),
    "joint_selection": ("`bidding_ttt(coins=3)`, both decide at once", ("regret_matching", "exp3")),
}
"""Group of results -> where the search decides, and the policies that the table has."""


def machine(suite):
    parts = (WORDS.get(key, "{}").format(suite.machine[key]) for key in MACHINE if key in suite.machine)
    return wrapped(f"{', '.join(parts)}.")


def _fastest_first(suite, group):
    """Return the results of a group, without variants of a game that have the same speed."""
    found = (result for result in suite.group(group) if "tiebreaker" not in result.name)
    return sorted(found, key=lambda result: -result.rate)


def playouts(suite):
    found = _fastest_first(suite, "playouts")
    return table(["Game", "Playouts a second"], [[code(case_of(result)), rate(result.rate)] for result in found])


def search(suite):
    rows = []
    for result in _fastest_first(suite, "search"):
        game, _, searcher = case_of(result).partition(", ")
        size = result.values.get("tree_bytes_per_simulation")
        call = f"{code(game)}, {code(searcher)}" if searcher else code(game)
        rows.append([call, rate(result.rate), "" if size is None else significant(size)])
    return table(["Game", "Simulations a second", "Bytes of tree a simulation"], rows)


def selection(suite):
    rows = [
        [where, code(case_of(result)), rate(result.rate)]
        for group, (where, policies) in POLICIES.items()
        for result in sorted(suite.group(group), key=lambda result: -result.rate)
        if case_of(result) in policies
    ]
    return table(["Game", "Policy", "Simulations a second"], rows, 2)


def threads(suite):
    games = list(dict.fromkeys(case_of(result).partition(", ")[0] for result in suite.group("threads")))
    rows = []
    for game in games:
        one, two = (suite.find(f"threads/{game}, {way}") for way in ("one thread", "two threads"))
        rows.append([code(game), rate(one.rate), f"{paired_ratio(two, one):.2f}"])
    return table(["Game", "One thread, simulations a second", "Two threads"], rows)


def tree_size(suite):
    return table(
        ["Simulations", "Simulations a second", "Bytes of tree a simulation"],
        [
            [f"{int(case_of(result)):,}", rate(result.rate), significant(result.values["tree_bytes_per_simulation"])]
            for result in suite.group("tree_size")
        ],
        0,
    )


def plot_tree_size(suite):
    found = suite.group("tree_size")
    figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
    axes = figure.subplots()
    sizes = [int(case_of(result)) for result in found]
    slowest, fastest = ([extreme(result.rounds) for result in found] for extreme in (max, min))
    axes.fill_between(
        sizes,
        [result.units / taken / 1e6 for result, taken in zip(found, slowest, strict=True)],
        [result.units / taken / 1e6 for result, taken in zip(found, fastest, strict=True)],
        alpha=0.2,
        label="all rounds",
    )
    axes.plot(sizes, [result.rate / 1e6 for result in found], "o-", label="median round")
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("simulations of the search")
    axes.set_ylabel("million simulations a second")
    axes.grid(True, alpha=0.3)
    axes.legend(loc="lower left")
    return figure


def calls(suite):
    rows = []
    for result in suite.group("states"):
        method, _, game = case_of(result).partition(", ")
        rows.append([code(method), code(game), time_of(1 / result.rate)])
    for result in suite.group("decisions"):
        what, _, simulations = case_of(result).partition(", simulations=")
        plural = "" if simulations == "1" else "s"
        call = f"{code(what)}, {int(simulations):,} simulation{plural}"
        rows.append([call, code("mnk(m=5,n=5,k=4)"), time_of(1 / result.rate)])
    return table(["Call", "Game", "Time of a call"], rows, 2)


def arena(suite):
    rows = []
    for result in suite.group("arena"):
        way = case_of(result).partition(", ")[2]
        rows.append([way, f"{result.units:,.0f}", rate(result.rate)])
    return table(["Executor", "Games", "Stored games a second"], rows)


def ratings(suite):
    rows = [
        [case_of(result), f"{result.units:,.0f}", time_of(result.units / result.rate)]
        for result in suite.group("ratings")
    ]
    return table(["Model", "Games", "Time of a fit with errors"], rows)


def exact(suite):
    rows = []
    for result in suite.group("exact"):
        rows.append([code(case_of(result)), f"{result.values['peak_mb']:,.0f}", time_of(1 / result.rate)])
    return table(["Game", "MB of the process", "Time"], rows)


# Other measurements of speed


def server(stored):
    rows = [[code(case_of(result)), time_of(1 / result.rate)] for result in stored.group("server")]
    return table(["Call", "Time of a call"], rows)


def proofs(stored):
    first, games, solution = stored.results
    seeds = first.values.values()
    values = games.values
    return (
        f"`bidding_ttt(coins=3)` has {solution.values['states']:,.0f} states, and its value is "
        f"{solution.values['value']:g}. With `mcts(solver=true,transpositions=true)`:\n\n"
        f"- The first state is proven after {min(seeds):,.0f} to {max(seeds):,.0f} simulations ({len(seeds)} seeds).\n"
        f"- Of {values['states']:.0f} states of random games, {values['proven']:.0f} are proven, after "
        f"{values['mean_simulations']:,.0f} simulations on average and {values['most_simulations']:,.0f} at most."
    )


def pairs_of_peers(stored):
    """Yield (case, result of the package, result of Playout, ratios of the passes)."""
    for theirs in stored.group("peers"):
        case = case_of(theirs)
        ours = stored.find(f"beside/{case}")
        factor = ours.units / theirs.units
        ratios = [factor * b[0] / a[0] for a, b in zip(ours.seconds, theirs.seconds, strict=True)]
        yield case.partition(": ")[2], theirs, ours, ratios


def peers(stored):
    rows, notes = [], []
    for case, theirs, ours, ratios in pairs_of_peers(stored):
        if theirs.labels["same"] not in notes:
            notes.append(theirs.labels["same"])
        rows.append(
            [
                theirs.labels["package"],
                f"{case} ({notes.index(theirs.labels['same']) + 1})",
                rate(theirs.rate),
                rate(ours.rate),
                significant(median(ratios)),
                f"{significant(min(ratios))} to {significant(max(ratios))}",
            ]
        )
    head = ["Package", "Work", "A second", "Playout, a second", "Times as many", "Range of the passes"]
    listed = [wrapped(f"{number}. {note}", "   ") for number, note in enumerate(notes, 1)]
    return table(head, rows, 2) + "\n\n" + "\n".join(listed)


# Strength

LIMITS = {"seconds": "{:g} ms", "simulations": "{:,.0f} simulations"}
SHOWN_SIMULATIONS = (10, 100, 1000, 10_000)
LINEAR_BELOW = 0.1
SHOWN_BEST = 2
SHOWN_LEVELS = ("level(1)", "level(4)", "level(7)", "level(10)")
SHOWN_OPTIONS = {
    "defaults": ("mcts",),
    "statistics of actions": ("mcts(selection=grave)",),
}
"""Group of options -> the bots of its table. The file of results has more groups and bots."""
SHOWN_DIFFERENCES = (0.0, 0.5, 1.0)
"""True differences in units of elo1 that the table of sequential tests has."""


def matches(stored):
    rows = []
    for result in stored.group("matches"):
        values = result.values
        kind, _, number = result.labels["limit"].partition("=")
        low, high = (f"{values[end]:+.0f}" if end in values else "" for end in ("low", "high"))
        rows.append(
            [
                code(case_of(result).rpartition(", ")[0]),
                LIMITS[kind].format(float(number) * (1000 if kind == "seconds" else 1)),
                f"{values['elo']:+.0f} ({low or '-∞'} to {high or '∞'})",
                f"{values['wins']:.0f} / {values['draws']:.0f} / {values['losses']:.0f}",
                significant(values["our_milliseconds"]),
                significant(values["their_milliseconds"]),
            ]
        )
    opponent = stored.results[0].labels["opponent"]
    head = ["Game", "Limit", "Elo (95 %)", "Won / drawn / lost", "Playout, ms a decision", "OpenSpiel, ms a decision"]
    return f"Elo of Playout against {opponent}:\n\n{table(head, rows, 2)}"


def _losses(stored):
    """Return (game, bot) -> simulations -> values, in the order of the file."""
    found = {}
    for result in stored.group("strength"):
        points = found.setdefault((result.labels["game"], result.labels["bot"]), {})
        points[int(result.values["simulations"])] = result.values
    return found


def strength(stored):
    games = {}
    for (game, _), points in _losses(stored).items():
        games.setdefault(game, []).append(points)
    rows = []
    for game, bots in games.items():
        losses = [" / ".join(significant(points[number]["loss"], 2) for points in bots) for number in SHOWN_SIMULATIONS]
        best = (points[SHOWN_SIMULATIONS[-1]].get("optimal") for points in bots)
        rows.append([code(game), *losses, " / ".join(f"{share:.1%}" for share in best if share is not None)])
    return table(["Game", *(f"{number:,}" for number in SHOWN_SIMULATIONS), "Optimal at 10,000"], rows)


def plot_strength(stored):
    curves = _losses(stored)
    games = list(dict.fromkeys(game for game, _ in curves))
    columns = 3
    lines = -(-len(games) // columns)
    figure = Figure(figsize=(WIDTH * 1.25, 2.3 * lines), layout="constrained")
    places = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, game in zip(places, games, strict=False):
        for (other, bot), points in curves.items():
            if other == game:
                values = [points[number]["loss"] for number in sorted(points)]
                errors = [points[number].get("loss_error", 0.0) for number in sorted(points)]
                down = [min(value, error) for value, error in zip(values, errors, strict=True)]
                style = "C1s--" if "solver=false" in bot else "C0o-"
                axes.errorbar(
                    sorted(points), values, yerr=[down, errors], fmt=style, markersize=3.5, capsize=2, label=bot
                )
        axes.set_title(game, fontsize=8.5)
        axes.set_xscale("log")
        axes.set_yscale("symlog", linthresh=LINEAR_BELOW)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_ylim(-LINEAR_BELOW / 5, 60)
        axes.grid(True, alpha=0.3)
    figure.legend(*places[0].get_legend_handles_labels(), loc="outside upper center", ncols=2, frameon=False)
    for axes in places[len(games) :]:
        axes.set_visible(False)
    figure.supxlabel("simulations per decision", fontsize=10)
    figure.supylabel("points lost per decision", fontsize=10)
    return figure


def levels():
    """Return a table of the native games, and lines about the rulesheets and about games with few even levels."""
    rows, sheets, few = [], [], []
    for spec, found in shipped_tables().items():
        elo, simulations = f"{found.elo[-1]:.0f}", f"{found.levels[-1].simulations:,}"
        if (count := even_levels(found)) < NUM_LEVELS:
            few.append(f"{code(spec)} {count - 1}")
        if spec in library_games():
            sheets.append(f"{code(spec)} {elo} ({simulations})")
            continue
        scores = [score for score, _ in found.scores]
        steps = f"{100 * min(scores):.0f} to {100 * max(scores):.0f} %"
        rows.append([code(spec), elo, steps, simulations])
    others = wrapped(f"Rulesheets, with simulations: {', '.join(sheets)}.")
    even = wrapped(f"Room for fewer steps of 60 %: {', '.join(few)}.")
    return table(["Game", "Elo of 10", "Steps", "Simulations of 10"], rows) + f"\n\n{others}\n\n{even}"


def search_options():
    """Return the common options of a search with their defaults, ranges and texts."""
    rows = []
    for name in COMMON:
        option = OPTIONS[name]
        kind = option.kind
        default = option.default or f"`{format_value(kind.default)}`"
        valid = f"{kind.low:,g} to {kind.high:,g}" if hasattr(kind, "low") else ""
        rows.append([f"`{name}`", default, valid, option.text])
    return table(["Option", "Default", "Range", "Meaning"], rows, text_columns=4)


def ladder(stored):
    found = {}
    for result in stored.group("ladder"):
        found.setdefault(result.labels["game"], {})[result.labels["bot"]] = result
    games = [game for game in BOTS if game in found]
    bots = dict.fromkeys(bot for game in games for bot in ("random", "greedy", *BOTS[game]))
    shown = [bot for bot in bots if not bot.startswith("level(") or bot in SHOWN_LEVELS]
    rows = [[code(bot), *(_rating(found[game].get(bot)) for game in games)] for bot in shown]
    return table(["Bot", *map(_short, games)], rows)


def _short(spec):
    """Return a game with the size of its board, or without parameters."""
    name, _, parameters = spec.partition("(")
    return f"{name} {'x'.join(re.findall('[0-9]+', parameters))}" if name == "mnk" else name


def _rating(result):
    if result is None:
        return ""
    return elo_with_error(result.values, "elo_lower", "elo_upper", ".0f") if "elo" in result.values else "not rated"


def bot_options(stored):
    parts = []
    for title, bots in SHOWN_OPTIONS.items():
        results = [r for r in stored.results if r.labels["group"] == title and r.labels["bot"] in bots]
        found = {(r.labels["game"], r.labels["limit"], r.labels["bot"]): r.values for r in results}
        rows = []
        for game, limit in sorted({place[:2] for place in found}):
            played = [found.get((game, limit, bot)) for bot in bots]
            rows.append([code(game), code(limit), *map(_difference, played)])
        head = ["Game", "Limit", *(code(bot.removeprefix("mcts(").removesuffix(")")) for bot in bots)]
        heading = f"### {title[0].upper()}{title[1:]}, against `{results[0].labels['base']}`"
        parts.append(f"{heading}\n\n{table(head, rows, 2)}")
    return "\n\n".join(parts)


def _difference(values):
    if values is None:
        return ""
    if "elo" not in values:
        return f"{values['points']:+.1f} ± {values['points_error']:.1f} points"
    return elo_with_error(values, "low", "high")


def best_bots(stored):
    rows = []
    for _, results in groupby(stored.group("best_bots"), key=lambda result: result.name.split("/")[1]):
        found = sorted(results, key=lambda result: -result.values["mean_return"])
        best = found[:SHOWN_BEST]
        rows.extend(_best(result) for result in found if result in best or result.labels["bot"] == "mcts")
    return table(["Game", "Bot", "Elo, 95 % interval", "Mean return"], rows, 2)


def _best(result):
    values = result.values
    name, unit, digits = ("difference", " points", ".1f") if "difference" in values else ("elo", "", ".0f")
    ends = [f"{values[key]:+{digits}}" if key in values else "" for key in (f"{name}_lower", f"{name}_upper")]
    interval = " to ".join(ends) if all(ends) else f"above {ends[0]}" if ends[0] else f"below {ends[1]}"
    elo = f"{values[name]:+{digits}}{unit} ({interval})" if name in values else interval
    game = shlex.split(result.labels["command"])[2]
    return [code(game), code(result.labels["bot"]), elo, f"{values['mean_return']:.1f}"]


def sprt_games(stored):
    head = ["`--sprt`", "True difference", "H1 accepted", "Mean games", "90 % quantile"]
    rows = []
    for row in (result.values for result in stored.group("sprt_games")):
        if row["true"] / row["elo1"] in SHOWN_DIFFERENCES:
            games = [f"{row['mean_games']:,.0f}", f"{row['games_90']:,.0f}"]
            rows.append([f"`0,{row['elo1']:g}`", f"{row['true']:g}", f"{row['accepted_h1']:.1%}", *games])
    return table(head, rows)


def plot_sprt_games(stored):
    curves = {}
    for result in stored.group("sprt_games"):
        curves.setdefault(result.values["elo1"], []).append(result.values)
    figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    for width, rows in curves.items():
        units = [row["true"] / width for row in rows]
        left.plot(units, [row["mean_games"] for row in rows], "o-", markersize=4, label=f"0,{width:g}")
        right.plot(units, [100 * row["accepted_h1"] for row in rows], "o-", markersize=4)
    left.set_yscale("log")
    left.set_ylim(2, 200_000)
    left.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    left.set_ylabel("mean number of games")
    left.legend(title="--sprt", ncols=3, fontsize=8, loc="lower center")
    right.set_ylabel("H1 accepted, %")
    for axes in (left, right):
        axes.set_xlabel("true difference / elo1")
        axes.grid(True, alpha=0.3)
    return figure


# The table


@dataclass(frozen=True)
class Section:
    """A part of a page that is made from stored results.

    Args:
        page: path of the page, relative to the root of the repository.
        files: names of the files in bench/results, without `.json`; `markdown` and `plot` get a `ResultFile` for each.
        command: the command that writes these files, as a user types it.
        markdown: returns the text.
        plot: returns a matplotlib Figure; drawn to docs/images/benchmarks_NAME.svg.
        alt: describes the plot to readers who do not see it.
        raw: paths of other data, relative to the root.
    """

    page: str
    files: tuple[str, ...]
    command: str
    markdown: Callable[..., str]
    plot: Callable[..., Figure] | None = None
    alt: str = ""
    raw: tuple[str, ...] = ()


BENCHMARKS, STRENGTH = "docs/benchmarks.md", "docs/strength.md"
SUITE = ("suite",), "make bench RESULTS=bench/results/suite.json"
PEERS = ("peers",), "python -m bench.peers --results bench/results/peers.json"
SECTIONS = {
    "machine": Section(BENCHMARKS, *SUITE, machine),
    "playouts": Section(BENCHMARKS, *SUITE, playouts),
    "search": Section(BENCHMARKS, *SUITE, search),
    "selection": Section(BENCHMARKS, *SUITE, selection),
    "threads": Section(BENCHMARKS, *SUITE, threads),
    "tree_size": Section(
        BENCHMARKS,
        *SUITE,
        tree_size,
        plot_tree_size,
        "Line: simulations a second from a thousand to ten million simulations",
    ),
    "peers": Section(BENCHMARKS, *PEERS, peers),
    "matches": Section(
        BENCHMARKS, ("matches",), "python -m bench.matches --results bench/results/matches.json", matches
    ),
    "calls": Section(BENCHMARKS, *SUITE, calls),
    "server": Section(
        BENCHMARKS,
        ("server",),
        "pytest bench -k server --passes 3 --benchmark-json bench/results/server.json",
        server,
    ),
    "arena": Section(BENCHMARKS, *SUITE, arena),
    "ratings": Section(BENCHMARKS, *SUITE, ratings),
    "exact": Section(BENCHMARKS, *SUITE, exact),
    "proofs": Section("docs/truths.md", ("proofs",), "python -m bench.proofs", proofs),
    "strength": Section(
        STRENGTH,
        ("strength",),
        "python -m bench.strength",
        strength,
        plot_strength,
        "Mean loss of a decision by simulations, with and without proofs, for each game",
    ),
    "search_options": Section("docs/bots.md", (), "python -m bench.pages", search_options),
    "levels": Section(
        STRENGTH,
        (),
        "playout calibrate GAME --games GAMES --simulations SIMULATIONS -o bots/players/common/levels.json",
        levels,
        raw=("bots/players/common/levels.json",),
    ),
    "ladder": Section(STRENGTH, ("ladder",), "python -m bench.ladder", ladder),
    "bot_options": Section(STRENGTH, ("bot_options",), "python -m bench.bot_options", bot_options),
    "best_bots": Section(STRENGTH, ("best_bots",), "python -m bench.best_bots", best_bots),
    "sprt_games": Section(
        "docs/arena_testing.md",
        ("sprt_games",),
        "python -m bench.sprt_games",
        sprt_games,
        plot_sprt_games,
        "Mean games and share of accepted H1 against the true difference, for five tests",
    ),
}
"""Name in the comments that mark the place -> section."""
