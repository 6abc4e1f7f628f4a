"""The line of a user's file in which an error was raised."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

_FOLDER = Path(__file__).parents[2]
_OWN = tuple(f"{_FOLDER / name}{os.sep}" for name in ("cext", "mcts", "bots", "playout"))
_STANDARD = f"{os.path.dirname(os.__file__)}{os.sep}"
_INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))


def with_place(words: str, error: BaseException) -> str:
    """Return the words for an error, and ` (FILE:LINE)` behind them: the innermost line that is of the user.

    That is a line of a file outside of this project, the standard library and installed packages; else the innermost
    one of an installed package that this project has called. Without either, the words are returned alone.
    """
    places = {False: "", True: ""}
    for frame, line in traceback.walk_tb(error.__traceback__):
        path = frame.f_code.co_filename
        is_installed = any(folder in path for folder in _INSTALLED)
        if path.startswith(_OWN):
            places[True] = ""  # before it is only what has called us, such as the parser of options
        elif path.endswith(".py") and (is_installed or not path.startswith(_STANDARD)):
            places[is_installed] = f" ({os.path.basename(path)}:{line})"
    return words + (places[False] or places[True])
