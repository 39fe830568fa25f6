# SPDX-License-Identifier: MIT
"""Axes, centres of cells along them, and volumes of cells in the coordinates that AMReX knows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

AXES = "xyz"
COORDINATES = ("cartesian", "rz", "spherical")  # by their number in files


def along(centres: Sequence[npt.ArrayLike], axis: int) -> npt.NDArray[np.float64]:
    """Give the centres along one axis of those along all, in a shape that broadcasts to (nx[, ny[, nz]]).

    Raises AttributeError where there is no such axis.
    """
    if axis >= len(centres):
        raise AttributeError(f"a block of {len(centres)} dimensions has no axis {AXES[axis]}")
    shape = [-1 if a == axis else 1 for a in range(len(centres))]
    return np.array(centres[axis], dtype=np.float64).reshape(shape)


def volumes(coordinates: str, centre: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Give the volumes (cells,) of cells with centres and sizes (cells, dimension) [length].

    Around the axis of "rz", and around the origin of "spherical", a cell is a ring or a shell.
    """
    plain = np.asarray(size.prod(axis=1))
    if coordinates == "cartesian":
        return plain
    r, dr = centre[:, 0], size[:, 0]
    if coordinates == "rz":
        return np.asarray(2 * np.pi * r * plain)
    if centre.shape[1] > 1:
        raise ValueError("volumes in spherical coordinates are known in one dimension only")
    return np.asarray(4 * np.pi * dr * (r**2 + dr**2 / 12))
