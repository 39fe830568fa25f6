#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Find which models hide the latency of messages.

bench: time with 5 to 500 us of latency injected into every message over time without, 2 ranks, in each model

Two programs: Task Bench's stencil_1d (64 points, tasks of about 20 us), where a rank has some 600 us of work a
timestep to hide a message behind; and a small Sedov blast on two levels. Runs of all models and latencies take
turns; figures are relative to the median time of the same model without latency.
"""

import json
import re
import subprocess
import sys
import tempfile
from itertools import product
from operator import call
from pathlib import Path
from statistics import median

from release import build_release
from turns import result, take_turns

ROOT = Path(__file__).resolve().parents[2]
BINARIES = ROOT / "build" / "release" / "bin"
N_REPETITIONS = 3
LATENCIES_US = [0, 5, 50, 200, 500]
MODELS = ["bulk", "forkjoin", "phase", "dataflow"]
STENCIL = "-steps 100 -width 64 -type stencil_1d -kernel compute_bound -iter 8192 -repeat 2".split()
SEDOV = "mesh.root_blocks=[4,4,4] mesh.block_cells=8 mesh.max_level=1 regrid.interval=0 time.max_steps=60".split()


def run(*command):
    command = ["mpirun", "-n", "2", *map(str, command)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def time_stencil(model, latency_us):
    printed = run(BINARIES / "thalweg-taskbench", *STENCIL, "-model", model, "-latency", latency_us)
    return float(re.search(r"^Elapsed Time ([0-9.e+-]+)", printed, re.MULTILINE).group(1))


def time_sedov(model, latency_us):
    """The time of all steps, of which the program prints work and rate."""
    with tempfile.TemporaryDirectory() as folder:
        options = [f"output.folder={folder}/out", f"run.model={model}", f"run.latency_us={latency_us}"]
        printed = run(BINARIES / "thalweg", "run", ROOT / "apps/hydro/decks/sedov.toml", *SEDOV, *options)
    updates, rate = re.search(r"([0-9.]+) million zone updates, ([0-9.]+) million per second", printed).groups()
    return float(updates) / float(rate)


PROGRAMS = {"stencil": time_stencil, "Sedov": time_sedov}


def main():
    build_release("thalweg-taskbench", "thalweg")
    variants = {(name, model, us): (PROGRAMS[name], model, us) for name, us, model in product(PROGRAMS, LATENCIES_US, MODELS)}
    seconds = take_turns(call, variants, N_REPETITIONS)
    results = []
    for name in PROGRAMS:
        print(f"{name}, time over time without", *(f"{us} us" for us in LATENCIES_US), sep="\t", file=sys.stderr)
        for model in MODELS:
            without = median(seconds[name, model, 0])
            row = [result(f"{name}, {model}, {us} us", [s / without for s in seconds[name, model, us]]) for us in LATENCIES_US]
            results += row
            print(f"{name}, {model}", *(f"{r['value']:.2f}" for r in row), sep="\t", file=sys.stderr)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
