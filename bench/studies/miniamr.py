# SPDX-License-Identifier: MIT
"""What studies of miniAMR share: the input and its time."""

import re
import subprocess

from studies import PROGRAM

# A published input, scaled down, in runs of some seconds on two cores: shorter ones spread by 20 %. As many refinements a
# timestep as published.
INPUT = "--preset four_spheres --scaled --num_vars 4 --num_tsteps 20 --report_perf 4".split()


def run(n_ranks, options):
    """The total time that a run reports, refinement included, and that of refinement [s]."""
    command = ["mpirun", "-n", str(n_ranks), PROGRAM, "miniamr", *INPUT, *map(str, options)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    total, refinement = re.search(r"^Summary: .* time (\S+) .* refine (\S+)", printed, re.MULTILINE).groups()
    return float(total), float(refinement)


def total_time(n_ranks, options):
    return run(n_ranks, options)[0]


def time_without_refinement(n_ranks, options):
    total, refinement = run(n_ranks, options)
    return total - refinement
