"""What comes after a failure of a bot: the next game has a new bot, and is as if nothing had been."""

import logging
from functools import cache

import pytest
from troublesome_bots import AfterTrouble

from bots import arena, errors
from bots.arena.play.executors import open_executor

GAMES = 12
PATH = f"{AfterTrouble.__module__}.{AfterTrouble.__qualname__}"
KINDS = {"illegal": errors.ILLEGAL, "memory": errors.MEMORY}
"""Kinds of failures; others are crashes."""


def tournament_of(kind):
    return arena.describe("mnk", [f"{PATH}(kind={kind})", "random"], games=GAMES, seed=3, resign="0,9")


@cache
def unharmed():
    """The games in which no bot fails."""
    with arena.run(tournament_of("none"), workers=1, executor="threads") as result:
        return [game.record for game in result.records()]


@pytest.mark.parametrize("executor", ["threads", "processes"])
@pytest.mark.parametrize("kind", AfterTrouble.KINDS)
def test_a_bot_that_has_failed_plays_no_other_game(executor, kind, caplog):
    with caplog.at_level(logging.INFO, "bots"), arena.run(tournament_of(kind), workers=1, executor=executor) as result:
        failures = [failure for _, _, failure in result.failures]
        games = [game.record for game in result.records()]
        failing, _ = sorted(result.report.standings, key=lambda standing: standing.index)
    assert 0 < len(failures) < GAMES
    assert {failure.kind for failure in failures} == {KINDS.get(kind, errors.CRASH)}
    assert not any("once more" in failure.message for failure in failures)
    assert sum("it cannot even be closed" in line for line in caplog.messages) == len(failures)
    assert failing.failures == {KINDS.get(kind, errors.CRASH): len(failures)}
    assert len(games) == GAMES
    for game, without in zip(games, unharmed(), strict=True):
        if game.failures:
            (failure,) = game.failures
            assert game.seats[failure.seat] == 0
            assert game.returns == ((0.0, 100.0) if failure.seat == 0 else (100.0, 0.0))
            assert without.moves.startswith(game.moves)
        else:
            assert (game.moves, game.returns) == (without.moves, without.returns)


def test_of_two_bots_that_fail_in_the_same_game_neither_plays_another_one():
    both = arena.describe("mnk", [f"{PATH}(kind=start)"] * 2, games=GAMES, seed=3)
    with arena.run(both, workers=1, executor="threads") as result:
        games = [game.record for game in result.records()]
    assert {len(game.failures) for game in games} == {0, 1, 2}
    for game in games:
        assert not any("once more" in failure.message for failure in game.failures)
        failing = {failure.seat for failure in game.failures}
        assert len(failing) == len(game.failures)
        if len(failing) == 1:
            assert [game.returns[seat] for seat in (*failing, *({0, 1} - failing))] == [0, 100]
        else:
            assert not failing or game.returns == (0.0, 0.0)


def test_an_executor_that_is_used_again_plays_with_the_bots_of_its_new_tournament(caplog):
    failures = 0
    with caplog.at_level(logging.INFO, "troublesome"), open_executor("threads", 1) as opened:
        for kind in ("illegal", "none"):
            with arena.run(tournament_of(kind), executor=opened) as result:
                games = [game.record for game in result.records()]
                failures += len(list(result.failures))
        closed = caplog.messages.count("illegal: closed")
    assert [(game.moves, game.failures) for game in games] == [(game.moves, ()) for game in unharmed()]
    assert closed == failures + 1  # of two seats, the bot in that of the last game has failed
    assert caplog.messages.count("none: closed") == 2
