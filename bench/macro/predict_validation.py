#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare predicted times a step with measured ones.

bench: predicted over measured time per step: five programs, 1 to 4 ranks, 1 and 2 threads, 0 to 2,000 us of injected latency, in each model

Programs without regrids. In each repetition `thalweg calibrate` measures messages and tasks' overheads; the times of tasks
are those of a traced run without latency, whose tasks share the memory as those of all runs of the layout do; then the runs of
all models and latencies take turns. The machine file gets the injected latency on top of the measured one; nothing is fitted. Says also how often the order
of the models is the same, of pairs that differ by more than a tenth. Layouts are those that have a core for each
thread. Arguments choose: names of programs, and layouts such as 2x2, of ranks and threads of each.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from itertools import combinations, product
from pathlib import Path
from statistics import median

from release import build_release
from turns import ratio, result, there_and_back

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("THALWEG", ROOT / "build" / "release" / "bin" / "thalweg")).resolve()
N_REPETITIONS = 3
N_STEPS = 40
N_CYCLES = 160  # of HPCCG and LULESH, whose times have their starts in them
LATENCIES_US = [0, 200, 2000]
MODELS = ["bulk", "forkjoin", "phase", "dataflow"]
N_CORES = len(os.sched_getaffinity(0))
LAYOUTS = [(r, t) for r, t in ((1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (4, 2)) if r * t <= N_CORES]  # ranks, threads of each
CUBES = (1, 8)  # numbers of ranks that LULESH runs on


def deck_ms(printed):
    """Milliseconds a step, from the work and rate that a run of N_STEPS steps prints."""
    updates, rate = re.search(r"([0-9.]+) million zone updates, ([0-9.]+) million per second", printed).groups()
    return 1e3 * float(updates) / float(rate) / N_STEPS


def miniamr_ms(printed):
    total, refining = re.search(r"Summary: .* time (\S+) .* refine (\S+)", printed).groups()
    return 1e3 * (float(total) - float(refining)) / N_STEPS


def hpccg_ms(printed):
    return 1e3 * float(re.search(r"Time Summary:\s+Total\s*: (\S+)", printed).group(1)) / N_CYCLES


def lulesh_ms(printed):
    return 1e-3 * 30**3 * float(re.search(r"Grind time \(us/z/c\) *= *(\S+) ", printed).group(1))


STEPS = ["regrid.interval=0", f"time.max_steps={N_STEPS}", "time.end=1e9"]
BOX = ["--nx", 12, "--ny", 12, "--nz", 12, "--num_vars", 20, "--stages_per_ts", 5, "--init_y", 4, "--init_z", 4]
# What reads the time per step of a program, and its words on so many ranks.
PROGRAMS = {
    "Sedov": (deck_ms, lambda _: ["apps/hydro/decks/sedov.toml", "mesh.root_blocks=[4,4,4]", "mesh.block_cells=8", "mesh.max_level=1", *STEPS]),
    "Vlasov": (deck_ms, lambda _: ["apps/vlasov/decks/published.toml", "vlasov.cells=[1024,1024]", *STEPS[1:]]),
    "miniAMR": (miniamr_ms, lambda ranks: ["miniamr", *BOX, "--npx", ranks, "--init_x", 4 // ranks, "--num_refine", 0, "--refine_freq", 0,
                                           "--num_tsteps", N_STEPS]),
    "HPCCG": (hpccg_ms, lambda ranks: ["hpccg", 64, 64, 64 // ranks, "--blocks", 16 // ranks, "--max_iter", N_CYCLES + 1]),
    "LULESH": (lulesh_ms, lambda _: ["lulesh", "-s", 30, "-i", N_CYCLES]),
}
# Of those that trace all steps otherwise.
WINDOWS = {"miniAMR": ["--trace_steps", 11, 31], "LULESH": ["--trace-cycles", 11, 31]}


def is_deck(words):
    return str(words[0]).endswith(".toml")


def call(*words, ranks=None, folder=ROOT):
    command = [] if ranks is None else ["mpirun", "-n", str(ranks)]
    command += [str(w) for w in (BINARY, *words)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder, timeout=600).stdout


def run(program, layout, model, latency_us, folder, *more):
    """Milliseconds a step."""
    (ranks, threads), (ms_of, words_on) = layout, PROGRAMS[program]
    words = words_on(ranks)
    if is_deck(words):
        return ms_of(call("run", *words, f"run.latency_us={latency_us}", f"run.threads={threads}", *more, "--model", model, "--out",
                          f"{folder}/out", "--force", ranks=ranks))
    latency = "--latency_us" if program == "miniAMR" else "--latency"
    return ms_of(call(*words, "--model", model, "--threads", threads, latency, latency_us, *more, ranks=ranks, folder=folder))


def predict(program, layout, machines, trace, folder):
    """Milliseconds a step by model and latency."""
    ranks, threads = layout
    out = Path(folder) / "predicted.json"
    on = [word for machine in machines for word in ("--machine", machine)]
    call("predict", *on, "--trace", trace, "--steps", N_STEPS, "--model", ",".join(MODELS), "--ranks", ranks, "--threads", threads, "-o", out, "--force",
         *PROGRAMS[program][1](ranks))
    return {(p["model"], float(p["machine"])): 1e-6 * p["step_ns"] for p in json.loads(out.read_text())["predictions"]}


def slower_machines(folder):
    """Files of this machine with each latency on top of its own, which is also their name."""
    call("calibrate", "-o", f"{folder}/machine.toml", ranks=2)
    head, memory = Path(f"{folder}/machine.toml").read_text().split("[memory]\n")
    own = re.match(r"latency_us = (\S+)", memory).group(1)
    for latency in LATENCIES_US:
        text = re.sub(r'name = ".*"', f'name = "{latency}"', head, count=1)
        text += "[memory]\n" + memory.replace(f"latency_us = {own}", f"latency_us = {float(own) + latency}", 1)
        Path(f"{folder}/{latency}.toml").write_text(text)
    return [f"{folder}/{latency}.toml" for latency in LATENCIES_US]


def traced(program, layout, folder):
    """The trace of a run, of some of its steps."""
    trace = Path(f"{folder}/{program}_{layout[0]}_{layout[1]}.pftrace")
    if is_deck(PROGRAMS[program][1](1)):
        run(program, layout, "dataflow", 0, folder, "trace.steps=[11, 31]")
        Path(f"{folder}/out/trace.pftrace").rename(trace)
    else:
        run(program, layout, "dataflow", 0, folder, "--trace", trace, *WINDOWS.get(program, []))
    return trace


def repeat(programs, layouts, turn, measured, predicted):
    """Measure and predict everything once."""
    with tempfile.TemporaryDirectory() as folder:
        machines = slower_machines(folder)
        for program in programs:
            for layout in layouts:
                if program == "LULESH" and layout[0] not in CUBES:
                    continue
                trace = traced(program, layout, folder)
                step_ms = predict(program, layout, machines, trace, folder)
                for latency, model in there_and_back(product(LATENCIES_US if layout[0] > 1 else [0], MODELS), turn):
                    if model == "bulk" and layout[1] > 1:
                        continue
                    key = program, layout, model, latency
                    predicted[key].append(step_ms[model, latency])
                    measured[key].append(run(program, layout, model, latency, folder))


def compared(label, measured_ms, predicted_ms):
    """The result of one row, which is also said: predicted over measured time, by repetition."""
    print(f"{label}\tmeasured {median(measured_ms):.3g} ms\tpredicted {median(predicted_ms):.3g} ms", file=sys.stderr)
    return ratio(label, predicted_ms, measured_ms)


def main():
    of_layouts = [word for word in sys.argv[1:] if re.fullmatch(r"\d+x\d+", word)]
    layouts = [tuple(map(int, word.split("x"))) for word in of_layouts] or LAYOUTS
    programs = [word for word in sys.argv[1:] if word not in of_layouts] or list(PROGRAMS)
    if unknown := [name for name in programs if name not in PROGRAMS]:
        sys.exit(f"error: no program {unknown[0]!r} (it cannot be run); there are {', '.join(PROGRAMS)}, and layouts such as 2x2")
    if "THALWEG" not in os.environ:
        build_release("thalweg")
    measured, predicted = defaultdict(list), defaultdict(list)
    for turn in range(N_REPETITIONS):
        repeat(programs, layouts, turn, measured, predicted)
    results = []
    for key, times in measured.items():
        program, (ranks, threads), model, latency = key
        results.append(compared(f"{program}, {ranks} x {threads}, {model}, {latency} us", times, predicted[key]))
    medians = [each["value"] for each in results]
    agree = total = 0
    for a, b in combinations(measured, 2):
        if (a[0], a[1], a[3]) != (b[0], b[1], b[3]):
            continue
        by_measure = median(measured[a]) / median(measured[b])
        if abs(by_measure - 1) > 0.1:
            total += 1
            agree += (median(predicted[a]) > median(predicted[b])) == (by_measure > 1)
    results.append(result("median over all", medians))
    within = sum(abs(each - 1) <= 0.1 for each in medians) / len(medians)
    results.append(result(f"within a tenth, of {len(medians)}", [within]))
    if total:
        results.append(result(f"order of models the same, of {total} pairs", [agree / total]))
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
