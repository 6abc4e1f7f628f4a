"""What comes after a failure of a bot: the next game has a new bot, and is as if nothing had been."""

import pytest
from troublesome_bots import AfterTrouble

from bots import arena

GAMES = 12
PATH = f"{AfterTrouble.__module__}.{AfterTrouble.__qualname__}"


@pytest.mark.parametrize("executor", ["threads", "processes"])
@pytest.mark.parametrize("kind", ["crash", "illegal"])
def test_a_bot_that_has_failed_plays_no_other_game(executor, kind):
    tournament = arena.describe("mnk", [f"{PATH}(kind={kind})", "random"], games=GAMES, seed=3)
    with arena.run(tournament, workers=1, executor=executor) as result:
        failures = [failure for _, _, failure in result.failures]
        games = [game.record for game in result.records()]
    assert 0 < len(failures) < GAMES
    assert {failure.kind for failure in failures} == {{"illegal": "illegal move"}.get(kind, kind)}
    assert not any("once more" in failure.message for failure in failures)
    assert len(games) == GAMES
    others = arena.describe("mnk", [f"{PATH}(kind=none)", "random"], games=GAMES, seed=3)
    with arena.run(others, workers=1, executor="threads") as result:
        unharmed = [game.record for game in result.records()]
    for game, without in zip(games, unharmed, strict=True):
        assert game.failures or game.moves == without.moves
