"""Parts of reports: numbers as text, ranks, and families of bots."""

from bots.arena.ratings.blocks import GameOutcome
from bots.arena.report.number_format import percent, signed
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


def test_numbers_in_words():
    assert [percent(share) for share in (0, 0.0001, 0.5, 0.99999, 1)] == [
        "0 %",
        "< 0.1 %",
        "50.0 %",
        "> 99.9 %",
        "100 %",
    ]
    assert [signed(value) for value in (-1234.5, 0.2, 12.6)] == ["\N{MINUS SIGN}1,234", "0", "+13"]
