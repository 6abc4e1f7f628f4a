"""Parts of the report page: positions in charts, numbers as text, ranks, and families of bots."""

import pytest

from bots.arena.ratings.blocks import GameOutcome
from bots.arena.report.number_format import duration, percent, signed
from bots.arena.report.page.charts import Measured, Scale, histogram, xy_plot
from bots.arena.report.page.tables import families, mean_ranks
from bots.arena.tournament.schedule import Tournament


def test_ranks_are_shared_by_equals():
    games = {GameOutcome((0, 1, 2), (50.0, 50.0, 0.0)): 1, GameOutcome((2, 0, 1), (0.0, 100.0, 0.0)): 3}
    assert mean_ranks(games) == {0: (1.5 + 3) / 4, 1: (1.5 + 3 * 2.5) / 4, 2: (3 + 3 * 2.5) / 4}


def test_families_differ_in_simulations_alone():
    bots = (
        "mcts(simulations=10)",
        "mcts(simulations=100)",
        "mcts(simulations=10,selection=puct)",
        "random",
        "mcts(simulations=50,seconds=1)",
        "mcts",
    )
    (family,) = families(Tournament("points_ttt", 2, bots, 1), range(6))
    assert (family.name, family.members) == ("mcts", ((10, 0), (100, 1)))


def test_scales_and_ticks():
    scale = Scale([-100, 300], margin=0)
    assert [scale.percent(value) for value in (-100, 100, 300, 900)] == [0, 50, 100, 100]
    assert scale.ticks(5) == [-100, 0, 100, 200, 300]
    assert Scale([7.0]).low < 7 < Scale([7.0]).high
    logarithmic = Scale([1e-5, 1e-1], is_log=True, margin=0)
    assert logarithmic.percent(1e-3) == 50
    assert logarithmic.ticks() == pytest.approx([1e-5, 1e-4, 1e-3, 1e-2, 1e-1])


@pytest.mark.parametrize("stretch", [(2.1e-3, 4.7e-3), (1.1e-3, 1.3e-3), (6e-4, 2e-2), (9.9e-1, 1.01), (3e-6, 5e1)])
def test_a_time_axis_has_ticks_in_one_decade_and_in_many(stretch):
    scale = Scale(stretch, is_log=True, margin=0.08)
    ticks = scale.ticks()
    assert 3 <= len(ticks) <= 12
    places = [scale.percent(tick) for tick in ticks]
    assert places == sorted(set(places))
    labels = [duration(tick) for tick in ticks]
    assert len(set(labels)) == len(labels)


def test_histograms_gather_many_lengths():
    few = histogram({3: 1, 5: 4}, "steps")
    assert [bar.height for bar in few.bars] == [25, 0, 100]
    assert few.bars[2].label == "5 steps: 4 games"
    many = histogram(dict.fromkeys(range(1, 201), 2), "steps")
    assert len(many.bars) == 40
    assert many.bars[0].label == "1 to 5 steps: 10 games"
    assert sum(bar.width for bar in many.bars) == pytest.approx(100)


def test_plots_stand_right_side_up():
    plot = xy_plot({"a": [Measured(100, 50, 10, ""), Measured(10, 0, None, "")]}, signed, is_log=True)
    left, right = plot.series[0].dots
    assert left.x < right.x
    assert left.y > right.y
    assert right.y_high < right.y < right.y_low
    assert left.y_low is None
    assert [tick.label for tick in plot.x_ticks] == ["10", "100"]


def test_numbers_in_words():
    assert [percent(share) for share in (0, 0.0001, 0.5, 0.99999, 1)] == [
        "0 %",
        "< 0.1 %",
        "50.0 %",
        "> 99.9 %",
        "100 %",
    ]
    assert [signed(value) for value in (-1234.5, 0.2, 12.6)] == ["\N{MINUS SIGN}1,234", "0", "+13"]
    assert [duration(seconds) for seconds in (12.345, 0.00123, 4.5e-6, 2e-8)] == [
        "12.3 s",
        "1.23 ms",
        "4.5 \N{MICRO SIGN}s",
        "20 ns",
    ]
