# SPDX-License-Identifier: MIT
"""What a function of whole blocks has of a block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from thalweg.geometry import Centred
from thalweg.words import WithFields, no_field, printable

if TYPE_CHECKING:
    from thalweg import _thalweg

Array = npt.NDArray[np.float64]


def check_in_place(kind: str, given: object) -> None:
    """Check that a function which changes cells gives nothing: what it gives would be lost. kind: as in sim.initial."""
    if given is not None:
        what = "an array" if isinstance(given, np.ndarray) else printable(repr(given), 60)
        raise TypeError(
            f"the function of sim.{kind} gives {what} (nothing reads that: it is to change the block's arrays in place); "
            'set them, cells["density"][:] = ..., and return nothing'
        )


class Cells(Centred, WithFields):
    """Cells of one block, as functions of whole blocks get them: a copy, which is put back afterwards. ::

        cells["density"] = np.where(np.hypot(cells.x, cells.y) < 0.1, 0.1, 1.0)

    level; time: when they are so [time]; shape: cells along x[, y[, z]]; cell_size: (dimension,) [length];
    fields: their names; derived_fields: those of what can be read beside them, as cells["pressure"], a new
    array of the state as it is then. Of an initial state and of a source the cells around the block may be
    among them, as if they were its own.
    """

    def __init__(self, lent: _thalweg.BlockCells) -> None:
        self._lent = lent
        self.level = lent.level
        self.time = lent.time
        self.n_ghosts = lent.n_ghosts
        self.cell_size = np.array(lent.cell_size)
        self.shape = tuple(len(along) - 2 * lent.n_ghosts for along in lent.centres)
        self.fields = lent.fields
        self.derived_fields = lent.derived_fields

    def __setattr__(self, name: str, value: object) -> None:
        if name in self.__dict__.get("fields", ()):
            raise AttributeError(f'cells.{name} (fields are not attributes); set cells["{name}"]')
        if name in self.__dict__.get("derived_fields", ()):
            raise AttributeError(f"cells.{name} (it follows from the fields); set these: {', '.join(self.fields)}")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"Cells(level {self.level}, {self.shape}, fields {', '.join(self.fields)})"

    def __getitem__(self, field: str) -> Array:
        """Give a field, (nx[, ny[, nz]]), to be changed in place, or a derived field, to be read. Raises KeyError where there is none."""
        g = self.n_ghosts
        return self.with_ghosts(field)[tuple(slice(g, n + g) for n in self.shape)]

    def __setitem__(self, field: str, values: npt.ArrayLike) -> None:
        """Set a field to an array that can be broadcast to its shape, or a number. Raises ValueError for a derived field."""
        if field in self.derived_fields:
            raise ValueError(f"cells['{field}'] is set (it follows from the fields); set these: {', '.join(self.fields)}")
        np.copyto(self[field], values)

    def with_ghosts(self, field: str) -> Array:
        """As cells[field], with n_ghosts cells more on each side (of tags; else there are none)."""
        if field in self.derived_fields:
            return self._lent.derived(self.derived_fields.index(field))
        if field not in self.fields:
            raise no_field(field, self.fields + self.derived_fields)
        return self._lent.array(self.fields.index(field))

    def _centres(self) -> list[npt.ArrayLike]:
        g = self.n_ghosts
        return [centres[g : g + n] for centres, n in zip(self._lent.centres, self.shape, strict=True)]
