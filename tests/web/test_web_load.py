"""Many matches at once: all are answered, and each as if it were alone."""

import asyncio

import pytest
from web_client import Played, Process

from bench.server_answers import begin, play

pytestmark = pytest.mark.long

MATCHES = 200
ROUNDS = 12
"""Rounds of requests of each person."""
THINKS = 0.0, 0.0
"""Shortest and longest time between two requests of a person."""


def test_200_matches_are_answered_at_once(tmp_path):
    with Process(tmp_path / "matches.db") as process:
        made = begin(process.client, MATCHES, "mcts")
        answers = asyncio.run(play(process.address, made, lambda: range(ROUNDS), THINKS))
        assert "actions" in {what for _, what, _ in answers}
        assert len(answers) > MATCHES * ROUNDS
        for match in (Played(process.client, one, one["owner"]) for one in made):
            assert not match.settled()["error"]
