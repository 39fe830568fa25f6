# SPDX-License-Identifier: MIT
"""What the studies of miniAMR share: the program, its time, and tables beside published ones."""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "thalweg"

# A published input, scaled down, in runs of about a second on two cores; two refinements after the first.
INPUT = "--preset four_spheres --scaled --num_vars 4 --num_tsteps 5 --refine_freq 2 --report_perf 4".split()


def build():
    """Build the program in the release preset, as bench/run builds a benchmark."""
    quiet = {"stdout": sys.stderr, "check": True, "cwd": ROOT}
    subprocess.run(["cmake", "--preset", "release", "-DTHALWEG_TESTS=OFF", "-DTHALWEG_BENCHES=ON"], **quiet)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "thalweg"], **quiet)


def total_time(n_ranks, *options):
    """The total time that a run reports, refinement included [s]."""
    command = ["mpirun", "-n", str(n_ranks), PROGRAM, "miniamr", *INPUT, *map(str, options)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return float(re.search(r"^Summary: .* time ([0-9.]+) ", printed, re.MULTILINE).group(1))


def take_turns(variants, n_repetitions):
    """Times of all variants {key: (ranks, options)}, which take turns: {key: [seconds]}."""
    seconds = defaultdict(list)
    for _ in range(n_repetitions):
        for key, (n_ranks, options) in variants.items():
            seconds[key].append(total_time(n_ranks, *options))
    return seconds


def ratio(metric, over, under):
    """One result: the ratios of runs of one turn, as bench/run wants them."""
    ratios = [a / b for a, b in zip(over, under)]
    return {"metric": metric, "unit": "", "value": median(ratios), "low": min(ratios), "high": max(ratios)}


def show(header, rows, results):
    """Print a table for people, and the results for bench/run."""
    for row in [header, *rows]:
        print(*row, sep="\t", file=sys.stderr)
    print(json.dumps(results, indent=1))
