#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare what a task costs where a program of someone else keeps a core busy.

bench: an empty task of a 64 x 64 stencil on 2 threads while others use all cores but one, in Thalweg, Taskflow and oneTBB

A worker may lose its core in the middle of anything, for milliseconds. A sample is the best of many slices.
"""

import json
import multiprocessing
import os
from collections import defaultdict

from programs import available, build, print_table, run
from turns import ratio, result, there_and_back

N_REPETITIONS = 5
OURS = "Thalweg"
PROGRAMS = {OURS: "thalweg", "Taskflow": "taskflow", "oneTBB": "tbb"}
DEPENDENCIES = (1, 3, 7)


def burn():
    while True:
        pass


def main():
    build()
    programs = available(PROGRAMS)
    n_burners = max(1, (os.cpu_count() or 2) - 1)  # all cores but one
    burners = [multiprocessing.Process(target=burn, daemon=True) for _ in range(n_burners)]
    for burner in burners:
        burner.start()
    samples = defaultdict(list)
    for turn in range(N_REPETITIONS):
        for dependencies in DEPENDENCIES:
            for name, program in there_and_back(programs.items(), turn):
                samples[dependencies, name] += run(name, program, 2, dependencies)
    for burner in burners:
        burner.terminate()

    results = []
    rows = []
    for name in programs:
        row = [name]
        for dependencies in DEPENDENCIES:
            label = f"{dependencies} dependencies, cores busy: {name}"
            over_ours = ratio(f"{label} / {OURS}", samples[dependencies, name], samples[dependencies, OURS])
            results.append(result(label, samples[dependencies, name], "ns"))
            row.append(f"{results[-1]['value']:.0f} ({over_ours['value']:.3g}x)")
            if name != OURS:
                results.append(over_ours)
        rows.append(row)
    print_table(["ns a task", *(f"{d} dep" for d in DEPENDENCIES)], rows)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
