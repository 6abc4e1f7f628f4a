"""`playout search`: one search of one state."""

from __future__ import annotations

from typing import Annotated

import typer

from mcts import load_game, tree_to_dot
from mcts.tree_data import MOST_DEPTH

from ..analysis.position import print_result, print_tree, search_state, tree_at
from ..exit_status import INTERRUPTED
from .common.consoles import print_json, stderr, stdout
from .common.files import check_one_stdout, output_file
from .common.options import (
    GameArgument,
    JsonOption,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    StateOption,
    option,
    read_state,
)

DOT_DEPTH = 2


def command(
    game: GameArgument,
    state: StateOption = None,
    searcher: Annotated[
        str,
        option(
            "--searcher",
            value="SEARCHER",
            help='Searcher with its parameters, such as "mcts(solver=true)" or mcts:solver=true.',
        ),
    ] = "mcts",
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
    tree_depth: Annotated[
        int | None, option("--tree", value="DEPTH", min=0, max=MOST_DEPTH, help="Show the tree to this depth.")
    ] = None,
    dot_file: Annotated[
        str | None,
        option(
            "--dot",
            value="FILE",
            help=f"Write the tree in Graphviz format, to the depth of --tree or else {DOT_DEPTH}; - writes to stdout.",
        ),
    ] = None,
    svg_file: Annotated[
        str | None,
        option("--svg", value="FILE", help="Write a picture of the position with the visits; - writes to stdout."),
    ] = None,
) -> None:
    """Search a state and show the value of every action.

    Without a limit, the search runs 10,000 simulations. Ctrl-C stops it and shows the results so far.

    Examples:
        playout search points_ttt --simulations 20000
        playout search mnk --state xx./oo./x.._o --tree 2
        playout search three_player_ttt --svg visits.svg
        playout search mnk --searcher mcts:solver=true --seconds 2 --json
    """
    loaded = load_game(game)
    target, picture = output_file(dot_file), output_file(svg_file)
    dot_to_stdout = target is not None and target.is_stdout
    svg_to_stdout = picture is not None and picture.is_stdout
    check_one_stdout(json=as_json, dot=dot_to_stdout, svg=svg_to_stdout)
    start = read_state(loaded, state)
    # `_kept` holds the tree, which is read below.
    _kept, found = search_state(start, searcher, simulations, seconds, seed)
    tree = None if tree_depth is None else tree_at(found, tree_depth)
    if as_json:
        print_json(found.to_dict() if tree is None else {**found.to_dict(), "tree": tree})
    else:
        console = stderr() if dot_to_stdout or svg_to_stdout else stdout()
        print_result(found, console)
        if tree is not None:
            console.print()
            print_tree(tree, console)
    if target is not None:
        target.write_text(tree_to_dot(tree_at(found, DOT_DEPTH) if tree is None else tree))
    if picture is not None:
        picture.write_text(start.to_svg(heat=found) + "\n")
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)
