"""Train an agent in a PettingZoo environment: Monte Carlo control with a table of values, by self-play.

Both players of tic-tac-toe share a table of action values, keyed by the observation, and explore with probability
EXPLORATION. After a game, the values of all its actions move towards the reward (Sutton and Barto, "Reinforcement
Learning", 2018, section 5.4). Then the table plays without exploration against random play.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from playout import adapters

TurnEnv = adapters.pettingzoo.TurnEnv
Observation = dict[str, Any]
"""The arrays `observation` and `action_mask`."""
Choose = Callable[[str, Observation], tuple[int, bytes]]

GAMES = 6000
EXPLORATION = 0.2
STEP = 0.1


class Table:
    """A value for each action in each observation."""

    def __init__(self, num_actions: int) -> None:
        self.values: dict[bytes, Any] = defaultdict(lambda: np.zeros(num_actions))

    def choose(self, observation: Observation, rng: np.random.Generator, exploration: float = 0.0) -> tuple[int, bytes]:
        """Return a legal action, and the key of the observation."""
        key: bytes = observation["observation"].tobytes()
        legal = np.flatnonzero(observation["action_mask"])
        if rng.random() < exploration:
            return int(rng.choice(legal)), key
        return int(legal[np.argmax(self.values[key][legal])]), key


def play(env: TurnEnv, seed: int, choose: Choose) -> tuple[dict[str, list[tuple[bytes, int]]], dict[str, float]]:
    """Play a game. Return the decisions of each agent and the rewards."""
    env.reset(seed=seed)
    decisions: dict[str, list[tuple[bytes, int]]] = defaultdict(list)
    rewards: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, termination, _truncation, _info = env.last()
        if termination:
            rewards[agent] = reward
            env.step(None)  # the agent leaves
            continue
        action, key = choose(agent, observation)
        decisions[agent].append((key, action))
        env.step(action)
    return decisions, rewards


def score(env: TurnEnv, table: Table, rng: np.random.Generator, games: int = 200) -> float:
    """Return the mean reward of the table, as both players in turn, against random play."""
    total = 0.0
    for number in range(games):
        mine = env.possible_agents[number % 2]

        def choose(agent: str, observation: Observation, mine: str = mine) -> tuple[int, bytes]:
            return table.choose(observation, rng, exploration=0.0 if agent == mine else 1.0)

        total += play(env, number, choose)[1][mine]
    return total / games


def main() -> None:
    env = TurnEnv("mnk")
    rng = np.random.default_rng(1)
    table = Table(env.action_space(env.possible_agents[0]).n)
    print(f"before: mean reward {score(env, table, rng):+.2f} against random play")
    for number in range(GAMES):
        decisions, rewards = play(env, number, lambda agent, seen: table.choose(seen, rng, EXPLORATION))
        for agent, taken in decisions.items():
            for key, action in taken:
                table.values[key][action] += STEP * (rewards[agent] - table.values[key][action])
    print(f"after {GAMES} games: mean reward {score(env, table, rng):+.2f}, {len(table.values)} observations")


if __name__ == "__main__":
    main()
