# SPDX-License-Identifier: MIT
"""What parts of the state a run and a simulation write hold what the whole plotfile of the same step has there."""

import csv

import numpy as np
import pytest
import thalweg
from support import ROOT, program

PLANES = [0.0, 0.25, 0.3]  # the second at faces of cells, of which the upper ones are taken
POINTS = [[0.01, 0.02, 0.03], [0.4, 0.3, 0.2], [0.25, 0.25, 0.25]]


def written_as(point):
    return "{" + ", ".join(f"{axis} = {x}" for axis, x in zip("xyz", point, strict=True)) + "}"


def is_in(cells, place, axes):
    """Which cells hold a place along some axes; of two at a face the upper one does."""
    low, high = (cells.centre[:, axes] + side * cells.size[:, axes] for side in (-0.5, 0.5))
    return ((low <= place) & (place < high)).all(axis=1)


def in_plane(cells, chosen=slice(None)):
    """The levels, places and sizes in a plane, and the values of cells, (numbers, cells), in an order by place."""
    parts = [cells.level[None], cells.centre[:, :2].T, cells.size[:, :2].T, cells.values]
    table = np.concatenate(parts)[:, chosen]
    return table[:, np.lexsort(table[1:3])]


def test_planes_and_points_hold_the_cells_of_the_whole_plotfile(tmp_path):
    words = ["mesh.block_cells=8", "mesh.max_level=1", "time.max_steps=6", "output.plot_interval=3", 'output.derived=["pressure"]']
    words += [f"slices.z={PLANES}", "slices.interval=3", f"points.at=[{', '.join(map(written_as, POINTS))}]", "points.interval=3"]
    done = program("run", ROOT / "apps/hydro/decks/sedov.toml", *words, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    with open(tmp_path / "out/points.csv", newline="") as file:
        rows = {int(step): values for step, _, *values in list(csv.reader(file))[1:]}
    assert list(rows) == [0, 3, 6]
    for step, row in rows.items():
        whole = thalweg.open(tmp_path / f"out/plt{step:05}")
        cells = whole.leaf_cells()
        found = [cells.values[:, is_in(cells, np.array(point), [0, 1, 2])] for point in POINTS]
        np.testing.assert_array_equal(np.array(row, float), np.concatenate(found)[:, 0])
        for number, z in enumerate(PLANES, start=1):
            plane = thalweg.open(tmp_path / f"out/slice_z{number}_{step:05}")
            assert (plane.dimension, plane.time, plane.variables) == (2, whole.time, whole.variables)
            np.testing.assert_array_equal(in_plane(plane.leaf_cells()), in_plane(cells, is_in(cells, z, [2])))
        first = thalweg.open(tmp_path / f"out/slice_z1_{step:05}")
        assert len(first.levels) == 2
        np.testing.assert_array_equal(first.slice("density").values, whole.slice("density", at=0.0).values)


def test_plotfiles_and_planes_hold_the_fields_that_are_asked_for_in_single_precision(tmp_path):
    small = ["mesh.block_cells=8", "mesh.max_level=1", "time.max_steps=2", 'output.derived=["pressure"]', "slices.z=[0.3]"]
    fewer = ['output.fields=["rho_E", "density"]', "output.precision=single"]
    for name, words in (("whole", []), ("some", fewer)):
        done = program("run", ROOT / "apps/hydro/decks/sedov.toml", *small, *words, "--out", tmp_path / name)
        assert done.returncode == 0, done.stderr
    for name in ("plt00000", "plt00002", "slice_z1_00002"):
        whole, some = (thalweg.open(tmp_path / run / name) for run in ("whole", "some"))
        assert some.variables == ["density", "rho_E", "pressure"]
        kept = [whole.variables.index(variable) for variable in some.variables]
        np.testing.assert_array_equal(some.leaf_cells().values, whole.leaf_cells().values[kept].astype(np.float32))
        sizes = [sum(path.stat().st_size for path in (tmp_path / run / name).glob("Level_*/Cell_D_*")) for run in ("whole", "some")]
        n_numbers = [plot.leaf_cells().volume.size * len(plot.variables) for plot in (whole, some)]
        assert abs(sizes[1] / sizes[0] - n_numbers[1] / n_numbers[0] / 2) < 0.02, sizes


def test_a_simulation_writes_the_fields_that_are_asked_for(tmp_path):
    deck = ROOT / "apps/hydro/decks/sod.toml"
    with thalweg.Simulation(deck, {"output.fields": ["xmom"], "output.derived": ["pressure"]}) as sim:
        sim.write_plotfile(tmp_path / "of_deck")
        sim.write_plotfile(tmp_path / "given", fields="density", derived=[])
        assert thalweg.open(tmp_path / "of_deck").variables == ["xmom", "pressure"]
        assert thalweg.open(tmp_path / "given").variables == ["density"]
        with pytest.raises(KeyError, match="mass"):
            sim.write_plotfile(tmp_path / "none", fields=["xmom", "mass"])
        with pytest.raises(ValueError, match="no variables"):
            sim.write_plotfile(tmp_path / "none", fields=[], derived=[])
        sim.plot("density").save(tmp_path / "density.png")
