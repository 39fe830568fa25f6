#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show how far data flow hides the latency of miniAMR's messages.

bench: miniAMR's total time in bulk over that in dataflow, 2 ranks, as latency injected into messages grows

Published (Sala, Rico and Beltran, CLUSTER 2020): data flow is 1.5 times as fast as MPI alone at 128 and 256 nodes of 48 cores,
where messages wait for each other across the machine; here latency of messages stands for that.
"""

from statistics import median

from miniamr import total_time
from studies import build, show
from turns import ratio, take_turns

N_REPETITIONS = 7
LATENCIES_US = [0, 100, 500, 1000, 2000]


def main():
    build()
    variants = {
        (model, us): (2, ["--model", model, "--latency_us", us]) for us in LATENCIES_US for model in ("bulk", "dataflow")
    }
    seconds = take_turns(total_time, variants, N_REPETITIONS)
    results = [
        ratio(f"bulk over dataflow, {us} us", seconds["bulk", us], seconds["dataflow", us]) for us in LATENCIES_US
    ]
    rows = [
        (us, f"{median(seconds['bulk', us]):.2f}", f"{median(seconds['dataflow', us]):.2f}", f"{result['value']:.2f}")
        for us, result in zip(LATENCIES_US, results)
    ]
    show(("us", "bulk [s]", "dataflow [s]", "ratio (published: 1.5 at 128 and 256 nodes)"), rows, results)


if __name__ == "__main__":
    main()
