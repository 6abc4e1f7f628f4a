"""Output on the terminal: consoles for results and for messages, and JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console
from rich.text import Text


def stdout() -> Console:
    """Return a console for results."""
    return Console(highlight=False, markup=False, emoji=False)


def stderr() -> Console:
    """Return a console for logs and progress."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)


def print_line(console: Console, text: str, style: str = "") -> None:
    """Print lines that only the terminal wraps, so that they can be copied whole."""
    console.print(Text(text, style), soft_wrap=True)


def json_text(data: Any) -> str:
    """Return plain data as JSON, as every command writes it."""
    return json.dumps(data, indent=2) + "\n"


def print_json(data: Any) -> None:
    """Write plain data as JSON to standard output."""
    sys.stdout.write(json_text(data))
