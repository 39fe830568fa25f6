# SPDX-License-Identifier: MIT
"""Draw what every worker did during one step, from a trace file."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from thalweg.style import figure_in
from thalweg.trace_file import TASK, read_trace

# Of matplotlib's ten colours those that are not grey, which is of all other tasks.
COLOURS = [f"tab:{name}" for name in "blue orange green red purple brown pink olive cyan".split()]
OTHER = (0.5, 0.5, 0.5)
PALE = 0.35  # of other steps
MOST_ROWS = 2000  # more are no picture


@dataclass(frozen=True)
class Event:
    """A task on a worker; times in nanoseconds."""

    rank: int
    worker: int
    name: str
    step: int
    start: int
    end: int


def read_tasks(path: str | Path) -> tuple[list[Event], list[tuple[int, int]]]:
    """Read the tasks of a trace, and the rank and number of each worker, in order."""
    trace = read_trace(path)
    tasks = []
    for track in trace.tracks:
        mine = track.only(track.kind == TASK)
        columns = zip(mine.name, mine.step.tolist(), mine.start.tolist(), mine.end.tolist(), strict=True)
        tasks += [Event(track.rank, track.worker, trace.names[n], *rest) for n, *rest in columns]
    if not tasks:
        raise ValueError(f"no tasks in {path}")
    return tasks, sorted((track.rank, track.worker) for track in trace.tracks)


def steps_of(events: list[Event]) -> list[int]:
    """Give the steps that tasks are of, in order; what is not of one, as the making of the mesh, has the number 0."""
    return sorted({event.step for event in events if event.step > 0}) or [0]


def middle_step(events: list[Event]) -> int:
    """Choose a step away from the first and the last, which are not typical."""
    steps = steps_of(events)
    return steps[len(steps) // 2]


def select(events: list[Event], step: int) -> tuple[list[Event], int, int]:
    """Give the events between the first start and the last end of a step, and those two times.

    Neighbouring steps overlap where nothing stops them, so theirs are in the picture as well.
    """
    steps = steps_of(events)
    if step not in steps:
        known = ", ".join(map(str, steps)) if len(steps) <= 10 else f"{steps[0]} to {steps[-1]}"
        raise ValueError(f"no tasks of step {step} (the trace has some of step{'s' * (len(steps) > 1)} {known}); choose one of these")
    mine = [event for event in events if event.step == step]
    start = min(event.start for event in mine)
    end = max(event.end for event in mine)
    if start == end:
        raise ValueError(f"tasks of step {step} take no time (there is nothing to draw); choose another step")
    return [event for event in events if event.start < end and event.end > start], start, end


def colours_of(events: list[Event]) -> dict[str, tuple]:
    """Give the nine tasks that take most time colours of their own, the longest first, and all others one."""
    time_of = Counter()
    for event in events:
        time_of[event.name] += event.end - event.start
    names = [name for name, _ in time_of.most_common(len(COLOURS))]
    colours = {name: to_rgb(colour) for name, colour in zip(names, COLOURS)}
    return colours | ({"other": OTHER} if len(time_of) > len(names) else {})


def draw_window(
    axes: Axes,
    events: list[Event],
    rows: list[tuple[int, int]],
    step: int,
    window: tuple[int, int],
    colours: dict[str, tuple],
    scale: float,
) -> float:
    """Draw what goes on between two times, in nanoseconds * scale; other steps are pale.

    rows: (rank, worker) of each row, also of those without a task there. Gives the share of the
    workers' time that is spent in tasks.
    """
    start, end = window
    position = {row: n for n, row in enumerate(rows)}
    spans = defaultdict(list)
    for event in events:
        left, right = max(event.start, start), min(event.end, end)
        if right <= left:
            continue
        key = event.name, event.step == step, position[event.rank, event.worker]
        spans[key].append(((left - start) * scale, (right - left) * scale))
    for (name, own, row), bars in spans.items():
        axes.broken_barh(bars, (row - 0.42, 0.84), facecolor=colours.get(name, OTHER), alpha=1 if own else PALE)
    axes.set(
        xlim=(0, (end - start) * scale),
        ylim=(len(rows) - 0.4, -0.6),
        yticks=range(len(rows)),
        yticklabels=[f"rank {rank} worker {worker}" for rank, worker in rows],
    )
    axes.tick_params(axis="y", labelsize=8, length=0)
    busy = sum(width for bars in spans.values() for _, width in bars) / scale
    return busy / ((end - start) * len(rows))


def draw_legend(figure: Figure, colours: dict[str, tuple]) -> None:
    """Say beside a figure which colour is which task."""
    handles = [Rectangle((0, 0), 1, 1, color=colour) for colour in colours.values()]
    figure.legend(handles, colours, loc="outside right upper", fontsize=8)


def plot_timeline(trace: str | Path, output: str | Path, step: int | None = None) -> None:
    """Write a picture with a row for each worker of each rank and a colour for each task's name."""
    events, rows = read_tasks(trace)
    if len(rows) > MOST_ROWS:
        raise ValueError(f"{trace} has {len(rows)} workers (a picture shows at most {MOST_ROWS}); trace some ranks with trace.ranks")
    step = middle_step(events) if step is None else step
    shown, start, end = select(events, step)
    unit, scale = ("ms", 1e-6) if end - start >= 2_000_000 else ("us", 1e-3)
    colours = colours_of(shown)
    with figure_in(output, 10, 1.9 + 0.32 * len(rows)) as figure:
        axes = figure.subplots()
        share = draw_window(axes, shown, rows, step, (start, end), colours, scale)
        draw_legend(figure, colours)
        axes.set_xlabel(f"time in step {step} [{unit}]")
        axes.set_title(f"Tasks of step {step}: workers in tasks {100 * share:.1f} % of the time (pale: other steps)")
