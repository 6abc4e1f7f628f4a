"""The type of an action."""

from typing import TypeAlias

Action: TypeAlias = int | tuple[int, ...]
"""The action of one player: NOOP, an int in [0, num_actions), or a tuple of numbers where actions cannot be listed."""
