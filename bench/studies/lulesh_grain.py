#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show what the grain of tasks, the window of cycles in flight, and latency do to LULESH.

bench: LULESH's time over the grain of tasks, with work, overhead and idle; over cycles in flight; over latency on 8 ranks

Published (Pereira et al., Fig. 2, 12 cores of an A64FX, -s 160): finer tasks are better, as threads idle less, and beat loops at 168
tasks a loop with two of three runtimes, with none at any grain with the third; on one core loops take 1.18 times as long as
tasks. Fig. 6 (-s 50, 12 tasks a loop): time is linear in the number of cycles with two runtimes and quadratic with the third.
There are no published distributed figures, as those programs hung. Here: -s 30 on two threads, and 8 ranks of -s 15 on two cores.
"""

import argparse
import re
import subprocess
from statistics import median

from studies import PROGRAM, build, show
from turns import ratio, take_turns

TASKS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
DEPTHS = [1, 2, 3, 7]
CYCLES = [50, 100, 200]
LATENCIES_US = [0, 50, 100, 500]
TIMES = re.compile(r"= ([0-9.]+) % work, ([0-9.]+) % overhead, ([0-9.]+) % idle")
ELAPSED = re.compile(r"\( *([0-9.e+-]+) overall\)")


def run(n_ranks, options):
    """Seconds of a run, and percent of work, overhead and idle."""
    command = ["mpirun", "-n", str(n_ranks), PROGRAM, "lulesh", "--times", *map(str, options)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return (float(ELAPSED.search(printed)[1]), *map(float, TIMES.search(printed).groups()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=5, help="runs of each variant that count")
    parser.add_argument("--cycles", type=int, default=50, help="of each run")
    arguments = parser.parse_args()
    build()
    threads = ["-s", 30, "--threads", 2]
    few = [*threads, "-i", arguments.cycles]
    ranks = ["-s", 15, "-i", arguments.cycles]
    variants = {("tasks", n): (1, [*few, "--tasks-element", n]) for n in TASKS}
    variants |= {("loops", n): (1, [*few, "--tasks-element", n, "--model", "forkjoin"]) for n in (2, 8)}
    variants |= {("regions", n): (1, [*few, "--tasks-element", n, "--element-work", "region"]) for n in (8, 32)}
    variants |= {("cycles in flight", n): (1, [*few, "--depth", n]) for n in DEPTHS}
    variants |= {("cycles", n): (1, [*threads, "-i", n]) for n in CYCLES}
    for us in LATENCIES_US:
        for model in ("forkjoin", "dataflow"):
            variants[f"{model}, latency [us]", us] = (8, [*ranks, "--model", model, "--latency", us])
    runs = take_turns(run, variants, arguments.turns)
    seconds = {key: [one[0] for one in done] for key, done in runs.items()}
    best = min((key for key in variants if key[0] == "tasks"), key=lambda key: median(seconds[key]))
    results = [ratio(f"{what} {n} over {best[1]} tasks", seconds[what, n], seconds[best])
               for what, n in variants if what in ("tasks", "loops", "regions")]
    results += [ratio(f"{n} cycles in flight over 2", seconds["cycles in flight", n], seconds["cycles in flight", 2])
                for n in DEPTHS]
    results += [ratio(f"{n} cycles over {CYCLES[0]}", seconds["cycles", n], seconds["cycles", CYCLES[0]]) for n in CYCLES]
    results += [
        ratio(f"{model}, 8 ranks: {us} us over 0", seconds[f"{model}, latency [us]", us], seconds[f"{model}, latency [us]", 0])
        for model in ("forkjoin", "dataflow")
        for us in LATENCIES_US
    ]
    rows = [(*key, *(f"{median(column):.3g}" for column in zip(*runs[key]))) for key in variants]
    show(("what", "", "seconds", "work %", "overhead %", "idle %"), rows, results)


if __name__ == "__main__":
    main()
