#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show how the time of Vlasov-Poisson depends on the size of tiles.

bench: Vlasov-Poisson's time with tiles of 16 to 512 points over that with 64, 2 ranks x 1 thread, dataflow

Published (Richard, Latu and Bouzat 2018, Fig. 10a): too few tiles cost more than too many, and 64 is a good compromise up to
128 nodes. A prototype's kernel alone, without tasks: 32 0.88 times as fast as 64, 128 1.01, 256 1.04, 512 1.11.
"""

from statistics import median

from studies import build, show
from turns import ratio, take_turns
from vlasov import seconds

N_REPETITIONS = 5
TILES = [16, 32, 64, 128, 256, 512]


def main():
    build()
    times = take_turns(seconds, {n: (2, [f"vlasov.tile=[{n}, {n}]"]) for n in TILES}, N_REPETITIONS)
    results = [ratio(f"tiles of {n} over tiles of 64", times[n], times[64]) for n in TILES]
    rows = [(n, f"{median(times[n]):.3f}", f"{result['value']:.2f}") for n, result in zip(TILES, results)]
    show(("tile", "seconds", "over that of 64"), rows, results)


if __name__ == "__main__":
    main()
