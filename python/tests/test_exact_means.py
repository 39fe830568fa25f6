# SPDX-License-Identifier: MIT
"""Exact solutions of the applications beside the gas, and errors against them."""

import numpy as np
import pytest
from synthetic import blocks, write_plotfile
from test_commands import say  # noqa: F401  (a fixture)

import thalweg
from thalweg.exact_means import mean_errors, means_of
from thalweg.plotfile import Plotfile

TIME = 0.3
DECKS = {
    "advection": "[advection]\nvelocity = [1.0, 0.5, 0.0]\ndiffusivity = 0.001\n[pulse]\ncentre = [0.9, 0.5, 0.5]\nsigma = 0.05\n",
    "induction": "[induction]\nvelocity = [2.0, 1.0, 0.0]\n[loop]\ncentre = [0.0, 0.0, 0.0]\nradius = 0.3\n",
    "shallow_water": '[shallow_water]\ngravity = 9.81\n[problem]\nname = "thacker"\ndisplacement = 0.3\n',
}
DAM = '[application]\nname = "shallow_water"\n[shallow_water]\ngravity = 9.81\n[problem]\nname = "dam_break"\nright = {right}\n'
VARIABLES = {"advection": ["u"], "induction": ["bx", "by", "energy", "divergence"], "shallow_water": ["surface", "xmom", "ymom", "bed"]}


def write(path, application, values=lambda x, h: np.zeros((1, *x.shape[:-1])), half=2.0, more="", n_cells=32):
    """Write a plotfile of a square around (0, 0)."""
    n_variables = len(VARIABLES[application])

    def padded(x, h):
        some = np.asarray(values(x, h))
        return np.concatenate([some, np.zeros((n_variables - len(some), *x.shape[:-1]))])

    write_plotfile(path, VARIABLES[application], [-half, -half], [half, half], [(n_cells, blocks(n_cells, 2, 8))], padded, time=TIME)
    (path / "deck.toml").write_text(f'[application]\nname = "{application}"\n{DECKS[application]}{more}')
    return path


def solution(path, application):
    return means_of(Plotfile(write(path, application)))


@pytest.mark.parametrize("application", DECKS)
def test_exact_cells_have_no_errors_and_others_have_them(tmp_path, application):
    exact = solution(tmp_path / "deck", application)

    def state(factor):
        def values(x, h):
            found = exact(x.reshape(-1, 2), np.broadcast_to(h, x.shape).reshape(-1, 2), TIME)
            return factor * np.concatenate([np.atleast_2d(part) for part in found.values()]).reshape(-1, *x.shape[:-1])

        return values

    figures = thalweg.errors(write(tmp_path / "right", application, state(1.0)))
    wrong = thalweg.errors(write(tmp_path / "wrong", application, state(1.1)))
    names = [name for name in figures if name.startswith("L1")]
    assert names == {"advection": ["L1 u"], "induction": ["L1 field"], "shallow_water": ["L1 depth", "L1 momentum"]}[application]
    for name in names:
        assert figures[name] < 1e-14 and wrong[name] == pytest.approx(0.1)


def test_errors_are_weighed_by_volume(tmp_path):
    levels = [(8, blocks(8, 2, 4)), (16, blocks(16, 2, 4, lambda low, high: (high <= 0.5).all()))]
    write_plotfile(tmp_path / "plt", ["u"], [0, 0], [1, 1], levels, lambda x, h: np.full((1, *x.shape[:-1]), 1.1 if h[0] < 0.1 else 1.0))
    figures = mean_errors(Plotfile(tmp_path / "plt"), lambda x, h, t: {"u": np.ones(len(x))})
    assert figures["leaf cells"] == 48 + 64 and figures["L1 u"] == pytest.approx(0.25 * 0.1)


def test_a_variable_that_is_not_compared_may_hold_no_numbers(tmp_path):
    def torn(variable):
        spoilt = [np.nan if name == variable else 0.0 for name in VARIABLES["induction"]]
        return thalweg.errors(write(tmp_path / variable, "induction", lambda x, h: np.stack([np.full(x.shape[:-1], value) for value in spoilt])))

    assert torn("divergence")["L1 field"] == pytest.approx(1)
    with pytest.raises(ValueError, match="values of 'by' that are no numbers"):
        torn("by")


def test_nothing_is_relative_to_water_at_rest(tmp_path):
    plt = write(tmp_path / "plt", "shallow_water")
    (plt / "deck.toml").write_text((plt / "deck.toml").read_text().replace("displacement = 0.3", "displacement = 0.0"))
    figures = thalweg.errors(plt)
    assert [name for name in figures if name.startswith("L1")] == ["L1 depth"] and np.isfinite(list(figures.values())).all()


def test_a_pulse_keeps_its_integral_and_comes_back_through_the_box(tmp_path):
    means = solution(tmp_path / "plt", "advection")
    x = (np.arange(64) + 0.5) / 16 - 2
    centre = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1).reshape(-1, 2)
    for time in (0.0, 2.0):
        u = means(centre, np.full_like(centre, 1 / 16), time)["u"]
        assert u.sum() / 16**2 == pytest.approx(2 * np.pi * 0.05**2, rel=1e-12)
    place = centre[u.argmax()]  # 0.9 + 2 = 2.9 is -1.1 in the box
    np.testing.assert_allclose(place, [-1.1, 1.5], atol=1 / 16)
    # At its centre as narrow a cell as one likes has s^2 / s_t^2.
    (u,) = means(np.array([[-1.1, 1.5]]), np.full((1, 2), 1e-4), 2.0)["u"]
    assert u == pytest.approx(0.05**2 / (0.05**2 + 2 * 0.001 * 2), rel=1e-5)


@pytest.mark.parametrize("sigma", [1.5, 1e4])
def test_a_wide_pulse_keeps_its_integral_too_as_all_its_images_count(tmp_path, sigma):
    (write(tmp_path / "plt", "advection") / "deck.toml").write_text(
        f'[application]\nname = "advection"\n{DECKS["advection"].replace("sigma = 0.05", f"sigma = {sigma}")}'
    )
    means = means_of(Plotfile(tmp_path / "plt"))
    x = (np.arange(64) + 0.5) / 16 - 2
    centre = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1).reshape(-1, 2)
    for time in (0.0, 2.0):
        assert means(centre, np.full_like(centre, 1 / 16), time)["u"].sum() / 16**2 == pytest.approx(2 * np.pi * sigma**2, rel=1e-12)


def test_a_loop_of_field_turns_around_its_centre(tmp_path):
    means = solution(tmp_path / "plt", "induction")
    x, size = np.array([[0.1, 0.0], [0.0, 0.1], [0.7, 0.0]]), np.full((3, 2), 1e-4)
    slope = -6 * 0.1 / 0.3**2 * (1 - (0.1 / 0.3) ** 2) ** 2  # of the potential, along the radius
    np.testing.assert_allclose(means(x, size, 0.0)["field"], [[0, slope, 0], [-slope, 0, 0]], rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(means(x + [4 * 0.7, 2 * 0.7], size, 1.4)["field"], means(x, size, 0.0)["field"], rtol=1e-5, atol=1e-9)


def test_water_turns_in_its_bowl(tmp_path):
    means = solution(tmp_path / "plt", "shallow_water")
    speed = np.sqrt(0.2 * 9.81)
    at = means(np.array([[0.0, 0.3], [0.0, 1.31], [0.0, -0.71]]), np.full((3, 2), 1e-6), 0.5 * np.pi / speed)
    np.testing.assert_allclose(at["depth"], [0.1, 0, 0], atol=1e-6)
    np.testing.assert_allclose(at["momentum"][:, 0], [-0.3 * speed * 0.1, 0], atol=1e-6)


@pytest.mark.parametrize("right", [0.1, 0.0, 10.0])
def test_a_dam_breaks_into_a_fan_and_a_bore(tmp_path, right):
    plt = write(tmp_path / "plt", "shallow_water")
    (plt / "deck.toml").write_text(DAM.format(right=right))
    means, deep, towards = means_of(Plotfile(plt)), max(1.0, right), -1 if right > 1 else 1
    c = np.sqrt(9.81 * deep)
    x = np.stack([np.linspace(-9, 9, 3601), np.zeros(3601)], axis=1)
    at = means(x, np.full_like(x, 1e-9), 0.5)
    (h,), ((m,), (across,)) = (part[..., x[:, 0] == 0] for part in at.values())
    np.testing.assert_allclose([h, m, across], [4 / 9 * deep, towards * 4 / 9 * deep * 2 / 3 * c, 0])  # in the fan, at the dam
    # What has left one side has come to the other, and the pressures at both ends are all that pushes.
    start = means(x, np.full_like(x, 1e-9), 0.0)
    assert (at["depth"] - start["depth"]).sum() * 0.005 == pytest.approx(0, abs=0.01 * deep)
    assert at["momentum"][0].sum() * 0.005 == pytest.approx(0.5 * 9.81 / 2 * (1 - right**2), rel=5e-3)
    ends = np.array([[-9.0, 0.0], [9.0, 0.0]])
    np.testing.assert_allclose(means(ends, np.full_like(ends, 0.1), 0.5)["depth"], [1, right])


def test_what_a_run_does_not_have_is_not_compared(say, tmp_path):  # noqa: F811
    sides = '[boundary]\nlower = ["outflow", "periodic"]\nupper = ["outflow", "periodic"]\n'
    code, _, err = say("errors", write(tmp_path / "a", "advection", more=sides))
    assert code == 2 and "no exact solution of the application 'advection' with sides that are not periodic is known here" in err
    assert "and for advection, induction, dam_break of shallow_water, thacker of shallow_water" in err
    write(tmp_path / "b", "shallow_water")
    (tmp_path / "b/deck.toml").write_text('[application]\nname = "shallow_water"\n[problem]\nname = "lake_at_rest"\n')
    code, _, err = say("errors", tmp_path / "b")
    assert code == 2 and "no exact solution of problem 'lake_at_rest' is known here" in err


@pytest.mark.parametrize("lower, upper", [("periodic", "periodic"), ("outflow", "reflecting"), ("inflow", "outflow"), ("outflow", "outflow")])
def test_a_dam_is_compared_where_waves_may_leave_along_x(say, tmp_path, lower, upper):  # noqa: F811
    plt = write(tmp_path / "plt", "shallow_water", lambda x, h: np.ones((1, *x.shape[:-1])))
    sides = f'[boundary]\nlower = ["{lower}", "reflecting"]\nupper = ["{upper}", "periodic"]\n'
    (plt / "deck.toml").write_text((DAM + sides).format(right=0.1))
    code, out, err = say("errors", plt)
    if lower == upper == "outflow":
        assert code == 0 and "L1 depth" in out
    else:
        assert code == 2 and "no exact solution of problem 'dam_break' with sides along x that are not outflow is known here" in err


def test_decks_that_differ_in_what_is_solved_have_no_order(say, tmp_path):  # noqa: F811
    plots = [write(tmp_path / str(n), "advection", n_cells=n) for n in (16, 32)]
    assert "order of the errors" in say("errors", *plots)[1]
    text = (plots[1] / "deck.toml").read_text()
    (plots[1] / "deck.toml").write_text(text.replace("sigma = 0.05", "sigma = 0.06"))
    assert "no order of the errors (their decks have pulse.sigma = 0.05 and 0.06)" in say("errors", *plots)[1]


def test_a_plotfile_and_a_deck_that_do_not_belong_together_are_said_so(say, tmp_path):  # noqa: F811
    plt = write(tmp_path / "plt", "induction")
    text = (plt / "deck.toml").read_text()
    for wrong, says in [
        (f'[application]\nname = "advection"\n{DECKS["advection"]}', "'u' is not in"),
        (text.replace("radius = 0.3\n", ""), "loop.radius is missing"),
        (text.replace("radius = 0.3", "radius = 0"), "has values that no run has"),
        (text.replace("radius = 0.3", 'radius = "wide"'), "has values that no run has"),
    ]:
        (plt / "deck.toml").write_text(wrong)
        code, _, err = say("errors", plt)
        assert code == 2 and says in err, err
