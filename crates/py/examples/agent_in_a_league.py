"""An agent written in Python, in a league with ours, and its exact result against each.

python agent_in_a_league.py
"""

import numpy as np

import puabi

RULES = puabi.Rules("finkel:2")


def runner(decision):
    """Captures if it can, else brings the foremost piece home or onto a rosette, else moves the last piece."""
    moves = decision.moves
    for wish in (puabi.Move.is_capture, puabi.Move.is_scoring_piece, lambda move: move.again):
        wished = [move for move in moves if wish(move)]
        if wished:
            return wished[-1]
    return moves[0]


agents = [runner, "greedy", "expectimax:2", "perfect", "random"]
league = puabi.league(RULES, agents, games=1000, seed=1)
with np.printoptions(precision=3, nanstr="    -"):
    print(league.shares)
for name, elo, error in sorted(league.ratings(), key=lambda row: -row[1]):
    print(f"{name:14} {elo:6.0f} +- {error:.0f}")

for opponent in ("greedy", "perfect"):
    exact = puabi.match(RULES, runner, opponent)
    print(f"exactly: runner wins {exact.a_mean:.4%} against {opponent}, in {exact.rolls:.1f} rolls a game")
    low, high = puabi.match(RULES, runner, opponent, games=2000, seed=2).interval
    print(f"    2000 games say {low:.2%} to {high:.2%}")
