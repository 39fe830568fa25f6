# SPDX-License-Identifier: MIT
"""Draw what every worker did during one replay, from Chrome-JSON trace files."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

from thalweg_tools.style import plt

MOST_NAMES = 12  # of tasks with a colour of their own


def read_events(folder: str | Path) -> list[dict]:
    """Read the spans ("X" events) of all trace-rank*.json files of a folder."""
    events = []
    for path in sorted(Path(folder).glob("trace-rank*.json")):
        content = json.loads(path.read_text())
        found = content["traceEvents"] if isinstance(content, dict) else content
        events += [event for event in found if event.get("ph") == "X"]
    if not events:
        raise FileNotFoundError(f"no spans in {folder}/trace-rank*.json")
    return events


def middle_replay(events: list[dict]) -> int:
    """Choose a replay away from the first and the last, which are not typical."""
    replays = sorted({event["args"]["replay"] for event in events if "replay" in event["args"]})
    return replays[len(replays) // 2]


def select(events: list[dict], replay: int) -> tuple[list[dict], float, float]:
    """Give the events between the first start and the last end of a replay, and those two times.

    Neighbouring replays overlap where nothing stops them, so theirs are in the picture as well.
    """
    mine = [event for event in events if event["args"].get("replay") == replay]
    if not mine:
        raise ValueError(f"no events of replay {replay}")
    start = min(event["ts"] for event in mine)
    end = max(event["ts"] + event["dur"] for event in mine)
    return [e for e in events if e["ts"] < end and e["ts"] + e["dur"] > start], start, end


def plot_timeline(folder: str | Path, output: str | Path, replay: int | None = None) -> None:
    """Write a picture with a row for each worker of each rank and a colour for each task's name."""
    events = read_events(folder)
    replay = middle_replay(events) if replay is None else replay
    events, start, end = select(events, replay)
    rows = sorted({(event["pid"], event["tid"]) for event in events})
    position = {row: n for n, row in enumerate(rows)}

    time_of = Counter()
    for event in events:
        time_of[event["name"]] += event["dur"]
    names = [name for name, _ in time_of.most_common(MOST_NAMES)]
    # The ten strong colours of tab20 first: its pale ones look like other replays.
    colours = {name: plt.get_cmap("tab20")(2 * n % 20 + n // 10) for n, name in enumerate(names)}

    unit, scale = ("ms", 1e-3) if end - start >= 2000 else ("us", 1.0)
    spans = defaultdict(list)
    for event in events:
        own = event["args"].get("replay", replay) == replay
        name = event["name"] if event["name"] in colours else "other"
        # Clipped to the replay: what other replays did before and after is not the point.
        left = max(event["ts"], start)
        width = min(event["ts"] + event["dur"], end) - left
        row = position[event["pid"], event["tid"]]
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
        xlabel=f"time in step {replay} [{unit}]",
        yticks=range(len(rows)),
        yticklabels=[f"rank {rank} worker {worker}" for rank, worker in rows],
    )
    axes.tick_params(axis="y", labelsize=8, length=0)
    busy = sum(width for bars in spans.values() for _, width in bars) / scale
    share = 100 * busy / ((end - start) * len(rows))
    axes.set_title(
        f"Tasks of step {replay}: workers in tasks {share:.1f} % of the time (pale: other steps)"
    )
    figure.savefig(output)
    plt.close(figure)
