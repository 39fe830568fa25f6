#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare miniAMR with the reference program, on two cores.

bench: total and refinement time of the reference miniAMR, MPI on 2 ranks, over ours: the published inputs scaled down, and faster spheres

Needs a copy of the reference's MPI sources: THALWEG_MINIAMR_REFERENCE=folder with its Makefile (github.com/Mantevo/miniAMR,
folder ref). It is built in build/bench with the flags that this project is built with. All programs take turns; figures are
quotients of times of the same turn, as the programs report them: from the first refinement to the last timestep.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from references import OPTIMISED
from release import build_release
from turns import ratio, take_turns

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "thalweg"
REFERENCE = ROOT / "build" / "bench" / "miniamr_reference"
FLAGS = " ".join([*OPTIMISED, "-fopenmp-simd", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"])

MOVING = "--nx 12 --ny 12 --nz 12 --num_vars 40 --num_refine 3"
INPUTS = {  # blocks a rank at most, and the rest. These refine more often than the published inputs, as spheres are faster
    "one sphere": f"--max_blocks 600 {MOVING} --num_tsteps 6 --stages_per_ts 10 --refine_freq 3 --num_objects 1 "
    "--object 2 0 -.1 -.1 -.1 .08 .08 .08 .25 .25 .25 0 0 0",
    "four spheres": f"--max_blocks 1000 {MOVING} --num_tsteps 4 --stages_per_ts 10 --refine_freq 1 --block_change 1 --num_objects 4 "
    "--object 2 0 -.2 -.2 -.2 .08 .08 .08 .3 .3 .3 0 0 0 --object 2 0 1.2 1.2 -.2 -.08 -.08 .08 .3 .3 .3 0 0 0 "
    "--object 2 0 1.2 -.2 1.2 -.08 .08 -.08 .3 .3 .3 0 0 0 --object 2 0 -.2 1.2 1.2 .08 -.08 -.08 .3 .3 .3 0 0 0",
}
PRESETS = {"single_sphere": 1000, "four_spheres": 1000}  # the published inputs, scaled down: blocks a rank at most
DATAFLOW = {"--send_faces": 0, "--separate_buffers": 0, "--max_comm_tasks": 1}  # options of the data-flow variant: values
THEIRS = "reference, 2 ranks"
OURS = {  # ranks, options
    "bulk, 2 ranks": (2, ["--model", "bulk"]),
    "dataflow, 2 ranks": (2, ["--model", "dataflow", "--separate_buffers"]),
    "dataflow, 1 rank x 2 threads": (1, ["--model", "dataflow", "--threads", "2"]),
}


def build(sources):
    """Build both programs: ours in the release preset, as bench/run builds a benchmark."""
    build_release("thalweg")
    quiet = {"stdout": sys.stderr, "check": True, "cwd": ROOT}
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for path in Path(sources).iterdir():
        if path.suffix in (".c", ".h") or path.name == "Makefile":
            shutil.copy2(path, REFERENCE)
    subprocess.run(["make", "-C", REFERENCE, f"CFLAGS={FLAGS}"], **quiet)


def preset_options(help_text, name):
    """The options of a preset with --scaled, which --help lists, as the reference takes them."""
    lines = iter(help_text.splitlines())
    next(line for line in lines if line.split()[:1] == [name])
    words = []
    for line in lines:
        last = re.search(r"with --scaled, .* node and (.*)$", line)
        words += (last.group(1) if last else line).split()
        if last:
            break
    kept, skipped = [], 0
    for word in words:
        skipped = DATAFLOW[word] + 1 if word in DATAFLOW else skipped
        if skipped == 0:
            kept.append(word)
        skipped = max(0, skipped - 1)
    return " ".join(kept)


def inputs():
    """All inputs, by name, in the reference's options."""
    help_text = subprocess.run([PROGRAM, "miniamr", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    presets = {name: f"--max_blocks {n} {preset_options(help_text, name)}" for name, n in PRESETS.items()}
    return INPUTS | presets


def run(label, n_ranks, program, words):
    """What the last line of the report says: {"time": seconds, "refine": seconds, ...}."""
    layout = ["--npx", n_ranks, "--init_x", 2 // n_ranks, "--init_y", 2, "--init_z", 2, "--report_perf", 4]
    command = ["mpirun", "-n", n_ranks, *program, *words, *layout]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=True, cwd=REFERENCE)
    summary = re.search(r"^Summary: (.*)$", done.stdout, re.MULTILINE).group(1).split()
    told = {name: float(value) for name, value in zip(summary[::2], summary[1::2])}
    print(f"{label}: {told}", file=sys.stderr)
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=3, help="runs of each program and input that count")
    options = parser.parse_args()
    sources = os.environ.get("THALWEG_MINIAMR_REFERENCE")
    if not sources:
        sys.exit("error: THALWEG_MINIAMR_REFERENCE is not set (there is nothing to compare with); see --help")
    build(sources)
    variants = {}
    for name, words in inputs().items():
        variants[name, THEIRS] = (f"{name}: {THEIRS}", 2, [REFERENCE / "miniAMR.x"], words.split())
        for label, (n_ranks, how) in OURS.items():
            doubled = re.sub(r"(--max_blocks) (\d+)", lambda m: f"{m[1]} {int(m[2]) * 2 // n_ranks}", words)
            variants[name, label] = (f"{name}: {label}", n_ranks, [PROGRAM, "miniamr"], doubled.split() + how)
    runs = take_turns(run, variants, options.turns)
    results = []
    for (name, label), ours in runs.items():
        theirs = runs[name, THEIRS]
        if {told["blocks/ts"] for told in ours} != {told["blocks/ts"] for told in theirs}:
            sys.exit(f"error: {name}, {label}: other meshes than the reference's (nothing can be compared)")
        for what, metric in (("time", "total"), ("refine", "refinement")):
            if label != THEIRS:
                over, under = ([told[what] for told in seen] for seen in (theirs, ours))
                results.append(ratio(f"{name}: {metric}, {THEIRS} / {label}", over, under))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
