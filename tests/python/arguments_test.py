# SPDX-License-Identifier: MIT
"""What callers give: errors name the argument and say what it must be, in words of Python."""

import enum

import numpy as np
import pytest
import thalweg
from support import DECK, SMALL, hash_of, python


def small(**how):
    return thalweg.Simulation(DECK, SMALL, **how)


def test_errors_name_arguments_not_options_of_the_program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/notes").touch()
    for words, how in [
        ("give the folder with out=", {"restart": "latest"}),
        ("or a checkpoint with restart=", {}),
        ("restart= .*/none: .* no such folder", {"restart": "none"}),
        ("choose another with out=|another folder with out=", {"deck": DECK, "out": "full"}),
    ]:
        with pytest.raises(ValueError, match=words) as refused:
            thalweg.Simulation(**how)
        assert "--" not in str(refused.value)


@pytest.mark.parametrize(
    "how, says",
    [
        ({"threads": 2.5}, r"^threads = 2.5 \(must be a whole number\)"),
        ({"threads": "2"}, "^threads = '2' "),
        ({"model": 3}, r"^model = 3 \(must be a string\)"),
        ({"overrides": ["time.end=1"]}, r"^overrides = \['time.end=1'\] \(must be a dict"),
        ({"deck": None}, r"^deck = None \(must be a path, or a dict"),
        ({"deck": {3: 1}}, r"^a key of the deck = 3 \(must be a string"),
        ({"deck": {"time": {"end": None}}}, r"^time.end: None is no value of a deck"),
        ({"out": 3}, r"^out = 3 \(must be a path\)"),
        ({"restart": 3}, r"^restart = 3 \(must be a path\)"),
        ({"restart": np.array(["latest", "chk00002"])}, r"^restart = array\(.*\(must be a path\)"),
        ({"restart": np.array("latest")}, r"^restart = array\(.*\(must be a path\)"),
        ({"overrides": {3: 1}}, r"^a key of overrides = 3 \(must be a string"),
        ({"force": "yes"}, r"^force = 'yes' \(must be True or False\)"),
        ({"log": 1}, r"^log = 1 \(must be True or False\)"),
        ({"communicator": 3}, r"^communicator = 3 \(must be a communicator of mpi4py\)"),
    ],
)
def test_arguments_of_another_type_are_refused_by_name(tmp_path, monkeypatch, how, says):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match=says):
        thalweg.Simulation(**({"deck": DECK} | how))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda sim: sim.step(2.5), r"^n = 2.5 \(must be a whole number\)"),
        (lambda sim: sim.run("3"), r"^until = '3' \(must be a number\)"),
        (lambda sim: sim.every(2.5), "^n = 2.5 "),
        (lambda sim: sim.every(lambda s: None), r"write @sim\.every\(1\)$"),
        (lambda sim: sim.every(2)(3), r"^3 \(must be a function\)"),
        (lambda sim: sim.initial(None), "^None .*a function"),
        (lambda sim: sim.tags(3), "^3 .*a function"),
        (lambda sim: sim.source(3), "^3 .*a function"),
        (lambda sim: sim.level(1.5), "^number = 1.5 "),
        (lambda sim: sim.write_plotfile(None), "^path = None "),
        (lambda sim: sim.write_plotfile("plt", derived=3), "^derived = 3 "),
        (lambda sim: sim.run(progress="no"), r"^progress = 'no' \(must be True or False\)"),
        (lambda sim: sim.write_plotfile("plt", fields=[3]), "^fields = 3 "),
        (lambda sim: sim.write_plotfile("plt", derived=np.array("mach")), r"^derived = array\('mach'"),
        (lambda sim: sim.plot(3), "^field = 3 "),
        (lambda sim: sim.plot(normal=np.array(["x", "y"])), r"^normal = array\(.*\(must be a string\)"),
        (lambda sim: sim.plot(limits=(1,)), r"^limits = \(1,\) \(must be two numbers\)"),
        (lambda sim: sim.plot(limits=5), "^limits = 5 "),
        (lambda sim: sim.plot(log=1), "^log = 1 "),
        (lambda sim: sim.plot(colours=1), "^colours = 1 "),
        (lambda sim: sim.every(print), r"write @sim\.every\(1\)$"),
    ],
)
def test_methods_refuse_other_types_by_name(call, says):
    with pytest.raises(TypeError, match=says):
        call(small())


def test_numbers_of_numpy_are_numbers():
    sim = thalweg.Simulation(DECK, SMALL, threads=np.int64(2))
    sim.step(np.int32(2))
    assert sim.run(until=np.float32(0.0)) == "paused" and sim.n_steps >= 2 and sim.level(np.int64(0)).number == 0


def test_a_restart_from_the_latest_of_no_folder_and_a_folder_without_name_are_refused():
    with pytest.raises(ValueError, match='restart="latest".*give the folder with out='):
        thalweg.Simulation(DECK, restart="latest")
    with pytest.raises(ValueError, match="^deck: this is the text of a deck; give the path"):
        thalweg.Simulation("[time]\nend = 1.0\n")
    with pytest.raises(ValueError, match="out = ''"):
        thalweg.Simulation(DECK, out="")
    with pytest.raises(TypeError, match="mesh.max_level: None is no value"):
        thalweg.Simulation(DECK, {"mesh.max_level": None})


def test_a_folder_that_a_simulation_of_the_program_has_is_said_to_be_so(tmp_path):
    with pytest.raises(KeyError):
        with thalweg.Simulation(DECK, SMALL, out=tmp_path / "out") as first:
            raise KeyError("of the user")
    assert repr(first) == "Simulation(closed)"
    held = thalweg.Simulation(DECK, SMALL, out=tmp_path / "out", force=True)
    with pytest.raises(ValueError, match=r"is writing there.*close\(\) the simulation of this program"):
        thalweg.Simulation(DECK, SMALL, out=tmp_path / "out", force=True)
    held.close()


@pytest.mark.parametrize("block_cells", [16, [16, 16], [16, 8]])
def test_a_rank_without_blocks_has_arrays_of_their_shape(block_cells):
    with thalweg.Simulation(DECK, SMALL | {"mesh.max_level": 0, "mesh.block_cells": block_cells}) as sim:
        level = sim.level(0)
        shape, level.blocks = level["density"].shape[1:], []
        assert level["density"].shape == (0, *shape)
        with pytest.raises(ValueError, match="no blocks of level 0 .*others may"):
            level.lattice("density")


class Side(enum.IntEnum):
    LOW = 3


class Kind(str, enum.Enum):
    STOP = "stop"


def test_enums_and_long_doubles_are_values_of_a_deck_and_bytes_are_not():
    some = {"time.max_steps": Side.LOW, "output.on_failure": Kind.STOP, "time.end": np.longdouble("0.5"), "mesh.upper": np.ones(2, np.longdouble)}
    deck = thalweg.Simulation(DECK, SMALL | some).deck()
    assert deck["time"]["max_steps"] == 3 and deck["output"]["on_failure"] == "stop"
    assert deck["time"]["end"] == 0.5 and deck["mesh"]["upper"] == [1.0, 1.0]
    for wrong in (b"stop", bytearray(b"stop"), memoryview(b"stop"), np.clongdouble(1), np.bytes_(b"stop")):
        with pytest.raises(TypeError, match="^output.on_failure: .*no value of a deck"):
            thalweg.Simulation(DECK, {"output.on_failure": wrong})


def test_fields_of_plotfiles_may_be_a_set_or_an_array(tmp_path):
    with small() as sim:
        sim.write_plotfile(tmp_path / "plt", fields={"density"}, derived=np.array(["pressure", "mach"]))
    assert thalweg.open(tmp_path / "plt").variables == ["density", "pressure", "mach"]


def test_sets_of_names_are_the_same_on_all_ranks(tmp_path):
    done = python(f"""
        names = ["mach", "pressure", "sound_speed", "temperature"]
        with thalweg.Simulation(DECK, SMALL) as sim:
            sim.write_plotfile({str(tmp_path / "set")!r}, fields=set(sim.fields), derived=frozenset(names))
            sim.write_plotfile({str(tmp_path / "list")!r}, derived=names)
        """, ranks=3)
    assert done.returncode == 0, done.stdout + done.stderr
    assert thalweg.open(tmp_path / "set").variables == thalweg.open(tmp_path / "list").variables
    assert hash_of(tmp_path / "set") == hash_of(tmp_path / "list")
