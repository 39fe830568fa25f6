# SPDX-License-Identifier: MIT
"""What the studies share: the program, the time of miniAMR, turns, and tables beside published ones."""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

from release import build_release

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "thalweg"

# A published input, scaled down, in runs of some seconds on two cores: shorter ones spread by 20 %. As many refinements a
# timestep as published.
INPUT = "--preset four_spheres --scaled --num_vars 4 --num_tsteps 20 --report_perf 4".split()


def build():
    """Build the program in the release preset."""
    build_release("thalweg")


def total_time(n_ranks, options):
    """The total time that a run reports, refinement included [s]."""
    command = ["mpirun", "-n", str(n_ranks), PROGRAM, "miniamr", *INPUT, *map(str, options)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return float(re.search(r"^Summary: .* time ([0-9.]+) ", printed, re.MULTILINE).group(1))


def take_turns(run, variants, n_repetitions):
    """What runs of all variants {key: arguments of run} give, which take turns: {key: [run(*arguments)]}.

    The first turn warms up and does not count. Every other turn goes backwards, so that what slows the machine down for a
    while, or grows, is not always with the same variant.
    """
    runs = defaultdict(list)
    for turn in range(n_repetitions + 1):
        for key in variants if turn % 2 == 0 else reversed(variants):
            done = run(*variants[key])
            if turn > 0:
                runs[key].append(done)
    return runs


def ratio(metric, over, under):
    """One result: the ratios of runs of one turn, as bench/run wants them."""
    ratios = [a / b for a, b in zip(over, under)]
    return {"metric": metric, "unit": "", "value": median(ratios), "low": min(ratios), "high": max(ratios)}


def show(header, rows, results):
    """Print a table for people, and the results for bench/run."""
    for row in [header, *rows]:
        print(*row, sep="\t", file=sys.stderr)
    print(json.dumps(results, indent=1))
