"""Addresses of clients, by which what one client takes is counted."""

from __future__ import annotations

import ipaddress

from mcts import ParameterError

_IPV6_BITS = 64
"""Bits of an address that name a network; a client chooses the others."""


Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def network_of(text: str) -> Network:
    """Return a network, such as 10.0.0.0/8, or an address alone. Raises ParameterError."""
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise ParameterError(f"{text!r} is not an address; valid: one such as 127.0.0.1, or 10.0.0.0/8") from None


def is_within(address: str, network: Network) -> bool:
    """Return True if an address is in a network."""
    found = _read(address)
    return found is not None and found in network


def client_of(address: str) -> str:
    """Return the name of the client at an address: the address, or its network in version 6."""
    found = _read(address)
    if found is None:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(ipaddress.ip_network((found.packed, _IPV6_BITS), strict=False))


def _read(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an address, of version 4 where version 6 maps one; None for another text."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found
