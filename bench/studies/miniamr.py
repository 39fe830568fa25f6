# SPDX-License-Identifier: MIT
"""What the studies share: the program, the time of miniAMR, and tables beside published ones."""

import json
import re
import subprocess
import sys
from pathlib import Path

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


def show(header, rows, results):
    """Print a table for people, and the results for bench/run."""
    for row in [header, *rows]:
        print(*row, sep="\t", file=sys.stderr)
    print(json.dumps(results, indent=1))
