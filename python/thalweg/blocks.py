# SPDX-License-Identifier: MIT
"""Cells of a simulation where they lie, block by block."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from thalweg.geometry import Centred
from thalweg.words import UnknownName, WithFields, no_field

if TYPE_CHECKING:
    from thalweg import _thalweg

Array = npt.NDArray[np.float64]


def _number(field: str, fields: list[str], run: _thalweg.Run) -> int:
    """Give the number of a field that lies in memory. Raises KeyError where there is none of this name, or a derived one."""
    if isinstance(field, str) and field in fields:
        return fields.index(field)
    if isinstance(field, str) and field in run.derived_fields:
        raise UnknownName(
            f"field '{field}' is not in memory (it follows from {', '.join(fields)}, which are); "
            f"write it, write_plotfile(path, derived='{field}'), and read that with thalweg.open, or draw it with plot"
        )
    raise no_field(field, fields)


class Block(Centred, WithFields):
    """The cells of one block of this rank, until the mesh changes.

    level; lower: index of its first cell on the level, by axis; shape: cells along x[, y[, z]];
    n_ghosts: cells around it that steps read; x, y, z: centres of its cells [length]; fields: names, as of Level.
    """

    def __init__(
        self,
        run: _thalweg.Run,
        fields: list[str],
        level: int,
        place: _thalweg.LocalBlock,
        revision: int,
        corner: Array,
        cell_size: Array,
    ) -> None:
        self._run = run  # and not its simulation, which keeps its levels and is to end when it is forgotten
        self._place = place
        self._revision = revision
        self._corner = corner
        self._cell_size = cell_size
        self.level = level
        self.lower = tuple(place.lower)
        self.shape = tuple(place.extent)
        self.n_ghosts = place.n_ghosts
        self.fields = list(fields)

    def __repr__(self) -> str:
        return f"Block(level {self.level}, cells {self.shape} from {self.lower})"

    def __getitem__(self, field: str) -> Array:
        """Give a field as it lies in memory, (nx[, ny[, nz]]), without a copy and read-only.

        The array shows these cells until the next regrid that changes the mesh; it stays readable
        after that, but what it shows is then unspecified. So ask the block again: that raises
        RuntimeError when the mesh has changed. Raises KeyError where there is no such field.
        """
        return self._view(field, with_ghosts=False)

    def with_ghosts(self, field: str) -> Array:
        """As block[field], with n_ghosts cells more on each side, as the last step left them there."""
        return self._view(field, with_ghosts=True)

    def _centres(self) -> list[Array]:
        sides = zip(self._corner, self._cell_size, self.lower, self.shape, strict=True)
        return [corner + (low + np.arange(n) + 0.5) * size for corner, size, low, n in sides]

    def _view(self, field: str, with_ghosts: bool) -> Array:
        number = _number(field, self.fields, self._run)
        return self._run.array(self._place, self._revision, number, with_ghosts)


class Level(WithFields):
    """What this rank has of one level, until the mesh changes.

    number; cell_size: (dimension,) [length]; blocks: those of this rank, along the curve; fields: names of what
    they have, over which `for` goes.
    """

    def __init__(
        self, run: _thalweg.Run, fields: list[str], number: int, places: _thalweg.LocalLevel, revision: int, corner: Array
    ) -> None:
        self.number = number
        self.fields = list(fields)
        self.cell_size = np.array(places.cell_size)
        self.blocks = [Block(run, fields, number, place, revision, corner, self.cell_size) for place in places.blocks]
        self._run = run

    def __repr__(self) -> str:
        return f"Level({self.number}: {len(self.blocks)} blocks)"

    def __getitem__(self, field: str) -> Array:
        """Copy a field of all blocks, (blocks, nx[, ny[, nz]]), none where this rank has none.

        Raises KeyError where there is no such field, and ValueError where shapes of blocks differ.
        """
        _number(field, self.fields, self._run)
        if len({block.shape for block in self.blocks}) > 1:
            raise ValueError(f"blocks of level {self.number} have different shapes (and make no one array); use lattice({field!r})")
        if self.blocks:
            return np.stack([block[field] for block in self.blocks])
        cells = tomllib.loads(self._run.deck).get("mesh", {}).get("block_cells", [0])
        return np.empty((0, *(cells if len(cells) > 1 else cells * len(self.cell_size))))

    def lattice(self, field: str) -> tuple[Array, tuple[int, ...]]:
        """Copy a field to the smallest box that has all blocks: values, and the index of the first cell.

        Values are (nx[, ny[, nz]]), NaN where this rank has no cells of the level. Raises KeyError where there is
        no such field, and ValueError where this rank has no cells of the level at all.
        """
        _number(field, self.fields, self._run)
        if not self.blocks:
            raise ValueError(f"this rank has no blocks of level {self.number} (others may); ask where .blocks has some")
        lower = np.min([block.lower for block in self.blocks], axis=0)
        upper = np.max([np.add(block.lower, block.shape) for block in self.blocks], axis=0)
        values = np.full(upper - lower, np.nan)
        for block in self.blocks:
            begin = np.subtract(block.lower, lower)
            where = tuple(slice(b, b + n) for b, n in zip(begin, block.shape, strict=True))
            values[where] = block[field]
        return values, tuple(int(i) for i in lower)
