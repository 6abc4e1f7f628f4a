"""`Caps`: how much one server gives to its clients."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Caps:
    """Limits of a server. A request above one of them is refused with a message that names it."""

    seconds: float = 30.0
    """Longest decision of a bot, and longest hint."""
    default_seconds: float = 2.0
    """Longest decision of a bot if the match sets no limit."""
    simulations: int = 10_000_000
    """Most simulations of a decision."""
    memory_mb: int = 256
    """Memory of the trees of one search."""
    analysis_seconds: float = 300.0
    """Longest analysis; the client may start another one."""
    workers: int = field(default_factory=lambda: max(2, os.cpu_count() or 1))
    """Searches that run at once, apart from analyses."""
    analyses: int = field(default_factory=lambda: max(1, (os.cpu_count() or 1) // 2))
    """Analyses that run at once."""
    queue: int = 64
    """Hints and analyses that wait for a place; a further one is refused."""
    matches: int = 10_000
    """Matches that are kept. At the limit, those that are idle are removed, and else no new one is begun."""
    idle_seconds: float = 30 * 24 * 3600.0
    """Time without a change after which a match may be removed."""
    matches_in_memory: int = 500
    """Matches in memory; others are read from the file when somebody asks for them."""
    body_bytes: int = 1 << 20
    """Size of the largest request."""
    frame_bytes: int = 1 << 16
    """Size of the largest frame from a client."""
    frames_per_second: float = 20.0
    """Frames that a client may send over one socket, on average."""
    connections_per_client: int = 256
    """Open connections of one address without sockets; a proxy on the same machine may have more."""
    sockets_per_client: int = 32
    """Open sockets of one address."""
    sockets: int = 1000
    """Open sockets of all clients."""

    def to_dict(self) -> dict[str, Any]:
        """Return the limits as plain data."""
        return asdict(self)
