#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare what a task costs in several runtimes.

bench: an empty task of a 64 x 64 stencil in Thalweg, Taskflow, oneTBB, OpenMP and StarPU, by threads and dependencies

Where a runtime has graphs that can be run again, one is built once and run again; else tasks are submitted in
each run (with oneTBB both). Each program first checks that it runs each task once and in order. Programs take turns; a sample is
the best of many slices of one program's run.
"""

import json
from collections import defaultdict

from programs import available, build, print_table, ratios, result, run

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
CASES = [(threads, dependencies) for threads in (1, 2) for dependencies in (0, 1, 3, 7)]


def main():
    build()
    programs = available(PROGRAMS)
    samples = defaultdict(list)
    for _ in range(N_REPETITIONS):
        for case in CASES:
            for name, program in programs.items():
                samples[case, name] += run(name, program, *case)

    results = []
    for case in CASES:
        for name in programs:
            label = f"{case[0]} threads, {case[1]} dependencies: {name}"
            results.append(result(label, "ns", samples[case, name]))
            if name != OURS:
                quotients = ratios(samples[case, name], samples[case, OURS])
                results.append(result(f"{label} / {OURS}", "", quotients))
    values = {r["metric"]: r["value"] for r in results}
    rows = []
    for name in programs:
        row = [name]
        for threads, dependencies in CASES:
            label = f"{threads} threads, {dependencies} dependencies: {name}"
            ratio = values.get(f"{label} / {OURS}", 1)
            row.append(f"{values[label]:.0f} ({ratio:.3g}x)")
        rows.append(row)
    print_table(["ns a task", *(f"{t} thr, {d} dep" for t, d in CASES)], rows)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
