# SPDX-License-Identifier: MIT
"""Graphs recorded from Python: orders by data and by hand, on any threads and models, exceptions."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest
import thalweg
from support import DECK, SMALL

WAYS = [(model, threads) for model in ("bulk", "forkjoin", "phase", "dataflow") for threads in (1, 2, 3)]


@pytest.mark.parametrize("model, threads", WAYS)
def test_tasks_run_behind_those_they_come_after(model, threads):
    for _ in range(20):  # schedules differ
        said = []
        graph = thalweg.Graph()
        a = graph.task(lambda: said.append("A"), name="A")
        b = graph.task(lambda: said.append("B"), after=[a])
        c = graph.task(lambda: said.append("C"), after=[a])
        graph.task(lambda: said.append("D"), after=[b, c])
        graph.run(threads=threads, model=model)
        assert said[0] == "A" and sorted(said[1:3]) == ["B", "C"] and said[3] == "D"
    assert a.name == "A" and len(graph) == 4


@pytest.mark.parametrize("model, threads", WAYS)
def test_data_order_tasks_and_graphs_run_many_times(model, threads):
    u, v = np.arange(1000.0), np.zeros(1000)

    def smooth():
        v[1:-1] = 0.25 * (u[:-2] + 2 * u[1:-1] + u[2:])

    def back():
        u[:] = v + 1

    graph = thalweg.Graph()
    graph.task(smooth, reads=[u], writes=[v])
    graph.task(back, reads=[v], writes=[u])
    graph.task(lambda: log.append(u.sum()), reads=[u], writes=["log"])
    log = []
    graph.run(5, threads=threads, model=model)
    graph.run(2, threads=threads, model=model)

    w, expected = np.arange(1000.0), []
    for _ in range(7):
        x = np.zeros(1000)
        x[1:-1] = 0.25 * (w[:-2] + 2 * w[1:-1] + w[2:])
        w = x + 1
        expected.append(w.sum())
    assert log == expected and np.array_equal(u, w)


def test_tasks_that_use_what_is_independent_run_on_several_threads():
    both = threading.Barrier(2, timeout=30)  # passes only when two tasks are in it at once
    graph = thalweg.Graph()
    graph.task(lambda: None, writes=["a", "b"])  # two data of one task are two
    graph.task(both.wait, writes=["a"])
    graph.task(both.wait, writes=["b"])
    graph.run(threads=2)


def test_an_exception_in_a_task_is_raised_and_what_depends_on_it_does_not_run():
    said = []

    def fail():
        raise LookupError("nothing to see")

    graph = thalweg.Graph()
    graph.task(fail, writes=["x"])
    graph.task(lambda: said.append("behind"), reads=["x"])
    for threads in (1, 2):
        with pytest.raises(LookupError, match="nothing to see") as raised:
            graph.run(threads=threads)
        assert any(entry.name == "fail" for entry in raised.traceback)
    assert said == []


def test_wrong_requests_are_refused():
    graph, other = thalweg.Graph(), thalweg.Graph()
    with pytest.raises(ValueError, match="not of this graph"):
        graph.task(print, after=[other.task(print)])
    with pytest.raises(ValueError, match="1 thread or more"):
        graph.run(threads=0)
    with pytest.raises(ValueError, match="no model 'flow'"):
        graph.run(model="flow")
    graph.run()  # nothing to do
    for call in (lambda: again.run(), lambda: again.task(print)):
        again = thalweg.Graph()
        again.task(call)
        with pytest.raises(RuntimeError, match="is running"):
            again.run()


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda graph: graph.task(3), r"^3 \(must be a function\)"),
        (lambda graph: graph.task(print, name=3), r"^name = 3 \(must be a string\)"),
        (lambda graph: graph.task(print, name=np.array(["a", "b"])), r"^name = array\(.*\(must be a string\)"),
        (lambda graph: graph.task(print, reads=3), r"^reads = 3 \(must be a list of data\)"),
        (lambda graph: graph.task(print, after=np.array(3)), r"^after = array\(3\) \(must be a list of tasks\)"),
        (lambda graph: graph.task(print, after=3), r"^after = 3 \(must be a list of tasks\)"),
        (lambda graph: graph.task(print, after=[3]), r"^a task of after = 3 \(must be one that a graph has recorded\)"),
        (lambda graph: graph.run(2.5), r"^n = 2.5 \(must be a whole number\)"),
        (lambda graph: graph.run(threads=2.5), "^threads = 2.5 "),
        (lambda graph: graph.run(model=3), "^model = 3 "),
    ],
)
def test_other_types_are_refused_when_they_are_given(call, says):
    graph = thalweg.Graph()
    with pytest.raises(TypeError, match=says):
        call(graph)
    assert len(graph) == 0
    graph.run()


def test_one_datum_or_task_needs_no_list():
    u, said = np.zeros(8), []
    graph = thalweg.Graph()
    first = graph.task(lambda: said.append(1), writes="log")
    graph.task(lambda: said.append(2), reads="log", writes=u)
    graph.task(lambda: said.append(3), reads=[u])
    graph.task(lambda: said.append(0), after=first)
    for _ in range(20):  # schedules differ
        said.clear()
        graph.run(threads=3)
        assert [n for n in said if n] == [1, 2, 3] and said[0] == 1


def test_a_graph_that_is_forgotten_is_freed():
    def forgotten():
        graph = thalweg.Graph()
        graph.task(lambda: graph)  # the function holds the graph, and that the function
        graph.run()
        return weakref.ref(graph)

    reference = forgotten()
    gc.collect()
    assert reference() is None


def test_a_view_is_the_array_that_it_shows():
    u, seen = np.zeros(100), []
    graph = thalweg.Graph()

    def fill():
        time.sleep(0.1)
        u[:] = 1

    graph.task(fill, writes=[u[10:]])
    graph.task(lambda: seen.append(u[:20][5:].sum()), reads=[u[:20][5:]])
    graph.run(threads=2)
    assert seen == [15]


class Datum:
    """What is no array."""


@pytest.mark.parametrize("make", [lambda: np.zeros(8), Datum])
def test_data_that_only_the_graph_knows_live_as_long_as_it(make):
    graph = thalweg.Graph()
    datum = make()
    kept = weakref.ref(datum)
    graph.task(print, writes=[datum])
    del datum
    gc.collect()
    assert kept() is not None  # another object in its place would be taken for it
    del graph
    gc.collect()
    assert kept() is None


def test_a_graph_that_runs_no_times_runs_nothing():
    said, graph = [], thalweg.Graph()
    graph.task(lambda: said.append(1))
    graph.run(0)
    assert said == []
    with pytest.raises(ValueError, match="0 times or more"):
        graph.run(-1)


@pytest.mark.parametrize("kind", ["buffer", "memoryview", "overlap", "later", "block", "owner first", "owner last"])
def test_arrays_that_share_memory_are_one_datum(kind):
    memory = bytearray(64)
    if kind == "block":
        block = thalweg.Simulation(DECK, SMALL).level(0).blocks[0]
        one, other = block["density"], block["density"]
    elif kind == "memoryview":
        one, other = (np.asarray(memoryview(memory)) for _ in range(2))
    elif kind.startswith("owner"):
        owner = np.zeros(8)
        one, other = (owner, np.asarray(memoryview(owner)))[:: 1 if kind == "owner first" else -1]
    elif kind == "buffer":
        one, other = (np.frombuffer(memory) for _ in range(2))
    else:
        one, other = np.frombuffer(memory, count=5), np.frombuffer(memory, count=4, offset=32)
    said = []
    graph = thalweg.Graph()
    if kind == "later":  # known before they are found to be one
        graph.task(lambda: None, reads=one)
    graph.task(lambda: (time.sleep(0.05), said.append("writes")), writes=one)
    graph.task(lambda: said.append("reads"), reads=other)
    graph.task(lambda: said.append("writes again"), writes=one)
    graph.run(threads=3)
    assert said == ["writes", "reads", "writes again"]


@pytest.mark.parametrize("beside_whole", [False, True])
def test_arrays_of_one_buffer_that_share_nothing_are_two_data(beside_whole):
    memory, both = bytearray(64), threading.Barrier(2, timeout=30)
    parts = [np.frombuffer(memory, count=4, offset=offset) for offset in (0, 32)]
    graph = thalweg.Graph()
    if beside_whole:  # which shares memory with both, and is known after one of them
        graph.task(lambda: None, reads=parts[0])
        graph.task(lambda: None, reads=np.frombuffer(memory))
    for part in parts:
        graph.task(both.wait, writes=part)
    graph.run(threads=2)
