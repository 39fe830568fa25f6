#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show what the published steps of Vlasov-Poisson, from loops to tasks, gain as settings of one recording.

bench: Vlasov-Poisson's published variants as ratios to blocking loops, 2 ranks x 1 thread, without and with latency

Published (Richard, Latu and Bouzat 2018): 1,000 steps of 8192^2 points on Knights Landing. Initial loops 20.21 s and tasks
26.03 s on 16 nodes, 10.73 and 10.87 s with a decomposition in two dimensions, 6.37 and 6.03 s on 32 nodes at the end. How
blocking loops compare is published for many nodes only: 1.67 times as long as the last tasks on one machine, 1.38 on another.
Here: 2048^2 points, and latency injected into messages for what many nodes wait.
"""

import json
import subprocess
import tempfile
from statistics import median

from miniamr import PROGRAM, ROOT, build, ratio, show

N_REPETITIONS = 5
LATENCIES_US = [0, 500]
DECK = ROOT / "apps/vlasov/decks/published.toml"
SIZE = ["vlasov.cells=[2048, 2048]", "time.dt=9.2e-4", "time.max_steps=10", "run.log=json", "output.plot_time=1e9"]

# The published name: our settings, and the published seconds on 16 and on 32 nodes where there are any.
VARIANTS = {
    "blocking-forloop": (["run.model=bulk", "vlasov.decomposition=v"], None, None),
    "forloop-init": (["run.model=forkjoin", "vlasov.decomposition=v"], 20.21, None),
    "task-init": (["run.model=dataflow", "vlasov.decomposition=v"], 26.03, None),
    "forloop-last": (["run.model=forkjoin", "vlasov.decomposition=blocks"], 10.73, 6.37),
    "task-last": (["run.model=dataflow", "vlasov.decomposition=blocks"], 10.87, 6.03),
}


def seconds(settings, latency_us):
    """The time of the steps of a run, without start and output [s]."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["mpirun", "-n", "2", PROGRAM, "run", DECK, *SIZE, *settings, f"run.latency_us={latency_us}", "--out", folder, "--force"]
        printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    return sum(line["wall_s"] for line in lines if line["event"] == "step")


def main():
    build()
    results, rows = [], []
    for latency in LATENCIES_US:
        times = {name: [] for name in VARIANTS}
        for turn in range(N_REPETITIONS + 1):
            for name in VARIANTS if turn % 2 == 0 else reversed(VARIANTS):
                took = seconds(VARIANTS[name][0], latency)
                if turn > 0:
                    times[name].append(took)
        for name, (_, published_16, published_32) in VARIANTS.items():
            result = ratio(f"blocking-forloop over {name}, {latency} us", times["blocking-forloop"], times[name])
            results.append(result)
            rows.append((latency, name, f"{median(times[name]):.3f}", f"{result['value']:.2f}", published_16 or "-", published_32 or "-"))
    show(("us", "variant", "seconds", "blocking over it", "published s, 16 nodes", "32 nodes"), rows, results)


if __name__ == "__main__":
    main()
