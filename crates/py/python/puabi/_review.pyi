from os import PathLike
from typing import Any, NamedTuple

import pandas

from ._puabi import Game, Table

class Ply(NamedTuple):
    number: int
    player: str
    position: str
    roll: int
    move: str
    best: str
    before: float
    best_value: float
    value: float
    luck: float
    error: float
    class_: str
    reason: dict[str, Any] | None
    moves: list[dict[str, Any]]

class Review:
    json: dict[str, Any]
    rules: str
    judge: str
    start: float
    result: float
    winner: str | None
    totals: dict[str, Any]
    turning_points: list[int]
    plies: list[Ply]
    def __init__(self, text: str) -> None: ...
    def frame(self) -> pandas.DataFrame: ...

def review(record: Game | str | PathLike[str], table: Table | None = None, depth: int | None = None) -> Review: ...
