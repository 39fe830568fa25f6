#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show how time, work, overhead and idling depend on the grain of tasks, for Cholesky and HPCCG.

bench: time with fine and coarse tasks over that of the best grain, and its work, overhead and idling: Cholesky, HPCCG

Published (dependent tasks over MPI on A64FX, Fig. 2, 12 threads): Cholesky, n = 16,384, 24 s with tiles of 176 to 320, 30 to 35 s
with few coarse tasks, worse with fine ones too, most of the variation being work; HPCCG, 216^3, best with the coarsest tasks, as
fast as loops, and finer ones cost overhead. Here: 1 rank, 2 threads, n = 2,048 and 80^3.
"""

import json
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from studies import PROGRAM, build, show
from turns import ratio, result, take_turns

N_TURNS = 5
GRAINS = {
    **{f"cholesky, tiles of {n}": ["cholesky", "--n", 2048, "--tile", n] for n in (16, 32, 64, 128, 256, 512, 1024)},
    **{
        f"hpccg, {n} blocks": ["hpccg", 80, 80, 80, "--max_iter", 30, "--blocks", n]
        for n in (2, 8, 32, 128, 512, 2048)
    },
}
PARTS = ("work", "overhead", "idle")


def run(words):
    """The time of a traced run and its parts, of a worker on average [s]."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.pftrace"
        command = [PROGRAM, *words, "--threads", 2, "--trace", trace]
        subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, check=True, cwd=folder)
        summary = [PROGRAM, "trace", "summary", trace, "--json"]
        told = json.loads(subprocess.run(summary, stdout=subprocess.PIPE, text=True, check=True).stdout)
    workers = told["workers"]
    mean = lambda of: 1e-9 * sum(map(of, workers)) / len(workers)
    return {
        "time": 1e-9 * told["wall_ns"],
        "work": mean(lambda w: w["work_ns"]),
        "overhead": mean(lambda w: w["overhead_ns"]),
        "idle": mean(lambda w: w["between_runs_ns"] + sum(w["idle_ns"].values())),
    }


def main():
    build()
    seen = take_turns(run, {name: (words,) for name, words in GRAINS.items()}, N_TURNS)
    times = {name: [found["time"] for found in runs] for name, runs in seen.items()}
    results, rows = [], []
    for program in ("cholesky", "hpccg"):
        names = [name for name in GRAINS if name.startswith(program)]
        best = min(names, key=lambda name: median(times[name]))
        for name in names:
            over_best = ratio(f"{name}: time over that of the best", times[name], times[best])
            parts = [result(f"{name}: {part}", [100 * found[part] / found["time"] for found in seen[name]], "%")
                     for part in PARTS]
            results += [over_best, *parts]
            rows.append((name, f"{median(times[name]):.4f}", f"{over_best['value']:.2f}", *(f"{p['value']:.1f}" for p in parts)))
    show(("grain", "seconds", "over the best", *(f"{part} %" for part in PARTS)), rows, results)


if __name__ == "__main__":
    main()
