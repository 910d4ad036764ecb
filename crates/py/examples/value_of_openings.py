"""What each first roll is worth, and what each answer to it: exact values, and a plot of them.

python value_of_openings.py [RULES] [PLOT.png]
"""

import sys

import puabi

rules = puabi.Rules(sys.argv[1] if len(sys.argv) > 1 else "finkel:3")
table = puabi.solve(rules, progress=True)
print(f"{rules.name}: light, who begins, wins {table.start_value:.2%}")

opening = {}
for roll, moves in table.moves(rules.start):
    move, value = moves[0]
    opening[roll] = value
    after = puabi.Decision(rules, rules.start, roll)
    print(f"roll {roll} (chance {rules.chances[list(rules.rolls).index(roll)]:.4f}): {move:5} wins {value:.2%}")
    if not after.moves[0].again:
        # The other player answers: what each of the two rolls together is worth to light.
        game = puabi.Game(rules)
        game.roll_dice(roll)
        if game.is_waiting_for_move():
            game.make_move(move)
        for answer, answers in table.moves(game.position):
            print(f"    answered by {answer}: {answers[0][0]:5} light wins {1 - answers[0][1]:.2%}")

mean = sum(chance * opening[int(roll)] for roll, chance in zip(rules.rolls, rules.chances))
assert abs(mean - table.start_value) < 1e-12, "the start is the mean of its rolls"

if len(sys.argv) > 2:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    axes.bar([str(roll) for roll in opening], [100 * value for value in opening.values()])
    axes.axhline(100 * table.start_value, linestyle="--", color="black")
    axes.set_xlabel("first roll")
    axes.set_ylabel("light wins, of 100 games")
    axes.set_title(f"{rules.name} under perfect play")
    figure.savefig(sys.argv[2])
    print(f"plotted in {sys.argv[2]}")
