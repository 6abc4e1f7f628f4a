"""Train an agent in a PettingZoo environment: Monte Carlo control with a table of values, by self-play.

Both players of tic-tac-toe share a table of action values, keyed by the observation, and explore with probability
EXPLORATION. After a game, the values of all its actions move towards the reward (Sutton and Barto, "Reinforcement
Learning", 2018, section 5.4). Then the table plays without exploration against random play.
"""

from collections import defaultdict

import numpy as np

from mcts.adapters.pettingzoo import TurnEnv

GAMES = 6000
EXPLORATION = 0.2
STEP = 0.1


class Table:
    """A value for each action in each observation."""

    def __init__(self, num_actions):
        self.values = defaultdict(lambda: np.zeros(num_actions))

    def choose(self, observation, rng, exploration=0.0):
        """Return a legal action, and the key of the observation."""
        key = observation["observation"].tobytes()
        legal = np.flatnonzero(observation["action_mask"])
        if rng.random() < exploration:
            return rng.choice(legal), key
        return legal[np.argmax(self.values[key][legal])], key


def play(env, rng, seed, choose):
    """Play a game. Return the decisions of each agent and the rewards."""
    env.reset(seed=seed)
    decisions, rewards = defaultdict(list), {}
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


def score(env, table, rng, games=200):
    """Return the mean reward of the table, as both players in turn, against random play."""
    total = 0.0
    for number in range(games):
        mine = env.possible_agents[number % 2]

        def choose(agent, observation, mine=mine):
            return table.choose(observation, rng, exploration=0.0 if agent == mine else 1.0)

        total += play(env, rng, number, choose)[1][mine]
    return total / games


def main():
    env = TurnEnv("mnk")
    rng = np.random.default_rng(1)
    table = Table(env.action_space(env.possible_agents[0]).n)
    print(f"before: mean reward {score(env, table, rng):+.2f} against random play")
    for number in range(GAMES):
        decisions, rewards = play(env, rng, number, lambda agent, seen: table.choose(seen, rng, EXPLORATION))
        for agent, taken in decisions.items():
            for key, action in taken:
                table.values[key][action] += STEP * (rewards[agent] - table.values[key][action])
    print(f"after {GAMES} games: mean reward {score(env, table, rng):+.2f}, {len(table.values)} observations")


if __name__ == "__main__":
    main()
