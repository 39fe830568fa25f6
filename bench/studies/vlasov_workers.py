#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show what more workers than cores do to Vlasov-Poisson.

bench: Vlasov-Poisson's time with 1, 2 and 4 workers over that with 2, one rank, loops and tasks

Stands in for hyper-threads, which this cannot show: published (Richard, Latu and Bouzat 2018, Fig. 10b) are up to 23 % (loops)
and 27 % (tasks) from two threads a core on few nodes, and nothing on many.
"""

from statistics import median

from studies import build, show
from turns import ratio, take_turns
from vlasov import seconds

N_REPETITIONS = 5
WORKERS = [1, 2, 4]


def main():
    build()
    variants = {
        (model, n): (1, [f"run.model={model}", f"run.threads={n}"]) for model in ("forkjoin", "dataflow") for n in WORKERS
    }
    times = take_turns(seconds, variants, N_REPETITIONS)
    results = [ratio(f"{model}, {n} workers over 2", times[model, n], times[model, 2]) for model, n in variants]
    rows = [(*key, f"{median(times[key]):.3f}", f"{result['value']:.2f}") for key, result in zip(variants, results)]
    show(("model", "workers", "seconds", "over 2 workers"), rows, results)


if __name__ == "__main__":
    main()
