# SPDX-License-Identifier: MIT
"""The Python blocks of pages run, in order, where what they read lies."""

import re
from pathlib import Path

import numpy as np
import pytest
from test_readers import write

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["docs/guide/reading_results.md"]


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    write(tmp_path / "plt00020", 3)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text()
    found = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert found
    names = {}
    for block in found:
        exec(compile(block, page, "exec"), names)  # noqa: S102  (that is the point)
    # What the page computes, by another way.
    assert names["mass"] == pytest.approx(names["column"].values.mean())
    assert names["most"] == names["cells"].values[0].max() and np.nanmax(names["shells"].greatest) == names["most"]
