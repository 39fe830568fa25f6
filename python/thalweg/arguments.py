# SPDX-License-Identifier: MIT
"""Checks of what callers give, by name, before anything is done with it. What is of another type raises TypeError."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

from thalweg.words import printable

Numbers = Sequence[SupportsFloat] | npt.NDArray[Any]
MOST, MOST_THREADS = 2**63 - 1, 2**31 - 1  # that the compiled module has numbers for


def shown(value: object) -> str:
    """Give what a message says of a value; of numbers with thousands of digits Python writes none."""
    try:
        return printable(repr(value), 60)
    except ValueError:
        return "a number of thousands of digits"


def wrong(name: str, value: object, what: str) -> TypeError:
    """Make the error of an argument that is not what it must be."""
    return TypeError(f"{name} = {shown(value)} (must be {what})")


def _alone(value: Any) -> Any:
    """Give what an array of no axes has, and anything else as it is."""
    return value[()] if isinstance(value, np.ndarray) else value


def whole(name: str, value: Any, most: int | None = None) -> int:
    """Give a whole number, NumPy's among them, as an int. Raises ValueError for one beyond -most to most."""
    found = _alone(value)
    if not isinstance(found, Integral):
        raise wrong(name, value, "a whole number")
    if most is not None and abs(int(found)) > most:
        raise ValueError(f"{name} = {shown(value)} (such numbers go to {most:,}); give a smaller one")
    return int(found)


def number(name: str, value: Any) -> float:
    """Give a number, NumPy's among them, as a float."""
    found = _alone(value)
    if not isinstance(found, Real):
        raise wrong(name, value, "a number")
    try:
        return float(found)
    except OverflowError:
        raise ValueError(f"{name} = {shown(value)} (no double is as large); give a smaller one") from None


def encoded(name: str, value: str) -> str:
    """Give a string for the compiled module as it is. Raises ValueError for one that UTF-8 cannot write."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} = {shown(value)} (UTF-8 has no bytes for all of it); give another") from None
    return value


def text(name: str, value: Any) -> str:
    """Give a string as it is."""
    if not isinstance(value, str):
        raise wrong(name, value, "a string")
    return encoded(name, value)


def listed(name: str, value: Any, what: str) -> list[Any]:
    """Give what an iterable has as a list; what: what it must be. An array of no axes is none."""
    if not isinstance(value, Iterable) or getattr(value, "ndim", 1) == 0:
        raise wrong(name, value, what)
    return list(value)


def texts(name: str, value: Any) -> list[str]:
    """Give strings of a list, a set or an array, or one string, as a list."""
    if isinstance(value, str):
        return [value]
    some = [text(name, one) for one in listed(name, value, "a list of strings")]
    return sorted(some) if isinstance(value, (set, frozenset)) else some  # the same on all ranks


def pair(name: str, value: Any) -> tuple[float, float]:
    """Give two numbers, of a sequence or an array, as floats."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise wrong(name, value, "two numbers") from None
    return number(name, first), number(name, second)


def flag(name: str, value: object) -> bool:
    """Give a truth value as it is."""
    if not isinstance(value, bool):
        raise wrong(name, value, "True or False")
    return value


def path(name: str, value: Any, what: str = "a path") -> str:
    """Give a path as a string; what: what it must be. Raises ValueError where it has what no path has."""
    if not isinstance(value, (str, os.PathLike)):
        raise wrong(name, value, what)
    found = os.fspath(value)
    if not isinstance(found, str):  # of a folder whose name was given in bytes
        raise wrong(name, value, what)
    if "\0" in found:
        raise ValueError(f"{name} = {shown(value)} (no path has the character NUL); give another")
    return found


def path_from_here(name: str, value: Any) -> str:
    """Give a path as it is to be found later, too, when the program may be in another folder; "" as it is."""
    text = path(name, value)
    return encoded(name, os.path.join(os.getcwd(), text) if text else text)


def file_to_write(value: str | os.PathLike[str], force: bool, how: str = "force=True") -> Path:
    """Give the path of a file to write, which may be there with force alone; how: what a caller has force with.

    Raises FileExistsError where it would replace something, and FileNotFoundError where its folder is not there.
    """
    file = Path(path("path", value))
    if file.is_dir():
        raise FileExistsError(f"'{file}' is a folder (a file is to be written); name a file in it")
    if not file.parent.is_dir():
        raise FileNotFoundError(f"there is no folder '{file.parent}' (for the file '{file.name}'); make it, or choose another")
    if os.path.lexists(file) and not force:
        raise FileExistsError(f"'{file}' exists (it would be replaced); choose another name, or replace it with {how}")
    if file.exists() and not file.is_file():
        raise FileExistsError(f"'{file}' is no file (but a pipe or a device, which are not replaced); choose another name")
    return file


def figure_to_write(value: str | os.PathLike[str], force: bool, how: str = "force=True") -> Path:
    """Give the path of a figure to write, as file_to_write does; a name without a type is that of a PNG.

    Raises ValueError for "-", by which other programs mean the standard output.
    """
    file = Path(path("path", value))
    if file.name == "-":
        raise ValueError(f"'{file}' (a figure goes to a file, not to the standard output); name one, as ./-.png")
    is_without = file.name and not file.suffix and not file.is_dir()
    return file_to_write(file.with_name(f"{file.name.rstrip('.')}.png") if is_without else file, force, how)


def fortran_number(communicator: Any) -> int | None:
    """Give the number that Fortran has for a communicator of mpi4py; None of none."""
    if communicator is None:
        return None
    if not hasattr(communicator, "py2f"):
        raise wrong("communicator", communicator, "a communicator of mpi4py")
    return int(communicator.py2f())


def check_function(value: object) -> None:
    """Check that something can be called, and does what it does when it is."""
    if not callable(value):
        raise TypeError(f"{shown(value)} (must be a function)")
    kinds = (inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction)
    if any(is_one(value) for is_one in kinds):
        raise TypeError(f"{shown(value)} has yield or async (a call of it does nothing yet); give a plain function")
