# SPDX-License-Identifier: MIT
"""Slices of all plotfiles of a run as a movie, which browsers and slides show."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from matplotlib import colormaps
from matplotlib.colors import to_rgb
from PIL import Image, ImageOps

from thalweg.plot_slice import WHOLE, View, slice_figure, values_on
from thalweg.plotfile import Plotfile, plotfiles_in
from thalweg.style import LEVEL_COLOURS
from thalweg.whole_file import write_whole
from thalweg.words import in_words

# What browsers show. GIF has 256 colours, the others all.
KINDS = (".gif", ".webp", ".png")


def check_kind(path: Path) -> None:
    """Check that a file of this name can be a movie. Raises ValueError."""
    if path.suffix.lower() not in KINDS:
        raise ValueError(f"'{path}' is to be a movie (these are called {', '.join(KINDS)}); give it such a name")


def palette_of_movies(colours: str) -> Image.Image:
    """Give 256 colours that do for all pictures: of the map of values, of levels, and greys."""
    of_map = [tuple(round(255 * part) for part in colormaps[colours](k / 199)[:3]) for k in range(200)]
    of_levels = [*LEVEL_COLOURS, *(f"C{n}" for n in range(10))]
    of_lines = [tuple(round(255 * part) for part in to_rgb(colour)) for colour in of_levels]
    greys = [(round(k * 255 / 31),) * 3 for k in range(32)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in (*of_map, *of_lines, *greys) for part in colour])
    return palette


def of_one_size(frames: Sequence[Image.Image]) -> list[Image.Image]:
    """Give pictures with white beside those that are smaller than others: labels differ."""
    size = (max(frame.width for frame in frames), max(frame.height for frame in frames))
    return [ImageOps.expand(frame, (0, 0, size[0] - frame.width, size[1] - frame.height), "white") for frame in frames]


def whole_plotfiles(folder: str | Path, called: str, variable: str | None) -> list[Plotfile]:
    """Give the plotfiles of a run that can be shown, by step; of the others, warn on the standard error.

    Raises KeyError where none of those that are whole has the variable.
    """
    whole: list[Plotfile] = []
    others: list[Plotfile] = []  # that lack it
    for path in plotfiles_in(folder, called):
        try:
            plot = Plotfile(path)
            plot.check()
        except (OSError, ValueError) as problem:
            print(f"warning: a plotfile is left out: {in_words(problem)}", file=sys.stderr)
            continue
        (whole if variable is None or variable in plot.variables else others).append(plot)
    if others and not whole:
        others[-1].index(variable or "")  # says which there are
    for plot in others:
        print(f"warning: a plotfile is left out: '{variable}' is not in {plot.path}", file=sys.stderr)
    return whole


def write_movie(
    folder: str | Path,
    output: str | Path,
    view: View = WHOLE,
    per_second: float = 10,
    slices: str | None = None,
) -> int:
    """Write slice_figure of all plotfiles of a run as a movie that repeats, so many per second. Give their number.

    The same colour is the same value in all of them. With slices, "z1" say, of the plotfiles of a plane, slice_z1_00000 and so on.
    Those that lack the variable are left out, as damaged ones are, with a warning. Raises ValueError for fewer than two, and
    where another run has put a plotfile in the place of one of them meanwhile.
    """
    check_kind(Path(output))
    if slices is not None and not re.fullmatch("[xyz][0-9]+", slices):
        raise ValueError(f"slices = '{slices}' (the first plane across z is 'z1', whose plotfiles are called slice_z1_00000); give an axis and a number")
    plots = whole_plotfiles(folder, "plt" if slices is None else f"slice_{slices}_", view.variable)
    if len(plots) < 2:
        whose, keys = ("", "output.plot_") if slices is None else (f" of {slices}", "slices.")
        raise ValueError(
            f"'{folder}' has {len(plots)} plotfile{'s' * (len(plots) != 1)}{whose} (a movie shows several, one after the other); "
            f"write more with {keys}interval or {keys}time"
        )
    name = view.variable or plots[0].default_variable
    chosen = view.scale.around(name, (values_on(plot, name, view) for plot in plots))
    same = chosen.with_room() if plots[0].dimension == 1 and view.scale.limits is None else chosen
    view = replace(view, variable=name, scale=same)

    def picture_of(plot: Plotfile) -> Image.Image:
        png = io.BytesIO()
        slice_figure(plot, view).savefig(png, format="png")
        return Image.open(png).convert("RGB")

    frames = of_one_size([picture_of(plot) for plot in plots])  # some megabytes each
    if Path(output).suffix.lower() == ".gif":
        palette = palette_of_movies(same.colours)
        frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    first, *others = frames
    movie = io.BytesIO()
    kind = Image.registered_extensions()[Path(output).suffix.lower()]
    first.save(movie, kind, save_all=True, append_images=others, duration=1000 / per_second, loop=0)
    write_whole(output, movie.getvalue())
    return len(plots)
