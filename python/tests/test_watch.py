# SPDX-License-Identifier: MIT
"""What is shown of a run that goes on, on made-up folders that grow."""

import fcntl
import io
import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from synthetic import blocks, write_plotfile
from test_readers import write
from test_report_data import step_line

import thalweg
from thalweg.watch import BARS, COLOURS, LOCK, SHADES, Log, Screen, part_done, picture, progress_lines, shown_in, time_left, watch

DECK = "[time]\nend = 2.0\nmax_steps = 1000\n"


def add(path, text):
    with path.open("a") as file:
        file.write(text)


def grown(folder, step, dimension=2, **how):
    plot = write(folder / f"plt{step:05}", dimension, **how)
    (folder / f"plt{step:05}" / "deck.toml").write_text(DECK)
    return plot


@pytest.fixture
def lock(tmp_path):
    """The lock of a folder, held as a run holds it; closed, it is as a run leaves it that was killed."""
    with (tmp_path / LOCK).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield held


def test_a_screen_follows_log_and_plotfiles(tmp_path, lock):
    screen, log = Screen(tmp_path), tmp_path / "log.jsonl"
    assert not screen.look(40, 8) and screen.lines(80) == [f"nothing in {tmp_path} yet"]
    grown(tmp_path, 0)
    assert screen.look(40, 8) and "run.log=both" in screen.lines(80)[0] and "step 7" in screen.lines(80)[1]
    assert not screen.look(40, 8)  # nothing is new
    add(log, step_line(4) + step_line(8)[:30])
    assert screen.look(40, 8)
    shown = screen.lines(80)
    assert shown[0].split("]")[1].split() == ["25.0", "%"] and shown[0].count("#") == 10
    assert "step 4  time 0.5" in shown[1] and "0.002 M zones/s  efficiency 75.0 %  1.0 MiB" in shown[1]
    assert shown[2] == "blocks of each level: 4 2"
    assert not screen.look(40, 8)  # the line is not whole
    add(log, step_line(8)[30:])
    assert screen.look(40, 8) and "0m01s left" in screen.lines(80)[0] and not screen.is_over
    add(log, json.dumps({"event": "stopped", "step": 8, "time": 1, "text": "stopped after step 8"}) + "\n")
    assert screen.look(40, 8) and screen.is_over and "stopped after step 8" in screen.lines(80)
    log.write_text(step_line(1))  # a new run with --force
    assert screen.look(40, 8) and not screen.is_over and "step 1 " in screen.lines(80)[1]
    assert len(screen.lines(30)[1]) > 30  # of a file or a pipe
    screen.has_colours = True
    assert all(len(line) <= 30 for line in screen.lines(30)[:3])


def test_damage_of_a_log_is_said_with_the_line_of_the_file(tmp_path):
    screen, log = Screen(tmp_path), tmp_path / "log.jsonl"
    log.write_text(step_line(1) + step_line(2))
    assert screen.look(40, 8)
    add(log, step_line(3) + "what\n")
    with pytest.raises(ValueError, match=r"log.jsonl:4: no event of a log \('what'\)"):
        screen.look(40, 8)
    log.write_text("what\n")  # a new run with --force
    with pytest.raises(ValueError, match="log.jsonl:1: no event"):
        screen.look(40, 8)


@pytest.mark.parametrize("n_steps", [1, 2, 6])  # a log shorter than the one before, of its length, and longer
@pytest.mark.parametrize("is_removed", [False, True])
def test_a_log_that_is_written_anew_is_read_from_its_beginning(tmp_path, is_removed, n_steps):
    log = tmp_path / "log.jsonl"
    log.write_text(step_line(100) + step_line(101))
    followed = Log(log)
    assert followed.read_on() and not followed.read_on()
    if is_removed:
        log.unlink()
    log.write_text("".join(step_line(100 + n, wall_s=2.0) for n in range(n_steps)))
    assert followed.read_on() and [step["wall_s"] for step in followed.steps] == [2.0] * n_steps
    assert followed.n_lines == n_steps and not followed.read_on()


def test_steps_that_a_run_makes_again_do_not_count_twice(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text("".join(map(step_line, [7, 8, 9])))
    followed = Log(log)
    assert followed.read_on()
    add(log, step_line(6) + step_line(7))  # it went on from the checkpoint of step 5
    assert followed.read_on() and [step["step"] for step in followed.steps] == [6, 7]


def test_a_plotfile_that_a_new_run_puts_in_the_place_of_one_is_drawn(tmp_path, lock):
    grown(tmp_path, 3)
    screen = Screen(tmp_path)
    assert screen.look(40, 8) and screen.deck["time"]["end"] == 2
    shutil.rmtree(tmp_path / "plt00003")
    assert screen.look(40, 8) and screen.picture == [] and screen.deck == {}  # nothing of the run before is left
    assert not screen.look(40, 8)
    grown(tmp_path, 3)
    assert screen.look(40, 8) and not screen.look(40, 8)
    shutil.rmtree(tmp_path / "plt00003")
    grown(tmp_path, 3, time=0.0625)
    (tmp_path / "plt00003/deck.toml").write_text("[time]\nend = 9.0\n")
    assert screen.look(40, 8) and screen.deck["time"]["end"] == 9 and "time 0.0625" in screen.picture[0]


@pytest.mark.parametrize("comes_back", [False, True])
def test_a_plotfile_that_goes_while_it_is_drawn_ends_nothing(tmp_path, lock, monkeypatch, comes_back):
    grown(tmp_path, 3)
    screen = Screen(tmp_path)

    def goes(plot, *args):
        monkeypatch.undo()
        shutil.rmtree(plot.path)
        if comes_back:
            grown(tmp_path, 3, time=0.0625)
        return picture(plot, *args)

    monkeypatch.setattr("thalweg.watch.picture", goes)
    assert not screen.look(40, 8) and screen.picture == []
    assert screen.look(40, 8) == comes_back and bool(screen.picture) == comes_back


def test_a_damaged_plotfile_is_named(tmp_path, lock):
    grown(tmp_path, 3)
    (tmp_path / "plt00003/Level_0/Cell_D_00000").unlink()
    with pytest.raises(FileNotFoundError, match="Cell_D_00000"):
        Screen(tmp_path).look(40, 8)


@pytest.mark.parametrize("results", ["a plotfile", "a log"])
def test_a_run_is_over_when_nobody_holds_its_folder(tmp_path, lock, results):
    if results == "a plotfile":
        grown(tmp_path, 0)
    else:
        add(tmp_path / "log.jsonl", step_line(1))
    screen = Screen(tmp_path)
    assert screen.look(40, 8) and not screen.is_over and not screen.look(40, 8)
    lock.close()  # it was killed: the file is still there
    assert screen.look(40, 8) and screen.is_over and "no run is writing here" in screen.lines(80)
    assert not screen.look(40, 8)


def test_what_a_run_writes_before_it_lets_its_folder_go_is_shown(tmp_path, monkeypatch):
    grown(tmp_path, 0)

    def ends(folder):
        add(folder / "log.jsonl", step_line(8))
        return False

    monkeypatch.setattr("thalweg.watch.is_written_to", ends)
    screen = Screen(tmp_path)
    assert screen.look(40, 8) and screen.is_over and "step 8 " in screen.lines(80)[1]


def test_efficiency_and_speed_are_those_of_the_time():
    steps = [json.loads(step_line(1, wall_s=3.0, parallel_efficiency=0.9)), json.loads(step_line(2, wall_s=1.0, parallel_efficiency=0.5))]
    assert "0.0005 M zones/s  efficiency 80.0 %" in progress_lines(steps, {}, 80)[1]


def test_a_run_that_has_not_written_yet_is_waited_for(tmp_path):
    screen = Screen(tmp_path)
    assert not screen.look(40, 8) and not screen.is_over


def test_waiting_is_said_once(tmp_path):
    out, screen = io.StringIO(), Screen(tmp_path)
    thread = threading.Thread(target=watch, args=(screen, out, lambda: (80, 24), 0.01, False), daemon=True)
    thread.start()
    thread.join(timeout=0.2)
    assert thread.is_alive() and out.getvalue() == f"waiting for a run in '{tmp_path}' (no log, no plotfile yet)\n"
    add(tmp_path / "log.jsonl", step_line(1) + json.dumps({"event": "end", "step": 1, "time": 0.1}) + "\n")
    thread.join(timeout=30)
    assert not thread.is_alive() and "step 1 " in out.getvalue()


def test_watching_ends_when_the_run_is_killed(tmp_path, lock):
    grown(tmp_path, 0)
    out = io.StringIO()
    thread = threading.Thread(target=watch, args=(Screen(tmp_path), out, lambda: (80, 24), 0.01, False), daemon=True)
    thread.start()
    thread.join(timeout=0.2)
    assert thread.is_alive() and "no run" not in out.getvalue()
    lock.close()
    thread.join(timeout=30)
    assert not thread.is_alive() and out.getvalue().count("no run is writing here") == 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("strange", [np.inf, -np.inf, np.nan])
def test_one_value_that_is_no_number_leaves_the_others_their_shades(tmp_path, dimension, strange):
    def values(centre, size):
        x = centre[..., 0]
        return np.where(x < 1 / 8, strange, x)[None]

    write_plotfile(tmp_path / "plt", ["u"], [0] * dimension, [1] * dimension, [(8, blocks(8, dimension, 4))], values)
    title, *rows = picture(thalweg.open(tmp_path / "plt"), "u", 8, 4, has_colours=False)
    assert title.startswith("u from 0.1875 to 0.9375") and ("infinite in places" in title) == bool(np.isinf(strange))
    assert len(set(rows[0])) > 5


def test_parts_and_times_left_are_of_time_or_of_steps():
    deck = {"time": {"end": 2.0, "max_steps": 10}}
    assert part_done(1, 1.0, deck) == 0.5 and part_done(8, 1.0, deck) == 0.8 and part_done(11, 3.0, deck) == 1
    assert part_done(1, 1.0, {}) == 0
    steps = [{"step": 0, "time": t, "wall_s": 3.0} for t in (0.5, 0.75, 1.0)]
    assert time_left(steps, deck) == pytest.approx(12)  # a quarter took 6 s, half is left
    assert time_left(steps[:1], deck) is None and time_left(steps, {}) is None


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("has_colours", [False, True])
def test_pictures_fit_and_have_the_values_where_they_are(tmp_path, dimension, has_colours):
    plot = write(tmp_path / "plt", dimension)
    name = "density" if dimension == 3 else "X(H1)"  # grows along x and y; along the last axis
    title, *rows = picture(plot, name, 30, 10, has_colours)
    assert title.startswith(f"{name} from ") and len(rows) <= 10
    if dimension == 1:  # grows along x
        assert rows == [BARS[0] + rows[0][1:-1] + BARS[-1]] and list(rows[0]) == sorted(rows[0], key=BARS.index)
    elif has_colours:
        assert f"38;5;{COLOURS[-1]}" in rows[0] and f"48;5;{COLOURS[0]}" in rows[-1]
        assert all(row.count("▀") == 20 and row.endswith("\x1b[0m") for row in rows)
    elif dimension == 2:  # y is up
        assert rows[0] == SHADES[-1] * 20 and rows[-1].strip("".join(SHADES[:2])) == ""
        assert len({len(row) for row in rows}) == 1
    else:
        assert rows[0][-1] == SHADES[-1] and rows[-1][0] == SHADES[0]


def test_watching_ends_with_the_run_and_draws_no_more_than_there_is_new(tmp_path, lock):
    grown(tmp_path, 0)
    log = tmp_path / "log.jsonl"
    out, screen = io.StringIO(), Screen(tmp_path)
    thread = threading.Thread(target=watch, args=(screen, out, lambda: (80, 24), 0.01, False))
    thread.start()
    try:
        add(log, step_line(1))
    finally:
        add(log, json.dumps({"event": "end", "step": 1, "time": 0.1}) + "\n")
    thread.join(timeout=30)
    assert not thread.is_alive() and out.getvalue().count("step 7") <= 3
    assert out.getvalue().rstrip().count("no run is writing here") == 1


def test_a_terminal_without_block_characters_gets_others(tmp_path):
    grown(tmp_path, 0, dimension=1)
    for has_colours, encoding in [(False, "latin-1"), (True, "ascii"), (False, "utf-8")]:
        out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        watch(Screen(tmp_path, has_colours=has_colours), out, lambda: (80, 24), 0.01, is_once=True)
        row = out.buffer.getvalue().decode(encoding).splitlines()[-1]
        least, most = (BARS[0], BARS[-1]) if encoding == "utf-8" else (SHADES[1], SHADES[len(BARS)])
        assert row[0] == least and row[-1] == most, row
    plane = picture(grown(tmp_path, 1), "X(H1)", 30, 10, has_colours=True)
    assert "\x1b[38;5;" in shown_in("latin-1", plane[1]) and "▀" not in shown_in("latin-1", plane[1])


def test_the_command_shows_how_it_stands(tmp_path):
    grown(tmp_path, 0)
    folder = Path(__file__).resolve().parent.parent
    command = [sys.executable, "-m", "thalweg", "watch", str(tmp_path), "--once", "--variable", "rho_E"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert "rho_E from 0.0625 to 0.125" in done.stdout and "\x1b" not in done.stdout
    closed = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *command], cwd=folder, stderr=subprocess.PIPE, text=True, check=False)
    assert closed.returncode == 2 and "standard output is closed" in closed.stderr and "Traceback" not in closed.stderr
    command[4] = str(tmp_path / "none")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "there is no folder" in done.stderr and "Traceback" not in done.stderr
