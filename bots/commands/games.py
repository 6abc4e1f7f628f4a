"""`playout games`: the games that can be loaded by name."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from cext.game_info import GameInfo
from mcts import Game, game_info, load_game, registered_games
from mcts.game_rules import title_of

from ..steps import is_in_turns
from .common.consoles import print_json, stdout
from .common.listing import print_entry
from .common.options import JsonOption, OptionalGameArgument


def command(game: OptionalGameArgument = None, as_json: JsonOption = False) -> None:
    """List the games, or show one with its parameters.

    A game of your own is named by the path of its class, such as `my_package.my_games.Nim(heap=7)`, and a rulesheet by
    the path of its file, such as `sticks.kif`.

    Examples:
        playout games
        playout games tic_block
    """
    listed = [(game_info(name), None) for name in registered_games()] if game is None else [_loaded(game)]
    if as_json:
        print_json([_as_dict(info, _kind_of(info, loaded)) for info, loaded in listed])
    elif game is not None:
        info, loaded = listed[0]
        players = f"players: {', '.join(info.players)}; {_kind_of(info, loaded)}"
        print_entry(stdout(), info.name, f"{title_of(info)}: {info.summary}\n{players}", info.parameters)
    else:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for heading in ("name", "title and size", "players", "kind"):
            table.add_column(heading, no_wrap=heading == "name")
        for info, loaded in listed:
            title = title_of(info)
            sized = title if info.size in title else f"{title}, {info.size}"
            table.add_row(*map(Text, (info.name, sized, str(len(info.players)), _kind_of(info, loaded))))
        stdout().print(table)


def _loaded(spec: str) -> tuple[GameInfo, Game]:
    game = load_game(spec)
    return game.info, game


def _kind_of(info: GameInfo, game: Game | None) -> str:
    """Return how players decide. A rulesheet of the library says it itself: it is not compiled for a list."""
    if game is None and info.kind:
        return info.kind
    game = game or load_game(info.name)
    words = ["turns" if is_in_turns(game) else "simultaneous"]
    return ", ".join([*words, *["hidden"] * game.has_hidden_information, *["chance"] * game.has_chance])


def _as_dict(info: GameInfo, kind: str) -> dict[str, Any]:
    return {
        "name": info.name,
        "title": title_of(info),
        "summary": info.summary,
        "players": list(info.players),
        "kind": kind,
        "size": info.size,
        "parameters": {name: parameter.default for name, parameter in info.parameters.items()},
    }
