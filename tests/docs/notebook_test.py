# SPDX-License-Identifier: MIT
"""The cells of the notebook run in order, and find what its texts say."""

import json
from pathlib import Path

import matplotlib
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs/tutorials/shock_tube.ipynb"


def test_cells_run_and_the_texts_are_right(monkeypatch):
    matplotlib.use("Agg")
    monkeypatch.chdir(ROOT)
    names = {}
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)  # noqa: S102  (that is the point)
    assert abs(names["exact"].p - 0.30313) < 1e-5 and abs(names["exact"].u - 0.92745) < 1e-5  # Toro (2009), table 4.3
    assert (names["orders"] > 0.6).all() and (names["orders"] < 1.05).all()
    by_solver = names["by_solver"]
    assert by_solver["llf"] > by_solver["hlle"] > by_solver["exact"] and by_solver["llf"] > 1.3 * by_solver["hllc"]
    assert 128 < names["n_cells"] < 512
    assert abs(names["mass"] - 0.5625) < 1e-14 and np.isfinite(names["density"]).all()


def test_no_output_is_kept_in_it():
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        assert not cell.get("outputs")
