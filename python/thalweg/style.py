# SPDX-License-Identifier: MIT
"""How all figures look, and figures that are written when they are drawn. No pyplot, whose state is the user's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from thalweg.whole_file import save_figure

LEVEL_COLOURS = ["#d9d9d9", "#7fc8f8", "#5ad1a0", "#ffd166", "#ff8fab", "#c8b6ff", "#3f7cff"]

STYLE: dict[Any, Any] = {
    "figure.constrained_layout.use": True,
    "figure.dpi": 150,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}


def plain(name: str) -> str:
    """Give a name as a text of a figure that shows it as it is: matplotlib takes what is between two "$" for a formula."""
    return name.replace("$", r"\$")


@contextmanager
def figure_in(output: str | Path, width: float, height: float) -> Iterator[Figure]:
    """Lend a figure of a size [inch] in our style, and write it at the end."""
    with matplotlib.rc_context(STYLE):
        figure = Figure((width, height))
        yield figure
        save_figure(figure, output)  # layouts and ticks are made as it is drawn
