"""Online outcome sampling: a plain twin, convergence with and without aims, what a run keeps, limits, and errors."""

import pytest
from waiting import HANG_SECONDS

import bots
import mcts
from cext.exact.outcome_sampling import OutcomeSampling
from cext.exact.sequence_form import SequenceForm
from mcts.reference.rng import Rng
from mcts.searchers import oos
from mcts.searchers.oos import OOS

EXPLORATION, AIMED = 0.4, 0.7


def answers(sampling):
    """Return the average strategies as a policy of views, even where nothing is known."""
    keys = SequenceForm(sampling.game, 1)

    def policy(view):
        known, actions = sampling.answer(*keys.key_of(view)), view.legal_actions()
        return dict(zip(actions, known[0], strict=True)) if known else dict.fromkeys(actions, 1 / len(actions))

    return policy


def gap(solution, policy):
    """Return what best responses gain against a policy, as a share of the range of returns."""
    game = solution.game
    return (sum(solution.best_responses(policy).values) - game.utility_sum) / (game.max_utility - game.min_utility)


def walk_to(view, **options):
    """Return the complete walk to a view."""
    form = SequenceForm(view.game, 10, None, [SequenceForm(view.game, 1).key_of(view)], **options)
    assert form.explore(100_000)
    return form


def histories_to(view, only_actions=False):
    """Return all beginnings of the histories after which the player of a view sees the same, found by trying all."""
    found = set()

    def visit(state, history):
        if state.is_terminal():
            return
        is_chance = state.is_chance()
        if view.player in state.acting_players() and state.view(view.player) == view:
            found.update(history[:length] for length in range(len(history) + 1))
            return
        for action in [outcome for outcome, _ in state.chance_outcomes()] if is_chance else state.legal_actions():
            visit(state.child(action), (*history, "any" if only_actions and is_chance else action))

    visit(view.game.new_initial_state(), ())
    return found


class Twin:
    """The algorithm as in the paper, with the whole probability of each history, for games in turns."""

    def __init__(self, game, seed, leading=()):
        self.game, self.rng, self.leading = game, Rng(seed), leading
        self.known, self.simulations = {}, 0  # (view, own path) -> regrets, cumulated strategy, visits

    def simulate(self):
        self.aims, self.learner, self.grows = bool(self.leading) and self.rng.unit() < AIMED, self.simulations % 2, True
        self.play(self.game.new_initial_state(), (), [(), ()], 1.0, 1.0, 1.0, bool(self.leading))
        self.simulations += 1

    def probability(self, plain, aimed):
        return AIMED * aimed + (1 - AIMED) * plain if self.leading else plain

    def draw(self, chances):
        rest = self.rng.unit()
        for index, chance in enumerate(chances):
            rest -= chance
            if rest < 0:
                return index
        return max(index for index, chance in enumerate(chances) if chance)

    def play(self, state, history, paths, others, plain, aimed, leads):
        """Return the probability of the rest by the strategies, that of the simulation, and the value."""
        if state.is_terminal():
            low, high = self.game.min_utility, self.game.max_utility
            value = (2 * state.returns()[self.learner] - high - low) / (high - low)
            return 1.0, self.probability(plain, aimed), value
        player, known, key = None, None, None
        if state.is_chance():
            actions, strategy = zip(*state.chance_outcomes(), strict=True)
            chances = strategy
        else:
            (player,), actions = state.acting_players(), state.legal_actions()
            key = (state.view(player), paths[player])
            if self.grows and key not in self.known:
                self.grows, self.known[key] = False, [[0.0] * len(actions) for _ in range(3)]
            known, even = self.known.get(key), 1 / len(actions)
            positive = [max(0.0, regret) for regret in known[0]] if known else [0.0]
            strategy = [each / sum(positive) for each in positive] if sum(positive) else [even] * len(actions)
            share = EXPLORATION if player == self.learner else 0.0
            chances = [share * even + (1 - share) * chance for chance in strategy]
        leading = [(*history, each) in self.leading for each in actions]
        weights = [(chance + 1e-9) * each for each, chance in zip(leading, chances, strict=True)]
        towards = [each / sum(weights) for each in weights] if leads and sum(weights) else chances
        index = self.draw(towards if self.aims else chances)
        action, own = actions[index], strategy[index]
        after = list(paths)
        if player is not None:
            after[player] = (*key, action)
        tail, whole, value = self.play(
            state.child(action),
            (*history, action),
            after,
            others if player == self.learner else others * own,
            plain * chances[index],
            aimed * towards[index],
            leads and sum(weights) > 0 and towards[index] > 0,
        )
        if known:
            known[2][index] += 1
            for i, chance in enumerate(strategy):
                if player == self.learner:
                    known[0][i] += value * others / whole * ((tail if i == index else 0.0) - tail * own)
                else:
                    known[1][i] += others * chance / self.probability(plain, aimed)
        return tail * own, whole, value


@pytest.mark.parametrize(("spec", "text"), [("kuhn_poker", None), ("kuhn_poker", "JK_b"), ("leduc_poker", "QJ._r")])
def test_a_plain_twin_learns_the_same(spec, text):
    game = mcts.load_game(spec)
    view = game.state_from_text(text).view(1) if text else None
    sampling = OutcomeSampling(game, EXPLORATION, AIMED, 1)
    sampling.reseed(5)
    if view:
        sampling.aim(walk_to(view, whole=False))
    twin = Twin(game, 5, histories_to(view) if view else ())
    sampling.simulate(400)
    for _ in range(400):
        twin.simulate()
    assert sampling.num_sets == len(twin.known) > 10
    keys = SequenceForm(game, 1)
    for (seen, _), (_, sums, visits) in twin.known.items():
        chances, found, _ = sampling.answer(*keys.key_of(seen))
        assert found == visits
        total = sum(sums)
        assert chances == pytest.approx([each / total if total else 1 / len(sums) for each in sums])


class Traversals(Twin):
    """External sampling in plain Python (Lanctot et al. 2009), with weights that grow evenly."""

    def simulate(self):
        self.learner = self.simulations % 2
        self.follow(self.game.new_initial_state(), [(), ()])
        self.simulations += 1

    def follow(self, state, paths):
        """Return the value for the player who learns."""
        if state.is_terminal():
            low, high = self.game.min_utility, self.game.max_utility
            return (2 * state.returns()[self.learner] - high - low) / (high - low)
        if state.is_chance():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            return self.follow(state.child(outcomes[self.draw(chances)]), paths)
        (player,), actions = state.acting_players(), state.legal_actions()
        key = (state.view(player), paths[player])
        regrets, sums, visits = self.known.setdefault(key, [[0.0] * len(actions) for _ in range(3)])

        def after(action):
            return [(*key, action) if each == player else path for each, path in enumerate(paths)]

        def strategy():
            positive = [max(0.0, regret) for regret in regrets]
            return [each / sum(positive) if sum(positive) else 1 / len(actions) for each in positive]

        if player != self.learner:
            for i, chance in enumerate(strategy()):
                sums[i] += (self.simulations + 1) * chance
            action = actions[self.draw(strategy())]
            return self.follow(state.child(action), after(action))
        values = [self.follow(state.child(action), after(action)) for action in actions]
        mean = sum(chance * value for chance, value in zip(strategy(), values, strict=True))
        for i, value in enumerate(values):
            regrets[i] += (self.simulations + 1) * (value - mean)
            visits[i] += 1
        return mean


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker"])
def test_traversals_learn_what_a_plain_twin_does(spec):
    game = mcts.load_game(spec)
    sampling, twin = OutcomeSampling(game, 0.4, 0.0, 1), Traversals(game, 5)
    sampling.reseed(5)
    while sampling.simulations < 60:
        sampling.traverse(60 - sampling.simulations)
    for _ in range(60):
        twin.simulate()
    assert sampling.num_sets == len(twin.known)
    keys = SequenceForm(game, 1)
    for (seen, _), (_, sums, visits) in twin.known.items():
        chances, found, _ = sampling.answer(*keys.key_of(seen))
        assert found == visits
        total = sum(sums)
        assert chances == pytest.approx([each / total if total else 1 / len(sums) for each in sums])


def test_external_sampling_approaches_an_equilibrium():
    game = mcts.load_game("liars_dice(sides=3)")
    solution = mcts.solve(game)
    search = OOS(game, sampling="external", seed=1)
    view = game.new_initial_state()
    while view.is_chance():
        view.apply_action(view.sample_outcome(1))
    result = search.run(view.view(0), simulations=20_000)
    assert result.simulations == 20_000
    assert gap(solution, lambda seen: search.run(seen, simulations=1).policy) < 0.01
    assert result.values[0] == pytest.approx(solution.action_values_at(view.view(0))[0].value, abs=0.05)


def test_a_long_traversal_can_be_stopped_and_goes_on():
    """A traversal of a larger board has more ends of games than any run can visit."""
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    search = OOS(game, sampling="external", memory_mb=2, seed=1)
    for _ in range(2):
        result = search.run(game.new_initial_state().view(0), seconds=0.02)
        assert result.simulations == 0
        assert sum(result.policy.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("spec", "most"), [("liars_dice(sides=3)", 0.03), pytest.param("leduc_poker", 0.06, marks=pytest.mark.long)]
)
def test_it_approaches_an_equilibrium(spec, most):
    sampling = OutcomeSampling(mcts.load_game(spec), 0.4, 0.0, 10)
    sampling.simulate(200_000)
    solution = mcts.solve(sampling.game)
    assert gap(solution, answers(sampling)) < most
    assert sampling.num_sets <= {"liars_dice(sides=3)": 192, "leduc_poker": 936}[spec]


@pytest.mark.parametrize("targeting", ["information_set", "public", "none"])
def test_aims_change_neither_the_equilibrium_nor_the_values(targeting):
    game = mcts.load_game("kuhn_poker")
    solution = mcts.solve(game)
    search = OOS(game, targeting=targeting, targeted=0.8, seed=1)
    view = game.state_from_text("QK_b").view(1)
    result = search.run(view, simulations=200_000)
    assert gap(solution, lambda seen: search.run(seen, simulations=1).policy) < 0.01
    assert result.policy[1] > 0.99
    assert (result.action_values[1], result.action_values[0]) == pytest.approx((2, -1), abs=0.05)
    assert result.simulations == 200_000
    share = sum(result.visits.values()) / 200_000
    assert share > 0.7 if targeting == "information_set" else share < 0.6


@pytest.mark.parametrize(("text", "player"), [("QJ._-", 0), ("QJK_rc-", 0), ("QJK_rccr", 1)])
@pytest.mark.parametrize("actions", [False, True])
def test_a_walk_finds_the_histories_that_lead_to_a_view(text, player, actions):
    game = mcts.load_game("leduc_poker")
    view = game.state_from_text(text.rstrip("-") if text.endswith("c-") else text).view(player)
    assert walk_to(view, whole=False, actions=actions).num_found == len(histories_to(view, actions))


def test_earlier_decisions_shorten_the_walk():
    game = mcts.load_game("leduc_poker")
    keys = SequenceForm(game, 1)
    views = [game.state_from_text(text).view(1) for text in ("QJ._r", "QJK_rcr")]
    seen = [keys.key_of(view) for view in views]
    short, long = SequenceForm(game, 10, None, seen), walk_to(views[1], whole=False)
    assert short.explore(100_000)
    assert short.num_found == long.num_found > 0
    assert short.num_histories < long.num_histories / 3
    search, other = OOS(game, seed=2), OOS(game, seed=2)
    for view in views:
        result = search.run(view, simulations=1000)
        assert sum(result.visits.values()) > 700  # also of the second decision, whose walk begins with the first
    other.run(game.state_from_text("KQ._-").view(0), simulations=1000)
    assert sum(other.run(views[1], simulations=9000).visits.values()) > 3000  # no decision before it was searched
    late = game.state_from_text("JQK_crccr").view(0)
    assert sum(other.run(late, simulations=9000).visits.values()) > 3000  # those before were of another game


def test_what_is_hidden_changes_nothing_and_seeds_repeat_results():
    game = mcts.load_game("leduc_poker")
    results = []
    for card in "JjKk":
        view = game.state_from_text(f"{card}Q._r").view(1)
        results.append(OOS(game, seed=3).run(view, 2000))
    assert len({(result.action, *result.policy.items(), *result.visits.items()) for result in results}) == 1
    view = game.state_from_text("KQ._r").view(1)
    assert OOS(game, seed=4).run(view, 2000).policy != results[0].policy
    bot = bots.load_bot("oos(simulations=500)")
    played = []
    for _ in range(2):
        bot.new_game(game, 1, seed=9)
        bot.choose(view)
        played.append(bot.search_info.policy)
    assert played[0] == played[1]


def test_the_memory_limit_ends_growth_and_aims(monkeypatch):
    made = []

    class Noted(OutcomeSampling):
        def __init__(self, *given):
            made.append(self)

    monkeypatch.setattr(oos, "OutcomeSampling", Noted)
    game = mcts.load_game("liars_dice(dice=2)")
    view = game.new_initial_state()
    while view.is_chance():
        view.apply_action(view.sample_outcome(1))
    view = view.view(0)
    search = OOS(game, memory_mb=2, seed=1)
    assert search.run(view, simulations=20_000).simulations == 20_000
    [sampling] = made
    full = sampling.num_sets
    again = search.run(view, simulations=20_000)
    assert sampling.num_sets == full
    assert sum(again.policy.values()) == pytest.approx(1)


def test_states_that_exceed_the_memory_of_walks_are_searched_without_them():
    game = mcts.load_game("go")
    view = game.new_initial_state().view(0)
    result = OOS(game, memory_mb=2, seed=1).run(view, simulations=20)
    assert result.simulations == 20
    assert result.action in view.legal_actions()


def test_simultaneous_moves_and_games_in_which_nothing_is_hidden():
    for spec in ("bidding_ttt(coins=2)", "dice_ttt", "mnk"):
        game = mcts.load_game(spec)
        state = game.new_initial_state()
        while state.is_chance():
            state.apply_action(state.sample_outcome(1))
        view = state.view(state.acting_players()[-1])
        assert OOS(game, sampling="external", seed=1).run(view, seconds=0.01).action in view.legal_actions()
        result = OOS(game, seed=1).run(view, simulations=3000)
        assert result.action in view.legal_actions()
        assert all(0 <= each <= 1 for each in result.policy.values())
        assert sum(result.visits.values()) > 2000


def test_a_run_can_be_stopped():
    search = OOS(mcts.load_game("leduc_poker"))
    view = search.game.state_from_text("QJ._-").view(0)
    assert search.run(view, seconds=HANG_SECONDS, on_progress=lambda found: search.stop()).interrupted


def test_bad_parameters_and_games_are_refused():
    kuhn = mcts.load_game("kuhn_poker")
    for given in ({"targeting": "all"}, {"sampling": "all"}, {"targeted": 1}, {"exploration": 0}, {"memory_mb": 1}):
        with pytest.raises(mcts.ParameterError, match="valid"):
            OOS(kuhn, **given)
    for spec, reason in (("kuhn_poker(players=3)", "use ismcts"), ("bidding_3d_ttt", "use double_oracle")):
        with pytest.raises(mcts.UnsupportedGameError, match=reason):
            OOS(mcts.load_game(spec))
        with pytest.raises(TypeError, match=r"too many|two players"):
            OutcomeSampling(mcts.load_game(spec), 0.4, 0.9, 1)
    for shares in ((0.0, 0.5), (1.5, 0.5), (0.5, 1.0), (0.5, -0.1)):
        with pytest.raises(ValueError, match="valid: "):
            OutcomeSampling(kuhn, *shares, 1)
    sampling = OutcomeSampling(kuhn, 0.4, 0.9, 1)
    with pytest.raises(ValueError, match="not all found"):
        sampling.aim(SequenceForm(kuhn, 1))
    with pytest.raises(ValueError, match="num_found above 0"):
        sampling.aim(walk_to(mcts.load_game("leduc_poker").state_from_text("QJ._-").view(0)))
    assert sampling.answer(0, 1) is None
