"""Values that the solver of double_oracle expects before each round, beside the results of the games."""

from argparse import Namespace

import pytest

import mcts
from bench import round_values

GIVEN = Namespace(seed=1, simulations=500, naive=0.5, known=False)


@pytest.mark.parametrize("known", [False, True])
def test_a_game_has_a_decision_for_each_round_after_the_first(known):
    game = mcts.load_game("bidding_3d_ttt(recapture=true)")
    given = Namespace(**{**vars(GIVEN), "known": known})
    for number in range(4):
        share, found = round_values.play(game, "spread", number, given)
        assert share in (0, 0.5, 1)
        assert [one.round for one in found] == [2, 3][: len(found)]
        for one in found:
            assert 0 <= one.value <= 1
            own, rival, believed = one.chips
            assert min(own, rival) >= 0
            assert max(own, rival, believed) <= 80
            assert believed == pytest.approx(rival) or not known
        assert (share, found) == round_values.play(game, "spread", number, given)


def test_the_means_are_printed(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["bench.round_values", "--games", "4", "--simulations", "300"])
    round_values.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("bidding_3d_ttt(chips=80,recapture=false) against spread: ")
    assert lines[1].startswith("before round 2, 4 games: expected ")
    monkeypatch.setattr("sys.argv", ["bench.round_values", "--games", "3"])
    with pytest.raises(SystemExit):
        round_values.main()
