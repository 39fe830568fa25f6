#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare what a task costs in several runtimes.

bench: an empty task of a 64 x 64 stencil in Thalweg, Taskflow, oneTBB, OpenMP and StarPU, by threads and dependencies

Where a runtime has graphs that can be run again, one is built once and run again; else tasks are submitted in
each run (with oneTBB both). Each program first checks that it runs each task once and in order. Programs take turns; a sample is
the best of many slices of one program's run.
"""

import argparse
import json
from collections import defaultdict
from itertools import product

from programs import available, build, print_table, run
from turns import ratio, result, there_and_back

N_REPETITIONS = 5
OURS = "Thalweg"
PROGRAMS = {
    OURS: "thalweg",
    "Taskflow": "taskflow",
    "oneTBB": "tbb",
    "oneTBB, submitted": "tbb_submitted",
    "libgomp": "libgomp",
    "libomp": "libomp",
    "libomp, turnaround": "libomp",
    "StarPU": "starpu",
}
DEPENDENCIES = (0, 1, 3, 7)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="numbers of threads, each compared by itself")
    cases = list(product(parser.parse_args().threads, DEPENDENCIES))
    build()
    programs = available(PROGRAMS)
    samples = defaultdict(list)
    for turn in range(N_REPETITIONS):
        for case in cases:
            for name, program in there_and_back(programs.items(), turn):
                samples[case, name] += run(name, program, *case)

    results = []
    for case in cases:
        for name in programs:
            label = f"{case[0]} threads, {case[1]} dependencies: {name}"
            results.append(result(label, samples[case, name], "ns"))
            if name != OURS:
                results.append(ratio(f"{label} / {OURS}", samples[case, name], samples[case, OURS]))
    values = {r["metric"]: r["value"] for r in results}
    rows = []
    for name in programs:
        row = [name]
        for threads, dependencies in cases:
            label = f"{threads} threads, {dependencies} dependencies: {name}"
            row.append(f"{values[label]:.0f} ({values.get(f'{label} / {OURS}', 1):.3g}x)")
        rows.append(row)
    print_table(["ns a task", *(f"{t} thr, {d} dep" for t, d in cases)], rows)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
