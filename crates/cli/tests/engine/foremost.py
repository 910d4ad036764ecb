#!/usr/bin/env python3
"""An engine in 40 lines: moves its foremost piece, under Finkel's rules. It needs nothing but Python."""
import sys

PATH, SAFE = 14, 8  # the squares of the path; the rosette on which no piece is captured


def side(text):
    """Returns the squares of a player's pieces, and how many pieces are home."""
    squares, _, home = text.partition("+")
    return [int(square) for square in squares.split(",") if square.isdigit()], int(home or 0)


def foremost(position, roll, pieces):
    """Returns the legal move of the piece furthest along."""
    light, dark, turn = position.split(":")[:3]
    (mine, home), (theirs, _) = (side(light), side(dark))[:: -1 if turn[0] == "D" else 1]
    hand = [0] if len(mine) + home < pieces else []
    for square in sorted(mine, reverse=True) + hand:
        to = square + roll
        if roll and to <= PATH + 1 and to not in mine and not (to == SAFE and SAFE in theirs):
            return f"{square}-{'off' if to > PATH else to}"
    return "pass"

pieces, position, roll = 7, "-:-:L", 0
for line in sys.stdin:
    match line.split():
        case ["ubgi"]:
            print("id name foremost\nproto 0.2\nubgiok")
        case ["isready"]:
            print("readyok")
        case ["set", "game.variant", variant]:
            pieces = int(variant.partition(":")[2] or 7)
        case ["position", "ur", position]:
            pass
        case ["dice", number]:
            roll = int(number)
        case ["go"]:
            print("bestmove", foremost(position, roll, pieces))
    sys.stdout.flush()
