# SPDX-License-Identifier: MIT
"""Draw one variable on a plane through a plotfile, with the outlines of the blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from thalweg_tools.plotfile import Plotfile
from thalweg_tools.style import LEVEL_COLOURS, plt

LARGEST_IMAGE = 4096  # pixels along an axis


def on_plane(plot: Plotfile, level: int, box, height: float) -> int | None:
    """Give the index along z at which a plane cuts a box; none if it misses (in 2-D, never)."""
    if plot.dimension == 2:
        return 0
    domain = plot.levels[level]
    k = int(np.floor((height - plot.lower[2]) / domain.cell_size[2])) + domain.domain_lo[2]
    return int(k - box.lo[2]) if box.lo[2] <= k < box.hi[2] else None


def image(plot: Plotfile, variable: str, height: float) -> np.ndarray:
    """Paint all levels, coarse first, on one lattice as fine as the finest (or as fits), [y, x]."""
    number = plot.index(variable)
    cells = [level.domain_hi[:2] - level.domain_lo[:2] for level in plot.levels]
    shown = max(n for n in range(len(cells)) if n == 0 or cells[n].max() <= LARGEST_IMAGE)
    canvas = np.full(cells[shown][::-1], np.nan)
    for n, level in enumerate(plot.levels):
        for box in level.boxes:
            k = on_plane(plot, n, box, height)
            if k is None:
                continue
            values = plot.read(box)[number]
            values = values[:, :, k] if plot.dimension == 3 else values
            low, high = box.lo[:2] - level.domain_lo[:2], box.hi[:2] - level.domain_lo[:2]
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


def outlines(plot: Plotfile, height: float):
    """Give, for every level, the rectangles of the blocks that the plane cuts."""
    for n, level in enumerate(plot.levels):
        rectangles = []
        for box in level.boxes:
            if on_plane(plot, n, box, height) is None:
                continue
            x0, y0 = (plot.lower + (box.lo - level.domain_lo) * level.cell_size)[:2]
            x1, y1 = (plot.lower + (box.hi - level.domain_lo) * level.cell_size)[:2]
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


def draw_plane(plot: Plotfile, variable: str, height: float, figure, axes) -> None:
    """Draw a plane of a 2-D or 3-D plotfile, and around each block a line of its level's colour."""
    extent = [plot.lower[0], plot.upper[0], plot.lower[1], plot.upper[1]]
    shown = axes.imshow(
        image(plot, variable, height),
        origin="lower",
        extent=extent,
        cmap="magma",
        interpolation="nearest",
    )
    figure.colorbar(shown, ax=axes, label=f"{variable} [code units]", shrink=0.9)
    handles = []
    for n, rectangles in enumerate(outlines(plot, height)):
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
    axes.set(xlabel="x [code units]", ylabel="y [code units]", xlim=extent[:2], ylim=extent[2:])


def plot_slice(path: str | Path, output: str | Path, variable="density", height=None) -> None:
    """Write a picture of a variable on the plane z = height.

    By default the plane goes through the middle, or along the low side of an octant (z from 0).
    """
    plot = Plotfile(path)
    figure, axes = plt.subplots(figsize=(6.4, 5.9))
    title = f"{variable}, t = {plot.time:.6g}, step {plot.step}"
    if plot.dimension == 1:
        draw_line(plot, variable, axes)
    else:
        if height is None and plot.dimension == 3:
            height = (plot.lower[2] + plot.upper[2]) / 2 if plot.lower[2] < 0 else plot.lower[2]
        if plot.dimension == 3:
            title += f", z = {height:g}"
        draw_plane(plot, variable, height, figure, axes)
    axes.set_title(title)
    figure.savefig(output)
    plt.close(figure)
