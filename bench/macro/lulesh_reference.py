#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare LULESH with the reference program, on one and two cores and on 8 ranks.

bench: speed of our LULESH over the reference's, as shipped and with temporaries that keep their memory; threads and 8 ranks

Needs a copy of the reference's sources: THALWEG_LULESH_REFERENCE=folder with its lulesh.cc (github.com/LLNL/LULESH). They are compiled in
build/bench with OpenMP, and with MPI, with the optimisations that ours has. The reference allocates its temporaries in each loop, and
the C library gives large ones back to the system at once; with three variables of the C library it keeps them, which is as good as to
allocate them once.
All programs take turns; figures are quotients of what they report of the same turn, thousand zones a second.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

from references import build_lulesh
from release import build_release
from turns import ratio, result, take_turns

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "thalweg"
FOLDER = ROOT / "build" / "bench" / "lulesh_reference"
KEEPS_MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": "4000000000",
    "MALLOC_TRIM_THRESHOLD_": "4000000000",
    "MALLOC_TOP_PAD_": "500000000",
}


def build(sources):
    """Build all programs: ours in the release preset, as bench/run builds a benchmark."""
    build_release("thalweg")
    build_lulesh(sources, FOLDER / "openmp", "-fopenmp", "-DUSE_MPI=0")
    build_lulesh(sources, FOLDER / "mpi", "-DUSE_MPI=1", compiler="mpicxx")


def speed(command, n_cores, environment):
    """Thousand zones a second of a run on so many cores."""
    words = ["taskset", "-c", ",".join(map(str, range(n_cores))), *map(str, command)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, cwd=FOLDER, env=os.environ | environment)
    return float(re.search(r"^FOM += +(\S+)", done.stdout, re.MULTILINE)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=5, help="runs of each program that count")
    parser.add_argument("--cycles", type=int, default=100, help="of each run")
    parser.add_argument("--sizes", type=int, nargs="+", default=[30, 45], help="elements along an edge")
    options = parser.parse_args()
    sources = os.environ.get("THALWEG_LULESH_REFERENCE")
    if not sources:
        sys.exit("error: THALWEG_LULESH_REFERENCE is not set (there is nothing to compare with); see --help")
    build(sources)
    variants = {}
    for s, n in product(options.sizes, (1, 2)):
        where = f"s = {s}, {n} thread{'s' * (n > 1)}"
        words = ["-s", s, "-i", options.cycles]
        threads = {"OMP_NUM_THREADS": str(n), "OMP_PROC_BIND": "true"}
        variants[where, "the reference"] = ([FOLDER / "openmp", *words], n, threads)
        variants[where, "one that keeps its memory"] = ([FOLDER / "openmp", *words], n, threads | KEEPS_MEMORY)
        variants[where, "ours"] = ([PROGRAM, "lulesh", *words, "--threads", n], n, {})
    ranks, words = ["mpirun", "-n", 8], ["-s", 15, "-i", options.cycles]
    variants["8 ranks of s = 15", "the reference"] = ([*ranks, FOLDER / "mpi", *words], 2, {})
    variants["8 ranks of s = 15", "ours"] = ([*ranks, PROGRAM, "lulesh", *words], 2, {})
    speeds = take_turns(speed, variants, options.turns)
    results = []
    for (where, who), theirs in speeds.items():
        ours = speeds[where, "ours"]
        results.append(result(f"{where}: kz/s", ours, "kz/s") if who == "ours" else ratio(f"{where}: over {who}", ours, theirs))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
