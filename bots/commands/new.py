"""`playout new`: a package to begin with, for a game or a bot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mcts import ParameterError

from ..new_package.write import write_package
from .common.consoles import print_line, stdout
from .common.options import argument, flag, option

GAME, BOT = "game", "bot"


def command(
    kind: Annotated[str, argument("KIND", "What the package offers: game or bot.")],
    name: Annotated[str, argument("NAME", "Name of the game or bot, such as my_game.")],
    cython: Annotated[bool, flag("--cython", "Write a compiled game: as fast as the built-in ones.")] = False,
    secrets: Annotated[bool, flag("--secrets", "Write a game in Python that hides something.")] = False,
    folder: Annotated[str | None, option("Folder of the package; by default NAME.", "FOLDER")] = None,
) -> None:
    """Write a small package with a game or a bot, for you to change.

    The package plays at once, and has tests and a README. Its rules or its play are those of an example, for you to
    replace. `playout check` says what is wrong with a game.

    Examples:
        playout new game my_game
        playout new game my_fast_game --cython
        playout new game my_cards --secrets
        playout new bot my_bot --folder packages/my_bot
    """
    if kind not in (GAME, BOT):
        raise ParameterError(f"{kind!r} cannot be made; valid: {GAME}, {BOT}")
    for name_of_option, is_given in (("--cython", cython), ("--secrets", secrets)):
        if is_given and kind == BOT:
            raise ParameterError(f"{name_of_option} is for games")
    if cython and secrets:
        raise ParameterError("--cython and --secrets are two kinds of games; valid: one of them")
    target = Path(name if folder is None else folder)
    written = write_package("native_game" if cython else "secrets" if secrets else kind, name, target)
    console = stdout()
    for path in written:
        print_line(console, str(path))
    where = target if target.is_absolute() else f"./{target.as_posix()}"  # without ./ it would name a package of PyPI
    install = f"pip install --no-build-isolation {where}, which needs cython" if cython else f"pip install -e {where}"
    print_line(console, f"\nNext: {install}; then see {target / 'README.md'}")
