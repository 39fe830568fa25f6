# SPDX-License-Identifier: MIT
"""The Python blocks of pages run, in order, on what their first command writes.

THALWEG_PROGRAM names the program.
"""

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs/guide"


def blocks_of(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (GUIDE / page).read_text(), re.DOTALL | re.MULTILINE)


def run(page):
    """Run the Python blocks of a page. Gives the names that they define."""
    names = {}
    for block in blocks_of(page, "python"):
        if "import yt" not in block or has_yt():
            exec(compile(block, page, "exec"), names)  # noqa: S102  (that is the point)
    return names


@pytest.mark.skipif("THALWEG_PROGRAM" not in os.environ, reason="THALWEG_PROGRAM names no program")
def test_results_are_read_as_the_guide_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "apps").symlink_to(ROOT / "apps")
    first = blocks_of("reading_results.md", "sh")[0].replace("thalweg", os.environ["THALWEG_PROGRAM"], 1)
    subprocess.run(["sh", "-eu"], input=first, text=True, check=True, capture_output=True)
    names = run("reading_results.md")
    # What the page computes, by another way.
    plot, column = names["plot"], names["column"].values
    area = np.prod(plot.upper[:2] - plot.lower[:2]) / column.size
    assert names["mass"] == pytest.approx(column.sum() * area) and names["mass"] > 0
    assert names["most"] == names["cells"].values[0].max() and np.nanmax(names["shells"].greatest) == names["most"]
    assert plot.slice("density").values.max() > 1.5 > names["image"].values.max()  # the blast is in the corner
    if has_yt():
        assert float(names["density"].max()) == names["most"] and (tmp_path / "density.png").exists()


def has_yt():
    try:
        import yt  # noqa: F401  (whether it is there)
    except ImportError:
        return False
    return True


def test_exact_solutions_are_had_as_the_guide_says():
    names = run("exact_solutions.md")
    assert names["tube"].p == pytest.approx(0.30313, rel=1e-4) and names["density"] == pytest.approx([0.6029, 0.42632, 0.26557], rel=1e-4)
    assert names["blast"].shock_radius == pytest.approx(0.31160, abs=5e-6)
