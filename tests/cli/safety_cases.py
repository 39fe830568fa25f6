# SPDX-License-Identifier: MIT
"""Cases of what must not happen: other runs' results replaced, memory eaten, things taken silently, losses without a word."""

from __future__ import annotations

import contextlib
import hashlib
import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from shell import BAD_REQUEST, FAILURE, SOD, STOPPED, SUCCESS, Command, Shell

CHECKPOINTED = ["run", "sod.toml", "time.max_steps=8", "output.plot_interval=2", "checkpoint.interval=4"]
CHECKPOINTED += ["checkpoint.keep=10", "output.series_interval=1"]
LONG = ["run", "sod.toml", "time.end=1e9", "mesh.max_level=0", "checkpoint.interval=0", "run.wall_limit=600"]
LIMIT_S = 120  # a machine may stand still for some seconds
EMPTY = {"empty.toml": ""}
PREDICT = ["predict", "sod.toml", "--machine", "m.toml", "--ranks", "2", "--steps", "2"]
IDEAL = {"m.toml": ""}
MINIAMR = ["miniamr", "--num_refine", "0", "--num_tsteps", "1", "--stages_per_ts", "1", "--report_perf", "0"]

COMMANDS = {
    # Numbers first.
    "cells_taken_for_blocks": Command(
        ["run", "sedov.toml", "mesh.root_blocks=[1024, 1024, 1024]"],
        BAD_REQUEST,
        ["mesh.root_blocks = [1024, 1024, 1024]", "MiB", "blocks, not cells"],
        makes_not=["sedov"],
    ),
    # What a deck says must be in the domain and in cells.
    "blast_without_energy": Command(
        ["run", "sedov.toml", "problem.radius=0.001"],
        BAD_REQUEST,
        ["problem.radius = 0.001 (cells of level 0 are 0.015625 wide", "give 0.003125 at least"],
        makes_not=["sedov"],
    ),
    "blast_outside_the_domain": Command(
        ["run", "sedov.toml", "problem.centre=[5, 0, 0]"], BAD_REQUEST, ["problem.centre = [5, 0, 0] (outside the domain"]
    ),
    "jump_outside_the_domain": Command(
        ["run", "sod.toml", "problem.name=shock_tube", "problem.interface=7"],
        BAD_REQUEST,
        ["problem.interface = 7 (outside the domain, which goes from -0.5 to 0.5 along x"],
    ),
    "sod_outside_the_domain": Command(
        ["run", "sod.toml", "mesh.lower=[0]", "mesh.upper=[1]"], BAD_REQUEST, ["meet at 0 (outside the domain"]
    ),
    "sod_by_its_name_alone": Command(
        ["run", "name.toml", "time.max_steps=1", "time.initial_shrink=0.01"],
        SUCCESS,
        ["density           5.625000000000000e-01"],  # (1 + 0.125) / 2
        files={"name.toml": 'problem.name = "sod"\nmesh.dim = 1\n'},
    ),
    "cells_taken_for_blocks_in_a_dry_run": Command(
        ["run", "sedov.toml", "mesh.root_blocks=[512, 512, 512]", "--dry-run"], BAD_REQUEST, ["mesh.root_blocks"]
    ),
    "cells_taken_for_blocks_in_a_graph": Command(
        ["graph", "sedov.toml", "mesh.root_blocks=[512, 512, 512]", "--ranks", "4"], BAD_REQUEST, ["mesh.root_blocks"]
    ),
    "too_many_steps_in_one": Command(
        ["run", "sedov.toml", "mesh.max_level=20"], BAD_REQUEST, ["mesh.max_level = 20", "1048576", "time.subcycle"]
    ),
    "room_for_too_long_a_trace": Command(
        [*SOD, "trace.steps=[1,2]", "trace.max_events=1000000000"], BAD_REQUEST, ["trace.max_events", "MiB"]
    ),
    # A deck names its problem.
    "empty_deck": Command(
        ["run", "empty.toml"], BAD_REQUEST, ["problem.name is missing", "sedov"], files=EMPTY, makes_not=["out"]
    ),
    "empty_deck_of_the_only_application": Command(
        ["vlasov", "empty.toml"], BAD_REQUEST, ["empty.toml: there is nothing in it", "application.name"], files=EMPTY, makes_not=["out"]
    ),
    "problem_brings_its_sides": Command(
        ["run", "empty.toml", "problem.name=sedov", "--dry-run"],
        SUCCESS,
        ['lower = ["reflecting", "reflecting", "reflecting"]', 'upper = ["outflow", "outflow", "outflow"]'],
        files=EMPTY,
    ),
    "params_of_a_problem_with_its_sides": Command(
        ["params", "hydro", "sedov"], SUCCESS, ['boundary.lower = ["reflecting", "reflecting", "reflecting"]']
    ),
    # Nothing is taken silently.
    "box_that_is_empty": Command([*SOD, "regrid.criteria=['box']"], BAD_REQUEST, ["regrid.box_lower", "axis 0"]),
    "box_inside_out": Command(
        [*SOD, "regrid.criteria=['box']", "regrid.box_lower=[0.2]", "regrid.box_upper=[0.1]"], BAD_REQUEST, ["from 0.2 to 0.1"]
    ),
    "box_outside": Command(
        [*SOD, "regrid.criteria=['box']", "regrid.box_lower=[7]", "regrid.box_upper=[8]"], BAD_REQUEST, ["from 7 to 8"]
    ),
    "scalars_of_a_gas_without": Command([*SOD, "output.derived=['scalars']"], BAD_REQUEST, ["output.derived", "hydro.scalars = 0"]),
    "override_that_is_a_table": Command([*SOD, "problem.gamma={a=1.6}"], BAD_REQUEST, ["must be a number, such as"]),
    "folder_whose_name_is_no_text": Command([*SOD, "--out", "caf\udce9"], BAD_REQUEST, ["output.folder", "not UTF-8"]),
    "trace_into_no_folder": Command(
        ["hpccg", "4", "4", "4", "--trace", "none/t"], BAD_REQUEST, ["--trace none/t", "its folder does not exist"]
    ),
    "two_results_in_one_file": Command(
        [*PREDICT, "-o", "./p.json", "--timeline", "p.json"], BAD_REQUEST, ["named twice"], files=IDEAL, makes_not=["p.json"]
    ),
    "prediction_into_no_folder": Command([*PREDICT, "-o", "none/p.json"], BAD_REQUEST, ["no folder 'none/'"], files=IDEAL),
    "change_that_is_beyond_all_machines": Command(
        [*PREDICT, "--what-if", "kernels.advance=1e15x"], BAD_REQUEST, ["up to 1000"], files=IDEAL
    ),
    "messages_that_never_arrive": Command(
        PREDICT, BAD_REQUEST, ["passes 11 days"], files={"m.toml": "[network]\nbandwidth_gb_s = 1e-300\n"}
    ),
    "trace_beyond_the_end": Command([*SOD, "trace.steps=[9,10]"], SUCCESS, ["no trace", "steps, 1 to 2", "[9, 10]"]),
    "interface_without_waves": Command(
        ["run", "rayleigh_taylor.toml", "problem.n_waves=[0, 1]"], BAD_REQUEST, ["problem.n_waves", "nothing would grow"]
    ),
    "interface_outside_of_the_domain": Command(
        ["run", "rayleigh_taylor.toml", "mesh.lower=[0.0, 0.5]"], BAD_REQUEST, ["along the last axis", "interface"]
    ),
    "shock_of_another_gas": Command(["run", "double_mach.toml", "problem.gamma=1.6"], BAD_REQUEST, ["for 1.4 alone"]),
    "pressure_that_drowns": Command(["run", "blast.toml", "problem.pressure=1e-30"], BAD_REQUEST, ["problem.pressure", "slower frame"]),
    "infinite_gamma": Command([*SOD, "problem.gamma=inf"], BAD_REQUEST, ["problem.gamma = inf", "(1, inf)"]),
    "number_beyond_doubles": Command([*SOD, "time.end=1e400"], BAD_REQUEST, ["time.end"]),
    "infinite_corner": Command([*SOD, "mesh.upper=[inf]"], BAD_REQUEST, ["mesh.upper", "must be a finite number)"]),
    "domain_too_large": Command([*SOD, "mesh.lower=[-1e308]", "mesh.upper=[1e308]"], BAD_REQUEST, ["along x", "1e+308"]),
    "domain_whose_volume_overflows": Command([*SOD, "mesh.upper=[1e308]"], BAD_REQUEST, ["along x", "1e+308", "unit of length"]),
    "domain_too_far_away": Command([*SOD, "mesh.lower=[1e15]", "mesh.upper=[1000000000000001]"], BAD_REQUEST, ["along x", "told apart"]),
    "object_that_bounces_in_no_way": Command(
        ["miniamr", "--num_objects", "1", "--object", "2", "3", *["0.1"] * 12], BAD_REQUEST, ["bounces as 3", "2: its edge"]
    ),
    "many_wrong_keys": Command(
        ["run", "wrong.toml"],
        BAD_REQUEST,
        ["wrong.toml:2: unknown key", "and 19981 more"],
        files={"wrong.toml": "[mesh]\n" + "".join(f"k{n} = 1\n" for n in range(19999)) + 'end = "x"\n'},
    ),
    "date_for_a_number": Command([*SOD, "time.end=1979-05-27"], BAD_REQUEST, ["time.end = a date"]),
    "advice_that_is_taken": Command(
        ["run", "gresho.toml", "time.cfl=0.8"], BAD_REQUEST, ["hydro.scheme = 'ctu' with hydro.reconstruction = 'ppm'"]
    ),
    "hash_of_garbage": Command(["hash", "plt"], BAD_REQUEST, ["\\x1b"], files={"plt/Header": "\x1b[31m" + 1000 * "\x01"}),
    "threads_of_bulk": Command([*SOD, "--model", "bulk", "--threads", "2"], SUCCESS, ["run.threads = 2 has no effect", "bulk"]),
    "threads_of_bulk_in_a_proxy": Command(
        [*MINIAMR, "--model", "bulk", "--threads", "2"], SUCCESS, ["--threads 2 has no effect", "bulk"]
    ),
    "more_threads_than_cores": Command([*SOD, "--threads", "300"], SUCCESS, ["run.threads = 300 on ", "processors"]),
    "fraction": Command([*SOD, "problem.gamma=5/3", "--dry-run"], SUCCESS, ["gamma = 1.6666666666666667"]),
    "settings_as_people_type_them": Command(
        ["run", "sod.toml", "time.cfl", "=", "0.3", "problem.gamma", "=5/3", "hydro.scheme=", "rk2", "--dry-run"],
        SUCCESS,
        ["cfl = 0.3", "gamma = 1.6666666666666667", 'scheme = "rk2"'],
    ),
    "version_says_how_it_was_built": Command(["--version"], SUCCESS, ["commit ", "GNU "]),
    # Files of others.
    "key_of_another_application_with_a_word_for_a_value": Command(
        ["run", "vlasov.toml", "hydro.scheme=ctu"],
        BAD_REQUEST,
        ["unknown key 'hydro.scheme'", 'application.name = "hydro"'],
        files={"vlasov.toml": 'application.name = "vlasov"\n'},
    ),
    "list_whose_quotes_a_shell_took": Command([*SOD, "output.derived=[scalars]"], BAD_REQUEST, ["output.derived", "hydro.scalars = 0"]),
    "graph_without_a_name": Command(
        ["graph", "sod.toml", "--ranks", "1", "-o", ""], BAD_REQUEST, ["--out '' (no value)", "give one"], makes_not=[".tmp"]
    ),
    "graph_over_a_file": Command(
        ["graph", "sod.toml", "--ranks", "1", "-o", "mine"], BAD_REQUEST, ["'mine'", "--force"], files={"mine": "keep"}
    ),
    "graph_over_a_folder": Command(
        ["graph", "sod.toml", "--ranks", "1", "-o", "mine", "--force"],
        BAD_REQUEST,
        ["'mine' is a folder", "-o"],
        files={"mine/a": "keep"},
        makes_not=["mine.tmp"],
    ),
    "trace_of_a_proxy_over_a_file": Command(
        ["hpccg", "4", "4", "4", "--trace", "mine"], BAD_REQUEST, ["--trace mine", "exists"], ranks=2, files={"mine": "keep"}
    ),
    "trace_of_a_proxy_into_no_folder": Command(["hpccg", "4", "4", "4", "--trace", "none/t"], BAD_REQUEST, ["--trace none/t", "folder"]),
    "reports_of_miniamr_over_others": Command(
        [*MINIAMR[:-1], "3", "--npx", "2"], BAD_REQUEST, ["'results.yaml' exists", "--force"], ranks=2, files={"results.yaml": "keep"}
    ),
    "plots_of_miniamr_over_others": Command(
        [*MINIAMR, "--plot_freq", "1"], BAD_REQUEST, ["'plot.7' exists", "--force"], files={"plot.7": "keep"}
    ),
    "miniamr_beyond_the_memory": Command(
        ["miniamr", "--nx", "1024", "--ny", "1024", "--nz", "1024", "--init_x", "8", "--num_vars", "1000"],
        BAD_REQUEST,
        ["8 x 1 x 1 root blocks per rank of 1024 x 1024 x 1024 cells with --num_vars 1000 (need ", "take fewer or smaller blocks"],
    ),
    "task_bench_beyond_the_memory": Command(
        ["taskbench", "-output", "1073741824", "-width", "1000000"], BAD_REQUEST, ["-width 1000000", "a rank needs 4000000.0 GiB"]
    ),
    "checkpoint_of_lulesh_over_a_file": Command(
        ["lulesh", "-s", "4", "-i", "2", "--checkpoint", "mine"],
        BAD_REQUEST,
        ["--checkpoint mine", "exists"],
        files={"mine": "keep"},
    ),
    "vtk_files_of_lulesh_over_others": Command(
        ["lulesh", "-s", "4", "-i", "2", "-v", "--out", "a"],
        BAD_REQUEST,
        ["'a/lulesh_00002.pvtu' exists", "--out"],
        files={"a/lulesh_00002.pvtu": "keep"},
    ),
    "plotfiles_of_miniamr_over_others": Command(
        [*MINIAMR, "--plotfile_freq", "1"], BAD_REQUEST, ["plt00000", "--force"], files={"plt00000/Header": "keep"}
    ),
    "plotfiles_of_miniamr_elsewhere": Command(
        [*MINIAMR, "--plotfile_freq", "1", "--out", "b"], SUCCESS, [], files={"plt00000/Header": "keep"}, makes=["b/plt00001/Header"]
    ),
}


def digest(folder: Path) -> dict[str, str]:
    """What is in a folder, to the byte."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def restart_writes_where_its_checkpoint_lies(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "--out", "orig")
    shutil.copytree(shell.folder / "orig", shell.folder / "copy")
    before = digest(shell.folder / "orig")
    shell.succeed("run", "--restart", "copy/chk00008", "time.max_steps=20", "time.cfl=0.1")
    assert digest(shell.folder / "orig") == before
    assert (shell.folder / "copy/plt00020/Header").exists()


def restart_into_another_runs_folder_is_refused(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "--out", "a")
    shell.succeed(*CHECKPOINTED, "time.cfl=0.2", "--out", "b")
    before = digest(shell.folder / "b")
    go_on = ["run", "--restart", "a/chk00008", "time.max_steps=10"]
    code, said = shell.run([*go_on, "--out", "b"])
    assert code == BAD_REQUEST and "'b'" in said and "--force" in said, said
    # Nor does a checkpoint that somebody has put there make the folder its run's.
    shutil.copytree(shell.folder / "a/chk00008", shell.folder / "b/chk00010")
    code, said = shell.run(["run", "--restart", "b/chk00010", "time.max_steps=10"], ranks=2)
    assert code == BAD_REQUEST and "'b/chk00004' belongs to another run" in said, said
    shutil.rmtree(shell.folder / "b/chk00010")
    assert digest(shell.folder / "b") == before
    shell.succeed(*go_on, "--out", "b", "--force")
    assert sorted(path.name for path in (shell.folder / "b").glob("plt*")) == ["plt00010"]


def a_series_or_a_plotfile_of_another_run_stays(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "--out", "a")
    shell.succeed(*CHECKPOINTED, "time.cfl=0.2", "--out", "b")
    shutil.copytree(shell.folder / "a/chk00008", shell.folder / "c/chk00008")
    shutil.copy(shell.folder / "b/series.csv", shell.folder / "c")
    before = digest(shell.folder / "c")
    for ranks in [0, 2]:
        code, said = shell.run(["run", "--restart", "c/chk00008", "time.max_steps=10"], ranks=ranks)
        assert code == BAD_REQUEST and "'c/series.csv' belongs to another run" in said and "after step 8" in said, said
    assert digest(shell.folder / "c") == before
    shutil.copy(shell.folder / "a/series.csv", shell.folder / "c")  # as who moves a run does
    (shell.folder / "c/plt00010").mkdir()
    (shell.folder / "c/plt00010/Header").write_text("of another program")
    code, said = shell.run(["run", "--restart", "c/chk00008", "time.max_steps=10"])
    assert code == BAD_REQUEST and "'c/plt00010' belongs to another run" in said, said
    shutil.rmtree(shell.folder / "c/plt00010")
    shell.succeed("run", "--restart", "c/chk00008", "time.max_steps=10")


def runs_have_identities(shell: Shell) -> None:
    def identity(text: str) -> str:
        return next(line.split('"')[1] for line in text.splitlines() if line.startswith("identity = "))

    def of(path: str) -> str:
        return identity((shell.folder / path).read_text(errors="replace"))

    shell.succeed(*CHECKPOINTED, "--out", "a", ranks=2)
    assert len(of("a/plt00000/deck.toml")) == 16
    assert of("a/plt00000/deck.toml") == of("a/chk00004/manifest")
    shell.succeed("run", "a/plt00008/deck.toml", "--out", "b")
    assert of("b/plt00000/deck.toml") != of("a/plt00000/deck.toml")
    shell.succeed("run", "--restart", "a/chk00008", "time.max_steps=10")
    assert of("a/plt00010/deck.toml") == of("a/plt00000/deck.toml")
    shell.succeed("run", "--restart", "a/chk00008", "time.max_steps=10", "--out", "c")
    assert of("c/plt00010/deck.toml") != of("a/plt00000/deck.toml")


@contextlib.contextmanager
def started(shell: Shell, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A run in the background, which ends with this; what it says goes to the file `said`."""
    with open(shell.folder / "said", "w") as said:
        process = subprocess.Popen([shell.program, *arguments], cwd=shell.folder, stdout=said, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(folder: Path, pattern: str) -> None:
    end = time.monotonic() + LIMIT_S
    while not list(folder.glob(pattern)):
        assert time.monotonic() < end, pattern
        time.sleep(0.01)


def a_folder_is_locked_while_it_is_written(shell: Shell) -> None:
    with started(shell, *LONG, "--out", "a") as process:
        wait_for(shell.folder, "a/plt00000/Header")
        for more in [["--force"], []]:
            code, said = shell.run([*SOD, "--out", "a", *more])
            assert code == BAD_REQUEST and "'a'" in said, said
        assert (shell.folder / "a/plt00000/Header").exists()
        os.kill(process.pid, signal.SIGUSR2)
        wait_for(shell.folder, "a/chk*/manifest")
        code, said = shell.run(["run", "--restart", "latest", "--out", "a"])
        assert code == BAD_REQUEST and f"process {process.pid}" in said, said
    shell.succeed(*SOD, "--out", "a", "--force")
    assert sorted(path.name for path in (shell.folder / "a").iterdir()) == ["plt00000", "plt00002"]


def processor_time() -> float:
    """Of all processes that this one has waited for [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def deep_meshes_are_refused_at_once(shell: Shell) -> None:
    """What follows from tags is sampled: else memory would be full first, after a minute or more."""
    for words in [
        ["mesh.max_level=12"],
        ["mesh.max_level=16", "--dry-run"],
        ["mesh.max_level=20", "time.subcycle=false"],
        ["mesh.max_level=14", "mesh.mode=leaf", "--dry-run"],
    ]:
        before = processor_time()
        code, said = shell.run(["run", "sedov.toml", *words])
        took = processor_time() - before
        assert code == BAD_REQUEST and words[0].replace("=", " = ") in said and "blocks" in said, said
        assert took < 10, took  # a second, where nobody else computes
    assert not (shell.folder / "sedov").exists()


def run_with_limit(shell: Shell, words: list[str], limit: int, n_bytes: int, timeout: float | None = None) -> tuple[int, str]:
    """A command on one rank that may take so much memory: its exit code and what it says."""
    done = subprocess.run(
        [shell.program, *words],
        cwd=shell.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        preexec_fn=lambda: resource.setrlimit(limit, (n_bytes, n_bytes)),
    )
    print(done.stdout)
    return done.returncode, done.stdout


def a_mesh_that_does_not_fit_replaces_nothing(shell: Shell) -> None:
    """Though what is too much for it is found only when it is built."""
    shell.succeed("run", "sod.toml", "time.max_steps=1", "output.plot_interval=1", "--out", "old")
    before = digest(shell.folder / "old")
    too_much = ["run", "sedov.toml", "run.memory_limit_mib=14", "time.max_steps=1", "--quiet", "--out"]
    for ranks, out in [(1, "old"), (2, "old"), (1, "new/out"), (2, "new/out")]:
        code, said = shell.run([*too_much, out, *(["--force"] if out == "old" else [])], ranks)
        assert code == BAD_REQUEST and "the mesh would take" in said
        assert digest(shell.folder / "old") == before
        assert not (shell.folder / "new").exists()


def graphs_that_do_not_fit_are_not_made(shell: Shell) -> None:
    """The graph of a step takes far more than the mesh of many levels, and is foreseen."""
    deep = ["run", "sedov_2d.toml", "mesh.max_level=11", "mesh.root_blocks=[2, 2]"]

    def limited(words: list[str]) -> tuple[int, str]:
        return run_with_limit(shell, words, resource.RLIMIT_DATA, 1 << 30)

    code, said = limited([*deep, "run.memory_limit_mib=1500"])
    assert code == BAD_REQUEST and "the mesh would take" in said and "run.memory_limit_mib" in said, said
    assert not list((shell.folder / "sedov_2d").glob("*"))
    code, said = limited([*deep, "--dry-run"])
    assert code == SUCCESS and "the rest is plans, graphs and messages" in said and " steps (dt = " in said, said


def no_room_for_openblas_is_told(shell: Shell) -> None:
    """It asks for its memory again for ever where there is none."""
    for kib in [200_000, 300_000]:
        code, said = run_with_limit(shell, ["cholesky", "--n", "512"], resource.RLIMIT_AS, kib * 1024, timeout=LIMIT_S)
        assert code == FAILURE and "no room for OpenBLAS" in said and "MiB" in said, said


def restart_with_other_levels_has_the_same_bits_on_any_ranks(shell: Shell) -> None:
    def levels(folder: str) -> int:
        return len(list((shell.folder / folder).glob("Level_*")))

    shell.succeed("run", "sedov_2d.toml", "time.max_steps=4", "mesh.max_level=2", "checkpoint.interval=4", "--out", "a")
    for finest in [1, 3]:
        hashes = set()
        for ranks, options in [(1, []), (3, ["--threads", "2"]), (2, ["--model", "bulk"])]:
            out = f"{finest}on{ranks}"
            go_on = ["run", "--restart", "a/chk00004", "time.max_steps=8", f"mesh.max_level={finest}", *options]
            said = shell.succeed(*go_on, "--out", out, ranks=ranks)
            assert ("are left out" in said) == (finest == 1), said
            assert levels(f"{out}/plt00008") == finest + 1
            hashes.add(shell.succeed("hash", f"{out}/plt00008"))
        assert len(hashes) == 1, hashes
    code, said = shell.run(["run", "--restart", "a/chk00004", "mesh.max_level=3", "regrid.interval=0"])
    assert code == BAD_REQUEST and "regrid.interval = 0" in said, said


def dry_run_of_a_restart_counts_what_is_left(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "--out", "a")
    said = shell.succeed("run", "--restart", "a/chk00008", "time.max_steps=20", "--dry-run", ranks=2)
    assert "from step 8 on" in said and "the run has 12 steps (all were tried)" in said, said


def restart_does_not_go_back(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "--out", "a")
    code, said = shell.run(["run", "--restart", "a/chk00008", "time.end=1e-5"])
    assert code == BAD_REQUEST and "time.end = 1e-05" in said and "is at t = " in said, said
    code, said = shell.run(["run", "--restart", "a/chk00008", "time.max_steps=4"])
    assert code == BAD_REQUEST and "time.max_steps = 4" in said and "step 8" in said, said


def keys_without_effect_are_told_of(shell: Shell) -> None:
    words = ["run", "sod.toml", "time.max_steps=1", "hydro.viscosity=0.2", "regrid.box_lower=[0.1]"]
    for more in (["--dry-run"], ["--out", "a"]):
        said = shell.succeed(*words, *more, ranks=2)
        assert said.count("hydro.viscosity = 0.2 has no effect: it is used with hydro.scheme = \"ctu\"") == 1, said
        assert said.count("regrid.box_lower = [0.1] has no effect") == 1, said


def replacing_keeps_what_only_has_a_name_of_results(shell: Shell) -> None:
    shell.succeed("run", "sod.toml", "time.max_steps=2", "--out", "a")
    (shell.folder / "a/plt00077").mkdir()
    (shell.folder / "a/plt00077/notes").write_text("mine")
    code, said = shell.run(["run", "sod.toml", "time.max_steps=2", "--out", "a", "--force"])
    assert code == BAD_REQUEST and "a/plt00077' is no plotfile" in said, said
    assert (shell.folder / "a/plt00077/notes").read_text() == "mine"


def restart_by_a_link_or_from_within_goes_on_in_the_folder_of_the_run(shell: Shell) -> None:
    shell.succeed("run", "sod.toml", "time.max_steps=2", "checkpoint.interval=2", "--out", "out")
    (shell.folder / "link").symlink_to("out/chk00002")
    shell.succeed("run", "--restart", "link", "time.max_steps=3")
    inside = Shell(shell.program, shell.mpiexec, shell.folder / "out" / "chk00002")
    inside.succeed("run", "--restart", ".", "time.max_steps=4")
    # One that was moved away, with a link in its place, is where it was.
    (shell.folder / "archive").mkdir()
    (shell.folder / "out" / "chk00004").rename(shell.folder / "archive" / "chk00004")
    (shell.folder / "out" / "chk00004").symlink_to("../archive/chk00004")
    shell.succeed("run", "--restart", "latest", "--out", "out", "time.max_steps=5", "checkpoint.interval=0")
    made = {path.name for path in (shell.folder / "out").glob("plt*")}
    assert made == {"plt00000", "plt00002", "plt00003.superseded", "plt00004", "plt00005"}, made
    assert not list(inside.folder.glob("plt*")) and not list(shell.folder.glob("plt*"))


def pipes_are_neither_read_nor_replaced(shell: Shell) -> None:
    (shell.folder / "m.toml").write_text("")
    os.mkfifo(shell.folder / "pipe")
    for words in [["run", "pipe"], [*PREDICT, "-o", "pipe", "--force"]]:
        code, said = shell.run(words)
        assert code == BAD_REQUEST and "'pipe'" in said and "a pipe or a device" in said, said
    assert (shell.folder / "pipe").is_fifo()


def miniamr_counts_no_time_before_its_start(shell: Shell) -> None:
    said = shell.succeed("miniamr", "--num_tsteps", "1", "--stages_per_ts", "1", "--report_perf", "4")
    line = next(line for line in said.splitlines() if "communicate block 2" in line)
    assert all(float(word) < 60 for word in line.split() if word.replace(".", "").isdigit()), line


def ranks_with_different_words_are_refused(shell: Shell) -> None:
    one = ["-n", "1", shell.program]
    for other in [[*SOD, "time.cfl=0.1"], ["run", "none.toml"], MINIAMR, ["run", "--modle"], ["calibrate"], ["taskbench", "-steps", "4"]]:
        done = subprocess.run(
            [shell.mpiexec, *one, *SOD, ":", *one, *other], cwd=shell.folder, capture_output=True, text=True, timeout=LIMIT_S
        )
        assert done.returncode == BAD_REQUEST, (other, done)
        assert done.stderr.count("different words") == 1, done.stderr
    assert not (shell.folder / "sod").exists()


def a_command_without_ranks_beside_a_run_is_told_of(shell: Shell) -> None:
    """MPI_Init waits for a process that never comes, which nobody but the user can end.

    Where it is called before that process ends, Open MPI ends the run.
    """
    one = ["-n", "1", shell.program]
    late = ["-n", "1", "sh", "-c", 'sleep 1; exec "$@"', "sh", shell.program]
    with open(shell.folder / "said", "w") as said:
        process = subprocess.Popen(
            [shell.mpiexec, *one, "params", ":", *late, *SOD], cwd=shell.folder, stdout=said, stderr=said, start_new_session=True
        )
    try:
        end = time.monotonic() + LIMIT_S
        while "one command on all ranks" not in (shell.folder / "said").read_text():
            if process.poll() is not None:  # it came late on a busy machine
                assert "exiting improperly" in (shell.folder / "said").read_text(), process.returncode
                break
            assert time.monotonic() < end
            time.sleep(0.1)
    finally:
        for number in [signal.SIGTERM, signal.SIGKILL]:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(LIMIT_S / 4)
    print((shell.folder / "said").read_text())


def what_is_asked_to_end_leaves_a_checkpoint(shell: Shell) -> None:
    for wanted in [signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGTERM]:
        folder = shell.folder / wanted.name
        with started(shell, *LONG, "--out", wanted.name) as process:
            wait_for(folder, "plt00000/Header")
            os.kill(process.pid, wanted)
            said = (shell.folder / "said").read_text() if process.wait(timeout=LIMIT_S) == STOPPED else ""
        assert "stopped after step" in said, (wanted, process.returncode)
        assert len(list(folder.glob("chk*/manifest"))) == 1


def a_reader_who_goes_away_does_not_end_a_run(shell: Shell) -> None:
    run = " ".join([shell.program, *SOD, "time.max_steps=200", "mesh.max_level=0"])
    done = subprocess.run(f"{run}; echo $? > code", shell=True, cwd=shell.folder, stdout=closed_pipe())
    assert done.returncode == 0
    assert (shell.folder / "code").read_text().strip() == "0"
    assert len(list((shell.folder / "sod").glob("plt*/Header"))) == 2


def closed_pipe() -> int:
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def what_is_printed_to_a_full_disk_is_an_error(shell: Shell) -> None:
    shell.succeed(*SOD)
    proxies = [["hpccg", "4", "4", "4"], ["taskbench", "-width", "2"], ["miniamr", "--help"], ["doctor", "--help"]]
    for command in [["hash", "sod/plt00000"], [*SOD, "--dry-run"], ["params"], ["--help"], *proxies]:
        with open("/dev/full", "w") as full:
            done = subprocess.run([shell.program, *command], cwd=shell.folder, stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == FAILURE, (command, done.returncode)
        assert "error: " in done.stderr, command


def a_run_whose_log_is_lost_says_so(shell: Shell) -> None:
    """Its results are whole: it has succeeded."""
    with open("/dev/full", "w") as full:
        for out in [full, closed_pipe()]:
            done = subprocess.run([shell.program, *SOD, "--force"], cwd=shell.folder, stdout=out, stderr=subprocess.PIPE, text=True)
            assert done.returncode == SUCCESS, done
            assert ("warning: standard output" in done.stderr) == (out is full), done.stderr
            assert (shell.folder / "sod/plt00002/Header").exists()
        hot = ["run", "sod.toml", "problem.name=sedov", "problem.energy=1e300", "mesh.max_level=0", "--out", "failed"]
        done = subprocess.run([shell.program, *hot], cwd=shell.folder, stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == FAILURE and "warning: standard output" in done.stderr, done


def a_folder_that_another_rank_may_have_taken_is_told_of(shell: Shell) -> None:
    """Each of two ranks is alone, as another MPI has started them."""
    shell.succeed(*SOD)
    two = {**os.environ, "PMI_RANK": "1", "PMI_SIZE": "2"}
    done = subprocess.run([shell.program, *SOD], cwd=shell.folder, env=two, stderr=subprocess.PIPE, text=True)
    error = next(line for line in done.stderr.splitlines() if line.startswith("error: "))
    assert done.returncode == BAD_REQUEST and "2 ranks were started (each is alone" in error, done


def a_folder_whose_name_is_too_long_is_named_once(shell: Shell) -> None:
    name = 300 * "x"
    code, said = shell.run([*SOD, "--out", name])
    assert code == BAD_REQUEST and said.count(name) == 1 and "File name too long" in said and "--out" in said, said


FUNCTIONS: list[Callable[[Shell], None]] = [
    restart_writes_where_its_checkpoint_lies,
    keys_without_effect_are_told_of,
    replacing_keeps_what_only_has_a_name_of_results,
    restart_into_another_runs_folder_is_refused,
    a_series_or_a_plotfile_of_another_run_stays,
    runs_have_identities,
    a_folder_is_locked_while_it_is_written,
    deep_meshes_are_refused_at_once,
    a_mesh_that_does_not_fit_replaces_nothing,
    graphs_that_do_not_fit_are_not_made,
    no_room_for_openblas_is_told,
    restart_with_other_levels_has_the_same_bits_on_any_ranks,
    dry_run_of_a_restart_counts_what_is_left,
    restart_does_not_go_back,
    restart_by_a_link_or_from_within_goes_on_in_the_folder_of_the_run,
    pipes_are_neither_read_nor_replaced,
    miniamr_counts_no_time_before_its_start,
    ranks_with_different_words_are_refused,
    a_command_without_ranks_beside_a_run_is_told_of,
    what_is_asked_to_end_leaves_a_checkpoint,
    a_reader_who_goes_away_does_not_end_a_run,
    what_is_printed_to_a_full_disk_is_an_error,
    a_run_whose_log_is_lost_says_so,
    a_folder_that_another_rank_may_have_taken_is_told_of,
    a_folder_whose_name_is_too_long_is_named_once,
]
