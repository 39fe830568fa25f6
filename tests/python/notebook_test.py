# SPDX-License-Identifier: MIT
"""What notebooks show of simulations: pictures, and how far a run is."""

import sys
import types

import matplotlib
import numpy as np
import pytest
import thalweg
from matplotlib import image
from support import DECK, ROOT, SMALL, python
from thalweg.progress import Progress


def test_a_plot_is_that_of_the_plotfile(tmp_path):
    from thalweg.plot_slice import View, plot_slice

    sim = thalweg.Simulation(DECK, SMALL)
    before = dict(matplotlib.rcParams)
    first = sim.plot("rho_E")
    assert dict(matplotlib.rcParams) == before, "the figures of the user look as before"
    assert first._repr_png_() == first.png and first.png.startswith(b"\x89PNG")
    sim.step(5)
    sim.write_plotfile(tmp_path / "plt")
    plot_slice(tmp_path / "plt", tmp_path / "slice.png", View("rho_E"))
    sim.plot("rho_E").save(tmp_path / "mine.png")
    mine = image.imread(tmp_path / "mine.png")
    assert np.array_equal(mine, image.imread(tmp_path / "slice.png")) and mine.std() > 0.05
    assert first.png != (tmp_path / "mine.png").read_bytes()
    assert sim.plot().png == sim.plot("density").png
    with pytest.raises(KeyError, match="'nothing'.*density.*pressure"):
        sim.plot("nothing")


def test_a_plot_may_be_of_what_follows_from_the_state(tmp_path):
    with thalweg.Simulation(DECK, SMALL | {"output.derived": ["mach"]}) as sim:
        assert "pressure" in sim.derived_fields
        sim.initial(lambda cells: None)  # may still be given
        sim.step(5)
        assert "pressure" in sim.derived_fields and "pressure" not in sim.fields
        sim.write_plotfile(tmp_path / "asked", derived=["density", "pressure"])
        sim.write_plotfile(tmp_path / "of_deck")
        shown = sim.plot("pressure")
        with pytest.raises(KeyError, match="'velocity' is a group of fields .*give one of x_velocity, y_velocity"):
            sim.plot("velocity")
        with pytest.raises(KeyError, match="'speed'.*pressure"):
            sim.write_plotfile(tmp_path / "none", derived=["speed"])
        sim.write_plotfile(tmp_path / "one", derived="pressure")
        sim.write_plotfile(tmp_path / "group", derived=["mach", "velocity", "x_velocity"])
        with pytest.raises(KeyError, match="no field ''"):
            sim.write_plotfile(tmp_path / "none", derived="")
        assert sim.plot("pressure", limits=np.array([0.1, 2]), log=True).png != shown.png
        fields = sim.fields
    assert thalweg.open(tmp_path / "asked").fields == thalweg.open(tmp_path / "one").fields == [*fields, "pressure"]
    assert thalweg.open(tmp_path / "group").fields == [*fields, "mach", "x_velocity", "y_velocity"]
    assert thalweg.open(tmp_path / "of_deck").fields == [*fields, "mach"]
    assert not (tmp_path / "none").exists()
    from thalweg.plot_slice import View, plot_slice

    plot_slice(tmp_path / "asked", tmp_path / "slice.png", View("pressure"))
    shown.save(tmp_path / "mine.png")
    assert np.array_equal(image.imread(tmp_path / "mine.png"), image.imread(tmp_path / "slice.png"))


def test_a_plot_has_the_colours_and_the_window_that_are_asked_for(tmp_path):
    from thalweg.plot_slice import View, plot_slice
    from thalweg.scale import Scale

    with thalweg.Simulation(DECK, SMALL) as sim:
        sim.write_plotfile(tmp_path / "plt")
        shown = sim.plot("rho_E", colours="RdBu_r", window=(0, 0.25, 0, 0.125), stretch=True)
        with pytest.raises(ValueError, match="a window with x from 0 to 9"):
            sim.plot(window=(0, 9, 0, 0.125))
    plot_slice(tmp_path / "plt", tmp_path / "slice.png", View("rho_E", scale=Scale(colours="RdBu_r"), window=(0, 0.25, 0, 0.125), stretch=True))
    shown.save(tmp_path / "mine")
    assert np.array_equal(image.imread(tmp_path / "mine.png"), image.imread(tmp_path / "slice.png"))
    shown.save(tmp_path / "mine.pdf")
    assert (tmp_path / "mine.pdf").read_bytes().startswith(b"%PDF")


def test_a_plot_of_three_dimensions_is_cut_where_it_is_said(tmp_path):
    from thalweg.plot_slice import View, plot_slice

    with thalweg.Simulation(ROOT / "apps/hydro/decks/sedov.toml", {"mesh.max_level": 0}) as sim:
        sim.write_plotfile(tmp_path / "plt")
        shown = sim.plot("rho_E", normal="x", at=0.3)
    plot_slice(tmp_path / "plt", tmp_path / "slice.png", View("rho_E", at=0.3, normal="x"))
    shown.save(tmp_path / "mine.png")
    assert np.array_equal(image.imread(tmp_path / "mine.png"), image.imread(tmp_path / "slice.png"))


def test_a_plot_on_several_ranks_is_refused():
    done = python("""
        sim = thalweg.Simulation(DECK, SMALL)
        try:
            sim.plot()
        except ValueError as problem:
            print(problem)
        sim.step()
        """, ranks=2)
    assert done.returncode == 0 and done.stdout.count("plot() on 2 ranks") == 2, done.stderr


@pytest.fixture
def notebook(monkeypatch):
    """IPython as it is in a notebook, to the part that is used; gives what was shown."""
    shown = []

    def display(value, display_id):
        assert display_id is True
        shown.append(value._repr_html_())
        return types.SimpleNamespace(update=lambda value: shown.append(value._repr_html_()))

    ipython, of_display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    of_display.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", of_display)
    return shown


def test_a_run_in_a_notebook_shows_how_far_it_is(notebook, monkeypatch, capsys):
    monkeypatch.setattr(Progress, "interval_s", 0)
    sim = thalweg.Simulation(DECK, {**SMALL, "time.max_steps": 8})
    assert sim.run(progress=True) == "finished" and sim.n_steps == 8
    assert 'value="0.0000"' in notebook[0] and "step 0" in notebook[0] and "0 %" in notebook[0]
    assert 'value="0.5000"' in notebook[4] and "step 4" in notebook[4] and "s left" in notebook[4]
    assert 'value="1.0000"' in notebook[-1] and "100 %" in notebook[-1] and "left" not in notebook[-1]
    assert capsys.readouterr().err == ""


def test_elsewhere_a_line_says_it(capsys):
    sim = thalweg.Simulation(DECK, SMALL)
    plain = thalweg.Simulation(DECK, SMALL)
    until = 3.5 * sim.dt
    assert sim.run(until=until, progress=True) == plain.run(until=until) == "paused"
    assert (sim.n_steps, sim.time) == (plain.n_steps, plain.time) and sim.time >= until
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and lines[0].startswith(f"step {sim.n_steps}, time") and "100 %" in lines[0]
