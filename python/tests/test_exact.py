# SPDX-License-Identifier: MIT
"""Exact solutions of the gas's problems, and errors against them."""

import random
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import thalweg
from synthetic import blocks, write_plotfile
from thalweg.__main__ import main
from thalweg.exact import SOLUTIONS, cell_errors, cell_means, solution_of
from thalweg.exact_errors import _order_lines
from thalweg.plotfile import Plotfile
from thalweg.riemann import Gas, Riemann

MESH = {"lower": [0.0, 0.0], "upper": [1.0, 1.0]}
PROBLEMS = {
    "sod": {"axis": 0, "gamma": 1.4},
    "shock_tube": {"axis": 1, "gamma": 1.4, "left": [1.0, 0.0, 1.0], "right": [0.125, 0.0, 0.1], "interface": 0.5},
    "gresho": {"centre": [0.5, 0.5], "velocity": [1.0, -2.0], "pressure": 5.0, "gamma": 1.4},
    "vortex": {"centre": [0.3, 0.5], "velocity": [1.0, 0.5], "radius": 0.1, "speed": 0.5, "gamma": 1.4},
    "noh": {"centre": [0.0, 0.0], "density": 3.0, "speed": 0.5, "pressure": 1e-6, "gamma": 5 / 3},
    "uniform": {"velocity": [1.0, 0.5], "density": 2.0, "pressure": 0.5, "gamma": 1.4},
    "linear_wave": {"wave": "sound_forward", "n_waves": [1, 2], "amplitude": 1e-3, "gamma": 5 / 3},
    "breathing": {"centre": [0.5, 0.5], "pressure": 1.0, "depth": 0.25, "gamma": 5 / 3},
}


def solution(name):
    return SOLUTIONS[name]({"mesh": MESH}, PROBLEMS[name])


def deck(name):
    section = "\n".join(f"{key} = {value!r}" for key, value in PROBLEMS.get(name, {"gamma": 1.4}).items())
    return f'[problem]\nname = "{name}"\n{section}\n[mesh]\nlower = [0.0, 0.0]\nupper = [1.0, 1.0]\n'


def write(path, name, factor=1.0, time=0.2):
    """Write a plotfile of the exact means, or of a density that is wrong by a factor."""

    def conserved(centre, size):
        flat = centre.reshape(-1, 2)
        if name not in SOLUTIONS:
            return np.ones((4, *centre.shape[:-1]))
        rho, velocity, p = cell_means(solution(name), flat, np.broadcast_to(size, flat.shape), time)
        rho = factor * rho
        energy = p / (PROBLEMS[name]["gamma"] - 1) + 0.5 * rho * (velocity**2).sum(axis=1)
        return np.stack([rho, *(rho[:, None] * velocity).T, energy]).reshape(4, *centre.shape[:-1])

    variables = ["density", "xmom", "ymom", "rho_E"]
    write_plotfile(path, variables, [0, 0], [1, 1], [(16, blocks(16, 2, 8))], conserved, time=time)
    (path / "deck.toml").write_text(deck(name))


def test_sod_has_the_states_that_toro_gives():
    rho, velocity, p = solution("sod")(np.array([[0.1, 0.3], [0.3, 0.7]]), 0.25)
    np.testing.assert_allclose(rho, [0.42632, 0.26557], rtol=1e-4)
    np.testing.assert_allclose(velocity, [[0.92745, 0], [0.92745, 0]], rtol=1e-4)
    np.testing.assert_allclose(p, [0.30313, 0.30313], rtol=1e-4)


def test_tubes_start_with_their_two_states():
    rho, _, p = solution("shock_tube")(np.array([[0.9, 0.4], [0.1, 0.6]]), 0.0)
    np.testing.assert_array_equal(rho, [1, 0.125])
    np.testing.assert_array_equal(p, [1, 0.1])


def test_water_has_the_waves_that_an_ideal_gas_of_higher_pressure_has():
    deck = {"mesh": MESH, "hydro": {"eos": "stiffened", "p_infinity": 6e8}}
    problem = {"axis": 0, "gamma": 4.4, "left": [1000.0, 0.0, 1e9], "right": [1000.0, 0.0, 1e5], "interface": 0.4}
    x = 0.4 + np.array([-1.0, 0.03, 0.25, 0.30])[:, None]  # the shock runs with 1967 m/s, the water behind it with 232
    rho, velocity, p = SOLUTIONS["shock_tube"](deck, problem)(x, 1.5e-4)
    np.testing.assert_allclose(p[[0, 3]], [1e9, 1e5])
    np.testing.assert_allclose(velocity[1:3, 0], 232, rtol=3e-3)
    assert p[1] == pytest.approx(p[2]) and rho[1] < 1000 < rho[2]


def test_gas_torn_apart_leaves_a_vacuum():
    problem = {"axis": 0, "gamma": 1.4, "left": [1.0, -20.0, 0.4], "right": [1.0, 20.0, 0.4], "interface": 0.0}
    states = SOLUTIONS["shock_tube"]({"mesh": MESH}, problem)
    rho, velocity, p = states(np.linspace(-25, 25, 1001)[:, None], 1.0)
    assert np.isfinite(rho).all() and np.isfinite(velocity).all() and np.isfinite(p).all()
    assert 0 <= rho.min() < 1e-30 and rho.max() == 1 and p.max() == pytest.approx(0.4)
    # The fan ends in the vacuum at u - 2 c / (gamma - 1) (Toro, eq. 4.77).
    end = 20 - 5 * 0.56**0.5
    assert states(np.array([[end - 0.01]]), 1.0)[0] < 1e-12 < states(np.array([[end + 0.3]]), 1.0)[0]
    means = cell_means(states, np.array([[0.0], [21.0]]), np.array([[0.1], [0.1]]), 1.0)
    assert all(np.isfinite(part).all() for part in means)


def test_velocities_in_a_vacuum_are_not_compared(tmp_path):
    def torn(centre, size):
        rho, velocity, p = cell_means(SOLUTIONS["shock_tube"]({}, problem), centre.reshape(-1, 1), size, 0.01)
        thin = np.where(rho > 0.0, rho, 1e-40)
        speed = np.where(rho > 1e-12, velocity[:, 0], 7.0)
        return np.stack([thin, thin * speed, p / 0.4 + 0.5 * thin * speed**2])

    problem = {"axis": 0, "gamma": 1.4, "left": [1.0, -20.0, 0.4], "right": [1.0, 20.0, 0.4], "interface": 0.5}
    write_plotfile(tmp_path / "plt", ["density", "xmom", "rho_E"], [0], [1], [(64, blocks(64, 1, 8))], torn, time=0.01)
    section = "\n".join(f"{key} = {value!r}" for key, value in problem.items())
    (tmp_path / "plt/deck.toml").write_text(f'[problem]\nname = "shock_tube"\n{section}\n')
    figures = thalweg.errors(tmp_path / "plt")
    assert figures["L1 velocity"] < 1e-14 and figures["L1 density"] < 1e-14


def test_riemann_problems_that_are_none_are_refused():
    thin = Gas(1e-300, 0.0, 1e300)
    for states, kind, says in [
        (((1, 0, 1), Gas(1, 0, 1)), TypeError, r"left = \(1, 0, 1\) \(must be a Gas"),
        ((Gas(1, 0, 1), Gas(1, 0, 0)), ValueError, "p = 0"),
        ((Gas(1, 0, 1e308), thin), ValueError, "no doubles hold the gas between them"),
        ((Gas(1, 1e200, 1), Gas(1, -1e200, 1)), ValueError, "no doubles hold the gas between them"),
    ]:
        with pytest.raises(kind, match=says):
            Riemann(*states)
    tube = Riemann(Gas(1, 0, 1), Gas(0.125, 0, 0.1))
    with pytest.raises(ValueError, match="speed = nan"):
        tube.at([0.1, np.nan])
    assert tube.at([-np.inf, np.inf])[0].tolist() == [1, 0.125]


def test_sound_runs_along_its_wave_vector_and_entropy_with_the_gas():
    x = np.random.default_rng(1).random((20, 2))
    k = 2 * np.pi * np.array([1, 2])
    for wave, sign in [("sound_forward", 1), ("sound_backward", -1), ("entropy", 1)]:
        problem = PROBLEMS["linear_wave"] | {"wave": wave}
        states = SOLUTIONS["linear_wave"]({"mesh": MESH}, problem)
        later = states(x + 0.3 * sign * k / np.linalg.norm(k), 0.3)
        for a, b in zip(states(x, 0.0), later, strict=True):
            np.testing.assert_allclose(b, a, rtol=1e-12, atol=1e-12)


def test_pressure_follows_density_in_sound_alone():
    x = np.random.default_rng(1).random((20, 2))
    for wave, of_density in [("sound_forward", 1), ("sound_backward", 1), ("entropy", 0)]:
        rho, _, p = SOLUTIONS["linear_wave"]({"mesh": MESH}, PROBLEMS["linear_wave"] | {"wave": wave})(x, 0.3)
        np.testing.assert_allclose(p - 3 / 5, of_density * (rho - 1), atol=1e-15)  # the speed of sound is 1
        assert np.ptp(rho) > 1e-3


def test_breathing_gas_keeps_its_mass():
    states, x, t, step = solution("breathing"), np.array([[0.7, 0.4]]), 0.25, 1e-5
    per_time = (states(x, t + step)[0] - states(x, t - step)[0]) / (2 * step)
    ends = [[states(x + side * step * axis, t)[1] @ axis for side in (1, -1)] for axis in np.eye(2)]
    divergence = sum(above - below for above, below in ends) / (2 * step)
    assert divergence < -1  # it is pressed together
    np.testing.assert_allclose(per_time, -states(x, t)[0] * divergence, rtol=1e-8)


def test_breathing_gas_is_densest_in_the_middle_of_a_breath():
    rho, velocity, p = solution("breathing")(np.array([[0.7, 0.5]]), 0.5)
    np.testing.assert_allclose(rho, 0.75**-2)
    np.testing.assert_allclose(velocity, 0, atol=1e-15)
    np.testing.assert_allclose(p, rho ** (5 / 3))


@pytest.mark.parametrize("name", ["gresho", "vortex"])
def test_vortices_are_carried_around_the_box(name):
    x = np.random.default_rng(1).random((50, 2))
    start, later = (solution(name)(x, t) for t in (0.0, 2.0))  # whole numbers of boxes
    moved = solution(name)(x + 0.1 * np.array(PROBLEMS[name]["velocity"]), 0.1)
    for a, b, c in zip(start, later, moved, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(c, a, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "name, radii, speeds",
    [("gresho", [0.1, 0.15, 0.2, 0.3], [0.5, 0.75, 1.0, 0.5]), ("vortex", [0.05, 0.1], [0.25 * np.exp(0.375), 0.5])],
)
def test_vortices_turn_counter_clockwise_and_their_pressure_holds_them(name, radii, speeds):
    problem, r, outward, step = PROBLEMS[name], np.array(radii), np.array([0.6, 0.8]), 1e-6

    def along(r):
        rho, velocity, p = solution(name)(problem["centre"] + r[:, None] * outward, 0.0)
        return rho, velocity - problem["velocity"], p

    rho, velocity, _ = along(r)
    np.testing.assert_allclose(velocity @ [-0.8, 0.6], speeds)
    np.testing.assert_allclose(velocity @ outward, 0, atol=1e-14)
    slope = (along(r + step)[2] - along(r - step)[2]) / (2 * step)
    np.testing.assert_allclose(slope, rho * np.square(speeds) / r, rtol=1e-5)


OLD_NOH = {"centre": [0.0, 0.0], "pressure": 1e-6, "gamma": 5 / 3}  # of a version without density and speed


def test_noh_compresses_four_times_an_axis():
    rho, velocity, p = SOLUTIONS["noh"]({"mesh": MESH}, OLD_NOH)(np.array([[0.05, 0.0], [0.3, 0.4]]), 0.3)
    np.testing.assert_allclose(rho, [16, 1.6])
    np.testing.assert_allclose(velocity, [[0, 0], [-0.6, -0.8]], atol=1e-15)
    assert p[0] == pytest.approx(16 / 3)


def test_noh_is_the_same_in_other_units():
    x = np.random.default_rng(1).random((50, 2))
    rho, velocity, p = SOLUTIONS["noh"]({"mesh": MESH}, OLD_NOH)(x, 0.6)
    problem = OLD_NOH | {"density": 3.0, "speed": 0.5, "pressure": 0.75e-6}
    other_rho, other_velocity, other_p = SOLUTIONS["noh"]({"mesh": MESH}, problem)(x, 1.2)
    np.testing.assert_allclose(other_rho, 3 * rho)
    np.testing.assert_allclose(other_velocity, velocity / 2)
    np.testing.assert_allclose(other_p, 0.75 * p)
    # Behind the shock is what the kinetic energy becomes, (gamma - 1) rho v^2 / 2.
    at_centre, _, pressure = SOLUTIONS["noh"]({"mesh": MESH}, problem)(np.array([[0.01, 0.0]]), 1.2)
    assert pressure[0] == pytest.approx(2 / 3 * at_centre[0] * 0.5**2 / 2)


def test_a_uniform_gas_is_that_of_its_deck():
    rho, _, p = solution("uniform")(np.array([[0.1, 0.2]]), 0.3)
    assert (rho, p) == (2.0, 0.5)
    rho, _, p = SOLUTIONS["uniform"]({"mesh": MESH}, {"velocity": [1.0, 0.5], "gamma": 1.4})(np.array([[0.1, 0.2]]), 0.3)
    assert (rho, p) == (1.0, 1.0)


def test_a_uniform_gas_falls_freely():
    falling = SOLUTIONS["uniform"]({"mesh": MESH, "source": {"gravity": [0.0, -1.0]}}, PROBLEMS["uniform"])
    np.testing.assert_allclose(falling(np.array([[0.1, 0.2]]), 0.3)[1], [[1.0, 0.2]])


@pytest.mark.parametrize("name", PROBLEMS)
def test_exact_cells_have_no_errors_and_others_have_them(tmp_path, name):
    write(tmp_path / "plt", name)
    plot = Plotfile(tmp_path / "plt")
    figures = cell_errors(plot, solution_of(plot))
    assert all(figures[f"L1 {of}"] < 1e-14 for of in ("density", "velocity", "pressure")), figures
    write(tmp_path / "wrong", name, factor=1.1)
    plot = Plotfile(tmp_path / "wrong")
    figures = cell_errors(plot, solution_of(plot))
    assert figures["L1 density"] == pytest.approx(0.1)
    assert figures["max density"] == pytest.approx(1.1 * figures["exact max density"])


def errors_of(path, text, levels, state):
    """Give the errors of a plotfile of state(centre, size) -> density, velocity along x, pressure, beside this deck."""

    def conserved(centre, size):
        rho, u, p = (np.broadcast_to(part, centre.shape[:-1]) for part in state(centre, size))
        return np.stack([rho, rho * u, 0 * rho, p / 0.4 + 0.5 * rho * u**2])

    write_plotfile(path, ["density", "xmom", "ymom", "rho_E"], [0, 0], [1, 1], levels, conserved, time=0.25)
    (path / "deck.toml").write_text(text)
    return thalweg.errors(path)


def test_errors_are_weighed_by_volume(tmp_path):
    levels = [(8, blocks(8, 2, 4)), (16, blocks(16, 2, 4, lambda low, high: (high <= 0.5).all()))]
    gas = deck("uniform").replace("velocity = [1.0, 0.5]", "velocity = [1.0, 0.0]")
    figures = errors_of(tmp_path / "plt", gas, levels, lambda x, h: (2.2 if h[0] < 0.1 else 2.0, 1.0, 0.5))
    assert figures["leaf cells"] == 48 + 64 and figures["L1 density"] == pytest.approx(0.25 * 0.1)


def test_a_thin_gas_is_no_vacuum(tmp_path):
    states = "left = [1.0, 1.0, 1.0]\nright = [0.001, 1.0, 1.0]\ninterface = 0.5"  # they meet at 0.75 then
    gas = f'[problem]\nname = "shock_tube"\naxis = 0\ngamma = 1.4\n{states}\n'

    def too_fast_where_thin(x, h):
        is_thin = x[..., 0] > 0.75
        return np.where(is_thin, 0.001, 1.0), np.where(is_thin, 1.5, 1.0), 1.0

    figures = errors_of(tmp_path / "plt", gas, [(16, blocks(16, 2, 8))], too_fast_where_thin)
    assert figures["L1 velocity"] == pytest.approx(0.25 * 0.5) and figures["L1 density"] < 1e-14


@pytest.mark.parametrize(
    "name, says", [("sod", "exact solution of problem 'sod'"), ("kelvin_helmholtz", "no exact solution of problem 'kelvin_helmholtz'")]
)
def test_errors_are_those_of_the_decks_problem(tmp_path, name, says):
    write(tmp_path / "plt00003", name)
    for words in (["errors", tmp_path / "plt00003"], ["pictures", tmp_path]):
        folder = Path(__file__).resolve().parent.parent
        done = subprocess.run([sys.executable, "-m", "thalweg", *map(str, words)], cwd=folder, capture_output=True, text=True)
        is_refused = words[0] == "errors" and says.startswith("no")
        assert done.returncode == (2 if is_refused else 0), done.stderr
        assert says in (done.stderr if is_refused else done.stdout) and "nan" not in done.stdout and "Sedov" not in done.stdout
        assert not (tmp_path / "profile.png").exists()


def said_by(monkeypatch, capsys, *words):
    monkeypatch.setattr(sys, "argv", ["thalweg", *map(str, words)])
    code = main()
    out, err = capsys.readouterr()
    assert "Warning" not in err and "nan" not in out
    return code, out + err


def test_other_applications_have_pictures_and_no_exact_solution(tmp_path, capsys, monkeypatch):
    plt = tmp_path / "plt00001"
    write_plotfile(plt, ["f"], [0, 0], [1, 1], [(16, blocks(16, 2, 8))], lambda x, h: x[None, ..., 0])
    (plt / "deck.toml").write_text('[application]\nname = "vlasov"\n')
    code, said = said_by(monkeypatch, capsys, "errors", plt)
    assert code == 2 and "no exact solution of the application 'vlasov'" in said
    code, said = said_by(monkeypatch, capsys, "pictures", tmp_path)
    assert code == 0 and (tmp_path / "slice.png").exists()


@pytest.mark.parametrize("name", ["sedov", "noh"])
def test_a_plane_of_a_domain_has_no_exact_solution_and_axes_of_its_own(tmp_path, capsys, monkeypatch, name):
    plt = tmp_path / "slice_y1_00010"
    write(plt, name, time=0.1)
    (plt / "deck.toml").write_text(deck(name) + "dim = 3\n")
    code, said = said_by(monkeypatch, capsys, "errors", plt)
    assert code == 2 and f"no exact solution of problem '{name}' in a plane of the domain is known" in said
    assert Plotfile(plt).slice("density").axes == ("x", "z")


@pytest.mark.parametrize("name, of", [(None, r"a Sedov blast \(no deck beside it\)"), ("sedov", "problem 'sedov'"), ("noh", "problem 'noh'")])
@pytest.mark.parametrize("d, number, coordinates", [(1, 2, "spherical"), (2, 1, "rz")])
def test_cells_around_an_axis_or_a_point_are_not_compared(tmp_path, capsys, monkeypatch, name, of, d, number, coordinates):
    plt = tmp_path / "plt00001"
    gas = lambda x, h: np.ones((d + 2, *x.shape[:-1]))  # noqa: E731
    write_plotfile(plt, ["density", "xmom", "ymom"][: d + 1] + ["rho_E"], [0] * d, [1] * d, [(16, blocks(16, d, 8))], gas, coordinates=number)
    if name:
        (plt / "deck.toml").write_text(deck(name))
    code, said = said_by(monkeypatch, capsys, "errors", plt)
    assert code == 2 and re.search(f"no exact solution of {of} in {coordinates} coordinates is known here", said), said
    if d == 2:
        code, said = said_by(monkeypatch, capsys, "pictures", tmp_path)
        assert code == 0 and f"in {coordinates} coordinates is known here" in said and not (tmp_path / "profile.png").exists(), said


def test_a_variable_that_is_not_compared_may_hold_no_numbers(tmp_path):
    def torn(variable):
        rho, p = PROBLEMS["uniform"]["density"], PROBLEMS["uniform"]["pressure"]
        state = {"mach": 1.0, "density": rho, "xmom": rho, "ymom": rho / 2, "rho_E": p / 0.4 + 0.5 * rho * 1.25, variable: np.nan}
        values = lambda x, h: [np.full(x.shape[:-1], value) for value in state.values()]  # noqa: E731
        write_plotfile(tmp_path / variable, list(state), [0, 0], [1, 1], [(16, blocks(16, 2, 8))], values)
        (tmp_path / variable / "deck.toml").write_text(deck("uniform"))
        return thalweg.errors(tmp_path / variable)

    assert torn("mach")["L1 pressure"] < 1e-14
    with pytest.raises(ValueError, match="values that are no numbers"):
        torn("rho_E")


@pytest.mark.parametrize("side", ["inflow", "reflecting"])
def test_a_problem_with_other_boundaries_is_no_more_solved(tmp_path, capsys, monkeypatch, side):
    plt = tmp_path / "plt"
    write(plt, "uniform")
    (plt / "deck.toml").write_text(deck("uniform") + f'[boundary]\nlower = ["{side}", "outflow"]\nupper = ["outflow", "outflow"]\n')
    code, said = said_by(monkeypatch, capsys, "errors", plt)
    assert code == 2 and "no exact solution of problem 'uniform' between walls or with an inflow is known" in said


@pytest.mark.parametrize(
    "name, lines, why",
    [
        ("gresho", ["outflow", "periodic"], "with sides along x that are not periodic"),
        ("vortex", ["periodic", "reflecting"], "with sides along y that are not periodic"),
        ("linear_wave", ["outflow", "outflow"], "with sides along x that are not periodic"),
        ("noh", None, "in a stiffened gas"),
        ("sedov", "gravity", "under gravity"),
    ],
)
def test_a_solution_that_the_run_does_not_have_is_not_compared(tmp_path, capsys, monkeypatch, name, lines, why):
    plt = tmp_path / "plt"
    write(plt, name)
    more = {None: '[hydro]\neos = "stiffened"\np_infinity = 0.5\n', "gravity": "[source]\ngravity = [0.0, -20.0]\n"}
    sides = f"[boundary]\nlower = {lines}\nupper = {lines}\n"
    (plt / "deck.toml").write_text(deck(name) + (sides if isinstance(lines, list) else more[lines]))
    code, said = said_by(monkeypatch, capsys, "errors", plt)
    assert code == 2 and f"no exact solution of problem '{name}' {why} is known" in said


def test_a_vortex_that_its_domain_cuts_off_is_not_compared(tmp_path, capsys, monkeypatch):
    write(tmp_path / "plt", "vortex")
    for radius, is_compared in ((0.11, True), (0.3, False)):
        text = deck("vortex")
        assert "radius = 0.1\n" in text
        (tmp_path / "plt/deck.toml").write_text(text.replace("radius = 0.1\n", f"radius = {radius}\n"))
        code, said = said_by(monkeypatch, capsys, "errors", tmp_path / "plt")
        assert (code == 0) == is_compared and ("less than 2.7 across, which cuts it off is known" in said) != is_compared, said


def test_a_wave_along_one_axis_may_have_any_sides_along_another(tmp_path):
    plt = tmp_path / "plt"
    write(plt, "linear_wave")
    sides = '["outflow", "periodic"]'
    text = deck("linear_wave").replace("n_waves = [1, 2]", "n_waves = [0, 2]")
    (plt / "deck.toml").write_text(text + f"[boundary]\nlower = {sides}\nupper = {sides}\n")
    assert solution_of(Plotfile(plt)) is not None


def test_errors_of_a_gas_under_tension_are_above_0(tmp_path):
    plt = tmp_path / "plt"
    variables = ["density", "xmom", "ymom", "rho_E"]
    rho, p, stiffness, gamma = 1.0, -0.4, 0.5, 1.4
    energy = 1.1 * p / (gamma - 1) + gamma * stiffness / (gamma - 1)
    write_plotfile(plt, variables, [0, 0], [1, 1], [(16, blocks(16, 2, 8))], lambda x, h: np.stack([np.full(x.shape[:-1], v) for v in (rho, 0, 0, energy)]))
    tube = deck("shock_tube").replace("[1.0, 0.0, 1.0]", f"[{rho}, 0.0, {p}]").replace("[0.125, 0.0, 0.1]", f"[{rho}, 0.0, {p}]")
    (plt / "deck.toml").write_text(tube + f'[hydro]\neos = "stiffened"\np_infinity = {stiffness}\n')
    assert thalweg.errors(plt)["L1 pressure"] == pytest.approx(0.1)


def test_errors_of_several_runs_have_an_order(tmp_path, capsys, monkeypatch):
    for name, factor in [("coarse", 1.4), ("fine", 1.1)]:
        write(tmp_path / name, "sod", factor=factor)
    first, second = (thalweg.errors(tmp_path / name) for name in ("coarse", "fine"))
    assert first["L1 density"] == pytest.approx(0.4) and second["leaf cells"] == first["leaf cells"]
    plots = [tmp_path / name for name in ("coarse", "fine")]
    code, said = said_by(monkeypatch, capsys, "errors", *plots)
    assert code == 0 and re.search(r"L1 density +-$", said, re.MULTILINE), "as many cells have no order"
    for dimension in (1, 2, 3):
        found = [{"L1 density": error, "leaf cells": n**dimension} for n, error in ((8, 0.4), (16, 0.1))]
        sizes = [np.full(dimension, 1 / n) for n in (8, 16)]
        plots_of = [SimpleNamespace(dimension=dimension, levels=[SimpleNamespace(cell_size=size)]) for size in sizes]
        assert _order_lines(plots_of, found).endswith("L1 density              2.00")
    write(tmp_path / "other", "vortex")
    code, said = said_by(monkeypatch, capsys, "errors", *plots, tmp_path / "other")
    assert code == 2 and "2 problems" in said
    code, said = said_by(monkeypatch, capsys, "errors", plots[0])
    assert code == 0 and "order" not in said


def test_a_blast_that_is_none_is_refused(tmp_path, capsys, monkeypatch):
    write(tmp_path / "start", "sedov", time=0.0)
    write(tmp_path / "plt", "sedov", time=0.1)
    for words, part in [
        (["errors", tmp_path / "start"], "is of time 0"),
        (["errors", tmp_path / "plt", "--energy", "-1"], "energy = -1"),
        (["errors", tmp_path / "plt", "--centre", "1"], "2 finite numbers"),
        (["errors", tmp_path / "plt", "--centre", "nan", "0"], "2 finite numbers"),
        (["slice", tmp_path / "plt", tmp_path / "x.png", "--normal", "x"], "normal to x"),
    ]:
        code, said = said_by(monkeypatch, capsys, *words)
        assert code == 2 and part in said, said


def test_what_is_no_number_is_said_of_a_blast_too(tmp_path, capsys, monkeypatch):
    write(tmp_path / "plt00001", "sedov", factor=np.nan, time=0.1)
    data = tmp_path / "plt00001/Level_0/Cell_D_00000"
    content = data.read_bytes()
    data.write_bytes(content[:-8] + np.float64(np.nan).tobytes())
    for command in ("errors", "pictures"):
        code, said = said_by(monkeypatch, capsys, command, tmp_path)
        assert code == 2 and "has cells without a density, or with values that are no numbers" in said, said


@pytest.mark.parametrize(
    "how, why",
    [({"time": 0.0}, "is of time 0"), ({"gravity": [0.0, -1.0]}, "under gravity is known here")],
)
def test_a_blast_without_an_exact_solution_has_its_slice(tmp_path, capsys, monkeypatch, how, why):
    write(tmp_path / "plt00001", "sedov", time=how.get("time", 0.1))
    (tmp_path / "plt00001/deck.toml").write_text(deck("sedov") + f"[source]\ngravity = {how.get('gravity', [0.0, 0.0])}\n")
    code, said = said_by(monkeypatch, capsys, "pictures", tmp_path)
    assert code == 0 and why in said and "slice.png" in said, said
    assert (tmp_path / "slice.png").exists() and not (tmp_path / "profile.png").exists()
    assert said_by(monkeypatch, capsys, "errors", tmp_path)[0] == 2


def test_a_tube_of_what_is_no_gas_is_refused_with_its_file(tmp_path, capsys, monkeypatch):
    write(tmp_path / "plt", "sod")
    (tmp_path / "plt/deck.toml").write_text(deck("sod").replace("gamma = 1.4", "gamma = 1.0"))
    code, said = said_by(monkeypatch, capsys, "errors", tmp_path / "plt")
    assert code == 2 and "plt/deck.toml: its problem 'sod'" in said and "gamma = 1 (must be above 1)" in said


@pytest.mark.parametrize("name, key", [("noh", "density"), ("noh", "speed"), ("uniform", "density"), ("uniform", "pressure")])
def test_a_gas_of_no_density_speed_or_pressure_is_refused_with_its_file(tmp_path, capsys, monkeypatch, name, key):
    write(tmp_path / "plt", name)
    for value in ["0.0", "-1.0", "nan"]:
        (tmp_path / "plt/deck.toml").write_text(deck(name).replace(f"{key} = {PROBLEMS[name][key]!r}", f"{key} = {value}"))
        code, said = said_by(monkeypatch, capsys, "errors", tmp_path / "plt")
        assert code == 2 and f"plt/deck.toml: its problem '{name}'" in said and f"{key} = {float(value):g} (must be above 0" in said, said


def test_any_damage_is_said_with_the_file_and_in_words(tmp_path, capsys, monkeypatch):
    plt = tmp_path / "plt"
    write(plt, "sod")
    whole = {path: path.read_bytes() for path in sorted(plt.rglob("*")) if path.is_file()}
    rng = random.Random(1)
    strange = [b"\x00", b"\x1b", b"\xff", b"9", b"-", b"\n", b"99999999999", b"nan", b"(", b""]
    monkeypatch.setattr(sys, "argv", ["thalweg", "errors", str(plt)])
    n_refused = 0
    for _ in range(400):
        path = rng.choice(list(whole))
        at = rng.randrange(min(400, len(whole[path])))
        end = rng.choice([at, at + 1, at + 1, at + 20, len(whole[path])])
        path.write_bytes(whole[path][:at] + rng.choice(strange) + whole[path][end:])
        code, said = main(), capsys.readouterr().err
        path.write_bytes(whole[path])
        if code == 0:
            continue
        n_refused += 1
        assert said.startswith("error: ") and ("plt" in said or "no memory" in said), said
        assert not any(words in said for words in ("fault of the package", "invalid literal", "could not convert", "codec", "Errno")), said
        assert all(c.isprintable() or c == "\n" for c in said), said
    assert n_refused > 200
