# SPDX-License-Identifier: MIT
"""What a trace adds to a report: figures of `thalweg trace summary`, messages, and events as columns."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from thalweg.trace_file import RECV, TASK, Trace, Track, read_trace

MOST_EVENTS = 400_000  # in a page: 5 MB of text


def summary_of(path: Path, program: str | None) -> dict[str, Any] | None:
    """Have the program account for a trace; None where there is no program. Raises ValueError if it fails."""
    if program is None:
        return None
    command = [program, "trace", "summary", str(path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr.strip()}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _of_steps(trace: Trace, track: Track, kind: int) -> np.ndarray:
    """Tell which events are of a kind and of the steps that were asked for."""
    first, last = (0, np.inf) if trace.steps is None else trace.steps
    return np.asarray((track.kind == kind) & (track.step >= first) & (track.step < last))


def steps_of(trace: Trace) -> tuple[int, int] | None:
    """Give those of the steps that were asked for that have tasks, [first, last); None where all runs were traced."""
    seen = [track.step[_of_steps(trace, track, TASK)] for track in trace.tracks]
    if trace.steps is None or not any(map(len, seen)):
        return trace.steps
    steps = np.concatenate(seen)
    return int(steps.min()), int(steps.max()) + 1


def _window(trace: Trace) -> tuple[int, int]:
    """Give the time between the first start and the last end of the steps that were asked for [ns]."""
    starts, ends = [], []
    for track in trace.tracks:
        mine = _of_steps(trace, track, TASK)
        if mine.any():
            starts.append(int(track.start[mine].min()))
            ends.append(int(track.end[mine].max()))
    if not starts:
        raise ValueError("the trace holds no task of its steps")
    return min(starts), max(ends)


def _base64(values: np.ndarray, kind: str) -> str:
    return base64.b64encode(values.astype(kind).tobytes()).decode()


def _row(track: Track, start: int, end: int, unit_ns: int) -> dict[str, Any]:
    """Give the tasks of a worker in a window, sorted by time, as little-endian columns."""
    mine = track.only((track.kind == TASK) & (track.end > start) & (track.start < end) & (track.end > track.start))
    mine = mine.only(np.argsort(mine.start, kind="stable"))
    return {
        "rank": track.rank,
        "worker": track.worker,
        "start": _base64(np.maximum(mine.start - start, 0) // unit_ns, "<u4"),
        "end": _base64((np.minimum(mine.end, end) - start) // unit_ns, "<u4"),
        "name": _base64(mine.name, "<u2"),
        "step": _base64(mine.step, "<u4"),
        "level": _base64(np.clip(mine.level, -1, 127), "<i1"),
    }


def timeline_of(trace: Trace) -> dict[str, Any]:
    """Give the tasks of all workers for the timeline; of too many, the first part of the window."""
    start, end = _window(trace)
    starts = np.sort(np.concatenate([t.start[(t.kind == TASK) & (t.start >= start)] for t in trace.tracks]))
    is_cut = len(starts) > MOST_EVENTS
    if is_cut:
        end = min(end, int(starts[MOST_EVENTS]))
    unit_ns = 1 + (end - start) // 2**32
    rows = [_row(track, start, end, unit_ns) for track in trace.tracks]
    return {"unit_ns": unit_ns, "span_ns": end - start, "is_cut": is_cut, "names": trace.names, "rows": rows}


def messages_of(trace: Trace) -> list[dict[str, Any]]:
    """Add up what each rank received from each other in the steps: messages, bytes, and the mean time
    from when the receive was posted to when it was seen complete [ns].
    """
    found: dict[tuple[int, int], list[int]] = {}
    for track in trace.tracks:
        mine = track.only(_of_steps(trace, track, RECV))
        for peer in np.unique(mine.peer).tolist():
            of = mine.peer == peer
            flight = int((mine.end[of] - mine.start[of]).sum())
            sums = found.setdefault((peer, track.rank), [0, 0, 0])
            for n, value in enumerate((int(of.sum()), int(mine.bytes[of].sum()), flight)):
                sums[n] += value
    return [
        {"from": a, "to": b, "count": n, "bytes": size, "posted_ns": flight / n}
        for (a, b), (n, size, flight) in sorted(found.items())
    ]


def trace_of(path: Path, program: str | None) -> dict[str, Any]:
    """Gather what a report shows of a trace file."""
    trace = read_trace(path)
    return {
        "file": path.name,
        "model": trace.model,
        "n_ranks": trace.n_ranks,
        "hosts": sorted(set(trace.hosts.values())),
        "steps": steps_of(trace),
        "n_dropped": trace.n_dropped,
        "summary": summary_of(path, program),
        "timeline": timeline_of(trace),
        "messages": messages_of(trace),
    }
