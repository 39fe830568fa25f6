# SPDX-License-Identifier: MIT
"""Draw what `thalweg predict` says: time per step, speed-up and efficiency over cores, and where workers' time goes."""

from __future__ import annotations

import json
import math
import os
import re
from dataclasses import dataclass
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from thalweg.style import figure_in, plain
from thalweg.words import printable

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
LAYOUT = {"--model", "--threads", "-model", "-threads", "--ranks", "--grid"}  # of programs: no words of a problem, but how it is run
EXECUTION = {  # of programs: how a rank does its part, which a curve is named by
    *("--latency", "--progress", "--ignore-priorities", "--blocks"),
    *("--tasks-element", "--tasks-node", "--element-work", "--depth"),  # of LULESH
    *("--tile", "--look-ahead", "--broadcast"),  # of Cholesky
    *("--max_comm_tasks", "--send_faces", "--separate_buffers", "--latency_us"),  # of miniAMR
    *("-depth", "-latency", "-accounting"),  # of Task Bench
}
FLAGS = {"--ignore-priorities", "--hash", "--fingerprint", "--force"}  # where a word behind an option may be none of its
ROOT_BLOCKS = [(f"--np{axis}", f"--init_{axis}") for axis in "xyz"]  # of miniAMR: ranks, and root blocks of one of them


@dataclass(frozen=True)
class Curve:
    """Predictions of one machine, model, number of threads a rank, seed, task times and settings, by cores.

    Speed-up and efficiency of all curves are over one prediction: the fastest on the fewest cores.
    """

    name: str  # the model, and what else tells the curve from others
    cores: list[int]
    step_ns: list[float]  # with its share of regrids
    speed_up: list[float]  # by time for the same size of the problem
    efficiency: list[float]
    parts: list[dict[str, float]]  # of workers' time


def read_predictions(paths: list[Path]) -> list[dict]:
    """Read files of `thalweg predict -o`, one list of all, each with what made_with() says of its file.

    Raises ValueError where one is something else, or of another problem than the first.
    """
    predictions, subjects = [], []
    for path in paths:
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as problem:
            why = "it is nested too deeply" if isinstance(problem, RecursionError) else problem
            raise ValueError(f"{path} is no JSON ({why}); give what `thalweg predict -o` has written") from None
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
    words = content.get("words", [])
    if content.get("command"):
        last = {name: value for name, value in options_of(words) if name in EXECUTION}
        settings = [text_of(*option) for option in sorted(last.items())]
    else:
        settings = [word for word in sorted(filter(is_of_execution, words)) if not word.startswith(("run.model", "run.threads"))]
    return {
        "seed": f"seed {content.get('seed', 0)}",
        "task_times": f"measured for {path}" if times == "measured" else times,
        "settings": " ".join(settings),
    }


def is_of_execution(override: str) -> bool:
    """Whether an override of a deck says how it is run, not what."""
    return override.startswith(("run.", "exchange."))


def options_of(words: list[str]) -> list[tuple[str, str]]:
    """Give a program's options with their values, "" where there is none; a word that is of no option has no name."""
    options: list[tuple[str, str]] = []
    wants_value = False
    for word in words:
        if re.match("--?[A-Za-z]", word):  # and no negative number
            name, has_value, value = word.partition("=")
            options.append((name, value))
            wants_value = not has_value and name not in FLAGS
        else:
            options.append((options.pop()[0] if wants_value else "", word))
            wants_value = False
    return options


def text_of(name: str, value: str) -> str:
    return f"{name} {value}".strip()


def problem_words(words: list[str]) -> list[str]:
    """Leave out of a program's words how it is run, and order them by option; words of no option, and what is there twice, keep their order.

    Ranks of miniAMR and root blocks of each are given as root blocks of all.
    """
    options, counts = options_of(words), {name: 1 for names in ROOT_BLOCKS for name in names}
    counts |= {name: int(value) for name, value in options if name in counts}
    problem = [(name, value) for name, value in options if name not in LAYOUT | EXECUTION | counts.keys()]
    blocks = [(of_rank, counts[ranks] * counts[of_rank]) for ranks, of_rank in ROOT_BLOCKS]
    problem += [(name, str(n)) for name, n in blocks if n != 1]
    if "-and" not in words:  # of Task Bench: options behind it are those of another graph
        problem.sort(key=lambda option: option[0])
    return [text_of(*option) for option in problem]


def subject_of(content: dict) -> dict[str, str]:
    """Of what a file's predictions are: a program, or a deck with its overrides; without how a run would do it."""
    subject = {key: content[key] for key in ("command", "restart") if content.get(key)}
    if content.get("deck"):
        subject = {"deck": Path(content["deck"]).name, **subject}  # from whatever folder
    words = content.get("words", [])
    if "command" in subject:
        subject["words"] = " ".join(problem_words(words))
    elif overrides := sorted(word for word in words if not is_of_execution(word)):
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
    if isinstance(predictions, list) and any(map(takes_no_time, predictions)):
        raise ValueError(
            f"{path} has steps that take no time (there is no speed-up over them, nor a share of it); predict with times of these tasks, or on a slower machine"
        )
    try:
        for curve in curves(predictions):
            _check_drawable(curve)
        subject_of(content)
        made_with(content, path)
    except (KeyError, TypeError, ArithmeticError, AttributeError, ValueError, StopIteration):
        raise ValueError(f"{path} has predictions without what is drawn of them; give what `thalweg predict -o` has written") from None
    return predictions


def _check_drawable(curve: Curve) -> None:
    """Raise ValueError where numbers of a curve have no place on axes."""
    numbers = [*curve.cores, *curve.step_ns, *curve.speed_up]
    if not (all(0 < n < math.inf for n in numbers) and all(0 <= part < math.inf for parts in curve.parts for part in parts.values())):
        raise ValueError("numbers that are no times, or no parts of one")


def curves(predictions: list[dict]) -> list[Curve]:
    """Put predictions that differ in cores alone in the order of these, and compare all with the fastest on the fewest cores.

    One that is there twice counts once, whatever was asked of it besides (`what_if`).
    """
    by_way: dict[tuple[str, ...], list[dict]] = {}
    in_order = sorted(predictions, key=lambda p: (cores_of(p), time_of(p)))
    for prediction in in_order:
        some = by_way.setdefault(way_of(prediction), [])
        if not any(is_same_point(prediction, other) for other in some):
            some.append(prediction)
    ways = list(dict.fromkeys(way_of(p) for p in predictions))  # in the order in which they are given
    result = []
    for name, way in zip(names_of(ways), ways):
        some = by_way[way]
        cores = [cores_of(p) for p in some]
        speed_up = [time_of(in_order[0]) / time_of(p) for p in some]
        efficiency = [s * cores_of(in_order[0]) / n for s, n in zip(speed_up, cores)]
        result.append(Curve(name, cores, [step_of(p) for p in some], speed_up, efficiency, [parts_of(p) for p in some]))
    return result


def is_same_point(one: dict, other: dict) -> bool:
    """Whether two predictions of a curve are drawn alike."""
    return (cores_of(one), time_of(one), parts_of(one)) == (cores_of(other), time_of(other), parts_of(other))


def step_of(prediction: dict) -> float:
    """Nanoseconds of a step, with its share of regrids."""
    return prediction.get("step_with_regrids_ns", prediction["step_ns"])


def takes_no_time(prediction: object) -> bool:
    """Whether something is a prediction of steps that take none, as of tasks whose times nobody knows on an ideal machine."""
    return isinstance(prediction, dict) and prediction.get("step_with_regrids_ns", prediction.get("step_ns")) == 0


def time_of(prediction: dict) -> float:
    """Nanoseconds of a step for the same size of the problem."""
    return step_of(prediction) / prediction["size"]


def way_of(prediction: dict) -> tuple[str, ...]:
    """How a prediction was made but for the number of ranks; what older files do not say is empty."""
    known = [printable(prediction.get(key, "")) for key in ("model", "machine", "machine_file", "seed", "task_times", "settings")]
    known[2] = os.path.normpath(known[2]) if known[2] else ""
    n = prediction["threads"]
    return (*known[:3], f"{n} thread{'' if n == 1 else 's'}", *known[3:])


def names_of(ways: list[tuple[str, ...]]) -> list[str]:
    """Name ways, for figures, by their model and what not all of them share; by the files of machines where names leave it open."""
    told = [i for i, values in enumerate(zip(*ways)) if i == 0 or len(set(values)) > 1]
    if len({way[1] for way in ways}) == len({way[1:3] for way in ways}):
        told = [i for i in told if i != 2]
    return [plain(", ".join(way[i] for i in told if way[i])) for way in ways]


def cores_of(prediction: dict) -> int:
    return prediction["ranks"] * prediction["threads"]


def parts_of(prediction: dict) -> dict[str, float]:
    """Parts of all workers' time, which add up to 1."""
    idle = {cause.replace(" ", "_"): part for cause, part in prediction["idle"].items()}  # with spaces in older files
    return {"work": prediction["work"], "overhead": prediction["overhead"], **idle}


def base_name(all_curves: list[Curve]) -> str:
    """What speed-up and efficiency are relative to."""
    cores = min(curve.cores[0] for curve in all_curves)
    curve = next(curve for curve in all_curves if curve.cores[0] == cores and curve.speed_up[0] == 1)
    name = f"{cores} core{'' if cores == 1 else 's'}"
    return name if len(all_curves) == 1 else f"{name} of\n{curve.name}"


def plot_predictions(paths: list[Path], output: str | Path) -> None:
    """Write a figure: time per step, speed-up and efficiency of all curves, and below them the time of workers of each."""
    all_curves = curves(read_predictions(paths))
    if not all_curves:
        raise ValueError(f"{paths[0]} has no predictions")
    n = len(all_curves)
    with figure_in(output, max(11.0, 3.2 * n), 7.0) as figure:
        above, below = figure.subfigures(2, 1)
        draw_scaling(above, all_curves)
        for axes, curve in zip(below.subplots(1, n, squeeze=False, sharey=True)[0], all_curves):
            draw_parts(axes, curve)
        handles, labels = axes.get_legend_handles_labels()
        below.legend(handles, labels, loc="outside lower center", ncols=4)


def draw_scaling(figure: SubFigure, all_curves: list[Curve]) -> None:
    """Draw time per step, speed-up and efficiency over cores."""
    step, speed, efficiency = figure.subplots(1, 3)
    for curve in all_curves:
        step.loglog(curve.cores, [1e-6 * ns for ns in curve.step_ns], "o-", label=curve.name)
        speed.loglog(curve.cores, curve.speed_up, "o-", label=curve.name, base=2)
        efficiency.semilogx(curve.cores, curve.efficiency, "o-", label=curve.name, base=2)
    step.set_xscale("log", base=2)
    ends = [end([c for curve in all_curves for c in curve.cores]) for end in (min, max)]
    speed.loglog(ends, [c / ends[0] for c in ends], color="0.7", lw=0.8, zorder=0, label="ideal", base=2)
    base = base_name(all_curves)
    highest = max([1.0, *(e for curve in all_curves for e in curve.efficiency)])
    step.set(xlabel="cores", ylabel="ms per step, with regrids")
    speed.set(xlabel="cores", ylabel=f"speed-up over {base}")
    efficiency.set(xlabel="cores", ylabel=f"efficiency, relative to {base}", ylim=(0, 1.05 * highest))
    speed.legend()


def draw_parts(axes: Axes, curve: Curve) -> None:
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
