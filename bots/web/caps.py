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
    default_seconds: float | None = 2.0
    """Longest decision of a bot if the match sets no limit; None: the bot's own."""
    simulations: int = 10_000_000
    """Most simulations of a decision."""
    memory_mb: int = 256
    """Memory of the trees of one search, within `trees_mb`."""
    trees_mb: int = field(default_factory=lambda: 512 * max(2, os.cpu_count() or 1))
    """Memory of the trees of all searches: a half for those that run, and a half for those that bots keep."""
    rest_seconds: float = 60.0
    """Time without use after which a match gives up the trees of its bots, and leaves the memory if nobody listens."""
    analysis_seconds: float = 300.0
    """Longest analysis; the client may start another one."""
    workers: int = field(default_factory=lambda: max(2, os.cpu_count() or 1))
    """Searches that run at once, apart from analyses."""
    analyses: int = field(default_factory=lambda: max(1, (os.cpu_count() or 1) // 2))
    """Analyses that run at once."""
    queue: int = 64
    """Hints and analyses that wait for a place; a further one is refused, unless its client has no other."""
    matches: int = 10_000
    """Matches that are kept. At the limit, some may be removed, and else no new one is begun."""
    matches_per_client: int = 1000
    """Matches of one client that are kept, as for all."""
    unplayed_seconds: float = 3600.0
    """Time after which a match in which no person has decided may be removed; these go first."""
    idle_seconds: float = 30 * 24 * 3600.0
    """Time without a change after which any match may be removed."""
    matches_in_memory: int = 500
    """Matches in memory; others are read from the file when somebody asks for them."""
    rules: int = 1000
    """Rulesheets of clients that are kept; then those that were used least lately go."""
    rules_per_client: int = 20
    """Rulesheets of one client that are kept."""
    rules_in_memory: int = 16
    """Games of such rulesheets that stay in memory while nobody uses them."""
    rules_mb: int = 256
    """Memory of the networks of such games that are in use, above which no other is made."""
    rules_bytes: int = 6 << 20
    """Size of the largest request that brings a rulesheet, whose text has at most 4,000,000 characters."""
    rules_seconds: int = 20
    """Time in which such a rulesheet must be compiled."""
    rules_memory_mb: int = 1024
    """Memory that the process may take for it, on Linux."""
    rules_moves: int = 20_000
    """Most moves of all players of such a rulesheet."""
    rules_fluents: int = 20_000
    """Most facts of such a rulesheet."""
    network_bytes: int = 8 << 20
    """Size of its largest network."""
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

    @property
    def search_mb(self) -> int:
        """Memory of the trees of one search, so that all that run at once keep to their half."""
        return max(16, min(self.memory_mb, self.trees_mb // 2 // (self.workers + 1 + self.analyses)))

    def to_dict(self) -> dict[str, Any]:
        """Return the limits as plain data."""
        return asdict(self)
