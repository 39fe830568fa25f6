#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show what the published steps of Vlasov-Poisson, from loops to tasks, gain as settings of one recording.

bench: Vlasov-Poisson's published variants as ratios to blocking loops, 2 ranks x 1 thread, without and with latency

Published (Richard, Latu and Bouzat 2018): 1,000 steps of 8192^2 points on Knights Landing. Initial loops 20.21 s and tasks
26.03 s on 16 nodes, 10.73 and 10.87 s with a decomposition in two dimensions; then 6.37 and 6.45 s on 32 nodes, tasks 6.31 with
border tiles in order and 6.03 with MPI calls as tasks with priorities. How
blocking loops compare is published for many nodes only: 1.67 times as long as the last tasks on one machine, 1.38 on another.
Here: 2048^2 points, and latency injected into messages for what many nodes wait. On two ranks both decompositions
cut along v, so a variant with `blocks` differs from the same one with `v` by noise alone: their gain is that of many ranks.
"""

from statistics import median

from miniamr import build, ratio, show
from vlasov import take_turns

N_REPETITIONS = 5
LATENCIES_US = [0, 500]

# The published name: our settings, and the published seconds on 16 and on 32 nodes where there are any.
VARIANTS = {
    "blocking-forloop": (["run.model=bulk", "vlasov.decomposition=v"], "-", "-"),
    "forloop-init": (["run.model=forkjoin", "vlasov.decomposition=v"], 20.21, "-"),
    "task-init": (["run.model=dataflow", "vlasov.decomposition=v", "vlasov.priorities=none"], 26.03, "-"),
    "forloop-last": (["run.model=forkjoin", "vlasov.decomposition=blocks"], 10.73, 6.37),
    "task, 2-D": (["run.model=dataflow", "vlasov.decomposition=blocks", "vlasov.priorities=none"], 10.87, 6.45),
    "task, border order": (
        ["run.model=dataflow", "vlasov.decomposition=blocks", "vlasov.priorities=none", "vlasov.tile_order=border"],
        "-",
        6.31,
    ),
    "task-last": (
        ["run.model=dataflow", "vlasov.decomposition=blocks", "vlasov.priorities=messages", "vlasov.tile_order=border"],
        "-",
        6.03,
    ),
}


def main():
    build()
    variants = {
        (name, us): (2, [*settings, f"run.latency_us={us}"]) for us in LATENCIES_US for name, (settings, *_) in VARIANTS.items()
    }
    times = take_turns(variants, N_REPETITIONS)
    results, rows = [], []
    for name, us in variants:
        result = ratio(f"blocking-forloop over {name}, {us} us", times["blocking-forloop", us], times[name, us])
        results.append(result)
        rows.append((us, name, f"{median(times[name, us]):.3f}", f"{result['value']:.2f}", *VARIANTS[name][1:]))
    show(("us", "variant", "seconds", "blocking over it", "published s, 16 nodes", "32 nodes"), rows, results)


if __name__ == "__main__":
    main()
