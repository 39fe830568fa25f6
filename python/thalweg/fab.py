# SPDX-License-Identifier: MIT
"""Records of AMReX's data files (FAB): a line that says precision, byte order and box, then numbers."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from thalweg.words import Malformed, printable, regular

# Bits of a number and of its exponent and mantissa; what follows says where they are.
IEEE = {(64, 11, 52): "f8", (32, 8, 23): "f4"}
HEADER = re.compile(
    r"FAB \(\((?P<n_format>\d+), \((?P<format>[\d ]+)\)\),\((?P<n_bytes>\d+), \((?P<order>[\d ]+)\)\)\)"
    r"(?P<box>\(\(.*\)\)) (?P<n_components>\d+)\s*"
)
MOST_INDEX = 2**31  # of a cell: those of AMReX have 32 bits


@dataclass(frozen=True)
class Record:
    """Where the numbers of a record are: of cells lo <= i < hi, ghost cells among them."""

    dtype: np.dtype
    lo: np.ndarray
    hi: np.ndarray
    n_components: int
    offset: int  # of the first number in the file [bytes]


def box_bounds(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Take "((lo) (hi) (centring))" apart; hi is inclusive in the text and exclusive here.

    Raises ValueError where the values are not those of cells, or an index is none of AMReX.
    """
    try:
        parts = [[int(n) for n in part.split(",")] for part in re.findall(r"\(([-0-9,]+)\)", text)]
    except ValueError:
        parts = []
    if len(parts) != 3 or len({len(part) for part in parts}) != 1 or any(abs(n) > MOST_INDEX for part in parts for n in part):
        raise Malformed(f"'{printable(text, 60)}' is no box (expected ((lo) (hi) (centring)))")
    lo, hi, centring = parts
    if any(centring):
        raise Malformed(f"the box {printable(text, 60)} is not one of cells (only values in cells are read)")
    return np.array(lo), np.array(hi) + 1


def box_text(lo: np.ndarray, hi: np.ndarray) -> str:
    """Write the box of cells lo <= i < hi as AMReX does, "((lo) (hi) (centring))"."""
    indices = (",".join(str(int(n)) for n in index) for index in (lo, hi - 1, 0 * lo))
    return f"({' '.join(f'({index})' for index in indices)})"


def number_type(number_format: str, order: str) -> np.dtype:
    """Give the type of the numbers that a descriptor of AMReX speaks of.

    order lists the place of each byte, the most significant first: ascending is big-endian.
    """
    bits = tuple(int(word) for word in number_format.split()[:3])
    places = [int(word) for word in order.split()]
    ascending = list(range(1, len(places) + 1))
    name = IEEE.get(bits)  # type: ignore[arg-type]  # other lengths are not among the keys
    if name is None or int(name[1]) != len(places) or places not in (ascending, ascending[::-1]):
        raise ValueError(
            f"numbers of the format ({number_format}), bytes ({order}) (only IEEE numbers of 4 or 8 "
            "bytes are read); write the plotfile with fab.format = NATIVE"
        )
    return np.dtype((">" if places == ascending else "<") + name)


def read_header(data: BinaryIO) -> Record:
    """Read the line at which a file stands. Raises ValueError where it does not begin a record."""
    line = data.readline(4096).decode("ascii", "replace")
    found = HEADER.fullmatch(line)
    if not found:
        raise ValueError(f"no record of cells begins with '{printable(line.rstrip(), 60)}'")
    lo, hi = box_bounds(found["box"])
    dtype = number_type(found["format"], found["order"])
    return Record(dtype, lo, hi, int(found["n_components"]), data.tell())


def _find_record(data: BinaryIO, offset: int, lo: np.ndarray, hi: np.ndarray, components: Collection[int]) -> Record:
    """Read the line of a record. Raises ValueError where it has not the cells lo <= i < hi, or the components, or is cut."""
    data.seek(offset)
    record = read_header(data)
    if (record.lo > lo).any() or (record.hi < hi).any():
        raise ValueError("the record does not hold the cells that its table says")
    if not all(0 <= c < record.n_components for c in components):
        raise ValueError(f"the record has {record.n_components} components, not {list(components)}")
    n_numbers = record.n_components * math.prod((record.hi - record.lo).tolist())
    if os.fstat(data.fileno()).st_size < record.offset + n_numbers * record.dtype.itemsize:
        raise ValueError("the file ends within the record")
    return record


def check_records(path: Path, records: list[tuple[int, np.ndarray, np.ndarray]], n_components: int) -> None:
    """Check that read_record can read any of some components of (offset, lo, hi), without reading them. Raises as it does."""
    with regular(path).open("rb") as data:
        for offset, lo, hi in records:
            try:
                _find_record(data, offset, lo, hi, range(n_components))
            except (ValueError, OSError, OverflowError) as problem:
                raise ValueError(f"{path}, byte {offset}: {problem}") from None


def read_record(
    path: Path, offset: int, lo: np.ndarray, hi: np.ndarray, components: list[int]
) -> np.ndarray:
    """Read some components of the cells lo <= i < hi of a record, and nothing else of the file.

    Gives doubles of shape (components, nx[, ny[, nz]]); ghost cells are left out. Raises ValueError,
    with file and offset, where the record is no such record, or is cut short.
    """
    with regular(path).open("rb") as data:
        try:
            record = _find_record(data, offset, lo, hi, components)
            shape = [int(n) for n in record.hi - record.lo]
            n_cells = int(np.prod(shape))
            inside = tuple(
                slice(a, b) for a, b in zip((lo - record.lo).tolist(), (hi - record.lo).tolist(), strict=True)
            )
            values = np.empty((len(components), *(int(n) for n in hi - lo)))
            for place, component in enumerate(components):
                data.seek(record.offset + component * n_cells * record.dtype.itemsize)
                numbers = np.fromfile(data, dtype=record.dtype, count=n_cells)
                # x is the fastest in the file.
                values[place] = numbers.reshape(shape, order="F")[inside]
        except (ValueError, OSError, OverflowError) as problem:
            raise ValueError(f"{path}, byte {offset}: {problem}") from None
    return values
