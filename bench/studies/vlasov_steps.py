#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show what the published steps of Vlasov-Poisson, from loops to tasks, gain as settings of one recording.

bench: Vlasov-Poisson's published variants as ratios to its loops, 2 ranks x 1 thread, without and with latency

Published (Richard, Latu and Bouzat 2018): seconds of 1,000 steps of 8192^2 points on 16 and 32 nodes of Knights Landing, one run
each. How blocking loops compare is published for many nodes only: 1.67 times as long as the last tasks on one machine, 1.38
on another. Here: 2048^2 points, and latency injected into messages for what many nodes wait; ratios beside the published ones.
On two ranks both decompositions cut along v, so a variant with `blocks` differs from the same one with `v` by noise alone: their
gain is that of many ranks. Tasks at first were submitted in each step; here every variant replays a graph.
"""

from statistics import median

from studies import build, show
from turns import ratio, take_turns
from vlasov import seconds

N_REPETITIONS = 5
LATENCIES_US = [0, 500]

IN_ROWS, IN_BLOCKS = "vlasov.decomposition=v", "vlasov.decomposition=blocks"
NO_PRIORITIES, BORDER_FIRST = "vlasov.priorities=none", "vlasov.tile_order=border"
VARIANTS = {
    "blocking loops": ["run.model=bulk", IN_ROWS],
    "loops": ["run.model=forkjoin", IN_ROWS],
    "tasks": ["run.model=dataflow", IN_ROWS, NO_PRIORITIES],
    "loops, 2-D": ["run.model=forkjoin", IN_BLOCKS],
    "tasks, 2-D": ["run.model=dataflow", IN_BLOCKS, NO_PRIORITIES],
    "tasks, border in order": ["run.model=dataflow", IN_BLOCKS, NO_PRIORITIES, BORDER_FIRST],
    "tasks, MPI with priorities": ["run.model=dataflow", IN_BLOCKS, BORDER_FIRST],
}
# Of a number of nodes: the variant that others are compared with, and published seconds.
PUBLISHED = {
    16: ("loops", {"loops": 20.21, "tasks": 26.03, "loops, 2-D": 10.73, "tasks, 2-D": 10.87}),
    32: (
        "loops, 2-D",
        {"loops, 2-D": 6.37, "tasks, 2-D": 6.45, "tasks, border in order": 6.31, "tasks, MPI with priorities": 6.03},
    ),
}


def published_ratio(name, n_nodes):
    base, times = PUBLISHED[n_nodes]
    return f"{times[base] / times[name]:.2f}" if name in times else "-"


def main():
    build()
    variants = {
        (name, us): (2, [*settings, f"run.latency_us={us}"]) for us in LATENCIES_US for name, settings in VARIANTS.items()
    }
    times = take_turns(seconds, variants, N_REPETITIONS)
    results, rows = [], []
    for name, us in variants:
        row = [us, name, f"{median(times[name, us]):.3f}"]
        for base, n_nodes in [("blocking loops", None), *((base, n) for n, (base, _) in PUBLISHED.items())]:
            result = ratio(f"{base} over {name}, {us} us", times[base, us], times[name, us])
            results.append(result)
            row += [f"{result['value']:.2f}", *([published_ratio(name, n_nodes)] if n_nodes else [])]
        rows.append(row)
    for name in VARIANTS:
        results.append(ratio(f"{name}: {LATENCIES_US[-1]} us over none", times[name, LATENCIES_US[-1]], times[name, 0]))
    header = ("us", "variant", "seconds", "blocking loops over it", "loops over it", "published, 16 nodes")
    show((*header, "loops, 2-D over it", "published, 32 nodes"), rows, results)


if __name__ == "__main__":
    main()
