# SPDX-License-Identifier: MIT
"""VTKHDF files, read back by VTK: every cell of every box, bit by bit, and which of them finer ones cover."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from synthetic import blocks, write_plotfile

from thalweg.plotfile import Plotfile
from thalweg.vtkhdf import write_vtkhdf

pytest.importorskip("h5py")
PACKAGE = Path(__file__).resolve().parents[1]


def made_up(folder, dimension):
    """Three levels with ratios of 2 and 4, a box among them that is no cube, away from the origin."""

    def values(centre, size):
        return np.stack([np.sin(7 * centre).sum(axis=-1), np.full(centre.shape[:-1], size[0])])

    fine = [((4,) * dimension, (10,) + (6,) * (dimension - 1))]
    finest = [((16,) * dimension, (24,) * dimension), ((24,) + (16,) * (dimension - 1), (32,) + (24,) * (dimension - 1))]
    levels = [(8, blocks(8, dimension, 4)), (16, fine), (64, finest)]
    write_plotfile(folder / "plt", ["wave", "size"], [-1.0] * dimension, [1.0] * dimension, levels, values)
    return Plotfile(folder / "plt")


def read_by_vtk(path):
    pytest.importorskip("vtkmodules")
    from vtkmodules.vtkIOHDF import vtkHDFReader

    reader = vtkHDFReader()
    reader.SetFileName(str(path))
    reader.SetMaximumLevelsToReadByDefaultForAMR(0)  # all
    reader.Update()
    return reader.GetOutput()


@pytest.mark.parametrize("dimension", [2, 3])
def test_vtk_reads_every_cell_and_hides_covered_ones(tmp_path, dimension):
    plot = made_up(tmp_path, dimension)
    write_vtkhdf(plot, tmp_path / "plt.vtkhdf")
    found = read_by_vtk(tmp_path / "plt.vtkhdf")
    from vtkmodules.util.numpy_support import vtk_to_numpy

    assert found.GetClassName() == "vtkOverlappingAMR"
    assert [found.GetNumberOfBlocks(n) for n in range(found.GetNumberOfLevels())] == [len(v.boxes) for v in plot.levels]
    n_layers = [1, 2, 8] if dimension == 2 else [1, 1, 1]
    for number, level in enumerate(plot.levels):
        for place, box in enumerate(level.boxes):
            grid = found.GetDataSetAsCartesianGrid(number, place)
            lower = plot.lower + (box.lo - level.domain_lo) * level.cell_size
            upper = plot.lower + (box.hi - level.domain_lo) * level.cell_size
            bounds = np.array(grid.GetBounds()).reshape(3, 2)
            if dimension == 2:  # as thick as a cell of level 0, on any level
                np.testing.assert_allclose(bounds[2], [0, plot.levels[0].cell_size[0]], rtol=0, atol=1e-15)
            np.testing.assert_allclose(bounds[:dimension], np.stack([lower, upper], axis=1), rtol=0, atol=1e-15)
            data = grid.GetCellData()
            for variable, values in zip(plot.variables, plot.read(box), strict=True):
                expected = np.tile(values.ravel(order="F"), n_layers[number])
                np.testing.assert_array_equal(vtk_to_numpy(data.GetArray(variable)), expected)
            hidden = vtk_to_numpy(data.GetArray("vtkGhostType")) != 0
            covered = np.tile(plot.covered(number, box).ravel(order="F"), n_layers[number])
            np.testing.assert_array_equal(hidden, covered)


def test_a_file_has_the_time(tmp_path):
    import h5py

    plot = made_up(tmp_path, 2)
    write_vtkhdf(plot, tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        assert list(file["VTKHDF/FieldData/TimeValue"]) == [plot.time] == [0.05]


@pytest.mark.parametrize(
    "variables, datasets",
    [
        (["X(a/b)", "rho"], ["X(a_b)", "rho"]),
        (["a", "a/b"], ["a", "a_b"]),
        (["a/b", "a_b"], ["a_b_", "a_b"]),
        (["a", "a", "a_"], ["a", "a__", "a_"]),
        (["/", "."], ["_", "__"]),
    ],
)
def test_names_are_those_of_datasets_and_of_one_each(tmp_path, variables, datasets):
    import h5py

    n = len(variables)
    write_plotfile(tmp_path / "plt", variables, [0, 0], [1, 1], [(4, blocks(4, 2, 4))], lambda x, h: np.stack([k + x[..., 0] for k in range(n)]))
    plot = Plotfile(tmp_path / "plt")
    write_vtkhdf(plot, tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        cells = file["VTKHDF/Level0/CellData"]
        assert sorted(cells) == sorted(datasets)
        for name, values in zip(datasets, plot.read(plot.levels[0].boxes[0]), strict=True):
            np.testing.assert_array_equal(cells[name], values.ravel(order="F"))


@pytest.mark.parametrize("name", ["q.vtu", "q", "-"])
def test_names_of_other_kinds_of_files_are_refused(tmp_path, name):
    with pytest.raises(ValueError, match=rf"{name}' is to be a VTKHDF file .*\.hdf"):
        write_vtkhdf(made_up(tmp_path, 2), tmp_path / name)
    assert not (tmp_path / name).exists()


def test_what_vtk_has_no_mesh_for_is_refused_by_name(tmp_path):
    plot = made_up(tmp_path, 2)
    write_vtkhdf(plot, tmp_path / "there.hdf")
    with pytest.raises(FileExistsError):
        write_vtkhdf(plot, tmp_path / "there.hdf")
    plot.coordinates = "cylindrical"
    with pytest.raises(ValueError, match="cylindrical"):
        write_vtkhdf(plot, tmp_path / "none.hdf")
    line = made_up(tmp_path / "line", 1)
    with pytest.raises(ValueError, match="thalweg line"):
        write_vtkhdf(line, tmp_path / "none.hdf")
    assert not (tmp_path / "none.hdf").exists()


def test_a_conversion_that_fails_leaves_nothing_and_overwrites_nothing(tmp_path):
    plot = made_up(tmp_path, 2)
    data = plot.levels[2].boxes[-1].file
    whole = data.read_bytes()
    data.write_bytes(whole[:-8])
    with pytest.raises(ValueError, match="ends within the record"):
        write_vtkhdf(plot, tmp_path / "plt.vtkhdf")
    assert [path.name for path in tmp_path.iterdir()] == ["plt"]
    data.write_bytes(whole)
    write_vtkhdf(plot, tmp_path / "plt.vtkhdf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plt", "plt.vtkhdf"]
    written = (tmp_path / "plt.vtkhdf").read_bytes()
    with pytest.raises(FileExistsError, match="plt.vtkhdf' exists"):
        write_vtkhdf(plot, tmp_path / "plt.vtkhdf")
    assert (tmp_path / "plt.vtkhdf").read_bytes() == written


def test_the_command_names_what_it_wrote_and_never_overwrites(tmp_path):
    made_up(tmp_path, 3)
    command = [sys.executable, "-m", "thalweg", "vtkhdf", str(tmp_path / "plt")]
    done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == f"wrote {tmp_path}/plt.vtkhdf\n", done.stderr
    again = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, check=False)
    assert again.returncode == 2 and "plt.vtkhdf" in again.stderr and "exists" in again.stderr
