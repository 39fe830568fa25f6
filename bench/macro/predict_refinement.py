#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the predicted time of a refinement of miniAMR with measured ones.

bench: predicted over measured time of a refinement of miniAMR: 1 and 2 ranks, 1 and 2 threads, in each model

The first refinement after the start, of four spheres that move. A run that ends with it says what all refinements and the one at the start
took; memory for all blocks is there before. `thalweg calibrate` describes this machine anew in each repetition, `thalweg predict` times
the tasks itself; nothing is fitted.
"""

import json
import os
import re
import tempfile
from collections import defaultdict
from pathlib import Path

from memory import have_memory
from predict_validation import LAYOUTS, MODELS, call, compared
from release import build_release

N_REPETITIONS = 5
SPHERES = [f".25 {y} {z} .03" for y, z in ((".25", ".25"), (".75", ".75"))] + [f".75 {y} {z} -.03" for y, z in ((".25", ".75"), (".75", ".25"))]
PROBLEM = "--nx 12 --ny 12 --nz 12 --num_vars 20 --num_refine 3 --block_change 1 --refine_freq 2 --stages_per_ts 1 --num_objects 4".split()
PROBLEM += [word for sphere in SPHERES for word in f"--object 2 0 {sphere} 0 0 .2 .2 .2 0 0 0".split()]


def words_on(ranks):
    return ["miniamr", *PROBLEM, "--npx", ranks, "--init_x", 2 // ranks, "--init_y", 2, "--init_z", 2, "--max_blocks", 3000 // ranks,
            "--num_tsteps", 2]


def measured_ms(layout, model, folder):
    ranks, threads = layout
    run = ["--model", model, "--threads", threads, "--report_perf", 4]
    have_memory(2 << 30)
    printed = call(*words_on(ranks), *run, ranks=ranks, folder=folder)
    every = re.search(r"Mesh Refinement\n-+\s+Time: ave, stddev, min, max \(sec\): (\S+)", printed).group(1)
    at_start = re.search(r"initial refine\s*: (\S+)", printed).group(1)
    return 1e3 * (float(every) - float(at_start))


def predicted_ms(layout, folder):
    """By model."""
    ranks, threads = layout
    out = Path(folder) / "predicted.json"
    call("predict", "--machine", f"{folder}/machine.toml", "--steps", 6, "--model", ",".join(MODELS), "--ranks", ranks, "--threads", threads,
         "-o", out, "--force", *words_on(ranks))
    return {p["model"]: 1e-6 * p["refinement"]["ns"] for p in json.loads(out.read_text())["predictions"]}


def main():
    if "THALWEG" not in os.environ:
        build_release("thalweg")
    measured, predicted = defaultdict(list), defaultdict(list)
    for _ in range(N_REPETITIONS):
        with tempfile.TemporaryDirectory() as folder:
            call("calibrate", "-o", f"{folder}/machine.toml", ranks=2)
            for layout in LAYOUTS:
                of_models = predicted_ms(layout, folder)
                for model in MODELS:
                    if model == "bulk" and layout[1] > 1:
                        continue
                    predicted[layout, model].append(of_models[model])
                    measured[layout, model].append(measured_ms(layout, model, folder))
    results = []
    for key, times in measured.items():
        (ranks, threads), model = key
        results.append(compared(f"refinement, {ranks} x {threads}, {model}", times, predicted[key]))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
