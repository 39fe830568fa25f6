#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show how miniAMR's total time depends on how cores are shared out between ranks and threads.

bench: speed of miniAMR in ranks x threads on up to 8 cores, over bulk with a rank a core; the kind of the paper's Table I

Published (Sala, Rico and Beltran, CLUSTER 2020): fork-join is at most 1.06, data flow 1.5 times as fast as a rank a core
(at 128 and 256 nodes).
"""

import os
from statistics import median

from miniamr import total_time
from studies import build, show
from turns import ratio, take_turns

N_REPETITIONS = 7
PUBLISHED = {"bulk": "1", "forkjoin": "1.06 at most", "phase": "", "dataflow": "1.5 at 128 and 256 nodes"}


def main():
    build()
    n_cores = 8
    while n_cores > os.cpu_count():
        n_cores //= 2
    shares = [(n, n_cores // n) for n in (1, 2, 4, 8) if n <= n_cores]
    variants = {("bulk", n_cores, 1): (n_cores, ["--model", "bulk"])}
    for n_ranks, n_threads in shares:
        for model in ("forkjoin", "phase", "dataflow"):
            variants[model, n_ranks, n_threads] = (n_ranks, ["--model", model, "--threads", n_threads])
    seconds = take_turns(total_time, variants, N_REPETITIONS)
    base = seconds["bulk", n_cores, 1]
    results = [ratio(f"{m}, {r} x {t}", base, seconds[m, r, t]) for m, r, t in variants]
    rows = [
        (model, f"{r} x {t}", f"{median(seconds[model, r, t]):.2f}", f"{result['value']:.2f}", PUBLISHED[model])
        for (model, r, t), result in zip(variants, results)
    ]
    show(("model", "ranks x threads", "total [s]", "speed over bulk", "published"), rows, results)


if __name__ == "__main__":
    main()
