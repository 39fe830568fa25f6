# SPDX-License-Identifier: MIT
"""Ctrl-C while a simulation goes on: KeyboardInterrupt between two steps, whoever runs a function of blocks."""

import os
import signal
import threading

import pytest
import thalweg
from support import DECK, SMALL, hash_of
from thalweg.interrupts import raised_between_steps

LONG = {**SMALL, "mesh.max_level": 1, "time.max_steps": 10**9, "time.end": 1e9}


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


def put_in(sim, kind, call):
    """Give the simulation a function that changes nothing, and calls something first."""

    def function(cells, *dt):
        call(cells)
        return cells["density"] > 1.5 if kind == "tags" else None

    getattr(sim, kind)(function)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", ["tags", "source"])
def test_an_interrupt_in_a_function_of_blocks_is_raised_between_steps_and_the_run_goes_on(tmp_path, kind, threads):
    n_left = [1]

    def once(cells):
        if threading.current_thread() is threading.main_thread() and cells.time > 0 and n_left[0] > 0:
            n_left[0] -= 1
            interrupt()

    sim, unbroken = thalweg.Simulation(DECK, LONG, threads=threads), thalweg.Simulation(DECK, LONG)
    put_in(sim, kind, once)
    put_in(unbroken, kind, lambda cells: None)
    with pytest.raises(KeyboardInterrupt):
        sim.run()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler and sim.n_steps > 0
    n_steps = sim.n_steps + 3
    sim.step(3)
    unbroken.step(n_steps)
    for run, name in ((sim, "mine"), (unbroken, "other")):
        run.write_plotfile(tmp_path / name)
    assert hash_of(tmp_path / "mine") == hash_of(tmp_path / "other")


@pytest.mark.parametrize("first_use", [lambda sim: sim.totals(), lambda sim: sim.step(), lambda sim: sim.dt])
def test_an_interrupt_while_the_mesh_is_built_leaves_it_whole(first_use):
    sim, n_left = thalweg.Simulation(DECK, LONG), [1]

    def once(cells):
        if n_left[0] > 0:
            n_left[0] -= 1
            interrupt()

    put_in(sim, "initial", once)
    with pytest.raises(KeyboardInterrupt):
        first_use(sim)
    sim.step()
    assert sim.n_steps >= 1


class Run:
    """What raised_between_steps knows of a run."""

    def __init__(self):
        self.said = []

    def set_interrupted(self, is_interrupted):
        self.said.append(is_interrupted)


def test_an_interrupt_waits_and_is_not_lost():
    run, went_on = Run(), False
    with pytest.raises(KeyboardInterrupt):
        with raised_between_steps(run):
            interrupt()
            went_on = True
    assert went_on and run.said == [True, False] and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_interrupt_does_not_wait():
    run, went_on = Run(), False
    with pytest.raises(KeyboardInterrupt):
        with raised_between_steps(run):
            interrupt()
            interrupt()
            went_on = True
    assert not went_on and run.said == [True, False]


def test_without_an_interrupt_nothing_is_said():
    run = Run()
    with raised_between_steps(run), raised_between_steps(Run()):
        pass
    with pytest.raises(LookupError):
        with raised_between_steps(run):
            raise LookupError
    assert run.said == [] and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_handlers_of_others_and_other_threads_are_left_alone(monkeypatch):
    seen, run = [], Run()
    before = signal.signal(signal.SIGINT, lambda *_: seen.append("theirs"))
    try:
        with raised_between_steps(run):
            interrupt()
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == ["theirs"] and run.said == []
    thread = threading.Thread(target=lambda: seen.append(raised_between_steps(run).__enter__()))
    thread.start()
    thread.join()
    assert seen[1:] == [None] and signal.getsignal(signal.SIGINT) is signal.default_int_handler
