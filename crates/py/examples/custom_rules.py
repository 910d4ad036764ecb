"""A rule set of one's own: written, solved and measured.

python custom_rules.py
"""

import numpy as np

import puabi

RULES = puabi.Rules(
    """
name = "Short Masters"
path = "masters"
dice = "3d0=4"
pieces = 3
safe_rosettes = false
captures_grant_rolls = true
"""
)

table = puabi.solve(RULES, progress=True)
values = table.values
print(f"{RULES.name}: {len(table):,} positions, the first player wins {table.start_value:.3%}")
print(f"no value is more than {table.residual:.0e} from its backup; hash {table.hash[:12]}")
print(f"positions by the chance to win, in tenths: {np.histogram(values, bins=10, range=(0, 1))[0]}")

# Who stands better is mostly who is ahead.
obs = table.obs(np.arange(len(table))).astype(int)
squares, length = np.arange(1, RULES.length + 1), RULES.length
travelled = [obs[:, at : at + length] @ squares + (length + 1) * obs[:, home] for at, home in ((0, -2), (length, -1))]
lead = travelled[0] - travelled[1]
print(f"the lead in the race tells {np.corrcoef(lead, values)[0, 1] ** 2:.0%} of the variance of the values")

match = puabi.match(RULES, "greedy", "perfect")
print(f"greedy wins {match.a_mean:.3%} against perfect play, in {match.rolls:.1f} rolls")
env = puabi.VecEnv(RULES, n=1024, seed=1, oracle=table)
given, choices = 0.0, 0
for _ in range(200):
    choices += (env.mask.sum(axis=1) > 1).sum()
    env.step(env.actions_of("greedy"))
    given += env.regret.sum()
print(f"it gives away {100 * given / choices:.2f} points of 100 in a choice")

game = puabi.Game(RULES, seed=7)
greedy = puabi.Agent("greedy", RULES)
while not game.is_finished():
    game.roll_dice()
    if game.is_waiting_for_move():
        game.make_move(greedy.choose(game.decision))
review = puabi.review(game, table=table)
worst = max(review.plies, key=lambda ply: ply.error)
print(f"the worst of {len(review.plies)} plies of a game: {worst.move} instead of {worst.best}, -{worst.error:.1%}")
