# SPDX-License-Identifier: MIT
"""What a report gathers from made-up logs, series and plotfiles, and the text of its page."""

import base64
import io
import json
import re
import shutil

import numpy as np
import pytest
from matplotlib.image import imread
from synthetic import blocks, write_plotfile, write_trace
from test_readers import VARIABLES, formula, write

from thalweg.plotfile import Plotfile
from thalweg.report import collect, page
from thalweg.report.pictures import MOST_VARIABLES, lines_of, slices_of, slices_of_run
from thalweg.report.run_data import curves_of_log, curves_of_plotfiles, curves_of_series, read_log, read_run, thinned
from thalweg.report.trace_data import MOST_EVENTS, messages_of, steps_of, timeline_of
from thalweg.series_file import read_columns
from thalweg.trace_file import RECV, TASK, Trace, Track, read_trace, varints


def step_line(step, blocks=(4, 2), **more):
    event = {"event": "step", "step": step, "time": step / 8, "dt": 0.125, "blocks": list(blocks)}
    event |= {"zone_updates": 1000, "wall_s": 0.5, "parallel_efficiency": 0.75, "memory_bytes": 2**20}
    return json.dumps(event | more) + "\n"


def write_run(folder, **how):
    """A run of two plotfiles with a log, a series and a trace."""
    for step in (0, 4):
        write(folder / f"plt{step:05}", 2, **how)
    deck = '[problem]\nname = "</script><b>"\n[run]\nmodel = "dataflow"\n'
    (folder / "plt00004" / "deck.toml").write_text(deck)
    (folder / "log.jsonl").write_text("".join(step_line(step) for step in range(1, 5)))
    (folder / "series.csv").write_text("step [steps],time [time],density total [mass],density min [rho],mass\n0,0,1,.5,2\n4,.5,1.5,nan,2\n")
    write_trace(folder / "trace.pftrace")
    return folder


def data_of(html):
    """The data of a page, read as a browser reads it: up to the first end of a script."""
    return json.loads(re.search(r'id="data">(.*?)</script>', html, re.DOTALL)[1])


def test_a_page_holds_what_was_collected_and_no_markup_of_others(tmp_path):
    run = collect(write_run(tmp_path / "out"), None, "X(H1)")
    html = page([run])
    found = data_of(html)["runs"][0]
    assert found["keys"]["problem.name"] == "</script><b>" and found["deck"] == run["deck"]
    assert html.count("</script>") == 2 and "<b>" not in html
    assert [s["variable"] for s in found["slices"]] == ["X(H1)", "X(H1)", "density", "rho_E"]
    assert found["series"]["quantities"]["density"]["min"] == [0.5, None]  # JSON has no NaN
    assert not re.search(r"(?:src|href)=\"(?!#)|@import|url\(|https?://(?!www\.w3\.org/2000/svg)", html)


@pytest.mark.parametrize("d, coordinates, volume", [(2, 0, 1), (2, 1, np.pi), (1, 2, 4 / 3 * np.pi)])
def test_totals_of_plotfiles_are_integrals_in_all_coordinates(tmp_path, d, coordinates, volume):
    ones = lambda x, h: np.stack([np.ones(x.shape[:-1]), x[..., 0]])  # noqa: E731
    levels = [(8, blocks(8, d, 4)), (16, [((4,) * d, (12,) * d)])]
    write_plotfile(tmp_path / "plt00001", ["density", "r"], [0] * d, [1] * d, levels, ones, coordinates=coordinates)
    plot = Plotfile(tmp_path / "plt00001")
    found, cells = curves_of_plotfiles([plot])["quantities"], plot.leaf_cells()
    assert found["density"]["total"] == pytest.approx([volume])
    assert found["r"]["total"] == pytest.approx([(cells.values[1] * cells.volume).sum()])
    assert (found["r"]["min"], found["r"]["max"]) == ([1 / 16], [15 / 16])


def test_variables_that_share_a_name_are_left_out(tmp_path):
    write_plotfile(tmp_path / "plt00001", ["a", "b", "a"], [0, 0], [1, 1], [(8, blocks(8, 2, 4))], lambda x, h: np.stack([x[..., 0]] * 3))
    plot = Plotfile(tmp_path / "plt00001")
    assert list(curves_of_plotfiles([plot])["quantities"]) == ["b"] and plot.default_variable == "b"
    shown, not_shown, damage = slices_of_run(tmp_path, None)
    assert [one["variable"] for one in shown] == ["b"] and (not_shown, damage) == ([], [])


def test_totals_are_left_out_where_volumes_are_not_known(tmp_path):
    write_plotfile(tmp_path / "plt00001", ["density"], [0, 0], [1, 3], [(8, blocks(8, 2, 4))], lambda x, h: x[None, ..., 0], coordinates=2)
    assert curves_of_plotfiles([Plotfile(tmp_path / "plt00001")])["quantities"]["density"] == {"units": {}, "min": [1 / 16], "max": [15 / 16]}


def test_logs_keep_the_last_of_steps_that_came_twice(tmp_path):
    path = tmp_path / "log.jsonl"
    lines = [step_line(1), step_line(2), step_line(2, blocks=(4, 3)), step_line(3, blocks=(4, 2, 1))]
    warning = json.dumps({"event": "warning", "step": 2, "time": 0, "text": "no plotfile"}) + "\n"
    stopped = json.dumps({"event": "stopped", "step": 3, "time": 0}) + "\n"
    path.write_text("".join(lines) + warning + stopped + step_line(4)[:20])  # the last line is being written
    log = read_log(path)
    assert [step["step"] for step in log.steps] == [1, 2, 3] and log.warnings == ["step 2: no plotfile", "step 3: stopped"]
    curves = curves_of_log(log)
    assert curves["blocks"] == [[4, 4, 4], [2, 3, 2], [0, 0, 1]]
    assert curves["rate"] == [2000] * 3 and curves["efficiency"] == [75] * 3 and curves["memory"] == [1] * 3
    path.write_text(step_line(1) + "what\n")
    with pytest.raises(ValueError, match="log.jsonl:2"):
        read_log(path)
    assert read_log(tmp_path / "none").steps == []


@pytest.mark.parametrize(
    "key, value, kind",
    [
        ("step", "x", "a whole number"),
        ("time", None, "a number"),
        ("blocks", [4, "x"], "a list of whole numbers"),
        ("blocks", 4, "a list of whole numbers"),
        ("memory_bytes", "1", "a number"),
    ],
)
def test_logs_with_values_of_another_type_are_refused_by_name(tmp_path, key, value, kind):
    event = json.loads(step_line(2)) | {key: value}
    (tmp_path / "log.jsonl").write_text(step_line(1) + json.dumps(event) + "\n")
    with pytest.raises(ValueError, match=re.escape(f"log.jsonl:2: no event of a log ({key} = {value!r} must be {kind})")):
        read_log(tmp_path / "log.jsonl")


def test_logs_of_a_run_that_went_back_have_the_steps_it_made_last(tmp_path):
    path = tmp_path / "log.jsonl"
    begin = json.dumps({"event": "begin", "step": 1, "time": 0}) + "\n"
    end = json.dumps({"event": "end", "step": 4, "time": 0}) + "\n"
    path.write_text("".join(map(step_line, (1, 2, 3, 4))) + end + begin + step_line(2, blocks=(4, 3)))
    log = read_log(path)
    assert [step["step"] for step in log.steps] == [1, 2] and log.steps[-1]["blocks"] == [4, 3] and log.end == {}


def part(begin, end, kind="end", **more):
    """The log of a process that makes some steps of a run."""
    lines = [json.dumps({"event": "begin", "step": begin, "time": 0}) + "\n"]
    lines += [json.dumps(json.loads(step_line(step)) | more) + "\n" for step in range(begin + 1, end + 1)]
    return "".join(lines) + (json.dumps({"event": kind, "step": end, "time": 0}) + "\n" if kind else "")


@pytest.mark.parametrize("kind", ["end", "stopped", None])  # None: it was killed
def test_times_and_rates_of_a_restarted_run_are_those_of_all_its_steps(tmp_path, kind):
    path = tmp_path / "log.jsonl"
    path.write_text(part(0, 30, kind, wall_s=1.0, parallel_efficiency=0.9) + part(20, 40, wall_s=2.0, parallel_efficiency=0.6, limited_fluxes=3))
    log = read_log(path)
    assert log.since == 0 and log.end["wall_s"] == 60  # 20 steps of 1 s, 20 of 2 s: those made anew count once
    assert log.end["parallel_efficiency"] == pytest.approx((20 * 0.9 + 40 * 0.6) / 60)
    assert log.end["zone_updates"] == 40 * json.loads(step_line(1))["zone_updates"]
    path.write_text(part(20, 40))
    assert read_log(path).since == 20


def test_a_run_that_goes_on_or_was_killed_has_no_times_yet(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(part(0, 3) + part(3, 5, None))
    assert read_log(path).end == {}


def test_series_have_totals_and_extrema_with_units(tmp_path):
    columns = read_columns(write_run(tmp_path) / "series.csv")
    found = curves_of_series(columns)
    assert found["time"] == [0, 0.5] and list(found["quantities"]) == ["density", "mass"]
    density = found["quantities"]["density"]
    assert density["total"] == [1, 1.5] and density["units"] == {"total": "mass", "min": "rho"}
    assert found["quantities"]["mass"] == {"value": [2, 2], "units": {"value": ""}}


def test_without_log_and_series_plotfiles_are_asked(tmp_path):
    folder = write_run(tmp_path)
    for name in ("log.jsonl", "series.csv"):
        (folder / name).unlink()
    run = read_run(folder)
    assert not run["has_log"] and run["steps"]["blocks"] == [[4, 4], [4, 4]]
    of = run["series"]["quantities"]["X(H1)"]
    assert of["total"] == pytest.approx([0.75, 0.75]) and run["series"]["source"] == "plotfiles"
    assert of["min"][0] < 0.75 < of["max"][0]
    with pytest.raises(FileNotFoundError, match="holds no plotfile"):
        read_run(tmp_path / "plt00000")


@pytest.mark.parametrize("file", ["Header", "Level_1/Cell_H", "Level_1/Cell_D_00000", "deck.toml"])
@pytest.mark.parametrize("has_series", [False, True])
def test_damaged_plotfiles_are_left_out_and_named(tmp_path, file, has_series):
    folder = write_run(tmp_path / "out")
    if not has_series:
        (folder / "series.csv").unlink()
    for step in range(8, 44, 4):
        write(folder / f"plt{step:05}", 2)
    whole = collect(folder, None, None)
    assert whole["damage"] == [] and [s["step"] for s in whole["slices"]][:4] == [7] * 4
    for step in (16, 40):  # the last one, too
        damaged = folder / f"plt{step:05}" / file
        damaged.write_text("[mesh")
    run = collect(folder, None, None)
    assert len(run["damage"]) == 2 and all(f"plt000{step}/{file}" in text for step, text in zip((16, 40), run["damage"], strict=True))
    assert "plotfile is left out" in page([run]) and len(run["slices"]) == len(whole["slices"]) and run["last"] == whole["last"]
    for path in folder.glob("plt*"):
        (path / file).write_text("[mesh")
    with pytest.raises(ValueError, match=f"out holds damaged plotfiles alone .*{file}"):
        collect(folder, None, None)


@pytest.mark.parametrize("side, plane", [("reflecting", "z = 0.25"), ("periodic", "z = 0.75")])
def test_a_plane_is_in_the_middle_of_the_whole(tmp_path, side, plane):
    plot = write(tmp_path / "plt", 3)
    (tmp_path / "plt/deck.toml").write_text(f'[boundary]\nlower = ["outflow", "outflow", "{side}"]\n')
    (shown,) = slices_of([plot], "rho_E")
    assert shown["plane"] == plane and [level["n"] for level in shown["levels"]] == [4, 4 if side == "periodic" else 0]


def test_a_run_that_begins_anew_while_it_is_read_has_no_page(tmp_path, monkeypatch):
    folder = write_run(tmp_path / "out")

    def slow(*what):
        shutil.rmtree(folder)
        write_run(folder, time=0.0625)
        return slices_of_run(*what)

    monkeypatch.setattr("thalweg.report.slices_of_run", slow)
    with pytest.raises(ValueError, match="out were replaced or removed while they were read .*make the report again"):
        collect(folder, None, None)


def test_outlines_are_in_the_unit_square_and_y_goes_down(tmp_path):
    (shown,) = slices_of([write(tmp_path / "plt", 2)], "density")
    first, last = (path.split("Z")[k] for path, k in ((shown["levels"][0]["path"], 0), (shown["levels"][1]["path"], -2)))
    assert first == "M0 0.5H0.5V1H0" and last == "M0.5 0.25H0.75V0.5H0.5"
    assert (shown["aspect"], shown["axes"]) == (1, ("x", "y")) and shown["low"] < shown["high"]


def colours_of(shown):
    """The pixels of a slice's picture, from the lowest row."""
    content = base64.b64decode(shown["image"].removeprefix("data:image/png;base64,"))
    return imread(io.BytesIO(content))[::-1]


def test_places_without_cells_have_no_colour_beside_one_value_everywhere(tmp_path):
    write_plotfile(tmp_path / "plt", ["x"], [0, 0], [1, 1], [(8, blocks(8, 2, 4)[:3])], lambda x, h: np.ones((1, *x.shape[:-1])))
    (shown,) = slices_of([Plotfile(tmp_path / "plt")], "x")
    opacity = colours_of(shown)[..., 3]
    assert (opacity[4:, 4:] == 0).all() and (opacity == 0).sum() == 16


def test_times_of_a_variable_have_one_range(tmp_path):
    for step, factor in [(0, 1.0), (4, 3.0)]:
        scaled = lambda x, h, factor=factor: factor * formula(x, h)  # noqa: E731
        write_plotfile(tmp_path / f"plt{step:05}", VARIABLES, [0, 0], [1, 1], [(8, blocks(8, 2, 4))], scaled)
    first, last, *others = slices_of_run(tmp_path, "density")[0]
    assert (first["least"], first["greatest"]) == (1.1875, 3.8125) and (last["least"], last["greatest"]) == (3.5625, 11.4375)
    assert (first["low"], first["high"]) == (last["low"], last["high"]) == (1.1875, 11.4375)
    a, b = colours_of(first), colours_of(last)
    np.testing.assert_array_equal(a[7, 5], b[0, 0])  # both 3.5625
    assert (a[7, 7] != b[7, 7]).any()
    assert [(s["variable"], s["low"] == s["least"]) for s in others] == [("X(H1)", True), ("rho_E", True)]


def test_variables_for_which_there_is_no_room_are_named(tmp_path):
    names = [f"Y{k}" for k in range(MOST_VARIABLES + 2)]
    values = lambda x, h: np.stack([x[..., 0]] * len(names))  # noqa: E731
    write_plotfile(tmp_path / "plt00000", names, [0, 0], [1, 1], [(8, blocks(8, 2, 4))], values)
    slices, not_shown, _ = slices_of_run(tmp_path, names[-1])
    assert slices_of_run(tmp_path, None)[1] == names[-2:] and not_shown == names[-3:-1]
    shown = [slice["variable"] for slice in slices]
    assert sorted(shown + not_shown) == names
    assert collect(tmp_path, None, None)["not_shown"] == names[-2:]


def test_lines_of_all_times_have_one_range(tmp_path):
    plots = [write(tmp_path / name, 1) for name in ("plt00000", "plt00001")]
    for shown in lines_of(plots, "density"):
        assert shown["low"] == min(shown["y"]) and shown["high"] == max(shown["y"])


def test_rows_are_thinned_evenly():
    assert thinned(5, 10) == [0, 1, 2, 3, 4]
    chosen = thinned(10_000, 100)
    assert len(chosen) == 100 and chosen[0] == 0 and chosen[-1] == 9999 and max(np.diff(chosen)) <= 102


def test_numbers_of_seven_bits_are_read_in_whole_columns():
    values = [0, 1, 127, 128, 300, 2**32 - 1, 2**62]
    data = b""
    for value in values:
        while value >= 0x80:
            data += bytes([value & 0x7F | 0x80])
            value >>= 7
        data += bytes([value])
    assert varints(data).tolist() == values and varints(b"").size == 0
    with pytest.raises(ValueError, match="cut short"):
        varints(data[:-1])
    with pytest.raises(ValueError, match="64 bits"):
        varints(b"\x80" * 10 + b"\x01")


def test_a_last_row_of_a_series_that_is_being_written_is_left_out(tmp_path):
    (tmp_path / "series.csv").write_text("step,time,mass\n0,0,1\n4,.5,2\n8,1")
    assert read_columns(tmp_path / "series.csv") == {"step": [0, 4], "time": [0, 0.5], "mass": [1, 2]}


def test_lines_of_a_series_that_are_left_out_are_named(tmp_path, capsys):
    path = tmp_path / "series.csv"
    path.write_text("step [steps],time [time],mass\n0,0,1\n4,.5\n8,1,2\n6,1.5,3\n7,2,4\n9,2.5,4,1\n12,3")
    assert read_columns(path) == {"step [steps]": [0, 8, 6, 7], "time [time]": [0, 1, 1.5, 2], "mass": [1, 2, 3, 4]}
    assert capsys.readouterr().err.splitlines() == [
        f"warning: {path}: line 3 left out (2 entries, not 3)",
        f"warning: {path}: line 5 has step 6 after step 8 (steps of a run rise)",
        f"warning: {path}: line 7 left out (4 entries, not 3)",
    ]
    path.write_text("step,mass\n" + "4\n" * 1000)
    assert read_columns(path) == {"step": [], "mass": []}
    assert capsys.readouterr().err.splitlines()[4:] == [f"warning: {path}: line 6 left out (1 entries, not 2)", f"warning: {path}: 995 more lines like these"]


@pytest.mark.parametrize(
    "content, what",
    [
        (b"step,ma\xd5s\n0,1\n", "line 1 is no line of names"),
        (b"step,mass\n0,1\n4,\xd5\n", "line 3 is no line of numbers"),
        (b"step,mass\n0,0x10\n", "line 2 is no line of numbers ('0,0x10')"),
        (b"step,mass\n0,\n8,1\n", "line 2 is no line of numbers"),
    ],
)
def test_damage_of_a_series_is_said_with_its_line_and_what_to_do(tmp_path, content, what):
    path = tmp_path / "series.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(f"{path}: {what}") + ".* damaged; mend the line, or move the file away"):
        read_columns(path)
    path.write_bytes(b"step,mass\n0,1\n4,\xd5")  # the last line is being written
    assert read_columns(path) == {"step": [0], "mass": [1]}


def test_what_lacks_the_variable_that_is_asked_for_is_left_out_and_named(tmp_path):
    write(tmp_path / "plt00000", 2)
    values = lambda x, h: np.stack([x[..., 0]] * 2)  # noqa: E731
    for step in (1, 2):  # of a restart with output.derived
        write_plotfile(tmp_path / f"plt0000{step}", ["density", "mach"], [0, 0], [1, 1], [(8, blocks(8, 2, 4))], values)
    run = collect(tmp_path, None, "mach")
    assert [shown["variable"] for shown in run["slices"]] == ["mach", "mach", "density"]
    assert run["damage"] == [f"'mach' is not in {tmp_path}/plt00000"]
    assert list(run["series"]["quantities"]) == ["density"]
    with pytest.raises(KeyError, match="'speed'"):
        collect(tmp_path, None, "speed")


def made_track(events, rank=0):
    """A track of events: kind, step, start, end, peer, bytes."""
    kind, step, start, end, peer, size = (np.array(column, np.int64) for column in zip(*events))
    return Track(rank, 0, kind, np.zeros_like(kind), step, start, end, np.zeros_like(kind), peer, size)


def numbers(row, column, kind="<u4"):
    return np.frombuffer(base64.b64decode(row[column]), kind).tolist()


def test_a_timeline_is_of_the_steps_that_were_asked_for_and_bars_end_with_it():
    task = lambda step, start, end: (TASK, step, start, end, 0, 0)  # noqa: E731
    own = made_track([task(3, 0, 90), task(4, 100, 200), task(5, 210, 300), task(6, 310, 900)])
    other = made_track([task(3, 50, 150), task(6, 250, 800)], rank=1)
    found = timeline_of(Trace("dataflow", ["a"], 2, {}, (4, 6), 0, [own, other]))
    assert found["span_ns"] == 200 and found["unit_ns"] == 1  # from 100 to 300
    assert [numbers(row, "start") for row in found["rows"]] == [[0, 110], [0, 150]]
    assert [numbers(row, "end") for row in found["rows"]] == [[100, 200], [50, 200]]
    assert [numbers(row, "step") for row in found["rows"]] == [[4, 5], [3, 6]]


def test_a_trace_is_of_the_steps_that_were_made():
    task = lambda step: (TASK, step, 0, 1, 0, 0)  # noqa: E731
    tracks = [made_track([task(2), task(4), task(5)]), made_track([task(3)], rank=1)]
    assert steps_of(Trace("dataflow", ["a"], 2, {}, (3, 200), 0, tracks)) == (3, 6)
    assert steps_of(Trace("dataflow", ["a"], 2, {}, (9, 11), 0, tracks)) == (9, 11)  # none were
    assert steps_of(Trace("dataflow", ["a"], 2, {}, None, 0, tracks)) is None


def test_messages_are_added_up_and_their_times_are_means():
    recv = lambda step, end, peer, size: (RECV, step, 10, end, peer, size)  # noqa: E731
    track = made_track([recv(4, 20, 1, 8), recv(5, 40, 1, 16), recv(6, 900, 1, 1), recv(4, 15, 2, 2), (TASK, 4, 0, 1, 1, 5)])
    assert messages_of(Trace("dataflow", ["a"], 3, {}, (4, 6), 0, [track])) == [
        {"from": 1, "to": 0, "count": 2, "bytes": 24, "posted_ns": 20},
        {"from": 2, "to": 0, "count": 1, "bytes": 2, "posted_ns": 5},
    ]


def test_timelines_say_when_they_are_cut(tmp_path, monkeypatch):
    write_trace(tmp_path / "trace.pftrace")
    trace = read_trace(tmp_path / "trace.pftrace")
    assert sum(int((track.kind == TASK).sum()) for track in trace.tracks) == 2 * 2 * 3 * 12 < MOST_EVENTS
    whole = timeline_of(trace)
    monkeypatch.setattr("thalweg.report.trace_data.MOST_EVENTS", 50)
    part = timeline_of(trace)
    assert (whole["is_cut"], part["is_cut"]) == (False, True) and part["span_ns"] < whole["span_ns"]
    assert isinstance(trace.tracks[0], Track) and len(whole["rows"]) == 4
