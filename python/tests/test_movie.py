# SPDX-License-Identifier: MIT
"""Movies of the plotfiles of a run, and the scale of their colours."""

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import thalweg.movie
from PIL import Image
from synthetic import blocks, write_plotfile

from thalweg.movie import write_movie
from thalweg.plot_slice import View, slice_figure
from thalweg.plotfile import Plotfile
from thalweg.scale import Scale

LEVELS = [(8, blocks(8, 2, 4))]


@pytest.fixture
def run(tmp_path):
    """A run with three plotfiles, of values up to 1, 2 and 4, and one that is being written."""
    for step, most in [(0, 1.0), (10, 2.0), (100000, 4.0)]:
        write_plotfile(tmp_path / f"run/plt{step:05}", ["h"], [0, 0], [1, 1], LEVELS, lambda c, h, m=most: m * c[None, ..., 0])
    write_plotfile(tmp_path / "run/plt00020.tmp", ["h"], [0, 0], [1, 1], LEVELS, lambda c, h: 9 * c[None, ..., 0])
    return tmp_path / "run"


def drawn(path, scale):
    png = io.BytesIO()
    slice_figure(Plotfile(path), View(scale=scale)).savefig(png, format="png")
    return np.asarray(Image.open(png).convert("RGB"))


@pytest.mark.parametrize("is_log", [False, True])
def test_a_movie_has_a_frame_a_plotfile_and_one_scale(run, is_log):
    assert write_movie(run, run.parent / "all.png", View(scale=Scale(is_log=is_log)), per_second=4) == 3
    movie = Image.open(run.parent / "all.png")
    assert movie.n_frames == 3 and movie.info["duration"] == 250
    for k, step in enumerate([0, 10, 100000]):
        movie.seek(k)
        expected = drawn(run / f"plt{step:05}", Scale((1 / 16, 4 * 15 / 16), is_log))
        assert np.array_equal(np.asarray(movie.convert("RGB")), expected), k
    assert not np.array_equal(drawn(run / "plt00000", Scale()), drawn(run / "plt00000", Scale((1 / 16, 4 * 15 / 16))))


def test_a_movie_may_be_of_a_plane_that_the_run_wrote(run):
    for step in (0, 5, 10, 15):
        write_plotfile(run / f"slice_z1_{step:05}", ["h"], [0, 0], [1, 1], LEVELS, lambda c, h: c[None, ..., 0])
    assert write_movie(run, run.parent / "plane.gif", slices="z1") == 4
    with pytest.raises(ValueError, match=r"has 0 plotfiles of z2 .*slices\.interval"):
        write_movie(run, run.parent / "plane.gif", slices="z2")
    with pytest.raises(ValueError, match="slices = 'z'.*a number"):
        write_movie(run, run.parent / "plane.gif", slices="z")


def test_a_damaged_plotfile_is_left_out_with_a_warning(run, capsys):
    (run / "plt00010/Header").write_text("")
    assert write_movie(run, run.parent / "all.gif") == 2
    assert capsys.readouterr().err == f"warning: a plotfile is left out: {run}/plt00010/Header: the file is empty: not a whole plotfile\n"
    (run / "plt00000/Level_0/Cell_D_00000").unlink()
    with pytest.raises(ValueError, match="has 1 plotfile "):
        write_movie(run, run.parent / "all.gif")
    assert f"cannot open '{run}/plt00000/Level_0/Cell_D_00000': No such file" in capsys.readouterr().err


@pytest.mark.parametrize("when", ["values_on", "slice_figure"])
def test_a_movie_shows_one_run_though_another_begins_anew_meanwhile(run, monkeypatch, when):
    asked = getattr(thalweg.movie, when)

    def and_another_begins(plot, *others):
        found = asked(plot, *others)
        if plot.path.name == "plt00010":
            (run / "plt100000").rename(run / "old")
            write_plotfile(run / "plt100000", ["h"], [0, 0], [1, 1], LEVELS, lambda c, h: 9 * c[None, ..., 0], time=0.5)
        return found

    monkeypatch.setattr(thalweg.movie, when, and_another_begins)
    with pytest.raises(ValueError, match=f"^{run}/plt100000 has been replaced or removed since it was opened"):
        write_movie(run, run.parent / "all.gif")
    assert not (run.parent / "all.gif").exists()


def test_frames_have_one_size_though_labels_differ(tmp_path):
    for step, time in [(0, 1.0), (10, -1e-300 / 3)]:
        write_plotfile(tmp_path / f"run/plt{step:05}", ["internal_energy_of_all"], [0, 0], [1, 40], LEVELS, lambda c, h: c[None, ..., 0], time=time)
    single = [drawn(tmp_path / f"run/plt{step:05}", Scale()) for step in (0, 10)]
    assert single[0].shape[1] < single[1].shape[1]
    write_movie(tmp_path / "run", tmp_path / "all.png")
    movie = Image.open(tmp_path / "all.png")
    for k, picture in enumerate(single):
        movie.seek(k)
        frame = np.asarray(movie.convert("RGB"))
        assert frame.shape == single[1].shape and np.array_equal(frame[: picture.shape[0], : picture.shape[1]], picture)


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_movies_are_of_kinds_that_browsers_show(run, kind):
    write_movie(run, run.parent / f"all.{kind}")
    movie = Image.open(run.parent / f"all.{kind}")
    assert (movie.format, movie.n_frames) == (kind.upper(), 3)


def test_colours_of_a_gif_are_the_same_in_all_frames(run):
    write_movie(run, run.parent / "all.gif")
    movie = Image.open(run.parent / "all.gif")
    seen: dict[tuple, tuple] = {}
    for k, step in enumerate([0, 10, 100000]):
        movie.seek(k)
        pixels = np.asarray(movie.convert("RGB")).reshape(-1, 3)
        exact = drawn(run / f"plt{step:05}", Scale((1 / 16, 4 * 15 / 16))).reshape(-1, 3)
        for both in np.unique(np.hstack([exact, pixels]), axis=0).tolist():
            assert seen.setdefault(tuple(both[:3]), tuple(both[3:])) == tuple(both[3:])
    assert len(set(seen.values())) > 20


def test_colours_are_those_of_a_map_of_matplotlib(run):
    signed = Scale((-4.0, 4.0), colours="RdBu_r")
    figure = slice_figure(Plotfile(run / "plt00000"), View("h", scale=signed))
    assert figure.axes[0].images[0].get_cmap().name == "RdBu_r"
    write_movie(run, run.parent / "all.gif", View(scale=signed))
    movie = np.asarray(Image.open(run.parent / "all.gif").convert("RGB")).astype(int)
    assert np.abs(movie - drawn(run / "plt00000", signed)).max() < 40  # of the map's palette
    with pytest.raises(ValueError, match="colours 'virids' .* take viridis"):
        Scale(colours="virids")


@pytest.mark.parametrize(("limits", "arrows"), [((0, 1), "neither"), ((0.5, 1), "min"), ((0, 0.5), "max"), ((0.4, 0.5), "both"), (None, "neither")])
def test_arrows_of_the_bar_stand_for_values_beyond_it(run, limits, arrows):
    figure = slice_figure(Plotfile(run / "plt00000"), View("h", scale=Scale(limits)))
    assert figure.axes[0].images[0].colorbar.extend == arrows


def test_a_line_has_the_limits_and_the_logarithm(tmp_path):
    write_plotfile(tmp_path / "plt", ["h"], [0], [1], [(8, blocks(8, 1, 8))], lambda c, h: c[None, ..., 0])
    (axes,) = slice_figure(Plotfile(tmp_path / "plt"), View(scale=Scale((0.1, 7.0), is_log=True))).axes
    assert axes.get_ylim() == (0.1, 7.0) and axes.get_yscale() == "log"
    write_plotfile(tmp_path / "flat", ["h"], [0], [1], [(8, blocks(8, 1, 8))], lambda c, h: c[None, ..., 0] - 0.5)
    with pytest.raises(ValueError, match="h on a logarithmic scale"):
        slice_figure(Plotfile(tmp_path / "flat"), View(scale=Scale(is_log=True)))


def test_a_movie_of_a_line_has_its_colours_and_room_around_it(tmp_path):
    for step in (0, 1):
        write_plotfile(tmp_path / f"run/plt{step:05}", ["h"], [0], [1], [(8, blocks(8, 1, 8))], lambda c, h: c[None, ..., 0])
    write_movie(tmp_path / "run", tmp_path / "all.gif")
    colours = {colour for _, colour in Image.open(tmp_path / "all.gif").convert("RGB").getcolors(1000)}
    assert (31, 119, 180) in colours, "as of level 0 in a picture"
    assert Scale((0.0, 1.0)).with_room().limits == (-0.03, 1.03)
    low, high = Scale((1.0, 100.0), is_log=True).with_room().limits
    assert 0.8 < low < 1 and 100 < high < 120


def test_limits_are_those_of_what_is_shown():
    shown = [np.array([2.0, np.nan]), np.array([3.0, 5.0, np.inf]), np.array([np.nan])]
    assert Scale().around("h", shown).limits == (2.0, 5.0)
    assert Scale((0.0, 1.0)).around("h", shown).limits == (0.0, 1.0)
    assert Scale().around("h", [np.array([3.0])]).limits == (1.5, 4.5)
    assert Scale().around("h", [np.array([0.0])]).limits == (-1.0, 1.0)
    assert Scale(is_log=True).around("h", [np.array([3.0])]).limits == (1.5, 6.0)
    with pytest.raises(ValueError, match="h on a logarithmic scale .*down to 0"):
        Scale(is_log=True).around("h", [np.array([0.0, 1.0])])


def said(*words):
    folder = Path(__file__).resolve().parent.parent
    done = subprocess.run([sys.executable, "-m", "thalweg", *map(str, words)], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_command_refuses_what_it_cannot_do_and_writes_nothing_then(run):
    (run.parent / "one").mkdir()
    (run / "plt00000").rename(run.parent / "one/plt00000")
    new = run.parent / "new.gif"
    for words, says in [
        (["movie", run.parent / "one", new], "has 1 plotfile (a movie"),
        (["movie", run.parent, new], "has 0 plotfiles"),
        (["movie", run / "plt00010", new], "is a plotfile"),
        (["movie", run, run.parent / "new.mp4"], "new.mp4' is to be a movie"),
        (["movie", run, new, "--per-second", "0"], "--per-second 0"),
        (["movie", run, new, "--variable", "k"], "'k' is not in"),
        (["movie", run, new, "--limits", "2", "1"], "limits 2 to 1"),
        (["slice", run, run.parent / "x.png", "--limits", "0", "1", "--log"], "limits 0 to 1 of a logarithmic scale"),
    ]:
        code, text = said(*words)
        assert code == 2 and says in text, text
    assert {path.name for path in run.parent.iterdir()} == {"run", "one"}
    code, text = said("movie", run, new)
    assert code == 0 and f"wrote {new}: 2 plotfiles" in text
    code, text = said("movie", run, new)
    assert code == 2 and "exists" in text and "--force" in text


def test_plotfiles_without_the_variable_are_left_out_with_a_warning(run, capsys):
    for step in (100001, 100002):  # of a restart with output.derived
        write_plotfile(run / f"plt{step}", ["h", "mach"], [0, 0], [1, 1], LEVELS, lambda c, h: np.stack([c[..., 0]] * 2))
    assert write_movie(run, run.parent / "all.gif", View("mach")) == 2
    assert capsys.readouterr().err.splitlines()[0] == f"warning: a plotfile is left out: 'mach' is not in {run}/plt00000"
    assert write_movie(run, run.parent / "h.gif", View("h")) == 5 and capsys.readouterr().err == ""
    with pytest.raises(KeyError, match="'speed'.*h, mach"):
        write_movie(run, run.parent / "none.gif", View("speed"))


def test_a_movie_may_be_of_a_window(run):
    write_movie(run, run.parent / "part.png", View(window=(0, 0.5, 0, 0.5), stretch=True))
    movie = Image.open(run.parent / "part.png")
    png = io.BytesIO()
    part = Scale((1 / 16, 4 * 7 / 16))  # of what is in it
    slice_figure(Plotfile(run / "plt00000"), View(scale=part, window=(0, 0.5, 0, 0.5), stretch=True)).savefig(png, format="png")
    assert np.array_equal(np.asarray(movie.convert("RGB")), np.asarray(Image.open(png).convert("RGB")))
