# SPDX-License-Identifier: MIT
"""Simulations run from Python: the decks and applications of the program, with the same bits."""

from __future__ import annotations

import os
import shutil
import tempfile
import tomllib
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol, SupportsFloat, SupportsIndex, TypeVar

import numpy as np
import numpy.typing as npt

from thalweg import _thalweg
from thalweg import arguments as given
from thalweg.blocks import Level
from thalweg.cells import Cells, check_in_place
from thalweg.interrupts import raised_between_steps
from thalweg.picture import Picture
from thalweg.plotfile import Plotfile
from thalweg.process import world
from thalweg.progress import Progress
from thalweg.requests import DECK, of_arguments, of_functions, text_of, words_of
from thalweg.scale import Scale
from thalweg.words import UnknownName, no_field, printable

F = TypeVar("F", bound=Callable[["Simulation"], object])
Changes = TypeVar("Changes", bound=Callable[[Cells], None])
Tags = TypeVar("Tags", bound=Callable[[Cells], npt.NDArray[np.bool_]])
Advances = TypeVar("Advances", bound=Callable[[Cells, float], None])
Limits = TypeVar("Limits", bound=Callable[[Cells], SupportsFloat | npt.NDArray[np.float64]])


class Communicator(Protocol):
    """Ranks of MPI: a communicator of mpi4py."""

    def py2f(self) -> int:
        """Give the number that Fortran has for it."""


class Simulation:
    """A deck that is run from Python, on as many ranks as the program was started with. ::

        sim = thalweg.Simulation("sedov.toml", {"mesh.max_level": 1}, threads=2)
        sim.run(until=0.05)
        sim.level(1).blocks[3]["density"].max()

    Steps have the same bits as those of `thalweg run`, wherever they are stopped. On several ranks
    (mpirun -n 2 python script.py) all make the same calls; each sees its own blocks.

    deck: a TOML file, or a dict of its keys and values, {"mesh.dim": 2} or {"mesh": {"dim": 2}} as
    tomllib gives it; overrides: its keys with other values; threads and model: workers of each rank
    and execution model, in place of run.threads and run.model; out: folder for results (plotfiles,
    checkpoints, series, as the deck asks for them), in place of output.folder: without it nothing is
    written; restart: a checkpoint to go on from, or "latest" of out; force: replace earlier results in
    out; log: print a line a step, as the program does; communicator: of mpi4py, whose ranks run it,
    in place of all that were started.

    All is checked here, and the mesh is built when it is first needed. Raises ValueError with
    everything that is wrong, and TypeError for an argument of another type. What goes wrong later
    raises RuntimeError, and ends all ranks of several.
    """

    def __init__(
        self,
        deck: str | Path | Mapping[str, object] = "",
        overrides: Mapping[str, object] | None = None,
        *,
        threads: SupportsIndex | None = None,
        model: Literal["bulk", "forkjoin", "phase", "dataflow"] | None = None,
        out: str | Path | None = None,
        restart: str | Path | None = None,
        force: bool = False,
        log: bool = False,
        communicator: Communicator | None = None,
    ) -> None:
        keys = {} if overrides is None else overrides
        if not isinstance(keys, Mapping):
            raise given.wrong("overrides", keys, "a dict of keys and values")
        if "output.folder" in keys:
            raise ValueError("output.folder (nothing is written without `out`); give the folder as out=...")
        is_latest = isinstance(restart, str) and restart == "latest"  # an array has no one answer to ==
        if is_latest and out is None:
            raise ValueError('restart="latest" (of which folder?); give the folder with out=')
        if out is not None and not given.path("out", out):
            raise ValueError("out = '' (results need a folder with a name); leave it out, and nothing is written")
        if isinstance(deck, str) and "\n" in deck:
            raise ValueError("deck: this is the text of a deck; give the path of its file, or tomllib.loads(text)")
        text = text_of(deck) if isinstance(deck, Mapping) else None
        request: dict[str, Any] = {
            "deck": DECK if text is not None else given.encoded("deck", given.path("deck", deck, "a path, or a dict of keys and values")),
            "text": text,
            "overrides": words_of(keys),
            "model": None if model is None else given.text("model", model),
            "threads": None if threads is None else given.whole("threads", threads, given.MOST_THREADS),
            "folder": None if out is None else given.path_from_here("out", out),
            "restart": restart if restart is None or is_latest else given.path_from_here("restart", restart),
            "force": given.flag("force", force),
        }
        number = given.fortran_number(communicator)
        self._world = world()
        try:
            with self._world.in_use():
                self._run = _thalweg.Run(**request, log=given.flag("log", log), communicator=number, words=f"Simulation({request})")
                self._world.add(self._run)
        except ValueError as problem:
            raise ValueError(of_arguments(str(problem), keys)) from None
        self._pid = os.getpid()
        self._levels: tuple[int, list[Level]] | None = None
        self._called: list[Callable[..., Any]] = []
        self._kinds: set[str] = set()  # of functions of blocks that there are
        self._fields = self._run.fields
        self._report_on = request["folder"] if self.rank == 0 and self.deck().get("output", {}).get("report") else None

    @property
    def rank(self) -> int:
        """The number of this rank, from 0."""
        return self._run.rank

    @property
    def n_ranks(self) -> int:
        """How many ranks run it."""
        return self._run.n_ranks

    @property
    def time(self) -> float:
        """Where it is [time]."""
        with self._in_steps():
            return self._run.time

    @property
    def dt(self) -> float:
        """How far the next step of level 0 goes [time]; 0 at time.end, where there is none (of Vlasov-Poisson its one dt)."""
        with self._in_steps():
            return self._run.dt

    @property
    def n_steps(self) -> int:
        """How many steps of level 0 have been made."""
        with self._in_steps():
            return self._run.n_steps

    @property
    def is_over(self) -> bool:
        """Whether it has reached the end that the deck sets: time.end, or time.max_steps."""
        with self._in_steps():
            return self._run.is_over

    @property
    def fields(self) -> list[str]:
        """Names of the fields that blocks have."""
        return list(self._fields)

    @property
    def derived_fields(self) -> list[str]:
        """Names of the fields that follow from these, and that pictures and plotfiles may have: pressure, mach, ..."""
        return self._run.derived_fields

    def deck(self) -> dict[str, Any]:
        """Give the resolved deck, as nested dictionaries."""
        return tomllib.loads(self._run.deck)

    def run(self, until: SupportsFloat | None = None, *, progress: bool = False) -> Literal["finished", "stopped", "paused"]:
        """Make steps to the end that the deck sets, or to the first that ends at a time or behind it.

        Steps are not shortened for `until` [time]; time.end of the deck is reached exactly. Tells
        "finished" at the deck's end, "paused" before it, and "stopped" where run.wall_limit or
        memory have ended it with a checkpoint. Ctrl-C raises KeyboardInterrupt between two steps;
        run() then goes on. A second Ctrl-C raises it at once, and in a function of blocks that ends the run.
        With `progress` rank 0 shows how far it is, in Jupyter as a bar; there is a pause after each step
        then. Where the deck has output.report, the report is written at its end. Collective.
        """
        time = None if until is None else given.number("until", until)
        if time is not None and not time >= 0:
            raise ValueError(f"until = {time} is no time; give one of at least 0")
        return self._run_shown(time) if given.flag("progress", progress) else self._advance(time=time)

    def _run_shown(self, until: float | None) -> Literal["finished", "stopped", "paused"]:
        limits = self.deck()["time"]
        if until is not None:
            limits["end"] = min(limits["end"], until)

        def where() -> tuple[float, str]:
            made = [self.time / limits["end"]] if limits["end"] > 0 else [1.0]
            if limits["max_steps"] > 0:
                made.append(self.n_steps / limits["max_steps"])
            return max(made), f"step {self.n_steps}, time {self.time:.4g}"

        bar = Progress(*where()) if self.rank == 0 else None
        try:
            while True:
                end = self._advance(step=self.n_steps + 1, time=until)
                if bar is not None:
                    bar.update(*where())
                if end != "paused" or (until is not None and self.time >= until):
                    return end
        finally:
            if bar is not None:
                bar.end()

    def step(self, n: SupportsIndex = 1) -> Literal["finished", "stopped", "paused"]:
        """Make n steps of level 0, with those of the finer levels. Collective; tells what run() does."""
        n = given.whole("n", n, given.MOST)
        if n < 1:
            raise ValueError(f"{n} steps cannot be made; give at least 1")
        return self._advance(step=min(self.n_steps + n, given.MOST))

    def _advance(self, *, step: int | None = None, time: float | None = None) -> Literal["finished", "stopped", "paused"]:
        with self._in_steps():
            end = self._run.advance(step=step, time=time)
        if end == "finished" and self._report_on is not None:
            folder, self._report_on = Path(self._report_on), None
            self._write_report(folder)
        return end

    def _write_report(self, folder: Path) -> None:
        try:
            from thalweg.report import write_report

            write_report([folder], folder / "report.html", shutil.which("thalweg"))
        except Exception as problem:  # the results are whole without it
            warnings.warn(f"no report: {problem}; make it with `python -m thalweg report {folder}`", stacklevel=4)

    @contextmanager
    def _in_steps(self) -> Iterator[None]:
        """Around what builds the mesh or makes steps: let Ctrl-C wait for their end, and name who set a bad state."""
        self._check_process()
        try:
            with raised_between_steps(self._run):
                yield
        except (ValueError, RuntimeError) as problem:
            said = of_functions(str(problem), self._kinds)
            if said == str(problem):
                raise
            kind = ValueError if isinstance(problem, ValueError) else RuntimeError
            raise kind(said) from None

    def _check_process(self) -> None:
        if os.getpid() != self._pid:
            raise RuntimeError(
                "the simulation was made in another process (a fork has none of its threads, and would wait for them); "
                "make it in this process, or start processes with multiprocessing's 'spawn'"
            )

    def every(self, n: SupportsIndex) -> Callable[[F], F]:
        """Let a function be called with the simulation after every n-th step, on all ranks, as a decorator.

        It is called before results of that step are written, and may make no steps itself. An exception
        in it is raised by run() or step(), when the results of that step are written; functions that were given
        after it are not called for that step, and the run may go on. Of several ranks it ends all at once.
        Meanwhile other threads cannot use the simulation: RuntimeError.
        """
        if callable(n):
            raise TypeError("@sim.every without a number of steps; write @sim.every(1)")
        n = given.whole("n", n, given.MOST)
        if n < 1:
            raise ValueError(f"every({n}) means nothing; give at least 1 step")
        me = weakref.ref(self)

        def add(f: F) -> F:
            call = self._keep(f)
            self._run.every(n, lambda: call(me()))
            return f

        return add

    def initial(self, f: Changes) -> Changes:
        """Let a function change the initial state of each block, as a decorator. ::

            @sim.initial
            def bubble(cells):
                cells["density"] = np.where(np.hypot(cells.x - 0.5, cells.y) < 0.1, 0.1, cells["density"])

        The deck's problem has set the fields before, which are means over cells. The function sets them in
        place, and returns nothing: else TypeError. It is called for each block whenever the mesh is built
        around the initial state, and on a block's outermost cells must do what it does on those of its
        neighbour. A run that goes on from a checkpoint does not call it, but for coefficients of new blocks, as the
        bed of shallow water, which always are those of the initial state.

        Of functions of blocks: they are tasks, called by any worker, but one at a time. An exception in
        one ends the run and is raised where it was going on; of several ranks it ends all, with its
        traceback. All ranks give the same ones, before the simulation is used: else RuntimeError.
        """
        call = self._keep_one("initial", f)
        self._run.set_initial(lambda lent: check_in_place("initial", call(Cells(lent))))
        return f

    def tags(self, f: Tags) -> Tags:
        """Let a function say which cells to refine, in place of the deck's problem, as a decorator. ::

            @sim.tags
            def dense(cells):
                return cells["density"] > 1.5

        It gives a bool for each cell of the block; cells.with_ghosts(field) has its neighbours, too. See initial.
        """
        call = self._keep_one("tags", f)

        def tag(lent: _thalweg.BlockCells) -> bytes:
            cells = Cells(lent)
            tags = np.asarray(call(cells))
            if tags.shape != cells.shape or tags.dtype != np.bool_:
                raise ValueError(
                    f"tags of shape {tags.shape} and type {tags.dtype} (the block has {cells.shape} cells); "
                    "give a bool for each cell"
                )
            return tags.tobytes(order="F")

        self._run.set_tags(tag)
        return f

    def source(self, f: Advances) -> Advances:
        """Let a function advance the cells of a block by a source, beside those of the deck, as a decorator. ::

            @sim.source
            def cooling(cells, dt):
                kinetic = 0.5 * (cells["xmom"] ** 2 + cells["ymom"] ** 2) / cells["density"]
                cells["rho_E"] = kinetic + (cells["rho_E"] - kinetic) * np.exp(-0.1 * dt)

        It changes each cell by itself, by its state and place alone, over dt [time] from cells.time on: the
        solution under the source alone, of second order or better. dt may be negative. The source should
        be slow beside waves, or have a longest_dt: dt does not follow from it. It is called beside steps, too, to see how it makes
        waves faster, and on ghost cells, so it must do nothing else. The cells may be those of several blocks that are
        advanced together. It returns nothing: else TypeError. See initial.
        """
        call = self._keep_one("source", f)
        self._run.set_source(lambda lent, dt: check_in_place("source", call(Cells(lent), dt)))
        return f

    def longest_dt(self, f: Limits) -> Limits:
        """Let a function say how long a step may be, where a source is faster than waves, as a decorator. ::

            @sim.longest_dt
            def tenth_of_cooling_time(cells):
                return 0.1 / (0.3 * cells["density"])

        It gives the time [time] for the block, or one for each cell, of which the least counts; np.inf for no limit, and
        else above 0: ValueError. On a finer level it limits the shorter steps that are made there. It is called at the end of
        each step; one that turns out much too long by it is taken again (time.retries). See initial.
        """
        call = self._keep_one("longest_dt", f)

        def limit(lent: _thalweg.BlockCells) -> float:
            given_dt = np.asarray(call(Cells(lent)))
            if given_dt.dtype.kind not in "iuf" or given_dt.size == 0:
                raise TypeError(f"the function of sim.longest_dt gives {printable(repr(given_dt), 60)} (it is a time); give a number, or one for each cell")
            least = float(given_dt.min())
            if not least > 0:
                raise ValueError(f"the function of sim.longest_dt gives {least} (a step takes more than no time); give more than 0, or np.inf for no limit")
            return least

        self._run.set_longest_dt(limit)
        return f

    def _keep_one(self, kind: str, f: Callable[..., Any]) -> Callable[..., Any]:
        if kind in self._kinds:
            raise ValueError(f"a second function of sim.{kind} (there is one, which this would replace); make one of both")
        call = self._keep(f)
        self._kinds.add(kind)
        return call

    def _keep(self, f: Callable[..., Any]) -> Callable[..., Any]:
        given.check_function(f)
        # What the run holds must not hold the simulation.
        me, number = weakref.ref(self), len(self._called)
        self._called.append(f)

        def call(*arguments: object) -> Any:
            simulation = me()
            assert simulation is not None, "the simulation makes this step"
            return simulation._called[number](*arguments)

        return call

    def totals(self) -> dict[str, float]:
        """Integrate over the domain each field, and the derived ones whose integral means something.

        These are those that have a total in series.csv: depth of shallow water, kinetic_energy of the gas.
        The same bits on any ranks. Collective.
        """
        with self._in_steps():
            return dict(self._run.totals())

    def level(self, number: SupportsIndex) -> Level:
        """Give what this rank has of a level. Raises IndexError where there is no such level (yet)."""
        number = given.whole("number", number)
        levels = self.levels
        if not 0 <= number < len(levels):
            raise IndexError(f"no level {number} at step {self.n_steps}; there are levels 0 to {len(levels) - 1}")
        return levels[number]

    @property
    def levels(self) -> list[Level]:
        """What this rank has of each level, until the mesh changes. Raises ValueError without blocks."""
        with self._in_steps():
            blocks = self._run.blocks()
        if self._levels is None or self._levels[0] != blocks.revision:
            corner = np.array(blocks.lower)
            found = [Level(self._run, self._fields, number, level, blocks.revision, corner) for number, level in enumerate(blocks.levels)]
            self._levels = (blocks.revision, found)
        return self._levels[1]

    def plot(
        self,
        field: str | None = None,
        *,
        normal: Literal["x", "y", "z"] = "z",
        at: SupportsFloat | None = None,
        limits: given.Numbers | None = None,
        log: bool = False,
        colours: str = "magma",
        window: given.Numbers | None = None,
        stretch: bool = False,
    ) -> Picture:
        """Draw a field or a derived field, the first field if none is named, on a plane, with the outlines of the blocks.

        In three dimensions the plane is normal to an axis, at a place along it [length], by default that
        of Plotfile.slice. In one, it is drawn along the line. Colours go from the least to the greatest
        value, or between limits, and with log by the logarithm; colours is a map of matplotlib, as RdBu_r for
        what has two signs. window is the part that is shown, left, right, bottom and top [length], with the
        finest cells in it; stretch fills the picture, also where the plane is long. Jupyter shows what this gives; save(path)
        writes it. It needs matplotlib, and one rank: on several raises ValueError.
        """
        if self.n_ranks > 1:
            raise ValueError(
                f"plot() on {self.n_ranks} ranks (one process draws); call write_plotfile, and draw that: "
                "python -m thalweg slice"
            )
        from thalweg.plot_slice import View, slice_figure

        name = given.text("field", field) if field is not None else self.fields[0]
        if name not in [*self.fields, *self.derived_fields]:
            some = self._derived([name])  # raises KeyError where it is no group either
            raise UnknownName(f"'{name}' is a group of fields (a picture has one); give one of {', '.join(some)}")
        scale = Scale(None if limits is None else given.pair("limits", limits), given.flag("log", log), given.text("colours", colours))
        given.flag("stretch", stretch)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "plt"
            self.write_plotfile(path, fields=[name] if name in self.fields else [], derived=[name])
            try:
                return Picture(slice_figure(Plotfile(path), View(name, at, normal, scale, window, stretch)))
            except ValueError as problem:
                raise ValueError(str(problem).replace(str(path), "the simulation")) from None

    def write_plotfile(
        self,
        path: str | Path,
        *,
        fields: str | Iterable[str] | None = None,
        derived: str | Iterable[str] | None = None,
        force: bool = False,
    ) -> None:
        """Write the state as a plotfile, which thalweg.open reads. Collective.

        In it are those of fields that are given, or else those that the deck names in output.fields, which are all by
        default; and those of derived_fields that are given, by their names or, several at once, by that of their group,
        as "velocity", or else those that the deck names in output.derived. With force, one that is there is replaced.
        Else, where there is something that is no plotfile, and without any field, raises ValueError.
        """
        some = None if derived is None else self._derived(given.texts("derived", derived))
        kept = None if fields is None else given.texts("fields", fields)
        for field in kept or []:
            if field not in self.fields:
                raise no_field(field, self.fields)
        name = given.encoded("path", given.path("path", path))
        try:
            with self._in_steps():  # a path without the slash that it may end with
                self._run.write_plotfile(name and str(Path(name)), given.flag("force", force), kept, some)
        except ValueError as problem:
            raise ValueError(of_arguments(str(problem))) from None

    def write_checkpoint(self) -> Path:
        """Write a checkpoint into the folder `out`, for restart=...; return where it is. Collective.

        One that is there of this step is not written again. Raises ValueError without `out`.
        """
        with self._in_steps():
            return Path(self._run.write_checkpoint())

    def close(self) -> None:
        """End it, and give back its memory where no array shows it. Collective.

        Where one does, call it again when that is gone. Of one rank, one that is forgotten is closed; of several,
        only this and the program's end do it.
        """
        self._check_process()
        self._world.close(self._run)
        self._levels = None
        self._called.clear()

    def __enter__(self) -> Simulation:
        _ = self.n_steps  # raises RuntimeError where it is closed
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        # With others it waits for them, who may not have failed.
        if kind is None or self._run.n_ranks == 1:
            self.close()

    def __reduce_ex__(self, protocol: SupportsIndex) -> str:
        raise TypeError("a simulation cannot be copied or pickled; write_checkpoint(), and begin another with restart=")

    def __repr__(self) -> str:
        try:
            where = f"step {self.n_steps}, time {self.time:g}"
        except RuntimeError as problem:
            if "is closed" in str(problem):
                return "Simulation(closed)"
            where = next((words for words in ("failed", "made in another process") if words in str(problem)), "makes steps")
        return f"Simulation({where}, fields {', '.join(self.fields)})"

    def _derived(self, names: list[str]) -> list[str]:
        """Give the derived fields that are asked for by their names or groups, each once."""
        asked = [name for name in names if name not in self.fields]
        if not asked:
            return []
        fields, groups = self._run.derived_fields, self._run.derived_groups
        for name in asked:
            if not name or name not in [*fields, *groups]:
                raise no_field(name, self.fields + fields)
        pairs = list(zip(fields, groups, strict=True))
        return list(dict.fromkeys(field for name in asked for field, group in pairs if name in (field, group)))
