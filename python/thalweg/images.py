# SPDX-License-Identifier: MIT
"""Planes through plotfiles and integrals along an axis, on a lattice of squares; no drawing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import SupportsFloat, SupportsIndex, TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from thalweg import arguments as given
from thalweg.geometry import AXES

if TYPE_CHECKING:
    from thalweg.plotfile import Box, Plotfile

Window = tuple[float, float, float, float]  # of a plane: left, right, bottom, top [length]
PLANE = re.compile("slice_([xyz])[0-9]+_[0-9]{5,}")  # of a plotfile of a plane, as a run calls it


@dataclass(frozen=True, eq=False)
class Image:
    """Values on squares; the first row is the lowest, so draw it with origin="lower".

    values: (n_up, n_across), in the variable's unit, of a projection times [length], and NaN where there is no cell;
    axes: names of the axes across and up; extent: left, right, bottom and top [length]; level: whose cells the
    squares are.
    """

    values: npt.NDArray[np.float64]
    axes: tuple[str, str]
    extent: tuple[float, float, float, float]
    level: int

    @property
    def across(self) -> np.ndarray:
        """Centres of the columns, (n_across,) [length]."""
        return _middles(self.extent[0], self.extent[1], self.values.shape[1])

    @property
    def up(self) -> np.ndarray:
        """Centres of the rows, (n_up,) [length]."""
        return _middles(self.extent[2], self.extent[3], self.values.shape[0])


def _middles(low: float, high: float, n: int) -> np.ndarray:
    return low + (np.arange(n) + 0.5) * (high - low) / n


@dataclass(frozen=True)
class Plane:
    """A plane normal to an axis of a 3-D plotfile; of a 2-D one, all of it."""

    normal: int = 2
    at: float = 0.0  # along the normal [length]

    @property
    def axes(self) -> list[int]:
        """The two axes that are drawn, across and up."""
        return [axis for axis in range(3) if axis != self.normal]


def axis_names(plot: Plotfile) -> str:
    """Give the names of the axes, a letter each: of phase space x and v, of a plane across y x and z."""
    if plane := PLANE.fullmatch(Path(plot.path).name):
        return AXES.replace(plane[1], "")[: plot.dimension]
    is_phase_space = plot.dimension == 2 and plot.deck().get("application", {}).get("name") == "vlasov"
    return "xv" if is_phase_space else AXES[: plot.dimension]


def axis_of(plot: Plotfile, name: str) -> int:
    """Give the number of an axis. Raises ValueError where a plotfile has no such axis, and TypeError for no string."""
    names = axis_names(plot)
    if len(given.text("axis", name)) != 1 or name not in names:
        raise ValueError(f"axis '{name}' of {plot.path} (there are {', '.join(names)}); choose one of them")
    return names.index(name)


def _middle_of_the_whole(plot: Plotfile, axis: int) -> float:
    """Give the middle of a domain, or its low side where that alone reflects: it is then half of a whole, says its deck."""
    sides = plot.deck().get("boundary", {})
    low, high = (isinstance(side, list) and side[axis : axis + 1] == ["reflecting"] for side in map(sides.get, ("lower", "upper")))
    lower, upper = float(plot.lower[axis]), float(plot.upper[axis])
    return lower if low and not high else (lower + upper) / 2


def plane_of(plot: Plotfile, normal: str = "z", at: SupportsFloat | None = None) -> Plane:
    """Choose a plane: by default through the middle of the whole, see Plotfile.slice."""
    at, normal = None if at is None else given.number("at", at), given.text("normal", normal)
    if plot.dimension == 1:
        raise ValueError(f"a plane through {plot.path} (it has one dimension); look at its profile along x")
    if plot.dimension == 2:
        if normal != "z" or at is not None:
            asked = f"normal to {normal}" if at is None else f"{normal} = {at:g}"
            raise ValueError(f"a plane {asked} of {plot.path} (it has two dimensions and is one plane); leave it out")
        return Plane()
    axis = axis_of(plot, normal)
    lower, upper = float(plot.lower[axis]), float(plot.upper[axis])
    if at is None:
        at = _middle_of_the_whole(plot, axis)
    if not lower <= at <= upper:
        raise ValueError(f"the plane {normal} = {at:g} (the domain has {normal} from {lower:g} to {upper:g}); choose one inside")
    return Plane(axis, at)


def on_plane(plot: Plotfile, level: int, box: Box, plane: Plane) -> int | None:
    """Give the index along the normal at which a plane cuts a box; none if it misses (in 2-D, never)."""
    if plot.dimension == 2:
        return 0
    domain, a = plot.levels[level], plane.normal
    # At a face the upper cells, as cell_number() of the program has it: 1e-9 of a cell of level 0 below one is rounding.
    width = plot.levels[0].cell_size[a]
    ratio = np.round(width / domain.cell_size[a])
    k = int(np.floor(((plane.at - plot.lower[a]) / width + 1e-9) * ratio)) + domain.domain_lo[a]
    k = min(k, domain.domain_hi[a] - 1)  # the upper side of the domain is that of its last cells
    return int(k - box.lo[a]) if box.lo[a] <= k < box.hi[a] else None


@dataclass(frozen=True)
class _Lattice:
    """Squares on two axes of a plotfile: the cells of its finest level of which there are not too many.

    cells: of each level along both axes, (levels, 2); shown: the level whose cells the squares are; lo, hi: which of
    them are squares, along both axes.
    """

    cells: list[np.ndarray]
    shown: int
    lo: np.ndarray
    hi: np.ndarray

    @staticmethod
    def of(plot: Plotfile, axes: list[int], most_cells: SupportsIndex, window: Window | None = None) -> _Lattice:
        most_cells = given.whole("most_cells", most_cells)
        if most_cells < 1:
            raise ValueError(f"most_cells = {most_cells} (an image has cells); give 1 or more")
        cells = [(level.domain_hi - level.domain_lo)[axes] for level in plot.levels]
        squares = [_cells_in(plot, axes, n, window) for n in cells]
        shown = max(n for n in range(len(cells)) if n == 0 or np.subtract(*squares[n][::-1]).max() <= most_cells)
        return _Lattice(cells, shown, *squares[shown])

    @property
    def shape(self) -> tuple[int, int]:
        across, up = self.hi - self.lo
        return int(up), int(across)

    def under(self, level: int, lo: np.ndarray, hi: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Give, along both axes, the squares at whose low corner a box [lo, hi) of a level has a cell, and which cell of it."""
        scale, step = (self.scale(level), 1) if level <= self.shown else (1, self.step(level))
        begin, end = np.maximum(-(-lo * scale // step), self.lo), np.minimum(-(-hi * scale // step), self.hi)
        squares = [np.arange(a, b) for a, b in zip(begin, end, strict=True)]
        return [n - first for n, first in zip(squares, self.lo, strict=True)], [n * step // scale - first for n, first in zip(squares, lo, strict=True)]

    def scale(self, level: int) -> int:
        """Squares along a cell of a level, or 0 where its cells are finer."""
        return int((self.cells[self.shown] // self.cells[level])[0]) if level <= self.shown else 0

    def step(self, level: int) -> int:
        """Cells of a finer level along a square."""
        return int((self.cells[level] // self.cells[self.shown])[0])


def _image(plot: Plotfile, axes: list[int], values: np.ndarray, lattice: _Lattice) -> Image:
    across, up = axes
    size, n_cells = plot.levels[lattice.shown].cell_size[axes], lattice.cells[lattice.shown]
    low = plot.lower[axes] + lattice.lo * size
    high = np.where(lattice.hi == n_cells, plot.upper[axes], plot.lower[axes] + lattice.hi * size)
    left, right, bottom, top = (float(side[k]) for k in (0, 1) for side in (low, high))
    names = axis_names(plot)
    return Image(values, (names[across], names[up]), (left, right, bottom, top), lattice.shown)


def window_of(plot: Plotfile, plane: Plane, window: given.Numbers) -> Window:
    """Take a window of a plane: left, right, bottom and top. Raises ValueError for one that is not in the domain."""
    try:
        left, right, bottom, top = (given.number("window", side) for side in window)
    except (TypeError, ValueError):
        raise given.wrong("window", window, "four numbers: left, right, bottom, top") from None
    for axis, low, high in zip(plane.axes, (left, bottom), (right, top), strict=True):
        lower, upper, name = float(plot.lower[axis]), float(plot.upper[axis]), axis_names(plot)[axis]
        if not lower <= low < high <= upper:
            raise ValueError(f"a window with {name} from {low:g} to {high:g} (the domain has {name} from {lower:g} to {upper:g}); choose one in it")
    return left, right, bottom, top


def _cells_in(plot: Plotfile, axes: list[int], n_cells: np.ndarray, window: Window | None) -> tuple[np.ndarray, np.ndarray]:
    """Give the cells [lo, hi) along both axes, of so many, that reach into a window."""
    if window is None:
        return np.zeros(2, int), n_cells
    to_cells = n_cells / (plot.upper - plot.lower)[axes]
    low, high = ((np.array(side) - plot.lower[axes]) * to_cells for side in (window[::2], window[1::2]))
    lo = np.minimum(np.floor(low + 1e-9).astype(int), n_cells - 1)  # an edge that is rounded is one
    return lo, np.clip(np.ceil(high - 1e-9).astype(int), lo + 1, n_cells)


def take_slice(
    plot: Plotfile, variable: str, normal: str, at: SupportsFloat | None, most_cells: SupportsIndex, window: given.Numbers | None
) -> Image:
    """See Plotfile.slice: paint all levels on one lattice, coarse ones first."""
    plane = plane_of(plot, normal, at)
    lattice = _Lattice.of(plot, plane.axes, most_cells, None if window is None else window_of(plot, plane, window))
    plot.index(variable)
    canvas = np.full(lattice.shape, np.nan)
    for n, level in enumerate(plot.levels):
        for box in level.boxes:
            k = on_plane(plot, n, box, plane)
            (i, j), cells = lattice.under(n, (box.lo - level.domain_lo)[plane.axes], (box.hi - level.domain_lo)[plane.axes])
            if k is None or not i.size or not j.size:
                continue
            values = plot.read(box, [variable])[0]
            values = values.take(k, axis=plane.normal) if plot.dimension == 3 else values
            canvas[j[0] : j[-1] + 1, i[0] : i[-1] + 1] = values[np.ix_(*cells)].T
    return _image(plot, plane.axes, canvas, lattice)


def project(plot: Plotfile, variable: str, axis: str, most_cells: SupportsIndex) -> Image:
    """See Plotfile.projection: add up leaf cells, each to the squares that it lies on."""
    if plot.dimension != 3:
        raise ValueError(
            f"a projection of {plot.path} (it has {plot.dimension} dimensions, and one along an axis needs "
            "three); take a slice or a profile"
        )
    normal = axis_of(plot, axis)
    plane = Plane(normal)
    lattice = _Lattice.of(plot, plane.axes, most_cells)
    canvas, has_cells = np.zeros(lattice.shape), np.zeros(lattice.shape, bool)
    for n, box, leaf in plot.leaf_boxes():
        depth = float(plot.levels[n].cell_size[normal])
        column = np.where(leaf, plot.read(box, [variable])[0], 0.0).sum(axis=normal) * depth
        low = (box.lo - plot.levels[n].domain_lo)[plane.axes]
        if scale := lattice.scale(n):
            part = column.repeat(scale, axis=0).repeat(scale, axis=1)
            low = low * scale
            squares = np.s_[low[1] : low[1] + part.shape[1], low[0] : low[0] + part.shape[0]]
            canvas[squares] += part.T
            has_cells[squares] = True  # also where finer ones cover those of the box
        else:  # a cell covers a part of a square
            step = lattice.step(n)
            i, j = ((low[a] + np.arange(column.shape[a])) // step for a in (0, 1))
            np.add.at(canvas, (j[:, None], i[None, :]), column.T / step**2)
            has_cells[j[:, None], i[None, :]] = True
    canvas[~has_cells] = np.nan
    return _image(plot, plane.axes, canvas, lattice)


def outlines(plot: Plotfile, plane: Plane) -> Iterator[np.ndarray]:
    """Give, for every level, left, bottom, right and top of the boxes that a plane cuts, (boxes, 4)."""
    for n, level in enumerate(plot.levels):
        cut = [(box.lo, box.hi) for box in level.boxes if on_plane(plot, n, box, plane) is not None]
        corners = plot.lower + (np.reshape(cut, (-1, 2, plot.dimension)) - level.domain_lo) * level.cell_size
        yield corners[:, :, plane.axes].reshape(-1, 4)
