# SPDX-License-Identifier: MIT
"""Texts of files, read line by line; what is wrong with one is said with the file and the line."""

from __future__ import annotations

import os
import re
import stat
import types
from collections.abc import Iterator
from pathlib import Path


class Malformed(ValueError):
    """Something in a file that is not as it should be, in words of its own."""


class NoExactSolution(ValueError):
    """A problem of which no exact solution is known here."""


class UnknownName(KeyError):
    """A name that is not there, said in a sentence: str() gives it, where that of a KeyError has quotes around it."""

    def __str__(self) -> str:
        return str(self.args[0])


def no_field(name: str, names: list[str]) -> UnknownName:
    """Make the error of a field that a simulation does not have."""
    return UnknownName(f"no field '{name}' (there are {', '.join(names)}); give one of these")


class WithFields:
    """What has fields by name, in [...]: as with a dict, `for` goes over the names, `in` looks for one, and dict() has all.

    fields: their names.
    """

    fields: list[str]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def keys(self) -> list[str]:
        """Give the names of the fields."""
        return list(self.fields)


def printable(text: object, most: int = 300) -> str:
    """Give a piece of a text for a message: what no terminal should get as "\\x1b", and no more than some lines."""
    whole = str(text)
    shown = "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in whole[:most])
    return shown if len(whole) <= most else shown + "..."


def in_words(problem: Exception) -> str:
    """Say what went wrong without the number and the quotes that Python writes for an OSError."""
    if isinstance(problem, OSError) and problem.filename is not None:
        return printable(f"cannot open '{problem.filename}': {problem.strerror}", 2000)
    return printable(problem, 2000)


def regular(path: Path) -> Path:
    """Give the path of a file that is to be read. Raises ValueError for a pipe or a device, whose end may never come."""
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ValueError(f"{path} is a pipe or a device (a file is read here, which has an end); move it away")
    return path


def count(word: str) -> int:
    """Read a whole number, 0 or above, of at most 18 digits. Raises ValueError for all else, also for what int() takes as one."""
    if not re.fullmatch("[0-9]{1,18}", word.strip()):
        raise ValueError(f"'{printable(word, 60)}' is no number of things")
    return int(word)


class Lines:
    """The lines of a file in turn. Inside of `with`, what goes wrong becomes a ValueError that names file and line."""

    def __init__(self, path: Path):
        self.path, self.number, self.last = path, 0, ""
        try:
            self._lines: Iterator[str] = iter(regular(path).read_text(encoding="utf-8").splitlines())
        except UnicodeDecodeError:
            raise ValueError(f"{path} is no text: not a whole plotfile") from None

    def next(self) -> str:
        """Give the next line. Raises Malformed where there is none."""
        line = next(self._lines, None)
        if line is None:
            raise Malformed(f"the file {'ends too early' if self.number else 'is empty'}: not a whole plotfile")
        self.number, self.last = self.number + 1, line
        return line

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, kind: type | None, problem: BaseException | None, _: types.TracebackType | None) -> None:
        if isinstance(problem, Malformed):
            where = f"{self.path}, line {self.number}" if self.number else str(self.path)
            raise ValueError(f"{where}: {problem}") from None
        if isinstance(problem, (ValueError, IndexError, OverflowError)):
            raise ValueError(
                f"{self.path}, line {self.number}: '{printable(self.last, 60)}' is not what a plotfile has there"
            ) from None
