"""Exit statuses of the command `playout`."""

from __future__ import annotations

FAILED = 1
"""Standard output could not be written, or the machine ran out of something."""
USAGE_ERROR = 2
"""Bad input: an argument, an option, a file or a bot."""
INTERRUPTED = 130
"""Ctrl-C, as shells count it."""
TEST_REJECTED = 10
"""A sequential test accepted H0. One that accepted H1 ends with 0."""
TEST_UNDECIDED = 11
"""A sequential test played all its games without a decision."""
