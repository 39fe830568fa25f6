# SPDX-License-Identifier: MIT
"""A picture that notebooks show."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from thalweg import arguments as given


@dataclass(frozen=True)
class Picture:
    """An image as PNG: the last value of a notebook's cell is shown; save() writes it to a file."""

    png: bytes = field(repr=False)

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write it, as PNG. Raises FileExistsError where there is something, unless force lets it replace a file."""
        given.file_to_write(path, given.flag("force", force)).write_bytes(self.png)

    def _repr_png_(self) -> bytes:
        return self.png
