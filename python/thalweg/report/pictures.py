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
from thalweg.images import Plane, outlines, plane_of
from thalweg.plotfile import Plotfile, plotfiles_in
from thalweg.report.run_data import thinned

COLOURS = "viridis"
LARGEST = 1024  # pixels along an axis
MOST_TIMES = 4
MOST_VARIABLES = 6


def _png(values: np.ndarray, low: float, high: float) -> str:
    scaled = (values[::-1] - low) / (high - low) if high > low else np.zeros(values.shape)
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


def plane_to_show(plot: Plotfile) -> Plane:
    """Choose the middle, but the low side where it reflects, for there the middle of the whole is."""
    if plot.dimension == 2:
        return plane_of(plot)
    sides = plot.deck().get("boundary", {}).get("lower", [])
    reflects = len(sides) == 3 and sides[2] == "reflecting"
    return plane_of(plot, "z", float(plot.lower[2] if reflects else (plot.lower[2] + plot.upper[2]) / 2))


def slice_of(plot: Plotfile, variable: str) -> dict[str, Any]:
    """Make the picture of a plane, see plane_to_show."""
    plane = plane_to_show(plot)
    at = plane.height if plot.dimension == 3 else None
    image = plot.slice(variable, AXES[plane.normal], at, LARGEST)
    finite = image.values[np.isfinite(image.values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    levels = [
        {"n": len(sides), "path": _path(sides, image.extent)} for sides in outlines(plot, plane)
    ]
    return {
        "variable": variable,
        "step": plot.step,
        "time": plot.time,
        "plane": None if at is None else f"{AXES[plane.normal]} = {at:g}",
        "image": _png(image.values, low, high),
        "aspect": (image.extent[3] - image.extent[2]) / (image.extent[1] - image.extent[0]),
        "extent": image.extent,
        "axes": image.axes,
        "low": low,
        "high": high,
        "levels": levels,
    }


def line_of(plot: Plotfile, variable: str) -> dict[str, Any]:
    """Give a 1-D plotfile as a line over x, of at most 4096 cells."""
    cells = plot.leaf_cells([variable])
    order = cells.centre[:, 0].argsort()[thinned(len(cells.level), 4096)]
    return {
        "variable": variable,
        "step": plot.step,
        "time": plot.time,
        "x": cells.centre[order, 0].tolist(),
        "y": cells.values[0, order].tolist(),
    }


def slices_of_run(folder: Path, variable: str | None) -> list[dict[str, Any]]:
    """Show one variable at some times, then the others at the last one."""
    paths = plotfiles_in(folder)
    plots = [Plotfile(paths[i]) for i in thinned(len(paths), MOST_TIMES)]
    last = plots[-1]
    first = variable or last.variables[0]
    last.index(first)  # or say which there are
    draw = line_of if last.dimension == 1 else slice_of
    others = [name for name in last.variables if name != first][: MOST_VARIABLES - 1]
    return [draw(plot, first) for plot in plots] + [draw(last, name) for name in others]


def colour_stops(n: int = 9) -> list[str]:
    """Give the colour scale of the pictures, low to high."""
    table = colormaps[COLOURS](np.linspace(0, 1, n), bytes=True)
    return [f"rgb({r},{g},{b})" for r, g, b, _ in table.tolist()]
