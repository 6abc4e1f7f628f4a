"""Entry point of the command `playout`. It is in `cext`, the package that a folder of a user hides most rarely."""

import importlib
import sys


def main() -> None:
    """Run `bots.cli.main`. Exit with a message and status 2 if a package of Playout is hidden."""
    try:
        command = importlib.import_module("bots.cli").main
    except (AttributeError, ImportError) as error:
        bots = sys.modules.get("bots")  # absent if Playout's own `bots` refused another package
        hidden = f"{getattr(bots, '__file__', None)} hides the package 'bots' of Playout; rename it, or run elsewhere"
        print(f"playout: {error if bots is None else hidden}", file=sys.stderr)
        sys.exit(2)
    command()
