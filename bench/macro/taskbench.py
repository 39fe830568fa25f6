#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Find the smallest tasks that a program runs with half of the machine's peak.

bench: METG(50 %) of Task Bench's patterns on 2 or more cores: Thalweg, MPI alone, and the tasking runtimes that are installed

The minimum effective task granularity is the least time a core spends on a task, overhead included, at which
the floating-point rate is still half the peak; 1000 timesteps, one task a core and timestep (Slaughter et al.,
SC20). The peak is the best rate of all runs. Runs of all programs take turns, there and back; a figure's value comes
from the median run of each task size, low and high from the best and the worst, and a run is the fastest of its
program's own repetitions. A run that was left out, as that of larger tasks was slow, counts as one without any rate. Task Bench's scripts take the mean of five runs. Arguments choose patterns.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from math import inf
from pathlib import Path
from statistics import median

from release import build_release
from turns import result, there_and_back

ROOT = Path(__file__).resolve().parents[2]
BINARIES = ROOT / "build" / "release" / "bin"
N_REPETITIONS = 3
SECONDS = 0.15  # of timed runs in each program; the fastest counts, since others use the machine too
ITERATIONS = [2**k for k in range(14, 3, -1)]
LEFT_OUT = inf, 0.0  # granularity and rate of a run that was not made
HOPELESS = 0.3  # of the peak: smaller tasks of a program that reaches no more are not run
PATTERNS = {
    "stencil_1d": ["-type", "stencil_1d"],
    "nearest": ["-type", "nearest", "-radix", "5"],
    "fft": ["-type", "fft"],
    "tree": ["-type", "tree"],
    "random_nearest": ["-type", "random_nearest", "-radix", "5", "-period", "3"],
}
PEERS = {
    "Taskflow": "taskbench_taskflow",
    "oneTBB": "taskbench_tbb",
    "libgomp": "taskbench_libgomp",
    "libomp, turnaround": "taskbench_libomp",
    "StarPU": "taskbench_starpu",
}
# No more ranks than cores, so none yields; libomp would yield after every task; StarPU talks.
ENVIRONMENT = os.environ | {
    "OMPI_MCA_mpi_yield_when_idle": "0",
    "KMP_LIBRARY": "turnaround",
    "STARPU_SILENT": "1",
}


def layouts_on(n_cores):
    """The commands that use so many cores, by what is said of them."""
    ranks, threads = ["mpirun", "-n", str(n_cores)], ["-threads", str(n_cores)]
    ours = BINARIES / "thalweg-taskbench"
    layouts = {
        f"Thalweg, 1 rank x {n_cores} threads": [ours, *threads],
        f"Thalweg, {n_cores} ranks x 1 thread": [*ranks, ours],
        f"MPI alone, {n_cores} ranks": [*ranks, BINARIES / "bench_taskbench_mpi"],
    }
    return layouts | {name: [BINARIES / "peers" / program, *threads] for name, program in PEERS.items()}


def is_built(command):
    return all(part.exists() for part in command if isinstance(part, Path))


def run(command, pattern, iterations, n_cores):
    """One run; (core seconds a task, FLOP/s)."""
    seconds_a_run = 1000 * (2e-9 * iterations + 1e-6)
    options = ["-steps", "1000", "-width", str(n_cores), "-kernel", "compute_bound", "-iter", str(iterations)]
    options += ["-repeat", str(max(5, int(SECONDS / seconds_a_run)))]
    done = subprocess.run(
        [*command, *pattern, *options], stdout=subprocess.PIPE, text=True, check=True, env=ENVIRONMENT
    )

    def figure(name):
        return float(re.search(rf"^{name} ([0-9.e+-]+)", done.stdout, re.MULTILINE).group(1))

    elapsed = figure("Elapsed Time")
    return elapsed * n_cores / figure("Total Tasks"), figure("Total FLOPs") / elapsed


def run_all(patterns, layouts, n_cores):
    """All runs, in turns: {(pattern, layout): {iterations: [(granularity, rate), ...]}}."""
    runs = defaultdict(lambda: defaultdict(list))
    peak = 0
    for turn in range(N_REPETITIONS):
        for pattern in patterns:
            hopeless = set()
            for iterations in ITERATIONS:
                for layout in there_and_back(layouts, turn):
                    samples = runs[pattern, layout]
                    if layout in hopeless:
                        continue
                    samples[iterations].append(run(layouts[layout], PATTERNS[pattern], iterations, n_cores))
                    rate = median(rate for _, rate in samples[iterations])
                    peak = max(peak, rate)
                    if rate < HOPELESS * peak and iterations < 2**12:
                        hopeless.add(layout)
    return runs


def metg(points, peak):
    """Least granularity with half the peak, on the line to the next smaller run; None: not reached."""
    ascending = sorted((granularity, rate / peak) for granularity, rate in points)
    for n, (granularity, efficiency) in enumerate(ascending):
        if efficiency < 0.5:
            continue
        if n == 0:
            return granularity
        below, less = ascending[n - 1]
        return below + (0.5 - less) / (efficiency - less) * (granularity - below)
    return None


def figure_of(label, samples, peak):
    """The result of one pattern and layout; None where its median runs never reached half the peak."""
    ranked = [sorted([*s, *[LEFT_OUT] * (N_REPETITIONS - len(s))]) for s in samples.values()]
    best, middle, worst = (metg([s[n] for s in ranked], peak) for n in (0, N_REPETITIONS // 2, N_REPETITIONS - 1))
    if worst is None:
        print(f"{label}: some runs never reached half the peak: the machine is busy", file=sys.stderr)
    if middle is None:
        return None
    low, value, high = (None if g is None else 1e6 * g for g in (best, middle, worst))
    return {"metric": label, "value": value, "unit": "us", "low": low, "high": high}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pattern", nargs="*", help=f"of {', '.join(PATTERNS)}; all unless given")
    parser.add_argument("--cores", type=int, default=2, help="cores that each program uses")
    options = parser.parse_args()
    patterns = options.pattern or list(PATTERNS)
    if unknown := [pattern for pattern in patterns if pattern not in PATTERNS]:
        parser.error(f"no pattern {unknown[0]!r}; there are {', '.join(PATTERNS)}")
    build_release("thalweg-taskbench", "bench_taskbench_mpi", "bench_peers")  # peers: those that can be built
    wanted = layouts_on(options.cores)
    layouts = {name: command for name, command in wanted.items() if is_built(command)}
    if missing := [name for name in wanted if name not in layouts]:
        print(f"Not found, so not compared with: {', '.join(missing)}; see bench/install-peers", file=sys.stderr)
    runs = run_all(patterns, layouts, options.cores)
    peak = max(rate for samples in runs.values() for s in samples.values() for _, rate in s)
    results = [result("peak", [peak / 1e9], "GFLOP/s")]
    for (pattern, layout), samples in runs.items():
        if found := figure_of(f"METG(50 %), {pattern}, {layout}", samples, peak):
            results.append(found)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
