# SPDX-License-Identifier: MIT
"""This process as an MPI rank: started by the first simulation, ended with the program."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from operator import methodcaller
from threading import RLock
from types import TracebackType
from typing import Any
from weakref import WeakValueDictionary

from thalweg import _thalweg

# For threads that make their first simulations at once: each would start MPI. A handler of a signal may make one in between.
_one_by_one = RLock()
# Nothing in it is Python, so that no handler of a signal comes between the start of MPI and its being known.
_started = cache(methodcaller("Process"))


def _renew_lock() -> None:
    """Let no child of fork wait for a thread that it does not have."""
    global _one_by_one
    _one_by_one = RLock()


os.register_at_fork(after_in_child=_renew_lock)


class _StartedByOthers:
    """This process as a rank where mpi4py has started MPI, and will end it: nothing that all ranks must do together."""

    def __init__(self, mpi: Any) -> None:
        self.rank: int = mpi.COMM_WORLD.Get_rank()
        self.n_ranks: int = mpi.COMM_WORLD.Get_size()
        self._mpi = mpi

    def abort(self, message: str) -> None:
        print(message, file=sys.stderr, flush=True)
        self._mpi.COMM_WORLD.Abort(3)

    def end(self) -> None:
        pass

    def leave(self) -> None:
        pass


def _process() -> _thalweg.Process | _StartedByOthers:
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is not None and mpi.Is_initialized() and not _started.cache_info().currsize:
        return _StartedByOthers(mpi)
    process: _thalweg.Process = _started(_thalweg)
    return process


class _World:
    """MPI, and the runs that are open in it."""

    def __init__(self) -> None:
        self._process = _process()
        self._pid = os.getpid()
        self.rank = self._process.rank
        self.n_ranks = self._process.n_ranks
        self._runs: WeakValueDictionary[int, _thalweg.Run] = WeakValueDictionary()  # in the order in which all ranks made them
        self._number = count()
        # Several ranks give memory back together: it is not left to whoever forgets a run last.
        self._kept: list[_thalweg.Run] = []
        self._uses: set[object] = set()

    def end_with_program(self) -> None:
        """End MPI with the program, in no child of fork, and where a rank fails let none wait for it."""
        atexit.register(self._end)
        os.register_at_fork(after_in_child=self._leave)
        if self.n_ranks > 1:
            sys.excepthook = self._end_all_ranks

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Around what uses MPI, and is no run yet or never will be one: MPI does not end beside it."""
        use = object()
        self._uses.add(use)
        try:
            yield
        finally:
            self._uses.discard(use)

    def add(self, run: _thalweg.Run) -> None:
        """Keep account of a run."""
        self._runs[next(self._number)] = run
        if self.n_ranks > 1:
            self._kept.append(run)

    def close(self, run: _thalweg.Run) -> None:
        """End a run, on all ranks together."""
        run.close()
        if not run.has_memory and run in self._kept:
            self._kept.remove(run)

    def _open_runs(self) -> list[_thalweg.Run]:
        return [run for reference in self._runs.valuerefs() if (run := reference()) is not None]

    def _end(self) -> None:
        is_parent = os.getpid() == self._pid  # whose threads, and whose part of MPI, no child of fork has
        is_busy = bool(self._uses)
        for run in self._open_runs():
            if is_parent:
                try:
                    run.close()
                except RuntimeError:  # another thread makes steps
                    is_busy = True
            if run.has_memory:  # somebody has an array of it
                run.keep_for_good()
        if is_busy:
            print("the program ends while a thread of it runs a simulation or a proxy (what that does is lost); join it first", file=sys.stderr)
            self._process.leave()
        elif is_parent:
            self._process.end()

    def _leave(self) -> None:
        """Give up in a child of fork what needs the threads of its parent, and the parent's part of MPI."""
        for run in self._open_runs():
            if run.has_memory:
                run.keep_for_good()
        self._runs = WeakValueDictionary()
        self._uses = set()
        if sys.excepthook == self._end_all_ranks:
            sys.excepthook = sys.__excepthook__
        self._process.leave()

    def _end_all_ranks(
        self, kind: type[BaseException], problem: BaseException, trace: TracebackType | None
    ) -> None:
        """Let no rank wait for one whose program has ended with an exception."""
        sys.__excepthook__(kind, problem, trace)
        sys.stderr.flush()
        self._process.abort(f"error: rank {self.rank}: the program ended with {kind.__name__}")


_worlds: list[_World] = []  # the first is kept


def world() -> _World:
    """Start MPI, unless it is there, and give this process's part of it. Raises ValueError where MPI has ended."""
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is not None and mpi.Is_finalized():
        raise ValueError("MPI has ended in this process (it cannot start again); leave MPI.Finalize() out: MPI ends with the program")
    with _one_by_one:
        if not _worlds:
            made = _World()
            _worlds.append(made)  # a handler of a signal may have made another one first
            if _worlds[0] is made:
                made.end_with_program()
        return _worlds[0]
