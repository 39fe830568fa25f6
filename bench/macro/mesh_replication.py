#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Find what copying a hierarchy along the axes, a copy a rank, costs a rank.

bench: work and bytes a rank to regrid a hierarchy copied once a rank, on 1, 2 and 4 ranks over MPI

As codes are scaled by replication: what a rank does and holds must not grow. On one rank the copy has no neighbour; of
2 x 1 x 1 and 2 x 2 x 1 copies each has one and three, and that is what there is to grow. Work is processor time, so
four ranks on two cores count alike. Runs on all numbers of ranks take turns. The same on up to 8,192 virtual ranks:
bench/run mesh_metadata with copies=N.
"""

import json
import subprocess
from collections import defaultdict
from itertools import chain
from pathlib import Path

from release import build_release
from turns import result, take_turns

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "bench_mesh_replication_mpi"
N_REPETITIONS = 3
LEVEL = 5  # 8,884 leaves or 6,190 blocks a copy
RANKS = [1, 2, 4]


def told(mode, n_ranks):
    """The results of one run."""
    command = ["mpirun", "-n", str(n_ranks), PROGRAM, mode, str(LEVEL)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def main():
    build_release(PROGRAM.name)
    variants = {(mode, n): (mode, n) for mode in ("leaf", "nested") for n in RANKS}
    runs = take_turns(told, variants, N_REPETITIONS)
    samples = defaultdict(list)
    for each in chain.from_iterable(chain.from_iterable(runs.values())):
        samples[each["metric"], each["unit"]].append(each["value"])
    results = [result(metric, values, unit) for (metric, unit), values in samples.items()]
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
