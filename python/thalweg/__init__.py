# SPDX-License-Identifier: MIT
"""Thalweg in Python: read what runs write, look at it, and compare it with what is known. ::

    plot = thalweg.open("plt00020")
    plot.slice("density").values          # of the cells on a plane
    plot.profile("density").mean          # over shells
    plot.leaf_cells(["density"]).values   # of all cells that carry the solution
    thalweg.errors("tube")["L1 density"]  # against the exact solution of the problem

and run simulations, where the compiled module was installed with it (pip install .). ::

    sim = thalweg.Simulation("sedov.toml", {"mesh.max_level": 1}, threads=2)
    sim.run(until=0.05)
    sim.level(1).blocks[3]["density"]     # the cells of a block, without a copy

tasks of one's own (thalweg.Graph), and the proxy applications (thalweg.run).

Importing it starts nothing and needs numpy alone: MPI starts with the first simulation.
python -m thalweg lists the commands.
"""

from __future__ import annotations

from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

from thalweg.images import Image
from thalweg.plotfile import Box, LeafCells, Level, Plotfile, last_plotfile
from thalweg.profiles import Profile

if TYPE_CHECKING:
    from thalweg.blocks import Block
    from thalweg.cells import Cells
    from thalweg.graph import Graph
    from thalweg.proxies import run
    from thalweg.simulation import Simulation

__version__ = "0.1.0"
__all__ = ["Box", "Image", "LeafCells", "Level", "Plotfile", "Profile", "errors", "open"]
# Without the compiled module what needs it is not listed: `import *` and help() ask for all that is.
if PathFinder.find_spec("_thalweg", __path__):
    __all__ += ["Block", "Cells", "Graph", "Simulation", "run"]

# What needs the compiled module, and where it is.
_COMPILED = {
    "Block": "thalweg.blocks",
    "Cells": "thalweg.cells",
    "Graph": "thalweg.graph",
    "Simulation": "thalweg.simulation",
    "run": "thalweg.proxies",
}


def __getattr__(name: str) -> object:
    """Load the compiled module when something in it is first asked for."""
    if name not in _COMPILED:
        raise AttributeError(f"module 'thalweg' has no attribute '{name}'")
    try:
        import_module("thalweg._thalweg")
    except ImportError as problem:
        raise ImportError(
            f"thalweg.{name} needs the compiled module, which is not there ({problem}); install it with "
            "'pip install .' in the repository, or put <build>/python on PYTHONPATH"
        ) from problem
    return getattr(import_module(_COMPILED[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def open(path: str | Path) -> Plotfile:
    """Open a plotfile in AMReX's format, by its folder or the Header in it, or the last one in a folder of results.

    Reads the tables and no numbers. Raises FileNotFoundError where there is none, and ValueError for
    one that is damaged or of a kind that is not read, or for a checkpoint.
    """
    return Plotfile(last_plotfile(path))


def errors(path: str | Path) -> dict[str, float]:
    """Compare a plotfile, or the last one of a folder of results, with the exact solution of its problem.

    Gives what `python -m thalweg errors` prints, by name: "L1 density" and others, relative to the solution;
    extremes, radii and energies in the units of the file; and "leaf cells". Raises FileNotFoundError where there is no
    plotfile, KeyError where it lacks a variable, and ValueError where no exact solution is known here.
    """
    found: dict[str, float] = import_module("thalweg.exact_errors").errors(path)
    return found
