#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare how submission grows with the number of tasks that have not run yet.

bench: submitting a task (3 neighbours and one common datum read, one written) with 800 to 25,600 in flight

Ours is recording, capture and the end of the graph; OpenMP's is submission alone, 2 threads.
"""

import json

from programs import available, build, print_table, run
from turns import result, take_turns

N_REPETITIONS = 3
N_TASKS = [832, 1600, 3200, 6400, 12800, 25600]
PROGRAMS = {"Thalweg": "growth_thalweg", "libgomp": "growth_libgomp", "libomp": "growth_libomp"}


def main():
    build()
    programs = available(PROGRAMS)
    runs = take_turns(run, {name: (name, program, *N_TASKS) for name, program in programs.items()}, N_REPETITIONS)
    results = [result(f"{name}, {n} tasks", samples, "ns")
               for name, seen in runs.items() for n, samples in zip(N_TASKS, zip(*seen))]
    values = {r["metric"]: r["value"] for r in results}
    rows = [[name, *(f"{values[f'{name}, {n} tasks']:.0f}" for n in N_TASKS)] for name in programs]
    print_table(["ns a task, of", *(f"{n} tasks" for n in N_TASKS)], rows)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
