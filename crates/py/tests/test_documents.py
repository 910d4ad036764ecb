"""The examples of the documents run as they are written."""

import re
from pathlib import Path

import pytest

import puabi

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("document", ["README.md", "docs/python.md", "crates/py/README.md"])
def test_examples_run(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = puabi.Game("finkel:3", seed=1)
    game.roll_dice(2)
    game.make_move(0)
    Path("game.urg").write_text(game.record())
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, document, "exec"), names)


def test_everything_public_has_a_docstring():
    for name in puabi.__all__:
        public = getattr(puabi, name)
        members = vars(public).items() if isinstance(public, type) else []
        for member in [public, *(it for key, it in members if not key.startswith("_"))]:
            assert member.__doc__, f"{name}: {member}"
