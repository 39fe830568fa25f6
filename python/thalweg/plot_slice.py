# SPDX-License-Identifier: MIT
"""Draw one variable on a plane through a plotfile, with the outlines of the blocks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from thalweg.plotfile import Plotfile
from thalweg.style import LEVEL_COLOURS, plt

LARGEST_IMAGE = 4096  # pixels along an axis


@dataclass(frozen=True)
class Plane:
    """A plane normal to an axis of a 3-D plotfile; of a 2-D one, all of it."""

    normal: int = 2
    height: float = 0.0  # along the normal [length]

    @property
    def axes(self) -> list[int]:
        """The two axes that are drawn, across and up."""
        return [axis for axis in range(3) if axis != self.normal]


def plane_of(plot: Plotfile, normal: str = "z", height: float | None = None) -> Plane:
    """Choose a plane: by default through the middle, or along the low side of an octant (from 0)."""
    axis = "xyz".index(normal)
    if plot.dimension == 2:
        if normal != "z" or height is not None:
            raise ValueError(f"a plane {normal} = {height} of {plot.path} (it has two dimensions and is one plane); leave it out")
        return Plane()
    lower, upper = plot.lower[axis], plot.upper[axis]
    if height is None:
        height = (lower + upper) / 2 if lower < 0 else lower
    if not lower <= height < upper:
        raise ValueError(f"the plane {normal} = {height:g} (the domain has {normal} from {lower:g} to {upper:g}); choose one inside")
    return Plane(axis, float(height))


def on_plane(plot: Plotfile, level: int, box, plane: Plane) -> int | None:
    """Give the index along the normal at which a plane cuts a box; none if it misses (in 2-D, never)."""
    if plot.dimension == 2:
        return 0
    domain, a = plot.levels[level], plane.normal
    k = int(np.floor((plane.height - plot.lower[a]) / domain.cell_size[a])) + domain.domain_lo[a]
    return int(k - box.lo[a]) if box.lo[a] <= k < box.hi[a] else None


def image(plot: Plotfile, variable: str, plane: Plane) -> np.ndarray:
    """Paint all levels, coarse first, on one lattice as fine as the finest (or as fits), [up, across]."""
    number, drawn = plot.index(variable), plane.axes
    cells = [(level.domain_hi - level.domain_lo)[drawn] for level in plot.levels]
    shown = max(n for n in range(len(cells)) if n == 0 or cells[n].max() <= LARGEST_IMAGE)
    canvas = np.full(cells[shown][::-1], np.nan)
    for n, level in enumerate(plot.levels):
        for box in level.boxes:
            k = on_plane(plot, n, box, plane)
            if k is None:
                continue
            values = plot.read(box)[number]
            values = values.take(k, axis=plane.normal) if plot.dimension == 3 else values
            low, high = (box.lo - level.domain_lo)[drawn], (box.hi - level.domain_lo)[drawn]
            if n <= shown:
                scale = (cells[shown] // cells[n])[0]
                values = values.repeat(scale, axis=0).repeat(scale, axis=1)
                low, high = low * scale, high * scale
            else:
                step = (cells[n] // cells[shown])[0]
                values = values[::step, ::step]
                low, high = -(-low // step), -(-high // step)
            canvas[low[1] : high[1], low[0] : high[0]] = values.T
    return canvas


def outlines(plot: Plotfile, plane: Plane):
    """Give, for every level, the rectangles of the blocks that the plane cuts."""
    for n, level in enumerate(plot.levels):
        rectangles = []
        for box in level.boxes:
            if on_plane(plot, n, box, plane) is None:
                continue
            x0, y0 = (plot.lower + (box.lo - level.domain_lo) * level.cell_size)[plane.axes]
            x1, y1 = (plot.lower + (box.hi - level.domain_lo) * level.cell_size)[plane.axes]
            rectangles.append([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)])
        yield rectangles


def draw_line(plot: Plotfile, variable: str, axes) -> None:
    """Draw a 1-D plotfile as points, coloured by level, joined by a line."""
    cells = plot.leaf_cells()
    order = np.argsort(cells.centre[:, 0])
    x, y = cells.centre[order, 0], cells.values[plot.index(variable), order]
    axes.plot(x, y, color="0.6", linewidth=0.8, zorder=1)
    for n in range(len(plot.levels)):
        mine = cells.level[order] == n
        axes.scatter(x[mine], y[mine], s=8, color=f"C{n}", label=f"level {n}", zorder=2)
    axes.legend()
    axes.set(xlabel="x [code units]", ylabel=f"{variable} [code units]")


def draw_plane(plot: Plotfile, variable: str, plane: Plane, figure, axes) -> None:
    """Draw a plane of a 2-D or 3-D plotfile, and around each block a line of its level's colour."""
    across, up = plane.axes
    extent = [plot.lower[across], plot.upper[across], plot.lower[up], plot.upper[up]]
    shown = axes.imshow(
        image(plot, variable, plane),
        origin="lower",
        extent=extent,
        cmap="magma",
        interpolation="nearest",
    )
    figure.colorbar(shown, ax=axes, label=f"{variable} [code units]", shrink=0.9)
    handles = []
    for n, rectangles in enumerate(outlines(plot, plane)):
        colour = LEVEL_COLOURS[n % len(LEVEL_COLOURS)]
        width = max(0.25, 0.9 * 0.75**n)
        axes.add_collection(LineCollection(rectangles, colors=colour, linewidths=width, alpha=0.8))
        label = f"level {n} ({len(rectangles)} blocks)"
        handles.append(Line2D([], [], color=colour, linewidth=2, label=label))
    legend = figure.legend(
        handles=handles, loc="outside lower center", ncols=min(len(handles), 3), fontsize=9
    )
    legend.set(frame_on=True)
    legend.get_frame().set(facecolor="0.25", edgecolor="none")
    for text in legend.get_texts():
        text.set_color("white")
    labels = [f"{'xyz'[axis]} [code units]" for axis in plane.axes]
    axes.set(xlabel=labels[0], ylabel=labels[1], xlim=extent[:2], ylim=extent[2:])


def plot_slice(path: str | Path, output: str | Path, variable="density", height=None, normal="z") -> None:
    """Write a picture of a variable on a plane, see plane_of; of a 1-D plotfile, of the line."""
    plot = Plotfile(path)
    plot.index(variable)  # or say which there are
    plane = plane_of(plot, normal, height) if plot.dimension > 1 else None
    figure, axes = plt.subplots(figsize=(6.4, 5.9))
    title = f"{variable}, t = {plot.time:.6g}, step {plot.step}"
    if plane is None:
        draw_line(plot, variable, axes)
    else:
        if plot.dimension == 3:
            title += f", {normal} = {plane.height:g}"
        draw_plane(plot, variable, plane, figure, axes)
    axes.set_title(title)
    figure.savefig(output)
    plt.close(figure)
