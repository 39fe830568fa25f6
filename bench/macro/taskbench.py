#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Find the smallest tasks that Thalweg and MPI alone run with half of the machine's peak.

bench: METG(50 %) of Task Bench's stencil_1d and nearest, 1 rank x 2 threads and 2 ranks x 1 thread, beside MPI

The minimum effective task granularity is the least time a core spends on a task, overhead included, at which
the floating-point rate is still half the peak; 1000 timesteps, one task a core and timestep (Slaughter et al.,
SC20). The peak is the best rate of all runs. Runs of all programs take turns; a figure's value comes from
the median run of each task size, low and high from the best and the worst.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARIES = ROOT / "build" / "release" / "bin"
N_CORES = 2
N_REPETITIONS = 3
SECONDS = 0.5  # of timed runs in each program; the fastest counts, since others use the machine too
ITERATIONS = [2**k for k in range(12, 3, -1)]
PATTERNS = {"stencil_1d": ["-type", "stencil_1d"], "nearest, radix 5": ["-type", "nearest", "-radix", "5"]}
LAYOUTS = {
    "1 rank x 2 threads": [BINARIES / "thalweg-taskbench", "-threads", "2"],
    "2 ranks x 1 thread": ["mpirun", "-n", "2", BINARIES / "thalweg-taskbench"],
    "2 ranks, MPI alone": ["mpirun", "-n", "2", BINARIES / "bench_taskbench_mpi"],
}


def build():
    """Build both programs in the release preset, as bench/run builds a benchmark."""
    quiet = {"stdout": sys.stderr, "check": True, "cwd": ROOT}
    subprocess.run(["cmake", "--preset", "release", "-DTHALWEG_TESTS=OFF", "-DTHALWEG_BENCHES=ON"], **quiet)
    targets = ["thalweg-taskbench", "bench_taskbench_mpi"]
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", *targets], **quiet)


def run(command, pattern, iterations):
    """One run; (core seconds a task, FLOP/s)."""
    seconds_a_run = 1000 * (2e-9 * iterations + 3e-7)
    options = ["-steps", "1000", "-width", str(N_CORES), "-kernel", "compute_bound", "-iter", str(iterations)]
    options += ["-repeat", str(max(20, int(SECONDS / seconds_a_run)))]
    done = subprocess.run([*command, *pattern, *options], stdout=subprocess.PIPE, text=True, check=True)

    def figure(name):
        return float(re.search(rf"^{name} ([0-9.e+-]+)", done.stdout, re.MULTILINE).group(1))

    elapsed = figure("Elapsed Time")
    return elapsed * N_CORES / figure("Total Tasks"), figure("Total FLOPs") / elapsed


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


def main():
    build()
    runs = defaultdict(list)
    for _ in range(N_REPETITIONS):
        for pattern, options in PATTERNS.items():
            for iterations in ITERATIONS:
                for layout, command in LAYOUTS.items():
                    runs[pattern, layout, iterations].append(run(command, options, iterations))
    peak = max(rate for samples in runs.values() for _, rate in samples)
    results = [{"metric": "peak", "value": peak / 1e9, "unit": "GFLOP/s", "low": peak / 1e9, "high": peak / 1e9}]
    for pattern in PATTERNS:
        for layout in LAYOUTS:
            ranked = [sorted(runs[pattern, layout, i]) for i in ITERATIONS]
            best, median, worst = (
                metg([samples[n] for samples in ranked], peak) for n in (0, N_REPETITIONS // 2, N_REPETITIONS - 1)
            )
            label = f"METG(50 %), {pattern}, {layout}"
            if median is None or worst is None:
                print(f"{label}: some runs never reached half the peak: the machine is busy", file=sys.stderr)
            known = [1e6 * g for g in (best, median, worst) if g is not None]
            if known:
                low, high = known[0], known[-1]
                value = known[len(known) // 2]
                results.append({"metric": label, "value": value, "unit": "us", "low": low, "high": high})
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
