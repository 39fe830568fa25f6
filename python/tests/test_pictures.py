# SPDX-License-Identifier: MIT
"""Errors, figures and the command line, on made-up plotfiles and traces."""

import argparse
import importlib.util
import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib import image, rc_context
from matplotlib.cbook import is_math_text
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from synthetic import blocks, write_blast, write_plotfile, write_trace

from thalweg.plot_slice import View, slice_figure
from thalweg.plot_timeline import PALE, Event, colours_of, draw_window, middle_step, read_tasks, select
from thalweg.plotfile import Plotfile
from thalweg.scale import Scale
from thalweg.style import LEVEL_COLOURS, figure_in
from thalweg.sedov import Sedov
from thalweg.sedov_error import errors, profile, read_blast, relative_l1, shock_radius

OPTIONS = argparse.Namespace(centre=None, gamma=None, energy=None, density=None, pressure=None)
BLAST = Sedov(time=0.05, p0=1e-5)
DOMAINS = {"octant": ([0, 0, 0], [0.5] * 3, 16), "cube": ([-0.5] * 3, [0.5] * 3, 32)}


def test_leaf_cells_leave_out_what_is_covered(tmp_path):
    def values(centre, size):
        return np.stack([centre[..., 0], np.full(centre.shape[:-1], size[0])])

    levels = [(8, blocks(8, 2, 4)), (16, [((4, 2), (10, 6))])]
    write_plotfile(tmp_path / "plt", ["x", "h"], [0, 0], [1, 1], levels, values)
    cells = Plotfile(tmp_path / "plt").leaf_cells()
    assert len(cells.volume) == 64 - 6 + 24
    assert cells.volume.sum() == pytest.approx(1, rel=1e-15)
    np.testing.assert_array_equal(cells.values[0], cells.centre[:, 0])
    np.testing.assert_array_equal(cells.values[1], cells.size[:, 0])


@pytest.mark.parametrize("domain", DOMAINS)
def test_exact_blast_has_no_error(tmp_path, domain):
    lower, upper, n_cells = DOMAINS[domain]
    write_blast(tmp_path / "plt", BLAST, lower, upper, n_cells)
    figures = errors(read_blast(tmp_path / "plt", OPTIONS))
    for name in ("density", "pressure", "velocity"):
        assert figures[f"L1 {name}"] < 1e-12
        assert figures[f"profile {name}"] < 1e-12
    assert figures["shock radius"] == pytest.approx(BLAST.shock_radius, abs=0.01)
    # The kinetic energy of averages is not the average of the kinetic energy.
    assert figures["energy"] == pytest.approx(1, rel=0.08)


def test_shells_reach_beyond_a_shock_that_is_larger(tmp_path):
    large = Sedov(time=0.3, p0=1e-5)
    write_blast(tmp_path / "plt", large, [0, 0, 0], [0.8] * 3, 16)
    figures = errors(read_blast(tmp_path / "plt", OPTIONS))
    assert large.shock_radius > 0.6
    assert figures["shock radius"] == pytest.approx(large.shock_radius, abs=0.02)


def test_errors_are_relative_to_the_exact_sums(tmp_path):
    write_blast(tmp_path / "plt", BLAST, *DOMAINS["octant"])
    blast = read_blast(tmp_path / "plt", OPTIONS)
    blast.density = blast.exact_density * 1.25
    assert errors(blast)["L1 density"] == pytest.approx(0.25, rel=1e-12)
    assert errors(blast)["profile density"] == pytest.approx(0.25, rel=1e-12)
    assert relative_l1(np.array([1.0, 3.0]), np.array([2.0, 2.0]), np.array([1.0, 3.0])) == 0.5


def test_errors_do_not_depend_on_the_unit_of_length(tmp_path):
    found = []
    for unit in (1, 10):
        blast = Sedov(time=0.05, energy=float(unit) ** 5, p0=1e-5 * unit**2)
        write_blast(tmp_path / f"plt{unit}", blast, [0, 0, 0], [0.5 * unit] * 3, 16)
        options = argparse.Namespace(**{**vars(OPTIONS), "energy": blast.energy, "pressure": blast.p0})
        read = read_blast(tmp_path / f"plt{unit}", options)
        read.density = read.density * (1 + np.sin(20 * read.radius / unit))
        found.append(errors(read)["profile density"])
    assert found[0] > 0.1 and found[1] == pytest.approx(found[0], rel=1e-9)


def test_shock_radius_lies_between_the_shells_of_half_the_maximum():
    class Shells:
        radius = np.array([0.1, 0.2, 0.3, 0.4])
        pressure = np.array([1.0, 4.0, 3.0, 1.0])

    assert shock_radius(Shells) == pytest.approx(0.35)


def test_shells_without_cells_are_left_out(tmp_path):
    write_blast(tmp_path / "plt", BLAST, *DOMAINS["octant"], n_levels=1)
    blast = read_blast(tmp_path / "plt", OPTIONS)
    shells = profile(blast, blast.density, blast.pressure, blast.velocity)
    assert 20 < len(shells.radius) < 64
    assert np.isfinite(shells.density).all()


def test_deck_and_options_choose_the_blast(tmp_path):
    write_blast(tmp_path / "plt", BLAST, *DOMAINS["octant"], n_levels=1)
    (tmp_path / "plt" / "deck.toml").write_text("[problem]\nenergy = 2.0\ncentre = [0.1, 0.0, 0.0]\n")
    from_deck = read_blast(tmp_path / "plt", OPTIONS)
    assert from_deck.solution.energy == 2.0 and from_deck.whole == 4
    chosen = argparse.Namespace(**{**vars(OPTIONS), "energy": 3.0, "centre": [0.0, 0.0, 0.0]})
    from_options = read_blast(tmp_path / "plt", chosen)
    assert from_options.solution.energy == 3.0 and from_options.whole == 8


def test_image_shows_the_finest_cells_of_the_plane(tmp_path):
    levels = [(8, blocks(8, 3, 4)), (16, [((4, 4, 0), (8, 8, 4))])]
    path = tmp_path / "plt"
    write_plotfile(
        path, ["h"], [0] * 3, [1] * 3, levels, lambda c, h: np.full((1, *c.shape[:3]), h[0])
    )
    low, high = (Plotfile(path).slice("h", at=height).values for height in (0.01, 0.9))
    assert low.shape == (16, 16)
    assert (low[4:8, 4:8] == 1 / 16).all() and np.count_nonzero(low == 1 / 16) == 16
    assert (high == 1 / 8).all()


@pytest.mark.parametrize("sides", [(4.0, 0.5), (1.0, 1.0), (0.5, 2.0)])
def test_colour_bars_are_as_long_as_their_pictures(tmp_path, sides):
    write_plotfile(tmp_path / "plt", ["h"], [0, 0], sides, [(8, blocks(8, 2, 4))], lambda c, h: c[None, ..., 0])
    figure = slice_figure(Plotfile(tmp_path / "plt"))
    figure.draw_without_rendering()
    picture, bar = (axes.get_window_extent() for axes in (figure.axes + figure.axes[0].child_axes))
    length = max(bar.width, bar.height)
    assert 0.9 < length / (picture.width if bar.width > bar.height else picture.height) < 1.1
    assert picture.width * picture.height > 0.2 * np.prod(figure.canvas.get_width_height())


@pytest.mark.parametrize("sides", [(4.0, 0.5), (1.0, 1.0), (0.1, 2.0)])
def test_labels_are_whole_and_a_bar_is_as_wide_as_one_can_see(tmp_path, sides):
    values = lambda c, h: -12345.678 + 1e-3 * c[None, ..., 0]  # noqa: E731
    write_plotfile(tmp_path / "plt", ["internal_energy_of_all"], [0, 0], sides, [(8, blocks(8, 2, 4))], values)
    figure = slice_figure(Plotfile(tmp_path / "plt"))
    figure.savefig(tmp_path / "x.png")
    pixels = np.round(255 * image.imread(tmp_path / "x.png")[..., :3])
    assert (pixels[:, :3] == 255).all() and (pixels[:, -3:] == 255).all()
    (bar,) = [axes.get_window_extent() for axes in (figure.axes + figure.axes[0].child_axes)][1:2]
    assert min(bar.width, bar.height) > 0.1 * figure.dpi


@pytest.mark.parametrize("n_levels", [1, 4])
@pytest.mark.parametrize("sides", [(20, 1), (8, 1), (6, 1), (4, 1), (2, 1), (1.7, 1), (1, 1), (1, 2), (1, 8)])
def test_all_that_is_drawn_lies_in_the_picture(tmp_path, sides, n_levels):
    levels = [(8, blocks(8, 3, 4)), *((8 * 2**n, [((2 * 2**n,) * 3, (2 * 2**n + 4,) * 3)]) for n in range(1, n_levels))]
    write_plotfile(tmp_path / "plt", ["internal_energy_of_all"], [0, 0, 0], [sides[0], 1, sides[1]], levels, lambda c, h: 1e7 * c[None, ..., 0])
    figure = slice_figure(Plotfile(tmp_path / "plt"), View(normal="y"))
    figure.savefig(tmp_path / "x.png")
    box, size = figure.get_tightbbox(), figure.get_size_inches()
    assert (box.min > 0).all() and (box.max < size).all()
    pixels = np.round(255 * image.imread(tmp_path / "x.png")[..., :3])
    assert all((edge == 255).all() for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]))


def test_timeline_takes_the_middle_step_and_what_overlaps_it(tmp_path):
    write_trace(tmp_path / "trace.pftrace", n_steps=3)
    events, rows = read_tasks(tmp_path / "trace.pftrace")
    assert len(events) == 2 * 2 * 3 * 12
    assert rows == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert middle_step(events) == 2
    chosen, start, end = select(events, 2)
    assert sum(event.step == 2 for event in chosen) == 48
    assert all(event.start < end and event.end > start for event in chosen)
    with pytest.raises(ValueError, match="step 9"):
        select(events, 9)


@pytest.mark.parametrize("step", [0, 99])
def test_a_step_that_is_not_traced_is_refused_with_those_there_are(step):
    events = [Event(0, 0, "a", n, 0, 1) for n in (0, 3, 5)]  # 0: of no step
    with pytest.raises(ValueError, match=rf"no tasks of step {step} \(the trace has some of steps 3, 5\)"):
        select(events, step)
    with pytest.raises(ValueError, match="some of steps 1 to 12"):
        select([Event(0, 0, "a", n, 0, 1) for n in range(1, 13)], 99)


def test_timeline_has_a_row_for_a_worker_without_a_task():
    axes = Figure().subplots()
    rows = [(0, 0), (0, 1)]
    assert draw_window(axes, [Event(0, 0, "advance", 1, 0, 100)], rows, 1, (0, 100), {}, 1.0) == 0.5
    assert [label.get_text() for label in axes.get_yticklabels()] == ["rank 0 worker 0", "rank 0 worker 1"]


def test_no_task_has_a_colour_that_another_has_in_other_steps():
    events = [Event(0, 0, f"task {n:02}", 1, 0, 100 - n) for n in range(12)]
    colours = colours_of(events)
    assert list(colours) == [f"task {n:02}" for n in range(9)] + ["other"]
    own = np.array([colour[:3] for colour in colours.values()])
    pale = 1 - PALE * (1 - own)  # on white
    distance = np.linalg.norm(np.concatenate([own, pale])[None, :] - own[:, None], axis=2)
    assert np.sort(distance, axis=1)[:, 1].min() > 0.2  # the nearest is the colour itself
    assert len(colours_of(events[:9])) == 9  # none for others


def test_what_is_no_trace_is_refused_by_name(tmp_path):
    whole = tmp_path / "trace.pftrace"
    write_trace(whole)
    for name, content in [
        ("empty", b""),
        ("text", b"[mesh]\ndim = 3\n"),
        ("cut", whole.read_bytes()[:-3]),
        ("newer", whole.read_bytes().replace(b"\x08\x01\x10\x00", b"\x08\x09\x10\x00")),
    ]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=name):
            read_tasks(tmp_path / name)


def run(*arguments):
    folder = Path(__file__).resolve().parent.parent
    command = [sys.executable, "-m", "thalweg", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_pictures_are_three_figures_and_print_the_errors(tmp_path):
    write_blast(tmp_path / "plt", BLAST, *DOMAINS["octant"])
    write_trace(tmp_path / "other" / "trace.pftrace")
    done = run(
        "pictures",
        tmp_path / "plt",
        "--trace",
        tmp_path / "other" / "trace.pftrace",
        "--output",
        tmp_path / "out",
    )
    assert done.returncode == 0, done.stderr
    assert "L1 density" in done.stdout and "exact shock radius" in done.stdout
    for name in ("slice.png", "profile.png", "timeline.png"):
        assert (tmp_path / "out" / name).stat().st_size > 10000


def test_pictures_of_a_folder_take_its_last_plotfile_and_its_traces(tmp_path):
    for name in ("plt00000", "plt99999", "plt100000"):
        write_blast(tmp_path / name, BLAST, *DOMAINS["octant"])
    (tmp_path / "plt200000").mkdir()  # not yet whole
    write_trace(tmp_path / "trace.pftrace")
    done = run("pictures", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "plt100000 against the exact Sedov solution (no deck beside it: taken for a Sedov blast):" in done.stdout
    for name in ("slice.png", "profile.png", "timeline.png"):
        assert (tmp_path / name).exists() and str(tmp_path / name) in done.stdout


def test_a_timeline_is_of_a_trace_or_of_a_folder_with_one(tmp_path):
    write_trace(tmp_path / "out/trace.pftrace")
    for name, what in [("a.png", "out/trace.pftrace"), ("b.png", "out")]:
        done = run("timeline", tmp_path / what, tmp_path / name)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    done = run("timeline", tmp_path, tmp_path / "c.png")
    assert done.returncode == 2 and "holds no trace.pftrace" in done.stderr and "trace.steps" in done.stderr


@pytest.mark.parametrize("name", ["none", ""])
def test_missing_plotfile_is_an_error_with_its_path(tmp_path, name):
    done = run("pictures", tmp_path / name)
    assert done.returncode == 2
    assert str(tmp_path / name) in done.stderr and "Traceback" not in done.stderr


def test_planes_lie_inside_and_across_any_axis(tmp_path):
    def values(centre, size):
        return centre[None, ..., 0] + 10 * centre[None, ..., 1] + 100 * centre[None, ..., 2]

    write_plotfile(tmp_path / "plt", ["h"], [0, 0, 0], [1, 1, 1], [(4, blocks(4, 3, 2))], values)
    plot = Plotfile(tmp_path / "plt")
    first = (np.arange(4) + 0.5) / 4
    for normal, weights in (("x", (10, 100)), ("y", (1, 100)), ("z", (1, 10))):
        constant = {"x": 1, "y": 10, "z": 100}[normal] * 0.625
        expected = constant + weights[0] * first[None, :] + weights[1] * first[:, None]
        np.testing.assert_allclose(plot.slice("h", normal, 0.6).values, expected)
    done = run("slice", tmp_path / "plt", tmp_path / "x.png", "--variable", "h", "--at", "5")
    assert done.returncode == 2 and "z = 5" in done.stderr and "from 0 to 1" in done.stderr
    assert run("slice", tmp_path / "plt", tmp_path / "first.png").returncode == 0
    done = run("slice", tmp_path / "plt", tmp_path / "x.png", "--variable", "density")
    assert done.returncode == 2 and done.stderr.startswith("error: 'density' is not in")


def test_phase_space_has_an_axis_of_velocities(tmp_path):
    write_plotfile(tmp_path / "plt", ["f"], [0, -6], [1, 6], [(8, blocks(8, 2, 4))], lambda x, h: x[None, ..., 0])
    plot = Plotfile(tmp_path / "plt")
    for application, axes in (("vlasov", ("x", "v")), ("advection", ("x", "y"))):
        (tmp_path / "plt/deck.toml").write_text(f'[application]\nname = "{application}"\n')
        assert plot.slice("f").axes == axes
        drawn = slice_figure(plot).axes[0]
        assert (drawn.get_xlabel(), drawn.get_ylabel()) == tuple(f"{axis} [code units]" for axis in axes)


@pytest.mark.parametrize("normal, axis", [("x", "y"), ("y", "x")])
def test_a_line_across_a_plane_has_the_axis_that_is_left(tmp_path, normal, axis):
    path = tmp_path / f"slice_{normal}1_00010"
    write_plotfile(path, ["h"], [0], [1], [(8, blocks(8, 1, 4))], lambda x, h: x[None, ..., 0])
    assert slice_figure(Plotfile(path)).axes[0].get_xlabel() == f"{axis} [code units]"


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("name", [r"$\foo$", "rho$_e$ $x$", "a $ b", r"\$a$"])
def test_names_are_no_formulas(tmp_path, dimension, name):
    write_plotfile(tmp_path / "plt", [name], [0] * dimension, [1] * dimension, [(8, blocks(8, dimension, 4))], lambda x, h: x[None, ..., 0])
    figure = slice_figure(Plotfile(tmp_path / "plt"))
    figure.savefig(tmp_path / "u.svg", metadata={"Date": None})
    texts = [text.get_text() for text in figure.findobj(Text) if "$" in text.get_text()]
    assert len(texts) == 2  # title, and the label of values
    assert all(text.replace(r"\$", "$").startswith(name) and not is_math_text(text) for text in texts)


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("is_log, farthest", [(False, 1e307), (True, 1e200)])
def test_pictures_have_numbers_as_large_as_can_be_drawn(tmp_path, dimension, is_log, farthest):
    def drawn(value, limits=None):
        path = tmp_path / f"{value:g}"
        if not path.exists():
            write_plotfile(path, ["u"], [0] * dimension, [1] * dimension, [(4, blocks(4, dimension, 4))], lambda x, h: np.full((1, *x.shape[:-1]), value))
        slice_figure(Plotfile(path), View(scale=Scale(limits, is_log))).savefig(tmp_path / "u.png")

    drawn(5e-324)
    drawn(farthest)
    with pytest.raises(ValueError, match=r"^u from 1.7e\+308 to 1.7e\+308 \(matplotlib draws no numbers beyond 1e\+[23]0[07]\); give limits closer to 0$"):
        drawn(1.7e308)
    drawn(1.7e308, (1.0, farthest))
    with pytest.raises(ValueError, match=r"^limits 1 to 1e\+308 \(matplotlib .*give limits closer to 0$"):
        Scale((1.0, 1e308), is_log)


def test_limits_stay_within_what_can_be_drawn():
    assert Scale().around("u", [np.array([-1e307, 1e307])]).with_room().limits == (-1e307, 1e307)
    assert Scale(is_log=True).around("u", [np.array([5e-324, 1e200])]).with_room().limits == (5e-324, 1e200)
    assert Scale().around("u", [np.array([1e307])]).limits == (5e306, 1e307)


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("factor", [0.0, 1e5])
def test_logarithms_of_the_smallest_numbers_are_drawn(tmp_path, dimension, factor):
    def tiny(centre, size):
        return 1e-300 * (1 + factor * centre[None, ..., 0])

    write_plotfile(tmp_path / "plt", ["u"], [0] * dimension, [1] * dimension, [(8, blocks(8, dimension, 4))], tiny)
    slice_figure(Plotfile(tmp_path / "plt"), View(scale=Scale(is_log=True))).savefig(tmp_path / "u.png")
    with pytest.raises(ValueError, match=r"^limits 1e-300 to 1e-295 .*matplotlib takes them for 0\); give an upper limit of 1e-280"):
        Scale((1e-300, 1e-295), is_log=True)


def two_levels(folder, upper=(4.0, 1.0)):
    """A plane of 8 x 8 cells, with a level around its middle, of x + 100 y."""
    levels = [(8, blocks(8, 2, 4)), (32, [((12, 12), (20, 20))])]
    write_plotfile(folder / "plt", ["h"], [0, 0], upper, levels, lambda c, h: c[None, ..., 0] + 100 * c[None, ..., 1])
    return Plotfile(folder / "plt")


@pytest.mark.parametrize("window", [(1.5, 2.25, 0.375, 0.5), (0.0, 4.0, 0.0, 1.0), (1.6, 1.61, 0.9, 1.0)])
@pytest.mark.parametrize("level", [0, 1])
def test_a_window_has_the_cells_that_the_whole_has_there(tmp_path, window, level):
    plot = two_levels(tmp_path)
    whole = plot.slice("h", most_cells=4096 if level else 8)
    part = plot.slice("h", most_cells=32 if level else 1, window=window)
    if window[1] < 4 or level:
        assert part.level == whole.level == level
    n_across, n_up = whole.values.shape[::-1]
    i = slice(int(window[0] * n_across / 4), int(np.ceil(window[1] * n_across / 4)))
    j = slice(int(window[2] * n_up), int(np.ceil(window[3] * n_up)))
    np.testing.assert_array_equal(part.values, whole.values[j, i])
    left, right, bottom, top = part.extent
    assert left <= window[0] < window[1] <= right and bottom <= window[2] < window[3] <= top
    np.testing.assert_allclose(part.across, whole.across[i])
    np.testing.assert_allclose(part.up, whole.up[j])


def test_a_window_is_shown_on_the_finest_level_that_fits_into_it(tmp_path):
    plot = two_levels(tmp_path)
    assert plot.slice("h", most_cells=8).level == 0 and plot.slice("h", most_cells=8, window=(1.5, 2.5, 0.4, 0.6)).level == 1


@pytest.mark.parametrize("window", [(-1, 1, 0, 1), (0, 5, 0, 1), (2, 1, 0, 1), (0, 1, 0.5, 0.5), (0, 1, 0, np.nan)])
def test_windows_beyond_the_domain_are_refused(tmp_path, window):
    with pytest.raises(ValueError, match=r"^a window with [xy] from .*the domain has [xy] from 0 to [14]\); choose one in it"):
        two_levels(tmp_path).slice("h", window=window)


def test_a_window_is_four_numbers(tmp_path):
    plot = two_levels(tmp_path)
    for window in (3, (0, 1), (0, 1, 0, "1")):
        with pytest.raises(TypeError, match="^window = .*four numbers"):
            plot.slice("h", window=window)


def test_a_picture_shows_its_window_alone_and_may_be_stretched(tmp_path):
    plot = two_levels(tmp_path, upper=(40.0, 1.0))
    figure = slice_figure(plot, View(window=(25, 40, 0.5, 1)))
    axes = figure.axes[0]
    assert axes.get_xlim() == (25, 40) and axes.get_ylim() == (0.5, 1)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["level 0 (1 block)", "level 1 (0 blocks)"]
    for stretch in (False, True):
        figure = slice_figure(plot, View(stretch=stretch))
        figure.draw_without_rendering()
        box = figure.axes[0].get_window_extent()
        assert (box.height > 0.4 * box.width) == stretch


def test_a_picture_says_which_levels_it_leaves_out(tmp_path, monkeypatch):
    plot = two_levels(tmp_path)
    assert slice_figure(plot).axes[0].get_title().endswith("step 7")
    small = plot.slice("h", most_cells=8)
    monkeypatch.setattr(Plotfile, "slice", lambda *_, **__: small)
    assert slice_figure(plot).axes[0].get_title().endswith("step 7, to level 0 of 1")


def test_the_command_shows_a_window(tmp_path):
    two_levels(tmp_path)
    words = ["slice", tmp_path / "plt", tmp_path / "a.png", "--window", "0", "2", "0", "1", "--stretch"]
    done = run(*words)
    assert done.returncode == 0 and (tmp_path / "a.png").exists(), done.stderr
    line = tmp_path / "line"
    write_plotfile(line, ["h"], [0], [1], [(8, blocks(8, 1, 8))], lambda c, h: c[None, ..., 0])
    with pytest.raises(ValueError, match="leave the plane and its window out"):
        slice_figure(Plotfile(line), View(window=(0, 1, 0, 1)))


def test_figures_do_not_depend_on_the_settings_of_a_user(tmp_path):
    for size in (10, 22):
        with rc_context({"font.size": size}), figure_in(tmp_path / f"{size}.png", 4, 3) as figure:
            figure.subplots().plot([0, 6], [0, 1])
    np.testing.assert_array_equal(image.imread(tmp_path / "10.png"), image.imread(tmp_path / "22.png"))


def test_no_level_has_the_colour_of_another_and_reports_have_the_same():
    colours = [np.array(to_rgb(colour)) for colour in LEVEL_COLOURS]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(colours, 2)) > 0.2
    script = Path(__file__).resolve().parents[1] / "thalweg/report/page/sections.js"
    assert ", ".join(f'"{colour}"' for colour in LEVEL_COLOURS) in script.read_text()


def test_figures_of_the_documentation_have_a_panel_a_model(tmp_path):
    path = Path(__file__).resolve().parents[2] / "tools/docs/figures.py"
    spec = importlib.util.spec_from_file_location("figures_of_docs", path)
    figures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figures)
    events = [Event(0, worker, "advance", step, 100 * step, 100 * step + 80) for step in (1, 2) for worker in (0, 1)]
    figures.draw_models({"bulk": (events, [(0, 0), (0, 1)]), "dataflow": (events, [(0, 0), (0, 1)])}, tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 1000
