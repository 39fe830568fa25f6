#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare LULESH over the grain of tasks with the published task version and the reference.

bench: LULESH's speed with 1 to 256 tasks a loop beside the published task version's, and the reference's; 1 and 2 threads

Needs the sources of both: THALWEG_LULESH_TASKS=folder (github.com/rpereira-dev/LULESH, with omp-task/lulesh.cc), which is compiled by clang
for libomp, and THALWEG_LULESH_REFERENCE=folder (github.com/LLNL/LULESH), compiled by g++, both with the optimisations that ours has. The
task version allocates its temporaries once, the reference in each loop.

Published (Pereira et al., Fig. 2 and 3, A64FX, -s 160): loops on one core take 1.18 times as long as tasks; on 12, finer tasks are better,
and beat loops at 168 tasks a loop. Here all programs take turns; figures are quotients of what they report of the same turn.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median

from references import OPTIMISED, build_lulesh
from studies import PROGRAM, ROOT, build, show
from turns import ratio, take_turns

FOLDER = ROOT / "build" / "bench" / "lulesh_tasks"
TASKS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
SPEED = re.compile(r"^:?FOM.*?([0-9][0-9.e+]*)(?: \(z/s\))?\s*$", re.MULTILINE)


def build_peers():
    """Build the programs to compare with, where their sources are; says which are not."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    peers = {}
    if sources := os.environ.get("THALWEG_LULESH_REFERENCE"):
        peers["reference"] = build_lulesh(sources, FOLDER / "reference", "-fopenmp", "-DUSE_MPI=0")
    clang = shutil.which("clang++-19") or shutil.which("clang++")
    if (sources := os.environ.get("THALWEG_LULESH_TASKS")) and clang:
        common = Path(sources) / "common"
        files = [*(common / f"lulesh-{part}.cc" for part in ("init", "util", "viz", "comm-cases")),
                 Path(sources) / "omp-task" / "lulesh.cc"]
        flags = ["-w", "-DUSE_MPI=0", "-DUSE_MPIX=0", "-DUSE_MPC=0", "-I", common, "-fopenmp=libomp"]
        subprocess.run([clang, *OPTIMISED, *flags, *files, "-o", FOLDER / "tasks"], check=True)
        peers["task version"] = FOLDER / "tasks"
    if missing := {"reference", "task version"} - peers.keys():
        print(f"Not found, so not compared with: {', '.join(sorted(missing))}; see --help", file=sys.stderr)
    return peers


def speed(command, n_threads):
    """Thousand zones a second of a run on so many cores."""
    words = ["taskset", "-c", ",".join(map(str, range(n_threads))), *map(str, command)]
    environment = os.environ | {"OMP_NUM_THREADS": str(n_threads), "OMP_PROC_BIND": "true"}
    printed = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, cwd=FOLDER, env=environment).stdout
    return float(SPEED.search(printed)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=5, help="runs of each variant that count")
    parser.add_argument("--cycles", type=int, default=50, help="of each run")
    parser.add_argument("--size", type=int, default=30, help="elements along an edge")
    options = parser.parse_args()
    build()
    peers = build_peers()
    problem = ["-s", options.size, "-i", options.cycles]
    variants = {}
    for n in (1, 2):
        if "reference" in peers:
            variants["reference", n, 0] = ([peers["reference"], *problem], n)
        for tasks in TASKS:
            grain = ["--tasks-element", tasks, "--tasks-node", tasks, "--threads", n]
            variants["ours", n, tasks] = ([PROGRAM, "lulesh", *problem, *grain], n)
            if "task version" in peers:
                variants["task version", n, tasks] = ([peers["task version"], *problem, "-tel", tasks, "-tnl", tasks], n)
    speeds = take_turns(speed, variants, options.turns)

    results = []
    for n in (1, 2):
        threads = f"{n} thread{'s' * (n > 1)}"
        best = {who: max((key for key in speeds if key[:2] == (who, n)), key=lambda key: median(speeds[key]))
                for who in ("ours", *peers)}
        for who in peers:
            results.append(ratio(f"{threads}: our best over the best of the {who}", speeds[best["ours"]], speeds[best[who]]))
        for who in best.keys() - {"reference"}:
            results += [ratio(f"{threads}, {who}, {tasks} tasks a loop: over its best", speeds[who, n, tasks], speeds[best[who]])
                        for tasks in TASKS]
    rows = [(who, n, tasks or "", f"{median(figures):.4g}") for (who, n, tasks), figures in speeds.items()]
    show(("program", "threads", "tasks a loop", "kz/s"), rows, results)


if __name__ == "__main__":
    main()
