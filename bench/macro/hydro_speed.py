#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Find how fast each scheme of the gas is as a whole program, and what data flow gains over bulk.

bench: zone updates a second and core of each gas scheme beside Athena++ and Castro; dataflow over bulk

A ball of hot gas in a periodic box: 64^3 cells in equal blocks, and three levels of blocks of 16^3 with ratio 2, on
one core. Where ATHENA and CASTRO name executables (hydro_codes.py says which) they run the same in turns with ours, there and back: the
same levels, sizes of blocks and jumps that are refined, subcycled but for Athena++, which steps all levels alike. Rates
are by processor time: ghost exchange, time step and regrids are included, but of each run that of one of two steps is
taken off, as the first ones touch memory for the first time.

Then the levels on 2 ranks with a thread each, 12 steps: the time of dataflow over that of bulk by the clock,
without latency and with 200 and 2,000 us added to each message; these take turns there and back. Arguments choose what to measure: names of schemes, or dataflow.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from dataclasses import replace

from hydro_codes import Ball, athena, castro, find, peers, thalweg
from release import build_release
from turns import ratio, result, there_and_back

LATENCIES_US = [0, 200, 2000]
GAS = {"energy": 0.1047, "pressure": 0.1, "radius": 0.1, "cfl": 0.3, "end": 1.0}  # a pressure of 10 in one of 0.1
BALLS = {
    "8^3": Ball(**GAS, cells=64, block=8, steps=20),
    "16^3": Ball(**GAS, cells=64, block=16, steps=20),
    "32^3": Ball(**GAS, cells=64, block=32, steps=20),
    "3 levels of 16^3": Ball(**GAS, cells=32, block=16, max_level=2, steps=10),
}

SCHEMES = {  # our options, and what Athena++ calls the same scheme or True for what Castro does
    "VL2 PLM HLLC": ("vl2 plm hllc", {"Athena++": ("vl2", 2)}),
    "VL2 PPM HLLC": ("vl2 ppm hllc", {"Athena++": ("vl2", 3)}),
    "RK2 PPM HLLC": ("rk2 ppm hllc", {"Athena++": ("rk2", 3)}),
    "RK3 PPM HLLC": ("rk3 ppm hllc", {"Athena++": ("rk3", 3)}),
    "RK3 PPM Roe": ("rk3 ppm roe", {}),
    "CTU PPM HLLC": ("ctu ppm_classic hllc", {}),
    "CTU PPM two-shock": ("ctu ppm_classic two_shock", {"Castro": True}),
}


def options(scheme):
    words = SCHEMES[scheme][0].split()
    return [f"hydro.{key}={word}" for key, word in zip(("scheme", "reconstruction", "riemann"), words)]


def run(code, program, scheme, ball):
    with tempfile.TemporaryDirectory() as folder:
        if code == "Thalweg":
            return thalweg(ball, options(scheme), folder)
        if code == "Athena++":
            return athena(program, ball, SCHEMES[scheme][1][code], folder)
        return castro(program, ball, folder)


def rate(code, program, scheme, ball):
    """Million zone updates a second."""
    steps, first = (run(code, program, scheme, b) for b in (ball, replace(ball, steps=2)))
    return 1e-6 * (steps.updates - first.updates) / (steps.cpu_s - first.cpu_s)


def speeds(schemes, turns):
    """All rates by (scheme, mesh, code), measured in turns."""
    programs = {"Thalweg": None, **peers()}
    rates = defaultdict(list)
    for turn in range(turns):
        for scheme in schemes:
            for mesh, ball in BALLS.items():
                for code, program in there_and_back(programs.items(), turn):
                    if code == "Thalweg" or code in SCHEMES[scheme][1]:
                        rates[scheme, mesh, code].append(rate(code, program, scheme, ball))
                        print(scheme, mesh, code, rates[scheme, mesh, code], sep=", ", file=sys.stderr)
    return rates


def gains(turns):
    """The time of dataflow over that of bulk by latency, measured in turns."""
    ball = replace(BALLS["3 levels of 16^3"], steps=12)
    variants = [(model, latency) for latency in LATENCIES_US for model in ("bulk", "dataflow")]
    rates = defaultdict(list)
    for turn in range(2 * turns):
        for model, latency in there_and_back(variants, turn):
            with tempfile.TemporaryDirectory() as folder:
                options = [f"run.model={model}", f"run.latency_us={latency}"]
                printed = thalweg(ball, options, folder, n_ranks=2).printed
            rates[model, latency].append(find(r"([0-9.]+) million per second", printed))
    return {us: (rates["bulk", us], rates["dataflow", us]) for us in LATENCIES_US}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="*", help="one or more of: " + ", ".join([*SCHEMES, "dataflow"]))
    parser.add_argument("--turns", type=int, default=3)
    chosen = parser.parse_args()
    what = chosen.what or [*SCHEMES, "dataflow"]
    if unknown := set(what) - {*SCHEMES, "dataflow"}:
        parser.error(f"{', '.join(unknown)}: not among what can be measured: {', '.join(SCHEMES)}, dataflow")
    build_release("thalweg")
    rates = speeds([scheme for scheme in SCHEMES if scheme in what], chosen.turns)
    results = [result(f"{s}, {mesh}, {code}", values, "million/s") for (s, mesh, code), values in rates.items()]
    for (scheme, mesh, code), theirs in rates.items():
        if code != "Thalweg":
            results.append(ratio(f"{scheme}, {mesh}: over {code}", rates[scheme, mesh, "Thalweg"], theirs))
    for latency, (bulk, dataflow) in (gains(chosen.turns) if "dataflow" in what else {}).items():
        results.append(ratio(f"time of dataflow over bulk, 2 ranks, 3 levels, {latency} us", bulk, dataflow))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
