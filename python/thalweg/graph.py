# SPDX-License-Identifier: MIT
"""Tasks recorded from Python: what they read and write orders them, and worker threads run them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from thalweg import _thalweg
from thalweg.arguments import MOST, MOST_THREADS, check_function, listed, text, whole, wrong


@dataclass(frozen=True)
class Task:
    """A task of a graph, for `after`."""

    name: str
    number: int
    graph: Graph = field(repr=False)


class Graph:
    """Tasks that are recorded once and run many times. ::

        graph = thalweg.Graph()
        a = graph.task(lambda: print("A"))
        b = graph.task(lambda: print("B"), after=[a])
        c = graph.task(lambda: print("C"), after=[a])
        d = graph.task(lambda: print("D"), after=[b, c])
        graph.run(threads=2)

    Tasks are ordered by the data that they declare, as recorded: of two that use one datum, of which
    one writes it, the first runs first. A datum is any object: strings by their value, all others, as
    NumPy arrays, by identity, a view as the array that it shows, and arrays that share memory as one. The interpreter runs one task at a time, but where it gives its lock
    away, as NumPy does in large operations, others run beside it. Graphs need no MPI.
    """

    def __init__(self) -> None:
        self._graph = _thalweg.TaskGraph()
        self._functions: list[Callable[[], object]] = []
        # Each with the numbers that stand for it, and with itself, so that its identity stays its own.
        self._data: dict[str | int, tuple[list[int], object]] = {}
        # Arrays with memory of their own, and those that show somebody's, with the first of their numbers.
        self._owners: list[tuple[int, np.ndarray]] = []
        self._borrowers: list[tuple[int, np.ndarray]] = []

    def task(
        self,
        f: Callable[[], object],
        *,
        reads: str | Iterable[object] = (),
        writes: str | Iterable[object] = (),
        after: Task | Iterable[Task] = (),
        name: str | None = None,
    ) -> Task:
        """Record a task: a function without arguments, what it reads and writes, and tasks to come before it.

        reads, writes: data; after: tasks. One alone needs no list where it is a string, an array or a task.
        Raises TypeError for what is of another type, and ValueError for tasks of another graph.
        """
        check_function(f)
        of_function = getattr(f, "__name__", type(f).__name__)
        label = of_function if name is None else text("name", name) or of_function
        before = [self._known(task) for task in _listed("after", after, Task, "tasks")]
        some = (_listed("reads", reads, (str, np.ndarray), "data"), _listed("writes", writes, (str, np.ndarray), "data"))
        read, written = ({number: None for x in data for number in self._numbers(x)} for data in some)
        modes = {x: "inout" if x in written else "in" for x in read} | {x: "out" for x in written if x not in read}
        number = self._graph.add(label, list(modes.items()), before)
        self._functions.append(f)
        return Task(label, number, self)

    def run(
        self, n: int = 1, *, threads: int = 1, model: Literal["bulk", "forkjoin", "phase", "dataflow"] = "dataflow"
    ) -> None:
        """Run all tasks n times, on so many threads, this one included.

        In the dataflow model a task runs again when what it uses is free, though others are still at the
        time before. Raises what a task has raised first; tasks that depend on that one have not run.
        """
        n, threads = whole("n", n, MOST), whole("threads", threads, MOST_THREADS)
        if n < 0 or threads < 1:
            raise ValueError(f"n = {n}, threads = {threads} (a graph runs 0 times or more, on 1 thread or more)")
        self._graph.run(self._functions, n, threads, text("model", model))

    def __len__(self) -> int:
        return len(self._functions)

    def _numbers(self, datum: object) -> list[int]:
        """Give the number of a datum, and of an array those of all known before it that share memory with it."""
        # What a view shows is its array's.
        while isinstance(datum, np.ndarray) and isinstance(datum.base, np.ndarray):
            datum = datum.base
        key = datum if isinstance(datum, str) else id(datum)
        if key not in self._data:
            numbers = [len(self._data)]
            if isinstance(datum, np.ndarray):
                numbers += [number for number, other in self._may_share(datum) if np.may_share_memory(datum, other)]
                (self._owners if datum.flags.owndata else self._borrowers).append((numbers[0], datum))
            self._data[key] = (numbers, datum)
        return self._data[key][0]

    def _may_share(self, array: np.ndarray) -> list[tuple[int, np.ndarray]]:
        # Arrays of one memory need have no array in common: np.frombuffer, and blocks of a simulation.
        return self._borrowers if array.flags.owndata else self._owners + self._borrowers

    def _known(self, task: Task) -> int:
        if not isinstance(task, Task):
            raise wrong("a task of after", task, "one that a graph has recorded")
        if task.graph is not self:
            raise ValueError(f"task '{task.name}' is not of this graph; give tasks that it has recorded")
        return task.number


def _listed(name: str, some: Any, one: type | tuple[type, ...], what: str) -> list[Any]:
    """Give what is listed, or what is one alone, as a list."""
    if isinstance(some, one):
        return [some]
    return listed(name, some, f"a list of {what}")
