#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the factorisation in tiles with OpenBLAS's own, threaded, and with its dgemm.

bench: Cholesky's rate over that of OpenBLAS's dpotrf and of its dgemm: 1 thread, 2 threads, 2 ranks

All programs take turns; figures are quotients of rates of the same turn, each the best of some repetitions in a process of its
own; ours are those with the tiles whose median is best. The peers are called from Python in the library that `thalweg cholesky`
loads, with the same kernels.
"""

import argparse
import ctypes
import json
import os
import re
import subprocess
import sys
import time
from itertools import product
from operator import call
from pathlib import Path
from statistics import median

from release import build_release
from turns import ratio, result, take_turns

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "thalweg"
REPETITIONS = 3


def peer(routine, n):
    """The best rate [GF/s] of a routine on n rows, on as many threads as the environment says."""
    library = ctypes.CDLL("libopenblas.so.0")
    by_reference = lambda *values: [ctypes.byref(value) for value in values]  # as Fortran passes
    rows, info, one = ctypes.c_int(n), ctypes.c_int(), ctypes.c_double(1)
    count, seed, even = ctypes.c_int(n * n), (ctypes.c_int * 4)(1, 2, 3, 5), ctypes.c_int(2)
    a = (ctypes.c_double * (n * n))()
    b = (ctypes.c_double * (n * n if routine == "dgemm" else 1))()
    best = float("inf")
    for _ in range(REPETITIONS):
        library.dlarnv_(*by_reference(even), seed, *by_reference(count), a)
        for i in range(n):
            a[i * n + i] = n
        start = time.perf_counter()
        if routine == "dgemm":
            library.dgemm_(b"N", b"T", *by_reference(rows, rows, rows, one), a, *by_reference(rows), a,
                           *by_reference(rows, one), b, *by_reference(rows))
        else:
            library.dpotrf_(b"L", *by_reference(rows), a, *by_reference(rows, info))
        best = min(best, time.perf_counter() - start)
    if info.value != 0:
        sys.exit(f"error: info {info.value} of dpotrf (not 0, so nothing can be compared)")
    return (2 if routine == "dgemm" else 1 / 3) * n**3 / best * 1e-9


def rate_of_peer(routine, n, n_threads, core_type):
    """The same in a process of its own, as the library reads its environment once."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": str(n_threads)} | core_type
    command = [sys.executable, __file__, "--peer", routine, "--sizes", str(n)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return float(done.stdout)


def run_ours(n, tile, n_ranks, n_threads):
    """What our program prints of some factorisations."""
    words = ["cholesky", "--n", n, "--tile", tile, "--threads", n_threads, "--repeat", REPETITIONS]
    command = ["mpirun", "-n", n_ranks, PROGRAM, *words] if n_ranks > 1 else [PROGRAM, *words]
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=True).stdout


def rate_of_ours(*arguments):
    return max(map(float, re.findall(r"([0-9.]+) GF/s", run_ours(*arguments))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=5, help="runs of each program that count")
    parser.add_argument("--sizes", type=int, nargs="+", default=[4096, 8192], help="rows of the matrix")
    parser.add_argument("--tiles", type=int, nargs="+", default=[192, 256, 384], help="rows of a tile")
    parser.add_argument("--peer", choices=["dgemm", "dpotrf"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        print(peer(options.peer, options.sizes[0]))
        return
    build_release("thalweg")
    # The kernels that our program has chosen, for the peers too.
    kernels = re.search(r"NO_AFFINITY (\w+)", run_ours(64, 64, 1, 1))
    core_type = {"OPENBLAS_CORETYPE": kernels[1]} if kernels else {}

    variants = {}
    for n, n_threads in product(options.sizes, (1, 2)):
        for routine in ("dpotrf", "dgemm"):
            variants[n, n_threads, routine] = (rate_of_peer, routine, n, n_threads, core_type)
        for tile in options.tiles:
            variants[n, n_threads, tile] = (rate_of_ours, n, tile, 1, n_threads)
    for n, tile in product(options.sizes, options.tiles):
        variants[n, "2 ranks", tile] = (rate_of_ours, n, tile, 2, 1)
    rates = take_turns(call, variants, options.turns)

    results = []
    for n in options.sizes:
        ours = {how: max((rates[n, how, tile] for tile in options.tiles), key=median) for how in (1, 2, "2 ranks")}
        for n_threads in (1, 2):
            where = f"n = {n}, {n_threads} thread{'s' * (n_threads > 1)}"
            results.append(result(f"{where}: ours", ours[n_threads], "GF/s"))
            results += [ratio(f"{where}: ours / {routine}", ours[n_threads], rates[n, n_threads, routine])
                        for routine in ("dpotrf", "dgemm")]
        results.append(ratio(f"n = {n}: 2 ranks / 2 threads", ours["2 ranks"], ours[2]))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
