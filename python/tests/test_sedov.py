# SPDX-License-Identifier: MIT
"""The exact Sedov solution against published numbers and against conservation."""

from argparse import Namespace
from fractions import Fraction

import numpy as np
import pytest
from synthetic import write_blast

from thalweg.sedov import Exponents, Sedov, cell_averages
from thalweg.sedov_error import OPTIONS, errors, profile, read_blast
from thalweg.words import NoExactSolution

# Kamm & Timmes (2007), the standard cases of gamma 1.4 at t = 1: energy (of both sides of a plane)
# and shock radius, within what the digits of the published energies allow.
PUBLISHED = [(1, 2 * 0.0673185, 0.5, 2e-4), (2, 0.311357, 0.75, 1e-5), (3, 0.851072, 1.0, 1e-6)]


@pytest.mark.parametrize("j, energy, radius, tolerance", PUBLISHED)
def test_shock_radius_is_the_published_one(j, energy, radius, tolerance):
    blast = Sedov(time=1.0, energy=energy, j=j)
    assert blast.shock_radius == pytest.approx(radius, rel=tolerance)


def test_spherical_blast_of_the_reference_figures():
    blast = Sedov(time=0.05, energy=1.0)
    assert blast.alpha == pytest.approx(0.851072, rel=2e-6)
    assert blast.shock_radius == pytest.approx(0.31160, abs=5e-6)
    assert blast.density_behind == pytest.approx(6.0, rel=1e-12)
    assert blast.density(blast.shock_radius * 0.99999) == pytest.approx(6.0, rel=1e-3)
    assert blast.density(blast.shock_radius * 1.00001) == 1.0


@pytest.mark.parametrize("j", [1, 2, 3])
@pytest.mark.parametrize("gamma", [1.2, 1.4, 5 / 3, 2.0, 2.001])
def test_mass_and_energy_are_those_of_the_medium_and_the_blast(j, gamma):
    blast = Sedov(time=0.3, energy=2.0, rho0=0.7, gamma=gamma, j=j)
    r = (np.arange(400000) + 0.5) / 400000 * blast.shock_radius
    surface = {1: 2.0, 2: 2 * np.pi * r, 3: 4 * np.pi * r**2}[j] * blast.shock_radius / len(r)
    volume = {1: 2.0, 2: np.pi, 3: 4 * np.pi / 3}[j] * blast.shock_radius**j
    rho, u, p = blast.density(r), blast.velocity(r), blast.pressure(r)
    assert np.sum(rho * surface) == pytest.approx(0.7 * volume, rel=1e-4)
    assert np.sum((rho * u**2 / 2 + p / (gamma - 1)) * surface) == pytest.approx(2.0, rel=1e-4)


def test_cases_that_are_not_standard_are_refused():
    with pytest.raises(ValueError, match="j = 4"):
        Exponents(4, 1.4)
    with pytest.raises(ValueError, match="gamma = 1.0"):
        Exponents(3, 1.0)
    with pytest.raises(NoExactSolution, match="standard"):
        Exponents(3, 7.5)
    with pytest.raises(ValueError, match="and not 2"):
        Exponents(3, 2.0)


def test_cell_averages_are_the_means_of_the_samples():
    blast = Sedov(time=0.05)
    offset = np.array([[0.2, 0.2, 0.1], [0.4, 0.4, 0.4], [0.0, 0.0, 0.31]])
    size = np.full((3, 3), 0.05)
    density, pressure, velocity = cell_averages(blast, offset, size)
    points = (np.arange(4) + 0.5) / 4 - 0.5
    for cell in range(3):
        x, y, z = (offset[cell, a] + size[cell, a] * points for a in range(3))
        r = np.sqrt(x[:, None, None] ** 2 + y[:, None] ** 2 + z**2)
        rho = blast.density(r)
        assert density[cell] == pytest.approx(rho.mean(), rel=1e-12)
        assert pressure[cell] == pytest.approx(blast.pressure(r).mean(), rel=1e-12)
        momentum = (rho * blast.velocity(r)).mean()
        assert velocity[cell] == pytest.approx(momentum / rho.mean(), rel=1e-12)
    assert density[1] == 1.0 and velocity[1] == 0.0


@pytest.fixture
def blast(tmp_path):
    """A blast in two dimensions, beside a deck with numbers other than the usual ones."""
    exact = Sedov(time=0.1, energy=2.0, rho0=3.0, gamma=5 / 3, j=2, p0=0.02)
    write_blast(tmp_path / "plt", exact, [0, 0], [1, 1], n_cells=16, n_levels=1)
    (tmp_path / "plt/deck.toml").write_text('[problem]\nname = "sedov"\nenergy = 2.0\ndensity = 3.0\ngamma = 1.6666666666666667\npressure = 0.02\n')
    return read_blast(tmp_path / "plt", Namespace(**dict.fromkeys(OPTIONS)))


def test_a_blast_is_the_one_of_its_deck(blast):
    assert blast.solution.p0 == 0.02 and blast.exact_pressure.min() == 0.02
    for found, exact in [("density", "exact_density"), ("pressure", "exact_pressure"), ("velocity", "exact_velocity")]:
        np.testing.assert_allclose(getattr(blast, found), getattr(blast, exact), rtol=1e-12, atol=1e-12)


def test_velocities_of_shells_are_means_by_mass(blast):
    shell = (blast.radius * 128).astype(int)  # 64 of them up to 0.5
    mine = np.flatnonzero(shell == shell[1])
    density, velocity = np.ones(len(shell)), np.zeros(len(shell))
    density[mine[0]], velocity[mine[0]] = 3.0, 1.0
    shells = profile(blast, density, density, velocity)
    assert len(mine) > 1 and shells.velocity.max() == pytest.approx(3 / (len(mine) + 2))


@pytest.mark.parametrize("d", [1, 2])
def test_a_mirrored_blast_has_the_same_errors(tmp_path, d):
    exact = Sedov(time=0.05, j=d, p0=1e-5)
    options = Namespace(**dict.fromkeys(OPTIONS) | {"centre": [0.0] * d})
    write_blast(tmp_path / "low", exact, [0.0] * d, [0.5] * d, n_cells=16, n_levels=1)
    write_blast(tmp_path / "high", exact, [-0.5] * d, [0.0] * d, n_cells=16, n_levels=1)
    low, high = (errors(read_blast(tmp_path / name, options)) for name in ("low", "high"))
    assert low["energy"] == pytest.approx(1, rel=0.1) and high == pytest.approx(low, rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    "how, says",
    [
        ({"time": 0}, r"time = 0 of the blast \(it must be above 0, and finite\)"),
        ({"time": float("inf")}, "time = inf"),
        ({"energy": -1}, "energy = -1"),
        ({"energy": float("nan")}, "energy = nan"),
        ({"rho0": 0.0}, "rho0 = 0"),
        ({"p0": -1e-5}, r"p0 = -1e-05 of the blast \(it must be 0 or more"),
        ({"gamma": float("nan")}, "gamma = nan"),
    ],
)
def test_numbers_of_no_blast_are_refused(how, says):
    with pytest.raises(ValueError, match=says):
        Sedov(**{"time": 0.05, **how})


@pytest.mark.parametrize("how", [{"time": "0.05"}, {"energy": None}, {"rho0": [1.0]}, {"p0": "0"}, {"gamma": "1.4"}])
def test_what_is_no_number_of_a_blast_is_refused_by_name(how):
    (name,) = how
    with pytest.raises(TypeError, match=rf"^{name} = .*\(must be a number\)"):
        Sedov(**{"time": 0.05, **how})
    assert Sedov(np.float32(0.05), gamma=np.float64(1.4)).shock_radius > 0


def test_numbers_of_a_blast_may_be_of_any_kind():
    blast, same = Sedov(0.5, 0.25, 2.0, 1.5, 2, 0.5), Sedov(np.array(0.5), Fraction(1, 4), 2, Fraction(3, 2), np.int64(2), np.float32(0.5))
    assert same.shock_radius == blast.shock_radius and same.pressure(0.1) == blast.pressure(0.1) and same.j == 2
    for j in ("3", 3.0, None):
        with pytest.raises(TypeError, match=r"^j = .*\(must be a whole number\)"):
            Sedov(0.05, j=j)
    with pytest.raises(ValueError, match="^energy = 1000.*no double is as large"):
        Sedov(0.05, energy=10**400)


def test_radii_that_are_none_are_refused():
    blast = Sedov(time=0.05, p0=0.0)
    for of in (blast.density, blast.velocity, blast.pressure):
        for r, says in [([0.1, -0.1], "r = -0.1 "), ([np.nan], "r = nan "), (-1.0, "r = -1 ")]:
            with pytest.raises(ValueError, match=rf"^{says}\(a radius is 0 or more\)"):
                of(r)
        assert of([0.0, 0.1, np.inf]).shape == (3,) and np.shape(of(0.1)) == ()
