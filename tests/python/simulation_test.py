# SPDX-License-Identifier: MIT
"""Simulations from Python: the program's bits, decks and errors; views of blocks; functions that are called."""

import gc
import os
import re
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
import thalweg
from support import DECK, N_STEPS, ROOT, SMALL, hash_of, program, python


def small(**how):
    return thalweg.Simulation(DECK, SMALL, **how)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What the program writes: the folder, with plotfiles of the first and the last step."""
    out = tmp_path_factory.mktemp("program") / "out"
    words = [f"{key}={value}" for key, value in SMALL.items()]
    done = program("run", DECK, *words, "--model", "bulk", "--out", out)
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.parametrize("model, threads", [("bulk", 1), ("forkjoin", 2), ("phase", 2), ("dataflow", 1), ("dataflow", 2)])
def test_bits_are_those_of_the_program(results, tmp_path, model, threads):
    with small(model=model, threads=threads, out=tmp_path / "out") as sim:
        assert sim.step(3) == "paused" and sim.n_steps == 3
        middle = sim.time + 4.5 * sim.dt
        assert sim.run(until=middle) == "paused" and sim.time >= middle and not sim.is_over
        assert sim.run() == "finished" and sim.is_over and sim.n_steps == N_STEPS and sim.dt > 0
        sim.write_plotfile(tmp_path / "mine")
    last = f"plt{N_STEPS:05}"
    assert hash_of(tmp_path / "mine") == hash_of(results / last) == hash_of(tmp_path / "out" / last)
    assert hash_of(results / "plt00000") != hash_of(results / last)


def test_a_plotfile_replaces_nothing_unless_forced_and_never_what_is_none(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work/thesis.tex").write_text("mine")
    with small() as sim:
        sim.write_plotfile(tmp_path / "plt")
        before = hash_of(tmp_path / "plt")
        sim.step(2)
        with pytest.raises(ValueError, match="exists .*force=True"):
            sim.write_plotfile(tmp_path / "plt")
        assert hash_of(tmp_path / "plt") == before
        sim.write_plotfile(tmp_path / "plt", force=True)
        assert hash_of(tmp_path / "plt") != before
        with pytest.raises(ValueError, match="is no plotfile"):
            sim.write_plotfile(tmp_path / "work", force=True)
        with pytest.raises(ValueError, match="without a name"):
            sim.write_plotfile("")
        assert (tmp_path / "work/thesis.tex").read_text() == "mine"
        assert sim.step() == "paused"


def test_bits_are_those_of_the_program_on_two_ranks(results, tmp_path):
    done = python(f"""
        sim = thalweg.Simulation(DECK, SMALL, threads=2)
        assert sim.n_ranks == 2
        sim.step(7)
        counts = sim.rank, len(sim.level(0).blocks)
        sim.run()
        sim.write_plotfile({str(tmp_path / "mine")!r})
        print(counts)
        """, ranks=2)
    assert done.returncode == 0, done.stdout + done.stderr
    # In whatever pieces mpirun passes on what two ranks print.
    assert sorted(re.findall(r"\(\d, \d\)", done.stdout)) == ["(0, 8)", "(1, 8)"]
    assert hash_of(tmp_path / "mine") == hash_of(results / f"plt{N_STEPS:05}")


@pytest.mark.parametrize("first", ["MPI", "thalweg"])
def test_mpi_may_be_shared_with_mpi4py(first):
    pytest.importorskip("mpi4py")
    done = python(f"""
        if {first == "MPI"}:
            from mpi4py import MPI
        sim = thalweg.Simulation(DECK, SMALL)
        sim.step()
        from mpi4py import MPI
        assert (sim.rank, sim.n_ranks) == (MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size)
        assert MPI.COMM_WORLD.allreduce(len(sim.level(0).blocks)) == 16
        sim.run()
        """, ranks=2)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_simulation_begins_after_mpi_has_ended():
    pytest.importorskip("mpi4py")
    done = python("""
        from mpi4py import MPI
        MPI.Finalize()
        try:
            thalweg.Simulation(DECK, SMALL).step()
        except ValueError as problem:
            print(problem)
        """)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("MPI has ended in this process") and "leave MPI.Finalize() out" in done.stdout


def test_some_ranks_may_run_one_alone(results, tmp_path):
    pytest.importorskip("mpi4py")
    done = python(f"""
        from mpi4py import MPI
        world = MPI.COMM_WORLD
        both = thalweg.Simulation(DECK, SMALL, communicator=world.Dup())
        half = world.Split(world.rank % 2, -world.rank)  # ranks 2 and 0, in this order; rank 1
        sim = thalweg.Simulation(DECK, SMALL, communicator=half)
        assert (sim.rank, sim.n_ranks) == (half.rank, half.size) and both.n_ranks == 3
        assert half.allreduce(len(sim.level(0).blocks)) == 16
        if world.rank == 1:
            sim.step(3)  # the others need not wait for it
        sim.run()
        both.run()
        sim.write_plotfile({str(tmp_path)!r} + f"/{{world.rank % 2}}")
        try:
            thalweg.Simulation(DECK, SMALL, communicator=MPI.COMM_NULL)
        except ValueError as problem:
            print(problem)
        """, ranks=3)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("the communicator is MPI_COMM_NULL") == 3
    last = hash_of(results / f"plt{N_STEPS:05}")
    assert hash_of(tmp_path / "0") == hash_of(tmp_path / "1") == last


def test_ranks_of_a_communicator_do_not_need_the_others():
    pytest.importorskip("mpi4py")
    done = python("""
        from mpi4py import MPI
        world = MPI.COMM_WORLD
        if world.rank == 0:
            with thalweg.Simulation(DECK, SMALL, communicator=MPI.COMM_SELF) as alone:
                alone.step(2)
                print("alone", alone.n_steps)
        print(thalweg.Simulation(DECK, SMALL).n_ranks)
        """, ranks=2)
    assert done.returncode == 0, done.stdout + done.stderr
    # Lines of two ranks may begin within each other.
    assert sorted("".join(done.stdout.split())) == sorted("alone" + "222")


def test_an_exception_of_some_ranks_ends_all():
    pytest.importorskip("mpi4py")
    done = python("""
        from mpi4py import MPI
        half = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank // 2)
        sim = thalweg.Simulation(DECK, SMALL, communicator=half)
        if MPI.COMM_WORLD.rank == 2:
            raise LookupError("alone")
        sim.run()
        MPI.COMM_WORLD.Barrier()
        """, ranks=3)
    assert done.returncode != 0 and "LookupError: alone" in done.stderr and "rank 2" in done.stderr


def test_the_stub_is_that_of_the_module(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "thalweg._thalweg", "-O", str(tmp_path)],
        capture_output=True, text=True, check=False, env=dict(os.environ),
    )
    assert done.returncode == 0, done.stderr
    kept = ROOT / "python/thalweg/_thalweg.pyi"
    assert (tmp_path / "_thalweg.pyi").read_text() == kept.read_text(), f"write it anew: {' '.join(done.args[:-1])} {kept.parent}"


def test_importing_starts_nothing():
    done = python("""
        import sys
        maps = lambda: open("/proc/self/maps").read()
        assert "libmpi" not in maps() and "thalweg._thalweg" not in sys.modules
        sim = thalweg.Simulation(DECK, SMALL)
        assert "libmpi" in maps()
        """)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "deck", ["hydro/decks/sod", "advection/decks/pulse", "shallow_water/decks/dam_break", "induction/decks/loop", "vlasov/decks/landau_linear"]
)
def test_all_applications_are_there(deck):
    with thalweg.Simulation(ROOT / f"apps/{deck}.toml") as sim:
        before = sim.time
        sim.step()
        assert sim.time > before and sim.n_steps == 1
        assert sim.deck()["application"]["name"] == deck.split("/")[0]
        assert len(sim.fields) >= 1 and all(np.isfinite(list(sim.totals().values())))
        assert sim.level(0).blocks


def test_tiles_of_phase_space_are_blocks_of_x_and_v():
    deck = ROOT / "apps/vlasov/decks/landau_nonlinear.toml"
    with thalweg.Simulation(deck, {"vlasov.cells": [64, 96], "vlasov.tile": [32, 64]}, threads=2) as sim:
        f = sim.level(0).lattice("f")[0]
        x, v = np.meshgrid(*((np.arange(n) for n in f.shape)), indexing="ij")
        dx, dv = sim.level(0).cell_size
        k, v_max = 2 * np.pi / (64 * dx), 48 * dv
        start = np.exp(-0.5 * (v * dv - v_max) ** 2) / np.sqrt(2 * np.pi) * (1 + 0.5 * np.cos(k * x * dx))
        assert np.allclose(f, start, rtol=1e-12, atol=1e-15)

        block = sim.level(0).blocks[0]
        assert np.allclose(block.x.ravel(), dx * np.arange(32), atol=1e-12) and np.allclose(block.y[0, 0], -v_max)
        assert block.shape == (32, 64) and not block["f"].flags.owndata
        sim.step()
        with pytest.raises(RuntimeError, match="ask the simulation for its level again"):
            block["f"]
        level = sim.level(0)
        mass = sum(b["f"].sum() for b in level.blocks) * np.prod(level.cell_size)
        assert np.isclose(mass, sim.totals()["f"], rtol=1e-13)


def test_f_that_lacks_half_a_step_is_not_shown():
    with thalweg.Simulation(ROOT / "apps/vlasov/decks/cold_beams.toml", {"vlasov.cells": [64, 64]}) as sim:
        assert sim.level(0).blocks
        sim.step()
        with pytest.raises(ValueError, match="Strang.*plotfile"):
            sim.levels  # noqa: B018  (that it raises is the point)



def test_blocks_are_seen_where_they_lie(results):
    sim = small()
    block = sim.level(1).blocks[3]
    density = block["density"]
    assert density.shape == block.shape == (16, 16) and density.strides[0] == 8 and not density.flags.writeable
    g = block.n_ghosts
    whole = block.with_ghosts("density")
    assert whole.shape == (16 + 2 * g, 16 + 2 * g) and g > 0
    assert np.shares_memory(density, whole) and np.array_equal(whole[g:-g, g:-g], density)
    pressure_before = sim.level(0).blocks[0]["rho_E"].copy()
    sim.step()
    assert not np.array_equal(sim.level(0).blocks[0]["rho_E"], pressure_before)
    assert density.base is not None and np.array_equal(block["density"], density)

    sim.run()
    plot = thalweg.open(results)
    for number, level in enumerate(plot.levels):
        found = {block.lower: block for block in sim.level(number).blocks}
        assert len(found) == len(level.boxes) and np.array_equal(sim.level(number).cell_size, level.cell_size)
        for box in level.boxes:
            mine = found[tuple(box.lo)]
            for field, values in zip(sim.fields, plot.read(box, sim.fields), strict=True):
                assert np.array_equal(mine[field], values)
    with pytest.raises(KeyError) as refused:
        block["nothing"]
    assert str(refused.value) == "no field 'nothing' (there are density, xmom, ymom, rho_E); give one of these"
    with pytest.raises(IndexError, match="levels 0 to 2"):
        sim.level(3)


def test_blocks_have_the_centres_that_functions_of_blocks_have():
    sim, seen = small(), set()

    @sim.initial
    def look(cells):
        seen.add((cells.level, cells.x.tobytes(), cells.y.tobytes()))

    for level in sim.levels:
        for block in level.blocks:
            assert block.x.shape == (16, 1) and block.y.shape == (1, 16)
            assert (block.level, block.x.tobytes(), block.y.tobytes()) in seen
    last = sim.level(2).blocks[-1]
    assert last.x[0, 0] == (last.lower[0] + 0.5) * sim.level(2).cell_size[0]
    with pytest.raises(AttributeError, match="no axis z"):
        last.z  # noqa: B018  (that it raises is the point)


@pytest.mark.parametrize("dimension, deck", [(1, "sod"), (3, "sedov")])
def test_centres_broadcast_to_blocks_of_any_dimension(dimension, deck):
    with thalweg.Simulation(ROOT / f"apps/hydro/decks/{deck}.toml", {"mesh.max_level": 0}) as sim:
        for block in sim.level(0).blocks[:3]:
            centres = [getattr(block, axis) for axis in "xyz"[:dimension]]
            assert np.broadcast(*centres, block["density"]).shape == block.shape
            for axis, along in enumerate(centres):
                steps = np.diff(along.ravel())
                assert along.shape[axis] == along.size and np.allclose(steps, sim.level(0).cell_size[axis])


def test_a_block_is_refused_when_the_mesh_has_changed():
    sim = small()
    level = sim.level(2)
    block = level.blocks[0]
    density = block["density"]
    assert sim.level(2) is level
    while sim.level(2) is level:
        assert sim.step() != "finished", "the mesh has not changed"
    with pytest.raises(RuntimeError, match="the mesh has changed since.*ask the simulation"):
        block["density"]
    assert np.isfinite(density).all()  # it is readable, whatever it shows
    assert np.isfinite(sim.level(2).blocks[0]["density"]).all()


def test_fields_across_a_level_are_arrays():
    sim = small()
    sim.step(4)
    level = sim.level(0)
    stacked = level["density"]
    assert stacked.shape == (16, 16, 16)
    values, lower = level.lattice("density")
    assert values.shape == (64, 64) and lower == (0, 0) and np.isfinite(values).all()
    cell = np.prod(level.cell_size)
    assert values.sum() * cell == pytest.approx(stacked.sum() * cell) == pytest.approx(sim.totals()["density"], rel=1e-13)
    fine, lower = sim.level(2).lattice("density")
    assert np.isnan(fine).any() == (len(sim.level(2).blocks) * 256 < fine.size)
    assert lower == (0, 0)  # the blast is in the corner


def test_a_lattice_begins_where_its_blocks_do():
    sides = {"boundary.lower": ["outflow", "outflow"], "problem.centre": [0.25, 0.25]}
    sim = thalweg.Simulation(DECK, SMALL | {"mesh.max_level": 1} | sides)
    sim.step()
    level = sim.level(1)
    values, lower = level.lattice("density")
    assert min(lower) > 0 and lower == tuple(np.min([block.lower for block in level.blocks], axis=0))
    for block in level.blocks:
        i, j = np.subtract(block.lower, lower)
        nx, ny = block.shape
        assert np.array_equal(values[i : i + nx, j : j + ny], block["density"])


def test_arrays_outlive_their_simulation():
    sim = small()
    density = sim.level(0).blocks[0]["density"]
    before = density.copy()
    sim.close()
    with pytest.raises(RuntimeError, match="is closed"):
        sim.step()
    del sim
    gc.collect()
    assert np.array_equal(density, before)


def test_a_program_ends_well_with_what_is_open():
    done = python("""
        a, b = thalweg.Simulation(DECK, SMALL), thalweg.Simulation(DECK, SMALL, threads=2)
        a.step(2)
        b.step(2)
        kept = a.level(0).blocks[0]["density"]
        forgotten = thalweg.Simulation(DECK, SMALL)
        forgotten.step()
        del forgotten
        assert np.array_equal(kept, b.level(0).blocks[0]["density"])
        """, ranks=2)
    assert done.returncode == 0, done.stdout + done.stderr


def test_errors_of_decks_are_those_of_the_program(tmp_path):
    wrong = {"mesh.max_levle": 2, "time.cfl": -1, "run.threads": 0}
    done = program("run", DECK, *(f"{key}={value}" for key, value in wrong.items()), "--out", tmp_path / "out")
    with pytest.raises(ValueError) as raised:
        thalweg.Simulation(DECK, wrong)
    assert [f"error: {line}" for line in str(raised.value).splitlines()] == done.stderr.splitlines()
    assert "mesh.max_levle" in done.stderr and done.returncode == 2
    with pytest.raises(ValueError, match=r"none\.toml"):
        thalweg.Simulation("none.toml")
    with pytest.raises(ValueError, match="give the folder as out="):
        thalweg.Simulation(DECK, {"output.folder": "x"})
    with pytest.raises(TypeError, match="no value of a deck"):
        thalweg.Simulation(DECK, {"time.end": None})


def test_values_of_all_kinds_reach_the_deck():
    values = {
        "mesh.upper": np.array([0.75, 0.5]),
        "time.cfl": np.float64(0.1) + 0.2,
        "time.subcycle": False,
        "boundary.lower": ("outflow", "reflecting"),
        "mesh.root_blocks": [6, 4],
        "run.model": "phase",
    }
    deck = thalweg.Simulation(DECK, values).deck()
    assert deck["mesh"]["upper"] == [0.75, 0.5] and deck["time"]["cfl"] == 0.1 + 0.2 and deck["time"]["subcycle"] is False
    assert deck["boundary"]["lower"] == ["outflow", "reflecting"] and deck["run"]["model"] == "phase"


def test_results_are_kept_and_restarted_from(tmp_path, results):
    out = tmp_path / "out"
    first = thalweg.Simulation(DECK, {**SMALL, "checkpoint.interval": 10}, out=out)
    with pytest.raises(ValueError, match="another run|is not empty|cannot be used"):
        small(out=out)
    first.step(20)
    first.close()
    sim = thalweg.Simulation(restart="latest", out=out)
    assert sim.n_steps == 20
    sim.run()
    sim.write_plotfile(tmp_path / "mine")
    assert hash_of(tmp_path / "mine") == hash_of(results / f"plt{N_STEPS:05}")


def test_looking_at_a_simulation_does_not_begin_it(tmp_path):
    sim = small()
    assert (sim.n_steps, sim.time) == (0, 0) and sim.fields[0] == "density" and "step 0" in repr(sim)

    @sim.initial
    def denser(cells):
        cells["density"] *= 2

    assert sim.totals()["density"] > 1.5 * small().totals()["density"]
    out = tmp_path / "out"
    with small(out=out) as run:
        run.step(3)
        path, time = run.write_checkpoint(), run.time
    again = thalweg.Simulation(restart=path)
    assert (again.n_steps, again.time) == (3, time)
    again.source(lambda cells, dt: None)


def test_checkpoints_are_written_when_asked_for(tmp_path, results):
    out = tmp_path / "out"
    with small(out=out) as sim:
        sim.step(7)
        path = sim.write_checkpoint()
        assert path == out / "chk00007" and sim.write_checkpoint() == path
    assert [found.name for found in out.glob("chk*")] == ["chk00007"]
    sim = thalweg.Simulation(restart=path)
    assert sim.n_steps == 7
    sim.run()
    sim.write_plotfile(tmp_path / "mine")
    assert hash_of(tmp_path / "mine") == hash_of(results / f"plt{N_STEPS:05}")
    with pytest.raises(ValueError, match="no folder for results.*out="):
        sim.write_checkpoint()


def test_what_goes_on_in_another_folder_has_a_checkpoint_of_its_start_there(tmp_path):
    with small(out=tmp_path / "a") as sim:
        sim.step(3)
        path = sim.write_checkpoint()
    with thalweg.Simulation(restart=path, out=tmp_path / "b") as other:
        assert other.write_checkpoint() == tmp_path / "b/chk00003"
    with thalweg.Simulation(restart="latest", out=tmp_path / "b") as again:
        assert again.n_steps == 3 and again.write_checkpoint() == tmp_path / "b/chk00003"


def test_functions_are_called_between_steps():
    sim = small()
    seen = []

    @sim.every(4)
    def note(simulation):
        assert simulation is sim
        seen.append((simulation.n_steps, simulation.level(0).blocks[0]["density"].max()))
        with pytest.raises(RuntimeError, match="between two steps"):
            simulation.step()

    sim.step(10)
    sim.every(9)(lambda simulation: seen.append("nine"))
    sim.run()
    assert [s[0] for s in seen if s != "nine"] == [4, 8, 12, 16, 20, 24, 28] and seen.count("nine") == 2
    assert len({s[1] for s in seen if s != "nine"}) > 3  # the cells move
    with pytest.raises(ValueError, match="at least 1"):
        sim.every(0)


def test_a_simulation_that_is_forgotten_is_freed_with_what_it_calls():
    def run():
        sim = small()

        @sim.every(5)
        def look(simulation):
            assert sim is simulation  # the function holds the simulation, and that the function

        sim.step(6)
        return weakref.ref(sim), weakref.ref(sim._run)

    references = run()
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def test_an_exception_in_a_function_is_raised_where_steps_are_made():
    sim = small()

    @sim.every(5)
    def fail(simulation):
        raise LookupError("nothing to see")

    with pytest.raises(LookupError, match="nothing to see") as raised:
        sim.run()
    assert any(entry.name == "fail" for entry in raised.traceback)
    assert sim.n_steps == 5
    sim.step(2)  # the state is whole: it may go on
    assert sim.n_steps == 7


def test_a_mesh_without_room_is_refused():
    with pytest.raises(ValueError, match="MiB"):
        thalweg.Simulation(DECK, {**SMALL, "run.memory_limit_mib": 1}).step()


@pytest.mark.parametrize("rank", [0, 1])
def test_an_exception_in_a_function_ends_all_ranks(rank):
    done = python(f"""
        sim = thalweg.Simulation(DECK, SMALL)
        @sim.every(5)
        def fail(simulation):
            if simulation.rank == {rank}:
                raise LookupError("nothing to see")
            simulation.totals()  # which waits for all ranks
        sim.run()
        """, ranks=2)
    assert done.returncode != 0
    assert f"rank {rank}" in done.stderr and "LookupError: nothing to see" in done.stderr and "in fail" in done.stderr


def test_a_rank_whose_program_fails_ends_all():
    done = python("""
        sim = thalweg.Simulation(DECK, SMALL)
        sim.step()
        if sim.rank == 1:
            raise LookupError("alone")
        sim.run()
        """, ranks=2)
    assert done.returncode != 0 and "LookupError: alone" in done.stderr and "rank 1" in done.stderr


def test_ranks_with_different_words_are_told():
    done = python("""
        import os
        rank = int(os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMI_RANK"])
        thalweg.Simulation(DECK, {**SMALL, "time.cfl": 0.1 * (1 + rank)})
        """, ranks=2)
    assert done.returncode != 0 and "different words" in done.stderr


def test_an_interrupt_stops_between_steps_and_the_run_goes_on(tmp_path):
    long = {**SMALL, "time.max_steps": 10**9, "time.end": 1e9}
    sim, unbroken = thalweg.Simulation(DECK, long), thalweg.Simulation(DECK, long, threads=2)
    under_way = threading.Event()
    sim.every(5)(lambda simulation: under_way.set())

    def interrupt():
        under_way.wait()
        os.kill(os.getpid(), signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        sim.run()
    other.join()
    assert sim.n_steps >= 5
    n = sim.n_steps + 10
    sim.step(10)
    sim.write_plotfile(tmp_path / "mine")
    unbroken.step(n)
    unbroken.write_plotfile(tmp_path / "other")
    assert hash_of(tmp_path / "mine") == hash_of(tmp_path / "other")
