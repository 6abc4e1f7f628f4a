"""`playout nets`: what nets are, and how they were trained."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console

from cext.arguments import shown
from mcts.nets.net_file import NetParts
from mcts.nets.value_net import describe

from ..studies.training.card import read_card
from ..system.untrusted import clean_line
from .common.consoles import print_json, print_line, stdout
from .common.options import JsonOption


def command(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Nets.")],
    as_json: JsonOption = False,
) -> None:
    """Describe nets and how they were trained.

    The training comes from the card that `playout train` writes beside a net.

    Examples:
        playout nets c4.net
    """
    found = []
    for file in files:
        parts, digest = describe(file)
        found.append({"file": file, **_facts(parts), "digest": digest, "card": read_card(file, digest)})
    if as_json:
        print_json(found)
        return
    console = stdout()
    for one in found:
        _print(console, one)


def _facts(parts: NetParts) -> dict[str, Any]:
    return {
        "game": parts.spec,
        "inputs": len(parts.layers[0][1]),
        "hidden": [len(biases) for biases, _ in parts.layers[:-1]],
        "outputs": len(parts.layers[-1][0]),
        "actions": 0 if parts.policy is None else len(parts.policy[0]),
        "weights": sum(weights.nbytes for _, weights in (*parts.layers, *((parts.policy,) if parts.policy else ())))
        // 4,
    }


def _print(console: Console, one: dict[str, Any]) -> None:
    units = "-".join(map(str, [one["inputs"], *one["hidden"], one["outputs"]]))
    policy = f", a policy of {one['actions']} actions" if one["actions"] else ""
    print_line(console, f"{one['file']}, {one['digest']}", "bold")
    print_line(console, f"    game: {shown(clean_line(one['game']))}")
    print_line(console, f"    units: {units}{policy}; {one['weights']:,} weights")
    card = one["card"]
    if card is None:
        return
    for name in ("recipe", "seed"):
        value = card.get(name)
        text = ", ".join(f"{key} {part}" for key, part in value.items()) if isinstance(value, dict) else value
        print_line(console, f"    {name}: {clean_line(str(text))}")
    generations = card.get("generations")
    if isinstance(generations, list) and generations and isinstance(generations[-1], dict):
        kept = [one.get("generation") for one in generations if isinstance(one, dict) and one.get("kept")]
        text = f"{len(generations)}; the net is number {clean_line(str(kept[-1] if kept else None))}"
        print_line(console, f"    generations: {text}")
