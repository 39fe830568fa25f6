#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Find how fast each scheme of the gas is as a whole program, and what data flow gains over bulk.

bench: zone updates a second and core of each gas scheme, uniform and adaptive, beside Athena++; dataflow over bulk

A blast in a periodic box of 64^3 cells, on one core: ghost exchange and time step are included, set-up is not. Where
ATHENA names an executable of Athena++ it runs the same box in turns with ours. Our rate is by the clock, that of
Athena++ by processor time: on a busy machine we look slower than we are. To build one:

    ./configure.py --prob blast --flux hllc --nghost 4 --cxx g++-simd && make

Then 3 levels of 16^3 blocks on 2 ranks with a thread each: the time of dataflow over that of bulk, without latency and with
200 us added to each message.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
THALWEG = ROOT / "build" / "release" / "bin" / "thalweg"
DECK = ROOT / "apps/hydro/decks/blast.toml"
N_REPETITIONS = 3
LATENCIES_US = [0, 200]
BOX = """mesh.dim=3 mesh.lower=[-0.5,-0.5,-0.5] mesh.upper=[0.5,0.5,0.5] problem.centre=[0,0,0] problem.radius=0.1
problem.velocity=[0,0,0] problem.pressure=0.1 problem.pressure_inside=10 problem.gamma=1.4
boundary.lower=['periodic','periodic','periodic'] boundary.upper=['periodic','periodic','periodic']
time.end=1 time.cfl=0.3""".split()
ADAPTIVE = "mesh.block_cells=16 mesh.root_blocks=[2,2,2] mesh.max_level=2 regrid.interval=4 time.max_steps=12".split()

SCHEMES = {  # the overrides of our deck, and what Athena++ calls the same scheme
    "VL2 PLM HLLC": (["hydro.scheme=vl2", "hydro.reconstruction=plm"], ("vl2", 2)),
    "VL2 PPM HLLC": (["hydro.scheme=vl2", "hydro.reconstruction=ppm"], ("vl2", 3)),
    "RK2 PPM HLLC": (["hydro.scheme=rk2", "hydro.reconstruction=ppm"], ("rk2", 3)),
    "RK3 PPM HLLC": (["hydro.scheme=rk3", "hydro.reconstruction=ppm"], ("rk3", 3)),
    "RK3 PPM Roe": (["hydro.scheme=rk3", "hydro.reconstruction=ppm", "hydro.riemann=roe"], None),
    "CTU PPM HLLC": (["hydro.scheme=ctu", "hydro.reconstruction=ppm_classic"], None),
    "CTU PPM two-shock": (["hydro.scheme=ctu", "hydro.reconstruction=ppm_classic", "hydro.riemann=two_shock"], None),
}

ATHENA_INPUT = """<job>
problem_id = Blast
<time>
cfl_number = 0.3
nlim = {steps}
tlim = 1.0
integrator = {integrator}
xorder = {order}
ncycle_out = 1000
<mesh>
{axes}
<meshblock>
nx1 = {block}
nx2 = {block}
nx3 = {block}
<hydro>
gamma = 1.4
<problem>
compute_error = false
pamb = 0.1
prat = 100.
radius = 0.1
"""


def run(command, folder=None):
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=True, cwd=folder).stdout


def seconds_and_updates(options, n_ranks=1):
    """The time of all steps, as the program prints it, and how many million zones they updated."""
    with tempfile.TemporaryDirectory() as folder:
        launch = ["mpirun", "-n", n_ranks] if n_ranks > 1 else []
        printed = run([*launch, THALWEG, "run", DECK, *BOX, *options, f"output.folder={folder}/out", "run.threads=1"])
    updates, rate = re.search(r"([0-9.]+) million zone updates, ([0-9.]+) million a second", printed).groups()
    return float(updates) / float(rate), float(updates)


def our_rate(scheme, options):
    seconds, updates = seconds_and_updates(SCHEMES[scheme][0] + options)
    return updates / seconds


def athena_rate(program, scheme, block, steps):
    integrator, order = SCHEMES[scheme][1]
    axes = "".join(
        f"nx{a} = 64\nx{a}min = -0.5\nx{a}max = 0.5\nix{a}_bc = periodic\nox{a}_bc = periodic\n" for a in (1, 2, 3)
    )
    with tempfile.TemporaryDirectory() as folder:
        text = ATHENA_INPUT.format(steps=steps, integrator=integrator, order=order, axes=axes, block=block)
        (Path(folder) / "in").write_text(text)
        printed = run([program, "-i", "in"], folder)
    return float(re.search(r"zone-cycles/cpu_second = ([0-9.e+]+)", printed).group(1)) * 1e-6


def uniform(block):
    return [f"mesh.block_cells={block}", f"mesh.root_blocks={[64 // block] * 3}".replace(" ", ""), "mesh.max_level=0"]


def speeds(athena):
    """All rates by (scheme, mesh, code), measured in turns."""
    rates = defaultdict(list)
    for _ in range(N_REPETITIONS):
        for scheme, (_, peer) in SCHEMES.items():
            for block in (16, 32):
                rates[scheme, f"{block}^3", "Thalweg"].append(our_rate(scheme, [*uniform(block), "time.max_steps=8"]))
                if athena and peer:
                    rates[scheme, f"{block}^3", "Athena++"].append(athena_rate(athena, scheme, block, 8))
            rates[scheme, "3 levels of 16^3", "Thalweg"].append(our_rate(scheme, ADAPTIVE))
    return rates


def gains():
    """The time of dataflow over that of bulk by latency, measured in turns."""
    seconds = defaultdict(list)
    for _ in range(N_REPETITIONS):
        for latency in LATENCIES_US:
            for model in ("bulk", "dataflow"):
                options = [*ADAPTIVE, f"run.model={model}", f"run.latency_us={latency}"]
                seconds[model, latency].append(seconds_and_updates(options, n_ranks=2)[0])
    return {us: [d / b for d, b in zip(seconds["dataflow", us], seconds["bulk", us])] for us in LATENCIES_US}


def row(metric, values, unit):
    return {"metric": metric, "value": median(values), "unit": unit, "low": min(values), "high": max(values)}


def main():
    quiet = {"stdout": sys.stderr, "check": True, "cwd": ROOT}
    subprocess.run(["cmake", "--preset", "release", "-DTHALWEG_TESTS=OFF", "-DTHALWEG_BENCHES=ON"], **quiet)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "thalweg"], **quiet)
    athena = os.environ.get("ATHENA")
    if not athena:
        print("ATHENA is not set: no figures of Athena++ (see the top of hydro_speed.py)", file=sys.stderr)
    rates = speeds(athena)
    results = [row(f"{s}, {mesh}, {code}", values, "million/s") for (s, mesh, code), values in rates.items()]
    for scheme, mesh, code in rates:
        if code == "Athena++":
            pairs = zip(rates[scheme, mesh, "Thalweg"], rates[scheme, mesh, code])
            results.append(row(f"{scheme}, {mesh}: over Athena++", [ours / theirs for ours, theirs in pairs], ""))
    for latency, ratios in gains().items():
        results.append(row(f"time of dataflow over bulk, 2 ranks, 3 levels, {latency} us", ratios, ""))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
