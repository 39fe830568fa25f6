# SPDX-License-Identifier: MIT
"""Axes of plotfiles, and volumes of cells in the coordinates that AMReX knows."""

from __future__ import annotations

import numpy as np

AXES = "xyz"
COORDINATES = ("cartesian", "rz", "spherical")  # by their number in files


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
