"""The loop of a training: generations, finished steps, and interruptions of every kind."""

import os
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from statistics import fmean, stdev
from types import SimpleNamespace

import numpy as np
import pytest
from nets import random_net
from waiting import Clock, let_pass, wait_until

import mcts
from mcts.learning import game_learner
from mcts.learning import generations as generations_module
from mcts.learning import steps as steps_module
from mcts.learning.game_learner import GameLearner, Recipe
from mcts.learning.generations import compared, train_generations
from mcts.learning.run import Run
from mcts.learning.self_play import Examples, SelfPlay, self_play
from mcts.learning.steps import LOG, TrainingSteps
from mcts.nets.training import Epoch

TINY = Recipe(positions=64, window=150, simulations=16, hidden=(8, 8), epochs=2, games=4)


@pytest.mark.parametrize(
    ("shares", "kept"),
    [
        ([1, 0, 1, 1, 0, 1], True),  # pairs 0.5, 1, 0.5: 0.667 with an error of 0.167
        ([1, 0, 1, 1, 0, 0], True),  # 0.5, 1, 0: level
        ([1, 0, 0.5, 0.5, 0, 0.5], False),
        ([1, 1, 1, 1, 0, 0, 0.5, 0], False),  # 1, 1, 0, 0.25: 0.562 with an error of 0.258
        ([1, 0, 0, 1, 1, 0], True),  # level, without an error
        ([1, 0.5, 0.5, 1, 1, 0.5], True),
    ],
)
def test_a_generation_is_kept_if_it_leads_by_one_standard_error_or_is_level(shares, kept):
    points, error, is_kept = compared(shares)
    assert points == pytest.approx(sum(shares) / len(shares))
    assert is_kept == kept
    pairs = [sum(shares[number : number + 2]) / 2 for number in range(0, len(shares), 2)]
    assert error == pytest.approx(stdev(pairs) / len(pairs) ** 0.5)


@pytest.mark.parametrize(
    "content", [b"my notes", b"my notes\nlast line", b'{"a":1}\n{"b":2}', b"[1]\n[2", b"\xff\n\xfe", b"\n"]
)
def test_a_file_that_is_not_of_a_training_stays_as_it_is(tmp_path, content):
    (tmp_path / LOG).write_bytes(content)
    with pytest.raises(mcts.errors.NetFileError, match=r"not a file of steps|another training"):
        TrainingSteps(tmp_path, {"seed": 3})
    assert (tmp_path / LOG).read_bytes() == content
    with pytest.raises(mcts.errors.NetFileError, match="not a folder of steps"):
        TrainingSteps(tmp_path / LOG, {"seed": 3})


@pytest.mark.parametrize("content", [b"", b'{"se', b'{"seed":3}\n', b'{"seed":3}\n["a",1,0.5]\n["b"'])
def test_a_file_of_the_training_that_was_cut_anywhere_continues(tmp_path, content):
    (tmp_path / LOG).write_bytes(content)
    steps = TrainingSteps(tmp_path, {"seed": 3})
    assert steps.finished == content.count(b'"a"')
    assert steps.do("a", lambda: 1) == 1
    assert (tmp_path / LOG).read_bytes().startswith(b'{"seed":3}\n["a",1,')
    assert TrainingSteps(tmp_path, {"seed": 3}).finished == 1


def test_a_file_of_steps_may_not_be_too_large(tmp_path, monkeypatch):
    steps = TrainingSteps(tmp_path, {"seed": 3})
    steps.do("a", lambda: 1)
    monkeypatch.setattr(steps_module, "MOST_BYTES", (tmp_path / LOG).stat().st_size)
    assert TrainingSteps(tmp_path, {"seed": 3}).finished == 1
    steps.do("b", lambda: 2)
    with pytest.raises(mcts.errors.NetFileError, match=r"has more than [0-9]+ bytes; valid: a file of steps"):
        TrainingSteps(tmp_path, {"seed": 3})


def test_a_large_result_is_in_a_file_that_is_checked(tmp_path):
    folder = tmp_path / "a.steps"
    TrainingSteps(folder, {}).keep("a", lambda: (b"result", [2, 3]))
    (folder / ".00000002.bin.abc").write_bytes(b"unfinished")
    steps = TrainingSteps(folder, {})
    kept, beside = steps.keep("a", lambda: pytest.fail("it is not computed again"))
    assert (kept.read(), beside) == (b"result", [2, 3])
    (path,) = folder.glob("*.bin*")
    for content in (b"resul", b"resulT", b"result2"):
        path.write_bytes(content)
        with pytest.raises(mcts.errors.NetFileError, match="is damaged"):
            kept.read()
    kept.drop()
    with pytest.raises(mcts.errors.NetFileError, match="cannot read"):
        TrainingSteps(folder, {}).keep("a", lambda: (b"", 0))[0].read()
    (folder / LOG).write_bytes(b'{}\n["a",["x",1,2],0]\n')
    with pytest.raises(mcts.errors.NetFileError, match="is damaged"):
        TrainingSteps(folder, {}).keep("a", lambda: (b"", 0))
    TrainingSteps(None, {}).remove()
    steps.remove()
    assert not folder.exists()


def trained(game="mnk", generations=3, recipe=TINY, **options):
    return train_generations(GameLearner(mcts.load_game(game), recipe), generations=generations, seed=2, **options)


def test_examples_are_stored_without_loss():
    found = self_play(mcts.load_game("mnk"), games=1, simulations=10)
    again = Examples.from_bytes(found.to_bytes())
    assert (again.images, again.states) == (8, len(found.inputs) // 8)
    for name in ("inputs", "values", "policies"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found, name))
    some = found.drawn_images(3, seed=1)
    assert (some.images, some.states) == (3, found.states)
    for number, row in enumerate(some.inputs):
        images = found.inputs[8 * (number // 3) :][:8]
        assert (images == row).all(axis=1).any()
    with pytest.raises(ValueError, match="not examples"):
        Examples.from_bytes(b"others")


def test_a_part_of_the_decisions_has_a_policy():
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    options = {"simulations": 40, "short_simulations": 10, "solver": False}
    every = SelfPlay(game, **options).some(60, seed=1)
    some = SelfPlay(game, **options, full_share=0.3, opening_plies=4).some(200, seed=1)
    assert every.states >= 60
    assert some.states >= 200
    assert (every.policies >= 0).any(axis=1).all()
    assert 0.15 < (some.policies >= 0).any(axis=1).mean() < 0.45
    first_marks = some.inputs[:: some.images, :50].sum(axis=1)[0]
    assert 0 <= first_marks <= 4


@pytest.mark.parametrize("game", ["three_player_ttt", "bidding_ttt(coins=3)"])
def test_games_of_every_kind_are_trained(game):
    seen = []
    net = trained(game, 2, on_generation=lambda found, net: seen.append(found))
    assert net.game == mcts.load_game(game)
    assert [one.number for one in seen] == [1, 2]
    assert [len(one.shares) for one in seen] == [0, 4]


def test_an_interrupted_training_goes_on_with_the_same_bytes(tmp_path):
    """It is interrupted at each third report. The folder keeps the window and the nets in use only."""
    expected, seen = [], []
    whole = trained(on_generation=lambda found, net: expected.append(found))
    folder = tmp_path / "a.steps"
    net, interruptions = None, 0
    while net is None:
        seen.clear()
        left = 3 * interruptions + 3

        def stop(name, done, total):
            nonlocal left
            left -= 1
            assert len(list(folder.glob("*.bin"))) <= 6
            if left == 0:
                raise KeyboardInterrupt

        try:
            net = trained(steps=folder, on_progress=stop, on_generation=lambda found, net: seen.append(found))
        except KeyboardInterrupt:
            interruptions += 1
            with (folder / LOG).open("ab") as file:
                file.write(b'["ga')
    assert interruptions >= 3
    assert net.to_bytes() == whole.to_bytes()
    assert seen == expected
    assert not folder.exists()


def test_a_folder_of_another_version_is_refused(tmp_path, monkeypatch):
    trained(seconds=1e-3, steps=tmp_path / "a.steps")
    monkeypatch.setattr(generations_module, "FORMAT_VERSION", 2)
    with pytest.raises(mcts.errors.NetFileError, match=r"of another training or version, .*remove the folder"):
        trained(steps=tmp_path / "a.steps")


def test_a_limit_of_time_ends_between_generations(tmp_path):
    folder = tmp_path / "a.steps"
    seen = []
    trained(seconds=1e-3, steps=folder, on_generation=lambda found, net: seen.append(found))
    assert len(seen) == 1
    assert trained(steps=folder).to_bytes() == trained().to_bytes()


def test_a_limit_of_time_leaves_room_for_the_longest_generation(monkeypatch):
    clock, waits, seen = Clock(), iter([10, 1, 1, 1, 1]), []
    monkeypatch.setattr(steps_module, "time", clock.module)

    def wait(found, net):
        seen.append(found.seconds)
        clock.now += next(waits)

    trained(generations=5, seconds=20, on_generation=wait)
    assert seen == [0, 10, 11]


@pytest.mark.parametrize("answer", [True, False])
def test_a_verdict_ends_a_test_early(answer):
    asked = []

    def verdict(shares):
        asked.append(len(shares))
        return answer if len(asked) == 2 else None

    seen = []
    recipe = Recipe(**{**vars(TINY), "games": 100})
    trained(generations=2, recipe=recipe, verdict=verdict, on_generation=lambda found, net: seen.append(found))
    assert asked == [16, 32]
    assert seen[1].kept  # the games are level


def test_the_stronger_net_has_the_higher_share_in_either_place():
    game = mcts.load_game("connect_four")
    learner = GameLearner(game, Recipe(simulations=24, opening_plies=4))
    strong, weak = (
        SimpleNamespace(net=mcts.MCTS(game, net="shipped").net),
        SimpleNamespace(net=random_net(game, policies=1)),
    )
    with ThreadPoolExecutor(1) as pool:
        run = Run(game, 3, TrainingSteps(None, {}), pool, lambda name, done, total: None)
        won, lost = (learner.shares(run, 1, *nets, range(3)) for nets in ((strong, weak), (weak, strong)))
    assert len(won) == len(lost) == 6
    assert fmean(won) > 0.9
    assert fmean(lost) < 0.1


@pytest.mark.parametrize(
    ("share", "answer", "kept"),
    [
        (0.5, False, True),
        (0.5, None, True),
        (0.25, None, False),
        (0.75, None, True),
        (0.75, False, False),
        (0.25, True, True),
    ],
)
def test_the_net_of_the_better_side_is_kept_and_of_equal_ones_the_later(monkeypatch, share, answer, kept):
    monkeypatch.setattr(GameLearner, "shares", lambda self, run, number, net, best, pairs: [share] * 2 * len(pairs))
    nets = []
    net = trained(
        generations=3, verdict=lambda shares: answer, on_generation=lambda found, net: nets.append((found.kept, net))
    )
    assert [found for found, _ in nets] == [True, kept, kept]
    assert (nets[0][1].to_bytes() == net.to_bytes()) != kept
    assert nets[-1][1].to_bytes() == net.to_bytes()


def test_a_share_compares_with_the_mean_of_the_others(monkeypatch):
    class First:
        """Plays the first legal action."""

        def __init__(self, game, net):
            pass

        def run(self, state, simulations):
            return SimpleNamespace(for_player=lambda seat: SimpleNamespace(action=state.legal_actions(seat)[0]))

    game = mcts.load_game("three_player_ttt")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions(state.current_player())[0])
    monkeypatch.setattr(game_learner, "MCTS", First)
    net = SimpleNamespace(net=random_net(game, policies=1))
    with ThreadPoolExecutor(1) as pool:
        run = Run(game, 3, TrainingSteps(None, {}), pool, lambda name, done, total: None)
        shares = GameLearner(game, Recipe(opening_plies=0)).shares(run, 1, net, net, range(12))
    leads = [(own - (sum(state.returns()) - own) / 2) / 100 for own in state.returns()]
    assert len(set(leads)) > 1
    pairs = {(first, second) for first, second in np.reshape(shares, (-1, 2)).round(9).tolist()}
    assert pairs == {(round(0.5 + lead / 2, 9), round(0.5 - lead / 2, 9)) for lead in leads}


def test_a_generation_goes_on_from_the_last_net_with_the_latest_examples(monkeypatch):
    """Three generations, of which none is better than the first; a window has the examples of two."""
    game, fits, tasks, losses = mcts.load_game("mnk"), [], [], [(0.5, 0.1), (0.3, 0.2), (0.4, 0.05)]
    nets = [random_net(game, seed=seed, policies=1) for seed in range(3)]

    class Played:
        """Examples that tell of which generation they are."""

        def __init__(self, game, net, **options):
            tasks.append(net and net.to_bytes())

        def some(self, states, seed):
            sizes = (states, game.encoding_size), (states, 1), (states, game.num_actions)
            return Examples(*(np.full(size, len(tasks), np.float32) for size in sizes), 1)

    def learn(game, parts, *, epochs, start, on_epoch, **others):
        fits.append((set(parts.inputs.ravel().tolist()), epochs, start and start.to_bytes()))
        for number, (loss, policy_loss) in enumerate(losses, 1):
            on_epoch(Epoch(number, 1.0, loss, policy_loss))
        return nets[len(fits) - 1]

    monkeypatch.setattr(game_learner, "SelfPlay", Played)
    monkeypatch.setattr(game_learner, "learn", learn)
    monkeypatch.setattr(GameLearner, "shares", lambda self, run, number, net, best, pairs: [0.25] * 2 * len(pairs))
    found = []
    recipe = replace(TINY, first_epochs=7)
    best = train_generations(
        GameLearner(game, recipe), generations=3, on_generation=lambda generation, net: found.append(generation)
    )
    first, second, third = (net.to_bytes() for net in nets)
    assert fits == [({1}, 7, None), ({1, 2}, 2, first), ({2, 3}, 2, second)]
    assert tasks == [None, first, second]
    assert best.to_bytes() == first
    assert [(one.examples, one.loss, one.policy_loss, one.kept) for one in found] == [
        (64, 0.3, 0.2, True), (128, 0.3, 0.2, False), (128, 0.3, 0.2, False),
    ]  # fmt: skip
    assert third != second


def test_what_cannot_be_trained_is_refused():
    with pytest.raises(mcts.UnsupportedGameError, match="no net can be trained"):
        GameLearner(mcts.load_game("bidding_3d_ttt"))
    for name, value in (("positions", 9), ("simulations", 1), ("games", 3), ("full_share", 0.0)):
        with pytest.raises(ValueError, match=f"{name}={value}"):
            GameLearner(mcts.load_game("mnk"), Recipe(**{name: value}))
    with pytest.raises(ValueError, match="generations=0"):
        trained(generations=0)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_training_that_is_killed_ends_with_the_same_bytes(tmp_path):
    """The command is killed 20 times: a random moment after some more steps, and sometimes before the first one."""
    options = ["--positions", "256", "--simulations", "20", "--match", "32", "--generations", "60", "--seed", "3"]
    log = tmp_path / "killed.net.steps" / LOG

    def start(name, workers):
        command = [sys.executable, "-P", "-m", "bots.cli", "train", "mnk", *options, "--hidden", "16,16"]
        command += ["--workers", workers, "-o", str(tmp_path / name)]
        return subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def lines():
        return log.read_bytes().count(b"\n") if log.exists() else 0

    luck = random.Random(3)
    kills = 0
    while kills < 20:
        wanted = lines() + luck.randint(0, 1)
        running = start("killed.net", "2")
        wait_until(lambda wanted=wanted, running=running: lines() >= wanted or running.poll() is not None)
        let_pass(luck.uniform(0, 0.15))
        if running.poll() is not None:
            break
        running.send_signal(signal.SIGKILL)
        running.wait()
        kills += 1
    assert kills == 20
    for name, workers in (("killed.net", "2"), ("whole.net", "1")):
        assert start(name, workers).wait() == 0
    assert (tmp_path / "killed.net").read_bytes() == (tmp_path / "whole.net").read_bytes()
    assert not list(tmp_path.glob("*.steps"))
