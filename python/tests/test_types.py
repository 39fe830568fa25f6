# SPDX-License-Identifier: MIT
"""What users import is annotated, so that their checkers know shapes of calls: py.typed says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "thalweg"
CHECKED = ["__init__.py", "simulation.py", "movie.py", "proxies.py", "watch.py", "trace_file.py", "report"]  # with all that they import


def check(tmp_path, *files, strict=True, path=()):
    command = [sys.executable, "-m", "mypy", *["--strict"] * strict, "--cache-dir", str(tmp_path / "cache"), *map(str, files)]
    environment = os.environ | {"MYPYPATH": os.pathsep.join(map(str, path))}
    return subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=False, env=environment)


def test_annotations_hold_and_reach_users(tmp_path):
    pytest.importorskip("mypy")
    assert (PACKAGE / "py.typed").exists()
    user = tmp_path / "user.py"
    user.write_text(
        "import numpy as np\nimport thalweg\n"
        'values: np.ndarray = thalweg.open("plt").slice("density").values\n'
        'wrong: int = thalweg.open("plt").time\n'
        'sim = thalweg.Simulation("a.toml", threads=np.int32(2))\n'
        'sim.run(until=np.float32(0.1)); sim.step(np.int64(2)); sim.level(np.uint8(1))\n'
        'sim.plot(limits=np.array([0.0, 1.0]), window=np.zeros(4), at=np.float32(0.5))\n'
        'sim.write_plotfile("a", fields={"density"}, derived=np.array(["pressure"]))\n'
        'def look(block: thalweg.Block) -> np.ndarray: return block["density"]\n'
        '@sim.initial\ndef start(cells: thalweg.Cells) -> None: cells["density"] = 1\n'
        'some = thalweg.open("plt").profile("density", centre=np.zeros(3), n_bins=np.int64(4))\n'
        'cells: np.ndarray = thalweg.Simulation("a.toml", threads=2).level(1).blocks[3]["density"]\n'
    )
    done = check(tmp_path, *(PACKAGE / name for name in CHECKED), user)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    # One error, which was put there.
    assert len(errors) == 1 and "user.py:4" in errors[0] and '"float"' in errors[0], done.stdout


def test_benchmarks_call_functions_that_there_are(tmp_path):
    """Of what no test runs, as it takes minutes: names and numbers of arguments."""
    pytest.importorskip("mypy")
    bench = PACKAGE.parent.parent / "bench"
    if not bench.exists():
        pytest.skip("a package alone")
    folders = [bench / name for name in ("macro", "studies", "peers", "support")]
    found = check(
        tmp_path, "--no-strict-optional", "--check-untyped-defs", "--follow-imports=silent", "--ignore-missing-imports", "--explicit-package-bases",
        *(file for folder in folders for file in folder.glob("*.py")), strict=False, path=[PACKAGE.parent, *folders],
    )
    assert "checked" in found.stdout, found.stdout + found.stderr
    wrong = [line for line in found.stdout.splitlines() if line.endswith(("[call-arg]", "[attr-defined]", "[name-defined]"))]
    assert not wrong, "\n".join(wrong)
