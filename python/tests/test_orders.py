# SPDX-License-Identifier: MIT
"""Orders of errors are of one problem at one time, or there is none, and why."""

from types import SimpleNamespace

import numpy as np
import pytest
from synthetic import blocks, write_plotfile
from test_commands import say  # noqa: F401  (a fixture)
from test_exact import deck, write
from thalweg.exact_errors import _order_lines


def refined(path, n_cells, time=0.2, text=None, lower=0.0, upper=1.0, name="uniform"):
    """A gas at rest on so many cells an axis, whose density is wrong by as much as the width of a cell."""

    def conserved(centre, size):
        shape = centre.shape[:-1]
        rho = 2.0 * (1 + size[0])
        state = [rho, rho, rho / 2, 0.5 / 0.4 + 0.5 * rho * (1 + 0.25)]
        return [[[value] * shape[1]] * shape[0] for value in state]

    write_plotfile(path, ["density", "xmom", "ymom", "rho_E"], [lower] * 2, [upper] * 2, [(n_cells, blocks(n_cells, 2, 8))], conserved, time=time)
    (path / "deck.toml").write_text(deck(name) if text is None else text)
    return path


def test_runs_that_differ_in_their_cells_have_an_order(say, tmp_path):  # noqa: F811
    plots = [refined(tmp_path / str(n), n, time=0.2 * (1 + 1e-6 * n)) for n in (8, 16)]
    code, out, _ = say("errors", *plots)
    assert code == 0 and "order of the errors, by the number of leaf cells" in out and "1.00" in out
    (plots[1] / "deck.toml").write_text(deck("uniform") + '[hydro]\neos = "gamma_law"\np_infinity = 0.0\n[time]\nmax_steps = 80\n')  # as is without these keys
    assert say("errors", *plots)[1] == out


@pytest.mark.parametrize(
    "how, why",
    [
        ({"time": 0.1}, "they are of times 0.2, 0.1"),
        ({"time": 0.201}, "they are of times 0.2, 0.201"),
        ({"text": deck("uniform").replace("gamma = 1.4", "gamma = 1.6")}, "their decks have problem.gamma = 1.4 and 1.6"),
        ({"text": deck("uniform").replace("pressure = 0.5\n", "")}, "their decks have problem.pressure = 0.5 and none"),
        ({"upper": 2.0}, "they have different domains"),
        ({"lower": -1.0}, "they have different domains"),
        ({"text": deck("uniform") + '[hydro]\neos = "stiffened"\np_infinity = 0.5\n'}, "their gases have p_infinity = 0 and 0.5, which is 0 where they are ideal"),
        ({"text": deck("uniform") + '[hydro]\nriemann = "llf"\n'}, "their decks have hydro.riemann = none and llf"),
        ({"text": deck("uniform") + "[time]\nend = 0.2\ncfl = 0.4\n"}, "their decks have time.cfl = none and 0.4"),
        ({"text": deck("uniform") + "prolongation = 3\n"}, "their decks have mesh.prolongation = none and 3"),
        ({"text": deck("uniform") + "[source]\ngravity = [0.0, -1.0]\n"}, "their decks have source.gravity = none and [0.0, -1.0]"),
    ],
)
def test_runs_that_differ_in_more_have_none_and_it_is_said_why(say, tmp_path, how, why):  # noqa: F811
    code, out, _ = say("errors", refined(tmp_path / "a", 8), refined(tmp_path / "b", 16, **how))
    assert code == 0 and out.rstrip().endswith(f"no order of the errors ({why}); give plotfiles that differ in their cells alone"), out
    assert out.count("L1 density") == 2


def test_keys_that_change_no_error_keep_the_order(say, tmp_path):  # noqa: F811
    text = '[hydro]\nscheme = "vl2"\nflattening = {}\nviscosity = {}\ndensity_floor = {}\n'
    coarse = refined(tmp_path / "a", 8, text=deck("uniform") + text.format("true", 0.1, 1e-100))
    fine = refined(tmp_path / "b", 16, text=deck("uniform") + text.format("false", 0.2, 1e-50))
    code, out, _ = say("errors", coarse, fine)
    assert code == 0 and "order of the errors, by the number of leaf cells" in out


def test_runs_in_more_dimensions_are_other_problems(say, tmp_path):  # noqa: F811
    flat, line = refined(tmp_path / "a", 8), tmp_path / "b"
    write_plotfile(line, ["density", "xmom", "rho_E"], [0], [1], [(16, blocks(16, 1, 8))], lambda x, h: [[2.0] * len(x)] * 3, time=0.2)
    (line / "deck.toml").write_text(deck("uniform"))
    code, _, err = say("errors", flat, line)
    assert code == 2 and "2 problems (the order of errors is of one, in as many dimensions)" in err


@pytest.mark.parametrize("centre", [["0.25", "0.5"], ["0.25,0.5"], ["0.25,", "0.5"]])
def test_a_centre_has_blanks_or_commas_as_profile_takes_them(say, tmp_path, centre):  # noqa: F811
    write(tmp_path / "plt", "sedov", time=0.1)
    code, out, err = say("errors", tmp_path / "plt", "--centre", "0.25", "0.5")
    assert code == 0, err
    if centre == ["0.25,", "0.5"]:
        with pytest.raises(SystemExit):
            say("errors", tmp_path / "plt", "--centre", *centre)
        return
    assert say("errors", tmp_path / "plt", "--centre", *centre)[:2] == (0, out)
    assert say("errors", tmp_path / "plt")[1] != out


def test_cells_that_are_smaller_along_one_axis_count_by_their_width_there():
    sizes = [[0.1, 0.1], [0.05, 0.1], [0.025, 0.05], [0.025, 0.05]]  # the last one differs by levels
    plots = [SimpleNamespace(dimension=2, levels=[SimpleNamespace(cell_size=np.array(size))]) for size in sizes]
    found = [{"leaf cells": n_cells, "L1 density": 0.5**n} for n, n_cells in enumerate([100, 200, 800, 3200])]
    for turn in (1, -1):
        assert _order_lines(plots[::turn], found[::turn]).splitlines()[-1].split()[2:] == ["1.00"] * 3


def test_a_run_with_functions_beside_its_deck_has_no_exact_solution(say, tmp_path):  # noqa: F811
    line = "# with functions of whole blocks beside this deck: {}\n"
    code, _, err = say("errors", refined(tmp_path / "a", 8, text=line.format("initial, tags") + deck("uniform")))
    assert code != 0 and "with functions of whole blocks beside the deck (initial)" in err
    code, out, _ = say("errors", refined(tmp_path / "b", 8, text=line.format("tags") + deck("uniform")))
    assert code == 0 and "L1 density" in out
    assert say("errors", refined(tmp_path / "c", 8, text=deck("uniform") + line.format("initial")))[0] == 0  # no first line
