"""Tokens: who may do what in a match.

A token is random and cannot be guessed. The server keeps only its hash.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

OWNER, SEAT, SPECTATOR = "owner", "seat", "spectator"
_BYTES = 24


@dataclass(frozen=True)
class Access:
    """The rights of a token in one match."""

    kind: str
    """`owner`: every person; `seat`: one person; `spectator`: nobody."""
    seats: tuple[int, ...]
    """The players that the holder plays."""


def new_token() -> str:
    """Return a new token."""
    return secrets.token_urlsafe(_BYTES)


def new_id() -> str:
    """Return a new id of a match."""
    return secrets.token_hex(8)


def hash_of(token: str) -> str:
    """Return the hash under which a token is kept. Tokens are random, so it needs no salt."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
