"""Value nets as the leaves of rounds of sealed bids, and their training."""

import random
from dataclasses import replace

import numpy as np
import pytest
from game_cases import position
from nets import random_net
from support import run_python

import mcts
from bots import load_bot
from cext import _variant
from cext.games.bidding_3d_ttt.rounds.best_reply import BestReply
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver, fits_rounds
from cext.nets.net import Net
from cext.spec import format_spec
from mcts import DoubleOracle
from mcts.learning import rounds
from mcts.learning.generations import RESUMED, train_generations
from mcts.learning.rounds import Recipe, RoundLearner
from mcts.nets.shipped_nets import shipped_net
from mcts.rounds import first_round
from mcts.rounds.encodings import BLOCKS, mirrors

VARIANTS = ["bidding_3d_ttt", "bidding_3d_ttt(recapture=true)", "bidding_3d_ttt(chips=7)"]
TINY = Recipe(positions=12, leaves=500, hidden=(8, 4), epochs=3, games=4)


def train_rounds(games, recipe=None, generations=2, **options):
    return train_generations(RoundLearner(games, recipe), generations=generations, **options)


def between_rounds(game, count, seed=1):
    """States before the rounds of random games."""
    draw = random.Random(seed)
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            yield state.clone()
            state.apply_actions([state.sample_action(player, draw.getrandbits(64)) for player in range(2)])


@pytest.mark.parametrize("spec", VARIANTS)
def test_leaves_are_the_outputs_of_the_net(spec):
    """Compiled leaves with kept sums, and the net on the encoding of the state after both bids."""
    game = mcts.load_game(spec)
    net = random_net(game, hidden=(24, 8))
    draw = random.Random(3)
    compared = 0
    for state in between_rounds(game, 20):
        for player in range(2):
            solver = RoundSolver(state, player, net=net.core)
            for _ in range(4):
                bids = [state.sample_action(either, draw.getrandbits(64)) for either in range(2)]
                after = state.clone()
                after.apply_actions(bids)
                red = after.returns()[0] / 100 if after.is_terminal() else float(net.outputs([after.encode()])[0, 0])
                chips = state.to_dict()["chips"][1 - player]
                value = BestReply(solver, [(bids[1 - player], chips, 1.0)]).value(bids[player])
                assert value == pytest.approx(1 - red if player else red, abs=1e-6)
                compared += not after.is_terminal()
    assert compared > 100


def test_leaves_of_each_type_have_its_chips():
    state = position("bidding_3d_ttt", None, ["bid(A1:9,E5:9) bid(A1:20,C3:4)"])
    net = random_net(state.game, hidden=(24, 8))
    bids = [state.string_to_action(0, "bid(B1:3)"), (0,) * 81]
    solver = RoundSolver(state.view(0), 0, types=8, net=net.core)
    assert len(solver.types) > 3
    for left, _ in solver.types:  # the same tiles, with these chips of blue
        value = BestReply(solver, [(bids[1], left, 1.0)]).value(bids[0])
        inputs = np.array(
            [position("bidding_3d_ttt", None, ["bid(A1:9,E5:9) bid(A1:20,C3:4)", "bid(B1:3) bid()"]).encode()]
        )
        chips = position("bidding_3d_ttt", None, [f"bid(A1:9,E5:9) bid(C3:{80 - left})", "bid(B1:3) bid()"]).encode()
        inputs[0, -10:] = chips[-10:]
        assert value == pytest.approx(float(net.outputs(inputs)[0, 0]), abs=1e-6)


def test_equal_views_have_equal_strategies_with_a_net():
    net = random_net(mcts.load_game("bidding_3d_ttt"))
    states = [position("bidding_3d_ttt", None, [f"bid(A5:1,E5:40) bid({bid})"]) for bid in ("", "E5:30", "E5:9")]
    policies = [
        DoubleOracle(state.game, net=net, seed=5).run(state.view(0), simulations=9000).policy for state in states
    ]
    assert policies[0] == policies[1] == policies[2]
    other = DoubleOracle(states[0].game, net="none", seed=5).run(states[0].view(0), simulations=9000).policy
    assert other != policies[0]


def test_machine_codes_agree_with_a_net(tmp_path):
    random_net(mcts.load_game("bidding_3d_ttt")).save(tmp_path / "a.net")
    code = (
        "import mcts\ngame = mcts.load_game('bidding_3d_ttt')\n"
        f"oracle = mcts.DoubleOracle(game, net={str(tmp_path / 'a.net')!r}, opening=False, seed=4)\n"
        "found = oracle.run(game.new_initial_state().view(1), simulations=9000)\nprint(found.action, found.values)"
    )
    outputs = {run_python(code, PLAYOUT_VARIANT=name) for name in _variant.available()}
    assert len(outputs) == 1


def test_nets_that_do_not_fit_are_refused(tmp_path):
    game = mcts.load_game("bidding_3d_ttt")
    whole = random_net(game, blocks=[game.encoding_size])  # one block: no sums can be kept
    whole.save(tmp_path / "whole.net")
    random_net(mcts.load_game("mnk")).save(tmp_path / "mnk.net")
    (tmp_path / "text.net").write_text("a net")
    good = random_net(game)
    (tmp_path / "cut.net").write_bytes(good.to_bytes()[:-5])
    for name, message in [
        ("whole.net", "other blocks"),
        ("mnk.net", "is not a net for bidding_3d_ttt"),
        ("text.net", "is not a net"),
        ("cut.net", "checksum"),
        ("missing.net", "cannot be read"),
    ]:
        with pytest.raises(mcts.errors.NetFileError, match=message):
            DoubleOracle(game, net=str(tmp_path / name))
        bot = load_bot(format_spec("double_oracle", {"net": str(tmp_path / name)}))
        with pytest.raises(mcts.errors.NetFileError, match=message):
            bot.choose(game.new_initial_state().view(0))
    path = str(tmp_path / "whole.net")
    spec = load_bot(format_spec("double_oracle", {"net": path})).spec
    assert spec == format_spec("double_oracle", {"net": f"{path}#{whole.digest}"})
    with pytest.raises(mcts.errors.NetFileError, match="other blocks"):
        DoubleOracle(game, net=whole)
    with pytest.raises(mcts.UnsupportedGameError, match="not for bidding_3d_ttt"):
        DoubleOracle(mcts.load_game("bidding_3d_ttt(chips=9)"), net=good)
    with pytest.raises(mcts.ParameterError, match="net=3"):
        DoubleOracle(game, net=3)
    with pytest.raises(mcts.ParameterError, match="blank"):
        DoubleOracle(game, net=" ")
    view = game.new_initial_state().view(0)
    with pytest.raises(ValueError, match="does not fit"):
        RoundSolver(view, 0, net=whole.core)
    with pytest.raises(TypeError):
        RoundSolver(view, 0, net=good)
    assert fits_rounds(game, good.core)
    assert not fits_rounds(mcts.load_game("mnk"), random_net(mcts.load_game("mnk")).core)
    two = Net(BLOCKS, [(np.zeros(2, np.float32), np.zeros((214, 2), np.float32))] * 1 + [
        (np.zeros(2, np.float32), np.zeros((2, 2), np.float32))
    ])  # fmt: skip
    assert not fits_rounds(game, two)


def test_a_solver_keeps_its_net_alive():
    game = mcts.load_game("bidding_3d_ttt")
    state = position("bidding_3d_ttt", None, ["bid(A1:9) bid(B1:20)"])
    solver = RoundSolver(state, 0, seed=2, net=random_net(game).core)
    kept = random_net(game)
    same = RoundSolver(state, 0, seed=2, net=kept.core)
    solver.grow(20_000)
    same.grow(20_000)
    assert solver.strategy() == same.strategy()


@pytest.mark.parametrize("spec", VARIANTS)
def test_mirror_images_are_encodings_of_mirrored_games(spec):
    game = mcts.load_game(spec)
    draw = random.Random(2)

    def image(bid, exchanged, upside):
        moved = [0] * 81
        for tile, chips in enumerate(bid):
            row, column = divmod(tile // 9, 3)
            moved[27 * (2 - row if upside else row) + 9 * (2 - column if exchanged else column) + tile % 9] = chips
        return tuple(moved)

    assert len(mirrors()) == 4
    for _ in range(10):
        for number, mirror in enumerate(mirrors()):
            first, second = game.new_initial_state(), game.new_initial_state()
            while not first.is_terminal():
                bids = [first.sample_action(player, draw.getrandbits(64)) for player in range(2)]
                first.apply_actions(bids)
                images = [image(bid, mirror.exchanges, number % 2) for bid in bids]
                second.apply_actions(images[::-1] if mirror.exchanges else images)
                found = mirror.encodings(np.array([first.encode()]))
                np.testing.assert_allclose(found, np.array([second.encode()]), atol=1e-6)
            shares = np.array(first.returns()) / 100
            assert mirror.values(shares[0]) == second.returns()[0] / 100


@pytest.mark.long
def test_a_training_repeats_itself_with_any_number_of_workers():
    games = [mcts.load_game("bidding_3d_ttt(chips=9)")]
    seen = []
    nets = [
        train_rounds(games, TINY, seed=3, workers=workers, on_generation=lambda found, net: seen.append(found))
        for workers in (1, 3)
    ]
    assert nets[0].to_bytes() == nets[1].to_bytes()
    assert seen[:2] == seen[2:]
    assert [found.number for found in seen[:2]] == [1, 2]
    assert (seen[0].points, seen[0].error, seen[0].kept) == (None, None, True)
    assert 0 <= seen[1].points <= 1
    assert seen[1].error >= 0
    assert nets[0].specs == tuple(game.spec for game in games)


def test_an_interrupted_training_goes_on_with_the_same_result(tmp_path, monkeypatch):
    """After every step it is interrupted, so that each goes on from the file."""
    monkeypatch.setattr(rounds, "_FIRST_ROUND_SHARE", 1)
    monkeypatch.setattr(first_round, "PIECE", 20_000)
    games = [mcts.load_game(f"bidding_3d_ttt(chips={chips})") for chips in (9, 12)]
    whole = []
    expected = train_rounds(games, TINY, seed=3, on_generation=lambda found, net: whole.append(found))
    path = tmp_path / "a.steps"
    interruptions, resumed = 0, []

    class StopError(Exception):
        pass

    def lines():
        return (path / "steps").read_bytes().count(b"\n") if path.exists() else 1

    def stop_at_second_step(name, done, total):
        """Interrupt the work on a step if another one has been finished since the file was opened."""
        if name == RESUMED:
            resumed.append(done)
            assert done == total
        elif lines() > finished:
            raise StopError

    while True:
        seen = []
        finished = lines()
        try:
            net = train_rounds(
                games,
                TINY,
                seed=3,
                on_progress=stop_at_second_step,
                on_generation=lambda found, net, seen=seen: seen.append(found),
                steps=path,
            )
        except StopError:
            interruptions += 1
            with open(path / "steps", "ab") as file:
                file.write(b'["posit')  # a line that a killed process has not finished
            continue
        break
    assert interruptions > 10
    assert resumed == list(range(1, interruptions + 1))
    assert net.to_bytes() == expected.to_bytes()
    assert seen == whole
    assert not path.exists()


def test_steps_of_another_training_are_refused(tmp_path):
    games = [mcts.load_game("bidding_3d_ttt(chips=9)")]
    path = tmp_path / "a.steps"

    def stop(name, done, total):
        if name == "round 3":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_rounds(games, TINY, seed=3, on_progress=stop, steps=path)
    log = path / "steps"
    kept = log.read_bytes()
    for recipe, seed in [(TINY, 4), (replace(TINY, leaves=501), 3)]:
        with pytest.raises(mcts.errors.NetFileError, match="another training"):
            train_rounds(games, recipe, seed=seed, steps=path)
    for damaged in (kept.replace(b"positions", b"position", 1), b"{" + kept, kept.replace(b'",[[', b'",[[7,', 1)):
        log.write_bytes(damaged)
        with pytest.raises(mcts.errors.NetFileError, match=r"damaged|another"):
            train_rounds(games, TINY, seed=3, steps=path)
    with pytest.raises(mcts.errors.NetFileError, match="cannot"):
        train_rounds(games, TINY, steps=tmp_path / "nowhere" / "a.steps")


def test_the_seed_and_all_games_of_a_training_count():
    games = [mcts.load_game(f"bidding_3d_ttt(chips={chips})") for chips in (9, 12)]
    found = [train_rounds(games, TINY, 1, seed=seed) for seed in (3, 4)]
    assert found[0].specs == tuple(game.spec for game in games)
    assert len({net.to_bytes() for net in [*found, train_rounds(games[:1], TINY, 1, seed=3)]}) == 3


def test_a_net_learns_that_more_chips_win():
    """Before the last round, with equal tiles, a player without chips loses."""
    game = mcts.load_game("bidding_3d_ttt(chips=20)")
    recipe = Recipe(positions=400, leaves=2000, hidden=(16, 8), epochs=20)
    net = train_rounds([game], recipe, 1, seed=1)
    poor = position(game.spec, None, ["bid(A1:20) bid(C3:1)", "bid() bid()"])
    rich = position(game.spec, None, ["bid(A1:1) bid(C3:20)", "bid() bid()"])
    low, high = net.outputs([poor.encode(), rich.encode()])[:, 0]
    assert low < 0.35
    assert high > 0.65


def test_what_cannot_be_trained_is_refused():
    game = mcts.load_game("bidding_3d_ttt")
    with pytest.raises(mcts.UnsupportedGameError, match="no net can be trained for mnk"):
        train_rounds([mcts.load_game("mnk")])
    with pytest.raises(ValueError, match="leaves=0"):
        train_rounds([game], Recipe(leaves=0))
    with pytest.raises(ValueError, match="games=3; valid: 4 and up"):
        train_rounds([game], Recipe(games=3))
    with pytest.raises(ValueError, match="no game"):
        train_rounds([])


@pytest.mark.parametrize("spec", ["bidding_3d_ttt", "bidding_3d_ttt(recapture=true)"])
def test_the_shipped_net_fits_its_game(spec):
    game = mcts.load_game(spec)
    net = shipped_net(game)
    assert fits_rounds(game, net.core)
    value = float(net.outputs([position(game.spec, None, ["bid() bid()"]).encode()])[0, 0])
    assert value == pytest.approx(0.5, abs=0.1)
    view = position(game.spec, None, ["bid(A1:9) bid(B1:20)"]).view(0)
    named = DoubleOracle(game, net="shipped", seed=1).run(view, simulations=4000)
    assert named.policy == DoubleOracle(game, net=net, seed=1).run(view, simulations=4000).policy
    assert shipped_net(mcts.load_game("mnk")) is None
    with pytest.raises(mcts.UnsupportedGameError, match="no net comes with the package"):
        DoubleOracle(mcts.load_game("bidding_3d_ttt(chips=9)"), net="shipped")


@pytest.mark.parametrize(
    ("spec", "chosen"),
    [("bidding_3d_ttt", "none"), ("bidding_3d_ttt(recapture=true)", "shipped"), ("bidding_3d_ttt(chips=9)", "none")],
)
def test_the_default_is_the_shipped_net_where_it_is_better(spec, chosen):
    game = mcts.load_game(spec)
    view = position(spec, None, ["bid(A1:5) bid(B1:6)"]).view(0)
    default = DoubleOracle(game, seed=1).run(view, simulations=4000)
    assert default.policy == DoubleOracle(game, net=chosen, seed=1).run(view, simulations=4000).policy
