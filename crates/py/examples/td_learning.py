"""TD learning in numpy: a small net learns what positions are worth, and the oracle tells what its moves give away.

    python td_learning.py [RULES] [STEPS]

The net sees a position before the roll. Its target is what the best move with the roll thrown leads to, by the net
itself. Nothing of the oracle goes into the learning.
"""

import sys

import numpy as np

import puabi

rules = puabi.Rules(sys.argv[1] if len(sys.argv) > 1 else "finkel:3")
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
env = puabi.VecEnv(rules, n=256, seed=1, oracle=True)
random = np.random.default_rng(1)


class Net:
    """One hidden layer, and the chance of the player about to roll, trained by Adam on the cross entropy."""

    def __init__(self, inputs, hidden=48, rate=3e-3):
        self.weights = [
            random.normal(0, inputs**-0.5, (inputs, hidden)),
            np.zeros(hidden),
            np.zeros(hidden),
            np.zeros(1),
        ]
        self.means = [(np.zeros_like(it), np.zeros_like(it)) for it in self.weights]
        self.rate, self.time = rate, 0

    def value(self, obs):
        w, b, v, c = self.weights
        return 1 / (1 + np.exp(-(np.tanh(obs @ w + b) @ v + c)))

    def learn(self, obs, target):
        w, b, v, c = self.weights
        hidden = np.tanh(obs @ w + b)
        error = (1 / (1 + np.exp(-(hidden @ v + c))) - target) / len(target)
        back = np.outer(error, v) * (1 - hidden**2)
        gradients = [obs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(keepdims=True)]
        self.time += 1
        for weight, gradient, (first, second) in zip(self.weights, gradients, self.means):
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            scale = np.sqrt(second / (1 - 0.999**self.time)) + 1e-8
            weight -= self.rate * first / (1 - 0.9**self.time) / scale


def scaled(obs):
    """Pieces in hand and home count in parts of all."""
    columns = obs[:, : 2 * rules.length + 4].astype(np.float64)
    columns[:, 2 * rules.length :] /= rules.pieces
    return columns


def play(net, explore):
    """Plays the move that the net likes best, or any with chance `explore`; returns the best chance in each game."""
    game, action, obs, again, won = env.afterstates()
    value = net.value(scaled(obs))
    value = np.where(won, 1.0, np.where(again, value, 1.0 - value))
    # The last of each game's moves in the order of their values.
    order = np.lexsort((value, game))
    best = order[np.flatnonzero(np.diff(game[order], append=env.n))]
    explores = random.random(env.n) < explore
    return value[best], env.step(np.where(explores, env.sample(), action[best]))


def measured(net, count=100):
    """Returns what a move gives away to perfect play, in points of 100, where there is a choice."""
    given, choices = 0.0, 0
    for _ in range(count):
        choices += (env.mask.sum(axis=1) > 1).sum()
        play(net, 0)
        given += env.regret.sum()
    return 100 * given / choices


net = Net(2 * rules.length + 4)
curve = [measured(net)]
print(f"untrained: {curve[0]:.3f} points of 100 given away in a choice")
obs = env.obs
for step in range(1, steps + 1):
    best, (after, _, _, _) = play(net, 0.1)
    net.learn(scaled(obs), best)
    obs = after
    if step % (steps // 5) == 0:
        curve.append(measured(net))
        obs = env.obs
        print(f"{step * env.n:8} moves: {curve[-1]:.3f}  " + "#" * round(40 * curve[-1] / curve[0]))
assert curve[-1] < curve[0] / 2, "it learns"

table = puabi.solve(rules)
indices = random.integers(len(table), size=20_000)
error = net.value(scaled(table.obs(indices))) - table.value(indices)
print(f"values of {len(indices)} positions are {100 * np.sqrt((error**2).mean()):.1f} points off (root mean square)")
