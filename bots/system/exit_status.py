"""Exit statuses of the command `playout`."""

from __future__ import annotations

FAILED = 1
"""Standard output could not be written, or a resource of the machine was exhausted."""
USAGE_ERROR = 2
"""Bad input: an argument, an option, a file or a bot."""
INTERRUPTED = 130
"""Ctrl-C, by the convention of shells."""
TEST_REJECTED = 10
"""A sequential test accepted H0. A test that accepted H1 exits with 0."""
GAME_REJECTED = 10
"""A checked game breaks a rule."""
TEST_UNDECIDED = 11
"""A sequential test played all its games without a decision."""
GAMES_FAILED = 12
"""Every game of a tournament had a forfeit; in tournaments of all games, a game had a forfeit or no result."""
