from collections.abc import Callable, Iterable

from ._puabi import League, Match, Table, _Agent, _Rules

_Progress = Callable[[int, int], object] | bool | None

def solve(rules: _Rules, progress: _Progress = None) -> Table: ...
def match(
    rules: _Rules,
    a: _Agent,
    b: _Agent,
    *,
    games: int | None = None,
    seed: int | None = None,
    progress: _Progress = None,
) -> Match: ...
def league(
    rules: _Rules,
    agents: Iterable[_Agent],
    *,
    games: int = 1000,
    seed: int | None = None,
    progress: _Progress = None,
) -> League: ...
