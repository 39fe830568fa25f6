# SPDX-License-Identifier: MIT
"""What functions of blocks have beside the state: derived fields, and a bed that finer levels get from them, too."""

import numpy as np
import pytest
import thalweg
from support import ROOT, program

SOD = ROOT / "apps/hydro/decks/sod.toml"
LAKE = ROOT / "apps/shallow_water/decks/lake_at_rest.toml"
SIDES = {"mesh.lower": [-1, -1], "mesh.upper": [1, 1], "mesh.root_blocks": [2, 2], "mesh.block_cells": 8}
GIVEN = {**SIDES, "mesh.max_level": 1, "time.end": 0.2, "regrid.interval": 1, "checkpoint.interval": 5}


def bed(x, y):
    return 0.5 * np.exp(-6 * (x * x + y * y)) - 1


def lake(sim):
    @sim.initial
    def still(cells):
        cells["bed"] = bed(cells.x, cells.y)
        cells["surface"] = np.maximum(0.0, cells["bed"])
        cells["xmom"] = cells["ymom"] = 0.0

    @sim.tags
    def moving(cells):
        return np.abs(cells.x - 4 * cells.time) + 0 * cells.y < 0.2


def fine_cells(sim, plotfile):
    """The least x of the finest cells; largest errors of their bed, of the surface, and of momenta anywhere."""
    sim.write_plotfile(plotfile)
    cells = thalweg.open(plotfile).leaf_cells()
    surface, xmom, ymom, height = cells.values
    fine = cells.level == 1  # a coarser cell which was refined before has the mean of its children's beds
    of_bed = np.abs(height - bed(*cells.centre.T))[fine].max()
    return cells.centre[fine, 0].min(), of_bed, np.abs(surface).max(), np.abs([xmom, ymom]).max()


def test_new_blocks_get_the_bed_of_a_function_also_after_a_restart(tmp_path):
    with thalweg.Simulation(LAKE, GIVEN, out=tmp_path / "a") as sim:
        lake(sim)
        least, *_ = fine_cells(sim, tmp_path / "start")
        assert sim.run() == "finished"
        end = fine_cells(sim, tmp_path / "end")
    assert end[0] > least + 0.2  # new blocks have come
    assert end[1] < 1e-15 and end[2] < 1e-13 and end[3] < 1e-13
    first = sorted((tmp_path / "a").glob("chk*"))[0]
    with thalweg.Simulation(restart=first, out=tmp_path / "b") as sim:
        lake(sim)
        assert sim.run() == "finished"
        assert fine_cells(sim, tmp_path / "again") == end
    for how in (["--out", tmp_path / "c"], ["--dry-run"]):
        done = program("run", "--restart", first, *how)
        assert done.returncode == 2 and "for the initial state, which this one has not" in done.stderr, done.stderr


def test_functions_read_derived_fields_of_the_state_as_it_is():
    with thalweg.Simulation(SOD, {"mesh.max_level": 1, "time.max_steps": 2, "hydro.scalars": 1}) as sim:
        seen = []

        @sim.initial
        def cold(cells):
            cells["rho_E"] = 0.5 * cells["rho_E"]
            seen.append(np.ptp(cells["pressure"] - 0.4 * cells["rho_E"]))
            with pytest.raises(ValueError, match="follows from the fields"):
                cells["pressure"] = 1.0
            with pytest.raises(ValueError, match="read-only"):
                cells["pressure"][:] = 1.0
            with pytest.raises(AttributeError, match="follows from the fields"):
                cells.pressure = 1.0
            with pytest.raises(KeyError, match="no field 'nothing' .*density.*pressure"):
                cells["nothing"]

        @sim.tags
        def dense(cells):
            assert cells.with_ghosts("temperature").shape == cells.with_ghosts("density").shape
            assert "vorticity" not in cells.derived_fields  # reads neighbours
            assert np.allclose(cells["temperature"] * cells["density"], cells["pressure"], rtol=1e-12)
            return cells["temperature"] * cells["density"] > 0.2

        assert sim.run() == "finished"
        assert seen and max(seen) < 1e-15
        assert {"pressure", "temperature", "mach"} <= set(sim.derived_fields)
