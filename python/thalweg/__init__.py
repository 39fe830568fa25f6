# SPDX-License-Identifier: MIT
"""Thalweg in Python: read what runs write, look at it, and compare it with what is known. ::

    plot = thalweg.open("plt00020")
    plot.slice("density").values          # of the cells on a plane
    plot.profile("density").mean          # over shells
    plot.leaf_cells(["density"]).values   # of all cells that carry the solution

Importing it starts nothing and needs numpy alone; python -m thalweg lists the commands.
"""

from __future__ import annotations

from pathlib import Path

from thalweg.images import Image
from thalweg.plotfile import Box, LeafCells, Level, Plotfile, last_plotfile
from thalweg.profiles import Profile

__all__ = ["Box", "Image", "LeafCells", "Level", "Plotfile", "Profile", "open"]


def open(path: str | Path) -> Plotfile:
    """Open a plotfile in AMReX's format, or the last one in a folder of results.

    Reads the tables and no numbers. Raises FileNotFoundError where there is none, and ValueError for
    one that is damaged or of a kind that is not read.
    """
    return Plotfile(last_plotfile(path))
