# SPDX-License-Identifier: MIT
"""The Python blocks of docs/python.md run, in order, and compute what the page says."""

import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_python_blocks_run(tmp_path, monkeypatch, capsys):
    (tmp_path / "apps").symlink_to(ROOT / "apps")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/python.md").read_text()
    found = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(found) > 5
    names = {}
    for block in found:
        exec(compile(block, "docs/python.md", "exec"), names)  # noqa: S102  (that is the point)
    sim, sod = names["sim"], names["sod"]
    assert sim.time >= 0.03 and names["history"][0][0] < sim.time < 0.04
    assert names["density"].shape == names["block"].shape
    assert np.isfinite(names["values"]).all() and names["stacked"].size == names["values"].size
    assert "mesh.max_levle" in capsys.readouterr().out
    assert sod.is_over and sod.time == pytest.approx(sod.deck()["time"]["end"], abs=0)
    assert (tmp_path / "last/Header").exists() and (tmp_path / "density.png").exists()
    blob = names["blob"]
    assert blob.is_over and len(blob.level(2).blocks) > 0 and blob.totals()["density"] > sim.totals()["density"]
    assert names["solved"]["n_iterations"] == 149 and names["solved"]["largest_error"] < 1e-12
    u = np.linspace(0.0, 1.0, 1001) ** 2
    for _ in range(100):
        u[1:-1] = 0.25 * (u[:-2] + 2 * u[1:-1] + u[2:])
    assert np.array_equal(names["u"], u)
