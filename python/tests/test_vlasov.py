# SPDX-License-Identifier: MIT
"""Roots of dispersion relations against known ones, and rates of made-up waves."""

import cmath

import numpy as np
import pytest
from synthetic import write_plotfile

from thalweg.dispersion import Beam, faddeeva, fitted_growth, fitted_wave, slowest_root
from thalweg.pyplot import plt
from thalweg.vlasov import conservation, fitted_rate, rate_lines, report, strongest_mode, theory

# Of the plasma dispersion function to 13 digits, by another library: k, beams, root.
KNOWN = [
    (0.5, [Beam()], 1.4156618886045 - 0.1533594669096j),
    (0.4, [Beam()], 1.2850569696537 - 0.0661279586907j),
    (0.2, [Beam(0.5, 2.4), Beam(0.5, -2.4)], 0.2258442550347j),
    (0.2, [Beam(0.5, 3.0), Beam(0.5, -3.0)], 0.284509686205j),
    (0.5, [Beam(a0=0, a2=1)], 0.2592499317327j),
    (0.3, [Beam(0.9), Beam(0.1, 4.5, 0.25)], 1.0012178936 + 0.1980979758j),
    (0.3, [Beam(0.9, 20), Beam(0.1, 24.5, 0.25)], 0.3 * 20 + 1.0012178936 + 0.1980979758j),  # the same, carried along
    (0.5, [Beam(0.5, 1, 0.01), Beam(0.5, -1, 0.01)], 0.3358445426j),
]


@pytest.mark.parametrize("k, beams, root", KNOWN)
def test_slowest_root_is_the_known_one(k, beams, root):
    assert abs(slowest_root(k, beams) - root) < 2e-10


@pytest.mark.parametrize("z", [0.3 + 0.2j, 2 - 0.5j, -1.5 + 3j, 5 + 0.1j])
def test_faddeeva_obeys_its_differential_equation(z):
    step = 1e-5
    slope = (faddeeva(z + step) - faddeeva(z - step)) / (2 * step)
    assert abs(slope - (-2 * z * faddeeva(z) + 2j / cmath.sqrt(cmath.pi))) < 1e-8


def test_fitted_wave_is_the_one_that_was_made():
    time = 0.1 * np.arange(451)
    wave = np.abs(np.exp(-0.15 * time) * np.cos(1.4 * time + 0.3))
    assert abs(fitted_wave(time, wave) - (1.4 - 0.15j)) < 1e-9


def test_fitted_growth_stops_before_the_wave_is_strong():
    time = 0.1 * np.arange(801)
    wave = 1e-6 * np.exp(0.2 * time)
    assert fitted_growth(time, wave / np.sqrt(1 + wave**2)) == pytest.approx(0.2, rel=1e-4)
    with pytest.raises(ValueError, match="begins at 14 % of its greatest value.*smaller amplitude, or run longer"):
        fitted_growth(time[:100], wave[:100])
    with pytest.raises(ValueError, match="comes to 2 % of its greatest value at t = 10.5, and"):
        fitted_growth(time[:301], wave[:301])
    with pytest.raises(ValueError, match="there are 3 values between .* too few to fit a wave; write a series more often"):
        fitted_growth(time[::70], wave[::70])


def test_nothing_is_fitted_to_a_wave_that_is_no_exponential():
    time = 0.1 * np.arange(451)
    trapped = np.abs(np.exp(-0.15 * time + 0.01 * time**2) * np.cos(1.4 * time + 0.3))
    with pytest.raises(ValueError, match="no exponential between t = 10 and 40"):
        fitted_wave(time, trapped)


def test_rates_take_the_strongest_mode_of_the_deck():
    time = 0.1 * np.arange(451)
    wave = np.abs(np.exp(-0.15 * time) * np.cos(1.4 * time))
    beam = {"density": 1.0, "drift": 0.0, "temperature": 1.0, "a0": 1.0, "a2": 0.0}
    modes = [{"m": 1.0, "amplitude": 1e-6}, {"m": 2.0, "amplitude": 1e-3}]
    deck = {"vlasov": {"length": 8 * np.pi, "beams": [beam], "modes": modes}}
    mode, exact = theory(deck)
    assert mode == 2
    assert exact == pytest.approx(1.4156618886045 - 0.1533594669096j)
    assert fitted_rate(exact, time, wave) == pytest.approx(1.4 - 0.15j)


def test_the_strongest_mode_is_one_that_series_have_and_may_begin_below_0():
    modes = [{"m": m, "amplitude": a} for m, a in ((0.0, 1.0), (1.0, 1e-6), (3.0, -1e-3), (4.0, 1.0))]
    assert strongest_mode({"vlasov": {"modes": modes}}) == 3
    with pytest.raises(ValueError, match="none of the modes 1, 2, 3"):
        strongest_mode({"vlasov": {"modes": modes[::3]}})


def test_what_is_conserved_changes_by_a_part_of_it_and_momentum_by_itself():
    series = {"mass": [2, 2.2], "momentum": [0.5, 0.75], "kinetic": [2, 1], "potential": [3, 3.5], "L1": [2, 2.6], "L2": [4, 3]}
    found = conservation({name: np.array(values, float) for name, values in series.items()})
    assert {name: change[1] for name, change in found.items()} == pytest.approx({"mass": 0.1, "momentum": 0.25, "energy": -0.1, "L1": 0.3, "L2": -0.25})


def test_rates_of_theory_are_said_where_none_is_fitted():
    time = 0.1 * np.arange(50)
    why, theory_is = rate_lines(1, 1.4 - 0.15j, {"time": time, "E1": np.exp(-0.15 * time)})
    assert why.startswith("mode 1: nothing fitted (there are 0 values between t = 10 and 40") and "run to t = 40" in why
    assert theory_is == "mode 1: linear theory: growth -0.150000, frequency 1.400000"
    why, theory_is = rate_lines(1, 0.2j, {"time": time, "E1": np.exp(-0.2 * time)})
    assert "begins at 100 % of its greatest value" in why and "growth 0.200000" in theory_is


def test_report_draws_phase_space_field_and_conservation(tmp_path, monkeypatch):
    plotfile = tmp_path / "plt00010"
    write_plotfile(plotfile, ["f"], [0, -6], [12, 6], [(8, [((0, 0), (4, 8)), ((4, 0), (8, 8))])], lambda x, h: x[None, ..., 1])
    (plotfile / "deck.toml").write_text(
        "[vlasov]\nlength = 12.566370614359172\n"
        "beams = [{density = 1.0, drift = 0.0, temperature = 1.0, a0 = 1.0, a2 = 0.0}]\nmodes = [{m = 1.0, amplitude = 0.001}]\n"
    )
    columns = "time mass momentum kinetic potential L1 L2 E1 E2 E3".split()
    lines = [",".join(["step", *columns])]
    for step in range(451):
        wave = 1e-3 * abs(np.exp(-0.0153 * step) * np.cos(0.14 * step))
        lines.append(",".join(map(repr, [step, 0.1 * step, 1.0, 0.0, 2.0, 1e-6, 1.0, 1.0, float(wave), 1e-9, 1e-9])))
    (tmp_path / "series.csv").write_text("\n".join(lines) + "\n")

    figures = []
    monkeypatch.setattr(plt, "close", figures.append)

    said = report(plotfile, tmp_path / "series.csv", tmp_path / "drawn")

    monkeypatch.undo()
    labels = [(figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) for figure in figures]
    assert labels == [
        ("x [Debye lengths]", "v [Debye lengths x omega_p]"),
        ("t [1/omega_p]", "amplitude of E_m [Debye lengths x omega_p^2]"),
        ("t [1/omega_p]", "change since the start"),
    ]
    assert figures[0].axes[0].get_title() == "t = 0.05, least f -5.25e+00"
    assert "linear theory: rate -0.1534" in [text.get_text() for text in figures[1].axes[0].get_legend().get_texts()]
    plt.close("all")

    assert said[0] == "mode 1: growth fitted -0.153000, linear theory -0.153359"
    assert "mass: greatest change 0.00e+00" in said
    assert [line.endswith(" (absolute)") for line in said if "greatest change" in line] == [False, True, False, False, False]
    for name in ("phase_space", "field", "conservation"):
        assert (tmp_path / "drawn" / f"{name}.png").stat().st_size > 1000


def test_a_run_of_another_application_is_refused_by_name(tmp_path):
    write_plotfile(tmp_path / "plt", ["u"], [0, 0], [1, 1], [(4, [((0, 0), (4, 4))])], lambda x, h: x[None, ..., 1])
    (tmp_path / "plt/deck.toml").write_text('[application]\nname = "advection"\n')
    (tmp_path / "series.csv").write_text("step,time\n0,0\n")
    with pytest.raises(ValueError, match="plt is of the application 'advection'"):
        report(tmp_path / "plt", tmp_path / "series.csv", tmp_path)
