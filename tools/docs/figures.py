#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the figures of README.md anew: build/venv/bin/python tools/docs/figures.py PROGRAM

A blast as it is computed; a step in the four models, and speed-up over cores, as `thalweg predict` says they
are on a machine that a file describes, with times of tasks taken here.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from thalweg.plot_prediction import curves, read_predictions  # noqa: E402  (the path is needed first)
from thalweg.plot_slice import plot_slice  # noqa: E402
from thalweg.plot_timeline import Event, colours_of, draw_legend, draw_window, read_tasks  # noqa: E402
from thalweg.plotfile import last_plotfile  # noqa: E402
from thalweg.style import figure_in  # noqa: E402

FIGURES = ROOT / "docs/figures"
DECK = ROOT / "apps/hydro/decks/sedov_2d.toml"
MACHINE = ROOT / "bench/machines/marenostrum4.toml"
THREADS = {"bulk": 1, "forkjoin": 4, "phase": 4, "dataflow": 4}  # the first has one a rank
COLOURS = 128  # of the palette: a third of the bytes


def draw_blast(program: str, folder: Path) -> None:
    out = folder / "blast"
    subprocess.run([program, "run", DECK, "trace.steps=[]", "--quiet", "--out", out], check=True, stdout=subprocess.DEVNULL)
    plot_slice(last_plotfile(out), FIGURES / "blast.png")


def predict(program: str, n_blocks: int, *words: object) -> None:
    deck = [DECK, "mesh.max_level=2", f"mesh.root_blocks=[{n_blocks}, {n_blocks}]"]
    subprocess.run([program, "predict", *deck, "--machine", MACHINE, *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def period(events: list[Event]) -> tuple[int, tuple[int, int]]:
    """Give the first step of two, and from when to when it is: from the first cells advanced in it to those in the next."""
    steps = {e.step for e in events}
    first = {step: min(e.start for e in events if e.step == step and e.name.removesuffix(" joined") in ("predictor", "advance")) for step in steps}
    one, other = sorted(first)[:2]
    return one, (first[one], first[other])


def draw_timelines(program: str, folder: Path) -> None:
    times = folder / "times.json"  # of tasks: taken once, so that the models differ in nothing else
    predict(program, 8, "--ranks", 2, "--model", "bulk", "--save-times", times)
    steps = {}
    for model, threads in THREADS.items():
        trace = folder / f"{model}.pftrace"
        words = ["--ranks", 8 // threads, "--threads", threads, "--model", model]
        predict(program, 8, *words, "--times", times, "--timeline", trace)
        steps[model] = read_tasks(trace)
    draw_models(steps, FIGURES / "timelines.png")


def draw_models(steps: dict[str, tuple[list[Event], list[tuple[int, int]]]], output: Path) -> None:
    """Draw a step in each model. steps: tasks, and rank and number of each worker."""
    colours = colours_of([event for events, _ in steps.values() for event in events])
    longest = 0.0
    with figure_in(output, 10, 9) as figure:
        panels = figure.subplots(len(steps), 1, sharex=True)
        for (model, (events, rows)), axes in zip(steps.items(), panels, strict=True):
            step, (start, end) = period(events)
            share = draw_window(axes, events, rows, step, (start, end), colours, 1e-3)
            longest = max(longest, 1e-3 * (end - start))
            axes.set_title(f"{model}: {1e-3 * (end - start):.0f} us, workers in tasks {100 * share:.0f} % of the time")
        panels[-1].set(xlim=(0, longest), xlabel="time [us]")
        draw_legend(figure, colours)


def draw_scaling(program: str, folder: Path) -> None:
    file = folder / "sweep.json"
    predict(program, 16, "--sweep", "P=1:64:2", "--model", "bulk,dataflow", "-o", file)
    with figure_in(FIGURES / "scaling.png", 6, 4) as figure:
        axes = figure.subplots()
        for curve in curves(read_predictions([file])):
            axes.loglog(curve.cores, curve.speed_up, "o-", label=curve.name, base=2)
        axes.loglog(curve.cores, curve.cores, color="0.7", lw=0.8, zorder=0, label="ideal", base=2)
        axes.set(xlabel="cores", ylabel="speed-up", title="One step of a blast, a rank a core, as predicted")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
        axes.legend()


def main() -> int:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    FIGURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for draw in (draw_blast, draw_timelines, draw_scaling):
            draw(sys.argv[1], Path(folder))
    for name in ("blast", "timelines", "scaling"):
        file = FIGURES / f"{name}.png"
        Image.open(file).convert("RGB").quantize(COLOURS).save(file, optimize=True)
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
