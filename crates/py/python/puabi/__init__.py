"""The Royal Game of Ur: rules as data, exact values, environments with an oracle, matches and reviews.

A value or a chance is that of the player about to roll (or to move, where a roll is known) to win, from 0 to 1.
Squares are steps of a player's own path, from 1; 0 is the hand. Positions are texts such as ``"4,8:5,9:L"``: light's
pieces, dark's, and who is about to roll. Errors are exceptions of class :class:`Error`, whose text says what was
found and what was expected.
"""

from ._puabi import (
    Agent,
    AgentError,
    Decision,
    Error,
    Game,
    League,
    Match,
    Move,
    MoveError,
    PositionError,
    RecordError,
    Rules,
    RulesError,
    Table,
    TableError,
    VecEnv,
)
from ._progress import league, match, solve
from ._review import Ply, Review, review

__all__ = [
    "Agent",
    "AgentError",
    "Decision",
    "Error",
    "Game",
    "League",
    "Match",
    "Move",
    "MoveError",
    "Ply",
    "PositionError",
    "RecordError",
    "Review",
    "Rules",
    "RulesError",
    "Table",
    "TableError",
    "VecEnv",
    "league",
    "match",
    "review",
    "solve",
]
