# SPDX-License-Identifier: MIT
"""Waves of dispersion relations against known ones, and rates of made-up waves."""

import cmath

import numpy as np
import pytest
from synthetic import write_plotfile

from thalweg import style
from thalweg.dispersion import Beam, Wave, faddeeva, fit_window, fitted_rate, roots, slowest_wave
from thalweg.vlasov import conservation, rate_lines, report, strongest_mode, theory
from thalweg.whole_file import save_figure

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
    (0.3, [Beam(0.9), Beam(0.1, -4.5, 0.25)], -1.0012178936 + 0.1980979758j),  # the bump on the other side
    (0.05, [Beam(0.01)], 0.14156618886045 - 0.01533594669096j),  # the first, ten times slower and longer
]


# Of a Maxwellian, by mpmath with 30 digits. k, frequency, damping.
MAXWELLIAN = [
    (0.3, 1.1598464805919, 0.0126203684211),
    (0.7, 1.6738659827833, 0.3924014322532),
    (1.0, 2.0459048656906, 0.8513304586921),
    (1.5, 2.6323335017882, 1.7757124235064),
    (2.0, 3.1891361929983, 2.8272002686708),
    (2.5, 3.7249753812668, 3.9666503465242),
    (4.0, 5.2493595894937, 7.7382061672310),
]


@pytest.mark.parametrize("k, beams, root", KNOWN)
def test_the_fastest_root_is_the_known_one(k, beams, root):
    found = roots(k, beams)
    assert min(abs(found - root)) < 2e-10
    assert found[0].imag == pytest.approx(root.imag, abs=2e-10)


@pytest.mark.parametrize("k, frequency, damping", MAXWELLIAN)
def test_damping_of_a_maxwellian_is_the_known_one(k, frequency, damping):
    wave = slowest_wave(k, [Beam()])
    assert (wave.frequency, -wave.growth) == pytest.approx((frequency, damping), abs=2e-10)


def test_a_long_wave_does_not_grow_by_rounding():
    for k in (0.01, 0.05, 0.1):
        wave = slowest_wave(k, [Beam()])
        assert wave.growth == 0 and wave.frequency == pytest.approx(np.sqrt(1 + 3 * k**2 + 6 * k**4), rel=2e-5)


def test_what_drifts_has_the_wave_of_what_is_at_rest():
    at_rest = slowest_wave(0.5, [Beam()])
    for drift in (-3.0, 2.0):
        moving = slowest_wave(0.5, [Beam(drift=drift)])
        assert (moving.growth, moving.frequency) == pytest.approx((at_rest.growth, at_rest.frequency), abs=1e-9)


def test_one_wave_alone_has_no_frequency():
    for drift in (4.5, -4.5):
        bump = slowest_wave(0.3, [Beam(0.9), Beam(0.1, drift, 0.25)])
        assert (bump.growth, bump.frequency, bump.others) == pytest.approx((0.1980979758, 0, -0.0165823980), abs=1e-9)


@pytest.mark.parametrize("z", [0.3 + 0.2j, 2 - 0.5j, -1.5 + 3j, 5 + 0.1j])
def test_faddeeva_obeys_its_differential_equation(z):
    step = 1e-5
    slope = (faddeeva(z + step) - faddeeva(z - step)) / (2 * step)
    assert abs(slope - (-2 * z * faddeeva(z) + 2j / cmath.sqrt(cmath.pi))) < 1e-8


LANDAU = Wave(growth=-0.15, frequency=1.4, others=-1.1)


def made(wave: Wave, time: np.ndarray) -> np.ndarray:
    return np.abs(np.exp(wave.growth * time) * np.cos(wave.frequency * time + 0.3))


@pytest.mark.parametrize("unit", [1.0, 0.1, 10.0])
def test_fitted_rates_are_those_of_the_wave_that_was_made_in_any_units(unit):
    for wave, spacing in ((LANDAU, 0.1), (Wave(-0.69, 1.92, -2.2), 0.1), (Wave(0.0, 1.01, -0.2), 0.1), (LANDAU, 0.9)):
        time = spacing * np.arange(int(45 / spacing) + 1)
        scaled = Wave(wave.growth / unit, wave.frequency / unit, wave.others / unit)
        assert abs(fitted_rate(scaled, unit * time, made(wave, time)) * unit - complex(wave.frequency, wave.growth)) < 1e-9


def test_one_wave_that_is_damped_is_fitted_without_a_frequency():
    time = 0.1 * np.arange(451)
    assert fitted_rate(Wave(-0.2, 0, -0.9), time, np.exp(-0.2 * time)) == pytest.approx(-0.2j)


def test_two_waves_that_grow_alike_are_fitted_with_their_frequency():
    wave = slowest_wave(0.3, [Beam(0.9), Beam(0.05, 4.5, 0.25), Beam(0.05, -4.5, 0.25)])
    time = 0.1 * np.arange(901)
    assert wave.growth > 0.1 and wave.frequency > 1
    assert fitted_rate(wave, time, 1e-6 * made(wave, time)) == pytest.approx(complex(wave.frequency, wave.growth))


def test_fitted_growth_stops_before_the_wave_is_strong():
    time = 0.1 * np.arange(801)
    amplitude = 1e-6 * np.exp(0.2 * time)
    wave = Wave(0.2, 0, -0.1)
    assert fitted_rate(wave, time, amplitude / np.sqrt(1 + amplitude**2)) == pytest.approx(0.2j, rel=1e-4)
    with pytest.raises(ValueError, match="begins at 14 % of its greatest value.*smaller amplitude, or run longer"):
        fitted_rate(wave, time[:100], amplitude[:100])
    with pytest.raises(ValueError, match="comes to 2 % of its greatest value at t = 10.5, and a fit takes 17.5"):
        fitted_rate(wave, time[:301], amplitude[:301])
    with pytest.raises(ValueError, match="there are 3 values between .* too few to fit a wave; run longer .* more often"):
        fitted_rate(wave, time[::70], amplitude[::70])


def test_nothing_is_fitted_to_a_wave_that_is_no_exponential():
    time = 0.1 * np.arange(451)
    with pytest.raises(ValueError, match="no exponential between t = 8.976 and 40.39"):
        fitted_rate(LANDAU, time, made(LANDAU, time) * np.exp(0.01 * time**2))
    early = time[:261]
    with pytest.raises(ValueError, match="other waves have not gone .* smaller amplitude"):
        fitted_rate(Wave(0.3, 0, 0), early, np.abs(np.exp(0.3 * early) + 8 * np.cos(1.3 * early)))


def test_noise_is_called_noise():
    time = 0.1 * np.arange(451)
    wave = Wave(-0.69, 1.92, -2.2)
    noise = 1e-5 * np.abs(np.sin(37 * time**2))
    with pytest.raises(ValueError, match="the wave has fallen to the noise: .* of its greatest value"):
        fitted_rate(wave, time, made(wave, time) + noise)
    with pytest.raises(ValueError, match="fallen to the noise, a millionth of its start, by t = 4.887"):
        fit_window(slowest_wave(2, [Beam()]), time, made(wave, time))


def test_waves_that_decay_nearly_alike_are_called_so():
    wave = slowest_wave(0.5, [Beam(0.999), Beam(0.001, 4.5, 0.25)])
    with pytest.raises(ValueError, match="two waves decay nearly alike, with a growth of -0.1535 and -0.1536 .* by t = 89.99, and the other is gone at 7.302e.04"):
        fit_window(wave, np.arange(90.0), np.ones(90))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("wave", [LANDAU, Wave(-0.2, 0, -0.9), Wave(0.2, 0, -0.1)])
def test_nothing_is_fitted_to_what_is_0_or_no_number(wave):
    time = 0.1 * np.arange(451)
    with pytest.raises(ValueError, match="is 0 at all times"):
        fitted_rate(wave, time, np.zeros(451))
    for value in (np.nan, np.inf):
        with pytest.raises(ValueError, match="values that are no numbers"):
            fitted_rate(wave, time, np.append(made(wave, time[:450]), value))


def test_times_that_are_not_equal_are_refused_but_for_the_last():
    time = 0.1 * np.ceil(np.arange(0, 45, 0.25) / 0.1)  # steps of 0.1 at or after each quarter
    with pytest.raises(ValueError, match="not equally far apart .*series_interval, not series_time"):
        fitted_rate(LANDAU, time, made(LANDAU, time))
    with_end = np.append(0.7 * np.arange(28), 0.7 * 27 + 0.3)
    assert fitted_rate(LANDAU, with_end, made(LANDAU, with_end)) == pytest.approx(1.4 - 0.15j)


@pytest.mark.parametrize("spacing", [1.2, 1.5, 2.0])
def test_values_too_far_apart_for_the_frequency_are_refused(spacing):
    time = spacing * np.arange(int(45 / spacing))
    with pytest.raises(ValueError, match=f"values are {spacing:g} apart, and the wave swings with 4.488.*write a series more often"):
        fitted_rate(LANDAU, time, made(LANDAU, time))


def test_rates_take_the_strongest_mode_of_the_deck():
    time = 0.1 * np.arange(451)
    wave = np.abs(np.exp(-0.15 * time) * np.cos(1.4 * time))
    beam = {"density": 1.0, "drift": 0.0, "temperature": 1.0, "a0": 1.0, "a2": 0.0}
    modes = [{"m": 1.0, "amplitude": 1e-6}, {"m": 2.0, "amplitude": 1e-3}]
    deck = {"vlasov": {"length": 8 * np.pi, "beams": [beam], "modes": modes}}
    mode, exact = theory(deck)
    assert mode == 2
    assert (exact.frequency, exact.growth) == pytest.approx((1.4156618886045, -0.1533594669096))
    assert fitted_rate(exact, time, wave) == pytest.approx(1.4 - 0.15j)


def test_the_strongest_mode_is_one_that_series_have_and_may_begin_below_0():
    modes = [{"m": m, "amplitude": a} for m, a in ((0.0, 1.0), (1.0, 1e-6), (3.0, -1e-3), (4.0, 1.0))]
    assert strongest_mode({"vlasov": {"modes": modes}}) == 3
    with pytest.raises(ValueError, match="none of the modes 1, 2, 3"):
        strongest_mode({"vlasov": {"modes": modes[::3]}})
    with pytest.raises(ValueError, match="modes 1, 2, 3 of amplitude 0: there is no rate to fit"):
        strongest_mode({"vlasov": {"modes": [modes[0], {"m": 1.0, "amplitude": 0.0}]}})


def test_what_is_conserved_changes_by_a_part_of_it_and_what_may_be_0_by_itself():
    series = {"mass": [2, 2.2], "momentum": [0.5, 0.75], "kinetic": [2, 1], "potential": [3, 3.5], "L1": [2, 2.6], "L2": [4, 3], "entropy": [0, 0.5]}
    found = conservation({name: np.array(values, float) for name, values in series.items()})
    assert {name: change[1] for name, change in found.items()} == pytest.approx({
        "mass": 0.1, "momentum (absolute)": 0.25, "energy": -0.1, "L1": 0.3, "L2": -0.25, "entropy / mass (absolute)": 0.25,
    })


def test_rates_of_theory_are_said_where_none_is_fitted():
    time = 0.1 * np.arange(50)
    why, theory_is = rate_lines(1, LANDAU, {"time": time, "E1": np.exp(-0.15 * time)})
    assert why.startswith("mode 1: nothing fitted (there are 0 values between t = 8.976 and 40.39") and "run longer" in why
    assert theory_is == "mode 1: linear theory: growth -0.150000, frequency 1.400000"
    why, theory_is = rate_lines(1, Wave(0.2, 0, -0.1), {"time": time, "E1": np.exp(-0.2 * time)})
    assert "begins at 100 % of its greatest value" in why and theory_is == "mode 1: linear theory: growth 0.200000"


def write_run(folder, n_lines):
    """A plotfile of f and so many lines of a series, of a wave that is damped; where they are."""
    plotfile = folder / "plt00010"
    write_plotfile(plotfile, ["f"], [0, -6], [12, 6], [(8, [((0, 0), (4, 8)), ((4, 0), (8, 8))])], lambda x, h: x[None, ..., 1])
    (plotfile / "deck.toml").write_text(
        "[vlasov]\nlength = 12.566370614359172\n"
        "beams = [{density = 1.0, drift = 0.0, temperature = 1.0, a0 = 1.0, a2 = 0.0}]\nmodes = [{m = 1.0, amplitude = 0.001}]\n"
    )
    columns = "time mass momentum kinetic potential L1 L2 entropy E1 E2 E3".split()
    lines = [",".join(["step", *columns])]
    for step in range(n_lines):
        wave = 1e-3 * abs(np.exp(-0.0153 * step) * np.cos(0.14 * step))
        lines.append(",".join(map(repr, [step, 0.1 * step, 1.0, 0.0, 2.0, 1e-6, 1.0, 1.0, 3.0, float(wave), 1e-9, 1e-9])))
    (folder / "series.csv").write_text("\n".join(lines) + "\n451,4")  # the last line is being written
    return plotfile, folder / "series.csv"


@pytest.mark.filterwarnings("error")
def test_report_draws_a_series_of_one_line_and_says_that_no_rate_is_fitted(tmp_path):
    said = report(*write_run(tmp_path, 1), tmp_path / "drawn")

    assert said[0].startswith("mode 1: nothing fitted (there are 0 values between"), said[0]
    assert said[-1] == f"wrote {tmp_path / 'drawn' / 'conservation.png'}"


def test_report_draws_phase_space_field_and_conservation(tmp_path, monkeypatch):
    plotfile, series = write_run(tmp_path, 451)
    figures = []

    def keep(figure, output):
        figures.append(figure)
        save_figure(figure, output)

    monkeypatch.setattr(style, "save_figure", keep)

    said = report(plotfile, series, tmp_path / "drawn")

    labels = [(figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) for figure in figures]
    assert labels == [
        ("x [length]", "v [velocity]"),
        ("t [time]", "amplitude of E_m [velocity/time]"),
        ("t [time]", "change since the start (relative, unless said)"),
    ]
    assert figures[0].axes[0].get_title() == "t = 0.05, least f -5.25e+00"
    assert "linear theory: rate -0.1534" in [text.get_text() for text in figures[1].axes[0].get_legend().get_texts()]

    assert said[0] == "mode 1: growth fitted -0.153000, linear theory -0.153359"
    assert "mass: greatest change 0.00e+00" in said
    assert ["(absolute): " in line for line in said if "greatest change" in line] == [False, True, False, False, False, True]
    for name in ("phase_space", "field", "conservation"):
        assert (tmp_path / "drawn" / f"{name}.png").stat().st_size > 1000


def test_a_run_of_another_application_is_refused_by_name(tmp_path):
    write_plotfile(tmp_path / "plt", ["u"], [0, 0], [1, 1], [(4, [((0, 0), (4, 4))])], lambda x, h: x[None, ..., 1])
    (tmp_path / "plt/deck.toml").write_text('[application]\nname = "advection"\n')
    (tmp_path / "series.csv").write_text("step,time\n0,0\n")
    with pytest.raises(ValueError, match="plt is of the application 'advection'"):
        report(tmp_path / "plt", tmp_path / "series.csv", tmp_path)
