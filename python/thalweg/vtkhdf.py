# SPDX-License-Identifier: MIT
"""Write a plotfile as one VTKHDF file of overlapping levels, for ParaView and VTK.

Source: VTK's specification of VTKHDF, "Overlapping AMR"; of its attributes those of version 2.0.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thalweg.arguments import file_to_write
from thalweg.plotfile import Plotfile
from thalweg.whole_file import whole_file

if TYPE_CHECKING:
    import h5py

SUFFIXES = (".vtkhdf", ".hdf", ".h5")  # by which programs know such files


def write_vtkhdf(plot: Plotfile, output: str | Path, *, force: bool = False) -> None:
    """Write all variables of a plotfile in two or three dimensions with their bits, one box after another.

    A plane is as thick as a cell of level 0: finer levels have several layers of cells, all alike, as VTK hides a coarse
    cell only where finer ones fill it. A "/" in a name becomes "_", as HDF5 has groups between these; a "_" more tells it from a name that is there.
    The file has another name until it is whole, and there is none where writing fails.
    Raises ValueError for other plotfiles and for a name that is of another kind of file, FileExistsError where the file is there, unless force lets it be replaced,
    FileNotFoundError where its folder is not, and ImportError without h5py.
    """
    if plot.dimension == 1:
        raise ValueError(f"{plot.path} has one dimension (meshes of VTK have two or three); use `thalweg line`")
    if plot.coordinates != "cartesian":
        raise ValueError(f"{plot.path} has {plot.coordinates} coordinates (VTK takes all for Cartesian); read it in Python")
    if Path(output).suffix.lower() not in SUFFIXES:
        raise ValueError(f"'{output}' is to be a VTKHDF file (programs know these by {', '.join(SUFFIXES)}); let its name end in .vtkhdf")
    import h5py  # here, as nothing else needs it

    with whole_file(file_to_write(output, force)) as part:
        part.touch()  # or say why not: h5py has words of its own
        with h5py.File(part, "w") as file:
            _write(plot, file)
        file_to_write(output, force)  # there may be one by now


def _write(plot: Plotfile, file: h5py.File) -> None:
    root = file.create_group("VTKHDF")
    root.attrs["Version"] = np.array([2, 0])
    root.attrs["Type"] = np.bytes_("OverlappingAMR")
    root.attrs["GridDescription"] = np.bytes_("XYZ")
    root.attrs["Origin"] = _padded(plot.lower, 0.0)
    root["FieldData/TimeValue"] = np.array([plot.time])
    n_layers = 1
    for number, level in enumerate(plot.levels):
        if plot.dimension == 2 and number > 0:
            n_layers *= plot.ratios[number - 1]
        group = root.create_group(f"Level{number}")
        group.attrs["Spacing"] = _padded(level.cell_size, level.cell_size[0])
        lower = [_padded(box.lo - level.domain_lo, 0) for box in level.boxes]
        last = [_padded(box.hi - level.domain_lo - 1, n_layers - 1) for box in level.boxes]
        group["AMRBox"] = np.stack([lower, last], axis=2).reshape(-1, 6).astype(np.int32)
        cells = group.create_group("CellData")
        n_cells = n_layers * sum(int(np.prod(box.shape)) for box in level.boxes)
        columns = [cells.create_dataset(name, n_cells, dtype=np.float64) for name in _names_of_datasets(plot.variables)]
        begin = 0
        for box in level.boxes:
            end = begin + n_layers * int(np.prod(box.shape))
            for column, values in zip(columns, plot.read(box), strict=True):
                column[begin:end] = np.tile(values.ravel(order="F"), n_layers)  # x runs fastest
            begin = end


def _names_of_datasets(variables: list[str]) -> list[str]:
    """Give each variable a name that HDF5 takes and no other one has: its own wherever that is one."""
    names: list[str] = []
    for variable in variables:
        name = "_" if variable == "." else variable.replace("/", "_")  # "." is the group itself
        while name in names or (name != variable and name in variables):
            name += "_"
        names.append(name)
    return names


def _padded(values: np.ndarray, last: float) -> np.ndarray:
    """Give three entries of one for each axis, and a last one."""
    return np.array([*values, last][:3])
