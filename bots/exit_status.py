"""Exit statuses of the command `playout`."""

from __future__ import annotations

FAILED = 1
"""Output could not be written, or the machine ran out of something."""
USAGE_ERROR = 2
"""Bad input: an argument, an option, a file or a bot."""
INTERRUPTED = 130
"""Ctrl-C, as shells count it."""
