# SPDX-License-Identifier: MIT
"""A picture that notebooks show."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Picture:
    """An image as PNG: the last value of a notebook's cell is shown; save() writes it to a file."""

    png: bytes = field(repr=False)

    def save(self, path: str | Path) -> None:
        """Write it, as PNG."""
        Path(path).write_bytes(self.png)

    def _repr_png_(self) -> bytes:
        return self.png
