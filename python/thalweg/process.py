# SPDX-License-Identifier: MIT
"""This process as an MPI rank: started by the first simulation, ended with the program."""

from __future__ import annotations

import atexit
import sys
import weakref
from functools import cache
from types import TracebackType

from thalweg import _thalweg


class _World:
    """MPI, and the runs that are open in it."""

    def __init__(self) -> None:
        self._process = _thalweg.Process()
        self.rank = self._process.rank
        self.n_ranks = self._process.n_ranks
        # Of several ranks all give memory back together: so it is not left to whoever forgets a run last.
        self._runs: weakref.WeakSet[_thalweg.Run] | list[_thalweg.Run]
        self._runs = weakref.WeakSet() if self.n_ranks == 1 else []
        atexit.register(self._end)
        if self.n_ranks > 1:
            sys.excepthook = self._end_all_ranks

    def add(self, run: _thalweg.Run) -> None:
        """Keep account of a run."""
        self._runs.add(run) if isinstance(self._runs, weakref.WeakSet) else self._runs.append(run)

    def close(self, run: _thalweg.Run) -> None:
        """End a run, on all ranks together."""
        run.close()
        if isinstance(self._runs, list) and run in self._runs and not run.has_memory:
            self._runs.remove(run)

    def _end(self) -> None:
        for run in list(self._runs):
            run.close()
            if run.has_memory:  # somebody has an array of it
                run.keep_for_good()
        self._process.end()

    def _end_all_ranks(
        self, kind: type[BaseException], problem: BaseException, trace: TracebackType | None
    ) -> None:
        """Let no rank wait for one whose program has ended with an exception."""
        sys.__excepthook__(kind, problem, trace)
        sys.stderr.flush()
        self._process.abort(f"error: rank {self.rank}: the program ended with {kind.__name__}")


@cache
def world() -> _World:
    """Start MPI, unless it is there, and give this process's part of it."""
    return _World()
