# SPDX-License-Identifier: MIT
"""What a folder of results says of its run: deck, log, series, plotfiles; as values for JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from thalweg.geometry import volumes
from thalweg.log_file import read_event
from thalweg.plotfile import A_PLOTFILE, Plotfile, plotfiles_in
from thalweg.series_file import read_columns
from thalweg.words import in_words, regular

MOST_POINTS = 1500  # of a curve; more cannot be told apart on a screen
MOST_PLOTFILES = 12  # that are read where there is no series
SUMMED = ("zone_updates", "limited_fluxes", "replaced_states", "raised_states", "unresolved_sources", "retries", "wall_s")  # of steps
COLUMN = re.compile(r"(?P<name>.*?)( (?P<kind>total|min|max))?( \[(?P<unit>[^]]*)\])?")


def thinned(n: int, most: int) -> list[int]:
    """Choose at most `most` of n rows, evenly, the first and the last among them."""
    if n <= most:
        return list(range(n))
    return sorted({round(i * (n - 1) / (most - 1)) for i in range(most)})


def some_plotfiles(folder: Path, most: int) -> tuple[list[Plotfile], list[str]]:
    """Open at most so many plotfiles of a run, evenly, the first and the last among them; damaged ones are left out.

    Gives also what is wrong with those. Raises FileNotFoundError where there is no plotfile, and ValueError where there are damaged ones alone.
    """
    paths = plotfiles_in(folder)
    if not paths:
        raise FileNotFoundError(f"{folder} holds no plotfile ({A_PLOTFILE}); name the folder of a run")
    damage: dict[Path, str] = {}
    while whole := [path for path in paths if path not in damage]:
        chosen = [whole[i] for i in thinned(len(whole), most)]
        opened = []
        for path in chosen:
            try:
                opened.append(Plotfile(path))
                opened[-1].check()
            except (OSError, ValueError) as problem:
                damage[path] = in_words(problem)
        if damage.keys().isdisjoint(chosen):
            return opened, list(damage.values())
    raise ValueError(f"{folder} holds damaged plotfiles alone ({next(iter(damage.values()))}); run anew")


@dataclass(frozen=True)
class Log:
    """The events of a log.jsonl: steps, the last of each number (a run that went on repeats some).

    end: sums of these steps, empty while the run goes on or where its last part was killed; since: the step from
    which there is a log.
    """

    begin: dict[str, Any]
    steps: list[dict[str, Any]]
    end: dict[str, Any]
    warnings: list[str]
    since: int


def summed(steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Add up the steps of a run, which may be of several processes; the efficiency is a mean by the times of steps."""
    found = {key: sum(step[key] for step in steps) for key in SUMMED if all(isinstance(step.get(key), (int, float)) for step in steps)}
    if found.get("wall_s", 0) > 0:
        in_tasks_s = sum(step.get("parallel_efficiency", 0) * step["wall_s"] for step in steps)
        found["parallel_efficiency"] = in_tasks_s / found["wall_s"]
    return found


def read_log(path: Path) -> Log:
    """Read log.jsonl; empty where there is none. A last line that is not whole is left out."""
    begin: dict[str, Any] = {}
    since: int | None = None
    is_over = False
    steps: dict[int, dict[str, Any]] = {}
    warnings = []
    lines = regular(path).read_text(errors="replace").split("\n") if path.exists() else []
    # What follows the last line break is being written.
    for number, line in enumerate(lines[:-1], start=1):
        event = read_event(line, path, number)
        kind = event["event"]
        if kind == "begin":
            since = event["step"] if since is None else since
            begin, is_over = event, False
            # One that goes on from an earlier step makes later ones anew.
            steps = {step: made for step, made in steps.items() if step <= event["step"]}
        elif kind == "step":
            steps[event["step"]] = event
        is_over = is_over or kind in ("end", "stopped")
        if kind in ("warning", "failed", "stopped"):
            warnings.append(f"step {event['step']}: {event.get('text', kind)}")
    in_order = [steps[step] for step in sorted(steps)]
    return Log(begin, in_order, summed(in_order) if is_over and in_order else {}, warnings, since or 0)


def by_level(counts: list[list[int]]) -> list[list[int]]:
    """Turn blocks of each level, at some times, into times, of each level; 0 of levels that are not there yet."""
    return [list(of_level) for of_level in zip_longest(*counts, fillvalue=0)]


def curves_of_log(log: Log) -> dict[str, Any]:
    """Give columns over steps: time, dt, blocks of each level, efficiency, rate, memory."""
    chosen = [log.steps[i] for i in thinned(len(log.steps), MOST_POINTS)]
    found: dict[str, Any] = {name: [s[name] for s in chosen] for name in ("step", "time", "dt")}
    found["blocks"] = by_level([s["blocks"] for s in chosen])
    found["efficiency"] = [100 * s["parallel_efficiency"] for s in chosen]
    found["rate"] = [s["zone_updates"] / s["wall_s"] if s["wall_s"] > 0 else None for s in chosen]
    found["memory"] = [s["memory_bytes"] / 2**20 for s in chosen]
    return found


def curves_of_series(columns: dict[str, list[float]]) -> dict[str, Any]:
    """Sort a series into time and, of each quantity, its total, least and greatest value, with units.

    Columns are "density total [mass]"; those of an application's own ("mass", "f_min") are values, of whatever they say.
    """
    time: list[float] = []
    quantities: dict[str, dict[str, Any]] = {}
    for head, values in columns.items():
        found = COLUMN.fullmatch(head)
        name, kind, unit = (found["name"], found["kind"], found["unit"]) if found else (head, None, None)
        if name == "time":
            time = values
        if name in ("step", "time", "dt"):
            continue
        quantity = quantities.setdefault(name, {"units": {}})
        quantity[kind or "value"] = [values[i] for i in thinned(len(values), MOST_POINTS)]
        quantity["units"][kind or "value"] = unit or ""
    chosen = thinned(len(time), MOST_POINTS)
    return {"time": [time[i] for i in chosen], "quantities": quantities, "source": "series.csv"}


def curves_of_plotfiles(plots: list[Plotfile]) -> dict[str, Any]:
    """Work out totals, least and greatest values of what all plotfiles have, one box at a time; no totals where `volumes` knows no volumes."""
    has_volumes = all(plot.coordinates != "spherical" or plot.dimension == 1 for plot in plots)
    kinds = [*(["total"] if has_volumes else []), "min", "max"]
    of_all = set[str].intersection(*(set(plot.names_of_one()) for plot in plots))
    quantities: dict[str, dict[str, Any]] = {v: {"units": {}} | {kind: [] for kind in kinds} for v in plots[-1].variables if v in of_all}
    for plot in plots:
        names = list(quantities)
        total, least, most = np.zeros(len(names)), np.full(len(names), np.inf), np.full(len(names), -np.inf)
        for level, box, leaf in plot.leaf_boxes():
            values = plot.read(box, names)[:, leaf]
            if plot.coordinates == "cartesian":
                total += values.sum(axis=1) * plot.levels[level].cell_size.prod()
            elif has_volumes:
                centres = plot.centres(level, box, leaf)
                size = np.broadcast_to(plot.levels[level].cell_size, centres.shape)
                total += (values * volumes(plot.coordinates, centres, size)).sum(axis=1)
            least, most = np.minimum(least, values.min(axis=1)), np.maximum(most, values.max(axis=1))
        for n, name in enumerate(names):
            found = {"total": total[n], "min": least[n], "max": most[n]}
            for kind in kinds:
                quantities[name][kind].append(float(found[kind]))
    return {"time": [plot.time for plot in plots], "quantities": quantities, "source": "plotfiles"}


def blocks_of_plotfiles(plots: list[Plotfile]) -> dict[str, Any]:
    """Give blocks of each level over time as plotfiles show them."""
    counts = [[len(level.boxes) for level in plot.levels] for plot in plots]
    return {"step": [plot.step for plot in plots], "time": [plot.time for plot in plots], "blocks": by_level(counts)}


def flat(deck: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Give a deck's keys with their sections, "mesh.max_level"."""
    found: dict[str, Any] = {}
    for key, value in deck.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = value
    return found


def read_run(folder: Path) -> dict[str, Any]:
    """Gather what a report says of a run but for pictures and traces. Raises as its parts do."""
    some, damage = some_plotfiles(folder, MOST_PLOTFILES)
    log, series_file = read_log(folder / "log.jsonl"), folder / "series.csv"
    series = read_columns(series_file) if series_file.exists() else {}
    deck_path = some[-1].path / "deck.toml"
    deck = deck_path.read_text() if deck_path.exists() else ""
    return {
        "name": folder.name or str(folder),
        "deck": deck,
        "keys": flat(some[-1].deck()),
        "begin": log.begin,
        "end": log.end,
        "since": log.since,
        "warnings": log.warnings,
        "steps": curves_of_log(log) if log.steps else blocks_of_plotfiles(some),
        "has_log": bool(log.steps),
        "series": curves_of_series(series) if series else curves_of_plotfiles(some),
        "last": {"step": some[-1].step, "time": some[-1].time, "dimension": some[-1].dimension},
        "n_plotfiles": len(plotfiles_in(folder)),
        "damage": damage,
    }
