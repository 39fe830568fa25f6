# SPDX-License-Identifier: MIT
"""Files that have another name until they are whole: where writing one fails, what was there before is still there."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Lend the name under which a file is written; it gets its own at the end, and is removed where anything fails.

    What is no file, as a pipe or what lies in /dev, is written to as it is. A file that is replaced leaves its mode.
    An OSError of the system that names no file, or this one, names the one that was to be written.
    """
    if (os.path.exists(path) and not os.path.isfile(path)) or os.path.abspath(path).startswith("/dev/"):
        yield Path(path)
        return
    file = os.path.realpath(path)  # of a link, what it stands for is replaced
    part = Path(f"{file}.{os.getpid()}.tmp")
    try:
        yield part
        if os.path.exists(file):
            shutil.copymode(file, part)
        part.replace(file)
    except OSError as problem:
        if problem.errno is not None and str(problem.filename or part) == str(part):
            problem.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            part.unlink()


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file, or leave the one that is there."""
    with whole_file(path) as part:
        part.write_bytes(content)


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure in the format that the name of its file ends in, PNG where it has no ending."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format=Path(path).suffix[1:] or "png")
    write_whole(path, drawn.getvalue())
