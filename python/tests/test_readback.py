# SPDX-License-Identifier: MIT
"""Plotfiles of the C++ writer, read by yt, VTK and our own reader: every leaf cell, every bit.

Run with THALWEG_SAMPLES naming the folder that io_write_samples has filled.
"""

import os
from pathlib import Path

import numpy as np
import pytest

from thalweg.plotfile import Plotfile

BLOCK = 8  # cells of a sample block along an axis
VARIABLES = ["density", "pressure", "level"]


RATIOS = {"sample": (2, 2), "mixed": (2, 4), "single": (2, 2)}
SAMPLES = [(kind, dimension) for kind in RATIOS for dimension in (1, 2, 3)]


def sample(kind: str, dimension: int) -> str:
    folder = os.environ.get("THALWEG_SAMPLES")
    if folder is None:
        pytest.skip("THALWEG_SAMPLES is not set")
    path = Path(folder) / f"{kind}{dimension}d_00020"
    assert (path / "Header").exists(), path  # VTK would crash on a missing one
    return str(path)


def expected(centre: np.ndarray, level: np.ndarray) -> np.ndarray:
    """The formula of sample_plot.hpp, exact in single precision, too; (variables, cells)."""
    weights = 2.0 ** np.arange(centre.shape[1])
    density = 1 + (centre * weights).sum(axis=1)
    return np.stack([density, 0.125 + (centre**2).sum(axis=1), level])


def n_leaf_cells(kind: str, dimension: int) -> int:
    """2^D blocks on each of three levels, less the cells under the two finer ones."""
    covered = sum((2 * BLOCK // ratio) ** dimension for ratio in RATIOS[kind])
    return 3 * (2 * BLOCK) ** dimension - covered


@pytest.mark.parametrize("kind, dimension", SAMPLES)
def test_own_reader_finds_every_leaf_cell(kind, dimension):
    plot = Plotfile(sample(kind, dimension))
    cells = plot.leaf_cells()
    assert plot.variables == VARIABLES and plot.time == 0.1 and plot.step == 20
    assert tuple(plot.ratios) == RATIOS[kind]
    assert len(cells.volume) == n_leaf_cells(kind, dimension)
    assert cells.volume.sum() == 1.0
    np.testing.assert_array_equal(cells.values, expected(cells.centre, cells.level))


@pytest.mark.parametrize("kind, dimension", SAMPLES)
def test_yt_finds_every_leaf_cell(kind, dimension):
    yt = pytest.importorskip("yt")
    yt.set_log_level("error")
    data = yt.load(sample(kind, dimension))
    assert data.dimensionality == dimension and data.index.max_level == 2
    assert float(data.current_time) == 0.1
    cells = data.all_data()
    centre = np.stack([cells["index", axis].to_ndarray() for axis in "xyz"[:dimension]], axis=1)
    # yt counts in its smallest ratio: 2 and then 4 make levels 0, 1 and 3 of it.
    powers = np.log2([1, *np.cumprod(RATIOS[kind])]) / np.log2(min(RATIOS[kind]))
    level = np.searchsorted(powers, cells["index", "grid_level"].to_ndarray())
    found = np.stack([cells["boxlib", name].to_ndarray() for name in VARIABLES])
    assert len(level) == n_leaf_cells(kind, dimension)
    np.testing.assert_array_equal(found, expected(centre, level))


@pytest.mark.parametrize("kind", RATIOS)
@pytest.mark.parametrize("dimension", [2, 3])  # VTK's reader crashes on one dimension
def test_vtk_finds_every_leaf_cell(kind, dimension):
    pytest.importorskip("vtkmodules")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOAMR import vtkAMReXGridReader

    reader = vtkAMReXGridReader()
    reader.SetFileName(sample(kind, dimension))
    reader.SetMaxLevel(99)
    reader.UpdateInformation()
    for name in VARIABLES:
        reader.SetCellArrayStatus(name, 1)
    reader.Update()
    hierarchy = reader.GetOutput()
    assert hierarchy.GetNumberOfLevels() == 3

    n_leaf = 0
    for level in range(3):
        for number in range(hierarchy.GetNumberOfBlocks(level)):
            grid = hierarchy.GetDataSetAsCartesianGrid(level, number)
            data = grid.GetCellData()
            leaf = vtk_to_numpy(data.GetArray("vtkGhostType")) == 0
            found = np.stack([vtk_to_numpy(data.GetArray(name)) for name in VARIABLES])
            centre = cell_centres(grid, dimension)
            np.testing.assert_array_equal(found, expected(centre, np.full(len(leaf), level)))
            n_leaf += int(leaf.sum())
    assert n_leaf == n_leaf_cells(kind, dimension)


def cell_centres(grid, dimension: int) -> np.ndarray:
    """The middles of the cells of a VTK box, x fastest; (cells, dimension)."""
    bounds = np.array(grid.GetBounds()).reshape(3, 2)[:dimension]
    middles = [low + (np.arange(BLOCK) + 0.5) * (high - low) / BLOCK for low, high in bounds]
    axes = np.meshgrid(*middles[::-1], indexing="ij")[::-1]
    return np.stack([axis.ravel() for axis in axes], axis=1)


def test_miniamr_is_read_alike_and_keeps_its_total():
    yt = pytest.importorskip("yt")
    yt.set_log_level("error")
    path = Path(os.environ.get("THALWEG_SAMPLES") or pytest.skip("THALWEG_SAMPLES is not set")) / "plt00002"
    cells = Plotfile(str(path)).leaf_cells()
    assert cells.volume.sum() == 1.0 and set(cells.level) == {0, 1, 2}
    # The sum of the first variable that the reference program starts with, over 8 blocks of 4^3 cells.
    np.testing.assert_allclose((cells.values[0] * cells.volume).sum(), 260.09523574466 / 512, rtol=1e-12)
    dataset = yt.load(str(path))  # which its data refer to weakly
    data = dataset.all_data()
    centre = np.stack([data["index", axis].to_ndarray() for axis in "xyz"], axis=1)
    found = np.stack([data["boxlib", name].to_ndarray() for name in ("v0", "v1")])
    np.testing.assert_array_equal(
        found[:, np.lexsort(centre.T)], np.asarray(cells.values)[:, np.lexsort(np.asarray(cells.centre).T)]
    )
