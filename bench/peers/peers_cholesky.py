#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the grain of Cholesky's tasks with that of other runtimes.

bench: Cholesky's rate with tiles of 32 to 512 rows, replayed, beside tasks that are submitted anew: libgomp, libomp, StarPU

Published (Pereira et al., Fig. 2, 12 cores of an A64FX, n = 16,384, the reference's BLAS): 24 s with tiles of 176 to 320 rows, 30 to 35 s with
few coarse ones, worse with fine ones too. All programs here take turns and call the same kernels of OpenBLAS, one thread a task; a
figure is the best of some factorisations in a process of its own, in GF/s.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from itertools import product
from operator import call
from statistics import median

from programs import ROOT, available, build, print_table, run
from turns import result, take_turns

PROGRAM = ROOT / "build" / "release" / "bin" / "thalweg"
PEERS = {"libgomp": "cholesky_libgomp", "libomp": "cholesky_libomp", "StarPU": "cholesky_starpu"}
TILES = [32, 48, 64, 96, 128, 192, 256, 384, 512]
ENOUGH = 0.9  # of a program's own best rate


def run_ours(n, tile, n_threads):
    command = [PROGRAM, "cholesky", "--n", n, "--tile", tile, "--threads", n_threads, "--repeat", 5]
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=True).stdout


def rate_of_ours(*arguments):
    return max(map(float, re.findall(r"([0-9.]+) GF/s", run_ours(*arguments))))


def rate_of_peer(*arguments):
    return run(*arguments)[0]


def build_all():
    build()
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "thalweg"], stdout=sys.stderr, check=True, cwd=ROOT)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=5, help="runs of each program and tile that count")
    parser.add_argument("--rows", type=int, default=1536, help="of the matrix, a multiple of all tiles")
    parser.add_argument("--tiles", type=int, nargs="+", default=TILES, help="rows of a tile")
    options = parser.parse_args()
    build_all()
    peers = available(PEERS)
    # The kernels that our program has chosen, for the others too.
    if kernels := re.search(r"NO_AFFINITY (\w+)", run_ours(64, 64, 1)):
        os.environ.setdefault("OPENBLAS_CORETYPE", kernels[1])
    variants = {}
    for n, tile in product((1, 2), options.tiles):
        variants["ours", n, tile] = (rate_of_ours, options.rows, tile, n)
        for name, program in peers.items():
            variants[name, n, tile] = (rate_of_peer, name, program, options.rows, tile, n)
    rates = take_turns(call, variants, options.turns)

    results, rows = [], []
    for n in (1, 2):
        threads = f"{n} thread{'s' * (n > 1)}"
        for name in ("ours", *peers):
            of_tiles = [rates[name, n, tile] for tile in options.tiles]
            best = max(map(median, of_tiles))
            enough = [tile for tile, rate in zip(options.tiles, of_tiles) if median(rate) >= ENOUGH * best]
            results += [result(f"{threads}, {name}, tiles of {tile}", rate, "GF/s")
                        for tile, rate in zip(options.tiles, of_tiles)]
            results.append(result(f"{threads}, {name}: smallest tile with 90 % of its best", [min(enough)], "rows"))
            rows.append((f"{name}, {threads}", *(f"{median(rate):.3g}" for rate in of_tiles), str(min(enough))))
    print_table(("GF/s", *map(str, options.tiles), "90 % from"), rows)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
