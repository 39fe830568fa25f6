# SPDX-License-Identifier: MIT
"""The exact Riemann solution against published numbers, and a group of figures of the program."""

import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from thalweg.__main__ import DECKS
from thalweg.figures import GROUPS, Decks, Figure, sod
from thalweg.riemann import Gas, NoSuchGas, Riemann

# Toro (2009), tables 4.1 and 4.3: left, right; pressure and velocity between the waves, and the
# densities on both sides of the contact there.
PUBLISHED = [
    (Gas(1, 0, 1), Gas(0.125, 0, 0.1), 0.30313, 0.92745, 0.42632, 0.26557),
    (Gas(1, -2, 0.4), Gas(1, 2, 0.4), 0.00189, 0.0, 0.02185, 0.02185),
    (Gas(1, 0, 1000), Gas(1, 0, 0.01), 460.894, 19.5975, 0.57506, 5.99924),
    (Gas(1, 0, 0.01), Gas(1, 0, 100), 46.0950, -6.19633, 5.99242, 0.57511),
    (Gas(5.99924, 19.5975, 460.894), Gas(5.99242, -6.19633, 46.0950), 1691.64, 8.68975, 14.2823, 31.0426),
]


@pytest.mark.parametrize("left, right, p, u, rho_left, rho_right", PUBLISHED)
def test_riemann_problems_have_the_published_states(left, right, p, u, rho_left, rho_right):
    tube = Riemann(left, right)
    assert tube.p == pytest.approx(p, rel=1e-5, abs=5e-6)
    assert tube.u == pytest.approx(u, rel=1e-5, abs=1e-8)
    rho, _, _ = tube.at(np.array([tube.u - 1e-7, tube.u + 1e-7]))
    assert rho == pytest.approx([rho_left, rho_right], rel=1e-5, abs=5e-6)


@pytest.mark.parametrize("left, right", [case[:2] for case in PUBLISHED])
def test_riemann_solutions_keep_mass_momentum_and_energy(left, right):
    reach, n = 60.0, 1_200_000  # no wave gets there by t = 1
    x = ((np.arange(n) + 0.5) / n * 2 - 1) * reach

    def conserved(rho, u, p):
        return np.array([rho, rho * u, p / 0.4 + 0.5 * rho * u * u])

    def flux(w):
        energy = w.p / 0.4 + 0.5 * w.rho * w.u**2
        return np.array([w.rho * w.u, w.rho * w.u**2 + w.p, (energy + w.p) * w.u])

    found = conserved(*Riemann(left, right).at(x)).mean(axis=1) * 2 * reach
    before = sum(conserved(w.rho, w.u, w.p) for w in (left, right)) * reach
    scale = np.abs(before).max()
    assert found == pytest.approx(before + flux(left) - flux(right), abs=2e-4 * scale)


@pytest.mark.parametrize(
    "left, right, gamma, says",
    [
        (Gas(-1, 0, 1), Gas(1, 0, 1), 1.4, "rho = -1 "),
        (Gas(1, 0, 1), Gas(0, 0, 1), 1.4, r"rho = 0 \(must be above 0"),
        (Gas(1, 0, 1), Gas(1, 0, -0.5), 1.4, r"p = -0.5 \(must be above 0"),
        (Gas(1, 0, float("nan")), Gas(1, 0, 1), 1.4, "p = nan"),
        (Gas(1, -float("inf"), 1), Gas(1, 0, 1), 1.4, r"u = -inf \(must be finite"),
        (Gas(1, 0, float("inf")), Gas(1, 0, 1), 1.4, "p = inf"),
        (Gas(1, 0, 1), Gas(1, 0, 1), 1, r"gamma = 1 \(must be above 1"),
        (Gas(1, 0, 1), Gas(1, 0, 1), float("nan"), "gamma = nan"),
    ],
)
def test_states_that_are_none_are_refused(left, right, gamma, says):
    with pytest.raises(ValueError, match=says):
        Riemann(left, right, gamma)


@pytest.mark.parametrize(
    "left, gamma, says",
    [(Gas("1", 0, 1), 1.4, "^rho = '1' "), (Gas(1, None, 1), 1.4, "^u = None "), (Gas(1, 0, [1]), 1.4, r"^p = \[1\] "), (Gas(1, 0, 1), "1.4", "^gamma = '1.4' ")],
)
def test_states_of_no_numbers_are_refused_by_name(left, gamma, says):
    with pytest.raises(TypeError, match=rf"{says}\(must be a number\)"):
        Riemann(left, Gas(0.125, 0, 0.1), gamma)
    assert Riemann(Gas(np.float32(1), np.int64(0), 1), Gas(0.125, 0, 0.1)).p > 0


def test_numbers_of_a_gas_may_be_of_any_kind():
    right = Gas(Fraction(1, 8), Fraction(0), Fraction(1, 16))
    tube, same = Riemann(Gas(1, 0, 1), Gas(0.125, 0, 0.0625), 1.5), Riemann(Gas(np.array(1.0), 0, np.array(1)), right, Fraction(3, 2))
    assert (same.p, same.u, same.left) == (tube.p, tube.u, Gas(1, 0, 1)) and np.isfinite(same.at(0.1)).all()
    with pytest.raises(NoSuchGas, match="^rho = 1000.*no double is as large"):
        Riemann(Gas(10**400, 0, 1), right)


def test_figures_are_rows_of_a_table():
    row = str(Figure("a tube", 0.003, 0.004, "somebody"))
    assert row.split() == ["a", "tube", "0.003", "0.004", "0.750", "somebody"]


@pytest.mark.skipif("THALWEG_PROGRAM" not in os.environ, reason="THALWEG_PROGRAM names no program")
def test_figures_of_the_shipped_tube_are_near_the_published_ones():
    figures = list(sod(Decks(Path(os.environ["THALWEG_PROGRAM"]), DECKS)))
    assert len(figures) == 45
    for figure in figures:
        print(figure)
        assert 0.5 < figure.here / figure.reference < 1.5, figure


class OneStep(Decks):
    """Runs decks as they are asked for, but for their length."""

    def run(self, name, overrides, look):
        return super().run(name, [*overrides, "time.max_steps=1"], look)


@pytest.mark.skipif("THALWEG_PROGRAM" not in os.environ, reason="THALWEG_PROGRAM names no program")
@pytest.mark.parametrize("group", [group for group in GROUPS if group != "sod"])
def test_decks_of_every_group_are_those_that_the_program_takes(group):
    with np.errstate(all="ignore"):  # after one step the figures may be any
        assert len(list(GROUPS[group](OneStep(Path(os.environ["THALWEG_PROGRAM"]), DECKS)))) > 0


def test_a_program_that_fails_is_quoted(tmp_path):
    program = tmp_path / "thalweg"
    program.write_text("#!/bin/sh\necho no such deck\nexit 2\n")
    program.chmod(0o755)
    with pytest.raises(ValueError, match="exit code 2\nno such deck"):
        next(sod(Decks(program, DECKS)))
