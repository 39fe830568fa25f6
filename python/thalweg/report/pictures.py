# SPDX-License-Identifier: MIT
"""Slices as pictures inside a page: a PNG in a data URI, and outlines of blocks as SVG paths."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.image import imsave

from thalweg.geometry import AXES
from thalweg.images import outlines, plane_of
from thalweg.plotfile import Plotfile
from thalweg.report.run_data import some_plotfiles, thinned
from thalweg.scale import finite_range

COLOURS = "viridis"
LARGEST = 1024  # pixels along an axis
MOST_TIMES = 4
MOST_VARIABLES = 6


def _png(values: np.ndarray, low: float, high: float) -> str:
    scaled = (values[::-1] - low) / (high - low if high > low else 1.0)  # NaN, where there is no cell, has no colour
    out = io.BytesIO()
    imsave(out, colormaps[COLOURS](scaled, bytes=True), format="png")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()


def _path(sides: np.ndarray, extent: tuple[float, float, float, float]) -> str:
    """Give rectangles (n, 4) as a path in the unit square, y downwards."""
    left, right, bottom, top = extent
    x0, x1 = ((sides[:, k] - left) / (right - left) for k in (0, 2))
    y0, y1 = ((top - sides[:, k]) / (top - bottom) for k in (3, 1))
    rounded = np.round(np.stack([x0, y0, x1, y1], axis=1), 5).tolist()
    return "".join(f"M{a:g} {b:g}H{c:g}V{d:g}H{a:g}Z" for a, b, c, d in rounded)


def _about(plot: Plotfile, variable: str, values: np.ndarray, low: float, high: float) -> dict[str, Any]:
    """Say what is shown: least and greatest of it, low and high of all that is shown in the same colours."""
    least, greatest = finite_range([values]) or (0.0, 0.0)
    what = {"variable": variable, "step": plot.step, "time": plot.time, "low": low, "high": high}
    return what | {"least": least, "greatest": greatest}


def slices_of(plots: list[Plotfile], variable: str) -> list[dict[str, Any]]:
    """Make pictures of the planes that slices have by default, with one range of colours."""
    planes = [plane_of(plot) for plot in plots]
    images = [plot.slice(variable, most_cells=LARGEST) for plot in plots]
    low, high = finite_range(image.values for image in images) or (0.0, 0.0)
    return [
        _about(plot, variable, image.values, low, high)
        | {
            "plane": f"{AXES[plane.normal]} = {plane.at:g}" if plot.dimension == 3 else None,
            "image": _png(image.values, low, high),
            "aspect": (image.extent[3] - image.extent[2]) / (image.extent[1] - image.extent[0]),
            "extent": image.extent,
            "axes": image.axes,
            "levels": [{"n": len(sides), "path": _path(sides, image.extent)} for sides in outlines(plot, plane)],
        }
        for plot, plane, image in zip(plots, planes, images, strict=True)
    ]


def lines_of(plots: list[Plotfile], variable: str) -> list[dict[str, Any]]:
    """Give 1-D plotfiles as lines over x, of at most 4096 cells each, with one range of values."""
    lines = []
    for plot in plots:
        cells = plot.leaf_cells(variable)
        order = cells.centre[:, 0].argsort()[thinned(len(cells.level), 4096)]
        lines.append((cells.centre[order, 0], cells.values[0, order]))
    low, high = finite_range(y for _, y in lines) or (0.0, 0.0)
    return [
        _about(plot, variable, y, low, high) | {"x": x.tolist(), "y": y.tolist()}
        for plot, (x, y) in zip(plots, lines, strict=True)
    ]


def slices_of_run(folder: Path, variable: str | None) -> tuple[list[dict[str, Any]], list[str], list[str]]:
    """Show one variable at some times, then others at the last one; name those for which there is no room.

    Gives also what is wrong with plotfiles that are left out.
    """
    plots, damage = some_plotfiles(folder, MOST_TIMES)
    last = plots[-1]
    first = variable or (last.names_of_one() or last.variables)[0]
    last.index(first)  # or say which there are
    damage += [f"'{first}' is not in {plot.path}" for plot in plots if first not in plot.variables]
    plots = [plot for plot in plots if first in plot.variables]
    draw = lines_of if last.dimension == 1 else slices_of
    others = [name for name in last.names_of_one() if name != first]
    others, not_shown = others[: MOST_VARIABLES - 1], others[MOST_VARIABLES - 1 :]
    return draw(plots, first) + [shown for name in others for shown in draw([last], name)], not_shown, damage


def colour_stops() -> list[str]:
    """Give the colour scale of the pictures, low to high."""
    table = colormaps[COLOURS](np.linspace(0, 1, 9), bytes=True)
    return [f"rgb({r},{g},{b})" for r, g, b, _ in table.tolist()]
