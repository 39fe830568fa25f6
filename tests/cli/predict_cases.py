# SPDX-License-Identifier: MIT
"""Cases of what is predicted: meshes, times of tasks and proposals."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

from shell import BAD_REQUEST, PULSE, SUCCESS, Command, Shell

# miniAMR with a small sphere that moves.
SPHERE = "--nx 4 --ny 4 --nz 4 --num_vars 2 --stages_per_ts 1 --num_refine 1 --refine_freq 3 --num_objects 1".split()
SPHERE += "--object 2 0 .2 .3 .3 .1 0 0 .1 .1 .1 0 0 0".split()

VLASOV = Path(__file__).parents[2] / "apps/vlasov/decks/landau_nonlinear.toml"

COMMANDS = {
    "predict": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "--sweep", "P=1:4:2", "--steps", "2", "--what-if", "latency=0x"],
        SUCCESS,
        ["ms per step", "4 ranks, 1 thread, dataflow: with latency=0x"],
        files={"pulse.toml": PULSE, "m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_with_the_deck_behind_lists": Command(
        ["predict", "--ranks", "2", "--machine", "m.toml", "--what-if", "latency=0x", "--model", "phase", "pulse.toml"],
        SUCCESS,
        ["2 ranks, 1 thread, phase: with latency=0x"],
        files={"pulse.toml": PULSE, "m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_a_program_with_words_of_its_own": Command(
        ["predict", "--machine", "m.toml", "--sweep", "P=1:8:8", "--steps", "2", "lulesh", "-s", "3"],
        SUCCESS,
        ["ms per step", "8 ranks, 1 thread, dataflow: critical path"],
        files={"m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_a_deck_that_holds_messages_back": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "--ranks", "2", "run.latency_us=9"],
        BAD_REQUEST,
        ["run.latency_us = 9 (messages take what the file of the machine says)", "network.latency_us"],
        files={"pulse.toml": PULSE, "m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_one_number_of_ranks_or_a_sweep": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "--sweep", "P=1:4:2", "--ranks", "2"],
        BAD_REQUEST,
        ["--ranks excludes --sweep"],
        files={"pulse.toml": PULSE, "m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_with_an_empty_seed": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "--seed", ""],
        BAD_REQUEST,
        ["--seed '' (no value); give one"],
        files={"pulse.toml": PULSE, "m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_help_has_defaults": Command(
        ["predict", "--help"], SUCCESS, ["2 at least (default: 10)", "noise (default: 0)", "share the mesh (default: 1)"]
    ),
    "hpccg_with_an_empty_number": Command(
        ["hpccg", "4", "4", "4", "--threads", ""], BAD_REQUEST, ["--threads '' (no value); give one", "hpccg --help"]
    ),
    "predict_with_a_seed_below_0": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "--seed", "-1"],
        BAD_REQUEST,
        ["--seed: -1 (must be 0 or more)"],
        files={"pulse.toml": PULSE, "m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_a_start_that_is_none": Command(
        ["predict", "sod.toml", "--machine", "m.toml", "problem.name=uniform", "problem.pressure=1e308"],
        BAD_REQUEST,
        ["initial state", "cell ("],
        files={"m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_a_regrid": Command(
        ["predict", "sedov.toml", "--machine", "m.toml", "--ranks", "2", "--steps", "2", "mesh.block_cells=8"],
        SUCCESS,
        ["ms per step with regrids speed-up", "2 ranks, 1 thread, dataflow: a regrid", "one every 2 steps is"],
        files={"m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_a_refinement": Command(
        ["predict", "--machine", "m.toml", "--ranks", "2", "--steps", "2", "miniamr", "--npx", "2", *SPHERE],
        SUCCESS,
        ["ms per step", "2 ranks, 1 thread, dataflow: a refinement", "one every 3 steps is"],
        files={"m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_a_refinement_that_nobody_timed": Command(
        ["predict", "--machine", "m.toml", "--times", "t.toml", "--ranks", "2", "miniamr", "--npx", "2", *SPHERE],
        SUCCESS,
        ["ms per step", "warning: refinements are left out", "leave out --times"],
        files={"m.toml": "", "t.toml": '[tasks]\nnames = ["stencil"]\nns = [100]\nns_per_byte = [0]\n'},
    ),
    "predict_a_program_with_wrong_words": Command(
        ["predict", "--machine", "m.toml", "--ranks", "2", "lulesh", "-s", "0"],
        BAD_REQUEST,
        ["-s 0", "2 ranks"],
        files={"m.toml": ""},
    ),
    # Trees narrow towards their ends: a window of timesteps begins amid the run.
    "predict_a_pattern_that_changes": Command(
        ["predict", "--machine", "m.toml", "--ranks", "2", "taskbench", "-steps", "1000", "-width", "8", "-type", "tree"],
        SUCCESS,
        ["ms per step"],
        files={"m.toml": ""},
    ),
    # Of 8 x 8 tiles, on a machine without costs: potrf, trsm and what updates the diagonal, 22 tasks in a chain.
    "predict_a_whole_factorisation": Command(
        ["predict", "--machine", "m.toml", "--times", "t.toml", "--ranks", "64", "cholesky", "--n", "1024", "--tile", "128"],
        SUCCESS,
        [" 64       1  dataflow         2.2 "],
        files={
            "m.toml": "",
            "t.toml": '[tasks]\nnames = ["potrf", "trsm", "herk", "gemm"]\nns = [1e5, 1e5, 1e5, 1e5]\nns_per_byte = [0, 0, 0, 0]\n',
        },
    ),
    "predict_with_times_of_other_tasks": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "--times", "t.toml"],
        BAD_REQUEST,
        ["--times t.toml", "none of the tasks of a step", "advance"],
        files={"pulse.toml": PULSE, "m.toml": "", "t.toml": '[tasks]\nnames = ["gemm"]\nns = [100]\nns_per_byte = [0]\n'},
    ),
    "predict_a_factorisation_of_nothing": Command(
        ["predict", "--machine", "m.toml", "--times", "t.toml", "cholesky", "--n", "0"],
        BAD_REQUEST,
        ["cholesky has no tasks in a step", "choose a larger problem"],
        files={"m.toml": "", "t.toml": '[tasks]\nnames = ["gemm"]\nns = [100]\nns_per_byte = [0]\n'},
    ),
    "predict_with_noise_of_no_kind": Command(
        ["predict", "pulse.toml", "--machine", "m.toml"],
        BAD_REQUEST,
        ['noise.quantiles = [0.9, 1.1] with noise.kind = "none"', 'set kind = "quantiles" in [noise]'],
        files={"pulse.toml": PULSE, "m.toml": "[noise]\nquantiles = [0.9, 1.1]\n"},
    ),
    "predict_in_several_processes": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "-o", "p.json"],
        BAD_REQUEST,
        ["predict on 2 ranks", "start it without mpirun"],
        ranks=2,
        files={"pulse.toml": PULSE, "m.toml": ""},
        makes_not=["p.json"],
    ),
    "tune_in_several_processes": Command(
        ["tune", "pulse.toml", "--machine", "m.toml", "--cores", "2"],
        BAD_REQUEST,
        ["tune on 2 ranks", "start it without mpirun"],
        ranks=2,
        files={"pulse.toml": PULSE, "m.toml": ""},
    ),
    "predict_over_its_machine": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "--save-times", "./m.toml", "--force"],
        BAD_REQUEST,
        ["--save-times ./m.toml (--machine is this file, which is read)"],
        files={"pulse.toml": PULSE, "m.toml": ""},
    ),
    "predict_a_program_on_ranks_that_it_cannot_have": Command(
        ["predict", "--machine", "m.toml", "--ranks", "3", "lulesh", "-s", "3"],
        BAD_REQUEST,
        ["3 ranks (they must make a cube", "with --ranks give as many as one of these"],
        files={"m.toml": ""},
    ),
    "predict_the_numbers_of_a_sweep_that_a_program_can_have": Command(
        ["predict", "--machine", "m.toml", "--sweep", "P=1:8:2", "--steps", "2", "lulesh", "-s", "3"],
        SUCCESS,
        ["not tried: 2 ranks: ", "not tried: 4 ranks: ", "with --sweep give some of these", "8 ranks, 1 thread, dataflow: critical path"],
        files={"m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_models_of_which_one_is_none": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "--sweep", "P=1:2:2", "--model", "bulk,flow"],
        BAD_REQUEST,
        ["flow"],
        files={"pulse.toml": PULSE, "m.toml": ""},
    ),
    "predict_a_grid_of_other_ranks": Command(
        ["predict", "--machine", "m.toml", "--sweep", "P=3:3:2", "miniamr", "--npx", "2"],
        BAD_REQUEST,
        ["with --sweep give as many ranks"],
        files={"m.toml": ""},
    ),
    "predict_with_its_options_behind_a_program": Command(
        ["predict", "--machine", "m.toml", "lulesh", "-s", "3", "--ranks", "8"],
        BAD_REQUEST,
        ["--ranks behind lulesh (options of predict stand before the program"],
        files={"m.toml": ""},
    ),
    "predict_with_a_trace_behind_its_program": Command(
        ["predict", "--machine", "m.toml", "lulesh", "-s", "4", "--trace", "t"],
        BAD_REQUEST,
        ["--trace behind lulesh", "put --trace before lulesh"],
        files={"m.toml": ""},
    ),
    "predict_ranks_that_no_node_has_cores_for": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "--threads", "6"],
        BAD_REQUEST,
        ["6 threads per rank", "4 cores", "take fewer"],
        files={"pulse.toml": PULSE, "m.toml": "[machine]\ncores_per_node = 4\n"},
    ),
    "predict_a_program_that_is_none": Command(
        ["predict", "--machine", "m.toml", "hpcg", "4", "4", "4"],
        BAD_REQUEST,
        ["'hpcg' (there is no such deck, and no program of this name)", "hpccg"],
        files={"m.toml": ""},
    ),
    "predict_a_thread_for_messages": Command(
        ["predict", "--machine", "m.toml", "hpccg", "4", "4", "4", "--progress", "thread"],
        BAD_REQUEST,
        ["--progress thread has no effect", "set it to idle or task_boundary"],
        files={"m.toml": ""},
    ),
    "predict_on_a_machine_whose_memory_bounds_no_task": Command(
        ["predict", "pulse.toml", "--machine", "m.toml", "--steps", "2"],
        SUCCESS,
        ['warning: memory.domain_cores of machine "m" has no effect', "memory_bound"],
        files={"pulse.toml": PULSE, "m.toml": "[memory]\ndomain_cores = 4\n"},
    ),
    "predict_on_a_machine_whose_memory_is_shared_by_too_few": Command(
        ["predict", "pulse.toml", "--machine", "m.toml"],
        BAD_REQUEST,
        ["memory.full_speed_cores = 5 with memory.domain_cores = 4"],
        files={"pulse.toml": PULSE, "m.toml": "[memory]\ndomain_cores = 4\nfull_speed_cores = 5\n"},
    ),
    "a_dry_run_predicts_regrids_too": Command(
        ["run", "sedov.toml", "--dry-run", "--machine", "m.toml", "mesh.block_cells=8"],
        SUCCESS,
        ["ms per step with regrids speed-up", "1 rank, 1 thread, dataflow: a regrid", "one every 2 steps is"],
        files={"m.toml": "[network]\nlatency_us = 5\n"},
    ),
    "predict_nothing": Command(
        ["predict", "--machine", "m.toml"], BAD_REQUEST, ["nothing to predict", "miniamr"], files={"m.toml": ""}
    ),
}


def tune_proposes_what_it_has_simulated(shell: Shell) -> None:
    (shell.folder / "m.toml").write_text("")
    (shell.folder / "my sod.toml").write_text((shell.folder / "sod.toml").read_text())
    words = ("--machine", "m.toml", "--steps", "2", "--model", "phase", "--messages", "1")
    said = shell.succeed("tune", "my sod.toml", *words, "--cores", "2")
    proposed = shlex.split(said[said.index("proposed:") :])
    assert "my sod.toml" in proposed and "--model=phase" in proposed, said
    (shell.folder / "m.toml").write_text("[machine]\ncores_per_node = 2\n")
    said = shell.succeed("tune", "my sod.toml", *words, "--cores", "8", "--block-cells", "16")
    layouts = {tuple(line.split()[1:3]) for line in said.splitlines() if line.split()[:1] == ["16"]}
    assert layouts == {("8", "1"), ("4", "2")}, said


def tune_says_once_whose_times_nobody_knows(shell: Shell) -> None:
    (shell.folder / "m.toml").write_text("")
    words = ("--machine", "m.toml", "--steps", "2")
    said = shell.succeed("tune", "sod.toml", *words, "--cores", "4")
    assert "nothing is known" not in said, said
    said = shell.succeed("tune", "linear_wave.toml", *words, "--cores", "48", "--block-cells", "8", "--messages", "1")
    assert said.count("nothing is known of the times of") == 1 and "layouts of 8 block cells on" in said, said
    assert "--trace" not in said, said


def predict_prints_the_options_of_a_program(shell: Shell) -> None:
    (shell.folder / "m.toml").write_text("")
    for name in ("miniamr", "hpccg", "lulesh", "cholesky", "taskbench"):
        for word in ("--help", "-h"):
            said = shell.succeed("predict", "--machine", "m.toml", "--ranks", "8", name, word)
            assert said == shell.succeed(name, "--help"), said


def predict_times_tasks_that_few_ranks_alone_have(shell: Shell) -> None:
    (shell.folder / "m.toml").write_text("")
    words = [str(VLASOV), "--machine", "m.toml", "--steps", "2", "--sweep", "P=1:4:4"]
    said = shell.succeed("predict", *words)
    assert "nothing is known of the times" not in said, said


def rank_mib(said: str) -> float:
    """The memory of a rank of two, as a table of predictions says."""
    line = next(line for line in said.splitlines() if line.split()[:3] == ["2", "1", "dataflow"])
    return float(line.split()[-2])


def predict_takes_the_mesh_of_a_checkpoint(shell: Shell) -> None:
    deck = ["run", "sod.toml", "time.max_steps=60", "checkpoint.interval=30", "mesh.max_level=2"]
    shell.succeed(*deck, "--out", "out")
    (shell.folder / "m.toml").write_text("[network]\nlatency_us = 5\n")
    (shell.folder / "t.toml").write_text(
        '[of]\nprogram = "hydro"\n[tasks]\nnames = ["advance"]\nns = [1e5]\nns_per_byte = [0]\n'
    )
    words = ["predict", "--machine", "m.toml", "--times", "t.toml", "--ranks", "2"]
    at_start = shell.succeed(*words, *deck[1:])
    goes_on = shell.succeed(*words, "--restart", "out/chk00060", "time.max_steps=90")
    assert at_start != goes_on and "dataflow" in goes_on, goes_on
    assert goes_on == shell.succeed(*words, "--restart", "out/chk00060", *deck[1:])
    assert goes_on == shell.succeed(*words, "--restart", "out", "time.max_steps=90")
    for more, part in [
        (["--restart", "none"], "there is no such folder; check the path"),
        (["--restart", "out/plt00060"], "or the folder of a run"),
        (["--restart", "out/chk00060", "mesh.block_cells=64"], "mesh.block_cells = [64]"),
        (["--restart", "out/chk00060", "lulesh"], "--restart with lulesh"),
    ]:
        code, said = shell.run([*words, *more])
        assert code == BAD_REQUEST and part in said, said
    shell.succeed(*words, "--restart", "out", "time.max_steps=90", "-o", "p.json")
    assert json.loads((shell.folder / "p.json").read_text())["restart"] == "out/chk00060"
    timed = shell.succeed("predict", "--machine", "m.toml", "--restart", "out/chk00060", "time.max_steps=90")
    assert "warning" not in timed and "a regrid" in timed, timed
    restart = ["run", "--restart", "out/chk00060", "time.max_steps=90", "--dry-run", "--machine", "m.toml"]
    assert rank_mib(shell.succeed(*restart, ranks=2)) == rank_mib(goes_on) > rank_mib(at_start)
    said = shell.succeed(*restart[:3], *restart[4:])
    assert "no prediction" in said and "where the run is over" in said, said
    for n in ("60", "61"):
        code, said = shell.run(["predict", "--machine", "m.toml", "--restart", "out/chk00060", f"time.max_steps={n}"])
        assert code == BAD_REQUEST and "where the run is over" in said, said
    code, said = shell.run(["predict", "--machine", "m.toml", "sod.toml", "time.max_steps=1"])
    assert code == BAD_REQUEST and "over after its first step" in said, said
    (shell.folder / "out/chk00060/index").write_bytes(b"x")
    code, said = shell.run([*words, "--restart", "out/chk00060"])
    assert code == BAD_REQUEST and "name another checkpoint" in said, said


def proxies_leave_traces(shell: Shell) -> None:
    for words, task in [
        (["miniamr", "--num_refine", "0", "--num_tsteps", "4", "--stages_per_ts", "1", "--trace_steps", "2", "4"], "stencil"),
        (["lulesh", "-s", "4", "-i", "4", "-q", "--trace-cycles", "2", "4"], "kinematics"),
    ]:
        trace = words[0] + ".pftrace"
        shell.succeed(*words, "--trace", trace)
        said = shell.succeed("trace", "summary", trace)
        assert task in said, said
        (shell.folder / "m.toml").write_text("")
        said = shell.succeed("predict", "--machine", "m.toml", "--trace", trace, *words[:-3])
        assert "ms per step" in said and said.count("warning") == 1, said
        assert f"warning: nothing is known of the settings that --trace {trace} is of" in said, said
        code, said = shell.run([*words, "--trace", trace])
        assert code == BAD_REQUEST and f"--trace {trace} (it exists" in said, said
        assert "--force" in said, said
    one = ["miniamr", "--num_refine", "0", "--num_tsteps", "1"]
    shell.succeed(*one, "--trace", "miniamr.pftrace", "--force")
    shell.succeed("lulesh", "-s", "4", "-i", "4", "-q", "--trace", "lulesh.pftrace", "--force")
    for words, part in [
        ([*one, "--trace", "none/t", "--force"], "its folder does not exist"),
        ([*one, "--trace", ".", "--force"], "it is a folder"),
        ([*one, "--trace", "./results.yaml", "--report_perf", "1"], "a result of the run has this name"),
        (["lulesh", "-s", "4", "-i", "2", "--trace", "t", "--checkpoint", "./t"], "one would replace the other"),
        (["lulesh", "-s", "4", "-i", "2", "--trace", "t", "--restart", "./t", "--force"], "one would replace the other"),
        ([*one, "--trace", str(shell.folder / "results.yaml"), "--report_perf", "1"], "a result of the run has this name"),
        (["predict", "--machine", "m.toml", "--trace", "out.pftrace", "lulesh", "-s", "4"], "out.pftrace"),
    ]:
        code, said = shell.run(words)
        assert code == BAD_REQUEST and part in said, said
    for words in [[*one, "--trace_steps", "5", "6"], ["lulesh", "-s", "4", "-i", "2", "--trace-cycles", "5", "6"]]:
        said = shell.succeed(*words, "--trace", "t")
        assert "no trace: --trace" in said and "none of the run's steps" in said, said
        assert not (shell.folder / "t").exists()


FUNCTIONS: list[Callable[[Shell], None]] = [
    predict_times_tasks_that_few_ranks_alone_have,
    predict_prints_the_options_of_a_program,
    tune_proposes_what_it_has_simulated,
    tune_says_once_whose_times_nobody_knows,
    predict_takes_the_mesh_of_a_checkpoint,
    proxies_leave_traces,
]
