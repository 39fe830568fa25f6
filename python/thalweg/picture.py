# SPDX-License-Identifier: MIT
"""A picture that notebooks show."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from thalweg import arguments as given
from thalweg.whole_file import write_whole


OTHER_FORMATS = {".eps", ".gif", ".jpeg", ".jpg", ".pdf", ".ps", ".svg", ".tif", ".tiff", ".webp"}


@dataclass(frozen=True)
class Picture:
    """An image as PNG: the last value of a notebook's cell is shown; save() writes it to a file."""

    png: bytes = field(repr=False)

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write it. Raises FileExistsError where there is something, unless force lets it replace a file, and ValueError
        where the name is that of another format.
        """
        file = given.file_to_write(path, given.flag("force", force))
        if file.suffix.lower() in OTHER_FORMATS:
            raise ValueError(f"'{file}' (a picture is PNG, which programs would not expect there); let the name end in .png")
        write_whole(file, self.png)

    def _repr_png_(self) -> bytes:
        return self.png
