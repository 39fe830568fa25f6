# SPDX-License-Identifier: MIT
"""A wheel of the whole package, built as `pip install .` does, runs a simulation in a clean environment.

It is built of one application in two dimensions with little optimisation, as that is what takes long.
"""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OFFLINE = ["--no-deps", "--no-index", "--disable-pip-version-check"]
DEFINED = {
    "THALWEG_DIMENSIONS": "2",
    "THALWEG_APPLICATIONS": "advection",
    "CMAKE_CXX_FLAGS_RELEASE": "-O1 -DNDEBUG",
    "CMAKE_CXX_COMPILER_LAUNCHER": "ccache",
}
SCRIPT = """
import sys
import thalweg
assert thalweg.__file__.startswith(sys.prefix), thalweg.__file__
sim = thalweg.Simulation(sys.argv[1], {"mesh.max_level": 1, "time.max_steps": 5}, threads=2)
before = sim.totals()
assert sim.run() == "finished" and sim.n_steps == 5
assert sim.level(0).blocks[0][sim.fields[0]].ndim == 2
print(before, sim.totals())
"""


def run(*words, **how):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, **how)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return done.stdout


def test_a_wheel_runs_in_a_clean_environment(tmp_path):
    defines = [f"--config-settings=cmake.define.{key}={value}" for key, value in DEFINED.items()]
    build = [f"--config-settings=build-dir={tmp_path / 'build'}", *defines]
    run(sys.executable, "-m", "pip", "wheel", *OFFLINE, "--no-build-isolation", *build, "-w", tmp_path, ROOT)
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    run(python, "-m", "pip", "install", *OFFLINE, *tmp_path.glob("thalweg-*.whl"))
    # What it depends on, without an index to get it from.
    mine, theirs = sysconfig.get_path("purelib"), run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    for name in ["numpy", "numpy.libs"]:
        (Path(theirs.strip()) / name).symlink_to(Path(mine) / name)
    run(python, "-c", SCRIPT, ROOT / "apps/advection/decks/pulse.toml", cwd=tmp_path)
    assert "watch" in run(python, "-c", "import thalweg.watch; print(thalweg.watch.__name__)", cwd=tmp_path)
