#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the program as a user would, and hold it to what it says and how it ends.

Usage: cases.py --list
       cases.py CASE --program thalweg --mpiexec mpirun --decks FOLDER --work FOLDER
A case is a row of COMMANDS, one command in a folder of its own, or a function below it that needs
several. CMakeLists.txt makes a CTest case of each.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import doctor_cases
import output_cases
import people_cases
import plotfile_cases
import predict_cases
import restart_cases
import safety_cases
import trace_cases
from shell import BAD_REQUEST, DIFFERENCE, FAILURE, PULSE, SOD, SUCCESS, TRACED, Command, Shell, check

COMMANDS = {
    # Asking for help.
    "no_arguments": Command([], BAD_REQUEST, ["Usage: thalweg", "run", "hash", "diff", "params"]),
    "help": Command(["--help"], SUCCESS, ["Usage: thalweg", "run", "hash", "mpirun", "Exit codes", "output.on_failure=stop"]),
    "help_of_run": Command(["run", "--help"], SUCCESS, ["--model", "--threads", "--out", "--force"]),
    "version": Command(["--version"], SUCCESS, ["thalweg 0."]),
    "unknown_command": Command(["rnu", "sod.toml"], BAD_REQUEST, ["'rnu'", "run", "params"]),
    "unknown_option": Command([*SOD, "--modle", "bulk"], BAD_REQUEST, ["--modle", "run --help"]),
    "run_without_deck": Command(["run"], BAD_REQUEST, ["deck"]),
    "threads_not_a_number": Command([*SOD, "--threads", "many"], BAD_REQUEST, ["threads", "many"]),
    # A wrong deck or override.
    "deck_missing": Command(["run", "none.toml"], BAD_REQUEST, ["'none.toml'", "no such file"]),
    "deck_is_a_folder": Command(["run", "."], BAD_REQUEST, ["'.'", "folder"]),
    "deck_is_not_toml": Command(
        ["run", "bad.toml"],
        BAD_REQUEST,
        ["bad.toml", "not TOML", "line 2 column 7", "words in quotes"],
        files={"bad.toml": "[mesh]\ndim = = 3\n"},
        makes_not=["out"],
    ),
    "deck_is_binary": Command(
        ["run", "bad.toml"], BAD_REQUEST, ["bad.toml", "line 1 column 4"], files={"bad.toml": "ELF\x01\x00"}
    ),
    "option_and_setting_that_contradict_each_other": Command(
        [*SOD, "--out", "a", "output.folder=b", "--model", "bulk", "run.model='bulk'", "--threads", "2", "run.threads", "=", "1"],
        BAD_REQUEST,
        ["--out a and output.folder=b (", "--threads 2 and run.threads=1 (", "leave one out"],
        makes_not=["a", "b"],
    ),
    "option_and_setting_that_say_the_same": Command([*SOD, "--out", "a", "output.folder = 'a'"], SUCCESS, [], makes=["a/plt00002"]),
    "folder_with_a_blank_at_its_end": Command([*SOD, "--out", "ab "], SUCCESS, [], makes=["ab /plt00002"]),
    "folder_in_quotes_that_are_of_its_name": Command([*SOD, "--out", '"q"'], SUCCESS, [], makes=['"q"/plt00002']),
    "graph_to_what_is_no_file": Command(
        ["graph", "sod.toml", "--ranks", "2", "-o", "-"], BAD_REQUEST, ["'-' is no name of a file", "leave it out"], makes_not=["-"]
    ),
    "typing_error_in_the_deck": Command(
        ["run", "bad.toml"],
        BAD_REQUEST,
        ["bad.toml", "2", "mesh.max_levl", "did you mean 'mesh.max_level'"],
        files={"bad.toml": "[mesh]\nmax_levl = 2\n"},
    ),
    "typing_error_in_an_override": Command(
        [*SOD, "tme.end=0.1"], BAD_REQUEST, ["tme.end", "did you mean 'time.end'"]
    ),
    "override_without_value": Command([*SOD, "time.end="], BAD_REQUEST, ["'time.end='", "value"]),
    "override_without_sign": Command([*SOD, "time.end"], BAD_REQUEST, ["'time.end'", "key=value"]),
    "wrong_type": Command([*SOD, "mesh.max_level=1.5"], BAD_REQUEST, ["mesh.max_level = 1.5", "a whole number, such as 4"]),
    "out_of_range": Command([*SOD, "time.cfl=3"], BAD_REQUEST, ["time.cfl = 3", "(0, 1]"]),
    "not_a_number": Command([*SOD, "time.end=nan"], BAD_REQUEST, ["time.end = nan", "[0, inf)"]),
    "unknown_model": Command([*SOD, "--model", "fast"], BAD_REQUEST, ['"fast"', "bulk", "dataflow"]),
    "negative_watchdog": Command([*SOD, "run.watchdog=-1"], BAD_REQUEST, ["run.watchdog = -1", "[0, 1000000000]"]),
    "unknown_progress": Command([*SOD, "run.progress=never"], BAD_REQUEST, ["run.progress", "task_boundary"]),
    "zero_threads": Command([*SOD, "--threads", "0"], BAD_REQUEST, ["run.threads = 0", "[1, 1024]"]),
    "list_of_another_length": Command(
        [*SOD, "mesh.lower=[0, 0]"], BAD_REQUEST, ["mesh.lower", "2 entries", "mesh.dim = 1"]
    ),
    "half_periodic": Command(
        [*SOD, "boundary.lower=['periodic']"], BAD_REQUEST, ["boundary.lower", "of x", "periodic"]
    ),
    "ratios_of_too_few_levels": Command(
        [*SOD, "mesh.ratio=[2, 4, 2]"], BAD_REQUEST, ["ratio = 2 4 2", "max_level = 2", "give 1 or 2 numbers"]
    ),
    "ratio_of_3": Command([*SOD, "mesh.ratio=[2, 3]"], BAD_REQUEST, ["ratio = 3", "2 or 4"]),
    "a_ratio_for_each_level": Command([*SOD, "mesh.ratio=[4, 2]"], SUCCESS, ["2 steps"]),
    "block_not_divisible": Command([*SOD, "mesh.block_cells=9"], BAD_REQUEST, ["block_cells = 9"]),
    "cost_of_tasks_of_several_blocks": Command(
        [*SOD, "partition.cost=measured", "run.grain=4"], BAD_REQUEST, ["partition.cost", "run.grain = 4"]
    ),
    "threshold_below_one": Command(
        [*SOD, "partition.threshold=0.9"], BAD_REQUEST, ["partition.threshold = 0.9", "[1, 1000000]"]
    ),
    "empty_domain": Command([*SOD, "mesh.upper=[-0.5]"], BAD_REQUEST, ["upper", "-0.5"]),
    "courant_number_of_another_scheme": Command(
        ["run", "gresho.toml", "time.cfl=0.8"],
        BAD_REQUEST,
        ["time.cfl = 0.8", "'vl2'", "up to 0.5", "hydro.scheme = 'ctu'"],
    ),
    "courant_number_along_a_line": Command([*SOD, "time.cfl=0.8"], SUCCESS, ["2 steps"]),
    "choices_that_no_scheme_has": Command(
        [*SOD, "hydro.scheme=ctu"], BAD_REQUEST, ["hydro.reconstruction = 'plm'", "'ctu' traces parabolas", "'ppm'"]
    ),
    "corner_transport_upwind": Command(
        [*SOD, "hydro.scheme=ctu", "hydro.reconstruction=ppm", "time.cfl=0.8"], SUCCESS, ["2 steps"]
    ),
    "a_riemann_solver": Command([*SOD, "hydro.riemann=roe"], SUCCESS, ["2 steps"]),
    "a_runge_kutta_method": Command([*SOD, "hydro.scheme=rk3", "hydro.reconstruction=ppm"], SUCCESS, ["2 steps"]),
    "several_errors_of_the_deck_at_once": Command(
        [*SOD, "time.cfl=3", "run.model=x", "mesh.max_levl=2", "mesh.ratio=two"],
        BAD_REQUEST,
        ["time.cfl", "run.model", "mesh.max_levl", "mesh.ratio"],
        makes_not=["sod"],
    ),
    "several_errors_of_the_set_up_at_once": Command(
        [*SOD, "mesh.block_cells=9", "boundary.lower=['periodic']", "--out", "taken"],
        BAD_REQUEST,
        ["block_cells = 9", "boundary.lower", "'taken'"],
        files={"taken": "a file"},
    ),
    # Where results go.
    "output_folder_is_made_with_its_parents": Command(
        [*SOD, "--out", "a/b/c"],
        SUCCESS,
        ["2 steps", "a/b/c/plt00000 a/b/c/plt00002"],
        makes=["a/b/c/plt00000/Header", "a/b/c/plt00002/Header", "a/b/c/plt00002/deck.toml"],
    ),
    "output_folder_in_use": Command(
        [*SOD, "--out", "mine"],
        BAD_REQUEST,
        ["'mine'", "not empty", "--force"],
        files={"mine/plt00000/Header": "old", "mine/notes.txt": "keep"},
        makes_not=["mine/plt00002"],
    ),
    "output_folder_is_a_file": Command(
        [*SOD, "--out", "mine", "--force"], BAD_REQUEST, ["'mine'", "file"], files={"mine": "keep"}
    ),
    "output_folder_in_a_file": Command(
        [*SOD, "--out", "mine/out"], BAD_REQUEST, ["'mine/out'"], files={"mine": "keep"}
    ),
    "output_folder_without_name": Command([*SOD, "output.folder="], BAD_REQUEST, ["--out"]),
    "force_leaves_what_is_not_ours": Command(
        [*SOD, "--out", "mine", "--force"],
        SUCCESS,
        ["2 steps"],
        files={
            "mine/notes.txt": "keep",
            "mine/deck.toml": "keep",
            "mine/plt": "keep",
            "mine/plt00001.png": "keep",
            "mine/trace.json": "keep",
        },
        makes=["mine/plt00002/Header"],
    ),
    "force_with_a_wrong_deck_removes_nothing": Command(
        [*SOD, "--out", "mine", "--force", "mesh.block_cells=9"],
        BAD_REQUEST,
        ["block_cells = 9"],
        files={"mine/plt00000/Header": "old"},
    ),
    # Ranks.
    "more_ranks_than_blocks": Command(
        [*SOD, "mesh.root_blocks=[1]", "mesh.max_level=0"], SUCCESS, ["2 steps"], ranks=4
    ),
    "imbalance_is_said": Command(
        [*SOD, "time.max_steps=6", "partition.cost=measured"],
        SUCCESS,
        ["regrids: 2, of which ", "largest load over mean load", "mean of 2 regrids: level 0 ", ", level 1 ", " -> "],
        ranks=2,
    ),
    "typing_error_on_two_ranks": Command([*SOD, "tme.end=1"], BAD_REQUEST, ["tme.end"], ranks=2),
    "unknown_option_on_two_ranks": Command([*SOD, "--modle"], BAD_REQUEST, ["--modle"], ranks=2),
    "walls_of_what_has_no_image_in_them": Command(
        ["run", "pulse.toml", "boundary.lower=[reflecting,outflow]", "boundary.upper=[outflow,outflow]"],
        BAD_REQUEST,
        ["reflecting", "what a state looks like in a wall"],
        files={"pulse.toml": PULSE},
    ),
    "time_step_beyond_what_is_stable_on_faces": Command(
        ["run", "loop.toml", "application.name=induction", "time.subcycle=false", "time.cfl=0.7"],
        BAD_REQUEST,
        ["time.cfl = 0.7", "stable up to 0.5"],
        files={"loop.toml": PULSE},
    ),
    "time_step_beyond_what_is_stable": Command(
        ["run", "pulse.toml", "time.cfl=0.9"], BAD_REQUEST, ["time.cfl = 0.9", "stable up to 0.5"], files={"pulse.toml": PULSE}
    ),
    "deck_missing_on_two_ranks": Command(["run", "no.toml"], BAD_REQUEST, ["no.toml"], ranks=2),
    # What goes wrong after the start. The ball of "advance" lies on one rank: the others must not wait.
    "initial_state_fails": Command(
        [*SOD, "problem.name=uniform", "problem.pressure=1e308"],
        BAD_REQUEST,
        ["step 0", "initial state", "rank 0", "cell (0)"],
    ),
    "initial_state_fails_on_three_ranks": Command(
        [*SOD, "problem.name=uniform", "problem.pressure=1e308"], BAD_REQUEST, ["rank "], ranks=3
    ),
    "step_fails_on_one_rank_of_three": Command(
        ["run", "sedov.toml", "problem.energy=1e300", "mesh.block_cells=8", "run.model=bulk"],
        FAILURE,
        ["step 1", "'advance'", "rank 0", "level 0", "cell (0, 0, 0)", "block of cells (0, 0, 0) to (7, 7, 7)"],
        ranks=3,
    ),
    "not_a_number_comes_in_on_one_rank_of_two": Command(
        ["run", "inflow.toml", "boundary.inflow_lower_x=[1.0,1e160,1.0]"],
        FAILURE,
        ["step 1", "'advance'", "rank 0", "cell (0)", "block of cells (0) to (15)", "level 0"],
        ranks=2,
    ),
    "step_fails_on_one_rank_of_three_with_threads": Command(
        ["run", "sedov.toml", "problem.energy=1e300", "mesh.block_cells=8", "--threads", "2"],
        FAILURE,
        ["step 1", "'advance'", "rank 0"],
        ranks=3,
    ),
    # Plotfiles.
    "hash_of_nothing": Command(["hash", "none"], BAD_REQUEST, ["none"]),
    "hash_of_another_file": Command(["hash", "sod.toml"], BAD_REQUEST, ["sod.toml"]),
    "hash_of_a_broken_plotfile": Command(
        ["hash", "plt"], BAD_REQUEST, ["plt/Header"], files={"plt/Header": "HyperCLaw-V1.1\n1\n"}
    ),
    # Applications and their keys.
    "application_unknown": Command(
        [*SOD, "application.name=plasma"], BAD_REQUEST, ['"plasma"', "hydro", "advection", "shallow_water"]
    ),
    "problem_unknown": Command([*SOD, "problem.name=sodd"], BAD_REQUEST, ['"sodd"', "sod", "sedov"]),
    "key_of_another_problem": Command(
        [*SOD, "problem.energy=1"], BAD_REQUEST, ["'problem.energy'", 'problem.name = "sedov"', "leave it out"]
    ),
    "key_of_another_application": Command(
        [*SOD, "pulse.sigma=0.1"], BAD_REQUEST, ["'pulse.sigma'", 'application.name = "advection"']
    ),
    "dimension_that_an_application_has_not": Command(
        ["run", "water.toml", "mesh.dim=3"],
        BAD_REQUEST,
        ["mesh.dim = 3", "'shallow_water'", "choose one of: 2"],
        files={"water.toml": 'application.name = "shallow_water"\nproblem.name = "thacker"\n'},
    ),
    "another_application_runs": Command(
        ["run", "pulse.toml", "time.max_steps=2"],
        SUCCESS,
        ["2 steps", "plotfiles: out/plt00000 out/plt00002"],
        files={"pulse.toml": PULSE},
        makes=["out/plt00002/Header"],
    ),
    "another_application_is_estimated": Command(
        ["run", "pulse.toml", "--dry-run"],
        SUCCESS,
        ["updates per step", "[pulse]", "memory:"],
        files={"pulse.toml": PULSE},
        makes_not=["out"],
    ),
    "another_application_has_graphs": Command(
        ["graph", "pulse.toml", "--ranks", "2", "--rank", "1"], SUCCESS, ["advance"], files={"pulse.toml": PULSE}
    ),
    "help_of_vlasov": Command(["vlasov", "--help"], SUCCESS, ["thalweg vlasov DECK", "--scaled", "--out"]),
    "scaled_vlasov": Command(
        ["vlasov", "--dry-run", "--threads", "1", "plasma.toml", "vlasov.degree=3", "--scaled"],
        SUCCESS,
        ["cells = [32, 16]", "degree = 3"],
        files={"plasma.toml": 'application.name = "vlasov"\nvlasov.cells = [256, 128]\n'},
    ),
    "scaled_vlasov_of_what_settings_say": Command(
        ["vlasov", "plasma.toml", "--scaled", "vlasov.cells=[64,64]", "vlasov.degree", "=", "3", "--dry-run", "--out=a", "application.name=vlasov"],
        SUCCESS,
        ["cells = [8, 8]", "degree = 3"],
        files={"plasma.toml": 'application.name = "advection"\nvlasov.cells = [256, 128]\n'},
    ),
    "vlasov_with_few_widths_of_a_beam": Command(
        ["vlasov", "--dry-run", "plasma.toml"],
        SUCCESS,
        ["vlasov.vmax = 3", "raise vmax to 5"],
        files={"plasma.toml": 'application.name = "vlasov"\nvlasov.vmax = 3.0\n'},
    ),
    "vlasov_with_a_deck_of_a_problem": Command(
        ["vlasov", "sod.toml", "--scaled"],
        BAD_REQUEST,
        ['error: sod.toml: problem.name = "sod" (a deck of another application', "use thalweg run sod.toml"],
        ranks=2,
        makes_not=["sod"],
    ),
    "vlasov_with_a_deck_of_another_application": Command(
        ["vlasov", "pulse.toml"],
        BAD_REQUEST,
        ['error: pulse.toml: application.name = "advection" (', "use thalweg run pulse.toml"],
        files={"pulse.toml": PULSE},
    ),
    "scaled_vlasov_without_a_deck": Command(["vlasov", "--threads", "1", "--scaled"], BAD_REQUEST, ["--scaled without a deck", "give it"]),
    "dry_run_predicts_on_the_machine_that_is_there": Command(
        ["run", "pulse.toml", "--dry-run"],
        SUCCESS,
        ["updates per step", 'the machine "mine"', "2 ranks, 1 thread, dataflow: critical path"],
        ranks=2,
        files={"pulse.toml": PULSE, "machine.toml": '[machine]\nname = "mine"\n'},
        makes_not=["out"],
    ),
    "dry_run_on_a_wrong_machine": Command(
        ["run", "pulse.toml", "--dry-run", "--machine", "m.toml"],
        BAD_REQUEST,
        ["network.latency"],
        ranks=2,
        files={"pulse.toml": PULSE, "m.toml": "[network]\nlatency = 5\n"},
    ),
    "run_with_a_machine": Command(
        ["run", "pulse.toml", "--machine", "m.toml"],
        BAD_REQUEST,
        ["--machine", "--dry-run"],
        files={"pulse.toml": PULSE, "m.toml": ""},
        makes_not=["out"],
    ),
    "predict_without_a_machine": Command(
        ["predict", "pulse.toml", "--ranks", "2"], BAD_REQUEST, ["--machine"], files={"pulse.toml": PULSE}
    ),
    "predict_on_a_wrong_machine": Command(
        ["predict", "pulse.toml", "--machine", "m.toml"],
        BAD_REQUEST,
        ["network.latency", "network.latency_us", "tasks.time_factor"],
        files={"pulse.toml": PULSE, "m.toml": "[network]\nlatency = 5\n[tasks]\ntime_factor = 0\n"},
    ),
    "calibrate_into_no_folder": Command(["calibrate", "-o", "none/m.toml"], BAD_REQUEST, ["none/m.toml"], ranks=2),
    "calibrate_on_one_rank": Command(["calibrate", "-o", "m.toml"], BAD_REQUEST, ["one rank", "mpirun -n 2"]),
    "calibrate_over_a_file": Command(
        ["calibrate", "-o", "m.toml"], BAD_REQUEST, ["'m.toml' exists"], ranks=2, files={"m.toml": "mine"}
    ),
    "params_of_an_application": Command(
        ["params", "advection"], SUCCESS, ["pulse.sigma", "mesh.max_level", "Advection and diffusion", 'application.name = "advection"']
    ),
    "params_of_an_application_with_its_defaults": Command(
        ["params", "induction"],
        SUCCESS,
        ["mesh.dim = 2 ", 'boundary.lower = ["periodic", "periodic", "periodic"]', "time.subcycle = false"],
    ),
    "params_of_a_problem": Command(["params", "hydro", "sedov"], SUCCESS, ["problem.energy", "problem.gamma"]),
    "params_of_no_application": Command(["params", "plasma"], BAD_REQUEST, ["'plasma'", "hydro", "shallow_water"]),
    "params_of_a_problem_alone": Command(["params", "sedov"], BAD_REQUEST, ["'sedov' is a problem", "write params hydro sedov"]),
    "params_of_no_problem": Command(["params", "hydro", "sodd"], BAD_REQUEST, ["'sodd'", "sedov"]),
    "params_of_a_problem_where_there_are_none": Command(["params", "vlasov", "foo"], BAD_REQUEST, ["'vlasov' has no problems", "leave 'foo' out"]),
}


def params_lists_every_parameter(shell: Shell) -> None:
    """The deck that is written with the output holds them all."""
    shell.succeed(*SOD)
    deck = tomllib.loads((shell.folder / "sod/plt00000/deck.toml").read_text())
    listed = [line.split()[0] for line in shell.succeed("params", "hydro", "sod").splitlines() if line.strip()]
    keys = [f"{section}.{key}" for section, values in deck.items() for key in values]
    assert len(keys) > 30
    for key in keys:
        assert listed.count(key) == 1, key


def calibrate_writes_a_machine_that_predict_reads(shell: Shell) -> None:
    shell.succeed("calibrate", "-o", "m.toml", ranks=2)
    machine = tomllib.loads((shell.folder / "m.toml").read_text())
    n_cores = os.sysconf("SC_NPROCESSORS_ONLN")
    assert machine["machine"]["cores_per_node"] == n_cores
    assert "ranks_per_node" not in machine["machine"], "it would have no effect"
    assert "name" not in machine["machine"], "that of the file tells two of them apart"
    assert machine["memory"]["overhead_us"] > 0 and "gap_us" not in machine["memory"]
    assert machine["tasks"]["overhead_ns"] > 0
    assert "network" not in machine, "ranks of one node say nothing of it"
    predict = ("predict", "sod.toml", "--machine", "m.toml", "--steps", "2", "--ranks")
    assert "no [network]" not in shell.succeed(*predict, "2")
    text = (shell.folder / "m.toml").read_text()
    (shell.folder / "m.toml").write_text(text.replace(f"cores_per_node = {n_cores}", "cores_per_node = 2"))
    assert "[network] of the machine gives none" in shell.succeed(*predict, "4"), "on two nodes"


def predict_writes_a_timeline_that_trace_reads(shell: Shell) -> None:
    (shell.folder / "m.toml").write_text("[network]\nlatency_us = 5\n")
    words = ("--machine", "m.toml", "--ranks", "2", "--steps", "3", "--timeline", "t.pftrace")
    shell.succeed("predict", "sod.toml", *words)
    summary = shell.succeed("trace", "summary", "t.pftrace")
    assert "2 ranks, 2 workers" in summary and "steps 2 to 3" in summary, summary


def predict_says_once_that_times_know_nothing_of_regrids(shell: Shell) -> None:
    (shell.folder / "m.toml").write_text("[network]\nlatency_us = 5\n")
    (shell.folder / "t.toml").write_text('[tasks]\nnames = ["advance"]\nns = [1000.0]\nns_per_byte = [0.0]\n')
    words = ("predict", "sod.toml", "--machine", "m.toml", "--sweep", "P=1:2:2", "--model", "bulk,dataflow")
    said = shell.succeed(*words, "--times", "t.toml")
    assert said.count("regrids are left out") == 1 and "a regrid" not in said, said
    said = shell.succeed(*words, "--times", "t.toml", "regrid.interval=0")
    assert "regrids" not in said, said


def tune_refuses_a_start_that_is_none(shell: Shell) -> None:
    (shell.folder / "m.toml").write_text("[network]\nlatency_us = 5\n")
    words = ["tune", "sod.toml", "--machine", "m.toml", "--cores", "1", "problem.name=uniform", "problem.pressure=1e308"]
    code, said = shell.run(words)
    assert code == BAD_REQUEST and "initial state" in said, (code, said)


def trace_is_written_if_its_step_is_reached(shell: Shell) -> None:
    assert "a/trace.pftrace" in shell.succeed(*SOD, TRACED, "--out", "a")
    shell.succeed(*SOD, "trace.steps=[9,10]", "--out", "b")
    assert b"advance" in (shell.folder / "a/trace.pftrace").read_bytes()
    assert not (shell.folder / "b/trace.pftrace").exists()


def no_steps_make_one_plotfile(shell: Shell) -> None:
    assert "0 steps" in shell.succeed("run", "sod.toml", "time.max_steps=0")
    assert [path.name for path in (shell.folder / "sod").iterdir()] == ["plt00000"]


FUNCTIONS: list[Callable[[Shell], None]] = [
    params_lists_every_parameter,
    calibrate_writes_a_machine_that_predict_reads,
    predict_writes_a_timeline_that_trace_reads,
    predict_says_once_that_times_know_nothing_of_regrids,
    tune_refuses_a_start_that_is_none,
    trace_is_written_if_its_step_is_reached,
    no_steps_make_one_plotfile,
]
MODULES = [doctor_cases, output_cases, people_cases, plotfile_cases, predict_cases, restart_cases, safety_cases, trace_cases]
COMMANDS |= {name: command for module in MODULES for name, command in module.COMMANDS.items()}
FUNCTIONS += [function for module in MODULES for function in module.FUNCTIONS]
CASES = {name: lambda shell, c=command: check(c, shell) for name, command in COMMANDS.items()}
CASES |= {function.__name__: function for function in FUNCTIONS}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the names of all cases")
    parser.add_argument("case", nargs="?", choices=CASES)
    for name in ["--program", "--mpiexec", "--decks", "--work"]:
        parser.add_argument(name)
    options = parser.parse_args()
    if options.list:
        print(";".join(CASES), end="")
        return 0
    folder = Path(options.work) / options.case
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(options.decks, folder)
    CASES[options.case](Shell(options.program, options.mpiexec, folder))
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
