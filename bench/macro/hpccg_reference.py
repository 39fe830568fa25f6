#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare HPCCG with the reference program, on one and two cores.

bench: time of the reference HPCCG over ours, one thread and two cores; bytes that formats move over what can be read

Needs a copy of the reference's sources: THALWEG_HPCCG_REFERENCE=folder with its main.cpp (github.com/Mantevo/HPCCG). They are
compiled in build/bench with the options of this project, once plain and once with OpenMP. All programs take turns; figures are
quotients of times of the same turn, as the programs report them: of the solution, without the matrix. The roofline is what as many
threads read from memory at best in the same turn (bench_memory_bandwidth).
"""

import argparse
import json
import os
import re
import subprocess
import sys
from itertools import product
from operator import call
from pathlib import Path

from references import OPTIMISED
from release import build_release
from turns import ratio, result, take_turns

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "thalweg"
FOLDER = ROOT / "build" / "bench" / "hpccg_reference"
FLAGS = [*OPTIMISED, "-ffp-contract=off", "-DWALL"]
REFERENCES = {1: [], 2: ["-fopenmp", "-DUSING_OMP"]}  # by threads
OURS = {  # by what is compared
    "csr, bulk": ["--format", "csr", "--model", "bulk"],
    "csr": ["--format", "csr"],
    "sell": ["--format", "sell"],
    "sell, exact sums": ["--format", "sell", "--sums", "exact"],
    "no matrix": ["--format", "free"],
}


def build(sources):
    """Build all programs: ours in the release preset, as bench/run builds a benchmark."""
    build_release("thalweg", "bench_memory_bandwidth")
    quiet = {"stdout": sys.stderr, "check": True, "cwd": ROOT}
    FOLDER.mkdir(parents=True, exist_ok=True)
    for_mpi = ("HPC_Sparse_Matrix.cpp", "make_local_matrix.cpp", "exchange_externals.cpp")
    files = sorted(path for path in Path(sources).glob("*.cpp") if path.name not in for_mpi)
    for n_threads, options in REFERENCES.items():
        program = FOLDER / f"reference_{n_threads}"
        subprocess.run(["g++", *FLAGS, *options, *files, "-o", program], **quiet)


def run(command, n_threads):
    """What the report says of a run on so many cores: seconds, and GB/s of our counted bytes where there are."""
    words = ["taskset", "-c", ",".join(map(str, range(n_threads))), *command]
    environment = os.environ | {"OMP_NUM_THREADS": str(n_threads), "OMP_PROC_BIND": "true"}
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, cwd=FOLDER, env=environment)
    iterations = int(re.search(r"^Number of iterations: (\d+)", done.stdout, re.MULTILINE)[1])
    if iterations != 149:
        sys.exit(f"error: {iterations} iterations of {words} (not 149, so nothing can be compared)")
    bandwidth = re.search(r"^  GB/s of these bytes: (\S+)", done.stdout, re.MULTILINE)
    return float(re.search(r"^  Total   : (\S+)", done.stdout, re.MULTILINE)[1]), float(bandwidth[1]) if bandwidth else None


def rooflines():
    """GB/s that threads read from memory at best: {threads: rate}."""
    program = PROGRAM.with_name("bench_memory_bandwidth")
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True)
    best = {figure["metric"]: figure["high"] for figure in json.loads(done.stdout)}
    return {n: best[f"{threads(n)}, read"] for n in REFERENCES}


def threads(n):
    return f"{n} thread{'s' * (n > 1)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=5, help="runs of each program that count")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 150], help="points on each axis")
    options = parser.parse_args()
    sources = os.environ.get("THALWEG_HPCCG_REFERENCE")
    if not sources:
        sys.exit("error: THALWEG_HPCCG_REFERENCE is not set (there is nothing to compare with); see --help")
    build(sources)
    variants = {"roofline": (rooflines,)}
    for n, n_threads in product(options.sizes, REFERENCES):
        size = [str(n)] * 3
        variants[n, n_threads, "reference"] = (run, [FOLDER / f"reference_{n_threads}", *size], n_threads)
        for label, words in OURS.items():
            if n_threads == 1 or not label.endswith("bulk"):
                command = [PROGRAM, "hpccg", *size, *words, "--threads", str(n_threads)]
                variants[n, n_threads, label] = (run, command, n_threads)
    runs = take_turns(call, variants, options.turns)
    roofline = runs.pop("roofline")
    read = {n: [rates[n] for rates in roofline] for n in REFERENCES}
    results = [result(f"{threads(n)}: read from memory", rates, "GB/s") for n, rates in read.items()]
    for (n, n_threads, label), seen in runs.items():
        if label == "reference":
            theirs, _ = zip(*seen)
            continue
        where = f"{n}^3, {threads(n_threads)}, {label}"
        ours, bandwidths = zip(*seen)
        results.append(ratio(f"{where}: reference / ours", theirs, ours))
        results.append(ratio(f"{where}: counted bytes / roofline", bandwidths, read[n_threads]))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
