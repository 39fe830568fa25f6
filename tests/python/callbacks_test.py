# SPDX-License-Identifier: MIT
"""Functions that are called between steps: what is written where they fail, who may use the simulation meanwhile."""

import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest
import thalweg
from support import DECK, ROOT, SMALL, python

SOD = ROOT / "apps/hydro/decks/sod.toml"


def sod(n_steps=6, **how):
    return thalweg.Simulation(SOD, {"time.max_steps": n_steps, "output.plot_interval": 2, "checkpoint.interval": 2, "checkpoint.keep": 9}, **how)


def test_an_exception_loses_no_results_of_its_step(tmp_path):
    with sod(out=tmp_path / "out") as sim:
        called = []

        @sim.every(2)
        def fail(simulation):
            if simulation.n_steps in (2, 6) and simulation.n_steps not in called:
                called.append(simulation.n_steps)
                raise LookupError("a moment")

        @sim.every(2)
        def after(simulation):
            called.append(("after", simulation.n_steps))

        for n_steps in (2, 6):
            with pytest.raises(LookupError, match="a moment"):
                sim.run()
            assert sim.n_steps == n_steps and (tmp_path / f"out/plt{n_steps:05}/Header").exists()
        assert sim.run() == "finished" and called == [2, ("after", 4), 6]
    for n_steps in (2, 4, 6):
        assert thalweg.open(tmp_path / f"out/plt{n_steps:05}").step == n_steps
        assert (tmp_path / f"out/chk{n_steps:05}/manifest").exists()


def test_other_threads_cannot_use_the_simulation_while_a_function_runs():
    sim, said = thalweg.Simulation(DECK, SMALL, threads=2), []
    expected = thalweg.Simulation(DECK, SMALL)

    def use():
        for what in (sim.totals, sim.step, sim.close, lambda: sim.n_steps, lambda: sim.level(0)):
            with pytest.raises(RuntimeError) as refused:
                what()
            said.append(str(refused.value))

    @sim.every(5)
    def look(simulation):
        other = threading.Thread(target=use)
        other.start()
        other.join()
        simulation.totals()  # which this thread may ask for

    assert sim.run() == expected.run() == "finished"
    assert len(said) == 6 * 5 and all("makes steps" in words for words in said)
    assert sim.totals() == expected.totals()


def test_a_function_may_give_others_which_are_called_from_the_next_step_on():
    sim, seen = sod(), []

    @sim.every(2)
    def first(simulation):
        if not seen:
            for _ in range(40):  # more than there is room for
                simulation.every(1)(lambda now: seen.append(now.n_steps))

    sim.run()
    assert sorted(set(seen)) == [3, 4, 5, 6] and len(seen) == 160


def test_a_function_cannot_close_the_simulation_which_goes_on():
    sim, seen = sod(), []

    @sim.every(2)
    def close(simulation):
        with pytest.raises(RuntimeError, match="makes steps; close it when they are made"):
            simulation.close()
        seen.append(simulation.n_steps)

    assert sim.run() == "finished" and seen == [2, 4, 6]


def test_a_closed_simulation_says_so_and_gives_its_memory_back_later():
    sim = sod()
    density = sim.level(0).blocks[0]["density"]
    sim.close()
    assert repr(sim) == "Simulation(closed)" and sim._run.has_memory and np.isfinite(density).all()
    with pytest.raises(RuntimeError, match="the simulation is closed; make a new one"):
        with sim:
            pass
    del density
    sim.close()
    assert repr(sim) == "Simulation(closed)" and not sim._run.has_memory
    sim.close()


def test_a_simulation_whose_levels_were_looked_at_is_closed_when_it_is_forgotten(tmp_path):
    gc.collect()
    gc.disable()
    try:
        sim = sod(out=tmp_path / "out")
        density, before = sim.level(0).blocks[0]["density"], sim.totals()
        run = weakref.ref(sim._run)
        del sim
        assert run() is not None and np.isfinite(density).all()  # an array keeps it
        del density
        assert run() is None
        assert sod(out=tmp_path / "out", force=True).totals() == before  # the folder is free
    finally:
        gc.enable()


def test_a_simulation_of_another_process_is_refused_and_a_new_one_runs():
    done = python("""
        import os, sys
        sys.excepthook = mine = lambda *problem: None
        sim = thalweg.Simulation(DECK, SMALL, threads=2)
        sim.step()
        child = os.fork()
        if child == 0:
            print(repr(sim), flush=True)
            for what in (sim.step, sim.close, lambda: sim.n_steps):
                try:
                    what()
                except RuntimeError as problem:
                    print(problem, flush=True)
            sim = thalweg.Simulation(DECK, SMALL)  # and the other one is forgotten
            assert sim.step() == "paused" and sys.excepthook is mine
            os._exit(5)  # as processes of multiprocessing end
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5
        sim.step()
        """)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("was made in another process") == 3 and "spawn" in done.stdout
    assert "Simulation(made in another process, fields density" in done.stdout


def test_a_simulation_that_is_closed_lets_its_functions_go():
    class Function:
        def __call__(self, simulation):
            pass

    sim, f = sod(), Function()
    sim.every(2)(f)
    gone = weakref.ref(f)
    del f
    assert gone() is not None
    sim.close()
    gc.collect()
    assert gone() is None


def test_ranks_keep_a_run_that_is_forgotten_until_it_is_closed():
    done = python("""
        import weakref
        sims = [thalweg.Simulation(DECK, SMALL) for _ in range(2)]
        runs = [weakref.ref(sim._run) for sim in sims]
        sims[0].close()
        del sims
        assert [run() is None for run in runs] == [True, False]
        """, ranks=2)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_child_of_a_rank_that_fails_ends_no_rank():
    done = python("""
        import os
        sim = thalweg.Simulation(DECK, SMALL)
        sim.step()
        if sim.rank == 0:
            child = os.fork()
            if child == 0:
                raise LookupError("of the child")
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
        sim.step()
        """, ranks=2)
    assert done.returncode == 0 and "LookupError: of the child" in done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("kind", ["def f(simulation): yield", "async def f(simulation): pass", "async def f(simulation): yield"])
def test_functions_that_do_nothing_when_they_are_called_are_refused(kind):
    names = {}
    exec(kind, names)
    with pytest.raises(TypeError, match="yield or async .*give a plain function"):
        sod().every(2)(names["f"])


def test_a_derived_field_of_a_block_says_where_it_is():
    level = sod().level(0)
    for part in (level, level.blocks[0]):
        with pytest.raises(KeyError) as refused:
            part["pressure"]
        assert "is not in memory" in str(refused.value) and "write_plotfile(path, derived='pressure')" in str(refused.value)
    assert sorted(dict(level.blocks[0])) == sorted(level.keys()) and np.array([level], dtype=object).shape == (1,)


def test_plotfiles_name_the_functions_that_a_run_had(tmp_path):
    deck = {"time.max_steps": 4, "checkpoint.interval": 2}
    with thalweg.Simulation(SOD, deck, out=tmp_path / "out") as sim:
        sim.initial(lambda cells: None)
        sim.tags(lambda cells: np.zeros(cells.shape, bool))
        sim.run()
        sim.write_plotfile(tmp_path / "mine")
    for path in (tmp_path / "out/plt00004", tmp_path / "mine"):
        assert sorted(thalweg.open(path).functions()) == ["initial", "tags"] and thalweg.open(path).deck()["application"]
        with pytest.raises(ValueError, match=r"no exact solution of .* with functions of whole blocks beside the deck \(initial\)"):
            thalweg.errors(path)
    again = thalweg.Simulation(restart=tmp_path / "out/chk00002")
    again.run()
    again.write_plotfile(tmp_path / "again")
    assert thalweg.open(tmp_path / "again").functions() == ["initial"]  # it is still that state
    with sod(4) as plain:
        plain.write_plotfile(tmp_path / "plain")
    assert thalweg.open(tmp_path / "plain").functions() == []


def test_simulations_are_not_copied_and_a_closed_one_takes_no_functions():
    sim = sod()
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="restart="):
            copied(sim)
    sim.close()
    for take in (sim.every(1), sim.initial, sim.tags):
        with pytest.raises(RuntimeError, match="is closed"):
            take(lambda some: None)


LONG = '{"time.max_steps": 10**6, "time.end": 1e6, "time.max_dt": 1e-6}'
USES = {  # of a thread, which the end of the program meets at any point of them
    "steps": f"sim = thalweg.Simulation(DECK, SMALL | {LONG}); use = sim.run",
    "functions of blocks": f"""
        sim = thalweg.Simulation(DECK, SMALL | {LONG}, threads=2)
        sim.source(lambda cells, dt: None)
        sim.tags(lambda cells: cells["density"] > 2)
        use = sim.run""",
    "functions between steps": f"""
        sim = thalweg.Simulation(DECK, SMALL | {LONG})
        sim.every(1)(lambda sim: sim.totals())
        use = sim.run""",
    "tasks": """
        graph = thalweg.Graph()
        for _ in range(8):
            graph.task(lambda: time.sleep(0.001))
        use = lambda: graph.run(10**6, threads=3)""",
    "a simulation that is made": """
        from thalweg import _thalweg
        _thalweg.Run = lambda **how: time.sleep(60)
        world()
        use = lambda: thalweg.Simulation(DECK)""",
    "a proxy application": 'world(); use = lambda: thalweg.run("lulesh", "-s", 40)',
}


@pytest.mark.parametrize("use", USES)
def test_a_program_may_end_while_a_thread_of_it_makes_steps(use):
    done = python(f"""
        import threading, time
        from thalweg.process import world  # starts MPI, which may take longer than what is waited for below
        {USES[use]}
        threading.Thread(target=use, daemon=True).start()
        time.sleep(0.5)
        """)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    if use != "tasks":  # which need no MPI
        assert "join it first" in done.stderr, done.stderr


def test_threads_may_make_their_first_simulations_at_once():
    done = python("""
        from concurrent.futures import ThreadPoolExecutor

        def energy(_):
            with thalweg.Simulation(DECK, SMALL | {"time.max_steps": 1}) as sim:
                sim.run()
                return sim.totals()["rho_E"]

        with ThreadPoolExecutor(4) as pool:
            assert len(set(pool.map(energy, range(8)))) == 1
        """)
    assert done.returncode == 0, done.stderr


def test_a_child_of_fork_does_not_wait_for_a_thread_that_starts_mpi():
    done = python("""
        import faulthandler, os, threading
        from thalweg import process
        thalweg.Simulation
        starts, goes_on = threading.Event(), threading.Event()

        def start():
            with process._one_by_one:
                starts.set()
                goes_on.wait()

        thread = threading.Thread(target=start)
        thread.start()
        starts.wait()
        child = os.fork()
        if child == 0:
            faulthandler.dump_traceback_later(30, exit=True)
            assert thalweg.Simulation(DECK, SMALL).step() == "paused"
            os._exit(5)
        status = os.waitpid(child, 0)[1]
        goes_on.set()
        thread.join()
        assert os.waitstatus_to_exitcode(status) == 5
        """)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_handler_of_a_signal_that_comes_while_mpi_starts_may_make_a_simulation():
    done = python("""
        import faulthandler, signal, time
        thalweg.Simulation  # read before the signal comes
        sims = []
        signal.signal(signal.SIGALRM, lambda number, frame: sims.append(thalweg.Simulation(DECK, SMALL)))
        faulthandler.dump_traceback_later(30, exit=True)
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        sims.append(thalweg.Simulation(DECK, SMALL))
        while len(sims) < 2:
            time.sleep(0.001)
        assert [sim.step() for sim in sims] == ["paused", "paused"] and sims[0]._world is sims[1]._world
        print(len(sims[0]._world._open_runs()))
        """)
    assert (done.returncode, done.stdout) == (0, "2\n"), done.stdout + done.stderr


def test_tiles_of_different_shapes_make_no_array():
    level = thalweg.Simulation(ROOT / "apps/vlasov/decks/landau_linear.toml", {"vlasov.cells": [96, 128], "vlasov.tile": [64, 64]}).level(0)
    with pytest.raises(ValueError, match=r"use lattice\('f'\)"):
        level["f"]
    assert level.lattice("f")[0].shape == (96, 128)
