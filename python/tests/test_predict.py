# SPDX-License-Identifier: MIT
"""Figures of predictions, on made-up ones."""

import json

import numpy as np
import pytest

from thalweg import style
from thalweg.plot_prediction import curves, parts_of, plot_predictions, read_predictions

IDLE = {"message_not_yet_sent": 0.125, "message_in_flight": 0.125, "producer_running": 0, "barrier": 0, "no_task": 0.125}


def prediction(ranks, step_ns, model="dataflow", threads=1, size=1):
    of_time = {"work": 0.5, "overhead": 0.125, "idle": IDLE}
    return {"ranks": ranks, "threads": threads, "model": model, "size": size, "step_ns": step_ns, **of_time}


def write(path, *predictions, schema="thalweg-predict-1", **provenance):
    path.write_text(json.dumps({"schema": schema, **provenance, "predictions": predictions}))
    return path


def test_all_are_compared_with_the_fastest_on_the_fewest_cores():
    bulk, dataflow, slow = curves(
        [prediction(4, 300, "bulk"), prediction(1, 900, "bulk"), prediction(2, 100, threads=2), prediction(8, 80, threads=2), prediction(1, 1800)]
    )
    assert (bulk.name, bulk.cores, bulk.speed_up, bulk.efficiency) == ("bulk, 1 thread", [1, 4], [1, 3], [1, 0.75])
    assert dataflow.name == "dataflow, 2 threads"
    assert (dataflow.cores, dataflow.step_ns) == ([4, 16], [100, 80])
    assert (dataflow.speed_up, dataflow.efficiency) == ([9, 11.25], [2.25, 0.703125])
    assert (slow.cores, slow.speed_up, slow.efficiency) == ([1], [0.5], [0.5])


def test_each_machine_and_layout_has_its_own_curve():
    def on(machine, *points):
        return [prediction(n, ns) | {"machine": machine, "machine_file": f"{machine}.toml"} for n, ns in points]

    fast, slow = curves([*on("fast", (1, 100), (2, 50)), *on("slow", (1, 400), (2, 400))])
    assert (fast.name, fast.cores, fast.speed_up) == ("dataflow, fast", [1, 2], [1, 2])
    assert (slow.name, slow.cores, slow.speed_up) == ("dataflow, slow", [1, 2], [0.25, 0.25])
    same_name = [prediction(1, 100) | {"machine": "here", "machine_file": file} for file in ("a/here.toml", "b/here.toml")]
    assert [curve.name for curve in curves(same_name)] == ["dataflow, a/here.toml", "dataflow, b/here.toml"]
    formulas = [prediction(1, 100) | {"machine": name} for name in ("$a$", "b")]
    assert [curve.name for curve in curves(formulas)] == [r"dataflow, \$a\$", "dataflow, b"]
    assert [curve.name for curve in curves([prediction(8, 100), prediction(2, 90, threads=4)])] == ["dataflow, 1 thread", "dataflow, 4 threads"]


def test_points_that_are_there_twice_are_drawn_once(tmp_path):
    one = write(tmp_path / "a.json", prediction(1, 900), prediction(2, 500), seed=0, task_times="--times t.toml")
    two = write(tmp_path / "b.json", prediction(2, 500), prediction(4, 300), seed=0, task_times="--times t.toml")
    (curve,) = curves(read_predictions([one, two, one]))
    assert (curve.name, curve.cores) == ("dataflow", [1, 2, 4])
    asked = prediction(2, 500) | {"what_if": [{"change": "latency=0x", "ns": 400}], "speed_up": 1}
    (curve,) = curves([prediction(1, 900), prediction(2, 500), asked])
    assert curve.cores == [1, 2]


def test_other_seeds_and_task_times_are_other_curves(tmp_path):
    def names(**provenances):
        files = [write(tmp_path / f"{name}.json", prediction(n + 1, 900), **of) for n, (name, of) in enumerate(provenances.items())]
        return [curve.name for curve in curves(read_predictions(files))]

    times = {"task_times": "--times t.toml"}
    assert names(a=times | {"seed": 0}, b=times | {"seed": 7}) == ["dataflow, seed 0", "dataflow, seed 7"]
    assert names(a=times, b={"task_times": "--times u.toml"}) == ["dataflow, --times t.toml", "dataflow, --times u.toml"]
    measured = {"task_times": "measured"}
    words = times | {"deck": "sod.toml", "words": ["exchange.max_comm_tasks=4", "run.threads=2"]}
    assert names(a=times | {"deck": "sod.toml"}, b=words) == ["dataflow", "dataflow, exchange.max_comm_tasks=4"]
    assert names(a=measured, b=measured) == [f"dataflow, measured for {tmp_path / name}.json" for name in "ab"]


def test_problems_that_grow_are_compared_by_size():
    (curve,) = curves([prediction(1, 100, size=1), prediction(8, 125, size=8)])
    assert curve.speed_up == [1, pytest.approx(6.4)]
    assert curve.efficiency == [1, pytest.approx(0.8)]


def test_steps_count_with_their_share_of_regrids():
    few = prediction(1, 100) | {"step_with_regrids_ns": 300}
    many = prediction(4, 25) | {"step_with_regrids_ns": 150}
    (curve,) = curves([few, many])
    assert (curve.speed_up, curve.efficiency) == ([1, 2], [1, 0.5])


def test_parts_are_all_of_the_time():
    assert sum(parts_of(prediction(1, 1)).values()) == 1


def test_causes_of_older_files_have_the_same_names():
    older = prediction(1, 1) | {"idle": {name.replace("_", " "): part for name, part in IDLE.items()}}
    assert parts_of(older) == parts_of(prediction(1, 1))


def test_files_of_different_problems_are_refused(tmp_path):
    def read(**provenances):
        files = [write(tmp_path / f"{name}.json", prediction(n + 1, 900), **of) for n, (name, of) in enumerate(provenances.items())]
        return len(read_predictions(files))

    sedov, sod = {"deck": "sedov.toml", "words": ["mesh.max_level=2"]}, {"deck": "sod.toml"}
    for other in [sod, {"deck": "sedov.toml"}, sedov | {"restart": "out/chk00040"}, {"command": "lulesh", "words": ["-s", "5"]}]:
        with pytest.raises(ValueError, match="a.json is of deck sedov.toml overrides mesh.max_level=2, .*b.json of .*; draw each in its own"):
            read(a=sedov, b=other)
    assert read(a=sedov, b=sedov | {"words": ["mesh.max_level=2", "run.threads=4"]}) == 2
    lulesh = {"command": "lulesh", "words": ["-s", "5", "--model", "bulk"]}
    assert read(a=lulesh, b=lulesh | {"words": ["--threads=2", "-s", "5"]}) == 2
    with pytest.raises(ValueError, match="a.json is of command lulesh words -s 5, .*b.json of command lulesh words -s 10 "):
        read(a=lulesh, b=lulesh | {"words": ["-s", "10"]})
    of_four = {"command": "miniamr", "words": ["--npx", "2", "--init_x", "2", "--rcb"]}
    assert read(a=of_four, b=of_four | {"words": ["--npx", "4", "--rcb"]}) == 2
    with pytest.raises(ValueError, match="words --init_x 4 --rcb, .*words --init_x 2 --rcb "):
        read(a=of_four, b=of_four | {"words": ["--npx", "2", "--rcb"]})
    assert read(a={}, b=sedov, c=sedov) == 3  # an older file does not say
    assert read(a=sedov, b=sedov | {"deck": "../decks/sedov.toml"}) == 2
    with pytest.raises(ValueError, match="b.json is of deck sedov.toml"):
        read(a={}, b=sedov, c=sod)


def names_of_words(folder, command, *of_files):
    """Names of the curves of files that have these words; one file has one rank more than the last."""
    files = [write(folder / f"{n}.json", prediction(n + 1, 900), command=command, words=words.split()) for n, words in enumerate(of_files)]
    return [curve.name for curve in curves(read_predictions(files))]


def test_ways_to_run_a_program_are_curves(tmp_path):
    ways = ["8 8 8", "--ignore-priorities 8 8 8", "--progress task_boundary 8 8 8", "8 8 8 --blocks 4 --ignore-priorities", "--ignore-priorities 8 8 8 --blocks=2 --blocks=4"]
    named = ["dataflow", *(f"dataflow, {way}" for way in ("--ignore-priorities", "--progress task_boundary", "--blocks 4 --ignore-priorities"))]
    assert names_of_words(tmp_path, "hpccg", *ways) == named
    assert names_of_words(tmp_path, "lulesh", "-s 5", "-s 5 --depth 3") == ["dataflow", "dataflow, --depth 3"]
    assert names_of_words(tmp_path, "miniamr", "--nx 4", "--send_faces --max_comm_tasks 8 --nx 4") == ["dataflow", "dataflow, --max_comm_tasks 8 --send_faces"]


def test_the_order_of_a_programs_options_is_that_of_words_without_one_and_of_repeated_ones(tmp_path):
    assert names_of_words(tmp_path, "hpccg", "--max_iter 5 4 8 8 --tolerance 0.1", "4 8 8 --tolerance=0.1 --max_iter=5") == ["dataflow"]
    objects = ["--object 2 0 -1.1 1", "--object 3 0 -1.2 1"]
    for command, one, other in [
        ("hpccg", "4 8 8", "8 8 4"),
        ("hpccg", "--hash 4 8 8", "8 4 8 --hash"),
        ("miniamr", " ".join(objects), " ".join(reversed(objects))),
        ("taskbench", "-type tree -steps 4 -and -steps 8", "-steps 4 -and -type tree -steps 8"),
    ]:
        with pytest.raises(ValueError, match="0.json is of command .*1.json of .*; draw each in its own"):
            names_of_words(tmp_path, command, one, other)


def test_a_figure_of_several_files(tmp_path):
    one = write(tmp_path / "a.json", prediction(1, 900, "bulk"), prediction(1, 900))
    two = write(tmp_path / "b.json", prediction(4, 300, "bulk"))
    assert len(read_predictions([one, two])) == 3
    plot_predictions([one, two], tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_no_point_is_cut_and_axes_say_what_they_are(tmp_path, monkeypatch):
    figures = []
    monkeypatch.setattr(style, "save_figure", lambda figure, output: figures.append(figure))
    for name, time in [("as many", 225), ("faster", 150)]:
        plot_predictions([write(tmp_path / f"{name}.json", prediction(1, 900), prediction(4, time))], tmp_path / "figure.png")
        figure = figures.pop()
        labels = [axes.get_ylabel() for axes in figure.axes]
        assert labels[:3] == ["ms per step, with regrids", "speed-up over 1 core", "efficiency, relative to 1 core"]
        step, _, efficiency = figure.axes[:3]
        assert list(step.lines[0].get_ydata()) == [pytest.approx(9e-4), pytest.approx(1e-6 * time)]
        most = max(np.max(line.get_ydata()) for line in efficiency.lines)
        assert efficiency.get_ylim()[1] == pytest.approx(1.05 * most) and efficiency.get_ylim()[0] == 0
        assert "share of workers' time" in labels


def test_steps_that_take_no_time_are_refused_in_words(tmp_path):
    with pytest.raises(ValueError, match="none.json has steps that take no time"):
        read_predictions([write(tmp_path / "none.json", prediction(1, 0), prediction(2, 0))])
    with pytest.raises(ValueError, match="some.json has steps that take no time"):
        read_predictions([write(tmp_path / "some.json", prediction(1, 900), prediction(2, 900) | {"step_with_regrids_ns": 0})])


def test_other_files_are_refused(tmp_path):
    other = write(tmp_path / "other.json", schema="thalweg-graph-1")
    with pytest.raises(ValueError, match="other.json is not of schema thalweg-predict-1"):
        read_predictions([other])
    (tmp_path / "text.json").write_text("{")
    with pytest.raises(ValueError, match="text.json is no JSON"):
        read_predictions([tmp_path / "text.json"])
    with pytest.raises(ValueError, match="strange.json has predictions without what is drawn"):
        read_predictions([write(tmp_path / "strange.json", deck="a.toml", words=[1])])
    with pytest.raises(ValueError, match="strange.json has predictions without what is drawn"):
        read_predictions([write(tmp_path / "strange.json", command="miniamr", words=["--npx"])])
    (tmp_path / "bare.json").write_text('{"schema": "thalweg-predict-1"}')
    with pytest.raises(ValueError, match="bare.json has predictions without what is drawn"):
        read_predictions([tmp_path / "bare.json"])
    with pytest.raises(ValueError, match="no predictions"):
        plot_predictions([write(tmp_path / "none.json")], tmp_path / "figure.png")
