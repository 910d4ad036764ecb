import json
from pathlib import Path

import pytest

_FOLDER = Path(__file__).parents[3] / "testdata" / "oracle"
#: The names of the files of exact values.
ORACLE = sorted(path.name for path in _FOLDER.glob("*.jsonl"))
assert len(ORACLE) >= 15


@pytest.fixture(autouse=True, scope="session")
def _library(tmp_path_factory):
    """Keeps tables in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UR_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        yield


def oracle(name):
    """Returns the rules of a file of exact values, and its lines."""
    head, *lines = (json.loads(line) for line in (_FOLDER / name).open())
    return head, lines


def toml(rules):
    """Writes the rules of such a file as a rule file."""
    text = {True: "true", False: "false"}
    return "\n".join(f"{key} = {text[it] if isinstance(it, bool) else json.dumps(it)}" for key, it in rules.items())
