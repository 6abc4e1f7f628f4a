"""Steps a second of the environments of PettingZoo and Gymnasium, with legal actions drawn at random.

usage: python -m bench.environments [--seconds S]

A step is one action of one agent. `SeatEnv` counts its own steps; the other players play at random. The vector is a
`SyncVectorEnv` of Gymnasium with eight environments; its steps are those of all of them together.
"""

import argparse
import time

import gymnasium
import numpy as np

from mcts.adapters.gymnasium import SeatEnv
from mcts.adapters.pettingzoo import JointEnv, TurnEnv
from mcts.registry import native_games

COUNT = 8
"""Environments of the vector."""


def random_legal(seen, rng):
    """Return a legal action for an observation; with sealed bids, weights of the tiles that take a bid."""
    if "open_tiles" in seen:
        return rng.random(len(seen["open_tiles"])) * seen["open_tiles"]
    legal = np.flatnonzero(seen["action_mask"])
    return int(legal[rng.integers(len(legal))])


def turns(env, rng):
    """Play a game with agents in turn. Return the number of steps."""
    env.reset(seed=0)
    steps = 0
    while not env.terminations[env.agent_selection]:
        env.step(random_legal(env.observe(env.agent_selection), rng))
        steps += 1
    return steps


def joint(env, rng):
    """Play a game with all agents at once. Return the number of steps of all agents."""
    seen, _ = env.reset(seed=0)
    steps = 0
    while env.agents:
        steps += len(env.agents)
        seen, *_ = env.step({agent: random_legal(seen[agent], rng) for agent in env.agents})
    return steps


def seat(env, rng):
    """Play a game of one seat. Return the number of its steps."""
    seen, _ = env.reset()
    steps, over = 0, False
    while not over:
        seen, _, over, _, _ = env.step(random_legal(seen, rng))
        steps += 1
    return steps


def vector(envs, rng):
    """Take a hundred steps in each environment of a vector. Return the number of steps."""
    seen, _ = envs.reset()
    for _ in range(100):
        parts = [{name: column[number] for name, column in seen.items()} for number in range(envs.num_envs)]
        seen, *_ = envs.step(np.array([_action_or_zero(part, rng) for part in parts]))
    return 100 * envs.num_envs


def _action_or_zero(seen, rng):
    # After the end of a game, an environment starts over with the next step, and any action will do.
    if "action_mask" in seen and not seen["action_mask"].any():
        return 0
    return random_legal(seen, rng)


def rate(play, env, seconds):
    """Return the steps a second."""
    rng = np.random.default_rng(1)
    steps, begin = 0, time.perf_counter()
    while (taken := time.perf_counter() - begin) < seconds:
        steps += play(env, rng)
    return steps / taken


def main():
    """Measure every game and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.environments", description="Steps a second.")
    parser.add_argument("--seconds", type=float, default=1.0, help="time of each measurement")
    seconds = parser.parse_args().seconds
    print("| Game | `TurnEnv` | `JointEnv` | `SeatEnv` | eight `SeatEnv` |\n| --- | --- | --- | --- | --- |")
    for spec in native_games():
        made = (
            (turns, TurnEnv(spec)),
            (joint, JointEnv(spec)),
            (seat, SeatEnv(spec)),
            (vector, gymnasium.vector.SyncVectorEnv([lambda spec=spec: SeatEnv(spec)] * COUNT)),
        )
        rates = [rate(play, env, seconds) for play, env in made]
        print(f"| `{spec}` | " + " | ".join(f"{value:,.0f}" for value in rates) + " |", flush=True)


if __name__ == "__main__":
    main()
