#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare LULESH with the reference program, on one and two cores and on 8 ranks.

bench: speed of our LULESH over the reference's, as shipped and with temporaries that keep their memory; threads and 8 ranks

Needs a copy of the reference's sources: THALWEG_LULESH_REFERENCE=folder with its lulesh.cc (github.com/LLNL/LULESH). They are compiled in
build/bench with -O3 and OpenMP, and with MPI. The reference allocates its temporaries in each loop, and the C library gives large
ones back to the system at once; with three variables of the C library it keeps them, which is as good as to allocate them once.
All programs take turns; figures are quotients of what they report of the same turn, thousand zones a second.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

from release import build_release

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "thalweg"
FOLDER = ROOT / "build" / "bench" / "lulesh_reference"
FLAGS = ["-O3", "-DNDEBUG"]
KEEPS_MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": "4000000000",
    "MALLOC_TRIM_THRESHOLD_": "4000000000",
    "MALLOC_TOP_PAD_": "500000000",
}


def build(sources):
    """Build all programs: ours in the release preset, as bench/run builds a benchmark."""
    build_release("thalweg")
    quiet = {"stdout": sys.stderr, "check": True, "cwd": ROOT}
    FOLDER.mkdir(parents=True, exist_ok=True)
    files = sorted(Path(sources).glob("lulesh*.cc"))
    subprocess.run(["g++", *FLAGS, "-fopenmp", "-DUSE_MPI=0", *files, "-o", FOLDER / "openmp"], **quiet)
    subprocess.run(["mpicxx", *FLAGS, "-DUSE_MPI=1", *files, "-o", FOLDER / "mpi"], **quiet)


def speed(command, n_cores, environment):
    """Thousand zones a second of a run on so many cores."""
    words = ["taskset", "-c", ",".join(map(str, range(n_cores))), *map(str, command)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, cwd=FOLDER, env=os.environ | environment)
    return float(re.search(r"^FOM += +(\S+)", done.stdout, re.MULTILINE)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=5, help="runs of each program")
    parser.add_argument("--cycles", type=int, default=100, help="of each run")
    parser.add_argument("--sizes", type=int, nargs="+", default=[30, 45], help="elements along an edge")
    options = parser.parse_args()
    sources = os.environ.get("THALWEG_LULESH_REFERENCE")
    if not sources:
        sys.exit("error: THALWEG_LULESH_REFERENCE is not set (there is nothing to compare with); see --help")
    build(sources)
    figures = defaultdict(list)
    for turn in range(options.turns):
        for s in options.sizes:
            for n in (1, 2):
                words = ["-s", s, "-i", options.cycles]
                threads = {"OMP_NUM_THREADS": str(n), "OMP_PROC_BIND": "true"}
                runs = {
                    "shipped": ([FOLDER / "openmp", *words], n, threads),
                    "kept": ([FOLDER / "openmp", *words], n, threads | KEEPS_MEMORY),
                    "ours": ([PROGRAM, "lulesh", *words, "--threads", n], n, {}),
                }
                speeds = {who: speed(*of) for who, of in (runs.items() if turn % 2 == 0 else reversed(runs.items()))}
                ours = speeds["ours"]
                where = f"s = {s}, {n} thread{'s' * (n > 1)}"
                figures[f"{where}: over the reference"].append(ours / speeds["shipped"])
                figures[f"{where}: over one that keeps its memory"].append(ours / speeds["kept"])
                figures[f"{where}: kz/s"].append(ours)
        ranks = ["mpirun", "-n", 8]
        words = ["-s", 15, "-i", options.cycles]
        theirs = speed([*ranks, FOLDER / "mpi", *words], 2, {})
        ours = speed([*ranks, PROGRAM, "lulesh", *words], 2, {})
        figures["8 ranks of s = 15: over the reference"].append(ours / theirs)
        figures["8 ranks of s = 15: kz/s"].append(ours)
    results = [
        {"metric": name, "value": median(f), "unit": "kz/s" if "kz/s" in name else "", "low": min(f), "high": max(f)}
        for name, f in figures.items()
    ]
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
