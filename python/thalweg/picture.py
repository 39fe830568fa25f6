# SPDX-License-Identifier: MIT
"""A picture that notebooks show."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from thalweg import arguments as given
from thalweg.whole_file import save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture:
    """A figure of matplotlib: the last value of a notebook's cell is shown, as PNG; save() writes it to a file."""

    figure: Figure = field(repr=False)

    @cached_property
    def png(self) -> bytes:
        """The figure as PNG."""
        drawn = io.BytesIO()
        self.figure.savefig(drawn, format="png")
        return drawn.getvalue()

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write it in the format that the name ends in, .png, .pdf or .svg say; a name without an ending gets .png.

        Raises FileExistsError where there is something, unless force lets it replace a file, and ValueError
        where the name is that of a format that matplotlib does not write.
        """
        save_figure(self.figure, given.figure_to_write(path, given.flag("force", force)))

    def _repr_png_(self) -> bytes:
        return self.png
