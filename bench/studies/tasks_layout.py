#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show what ranks and threads, who polls MPI, and priorities do to Cholesky, HPCCG and LULESH.

bench: time of Cholesky, HPCCG and LULESH over that of two threads: ranks x threads, who polls MPI, with and without priorities, latency

Published (Pereira et al., Fig. 4 and 5, 48 cores of an A64FX, Cholesky and HPCCG): one process with 48 threads is clearly worse than 2 x 24 and
4 x 12, which are alike; a thread of its own that polls makes one runtime much slower, and polling at scheduling points cures that; that tasks
which post messages go first has no significant effect on one node, but softens what the polling thread loses. LULESH hung. Here: 2 cores,
LULESH on 1 and 8 ranks, with and without latency added to each message.
"""

import argparse
import re
import subprocess
from itertools import product
from statistics import median

from studies import PROGRAM, ROOT, build, show
from turns import ratio, take_turns

FOLDER = ROOT / "build" / "bench"  # of the reports that HPCCG writes
POLICIES = {
    "idle workers": [],
    "idle workers, no priorities": ["--ignore-priorities"],
    "after each task": ["--progress", "task_boundary"],
    "a thread": ["--progress", "thread"],
    "a thread, no priorities": ["--progress", "thread", "--ignore-priorities"],
}
LATENCIES_US = [0, 200]
CHOLESKY = ["cholesky", "--n", 2048, "--tile", 128, "--repeat", 3]
PROGRAMS = {  # the options of so many ranks and threads, and where the seconds are in what is printed
    "cholesky": ({(1, 2): CHOLESKY, (2, 1): CHOLESKY, (4, 1): CHOLESKY}, r"factorised in ([0-9.]+) s"),
    "hpccg": (
        {(n, t): ["hpccg", 64, 64, 64 // n, "--max_iter", 50] for n, t in ((1, 2), (2, 1), (4, 1))},
        r"^  Total   : (\S+)",
    ),
    "lulesh": (
        {(1, 2): ["lulesh", "-s", 30, "-i", 20], (8, 1): ["lulesh", "-s", 15, "-i", 20]},
        r"\( *([0-9.e+-]+) overall\)",
    ),
}


def seconds(program, layout, policy, latency_us):
    """The best of what a run prints."""
    options, pattern = PROGRAMS[program]
    n_ranks, n_threads = layout
    words = [*options[layout], "--threads", n_threads, "--latency", latency_us, *POLICIES[policy]]
    command = ["mpirun", "-n", n_ranks, PROGRAM, *words]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=True, cwd=FOLDER)
    return min(map(float, re.findall(pattern, done.stdout, re.MULTILINE)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=5, help="runs of each variant that count")
    options = parser.parse_args()
    build()
    FOLDER.mkdir(parents=True, exist_ok=True)
    variants = [
        (program, layout, policy, us)
        for program, (layouts, _) in PROGRAMS.items()
        for layout, policy, us in product(layouts, POLICIES, LATENCIES_US)
        if layout[0] > 1 or us == 0  # one rank sends no messages
    ]
    times = take_turns(seconds, {variant: variant for variant in variants}, options.turns)
    results, rows = [], []
    for variant in variants:
        program, (n_ranks, n_threads), policy, us = variant
        name = f"{program}, {n_ranks} x {n_threads}, {policy}, {us} us"
        over = ratio(name, times[variant], times[program, (1, 2), "idle workers", 0])
        results.append(over)
        rows.append((name, f"{median(times[variant]):.4g}", f"{over['value']:.3f}"))
    show(("program, ranks x threads, who polls, latency", "seconds", "over two threads"), rows, results)


if __name__ == "__main__":
    main()
