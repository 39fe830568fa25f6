# SPDX-License-Identifier: MIT
"""A series.csv: a line of names, then numbers, a line for each of some steps. What is wrong in it is named by its line."""

from __future__ import annotations

import sys
from pathlib import Path

from thalweg.words import printable, regular

MOST_NAMED = 5  # lines that have a warning each


def _is_no(what: str, path: Path, number: int, line: str) -> ValueError:
    return ValueError(f"{path}: line {number} is no line of {what} ('{printable(line, 60)}'): the file is damaged; mend the line, or move the file away")


def read_columns(path: Path) -> dict[str, list[float]]:
    """Read the columns of a series by name, a number of each line that is whole; none where the file is empty.

    What follows the last line break is being written, and left out. Lines of another length are left out with a
    warning on the standard error; a step that does not rise has one, too. Raises ValueError where a line holds no numbers.
    """
    head, *lines = regular(path).read_text(encoding="utf-8-sig", errors="replace").split("\n")
    if not lines:
        return {}
    if "\ufffd" in head:  # a byte that is of no text
        raise _is_no("names", path, 1, head)
    names = head.split(",")
    rows: list[list[float]] = []
    warnings = []
    for number, line in enumerate(lines[:-1], start=2):
        entries = line.split(",")
        if len(entries) != len(names):
            warnings.append(f"line {number} left out ({len(entries)} entries, not {len(names)})")
            continue
        try:
            row = [float(entry) for entry in entries]
        except ValueError:
            raise _is_no("numbers", path, number, line) from None
        if names[0].startswith("step") and rows and not row[0] > rows[-1][0]:
            warnings.append(f"line {number} has step {row[0]:.0f} after step {rows[-1][0]:.0f} (steps of a run rise)")
        rows.append(row)
    if len(warnings) > MOST_NAMED:
        warnings[MOST_NAMED:] = [f"{len(warnings) - MOST_NAMED} more lines like these"]
    for warning in warnings:
        print(f"warning: {path}: {warning}", file=sys.stderr)
    return {name: [row[n] for row in rows] for n, name in enumerate(names)}
