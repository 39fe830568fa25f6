# SPDX-License-Identifier: MIT
"""Draw what `thalweg predict` says: speed-up and efficiency over cores, and where workers' time goes."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from thalweg.pyplot import plt
from thalweg.whole_file import save_figure

SCHEMA = "thalweg-predict-1"
PARTS = {  # of workers' time, with their colours
    "work": "#5ad1a0",
    "overhead": "#ffd166",
    "message_not_yet_sent": "#ff8fab",
    "message_in_flight": "#d1495b",
    "producer_running": "#c8b6ff",
    "barrier": "#7fc8f8",
    "no_task": "#d9d9d9",
}


@dataclass(frozen=True)
class Curve:
    """Predictions of one machine, model, number of threads a rank, seed and task times, by cores."""

    name: str  # the model, and what else tells the curve from others
    cores: list[int]
    speed_up: list[float]  # over the one on fewest cores, by time for the same size of the problem
    efficiency: list[float]
    parts: list[dict[str, float]]  # of workers' time


def read_predictions(paths: list[Path]) -> list[dict]:
    """Read files of `thalweg predict -o`, one list of all, each with its file's `seed` and `task_times`.

    Raises ValueError where one is something else, or of another program, deck or checkpoint than the first.
    """
    predictions, subjects = [], []
    for path in paths:
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError as problem:
            raise ValueError(f"{path} is no JSON ({problem}); give what `thalweg predict -o` has written") from None
        if not isinstance(content, dict) or content.get("schema") != SCHEMA:
            raise ValueError(f"{path} is not of schema {SCHEMA}; give what `thalweg predict -o` has written")
        predictions += [prediction | made_with(content, path) for prediction in _checked(content, path)]
        subjects.append(subject_of(content))
        if known := [s for s in subjects if s]:  # of older files nobody knows
            _check_same_subject(known[0], subjects[-1], paths[subjects.index(known[0])], path)
    return predictions


def made_with(content: dict, path: Path) -> dict[str, str]:
    """What a file's predictions were made with, beside machines; times that were measured are no other file's."""
    times = content.get("task_times", "")
    return {"seed": f"seed {content.get('seed', 0)}", "task_times": f"measured for {path}" if times == "measured" else times}


def subject_of(content: dict) -> dict[str, str]:
    """Of what a file's predictions are: a program, or a deck with its overrides; without how a run would do it."""
    subject = {key: content[key] for key in ("command", "restart") if content.get(key)}
    if content.get("deck"):
        subject = {"deck": Path(content["deck"]).name, **subject}  # from whatever folder
    if "command" in subject:  # its words also say how ranks share the problem, and are not compared
        return subject
    if overrides := sorted(word for word in content.get("words", []) if not word.startswith(("run.", "exchange."))):
        subject["overrides"] = " ".join(overrides)
    return subject


def _check_same_subject(first: dict[str, str], other: dict[str, str], path: Path, other_path: Path) -> None:
    """Raise ValueError where two known subjects are not one: the figure would join points of both to a curve."""
    if not other or first == other:
        return
    words = [" ".join(f"{key} {value}" for key, value in subject.items()) for subject in (first, other)]
    raise ValueError(f"{path} is of {words[0]}, {other_path} of {words[1]} (a figure compares ways to run one of them); draw each in its own")


def _checked(content: dict, path: Path) -> list[dict]:
    """Give predictions of a file that have all that is drawn. Raises ValueError where one has not."""
    predictions = content.get("predictions")
    try:
        curves(predictions)
        subject_of(content)
    except (KeyError, TypeError, ArithmeticError, AttributeError):
        raise ValueError(f"{path} has predictions without what is drawn of them; give what `thalweg predict -o` has written") from None
    return predictions


def curves(predictions: list[dict]) -> list[Curve]:
    """Put predictions that differ in cores alone in the order of these, and compare them with the first.

    One that is there twice counts once.
    """
    by_way: dict[tuple[str, ...], list[dict]] = {}
    for prediction in predictions:
        some = by_way.setdefault(way_of(prediction), [])
        if prediction not in some:
            some.append(prediction)
    result = []
    for name, some in zip(names_of(list(by_way)), by_way.values()):
        some = sorted(some, key=cores_of)
        time = [p.get("step_with_regrids_ns", p["step_ns"]) / p["size"] for p in some]
        speed_up = [time[0] / t for t in time]
        cores = [cores_of(p) for p in some]
        efficiency = [s * cores[0] / n for s, n in zip(speed_up, cores)]
        result.append(Curve(name, cores, speed_up, efficiency, [parts_of(p) for p in some]))
    return result


def way_of(prediction: dict) -> tuple[str, ...]:
    """How a prediction was made but for the number of ranks; what older files do not say is empty."""
    known = [str(prediction.get(key, "")) for key in ("model", "machine", "machine_file", "seed", "task_times")]
    known[2] = os.path.normpath(known[2]) if known[2] else ""
    n = prediction["threads"]
    return (*known[:3], f"{n} thread{'' if n == 1 else 's'}", *known[3:])


def names_of(ways: list[tuple[str, ...]]) -> list[str]:
    """Name ways by their model and what not all of them share; by the files of machines where names leave it open."""
    told = [i for i, values in enumerate(zip(*ways)) if i == 0 or len(set(values)) > 1]
    if len({way[1] for way in ways}) == len({way[1:3] for way in ways}):
        told = [i for i in told if i != 2]
    return [", ".join(way[i] for i in told if way[i]) for way in ways]


def cores_of(prediction: dict) -> int:
    return prediction["ranks"] * prediction["threads"]


def parts_of(prediction: dict) -> dict[str, float]:
    """Parts of all workers' time, which add up to 1."""
    idle = {cause.replace(" ", "_"): part for cause, part in prediction["idle"].items()}  # with spaces in older files
    return {"work": prediction["work"], "overhead": prediction["overhead"], **idle}


def plot_predictions(paths: list[Path], output: str | Path) -> None:
    """Write a figure: speed-up and efficiency of all curves, and below them the time of workers of each."""
    all_curves = curves(read_predictions(paths))
    if not all_curves:
        raise ValueError(f"{paths[0]} has no predictions")
    n = len(all_curves)
    figure = plt.figure(figsize=(max(8.0, 3.2 * n), 7.0))
    above, below = figure.subfigures(2, 1)
    speed, efficiency = above.subplots(1, 2)
    for curve in all_curves:
        speed.loglog(curve.cores, curve.speed_up, "o-", label=curve.name, base=2)
        efficiency.semilogx(curve.cores, curve.efficiency, "o-", label=curve.name, base=2)
    most = max((curve.cores for curve in all_curves), key=lambda cores: cores[-1] / cores[0])
    speed.loglog(most, [c / most[0] for c in most], color="0.7", lw=0.8, zorder=0, label="ideal", base=2)
    speed.set(xlabel="cores", ylabel="speed-up")
    highest = max([1.0, *(e for curve in all_curves for e in curve.efficiency)])
    efficiency.set(xlabel="cores", ylabel="efficiency", ylim=(0, 1.05 * highest))
    speed.legend()
    for axes, curve in zip(below.subplots(1, n, squeeze=False, sharey=True)[0], all_curves):
        draw_parts(axes, curve)
    handles, labels = axes.get_legend_handles_labels()
    below.legend(handles, labels, loc="outside lower center", ncols=4)
    save_figure(figure, output)
    plt.close(figure)


def draw_parts(axes: plt.Axes, curve: Curve) -> None:
    """Stack the parts of workers' time, one bar for each prediction."""
    names = [name for name in PARTS if any(name in parts for parts in curve.parts)]
    places = range(len(curve.cores))
    bottom = [0.0] * len(curve.cores)
    for name in names:
        heights = [parts.get(name, 0.0) for parts in curve.parts]
        axes.bar(places, heights, bottom=bottom, color=PARTS[name], label=name.replace("_", " "), width=0.8)
        bottom = [b + h for b, h in zip(bottom, heights)]
    axes.set_xticks(list(places), [str(c) for c in curve.cores])
    axes.set(xlabel="cores", ylabel="share of workers' time", title=curve.name.replace(", ", "\n"))
