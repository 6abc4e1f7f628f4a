"""`playout search`: one search of one state."""

from __future__ import annotations

from typing import Annotated

import typer

from mcts import State, StateError, load_game
from mcts.results.tree_data import MOST_DEPTH, tree_to_dot

from ..studies.analysis.position import print_result, print_tree, search_state, tree_at
from ..system.exit_status import INTERRUPTED
from .common.consoles import print_json
from .common.files import console_beside, output_files
from .common.options import (
    GameArgument,
    JsonOption,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    StateOption,
    option,
    outputs_option,
    read_state,
)

DOT_DEPTH = 2


def command(
    game: GameArgument,
    state: StateOption = None,
    searcher: Annotated[
        str | None,
        option(
            'Searcher with its parameters, such as "mcts(threads=2)" or mcts:threads=2.',
            "SEARCHER",
            default="the strongest one for the game",
        ),
    ] = None,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
    tree_depth: Annotated[
        int | None, option("Show the tree to this depth.", "DEPTH", name="--tree", min=0, max=MOST_DEPTH)
    ] = None,
    outputs: Annotated[
        list[str] | None,
        outputs_option(
            "Write a picture of the position with the visits to FILE.svg, or the tree in Graphviz format, to the "
            f"depth of --tree or else {DOT_DEPTH}, to FILE.dot; - writes SVG to stdout, -.dot the tree."
        ),
    ] = None,
) -> None:
    """Search a state and show the value of every action.

    Without a limit, the search runs 10,000 simulations. Ctrl-C stops it and shows the results so far.

    Examples:
        playout search points_ttt --simulations 20000
        playout search mnk --state xx./oo./x.._o --tree 2
        playout search three_player_ttt -o visits.svg
        playout search mnk --searcher mcts:threads=2 --seconds 2 --json
    """
    loaded = load_game(game)
    targets = output_files(outputs, (".svg", ".dot"), as_json=as_json)
    start = read_state(loaded, state)
    _check_decider(start)
    # `_kept` holds the tree, which is read below.
    _kept, found = search_state(start, searcher, simulations, seconds, seed)
    tree = None if tree_depth is None else tree_at(found, tree_depth)
    if as_json:
        print_json(found.to_dict() if tree is None else {**found.to_dict(), "tree": tree})
    else:
        console = console_beside(*targets)
        print_result(found, console)
        if tree is not None:
            console.print()
            print_tree(tree, console)
    for target in targets:
        if target.format == ".dot":
            target.write_text(tree_to_dot(tree_at(found, DOT_DEPTH) if tree is None else tree))
        else:
            target.write_text(start.to_svg(heat=found) + "\n")
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)


def _check_decider(start: State) -> None:
    """Raise StateError where chance decides, with a state in which a player does."""
    if not start.is_chance():
        return
    later = start.clone()
    while later.is_chance():
        later.apply_action(later.sample_outcome(0))
    raise StateError(
        f"chance decides in this state of {later.game.spec}; "
        f"valid: --state with a state in which a player decides, such as {later.to_text()}"
    )
