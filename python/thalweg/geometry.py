# SPDX-License-Identifier: MIT
"""Axes, centres of cells along them, and volumes of cells in the coordinates that AMReX knows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

AXES = "xyz"
COORDINATES = ("cartesian", "rz", "spherical")  # by their number in files


class Centred(ABC):
    """A block of cells: where their centres lie, in shapes that broadcast to that of a field."""

    @abstractmethod
    def _centres(self) -> Sequence[npt.ArrayLike]:
        """Give the centres of the cells along each axis [length]."""

    @property
    def x(self) -> npt.NDArray[np.float64]:
        """Centres of the cells along x, (nx[, 1[, 1]]) [length]."""
        return self._along(0)

    @property
    def y(self) -> npt.NDArray[np.float64]:
        """Centres of the cells along y, (1, ny[, 1]) [length]; of phase space, velocities."""
        return self._along(1)

    @property
    def z(self) -> npt.NDArray[np.float64]:
        """Centres of the cells along z, (1, 1, nz) [length]."""
        return self._along(2)

    def _along(self, axis: int) -> npt.NDArray[np.float64]:
        centres = self._centres()
        if axis >= len(centres):
            raise AttributeError(f"a block of {len(centres)} dimensions has no axis {AXES[axis]}")
        return np.array(centres[axis], dtype=np.float64).reshape([-1 if a == axis else 1 for a in range(len(centres))])


def parts_of_cells(dimension: int, n: int) -> npt.NDArray[np.float64]:
    """Give the middles of n equal parts of a cell along each axis, relative to its own, (n^dimension, dimension) [its size]."""
    along = (np.arange(n) + 0.5) / n - 0.5
    return np.stack(np.meshgrid(*[along] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)


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
