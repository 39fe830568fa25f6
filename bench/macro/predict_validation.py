#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare predicted times a step with measured ones.

bench: predicted over measured time a step, 1 and 2 ranks, 0 to 2,000 us of injected latency, in each model

Two programs without regrids: a small Sedov blast on two levels, and advection of a pulse. In each repetition
`thalweg calibrate` measures messages and tasks' overheads, a traced run without latency on two ranks gives the times
of tasks, and the runs of all models and latencies take turns. The machine file gets the injected latency on top of
the measured one; nothing is fitted. Says also how often the order of the models is the same, of pairs that differ by
more than a tenth.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("THALWEG", ROOT / "build" / "release" / "bin" / "thalweg"))
N_REPETITIONS = 3
N_STEPS = 40
RANKS = [1, 2]
LATENCIES_US = [0, 200, 2000]
MODELS = ["bulk", "forkjoin", "phase", "dataflow"]
COMMON = ["regrid.interval=0", f"time.max_steps={N_STEPS}", "time.end=1e9"]
PROGRAMS = {
    "Sedov": ["apps/hydro/decks/sedov.toml", "mesh.root_blocks=[4,4,4]", "mesh.block_cells=8", "mesh.max_level=1"],
    "advection": ["apps/advection/decks/pulse.toml", "mesh.root_blocks=[8,8]", "mesh.block_cells=32",
                  "mesh.max_level=1"],
}


def build():
    """Build the program in the release preset, as bench/run builds a benchmark."""
    quiet = {"stdout": sys.stderr, "check": True, "cwd": ROOT}
    subprocess.run(["cmake", "--preset", "release", "-DTHALWEG_TESTS=OFF"], **quiet)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "thalweg"], **quiet)


def call(*words, ranks=None):
    command = [] if ranks is None else ["mpirun", "-n", str(ranks)]
    command += [str(w) for w in (BINARY, *words)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT, timeout=600).stdout


def measure(program, ranks, model, latency_us, folder, *more):
    """Milliseconds a step, from the work and rate that the program prints."""
    printed = call("run", *PROGRAMS[program], *COMMON, f"run.latency_us={latency_us}", *more, "--model", model,
                   "--out", folder, "--force", ranks=ranks)
    updates, rate = re.search(r"([0-9.]+) million zone updates, ([0-9.]+) million a second", printed).groups()
    return 1e3 * float(updates) / float(rate) / N_STEPS


def predict(program, machine, trace, latency_us, folder):
    """Milliseconds a step by ranks and model, on the machine with so much more latency."""
    text = Path(machine).read_text()
    head, memory = text.split("[memory]\n")
    own = re.match(r"latency_us = (\S+)", memory).group(1)
    slow = Path(folder) / "slow.toml"
    slow.write_text(head + "[memory]\n" + memory.replace(f"latency_us = {own}", f"latency_us = {float(own) + latency_us}", 1))
    out = Path(folder) / "predicted.json"
    call("predict", *PROGRAMS[program], *COMMON, "--machine", slow, "--trace", trace, "--steps", N_STEPS,
         "--model", ",".join(MODELS), "--sweep", f"P={RANKS[0]}:{RANKS[-1]}:2", "-o", out, "--force")
    found = json.loads(out.read_text())["predictions"]
    return {(p["ranks"], p["model"]): 1e-6 * p["step_ns"] for p in found}


def repeat(measured, predicted):
    """Measure and predict everything once."""
    with tempfile.TemporaryDirectory() as folder:
        machine = f"{folder}/machine.toml"
        call("calibrate", "-o", machine, ranks=2)
        for program in PROGRAMS:
            measure(program, 2, "dataflow", 0, f"{folder}/traced", "trace.steps=[11, 31]")
            for latency in LATENCIES_US:
                times = predict(program, machine, f"{folder}/traced/trace.pftrace", latency, folder)
                for ranks in RANKS:
                    for model in MODELS:
                        key = program, ranks, model, latency
                        predicted[key].append(times[ranks, model])
                        measured[key].append(measure(program, ranks, model, latency, f"{folder}/out"))


def main():
    if "THALWEG" not in os.environ:
        build()
    measured, predicted = defaultdict(list), defaultdict(list)
    for _ in range(N_REPETITIONS):
        repeat(measured, predicted)
    results, medians = [], []
    for key, times in measured.items():
        ratios = [p / m for p, m in zip(predicted[key], times)]
        medians.append(median(ratios))
        label = "{}, {} ranks, {}, {} us".format(*key)
        results.append({"metric": label, "unit": "", "value": medians[-1], "low": min(ratios), "high": max(ratios)})
        print(f"{label}\tmeasured {median(times):.3g} ms\tpredicted {median(predicted[key]):.3g} ms", file=sys.stderr)
    agree = total = 0
    for a, b in combinations(measured, 2):
        if (a[0], a[1], a[3]) != (b[0], b[1], b[3]):
            continue
        by_measure = median(measured[a]) / median(measured[b])
        if abs(by_measure - 1) > 0.1:
            total += 1
            agree += (median(predicted[a]) > median(predicted[b])) == (by_measure > 1)
    results.append({"metric": "median over all", "unit": "", "value": median(medians), "low": min(medians),
                    "high": max(medians)})
    order = agree / total if total else 1.0
    results.append({"metric": f"order of models the same, of {total} pairs", "unit": "", "value": order,
                    "low": order, "high": order})
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
