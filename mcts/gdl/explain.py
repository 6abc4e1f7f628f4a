"""The size and kind of a rulesheet in words, for `playout check`."""

from __future__ import annotations

from .network import Network


def explain(network: Network) -> list[str]:
    """Return lines that describe a network: roles, moves, size, symmetries, the sum of the returns, and what is odd."""
    moves = ", ".join(f"{role} {len(moves):,}" for role, moves in zip(network.roles, network.moves, strict=True))
    lines = [
        f"Roles and their moves: {moves}",
        f"{len(network.fluents):,} fluents that change, {len(network.always):,} that are always true, "
        f"{len(network.unused):,} that nothing depends on",
        f"{network.num_gates:,} gates with {len(network.edges):,} inputs: {network.num_view_gates:,} for legal moves "
        f"and the end, {network.num_next_gates:,} more for the next state, the rest for the returns",
    ]
    if len(network.symmetries) > 1:
        lines.append(f"{len(network.symmetries):,} symmetries, the identity included, which keep the roles")
    if network.constant_sum:
        lines.append("The goals of the two roles mirror each other: zero-sum")
    lines += [
        f"Role {role} has no goal: its return is always 0"
        for role, goals in zip(network.roles, network.goals, strict=True)
        if not goals
    ]
    return lines
