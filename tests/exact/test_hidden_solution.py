"""Solutions with hidden bids: against plain best replies, counts, and play of the real game."""

import random
from collections import Counter, defaultdict
from functools import cache

import numpy as np
import pytest
from game_cases import position
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import sweep

import mcts
from cext.matrix_game import matrix_game
from mcts.exact.bidding_3d_ttt import tiles
from mcts.exact.bidding_3d_ttt.solution import solve_hidden_bids
from mcts.exact.sequence_form import Decisions, solve_for

SPECS = [f"bidding_3d_ttt(chips={chips},recapture={flag})" for chips in (0, 1, 2) for flag in ("false", "true")]
ONE_CHIP = [spec for spec in SPECS if "chips=1" in spec]
TWO_CHIPS = [spec for spec in SPECS if "chips=2" in spec]
NOTHING = "bid()"
OPEN = tiles.ALIKE_TILES


@cache
def solved(spec):
    return solve_hidden_bids(mcts.load_game(spec))


def play(spec, *rounds):
    """The state after rounds of bids, (red, blue)."""
    return position(spec, None, [" ".join(texts) for texts in rounds])


class RandomPolicy:
    """Random probabilities for the shapes of every information state; evenly within a shape."""

    def __init__(self, solution, seed):
        self.solution = solution
        self.seed = seed
        self.chances = {}

    def shapes(self, view):
        """Pairs of a shape of bids and its probability."""
        shapes = self.solution.bid_classes(view)
        marks = tiles.marks_of(view.to_dict(), (view.player,))
        draw = random.Random(f"{self.seed} {view.player} {len(view.to_dict()['history'])} {sorted(marks.values())}")
        weights = [draw.random() ** 6 for _ in shapes]
        return [(shape, weight / sum(weights)) for shape, weight in zip(shapes, weights, strict=True)]

    def __call__(self, view):
        """Every bid with its probability."""
        marks = tiles.marks_of(view.to_dict(), (view.player,))
        known = (view.player, len(view.to_dict()["history"]), tiles.pattern_of(marks))
        if known not in self.chances:
            self.chances[known] = {
                tiles.pattern_of(tiles.add_bid(marks, shape.example)): probability / shape.count
                for shape, probability in self.shapes(view)
            }
        chances = self.chances[known]
        return {bid: chances[tiles.pattern_of(tiles.add_bid(marks, bid))] for bid in legal_bids(view)}

    def draw(self, view, draw):
        """One bid: a shape, with equally marked tiles shuffled."""
        marks = tiles.marks_of(view.to_dict(), (view.player,))
        shapes, probabilities = zip(*self.shapes(view), strict=True)
        example = draw.choices(shapes, probabilities)[0].example
        alike = defaultdict(list)
        for tile in OPEN:
            alike[marks.get(tile, ())].append(tile)
        chips = {}
        for group in alike.values():
            chips |= {tile: example[old] for tile, old in zip(draw.sample(group, len(group)), group, strict=True)}
        return tiles.bid_on(chips)


@cache
def all_bids(chips):
    """Every bid of up to so many chips on tiles that are not closed from the start."""
    found = {tuple([0] * 81)}
    for _ in range(chips):
        found |= {tuple(n + (i == tile) for i, n in enumerate(bid)) for bid in found for tile in OPEN}
    return sorted(found)


def legal_bids(view):
    """Every legal bid, by trying all."""
    return [bid for bid in all_bids(view.to_dict()["chips"][view.player]) if view.is_legal(bid)]


def best_response(game, player, policy):
    """What the best a player can do earns against a policy: through real states and views, tiles by their names."""
    answers = {}

    def answer(view):
        key = view.information_state_string()
        if key not in answers:
            answers[key] = [(bid, chance) for bid, chance in policy(view).items() if chance > 0]
        return answers[key]

    def worth(worlds):
        """Of situations that look the same to the player, each with its probability."""
        return max(worth_of(worlds, bid) for bid in legal_bids(worlds[0][0].view(player)))

    def worth_of(worlds, bid):
        earned, groups = 0.0, defaultdict(list)
        for state, chance in worlds:
            for other, share in answer(state.view(1 - player)):
                after = state.clone()
                after.apply_actions([bid, other] if player == 0 else [other, bid])
                if after.is_terminal():
                    earned += chance * share * after.returns()[player]
                else:
                    groups[after.to_dict()["tiles"]].append((after, chance * share))
        return earned + sum(worth(group) for group in groups.values())

    return worth([(game.new_initial_state(), 1.0)])


@pytest.mark.sample(2)
@pytest.mark.parametrize("spec", SPECS)
def test_both_sides_are_worth_the_same_and_the_policy_cannot_be_exploited(spec):
    solution = solved(spec)
    assert solution.value() == pytest.approx([50, 50], abs=1e-9)
    assert 0 <= solution.max_error < 1e-9
    assert solution.exploitability(solution.policy) == pytest.approx(0, abs=1e-9)
    assert solution.mean_loss(solution.policy) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("spec", [pytest.param(ONE_CHIP[0], marks=pytest.mark.long), ONE_CHIP[1]])
def test_with_one_chip_a_best_response_by_brute_force_earns_no_more(spec, player):
    """Both earn at most 50 against it, and the two share 100: so 50 is the value, and no linear program says so."""
    solution = solved(spec)
    assert best_response(solution.game, player, solution.policy) == pytest.approx(50, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("spec", ONE_CHIP)
def test_with_one_chip_shapes_lose_nothing(spec):
    """The best reply to any policy earns as much among shapes as among all the named tiles."""
    solution = solved(spec)
    policy = RandomPolicy(solution, 1)
    replies = [best_response(solution.game, player, policy) for player in (0, 1)]
    assert min(replies) > 50
    assert solution.exploitability(policy) == pytest.approx(sum(replies) - 100, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("spec", TWO_CHIPS)
def test_with_two_chips_play_of_the_real_game_earns_what_is_expected(spec):
    solution = solved(spec)
    policies = [RandomPolicy(solution, 5), RandomPolicy(solution, 6)]
    expected = solution.expected_returns(*policies)
    assert sum(expected) == pytest.approx(100)
    assert abs(expected[0] - 50) > 3  # the policies differ
    draw = random.Random(1)
    earned = []
    for _ in range(500):
        state = solution.game.new_initial_state()
        while not state.is_terminal():
            state.apply_actions([policy.draw(state.view(player), draw) for player, policy in enumerate(policies)])
        earned.append(state.returns()[0])
    error = np.std(earned) / len(earned) ** 0.5
    assert abs(np.mean(earned) - expected[0]) < 4 * error


@pytest.mark.parametrize("spec", [spec for spec in SPECS if "recapture=true" in spec])
def test_histories_are_counted_right(spec):
    """With recapturing every chip may go to any tile in any round: what counts is how the chips are split into tiles.

    The splits are counted by adding one kind of tile after the other: what each player bid on it in each round.
    """
    chips = mcts.load_game(spec).parameters["chips"]
    spent = Counter({(0, 0): 1})
    sides = Counter({(0, 0, 0): 1})
    for _ in range(chips):
        sides |= Counter({tuple(n + (i == r) for i, n in enumerate(s)): 1 for s in sides for r in range(3)})
    for red in sides:
        for blue in sides:
            cost = (sum(red), sum(blue))
            if cost == (0, 0) or max(cost) > chips:
                continue
            more = Counter()
            for (one, two), ways in spent.items():
                while one <= chips and two <= chips:
                    more[one, two] += ways
                    one, two = one + cost[0], two + cost[1]
            spent = more
    assert solved(spec).num_histories == sum(spent.values())


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SPECS), st.integers(0, 2**32))
def test_renaming_tiles_changes_nothing(spec, seed):
    game = mcts.load_game(spec)
    draw = random.Random(seed)
    names = dict(zip(OPEN, draw.sample(OPEN, len(OPEN)), strict=True))
    few = draw.sample(OPEN, 3)
    state, renamed = game.new_initial_state(), game.new_initial_state()
    while not state.is_terminal():
        joint = []
        for player in (0, 1):
            fit = [bid for bid in legal_bids(state.view(player)) if all(i in few for i, n in enumerate(bid) if n)]
            joint.append(draw.choice(fit))
        other = [tiles.bid_on({names[tile]: n for tile, n in enumerate(bid) if n}) for bid in joint]
        assert all(renamed.is_legal(player, bid) for player, bid in enumerate(other))
        state.apply_actions(joint)
        renamed.apply_actions(other)
    assert renamed.is_terminal()
    assert renamed.returns() == state.returns()


def test_with_three_chips_names_would_matter():
    line, apart = (
        play("bidding_3d_ttt(chips=3)", (NOTHING, NOTHING), (bid, NOTHING)).to_dict()["boards"]
        for bid in ("bid(A1:1,A2:1,A3:1)", "bid(A1:1,A2:1,A4:1)")
    )
    assert line != apart


def test_the_last_bid_is_forced():
    """Whoever sees the opponent's tile and has the only chip left must bid it, and where tiles can be taken, there."""
    spec = "bidding_3d_ttt(chips=1)"
    view = play(spec, ("bid(A1:1)", NOTHING), (NOTHING, NOTHING)).view(1)
    policy = solved(spec).policy(view)
    assert sum(policy.values()) == pytest.approx(1)
    assert len(policy) == 62
    assert set(map(sum, policy)) == {1}
    spec = "bidding_3d_ttt(chips=1,recapture=true)"
    view = play(spec, ("bid(A1:1)", NOTHING), (NOTHING, NOTHING)).view(1)
    assert solved(spec).policy(view) == {view.string_to_action("bid(A1:1)"): 1.0}


def test_losses_of_single_decisions_are_known():
    """Where tiles can be taken back, the only chip bid in round 1 loses the game to one that waits."""
    spec = "bidding_3d_ttt(chips=1,recapture=true)"
    solution = solved(spec)
    start = solution.game.new_initial_state()
    bid = start.string_to_action(0, "bid(E5:1)")
    nothing = start.string_to_action(0, NOTHING)
    worth = {sum(shape.example): (shape.count, shape.value) for shape in solution.bid_classes(start, 0)}
    assert worth[0] == (1, pytest.approx(50))
    assert worth[1] == (63, pytest.approx(0))
    assert solution.optimal_actions(start, 1) == [nothing]

    def hasty(view):
        return {bid: 1.0} if view.is_legal(bid) else {nothing: 1.0}

    assert solution.exploitability(hasty) == pytest.approx(100)
    assert solution.mean_loss(hasty) == pytest.approx(50)
    assert solution.expected_returns(hasty, solution.policy) == pytest.approx((0, 100))


def test_errors_are_punished():
    """A chip of two bid in round 1, where tiles can be taken back, is answered by taking that tile in round 2.

    Then both have one chip and the owner may bid on the tile or on another one, and so may the other: who guesses
    whether the tile is defended gets a draw or a win. That is a matrix game by the real rules.
    """
    spec = "bidding_3d_ttt(chips=2,recapture=true)"
    solution = solved(spec)
    worth = [shape.value for shape in solution.bid_classes(solution.game.new_initial_state(), 0)]
    late = play(spec, ("bid(A1:1)", NOTHING), (NOTHING, "bid(A1:1)"))
    table = []
    for red in ("bid(A1:1)", "bid(B1:1)"):
        row = []
        for blue in ("bid(A1:1)", "bid(C1:1)"):
            end = late.clone()
            end.apply_actions([late.string_to_action(0, red), late.string_to_action(1, blue)])
            row.append(end.returns()[0])
        table.append(row)
    value, _, _ = matrix_game(table)
    assert value == pytest.approx(25)
    assert worth == pytest.approx([50, value, 0, 0])
    view = late.view(0)
    if None in [shape.value for shape in solution.bid_classes(view)]:  # another optimal policy takes another tile back
        with pytest.raises(mcts.StateError, match="never lets red see this"):
            solution.value(view)
    else:
        assert solution.value(view) == pytest.approx([value, 100 - value], abs=1)  # 62 other tiles, not one


@sweep("spec", TWO_CHIPS, 1)
def test_bids_and_probabilities_agree(spec):
    solution = solved(spec)
    for rounds in [
        (),
        [(NOTHING, NOTHING)],
        [("bid(C9:1)", "bid(E1:1)")],
        [("bid(A1:1)", NOTHING), (NOTHING, "bid(B2:1)")],
    ]:
        state = play(spec, *rounds)
        for player in (0, 1):
            view = state.view(player)
            shapes = solution.bid_classes(view)
            policy = solution.policy(state, player)
            assert sum(shape.count for shape in shapes) == len(legal_bids(view))
            assert sum(shape.probability for shape in shapes) == pytest.approx(1)
            assert sum(policy.values()) == pytest.approx(1)
            assert set(policy) <= set(legal_bids(view))
            for shape in shapes:
                assert policy.get(shape.example, 0) * shape.count == pytest.approx(shape.probability)
            assert solution.sample(view, seed=3) == solution.sample(view, seed=3)
            assert solution.sample(view, seed=4) in policy
            if shapes[0].value is not None:
                best = max(shape.value for shape in shapes)
                assert solution.value(view)[player] == pytest.approx(best)
                assert sum(solution.value(view)) == pytest.approx(100)
                assert set(policy) <= set(solution.optimal_actions(view))


def test_solving_again_gives_the_same():
    one, two = (solve_hidden_bids(mcts.load_game(TWO_CHIPS[1])) for _ in range(2))
    view = play(TWO_CHIPS[1], ("bid(A1:1)", "bid(B2:1)")).view(0)
    assert one.policy(view) == two.policy(view)


def test_a_bot_is_counted():
    solution = solved(ONE_CHIP[0])

    class Dreamer:
        """Bids nothing, ever."""

        def choose(self, view):
            return view.string_to_action(NOTHING)

    assert solution.exploitability(Dreamer()) == pytest.approx(100)
    assert 0 < solution.mean_loss(Dreamer()) < 50


def test_games_that_cannot_be_solved_are_refused():
    with pytest.raises(mcts.UnsupportedGameError, match=r"chips=3.*10\^9 joint bids.*chips=0 to 2"):
        solve_hidden_bids(mcts.load_game("bidding_3d_ttt(chips=3)"))
    with pytest.raises(mcts.UnsupportedGameError, match="mnk"):
        solve_hidden_bids(mcts.load_game("mnk"))


def test_bad_calls():
    solution = solved(ONE_CHIP[0])
    start = solution.game.new_initial_state()
    with pytest.raises(mcts.StateError, match="player"):
        solution.policy(start)
    with pytest.raises(mcts.StateError, match="player 0, not of player 1"):
        solution.policy(start.view(0), 1)
    with pytest.raises(mcts.StateError, match="chips=2"):
        solution.value(play(TWO_CHIPS[0]))
    with pytest.raises(mcts.StateError, match="over"):
        solution.policy(play(ONE_CHIP[0], *[(NOTHING, NOTHING)] * 3), 0)
    with pytest.raises(mcts.StateError, match="hidden information"):
        solution.value(play(ONE_CHIP[0], (NOTHING, NOTHING)))
    assert solution.value(play(ONE_CHIP[0], ("bid(A1:1)", NOTHING), *[(NOTHING, NOTHING)] * 2)) == [100, 0]
    nothing = start.string_to_action(0, NOTHING)
    with pytest.raises(mcts.errors.LimitError):
        solution.exploitability(solution.policy, samples=0)
    with pytest.raises(mcts.errors.PolicyError, match=r"sum to 0\.5"):
        solution.exploitability(lambda view: {nothing: 0.5})
    with pytest.raises(mcts.errors.PolicyError, match="not legal"):
        solution.exploitability(lambda view: {tuple([2] * 81): 1.0})


def test_states_that_optimal_play_never_reaches_have_no_value():
    spec = "bidding_3d_ttt(chips=1,recapture=true)"
    view = play(spec, (NOTHING, "bid(A1:1)")).view(0)
    solution = solved(spec)
    assert {shape.value for shape in solution.bid_classes(view)} == {None}
    with pytest.raises(mcts.StateError, match="optimal opponent never"):
        solution.value(view)
    with pytest.raises(mcts.StateError, match="optimal opponent never"):
        solution.optimal_actions(view)


def test_sequence_form_of_a_matrix_game():
    """Rock, paper, scissors with other stakes, solved by hand: value 0, and (1/6, 1/3, 1/2) for each side."""
    sparse = pytest.importorskip("scipy.sparse")
    payoff = sparse.csr_matrix(np.pad([[0, -3, 2], [3, 0, -1], [-2, 1, 0]], ((1, 0), (1, 0))).astype(float))
    decisions = Decisions()
    decisions.add(0, 3)
    value, behaviour, _ = solve_for(decisions, decisions, payoff)
    assert value == pytest.approx(0, abs=1e-9)
    assert behaviour[0] == pytest.approx([1 / 6, 1 / 3, 1 / 2])
    assert decisions.best_response(payoff @ np.array([1, 1, 0, 0]))[0] == 3
