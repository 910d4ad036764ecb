"""Reviews as objects and frames."""

import os
from collections import namedtuple

from . import _puabi

#: The most characters of a file that are read as a record.
_MOST = 64 << 20

_FIELDS = "number player position roll move best before best_value value luck error class_ reason moves"


class Ply(namedtuple("Ply", _FIELDS)):
    """A ply of a reviewed game. Chances (0..=1) are those of the player who moves; luck and error are differences."""

    __slots__ = ()


class Review:
    """A played game, judged ply by ply. ``start`` and ``result`` are light's chances (0..=1)."""

    def __init__(self, text):
        import json

        #: The review as ``ur review --json`` prints it.
        self.json = json.loads(text)
        self.rules = self.json["rules"]
        #: "table", or the search whose estimates the chances are.
        self.judge = self.json["judge"]
        self.start, self.result = self.json["start"], self.json["result"]
        self.winner = self.json["winner"]
        #: Luck and skill of each player, by "light" and "dark".
        self.totals = self.json["totals"]
        #: The numbers of the plies after which the chances had changed most.
        self.turning_points = self.json["turning_points"]
        #: Every ply, a :class:`Ply` each.
        self.plies = [_ply(ply) for ply in self.json["plies"]]

    def frame(self):
        """Returns the plies as a pandas frame, a row each; needs pandas."""
        import pandas

        rows = [{key: value for key, value in ply.items() if key != "moves"} for ply in self.json["plies"]]
        return pandas.DataFrame(rows).set_index("number") if rows else pandas.DataFrame()

    def __repr__(self):
        return f"<Review of {len(self.plies)} plies of {self.rules}, judged by {self.judge}>"


def _ply(ply):
    return Ply(**{"class_" if key == "class" else key: value for key, value in ply.items()})


def _text(path):
    # Some files have no end.
    with open(path, encoding="utf-8") as file:
        text = file.read(_MOST + 1)
    if len(text) > _MOST:
        raise _puabi.RecordError(f"{os.fspath(path)}: it is longer than the {_MOST} characters allowed")
    return text


def review(record, table=None, depth=None):
    """Returns the review of a game.

    ``record`` is a :class:`Game`, the text of a record in any notation (our own, RGN, RoyalUr's JSON, a log), or the
    path of a file that holds one (``os.PathLike``). The game is judged by ``table``; else, without ``depth``, by its
    table, which is made if that takes only a moment; else by a search that looks ``depth`` moves ahead, whose chances
    are estimates.
    """
    if isinstance(record, os.PathLike):
        record = _text(record)
    return Review(_puabi.review_json(record, table, depth))
