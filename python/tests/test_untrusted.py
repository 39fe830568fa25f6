# SPDX-License-Identifier: MIT
"""Files that others wrote, or damaged: refused in words and with their names, and nothing of them reaches a terminal as it is."""

import json
import os
import signal
from contextlib import contextmanager

import numpy as np
import pytest
import thalweg
from synthetic import blocks, field, write_plotfile, write_trace
from test_commands import run, say  # noqa: F401  # fixtures
from test_exact import write as write_tube
from test_predict import prediction
from test_predict import write as write_predictions
from test_readers import change, write
from test_report_data import data_of, step_line, write_run

from thalweg.plot_prediction import read_predictions
from thalweg.plot_timeline import plot_timeline, read_tasks
from thalweg.report import collect, page
from thalweg.report.run_data import read_log
from thalweg.series_file import read_columns
from thalweg.trace_file import IDLE, TASK, read_trace
from thalweg.watch import LOCK, Screen, is_written_to, part_done

DAMAGED = "the plotfile is damaged: copy it anew, or let its program write it again$"
ESCAPE = "\x1b]0;title\x07"


@pytest.mark.parametrize(
    "file, old, new, why",
    [
        ("Level_0/Cell_H", "((4,4) (7,7)", "((0,4) (3,7)", f"boxes of level 0 overlap .*{DAMAGED}"),
        ("Level_1/Cell_H", "((8,8) (11,11)", "((7,8) (10,11)", f"boxes of level 1 overlap .*{DAMAGED}"),
        ("Level_0/Cell_H", "(4 0", "(5 0", f"5 boxes of level 0 .the Header has 4, .*{DAMAGED}"),
        ("Level_1/Cell_H", "(4 0", "(0 0", f"0 boxes of level 1 .the Header has 4, .*{DAMAGED}"),
        ("Level_0/Cell_H", ")\n4\n", ")\n3\n", f"3 places of 4 boxes; {DAMAGED}"),
        ("Level_0/Cell_H", "(4 0", "(+4 0", "is not what a plotfile has there"),
        ("Level_0/Cell_H", "Cell_D_00000 0", "Cell_D_00000 ²", "is not what a plotfile has there"),
        ("Level_0/Cell_H", "((0,0) (3,3)", f"((0,0) ({2**40},3)", "is no box"),
        ("Level_0/Cell_H", "((0,0) (3,3)", f"(({-(2**40)},0) (3,3)", "is no box"),
        ("Level_0/Cell_H", "((0,0) (3,3)", "((0,0) (\u0663,3)", "is no box"),
        ("Level_0/Cell_H", "Cell_D_00000 0", "../Level_0/Cell_D_00000 0", "no path of a file in the plotfile"),
        ("Level_0/Cell_H", "Cell_D_00000 0", "/dev/zero 0", "no path of a file in the plotfile"),
        ("Header", "Level_0/Cell", "a/../Level_0/Cell", "no path of a file in the plotfile"),
        ("Header", "Level_0/Cell", "/Level_0/Cell", "no path of a file in the plotfile"),
        ("Header", "\n3\ndensity", "\n+0_3\ndensity", "is not what a plotfile has there"),
        ("Header", "\n3\ndensity", "\n0_3\ndensity", "is not what a plotfile has there"),
        ("Header", "\n3\ndensity", "\n\u0663\ndensity", "is not what a plotfile has there"),
        ("Header", "\n3\ndensity\nX(H1)\nrho_E\n", "\n0\n", f"0 variables in 2 dimensions .*{DAMAGED}"),
        ("Header", "\ndensity\n", "\n \n", "'' is no name of a variable"),
        ("Header", "rho_E\n2\n", "rho_E\n0\n", f"3 variables in 0 dimensions .*{DAMAGED}"),
        ("Header", "\n0.05\n1\n", "\n0.05 1\n1\n", "is not what a plotfile has there"),
        ("Header", "\n2\n((0,0)", "\n+2\n((0,0)", "is not what a plotfile has there"),
        ("Header", "\n7 7\n", "\n+7 7\n", "is not what a plotfile has there"),
        ("Header", "\n0 4 0.05", "\n0 +4 0.05", "is not what a plotfile has there"),
        ("Level_0/Cell_H", "Cell_D_00000 0", f"Cell_D_00000 {10**18}", "is not what a plotfile has there"),
        ("Level_0/Cell_H", "Cell_D_00000 0", "Cell_D_00000 0 0", "no place of a box"),
        ("Header", "\n3\ndensity", f"\n{'9' * 5000}\ndensity", "is not what a plotfile has there"),
        ("Header", "0.125 0.125", "0_0.125 0.125", "is not what a plotfile has there"),
        ("Header", "0.25 0.25", "0_0.25 0.25", "is not what a plotfile has there"),
        ("Header", "\n0.05\n1\n", "\n0.05\n+1\n", "is not what a plotfile has there"),
        ("Header", "\n0.05\n1\n", "\n0.05\n63\n", f"64 levels .at most 63 are read.; {DAMAGED}"),
        ("Header", "\n0\n0\n0 4", "\n-1\n0\n0 4", "is not what a plotfile has there"),
        ("Header", "rho_E\n2\n", "rho_E\n4\n", f"3 variables in 4 dimensions .*{DAMAGED}"),
        ("Header", "density", f"den{ESCAPE[:4]}sity", r"'den\\x1b\]0;sity' is no name of a variable"),
    ],
)
def test_tables_that_cannot_be_are_refused(tmp_path, file, old, new, why):
    write(tmp_path / "plt", 2)
    change(tmp_path / "plt" / file, old.encode(), new.encode())
    with pytest.raises(ValueError, match=f"^{tmp_path}/plt/{file}, line .*{why}"):
        thalweg.open(tmp_path / "plt")


def test_variables_of_one_name_are_read_by_their_places_and_not_by_name(tmp_path):
    levels = [(8, blocks(8, 2, 4)), (16, [((4, 4), (8, 8))])]
    write_plotfile(tmp_path / "plt", ["a", "b", "a"], [0, 0], [1, 1], levels, lambda x, h: np.stack([x[..., 0], x[..., 1], -x[..., 0]]))
    plot = thalweg.open(tmp_path / "plt")
    cells = plot.leaf_cells()
    np.testing.assert_array_equal(cells.values, [cells.centre[:, 0], cells.centre[:, 1], -cells.centre[:, 0]])
    box = plot.levels[0].boxes[0]
    np.testing.assert_array_equal(plot.read(box)[2], -plot.read(box)[0])
    np.testing.assert_array_equal(plot.leaf_cells("b").values[0], cells.centre[:, 1])
    for ask in (lambda: plot.read(box, "a"), lambda: plot.leaf_cells(["b", "a"]), lambda: plot.slice("a"), lambda: plot.profile("a", "x")):
        with pytest.raises(ValueError, match=f"^2 variables of {tmp_path}/plt are called 'a' .*in Python, read\(box\) gives all, in the order of variables$"):
            ask()


def test_a_level_of_a_plotfile_may_leave_parts_of_the_domain_out(tmp_path):
    some = blocks(8, 2, 4)[:3]
    write_plotfile(tmp_path / "plt", ["x"], [0, 0], [1, 1], [(8, some)], lambda x, h: x[None, ..., 0])
    plot = thalweg.open(tmp_path / "plt")
    assert plot.leaf_cells().volume.sum() == 0.75
    assert np.isnan(plot.slice("x").values).sum() == 16
    assert plot.profile("x", "y", n_bins=2).volume.tolist() == [0.5, 0.25]
    write_plotfile(tmp_path / "two", ["x"], [0, 0], [1, 1], [(4, blocks(4, 2, 4)), (8, some)], lambda x, h: x[None, ..., 0])
    assert thalweg.open(tmp_path / "two").leaf_cells().volume.sum() == 1


@pytest.mark.parametrize(
    "lo, hi, why",
    [
        ((16, 16), (24, 24), r"boxes of level 2 lie over cells \(\(8,8\) \(11,11\) \(0,0\)\) of level 1, which no box there has"),
        ((8, 8), (18, 16), r"boxes of level 2 lie over cells \(\(8,4\) \(8,7\) \(0,0\)\) of level 1, which no box there has"),
        ((7, 8), (16, 16), "boxes of level 2 end inside of cells of level 1"),
        ((8, 8), (16, 15), "boxes of level 2 end inside of cells of level 1"),
    ],
)
def test_levels_that_do_not_nest_are_refused(tmp_path, lo, hi, why):
    def levels(*finest):
        return [(8, blocks(8, 2, 4)), (16, [((0, 0), (8, 8))]), (32, [finest])]

    write_plotfile(tmp_path / "plt", ["x"], [0, 0], [1, 1], levels((0, 0), (16, 16)), lambda x, h: x[None, ..., 0])
    assert thalweg.open(tmp_path / "plt").leaf_cells().volume.sum() == 1
    write_plotfile(tmp_path / "other", ["x"], [0, 0], [1, 1], levels(lo, hi), lambda x, h: x[None, ..., 0])
    with pytest.raises(ValueError, match=f"^{tmp_path}/other/Level_2/Cell_H: {why} .*{DAMAGED}"):
        thalweg.open(tmp_path / "other")


def test_a_level_of_which_both_files_say_that_it_has_no_boxes_is_refused(tmp_path):
    write_plotfile(tmp_path / "plt", ["x"], [0, 0], [1, 1], [(4, blocks(4, 2, 4)), (8, [])], lambda x, h: x[None, ..., 0])
    with pytest.raises(ValueError, match="0 boxes of level 1 .*no level is without any"):
        thalweg.open(tmp_path / "plt")


def test_numbers_of_tables_may_have_blanks_around_them(tmp_path):
    write(tmp_path / "plt", 2)
    change(tmp_path / "plt/Header", b"rho_E\n2\n", b"rho_E\n 2 \n")
    assert thalweg.open(tmp_path / "plt").dimension == 2


def test_a_record_asks_for_no_more_memory_than_its_file_has_numbers(tmp_path):
    write(tmp_path / "plt", 2)
    data = tmp_path / "plt/Level_0/Cell_D_00000"
    change(data, b"((0,0) (3,3)", b"((0,0) (33333333,33333333)")
    with pytest.raises(ValueError, match="Cell_D_00000, byte 0: the file ends within the record"):
        thalweg.open(tmp_path / "plt").leaf_cells()


@contextmanager
def soon():
    """Ends what waits, for a pipe, say."""

    def ends(*_):
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, ends)
    signal.setitimer(signal.ITIMER_REAL, 3)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "file, read",
    [
        ("plt00004/Header", lambda folder: thalweg.open(folder)),
        ("plt00004/Level_0/Cell_H", lambda folder: thalweg.open(folder)),
        ("plt00004/Level_0/Cell_D_00000", lambda folder: thalweg.open(folder).leaf_cells()),
        ("plt00004/Level_0/Cell_D_00000", lambda folder: thalweg.open(folder).check()),
        ("plt00004/deck.toml", lambda folder: thalweg.open(folder).deck()),
        ("log.jsonl", lambda folder: read_log(folder / "log.jsonl")),
        ("series.csv", lambda folder: read_columns(folder / "series.csv")),
        ("trace.pftrace", lambda folder: read_trace(folder / "trace.pftrace")),
        (LOCK, is_written_to),
    ],
)
def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path, file, read):
    write_run(tmp_path)
    (tmp_path / file).unlink(missing_ok=True)
    os.mkfifo(tmp_path / file)
    with soon(), pytest.raises(ValueError, match=f"^{tmp_path}/{file} is a pipe or a device"):
        read(tmp_path)


def test_a_link_to_a_file_is_read_and_a_folder_in_place_of_one_is_no_pipe(tmp_path):
    values = write(tmp_path / "plt", 2).leaf_cells().values
    for file in ("Header", "Level_0/Cell_H", "Level_0/Cell_D_00000"):
        (tmp_path / "plt" / file).rename(tmp_path / "moved")
        (tmp_path / "plt" / file).symlink_to((tmp_path / "moved").rename(tmp_path / file.replace("/", "_")))
    assert (thalweg.open(tmp_path / "plt").leaf_cells().values == values).all()
    (tmp_path / "log.jsonl").mkdir()
    with pytest.raises(IsADirectoryError):
        read_log(tmp_path / "log.jsonl")
    (tmp_path / "null").symlink_to("/dev/null")
    with pytest.raises(ValueError, match="null is a pipe or a device"):
        read_log(tmp_path / "null")


def test_a_terminal_gets_no_escape_sequences_of_a_run(tmp_path):
    write(tmp_path / "plt00000", 2)
    (tmp_path / "log.jsonl").write_text(step_line(1) + json.dumps({"event": "warning", "step": 1, "time": 0, "text": f"no{ESCAPE}"}) + "\n")
    screen = Screen(tmp_path)
    assert screen.look(40, 8)
    shown = "\n".join(screen.lines(80))
    assert "no\\x1b]0;title\\x07" in shown and all(c.isprintable() or c == "\n" for c in shown)


@pytest.mark.parametrize("command", ["errors", "pictures"])
def test_what_decks_say_is_printed_without_escape_sequences(say, tmp_path, command):  # noqa: F811
    write_tube(tmp_path / "plt00000", "sod")
    deck = tmp_path / "plt00000/deck.toml"
    deck.write_text(deck.read_text().replace('"sod"', '"bubble\\u001b[2J"'))
    _, out, err = say(command, tmp_path)
    assert "bubble\\x1b[2J" in out + err and "\x1b" not in out + err


def test_what_decks_differ_in_is_printed_without_escape_sequences(say, tmp_path):  # noqa: F811
    for name in ("plt00000", "plt00001"):
        write_tube(tmp_path / name, "sod")
    deck = tmp_path / "plt00001/deck.toml"
    deck.write_text(deck.read_text() + '[advection]\nname = "\\u001b[2J"\n')
    code, out, _ = say("errors", tmp_path / "plt00000", tmp_path / "plt00001")
    assert code == 0 and "advection.name = none and \\x1b[2J" in out and "\x1b" not in out


@pytest.mark.parametrize("key, value", [("time", 1e400), ("time", float("nan")), ("dt", "1"), ("step", True), ("step", 1.0), ("blocks", [1.5]), ("blocks", [1, 1.5]), ("dt", True), ("wall_s", -1e400)])
def test_logs_with_numbers_that_are_none_are_refused(tmp_path, key, value):
    (tmp_path / "log.jsonl").write_text(json.dumps(json.loads(step_line(1)) | {key: value}) + "\n")
    with pytest.raises(ValueError, match=rf"log.jsonl:1: no event of a log \({key} = .* must be a "):
        read_log(tmp_path / "log.jsonl")


@pytest.mark.parametrize("key", ["step", "dt", "limited_fluxes"])
def test_logs_with_numbers_of_too_many_digits_are_refused(tmp_path, key):
    (tmp_path / "log.jsonl").write_text(json.dumps(json.loads(step_line(1)) | {key: 10**20 - 1}) + "\n")
    read_log(tmp_path / "log.jsonl")
    for number in (10**4000, 10**20, -(10**20)):
        (tmp_path / "log.jsonl").write_text(step_line(1) + json.dumps(json.loads(step_line(2)) | {key: number}) + "\n")
        with pytest.raises(ValueError, match="log.jsonl:2: no event of a log"):
            read_log(tmp_path / "log.jsonl")


@pytest.mark.parametrize("line, why", [('{"event": ["step"], "step": 1, "time": 0}', r"event = \['step'\] must be a name"), ('{"event": ' + "[" * 100_000, r"'\{\"event\": \[")])
def test_lines_of_logs_that_are_no_events_are_refused(tmp_path, line, why):
    (tmp_path / "log.jsonl").write_text(line + "\n")
    with pytest.raises(ValueError, match=rf"log.jsonl:1: no event of a log \({why}"):
        read_log(tmp_path / "log.jsonl")


@pytest.mark.parametrize(
    "deck, why",
    [
        ("a = " + "[" * 100_000, "it is nested too deeply"),
        ("[a]\nb = " + "9" * 5000, "digits"),
        ("problem = 3", "problem is no section"),
        ('"pro\\u001bblem" = 3', r"pro\\x1bblem is no section"),
    ],
)
def test_what_is_no_deck_is_refused(tmp_path, deck, why):
    plot = write(tmp_path / "plt", 2)
    (tmp_path / "plt/deck.toml").write_text(deck)
    with pytest.raises(ValueError, match=f"plt/deck.toml is no deck .*{why}"):
        plot.deck()


@pytest.mark.parametrize("limit", ["x", True, float("inf"), 10**4000, -1, [1]])
def test_limits_of_a_deck_that_are_no_numbers_are_none(limit):
    assert part_done(5, 0.5, {"time": {"end": limit, "max_steps": 10}}) == 0.5
    assert part_done(5, 0.5, {"time": {"end": 1.0, "max_steps": limit}}) == 0.5


@pytest.mark.parametrize(
    "deck",
    [
        'name = "uniform"\n[boundary]\nlower = 3',
        'name = "sod"\n[source]\ngravity = 3',
        'name = "sod"\ngamma = 1.4\naxis = 0\n[hydro]\neos = "stiffened"\np_infinity = "x"',
        'name = "sedov"\n[source]\ngravity = 3',
        'name = "sedov"\ngamma = [1]',
        'name = "linear_wave"\nn_waves = []',
    ],
)
@pytest.mark.parametrize("command", ["errors", "pictures"])
def test_values_of_decks_of_another_type_are_said_with_the_deck(say, tmp_path, deck, command):  # noqa: F811
    write_tube(tmp_path / "plt00000", "sod")
    (tmp_path / "plt00000/deck.toml").write_text(f"[problem]\n{deck}\n")
    code, out, err = say(command, tmp_path)
    assert code == 2 and "plt00000/deck.toml" in err, (out, err)


def test_a_report_of_a_deck_with_strange_values_is_made(tmp_path):
    write_run(tmp_path)
    (tmp_path / "plt00004/deck.toml").write_text(f"[boundary]\nlower = 3\n[mesh]\nday = 2026-01-01\nlarge = {10**4000}\nn = nan\n")
    keys = data_of(page([collect(tmp_path, None, None)]))["runs"][0]["keys"]
    assert keys["mesh.day"] == "2026-01-01" and keys["mesh.n"] is None


def test_tables_in_tables_in_tables_are_said_to_be_too_deep(say, tmp_path):  # noqa: F811
    write_run(tmp_path)
    (tmp_path / "plt00004/deck.toml").write_text("[mesh]\n" + ".".join(["a"] * 3000) + " = 1\n")
    code, _, err = say("report", tmp_path)
    assert code == 2 and "nested too deeply" in err and "deck.toml" in err


def of_one_task(kind=0, run=0, node=0, replay=0, start=0, duration=1, *, rank=0, graph=0, first=0, name=0, levels=(0,), size=0, text=b"a", host=b""):
    """A trace of one task, some of whose numbers cannot be."""
    deltas = [2 * n if n >= 0 else -2 * n - 1 for n in (replay, start)]
    nodes = field(1, text) + field(3, text) + field(4, [name]) + field(6, list(levels)) + field(10, [size])
    track = b"".join(field(n + 1, [value]) for n, value in enumerate([kind, run, node, *deltas, duration]))
    record = field(1, 1) + field(2, rank) + field(3, 1) + field(4, host) + field(8, nodes) + field(9, field(2, graph) + field(5, first)) + field(10, track)
    return field(1, field(10, 1) + field(54_101, record))


@pytest.mark.parametrize(
    "content, why",
    [
        (of_one_task(kind=4), "of an unknown kind"),
        (of_one_task(kind=2**64 - 1), "of an unknown kind"),
        (of_one_task(run=1), "of a run that is not there"),
        (of_one_task(run=2**64 - 1), "of a run that is not there"),
        (of_one_task(node=1), "of a node that is not there"),
        (of_one_task(node=2**64 - 1), "of a node that is not there"),
        (of_one_task(name=1), "a node without a name"),
        (of_one_task(name=2**64 - 1), "a node without a name"),
        (of_one_task(levels=(0, 0)), "columns of nodes differ in length"),
        (of_one_task(size=2**63), "of a size that cannot be"),
        (of_one_task(graph=1), "of a graph that is not there"),
        (of_one_task(graph=2**64 - 1), "of a graph that is not there"),
        (of_one_task(first=2**64 - 1), "of a step that cannot be"),
        (of_one_task(replay=-1), "of a step that cannot be"),
        (of_one_task(replay=2**62), "of a step that cannot be"),
        (of_one_task(duration=2**64 - 1), "ends before it begins"),
        (of_one_task(start=2**61), "at a time that cannot be"),
        (of_one_task(start=-(2**62)), "at a time that cannot be"),
        (of_one_task(rank=1), "a rank beyond the number of ranks"),
        (of_one_task() * 2, "a rank twice"),
        (b"\x0a" + b"\xff" * 10_000_000 + b"\x01", "more than 64 bits"),
    ],
)
def test_traces_with_numbers_that_cannot_be_are_refused(tmp_path, content, why):
    path = tmp_path / "trace.pftrace"
    path.write_bytes(of_one_task())
    assert len(read_tasks(path)[0]) == 1
    path.write_bytes(content)
    with soon(), pytest.raises(ValueError, match=f"^{path} is no trace of Thalweg, or is damaged .*{why}"):
        read_trace(path)


def test_any_damage_of_a_trace_is_an_error_in_words(tmp_path):
    path = tmp_path / "trace.pftrace"
    write_trace(path, n_ranks=1, n_workers=1, n_steps=1, n_tasks=1)
    whole = path.read_bytes()
    n_refused = 0
    for at in range(0, len(whole), 2):
        for byte in (b"\xff", b""):
            path.write_bytes(whole[:at] + byte + whole[at + 1 :])
            try:
                read_trace(path)
            except ValueError as problem:
                n_refused += str(path) in str(problem)
    assert n_refused > len(whole) / 2


def test_idle_times_are_of_no_node_and_no_step(tmp_path):
    path = tmp_path / "trace.pftrace"
    idle = {"kind": IDLE, "first": 5, "levels": (4,), "size": 64}  # level 2, as signed numbers are written
    for node, replay in [(0, 0), (7, 0), (2**64 - 1, 0), (0, -9), (0, 2**62)]:
        path.write_bytes(of_one_task(node=node, replay=replay, **idle))
        (track,) = read_trace(path).tracks
        assert [int(column[0]) for column in (track.kind, track.step, track.name, track.level, track.bytes)] == [IDLE, 0, 0, 0, 0]
    path.write_bytes(of_one_task(**idle | {"kind": TASK}))
    (track,) = read_trace(path).tracks
    assert [int(column[0]) for column in (track.kind, track.step, track.level, track.bytes)] == [TASK, 5, 2, 64]


def test_names_of_traces_have_no_escape_sequences(tmp_path):
    (tmp_path / "trace.pftrace").write_bytes(of_one_task(text=ESCAPE.encode(), host=ESCAPE.encode()))
    trace = read_trace(tmp_path / "trace.pftrace")
    assert [*trace.names, trace.model, trace.hosts[0]] == ["\\x1b]0;title\\x07"] * 3


def test_timelines_without_a_picture_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "trace.pftrace"
    path.write_bytes(of_one_task(duration=0))
    with pytest.raises(ValueError, match="tasks of step 0 take no time"):
        plot_timeline(path, tmp_path / "a.png")
    monkeypatch.setattr("thalweg.plot_timeline.MOST_ROWS", 3)
    write_trace(path)
    with pytest.raises(ValueError, match="trace.pftrace has 4 workers .a picture shows at most 3"):
        plot_timeline(path, tmp_path / "a.png")


@pytest.mark.parametrize(
    "change_of",
    [{"step_ns": -1}, {"step_ns": float("inf")}, {"step_ns": float("nan")}, {"ranks": -1}, {"ranks": 10**400}, {"work": -1}, {"work": "x"}, {"idle": {"barrier": float("nan")}}],
)
def test_predictions_that_cannot_be_drawn_are_refused(tmp_path, change_of):
    path = write_predictions(tmp_path / "p.json", prediction(1, 900), prediction(4, 300) | change_of)
    with pytest.raises(ValueError, match="p.json has predictions without what is drawn"):
        read_predictions([path])


def test_predictions_in_too_many_brackets_are_refused(tmp_path):
    (tmp_path / "p.json").write_text("[" * 100_000)
    with pytest.raises(ValueError, match="p.json is no JSON .it is nested too deeply.; give what"):
        read_predictions([tmp_path / "p.json"])
