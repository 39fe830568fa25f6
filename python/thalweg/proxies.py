# SPDX-License-Identifier: MIT
"""The proxy applications, which have no decks but words of their own, as a function."""

from __future__ import annotations

import os
from numbers import Real
from typing import Literal

from thalweg import _thalweg
from thalweg.arguments import encoded, flag, fortran_number, path, text, wrong
from thalweg.process import world
from thalweg.simulation import Communicator


def _word(name: str, value: object) -> str:
    if isinstance(value, os.PathLike):
        return encoded(name, path(name, value))
    if not isinstance(value, (str, Real)):
        raise wrong(name, value, "a string, a Python number or a path, one of those that follow the name")
    return encoded(name, str(value))


def run(
    name: Literal["miniamr", "hpccg", "lulesh", "cholesky", "taskbench"],
    *words: str | float | os.PathLike[str],
    log: bool = False,
    communicator: Communicator | None = None,
) -> dict[str, bool | int | float | str | list[float]]:
    """Run a proxy application, and give what it came to. ::

        thalweg.run("hpccg", 16, 16, 16, "--threads", 2)["solution_hash"]

    name: the command of the program; words: what follows it there (`thalweg hpccg --help`), numbers
    as such; log: print the lines that the program prints; communicator: of mpi4py, whose ranks run
    it, in place of all that were started. All ranks make the same call.

    Gives numbers by their names: counts and results with the bits of the program, times in seconds
    (`..._s`), hashes as hexadecimal digits. A LULESH that ended early has why in "fault" (else it is
    empty), and its energies on rank 0; a Cholesky without a good factor has False in "is_good".
    Files are written where the program writes them.

    Raises ValueError with everything that is wrong with the words, on all ranks, and TypeError for a list of them. What goes wrong
    later raises RuntimeError, and ends all ranks of several. Ctrl-C is noticed at the end.
    """
    given = [_word(f"word {n}", word) for n, word in enumerate(words, 1)]
    number = fortran_number(communicator)
    with world().in_use():
        return _thalweg.run(
            text("name", name),
            given,
            log=flag("log", log),
            communicator=number,
        )
