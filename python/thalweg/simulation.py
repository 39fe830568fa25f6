# SPDX-License-Identifier: MIT
"""Simulations run from Python: the decks and applications of the program, with the same bits."""

from __future__ import annotations

import tomllib
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from thalweg import _thalweg
from thalweg.process import world

Array = npt.NDArray[np.float64]
F = TypeVar("F", bound=Callable[["Simulation"], object])


def toml(value: object) -> str:
    """Write a value as a deck has it: numbers, strings, and lists and tables of them. Raises TypeError."""
    if isinstance(value, (np.generic, np.ndarray)):
        return toml(value.tolist())
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, Path)):
        text = str(value).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    raise TypeError(f"{value!r} is no value of a deck; give a number, a string, or a list or dict of these")


class Block:
    """The cells of one block of this rank, until the mesh changes.

    level; lower: index of its first cell on the level, by axis; shape: cells along x[, y[, z]];
    n_ghosts: cells around it that steps read.
    """

    def __init__(self, simulation: Simulation, level: int, place: _thalweg.LocalBlock, revision: int) -> None:
        self._simulation = simulation
        self._place = place
        self._revision = revision
        self.level = level
        self.lower = tuple(place.lower)
        self.shape = tuple(place.extent)
        self.n_ghosts = place.n_ghosts

    def __repr__(self) -> str:
        return f"Block(level {self.level}, cells {self.shape} from {self.lower})"

    def __getitem__(self, field: str) -> Array:
        """Give a field as it lies in memory, (nx[, ny[, nz]]), without a copy and read-only.

        The array shows these cells until the next regrid that changes the mesh; it stays readable
        after that, but what it shows is then unspecified. So ask the block again: that raises
        RuntimeError when the mesh has changed. Raises KeyError where there is no such field.
        """
        return self._view(field, with_ghosts=False)

    def with_ghosts(self, field: str) -> Array:
        """As block[field], with n_ghosts cells more on each side, as the last step left them there."""
        return self._view(field, with_ghosts=True)

    def _view(self, field: str, with_ghosts: bool) -> Array:
        component = self._simulation._component(field)
        return self._simulation._run.array(self._place, self._revision, component, with_ghosts)


class Level:
    """What this rank has of one level, until the mesh changes.

    number; cell_size: (dimension,) [length]; blocks: those of this rank, along the curve.
    """

    def __init__(self, simulation: Simulation, number: int, places: _thalweg.LocalLevel, revision: int) -> None:
        self.number = number
        self.cell_size = np.array(places.cell_size)
        self.blocks = [Block(simulation, number, place, revision) for place in places.blocks]

    def __repr__(self) -> str:
        return f"Level({self.number}: {len(self.blocks)} blocks)"

    def __getitem__(self, field: str) -> Array:
        """Copy a field of all blocks, (blocks, nx[, ny[, nz]])."""
        dimension = len(self.cell_size)
        return np.stack([block[field] for block in self.blocks]) if self.blocks else np.empty((0,) * (1 + dimension))

    def lattice(self, field: str) -> tuple[Array, tuple[int, ...]]:
        """Copy a field to the smallest box that has all blocks: values, and the index of the first cell.

        Values are (nx[, ny[, nz]]), NaN where this rank has no cells of the level. Raises ValueError
        where it has none at all.
        """
        if not self.blocks:
            raise ValueError(f"this rank has no blocks of level {self.number}")
        lower = np.min([block.lower for block in self.blocks], axis=0)
        upper = np.max([np.add(block.lower, block.shape) for block in self.blocks], axis=0)
        values = np.full(upper - lower, np.nan)
        for block in self.blocks:
            begin = np.subtract(block.lower, lower)
            where = tuple(slice(b, b + n) for b, n in zip(begin, block.shape, strict=True))
            values[where] = block[field]
        return values, tuple(int(i) for i in lower)


class Simulation:
    """A deck that is run from Python, on as many ranks as the program was started with. ::

        sim = thalweg.Simulation("sedov.toml", {"mesh.max_level": 1}, threads=2)
        sim.run(until=0.05)
        sim.level(1).blocks[3]["density"].max()

    Steps have the same bits as those of `thalweg run`, wherever they are stopped. On several ranks
    (mpirun -n 2 python script.py) all make the same calls; each sees its own blocks.

    deck: a TOML file; overrides: its keys with other values; threads and model: workers of each rank
    and execution model, in place of run.threads and run.model; out: folder for results (plotfiles,
    checkpoints, series, as the deck asks for them), in place of output.folder: without it nothing is
    written; restart: a checkpoint to go on from, or "latest" of out; force: replace earlier results in
    out; log: print a line a step, as the program does.

    All is checked here, and the mesh is built when it is first needed. Raises ValueError with
    everything that is wrong. What goes wrong later raises RuntimeError, and ends all ranks of several.
    """

    def __init__(
        self,
        deck: str | Path = "",
        overrides: Mapping[str, object] | None = None,
        *,
        threads: int | None = None,
        model: Literal["bulk", "forkjoin", "phase", "dataflow"] | None = None,
        out: str | Path | None = None,
        restart: str | Path | None = None,
        force: bool = False,
        log: bool = False,
    ) -> None:
        words = [f"{key}={toml(value)}" for key, value in (overrides or {}).items()]
        if "output.folder" in (overrides or {}):
            raise ValueError("output.folder (nothing is written without `out`); give the folder as out=...")
        self._world = world()
        self._run = _thalweg.Run(
            deck=str(deck),
            overrides=words,
            model=model,
            threads=threads,
            folder=None if out is None else str(out),
            restart=None if restart is None else str(restart),
            force=force,
            log=log,
            words=f"Simulation({str(deck)!r}, {words}, {model=}, {threads=}, {out=}, {restart=}, {force=})",
        )
        self._world.add(self._run)
        self._levels: tuple[int, list[Level]] | None = None
        self._called: list[Callable[[Simulation], object]] = []

    @property
    def rank(self) -> int:
        """The number of this rank, from 0."""
        return self._world.rank

    @property
    def n_ranks(self) -> int:
        """How many ranks run it."""
        return self._world.n_ranks

    @property
    def time(self) -> float:
        """Where it is [time]."""
        return self._run.time

    @property
    def dt(self) -> float:
        """How far the next step of level 0 goes [time]."""
        return self._run.dt

    @property
    def n_steps(self) -> int:
        """How many steps of level 0 have been made."""
        return self._run.n_steps

    @property
    def is_over(self) -> bool:
        """Whether it has reached the end that the deck sets: time.end, or time.max_steps."""
        return self._run.is_over

    @property
    def fields(self) -> list[str]:
        """Names of the fields that blocks have."""
        return self._run.fields

    def deck(self) -> dict[str, Any]:
        """Give the resolved deck, as nested dictionaries."""
        return tomllib.loads(self._run.deck)

    def run(self, until: float | None = None) -> Literal["finished", "stopped", "paused"]:
        """Make steps to the end that the deck sets, or to the first that ends at a time or behind it.

        Steps are not shortened for `until` [time]; time.end of the deck is reached exactly. Tells
        "finished" at the deck's end, "paused" before it, and "stopped" where run.wall_limit or
        memory have ended it with a checkpoint. Ctrl-C raises KeyboardInterrupt between two steps;
        run() then goes on. Collective.
        """
        if until is not None and not until >= 0:
            raise ValueError(f"until = {until} is no time; give one of at least 0")
        return self._run.advance(time=until)

    def step(self, n: int = 1) -> Literal["finished", "stopped", "paused"]:
        """Make n steps of level 0, with those of the finer levels. Collective; tells what run() does."""
        if n < 1:
            raise ValueError(f"{n} steps cannot be made; give at least 1")
        return self._run.advance(step=self.n_steps + n)

    def every(self, n: int) -> Callable[[F], F]:
        """Let a function be called with the simulation after every n-th step, on all ranks, as a decorator.

        It is called before results of that step are written, and may make no steps itself. An exception
        in it is raised by run() or step(), which may be called again; of several ranks it ends all.
        """
        if n < 1:
            raise ValueError(f"every({n}) means nothing; give at least 1 step")
        me = weakref.ref(self)  # what the run holds must not hold the simulation

        def add(f: F) -> F:
            number = len(self._called)
            self._called.append(f)

            def call() -> None:
                if (simulation := me()) is not None:
                    simulation._called[number](simulation)

            self._run.every(n, call)
            return f

        return add

    def totals(self) -> dict[str, float]:
        """Integrate each field over the domain: the same bits on any ranks. Collective."""
        return dict(zip(self.fields, self._run.totals(), strict=False))

    def level(self, number: int) -> Level:
        """Give what this rank has of a level. Raises IndexError where there is no such level (yet)."""
        levels = self.levels
        if not 0 <= number < len(levels):
            raise IndexError(f"no level {number} at step {self.n_steps}; there are levels 0 to {len(levels) - 1}")
        return levels[number]

    @property
    def levels(self) -> list[Level]:
        """What this rank has of each level, until the mesh changes. Raises ValueError without blocks."""
        blocks = self._run.blocks()
        if self._levels is None or self._levels[0] != blocks.revision:
            found = [Level(self, number, level, blocks.revision) for number, level in enumerate(blocks.levels)]
            self._levels = (blocks.revision, found)
        return self._levels[1]

    def write_plotfile(self, path: str | Path) -> None:
        """Write the state as a plotfile, which thalweg.open reads. Collective."""
        self._run.write_plotfile(str(path))

    def close(self) -> None:
        """End it, and give back its memory where no array shows it. Collective.

        Of one rank, one that is forgotten is closed; of several, only this and the program's end do it.
        """
        self._levels = None
        self._called.clear()
        self._world.close(self._run)

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()

    def __repr__(self) -> str:
        return f"Simulation(step {self.n_steps}, time {self.time:g}, fields {', '.join(self.fields)})"

    def _component(self, field: str) -> int:
        if field not in self.fields:
            raise KeyError(f"no field '{field}' ({', '.join(self.fields)})")
        return self.fields.index(field)
