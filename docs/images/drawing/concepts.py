"""Pictures for docs/concepts.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.ticker import FuncFormatter

import mcts

from .plots import plot
from .positions import PENNIES, board, cells_of
from .svg import BLUE, GOLD, GREEN, INK, MUTED, ORANGE, PAPER, SHADE, Picture


def box(picture: Picture, x: float, y: float, w: float, h: float, title: str, *lines: str, fill: str = SHADE) -> None:
    """Draw a box with a title and lines of text."""
    picture.rect(x, y, w, h, fill, "#c5ced6", rx=8)
    picture.text(x + w / 2, y + 22, title, 13, INK, "middle", bold=True)
    for number, line in enumerate(lines):
        picture.text(x + w / 2, y + 41 + 17 * number, line, 12, MUTED, "middle")


def states_and_views() -> Picture:
    """A state, the views of its players, their actions, and the next state."""
    picture = Picture(860, 236, "Views of a state, actions, the joint action, and the next state")
    box(picture, 24, 78, 150, 80, "state", "all secrets", "included")
    for number, name in enumerate(("player 0", "player 1")):
        y = 24 + 110 * number
        box(picture, 236, y, 150, 80, f"view of {name}", "without what it", "may not see")
        box(picture, 446, y, 130, 80, "action", f"chosen by {name}", fill=PAPER)
        picture.arrow(174, 118 + (number * 2 - 1) * 18, 232, y + 40)
        picture.arrow(386, y + 40, 442, y + 40)
        picture.arrow(576, y + 40, 634, 118 + (number * 2 - 1) * 18)
    box(picture, 638, 78, 92, 80, "joint action", "one action", "per player", fill=GOLD)
    picture.arrow(730, 118, 762, 118)
    box(picture, 766, 78, 72, 80, "next", "state")
    return picture


def simulation() -> Picture:
    """The four steps of a simulation."""
    picture = Picture(
        860,
        268,
        "The four steps of a simulation: select, expand, play out, backpropagate",
    )
    steps = (
        ("1 select", "walk down by a", "selection policy"),
        ("2 expand", "add a node", "for the new state"),
        ("3 play out", "random actions to", "the end of the game"),
        ("4 backpropagate", "add the returns to all", "nodes of the path"),
    )
    for number, (title, *lines) in enumerate(steps):
        left = 12 + 212 * number
        picture.text(left + 100, 30, title, 14, INK, "middle", bold=True)
        for row, line in enumerate(lines):
            picture.text(left + 100, 232 + 17 * row, line, 12, MUTED, "middle")
        _tree(picture, left, number)
        if number:
            picture.line(left - 6, 20, left - 6, 248, "#d8dee4")
    return picture


def _tree(picture: Picture, left: float, step: int) -> None:
    root, one, two, leaf, other = (100, 62), (58, 104), (142, 104), (100, 146), (176, 146)
    new = (100, 146)
    edges = [(root, one), (root, two), (two, other)]
    path = [(root, two), (two, leaf)]
    for (x1, y1), (x2, y2) in edges:
        picture.line(left + x1, y1, left + x2, y2, MUTED, 1.4)
    for (x1, y1), (x2, y2) in path if step else path[:1]:
        picture.line(left + x1, y1, left + x2, y2, BLUE, 3)
    for x, y in (root, one, two, other):
        on_path = (x, y) in (root, two)
        picture.circle(left + x, y, 10, "#cfe0f3" if on_path else PAPER, BLUE if on_path else MUTED, 1.8)
    if step:
        picture.circle(left + new[0], new[1], 10, GOLD if step == 1 else "#cfe0f3", BLUE, 1.8)
    if step >= 2:
        wave = f"M{left + 100},157 q9,7 0,14 t0,14"
        picture.path(wave, ORANGE if step == 2 else MUTED, 2)
        picture.rect(left + 82, 188, 36, 20, PAPER, ORANGE if step == 2 else MUTED, rx=5)
        picture.text(left + 100, 202, "100", 12, INK, "middle")
    if step == 3:
        picture.arrow(left + 120, 150, left + 152, 116, GREEN, 2)
        picture.arrow(left + 148, 90, left + 116, 60, GREEN, 2)


def mixed_strategies() -> Picture:
    """A position in which both players must mix, its matrix, and the strategies that a search finds."""
    game = mcts.load_game("tic_block")
    state = game.state_from_text(PENNIES)
    result = mcts.MCTS.plain(game, solver=True, seed=1).run(state, simulations=5000)
    cells = ["mark(4,1)", "mark(4,2)"]
    picture = Picture(
        760,
        262,
        "Both players choose one of two cells, each with one half",
    )
    board(picture, 42, 44, 4, state.to_dict()["block"], fills=cells_of((4, 1), (4, 2), columns=4))
    left, top, size = 388.0, 96.0, 92.0
    picture.text(left + size, 30, "returns of xcplayer", 13, INK, "middle", bold=True)
    for number, cell in enumerate(cells):
        picture.text(left + (number + 0.5) * size, top - 10, cell, 12, ORANGE, "middle", mono=True)
        picture.text(left - 8, top + (number + 0.5) * 50 + 5, cell, 12, BLUE, "end", mono=True)
    picture.text(left + size, top - 32, "obplayer chooses", 12, ORANGE, "middle")
    for row, mine in enumerate(cells):
        for column, theirs in enumerate(cells):
            after = state.clone()
            after.apply_actions(state.joint_action({0: mine, 1: theirs}))
            while not after.is_terminal():  # every player has one cell left to choose
                after.apply_actions([after.legal_actions(player)[0] for player in range(2)])
            value = after.returns()[0]
            x, y = left + column * size, top + row * 50
            picture.rect(x, y, size, 50, "#bfe3c8" if value > 50 else "#f6c9c1", MUTED, stroke_width=1)
            picture.text(x + size / 2, y + 31, f"{value:g}", 16, INK, "middle")
    for player, color in enumerate((BLUE, ORANGE)):
        policy = result.for_player(player).policy
        chances = ", ".join(f"{policy[state.string_to_action(player, cell)]:.0%}" for cell in cells)
        picture.text(left - 82, 226 + 19 * player, f"search, {game.players[player]}: {chances}", 12.5, color)
    return picture


def bounds() -> str:
    """Mean value and proven bounds of tic-tac-toe against simulations."""
    game = mcts.load_game("mnk")
    state = game.new_initial_state()
    budgets = [round(10 * 10 ** (step / 16)) for step in range(60)]
    means, lower, upper = [], [], []
    for budget in budgets:
        result = mcts.MCTS.plain(game, solver=True, seed=1).run(state, simulations=budget)
        means.append(result.values[0])
        lower.append(result.bounds[0][0])
        upper.append(result.bounds[0][1])

    def draw(axes: Any) -> None:
        axes.fill_between(budgets, lower, upper, color=GOLD, alpha=0.5, linewidth=0, label="proven bounds", step="post")
        axes.plot(budgets, means, color=BLUE, linewidth=2, label="mean value")
        axes.axhline(50, color=INK, linewidth=1, linestyle="--", label="exact value")
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.set_ylim(-4, 104)
        axes.set_xlabel("simulations")
        axes.set_ylabel("return of x")
        axes.legend(loc="lower left")

    return plot(draw, 7.2, 3.4)


PICTURES: dict[str, Callable[[], Picture]] = {
    f"concepts_{function.__name__}.svg": function for function in (states_and_views, simulation)
}
STILLS: dict[str, Callable[[], str]] = {"bounds": bounds}
