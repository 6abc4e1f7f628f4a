"""The card of a net, JSON beside it: its game, how it was trained, and how strong its generations were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cext.arguments import shown
from cext.game_info import WINS
from mcts import ValueNet
from mcts.errors import NetFileError
from mcts.learning.generations import Generation
from mcts.primitives.failures import failures_named
from mcts.primitives.files import write_whole

from ...benchmark.machine import describe_machine
from ...system.checked_json import parse_json, read_file
from .verdict import elo_of

SUFFIX = ".json"
MOST_BYTES = 1 << 24
"""Size above which no card is read."""


def generation_to_dict(generation: Generation, score: str = WINS) -> dict[str, Any]:
    """Return a generation as plain data, with its Elo by what counts, `wins` or `returns`."""
    elo = elo_of(generation.shares, score)
    points, error = (None if share is None else 100 * share for share in (generation.points, generation.error))
    return {
        "generation": generation.number,
        "positions": generation.examples,
        "loss": generation.loss,
        "policy_loss": generation.policy_loss,
        "games": len(generation.shares),
        "points": points,
        "error": error,
        "elo": None if elo is None else elo.elo,
        "elo_lower": None if elo is None else elo.lower,
        "elo_upper": None if elo is None else elo.upper,
        "kept": generation.kept,
        "seconds": generation.seconds,
    }


def make_card(
    net: ValueNet, recipe: Mapping[str, Any], seed: int, generations: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the card of a net as plain data.

    Args:
        net: the net.
        recipe: the size of its training.
        seed: of its training.
        generations: as `generation_to_dict` returns them.
    """
    rules = getattr(net.game, "digest", None)
    return {
        "digest": net.digest,
        "game": net.game.spec,
        **({} if rules is None else {"rules": rules}),
        "recipe": dict(recipe),
        "seed": seed,
        "generations": list(generations),
        "machine": describe_machine(),
    }


def write_beside(net: str, suffix: str, text: str) -> None:
    """Write a file with the name of a net and another suffix, as a whole. Raises NetFileError."""
    path = Path(net).with_suffix(suffix)
    with failures_named(f"cannot write {shown(str(path))}", NetFileError):
        write_whole(path, text.encode("utf-8", "backslashreplace"))


def read_card(net: str, digest: str) -> dict[str, Any] | None:
    """Return the card beside a net; None if there is none, or if it is of another net.

    Args:
        net: path of the net.
        digest: of the net.

    Raises:
        NetFileError: the file beside the net cannot be read or is not JSON.
    """
    path = Path(net).with_suffix(SUFFIX)
    if not path.exists():
        return None
    found = parse_json(read_file(path, MOST_BYTES, "the card of a net", NetFileError), NetFileError)
    return found if isinstance(found, dict) and found.get("digest") == digest else None
