"""Tables: values against an independent implementation, views, indices, damage."""

import os
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
from conftest import ORACLE, oracle, toml

import puabi


@pytest.fixture(scope="module")
def table():
    return puabi.solve("finkel:2")


@pytest.mark.parametrize("name", ORACLE)
def test_values_are_those_of_an_independent_implementation(name):
    head, lines = oracle(name)
    table = puabi.solve(toml(head["rules"]))
    assert table.start_value == pytest.approx(head["start_value"], abs=1e-14)
    expected = np.array([line["value"] for line in lines])
    texts = [line["position"] for line in lines]
    assert np.abs(table.value(texts) - expected).max() < 1e-14
    assert np.abs(table.values[table.rank(texts)] - expected).max() < 1e-14
    for line in (line for line in lines if "rolls" in line):
        for roll, moves in table.moves(line["position"]):
            values = sorted((it["value"] for it in line["rolls"][str(roll)]), reverse=True)
            assert [value for _, value in moves] == pytest.approx(values, abs=1e-14)


def test_the_view_is_the_file_and_read_only(table):
    assert table.values.dtype == np.float64 and table.values.shape == (len(table),)
    assert not table.values.flags.owndata and not table.values.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        table.values.flags.writeable = True
    with pytest.raises(ValueError, match="read-only"):
        table.values[0] = 0.5
    stored = np.fromfile(table.path, np.float64, offset=os.path.getsize(table.path) - 8 * len(table))
    assert (stored == table.values).all()


def test_the_view_outlives_the_table():
    values = puabi.solve("finkel:1").values
    assert values[0] == pytest.approx(0.530049839525, abs=1e-12)


def test_indices_and_texts_are_each_others_inverse(table):
    indices = np.arange(len(table))
    texts = table.position(indices)
    assert (table.rank(texts) == indices).all()
    assert (table.value(indices) == table.values).all()
    grid = indices[:12].reshape(3, 4)
    assert table.value(grid).shape == (3, 4) and (table.value(grid) == table.values[grid]).all()
    assert table.position(5) == texts[5] and table.value(texts[5]) == table.values[5]
    assert table.value([]).shape == (0,)


def test_arrays_of_objects_hold_texts_and_indices(table):
    texts = ["4:-:L", "-:5:D", "-:-:L"]
    for objects in (np.array(texts, object), np.array([texts[0], table.rank(texts[1]), texts[2]], object)):
        assert (table.value(objects) == table.value(texts)).all()
    with pytest.raises(TypeError, match="NoneType.* expected texts or whole numbers"):
        table.value(np.array([None]))
    if hasattr(np.dtypes, "StringDType"):
        assert (table.rank(np.array(texts, np.dtypes.StringDType())) == table.rank(texts)).all()
    pandas = pytest.importorskip("pandas")
    assert (table.value(pandas.DataFrame({"position": texts})["position"]) == table.value(texts)).all()


def test_a_position_is_seen_by_the_player_about_to_roll(table):
    assert table.rank("4:-:L") == table.rank("-:4:D")
    assert table.obs("4:-:L")[3] == 1 and table.obs("4:-:D")[14 + 3] == 1
    assert table.obs(np.arange(6).reshape(2, 3)).shape == (2, 3, 32)


@pytest.mark.parametrize(
    ("positions", "error"),
    [
        ("x", puabi.PositionError),
        ("-:-:L2", puabi.PositionError),
        ("1,2,3:-:L", puabi.PositionError),
        ([1.5], TypeError),
        (-1, IndexError),
        ([10**9], IndexError),
        (2**70, IndexError),
        ([2**70], IndexError),
        (True, TypeError),
        (np.array([True]), TypeError),
        (np.array(["-:-:L", None], object), TypeError),
        (np.array(["-:-:L", 1.5], object), TypeError),
        (np.array([2**64 - 1], np.uint64), IndexError),
        ([float("nan")], TypeError),
        ([None], TypeError),
        ([[1], [2, 3]], ValueError),
        (b"-:-:L", TypeError),
    ],
)
def test_what_is_no_position_is_refused(table, positions, error):
    with pytest.raises(error):
        table.value(positions)


def test_another_table_in_the_place_of_a_pickled_one_is_refused(table, tmp_path):
    path = tmp_path / "a.urt"
    shutil.copy(table.path, path)
    pickled = pickle.dumps(puabi.Table.open(path))
    assert pickle.loads(pickled).hash == table.hash
    shutil.copy(puabi.solve("finkel:1").path, tmp_path / "b.urt")
    os.replace(tmp_path / "b.urt", path)
    with pytest.raises(puabi.TableError, match="finkel:1.* found: expected the table that was pickled"):
        pickle.loads(pickled)


def test_tables_are_found_opened_and_pickled(table):
    found = puabi.Table.find("finkel:2")
    assert found.path == table.path and found.hash == table.hash and puabi.Table.find("finkel:9") is None
    assert puabi.Table.open(table.path).rules == puabi.Rules("finkel:2")
    assert pickle.loads(pickle.dumps(table)).hash == table.hash
    table.check()
    with pytest.raises(puabi.TableError, match="nowhere"):
        puabi.Table.open("nowhere.urt")


def test_damage_is_refused_and_a_cut_file_ends_nothing(table, tmp_path):
    path = tmp_path / "damaged.urt"
    data = bytearray(Path(table.path).read_bytes())
    data[-5000] ^= 1
    path.write_bytes(data)
    damaged = puabi.Table.open(path)
    with pytest.raises(puabi.TableError, match="checksum"):
        damaged.check()
    with pytest.raises(puabi.TableError, match="checksum"):
        damaged.value(len(damaged) - 1)
    values = damaged.values
    os.truncate(path, 8192)
    assert values[-1] == 0.0 and not damaged.is_current
    with pytest.raises(puabi.TableError, match="changed"):
        damaged.value(0)
