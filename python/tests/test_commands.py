# SPDX-License-Identifier: MIT
"""What commands say to bad requests, and what they may not replace."""

import json
import os
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import thalweg
import thalweg.__main__ as commands
from matplotlib.figure import Figure
from synthetic import blocks, write_plotfile, write_trace
from test_exact import write
from test_predict import prediction
from test_predict import write as write_predictions
from test_report_data import write_run

from thalweg.picture import Picture
from thalweg.vtkhdf import write_vtkhdf
from thalweg.whole_file import write_whole

PACKAGE = Path(__file__).resolve().parents[1]
SAFE = "exists (it would be replaced); choose another name, or replace it with --force"


@pytest.fixture
def say(monkeypatch, capsys):
    """A command, run here: its exit code, and what it says on both streams."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["thalweg", *map(str, words)])
        code = commands.main()
        said = capsys.readouterr()
        assert "Traceback" not in said.err and "fault of the package" not in said.err
        return code, said.out, said.err

    return run


@pytest.fixture
def run(tmp_path):
    """A folder of results: a tube, a trace; beside it one of several plotfiles, and what predict wrote."""
    write(tmp_path / "run/plt00003", "sod")
    for step in (0, 1):
        write(tmp_path / f"movie/plt0000{step}", "sod")
    write_trace(tmp_path / "run/trace.pftrace")
    write_predictions(tmp_path / "p.json", prediction(1, 900), prediction(4, 300))
    return tmp_path / "run"


def checkpoint(path):
    path.mkdir()
    (path / "manifest").write_text("thalweg checkpoint 1\n")
    return path


@pytest.mark.parametrize("command", ["errors", "pictures"])
@pytest.mark.parametrize("option", [["--gamma", "1.6"], ["--centre", "0.1"], ["--energy", "2"], ["--density", "2"], ["--pressure", "0"]])
def test_options_that_a_problem_does_not_take_are_refused(say, run, command, option):
    code, out, err = say(command, run, *option)
    assert (code, out) == (2, "") and f"{option[0]} of problem 'sod'" in err and "--centre, --gamma" in err
    assert not (run / "slice.png").exists()


def test_options_of_a_trace_or_a_plane_that_is_not_there_are_refused(say, run):
    (run / "trace.pftrace").unlink()
    code, _, err = say("pictures", run, "--step", "2")
    assert code == 2 and "--step 2" in err and "trace" in err and not (run / "slice.png").exists()
    write_plotfile(run.parent / "line", ["density"], [0], [1], [(8, blocks(8, 1, 8))], lambda x, h: x[None, ..., 0])
    for words in (["--at", "0.5"], ["--normal", "x"]):
        code, _, err = say("slice", run.parent / "line", run.parent / "x.png", *words)
        assert code == 2 and "one dimension" in err, err


def test_a_problem_without_an_exact_solution_is_a_bad_request_of_errors_alone(say, run):
    write(run / "plt00004", "kelvin_helmholtz")
    code, out, err = say("errors", run)
    assert (code, out) == (2, "") and "no exact solution of problem 'kelvin_helmholtz'" in err and "sedov" in err
    code, out, err = say("pictures", run)
    assert code == 0 and "no exact solution of problem 'kelvin_helmholtz'" in out


BAD = [
    (["slice", "{run}", "{new}.png", "--variable", "none"], "'none' is not in"),
    (["slice", "{run}", "{new}.png", "--at", "0.5"], "two dimensions"),
    (["slice", "{run}", "{new}.xyz"], "xyz"),
    (["slice", "{run}", "{run}"], "is a folder"),
    (["slice", "{run}", "-"], "not to the standard output"),
    (["slice", "{run}", "{new}.png", "--window", "0", "1", "0", "99"], "a window with y from 0 to 99"),
    (["slice", "{run}", "{new}.png", "--window", "-1e-3", "1", "-.5e1", "99"], "a window with"),
    (["vtkhdf", "{run}", "--output", "{new}.vtu"], "is to be a VTKHDF file"),
    (["slice", "{run}", "{new}/a.png"], "no folder '{new}'"),
    (["slice", "{new}", "{new}.png"], "is no plotfile"),
    (["timeline", "{run}", "{new}.png", "--step", "9"], "step 9"),
    (["timeline", "{run}", "{new}/a.png"], "no folder '{new}'"),
    (["timeline", "{new}", "{new}.png"], "cannot open"),
    (["timeline", "{run}/plt00003/Header", "{new}.png"], "is no trace"),
    (["errors", "{new}"], "is no plotfile"),
    (["pictures", "{run}", "--variable", "none"], "'none' is not in"),
    (["pictures", "{new}"], "is no plotfile"),
    (["pictures", "{run}", "--output", "{run}/trace.pftrace"], "is no folder"),
    (["vlasov", "{run}"], "holds no series.csv"),
    (["vlasov", "{new}"], "is no plotfile"),
    (["predict", "{new}.json"], "cannot open"),
    (["predict", "{run}/empty.json"], "empty.json is no JSON"),
    (["predict", "{run}/binary.json"], "binary.json is no JSON"),
    (["predict", "{run}/other.json"], "other.json"),
    (["predict", "{run}/../p.json", "--output", "{new}/p.png"], "no folder '{new}'"),
    (["figures", "{new}", "--only", "sod"], "cannot open"),
    (["report", "{new}"], "no folder"),
    (["report", "{run}", "--output", "{new}/r.html"], "no folder '{new}'"),
    (["report", "{run}", "--program", "{new}"], "no program"),
    (["watch", "{new}"], "no folder"),
    (["watch", "{run}", "--interval", "-1"], "interval"),
    (["vtkhdf", "{new}"], "is no plotfile"),
    (["vtkhdf", "{run}", "--output", "{new}/x.vtkhdf"], "no folder '{new}'"),
]


@pytest.mark.parametrize("words, part", BAD)
def test_bad_requests_end_with_2_and_in_words(say, run, words, part):
    (run / "empty.json").write_text("")
    (run / "binary.json").write_bytes(b"\xff\x00")
    (run / "other.json").write_text(json.dumps({"schema": "thalweg-predict-1", "predictions": [{}]}))
    names = {"run": run, "new": run / "new"}
    code, _, err = say(*(word.format(**names) for word in words))
    assert code == 2 and err.startswith("error: ") and part.format(**names) in err, err
    assert "errno" not in err.lower() and not (run / "new").exists()


@pytest.mark.parametrize(
    "problem, code",
    [
        (MemoryError(), 3),
        (OSError(28, "No space left on device", "x"), 3),
        (OSError(28, "No space left on device"), 3),
        (KeyError("blocks"), 3),
        (ImportError("No module named 'h5py'"), 2),
        (OSError(13, "Permission denied", "x"), 2),
    ],
)
def test_no_problem_ends_with_a_traceback(monkeypatch, capsys, problem, code):
    def fail(*_):
        raise problem

    monkeypatch.setattr(commands, "last_plotfile", fail)
    monkeypatch.setattr(sys, "argv", ["thalweg", "errors", "x"])
    assert commands.main() == code
    err = capsys.readouterr().err
    assert err.startswith("error: ") and err.count("\n") == 1 and "Traceback" not in err
    if isinstance(problem, KeyError):
        assert "KeyError: 'blocks'" in err and "test_commands.py" in err


def test_an_interrupt_and_a_reader_that_has_gone_end_quietly(run, monkeypatch, capfd):
    monkeypatch.setattr(commands, "last_plotfile", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    monkeypatch.setattr(sys, "argv", ["thalweg", "errors", "x"])
    assert commands.main() == 130 and capfd.readouterr().err == ""
    theirs, ours = os.pipe()
    os.close(theirs)
    done = subprocess.run([sys.executable, "-m", "thalweg", "errors", run], cwd=PACKAGE, stdout=ours, stderr=subprocess.PIPE, text=True)
    os.close(ours)
    assert done.stderr == "" and done.returncode == 141
    # One that was closed by >&- is no fault of the package.
    monkeypatch.undo()
    monkeypatch.setattr(sys, "argv", ["thalweg", "errors", str(run)])
    monkeypatch.setattr(sys, "stdout", None)
    assert commands.main() == 0


def test_commands_that_do_not_draw_need_no_matplotlib(run):
    script = "import sys; sys.modules['matplotlib'] = None; import thalweg.__main__ as m; sys.exit(m.main())"
    for words, code in [(["errors", run], 0), (["watch", run, "--once"], 0), (["slice", run, run / "x.png"], 2)]:
        done = subprocess.run([sys.executable, "-c", script, *map(str, words)], cwd=PACKAGE, capture_output=True, text=True)
        assert done.returncode == code and "Traceback" not in done.stderr, done.stderr
    assert "matplotlib" in done.stderr and "pip" in done.stderr


def test_a_plotfile_is_no_folder_of_a_run_and_a_checkpoint_neither(say, run):
    plt, chk = run / "plt00003", checkpoint(run / "chk00003")
    for command in (["report"], ["watch", "--once"]):
        for path in (plt, plt / "Header"):
            code, out, err = say(*command, path)
            assert (code, out) == (2, "") and f"'{plt}' is a plotfile" in err and f"the folder of its run, '{run}'" in err
        code, out, err = say(*command, chk)
        assert (code, out) == (2, "") and f"'{chk}' is a checkpoint" in err
        code, out, err = say(*command, run / "trace.pftrace")
        assert (code, out) == (2, "") and "no folder" in err
    code, _, err = say("errors", chk)
    assert code == 2 and f"'{chk}' is a checkpoint" in err and "plotfile" in err


def test_a_run_that_has_not_begun_is_watched_and_has_no_report(say, tmp_path):
    code, out, _ = say("watch", tmp_path, "--once")
    assert code == 0 and f"nothing in {tmp_path} yet" in out
    code, _, err = say("report", tmp_path)
    assert code == 2 and "holds no plotfile" in err


# A command that writes what is named, and a file that it writes.
WRITING = {
    "movie": (["movie", "{run}/../movie", "{out}/a.gif"], "a.gif"),
    "slice": (["slice", "{run}", "{out}/a.png"], "a.png"),
    "slice without a type": (["slice", "{run}", "{out}/a"], "a.png"),
    "timeline": (["timeline", "{run}", "{out}/a.svg"], "a.svg"),
    "pictures": (["pictures", "{run}", "--output", "{out}"], "slice.png"),
    "report": (["report", "{run}", "--output", "{out}/a.html"], "a.html"),
    "predict": (["predict", "{out}/../p.json", "--output", "{out}/a.png"], "a.png"),
    "vtkhdf": (["vtkhdf", "{run}", "--output", "{out}/a.vtkhdf"], "a.vtkhdf"),
    "predict by default": (["predict", "{out}/../p.json"], "../p.png"),
    "vtkhdf by default": (["vtkhdf", "{run}"], "../run/plt00003.vtkhdf"),
}


@pytest.mark.parametrize("case", WRITING)
def test_what_is_there_is_replaced_with_force_alone(say, run, case):
    if "vtkhdf" in case:
        pytest.importorskip("h5py")
    out = run.parent / "out"
    out.mkdir()
    words, name = WRITING[case]
    words = [word.format(run=run, out=out) for word in words]
    file = Path(os.path.normpath(out / name))
    code, said, err = say(*words)
    assert code == 0 and file.is_file(), err
    assert f"wrote {file}" in os.path.normpath(said)
    file.write_text("mine")
    code, said, err = say(*words)
    assert (code, said) == (2, "") and f"{file.name}' {SAFE}" in err and file.read_text() == "mine"
    code, said, err = say(*words, "--force")
    assert code == 0 and file.read_bytes() != b"mine", err
    assert sorted(path.name for path in file.parent.glob(f"{file.name}*")) == [file.name]


@pytest.mark.parametrize("case", [case for case in WRITING if "vtkhdf" not in case])
def test_what_is_there_stays_where_the_disk_is_full(say, run, case):
    out = run.parent / "out"
    out.mkdir()
    words, name = WRITING[case]
    words = [word.format(run=run, out=out) for word in words]
    file = Path(os.path.normpath(out / name))
    file.write_text("mine")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))  # of each file, as if there were no more room
    try:
        code, _, err = say(*words, "--force")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert code == 3 and f"cannot write '{file}': " in os.path.normpath(err), err
    assert file.read_text() == "mine" and [path.name for path in file.parent.glob(f"{file.name}*")] == [file.name]


def test_what_is_written_replaces_what_a_link_stands_for(say, run):
    (run.parent / "theirs.png").write_text("old")
    (run / "link.png").symlink_to(run.parent / "theirs.png")
    assert say("slice", run, run / "link.png", "--force")[0] == 0
    assert (run / "link.png").is_symlink() and (run.parent / "theirs.png").read_bytes()[1:4] == b"PNG"


def test_what_is_written_leaves_modes_and_what_is_no_file(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("old")
    page.chmod(0o640)
    write_whole(page, b"new")
    assert page.read_text() == "new" and page.stat().st_mode & 0o777 == 0o640
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor() as pool:
        read = pool.submit((tmp_path / "pipe").read_bytes)
        write_whole(tmp_path / "pipe", b"new")
    assert read.result() == b"new" and (tmp_path / "pipe").is_fifo()
    with pytest.raises(OSError, match="page.html/x.png'"):
        write_whole(page / "x.png", b"new")


def test_what_commands_call_themselves_in_a_folder_of_results_is_made_anew(say, run):
    for command, name in (("report", "report.html"), ("pictures", "slice.png")):
        for _ in range(2):
            code, out, err = say(command, run)
            assert code == 0 and f"wrote {run / name}" in out, err


def test_figures_of_vlasov_replace_others_with_force_alone(say, run, tmp_path):
    (tmp_path / "field.png").write_text("mine")
    code, _, err = say("vlasov", run, "--output", tmp_path)
    assert code == 2 and f"field.png' {SAFE}" in err
    assert SAFE not in say("vlasov", run, "--output", tmp_path, "--force")[2]


def test_the_series_of_a_plotfile_of_vlasov_lies_beside_it(say, run, monkeypatch):
    (run / "plt00003/deck.toml").write_text("[application]\nname = 'vlasov'\n")
    (run / "series.csv").write_text("step,time\n0,0\n")
    monkeypatch.chdir(run / "plt00003")
    for results in (run, run / "plt00003", run / "plt00003/Header", "."):
        code, _, err = say("vlasov", results)
        assert code == 2 and "series.csv" in err and "are not of one run of vlasov" in err, err


def test_what_is_no_file_is_never_replaced(say, run):
    os.mkfifo(run / "pipe.png")
    code, _, err = say("slice", run, run / "pipe.png", "--force")
    assert code == 2 and "pipe.png' is no file" in err
    (run / "link.png").symlink_to(run / "none")
    code, _, err = say("slice", run, run / "link.png")
    assert code == 2 and SAFE in err


def test_pictures_and_conversions_are_saved_over_others_with_force_alone(tmp_path):
    picture, other, path = Picture(Figure()), Picture(Figure((1, 1))), tmp_path / "a.png"
    picture.save(path)
    with pytest.raises(FileExistsError, match=r"a.png' exists \(it would be replaced\).*force=True"):
        other.save(path)
    assert path.read_bytes() == picture.png != other.png
    other.save(str(path), force=True)
    assert path.read_bytes() == other.png == other._repr_png_()
    with pytest.raises(FileNotFoundError, match="no folder '.*none'"):
        picture.save(tmp_path / "none/a.png")
    for name, made, begin in (("b", "b.png", picture.png), ("b.pdf", "b.pdf", b"%PDF"), ("b.svg", "b.svg", b"<?xml")):
        picture.save(tmp_path / name)
        assert (tmp_path / made).read_bytes().startswith(begin)
    for name in ("b.xyz", "sod_t0.5", "-"):
        with pytest.raises(ValueError):
            picture.save(tmp_path / name)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.png", "b.pdf", "b.png", "b.svg"]
    with pytest.raises(TypeError, match=r"^path = 3 \(must be a path\)"):
        picture.save(3)
    with pytest.raises(TypeError, match=r"^force = 'yes' \(must be True or False\)"):
        picture.save(path, force="yes")


def test_a_conversion_replaces_with_force_once_it_is_whole(tmp_path):
    pytest.importorskip("h5py")
    write(tmp_path / "plt", "sod")
    plot, path = thalweg.open(tmp_path / "plt"), tmp_path / "a.vtkhdf"
    path.write_text("mine")
    with pytest.raises(FileExistsError, match="force=True"):
        write_vtkhdf(plot, path)
    data = plot.levels[0].boxes[-1].file
    whole = data.read_bytes()
    data.write_bytes(whole[:-8])
    with pytest.raises(ValueError, match="ends within"):
        write_vtkhdf(plot, path, force=True)
    assert path.read_text() == "mine"
    data.write_bytes(whole)
    write_vtkhdf(plot, path, force=True)
    assert path.read_bytes()[1:4] == b"HDF"


def test_runs_of_two_folders_have_one_report(say, tmp_path):
    write_run(tmp_path / "a"), write_run(tmp_path / "b")
    code, out, _ = say("report", tmp_path / "a", tmp_path / "b")
    assert code == 0 and out == f"wrote {tmp_path / 'a/report.html'}\n"
    code, _, err = say("report", tmp_path / "a", tmp_path / "b/../a")
    assert code == 2 and "twice" in err


def test_damage_of_logs_and_series_is_said_with_the_file(say, run):
    for line in ('{"step": 1}', '{"event": "step", "step": "x"}', '{"event": "begin"}', "[]"):
        (run / "log.jsonl").write_text(f"{line}\n")
        for words in (["watch", run, "--once"], ["report", run]):
            code, _, err = say(*words)
            assert code == 2 and "log.jsonl:1: no event of a log" in err and "mend or remove the line" in err
    for text in ("", "time,mass\n1\n", "time,mass\n0,x\n", "time,mass\n0,1\n"):
        (run / "series.csv").write_text(text)
        code, _, err = say("vlasov", run)
        assert code == 2 and "series.csv" in err, err
    (run / "log.jsonl").unlink()
    for line in ("0,\xd5", "0,0x10"):
        (run / "series.csv").write_text(f"time,mass\n{line}\n", encoding="latin-1")
        for command in ("vlasov", "report"):
            code, _, err = say(command, run)
            assert code == 2 and "series.csv: line 2 is no line of numbers" in err, err


def test_a_file_of_a_user_makes_no_checkpoint_of_a_folder(say, run):
    (run / "manifest").write_text("of my files\n")
    assert say("errors", run)[0] == 0 and say("watch", run, "--once")[0] == 0
