# SPDX-License-Identifier: MIT
"""A minimal reader of Thalweg's plotfiles (AMReX format, doubles, little-endian)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np


@dataclass
class Box:
    """One box of cells: indices lo <= i < hi on its level, values on demand."""

    lo: np.ndarray
    hi: np.ndarray
    file: Path
    offset: int

    @property
    def shape(self) -> tuple[int, ...]:
        """Cells along x, y, z."""
        return tuple(int(n) for n in self.hi - self.lo)


@dataclass
class Level:
    """One level: its index domain [lo, hi), the cell size, and its boxes."""

    domain_lo: np.ndarray
    domain_hi: np.ndarray
    cell_size: np.ndarray
    boxes: list[Box] = field(default_factory=list)


@dataclass
class LeafCells:
    """All cells that no finer cell covers, flattened.

    centre and size are (cells, dimension); values is (variables, cells).
    """

    level: np.ndarray
    centre: np.ndarray
    size: np.ndarray
    values: np.ndarray

    @property
    def volume(self) -> np.ndarray:
        return self.size.prod(axis=1)


class Plotfile:
    """A plotfile's tables; numbers are read box by box."""

    def __init__(self, path: str | Path):
        self.path = Path(path)
        self._read_header(iter((self.path / "Header").read_text().splitlines()))

    def _read_header(self, lines) -> None:
        magic = next(lines)
        if magic != "HyperCLaw-V1.1":
            raise ValueError(f"{self.path}/Header begins with '{magic}': not a plotfile")
        self.variables = [next(lines) for _ in range(int(next(lines)))]
        self.dimension = int(next(lines))
        self.time = float(next(lines))
        n_levels = int(next(lines)) + 1
        self.lower = np.array(next(lines).split(), dtype=float)
        self.upper = np.array(next(lines).split(), dtype=float)
        self.ratios = [int(word) for word in next(lines).split()]
        domains = [_box_bounds(text) for text in re.findall(r"\(\(.*?\)\)", next(lines))]
        self.step = int(next(lines).split()[0])
        sizes = [np.array(next(lines).split(), dtype=float) for _ in range(n_levels)]
        next(lines), next(lines)  # Cartesian; no boundary width
        self.levels = []
        for domain, size in zip(domains, sizes, strict=True):
            n_boxes = int(next(lines).split()[1])
            for _ in range(1 + n_boxes * self.dimension):
                next(lines)
            table = self.path / (next(lines) + "_H")
            self.levels.append(Level(*domain, size, _read_boxes(table)))

    def index(self, variable: str) -> int:
        """Give the position of a variable, or say which there are."""
        if variable not in self.variables:
            raise KeyError(f"'{variable}' is not in {self.path} ({', '.join(self.variables)})")
        return self.variables.index(variable)

    def read(self, box: Box) -> np.ndarray:
        """Read the values of a box, indexed [variable, x, y, z] as far as there are axes."""
        with open(box.file, "rb") as file:
            file.seek(box.offset)
            header = file.readline()
            if not header.startswith(b"FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))"):
                raise ValueError(f"{box.file} byte {box.offset}: no record of doubles")
            shape = (len(self.variables), *reversed(box.shape))
            values = np.fromfile(file, dtype="<f8", count=int(np.prod(shape))).reshape(shape)
        return values.transpose(0, *range(self.dimension, 0, -1))

    def covered(self, level: int, box: Box) -> np.ndarray:
        """Tell which cells of a box lie under finer ones, indexed [x, y, z]."""
        mask = np.zeros(box.shape, dtype=bool)
        if level + 1 == len(self.levels):
            return mask
        lo, hi = self._coarse_bounds(level)
        for k in np.flatnonzero(np.all((lo < box.hi) & (hi > box.lo), axis=1)):
            start = np.maximum(lo[k], box.lo) - box.lo
            stop = np.minimum(hi[k], box.hi) - box.lo
            mask[tuple(slice(a, b) for a, b in zip(start, stop))] = True
        return mask

    def _coarse_bounds(self, level: int) -> tuple[np.ndarray, np.ndarray]:
        fine, ratio = self.levels[level + 1].boxes, self.ratios[level]
        lo = np.array([box.lo for box in fine]) // ratio
        hi = -(-np.array([box.hi for box in fine]) // ratio)
        return lo, hi

    def leaf_cells(self) -> LeafCells:
        """Read all cells that carry the solution."""
        parts = []
        for number, level in enumerate(self.levels):
            for box in level.boxes:
                leaf = ~self.covered(number, box)
                if not leaf.any():
                    continue
                cells = np.argwhere(leaf) + box.lo - level.domain_lo
                centre = self.lower + (cells + 0.5) * level.cell_size
                size = np.broadcast_to(level.cell_size, centre.shape)
                numbers = np.full(len(cells), number)
                parts.append((numbers, centre, size, self.read(box)[:, leaf]))
        level, centre, size, values = zip(*parts)
        return LeafCells(
            np.concatenate(level),
            np.concatenate(centre),
            np.concatenate(size),
            np.concatenate(values, axis=1),
        )

    def deck(self) -> dict:
        """Read the resolved deck stored beside Header; empty if there is none."""
        path = self.path / "deck.toml"
        return tomllib.loads(path.read_text()) if path.exists() else {}


def _box_bounds(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Take "((lo) (hi) (type))" apart; hi is inclusive in the file and exclusive here."""
    lo, hi, _ = (np.array(part.split(","), dtype=int) for part in re.findall(r"\(([^()]*)\)", text))
    return lo, hi + 1


def _read_boxes(table: Path) -> list[Box]:
    lines = iter(table.read_text().splitlines())
    version, _, _, n_ghosts = (next(lines) for _ in range(4))
    if version != "1" or n_ghosts != "0":
        raise ValueError(f"{table}: version {version}, {n_ghosts} ghost cells; expected 1 and 0")
    n_boxes = int(next(lines).strip("( ").split()[0])
    bounds = [_box_bounds(next(lines)) for _ in range(n_boxes)]
    next(lines), next(lines)  # ")" and the number again
    places = [next(lines).split()[1:] for _ in range(n_boxes)]
    return [
        Box(lo, hi, table.parent / file, int(offset))
        for (lo, hi), (file, offset) in zip(bounds, places, strict=True)
    ]
