#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show what the number of messages to a neighbour costs miniAMR under data flow.

bench: miniAMR's time without refinement with 1 to 16 or all messages to a neighbour over the least, 2 ranks; the paper's Table II

Published (Sala, Rico and Beltran, CLUSTER 2020, Table II): 612.5, 600.0, 594.9, 595.5, 597.8 and 627.5 s without refinement. Few
messages make tasks wait for each other, many cost themselves.
"""

from statistics import median

from miniamr import time_without_refinement
from studies import build, show
from turns import ratio, take_turns

N_REPETITIONS = 7
PUBLISHED_S = {"1": 612.5, "2": 600.0, "4": 594.9, "8": 595.5, "16": 597.8, "all": 627.5}


def main():
    build()
    variants = {
        name: (2, ["--model", "dataflow", "--latency_us", 50, "--max_comm_tasks", 0 if name == "all" else name])
        for name in PUBLISHED_S
    }
    seconds = take_turns(time_without_refinement, variants, N_REPETITIONS)
    best = min(seconds, key=lambda name: median(seconds[name]))
    results = [ratio(f"{name} messages", seconds[name], seconds[best]) for name in PUBLISHED_S]
    least = min(PUBLISHED_S.values())
    rows = [
        (name, f"{median(seconds[name]):.2f}", f"{result['value']:.3f}", f"{PUBLISHED_S[name] / least:.3f}")
        for name, result in zip(PUBLISHED_S, results)
    ]
    show(("messages", "without refinement [s]", f"over {best}", "published, over 4"), rows, results)


if __name__ == "__main__":
    main()
