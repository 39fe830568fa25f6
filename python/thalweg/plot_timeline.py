# SPDX-License-Identifier: MIT
"""Draw what every worker did during one step, from a trace file."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from thalweg.style import plt
from thalweg.trace_file import TASK, read_trace

MOST_NAMES = 12  # of tasks with a colour of their own


@dataclass(frozen=True)
class Event:
    """A task on a worker; times in nanoseconds."""

    rank: int
    worker: int
    name: str
    step: int
    start: int
    end: int


def read_tasks(path: str | Path) -> list[Event]:
    """Read the tasks of a trace."""
    trace = read_trace(path)
    tasks = []
    for track in trace.tracks:
        mine = track.only(track.kind == TASK)
        columns = zip(mine.name, mine.step.tolist(), mine.start.tolist(), mine.end.tolist(), strict=True)
        tasks += [Event(track.rank, track.worker, trace.names[n], *rest) for n, *rest in columns]
    if not tasks:
        raise ValueError(f"no tasks in {path}")
    return tasks


def middle_step(events: list[Event]) -> int:
    """Choose a step away from the first and the last, which are not typical."""
    steps = sorted({event.step for event in events if event.step > 0} or {0})
    return steps[len(steps) // 2]


def select(events: list[Event], step: int) -> tuple[list[Event], int, int]:
    """Give the events between the first start and the last end of a step, and those two times.

    Neighbouring steps overlap where nothing stops them, so theirs are in the picture as well.
    """
    mine = [event for event in events if event.step == step]
    if not mine:
        raise ValueError(f"no events of step {step}")
    start = min(event.start for event in mine)
    end = max(event.end for event in mine)
    return [event for event in events if event.start < end and event.end > start], start, end


def plot_timeline(trace: str | Path, output: str | Path, step: int | None = None) -> None:
    """Write a picture with a row for each worker of each rank and a colour for each task's name."""
    events = read_tasks(trace)
    step = middle_step(events) if step is None else step
    events, start, end = select(events, step)
    rows = sorted({(event.rank, event.worker) for event in events})
    position = {row: n for n, row in enumerate(rows)}

    time_of = Counter()
    for event in events:
        time_of[event.name] += event.end - event.start
    names = [name for name, _ in time_of.most_common(MOST_NAMES)]
    # The ten strong colours of tab20 first: its pale ones look like other replays.
    colours = {name: plt.get_cmap("tab20")(2 * n % 20 + n // 10) for n, name in enumerate(names)}

    unit, scale = ("ms", 1e-6) if end - start >= 2_000_000 else ("us", 1e-3)
    spans = defaultdict(list)
    for event in events:
        own = event.step == step
        name = event.name if event.name in colours else "other"
        # Clipped to the step: what other steps did before and after is not the point.
        left = max(event.start, start)
        width = min(event.end, end) - left
        row = position[event.rank, event.worker]
        spans[name, own, row].append(((left - start) * scale, width * scale))

    figure, axes = plt.subplots(figsize=(10, 1.9 + 0.32 * len(rows)))
    for (name, own, row), bars in spans.items():
        colour = colours.get(name, "0.5")
        axes.broken_barh(bars, (row - 0.42, 0.84), facecolor=colour, alpha=1 if own else 0.35)
    shown = names + (["other"] if len(time_of) > len(names) else [])
    handles = [plt.Rectangle((0, 0), 1, 1, color=colours.get(name, "0.5")) for name in shown]
    figure.legend(handles, shown, loc="outside right upper", fontsize=8)
    axes.set(
        xlim=(0, (end - start) * scale),
        ylim=(len(rows) - 0.4, -0.6),
        xlabel=f"time in step {step} [{unit}]",
        yticks=range(len(rows)),
        yticklabels=[f"rank {rank} worker {worker}" for rank, worker in rows],
    )
    axes.tick_params(axis="y", labelsize=8, length=0)
    busy = sum(width for bars in spans.values() for _, width in bars) / scale
    share = 100 * busy / ((end - start) * len(rows))
    axes.set_title(
        f"Tasks of step {step}: workers in tasks {share:.1f} % of the time (pale: other steps)"
    )
    figure.savefig(output)
    plt.close(figure)
