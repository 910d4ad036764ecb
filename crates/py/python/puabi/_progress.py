"""Long work with ``progress=True``: a line on the standard error output that says how far it is."""

import sys

from . import _puabi


def solve(rules, progress=None):
    with _Line(progress, f"solving {_puabi.Rules(rules).name}") as report:
        return _puabi.solve(rules, report)


def match(rules, a, b, *, games=None, seed=None, progress=None):
    with _Line(progress, f"{_name_of(a)} against {_name_of(b)}") as report:
        return _puabi.match(rules, a, b, games=games, seed=seed, progress=report)


def league(rules, agents, *, games=1000, seed=None, progress=None):
    agents = list(agents)
    with _Line(progress, f"a league of {len(agents)}") as report:
        return _puabi.league(rules, agents, games=games, seed=seed, progress=report)


for _name in ("solve", "match", "league"):
    globals()[_name].__doc__ = getattr(_puabi, _name).__doc__
    globals()[_name].__module__ = "puabi"


def _name_of(agent):
    return getattr(agent, "name", None) or getattr(agent, "__name__", agent)


class _Line:
    """Gives what is to be called with progress, and ends the line."""

    def __init__(self, progress, label):
        self.progress, self.label, self.text = progress, label, None

    def __enter__(self):
        return self.write if self.progress is True else None if self.progress is False else self.progress

    def __exit__(self, *_):
        if self.text:
            print(file=sys.stderr)

    def write(self, done, total):
        text = f"{self.label}: {done / total:4.0%}"
        # A log that is not a terminal keeps every line that is written.
        if text != self.text:
            self.text = text
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
