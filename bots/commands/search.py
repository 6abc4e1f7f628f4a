"""`playout search`: one search of one state."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from mcts import load_game, tree_to_dot
from mcts.tree_data import MOST_DEPTH

from ..analysis.position import print_result, print_tree, search_state, tree_at
from ..exit_status import INTERRUPTED
from .common import (
    GameArgument,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    check_one_stdout,
    output_file,
    read_state,
    stderr,
    stdout,
)

DOT_DEPTH = 2


def search(
    game: GameArgument,
    state: Annotated[
        str | None,
        typer.Option(
            "--state",
            metavar="TEXT",
            help="state to search, as text or JSON; - reads stdin [default: the initial state]",
        ),
    ] = None,
    searcher: Annotated[
        str,
        typer.Option(
            "--searcher", metavar="SEARCHER", help='searcher, such as "mcts(solver=true)" or mcts:solver=true'
        ),
    ] = "mcts",
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    seed: SeedOption = 0,
    as_json: Annotated[bool, typer.Option("--json", help="print the results as JSON")] = False,
    tree_depth: Annotated[
        int | None,
        typer.Option("--tree", min=0, max=MOST_DEPTH, metavar="DEPTH", help="show the tree to this depth"),
    ] = None,
    dot_file: Annotated[
        str | None,
        typer.Option(
            "--dot",
            metavar="FILE",
            help=f"write the tree for Graphviz to the depth of --tree (or {DOT_DEPTH}); - writes to stdout",
        ),
    ] = None,
) -> None:
    """Search a state and show the value of every action.

    Without a limit the search makes 10,000 simulations. Ctrl-C stops it and shows the results so far.

    Examples:
        playout search points_ttt --simulations 20000
        playout search mnk --state xx./oo./x.._o --tree 2
        playout search mnk --searcher mcts:solver=true --seconds 2 --json
    """
    loaded = load_game(game)
    target = output_file(dot_file)
    dot_to_stdout = target is not None and target.is_stdout
    check_one_stdout(json=as_json, dot=dot_to_stdout)
    start = loaded.new_initial_state() if state is None else read_state(loaded, state)
    # The searcher is kept: its tree lives as long as it does.
    _keeper, found = search_state(start, searcher, simulations, seconds, seed)
    tree = None if tree_depth is None else tree_at(found, tree_depth)
    if as_json:
        results = found.to_dict() if tree is None else {**found.to_dict(), "tree": tree}
        sys.stdout.write(json.dumps(results, indent=2) + "\n")
    else:
        console = stderr() if dot_to_stdout else stdout()
        print_result(found, console)
        if tree is not None:
            console.print()
            print_tree(tree, console)
    if target is not None:
        target.write_text(tree_to_dot(tree_at(found, DOT_DEPTH) if tree is None else tree))
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)
