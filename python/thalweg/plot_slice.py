# SPDX-License-Identifier: MIT
"""Draw one variable on a plane through a plotfile, with the outlines of the blocks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import SupportsFloat

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from thalweg import arguments as given
from thalweg.geometry import AXES
from thalweg.images import Image, Plane, axis_names, outlines, plane_of
from thalweg.plotfile import Plotfile
from thalweg.scale import LINEAR, Scale
from thalweg.style import LEVEL_COLOURS, STYLE, plain
from thalweg.whole_file import save_figure

LONGEST, SHORTEST = 4.7, 1.8  # of sides of pictures [inch]
NARROWEST_BAR = 0.15  # of colours [inch]
STRETCHED = 0.6  # height over width of a picture that is as high as it is told to be
FLAT = 0.5  # pictures flatter than that have their colours below them
MARGIN = 0.03  # at least, around all [inch]
MOST_LAYOUTS = 10


@dataclass(frozen=True, eq=False)
class View:
    """What is drawn of a plotfile: a variable, by default the density or the first, on a plane, see plane_of; of a 1-D one, along the line.

    window: left, right, bottom and top of what is shown, by default all [length]; stretch: to a picture that is a
    little wider than high, whatever the plane is.
    """

    variable: str | None = None
    at: SupportsFloat | None = None
    normal: str = "z"
    scale: Scale = LINEAR
    window: given.Numbers | None = None
    stretch: bool = False


WHOLE = View()


def image_on(plot: Plotfile, variable: str, plane: Plane, window: given.Numbers | None) -> Image:
    """Give a variable on a plane of a 2-D or 3-D plotfile."""
    return plot.slice(variable, AXES[plane.normal], plane.at if plot.dimension == 3 else None, window=window)


def values_on(plot: Plotfile, variable: str, view: View) -> np.ndarray:
    """Give the values that slice_figure shows of a variable, in any order."""
    if plot.dimension == 1:
        values: np.ndarray = plot.leaf_cells([variable]).values[0]
        return values
    return image_on(plot, variable, plane_of(plot, view.normal, view.at), view.window).values


def draw_line(plot: Plotfile, variable: str, scale: Scale, axes: Axes) -> None:
    """Draw a 1-D plotfile as points, coloured by level, joined by a line."""
    cells = plot.leaf_cells([variable])
    around = scale.around(variable, [cells.values])  # or say why there are no limits
    scale = around if scale.is_log else scale
    order = cells.centre[:, 0].argsort()
    x, y = cells.centre[order, 0], cells.values[0, order]
    axes.plot(x, y, color="0.6", linewidth=0.8, zorder=1)
    for n in range(len(plot.levels)):
        mine = cells.level[order] == n
        axes.scatter(x[mine], y[mine], s=8, color=f"C{n}", label=f"level {n}", zorder=2)
    axes.legend()
    axes.set(xlabel=f"{axis_names(plot)[0]} [code units]", ylabel=f"{plain(variable)} [code units]", yscale="log" if scale.is_log else "linear")
    if scale.limits is not None:
        axes.set_ylim(*scale.limits)


def aspect_of(image: Image, stretch: bool) -> float:
    """Give height over width of the picture of a plane: that of the plane, unless it is stretched."""
    left, right, bottom, top = image.extent
    return STRETCHED if stretch else (top - bottom) / (right - left)


def figure_of(aspect: float) -> Figure:
    """Make a figure of the shape of a picture, with room for what stands around it."""
    width = min(LONGEST, max(LONGEST / aspect, SHORTEST))
    return Figure(figsize=(width + 1.7, min(max(width * aspect, 0.2), LONGEST) + (1.9 if aspect < FLAT else 1.2)))


def beyond(scale: Scale, values: np.ndarray) -> str:
    """Say at which ends of a bar of colours an arrow stands for values beyond it: neither, min, max or both."""
    low, high = scale.limits or (-np.inf, np.inf)
    is_below, is_above = (values < low).any(), (values > high).any()
    return "both" if is_below and is_above else "min" if is_below else "max" if is_above else "neither"


def draw_plane(
    plot: Plotfile, variable: str, plane: Plane, image: Image, scale: Scale, figure: Figure, stretch: bool
) -> Axes:
    """Draw a plane of a 2-D or 3-D plotfile, and around each block a line of its level's colour."""
    axes = figure.subplots()
    left, right, bottom, top = image.extent
    aspect = aspect_of(image, stretch)
    is_flat = aspect < FLAT
    limits = scale.limits or (None, None)
    norm = LogNorm(*limits) if scale.is_log else Normalize(*limits)
    shown = axes.imshow(
        image.values,
        origin="lower",
        extent=image.extent,
        cmap=scale.colours,
        norm=norm,
        interpolation="nearest",
        aspect="auto" if stretch else "equal",
    )
    drawn = min(LONGEST, LONGEST / aspect)  # width of the picture, about [inch]
    thick = max(0.05, NARROWEST_BAR / drawn)
    extend = beyond(scale, image.values)
    bar = {"location": "bottom", "aspect": 40} if is_flat else {"cax": axes.inset_axes((1 + 0.8 * thick, 0, thick, 1))}
    figure.colorbar(shown, ax=axes, label=f"{plain(variable)} [code units]", extend=extend, **bar)
    handles = []
    for n, sides in enumerate(outlines(plot, plane)):
        in_view = [(a, c, b, d) for a, c, b, d in sides if a < right and b > left and c < top and d > bottom]
        rectangles = [[(a, c), (b, c), (b, d), (a, d), (a, c)] for a, c, b, d in in_view]
        colour = LEVEL_COLOURS[n % len(LEVEL_COLOURS)]
        width = max(0.25, 0.9 * 0.75**n)
        axes.add_collection(LineCollection(rectangles, colors=colour, linewidths=width, alpha=0.8))
        label = f"level {n} ({len(rectangles)} block{'' if len(rectangles) == 1 else 's'})"
        handles.append(Line2D([], [], color=colour, linewidth=2, label=label))
    legend = figure.legend(
        handles=handles, loc="outside lower center", ncols=int(figure.get_figwidth() / 1.9), fontsize=9
    )
    legend.set(frame_on=True)
    legend.get_frame().set(facecolor="0.25", edgecolor="none")
    for text in legend.get_texts():
        text.set_color("white")
    labels = [f"{axis} [code units]" for axis in image.axes]
    axes.set(xlabel=labels[0], ylabel=labels[1], xlim=image.extent[:2], ylim=image.extent[2:])
    return axes


def make_room(figure: Figure) -> None:
    """Enlarge a figure until all that stands around its picture lies in it, and leave everything where it is then."""
    for _ in range(MOST_LAYOUTS):
        # How large labels are is known when they are laid out; the picture grows with its figure, and moves them.
        figure.draw_without_rendering()
        box, size = figure.get_tightbbox(), figure.get_size_inches()
        lacking = np.maximum(0, MARGIN - np.array(box.min)) + np.maximum(0, np.array(box.max) + MARGIN - size)
        if not lacking.any():
            break
        figure.set_size_inches(size + lacking + MARGIN * (lacking > 0))
    figure.set_layout_engine("none")


def slice_figure(plot: Plotfile, view: View = WHOLE) -> Figure:
    """Draw a view of a plotfile."""
    variable = view.variable or plot.default_variable
    plot.index(variable)  # or say which there are
    if plot.dimension == 1 and (view.at is not None or view.normal != "z" or view.window is not None or view.stretch):
        raise ValueError(f"a plane through {plot.path} (it has one dimension, and all of it is drawn); leave the plane and its window out")
    plane = plane_of(plot, view.normal, view.at) if plot.dimension > 1 else None
    title = f"{plain(variable)}, t = {plot.time:.6g}, step {plot.step}"
    with matplotlib.rc_context(STYLE):
        if plane is None:
            figure = Figure(figsize=(6.4, 4.8))
            axes = figure.subplots()
            draw_line(plot, variable, view.scale, axes)
        else:
            if plot.dimension == 3:
                title += f", {view.normal} = {plane.at:g}"
            image = image_on(plot, variable, plane, view.window)
            if image.level + 1 < len(plot.levels):
                title += f", to level {image.level} of {len(plot.levels) - 1}"
            figure = figure_of(aspect_of(image, view.stretch))
            axes = draw_plane(plot, variable, plane, image, view.scale.around(variable, [image.values]), figure, view.stretch)
        axes.set_title(title)
        make_room(figure)
    return figure


def plot_slice(path: str | Path, output: str | Path, view: View = WHOLE) -> None:
    """Write slice_figure as a file."""
    save_figure(slice_figure(Plotfile(path), view), output)
