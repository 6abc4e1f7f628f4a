"""Plays at random."""

from __future__ import annotations

from typing import Any

from mcts import Limit, View

from .base import NO_LIMIT, Bot


class RandomBot(Bot):
    """A random legal action: uniform where actions can be listed, else by the policy that the game's file states."""

    NAME = "random"
    SUMMARY = "a random legal action"

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Any:
        return view.sample_action(self.random.getrandbits(64))


BOT = RandomBot
