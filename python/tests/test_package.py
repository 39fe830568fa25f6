# SPDX-License-Identifier: MIT
"""The package as it is installed: a wheel with all files, the repository's version, nothing from here."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import thalweg
from test_report_data import write_run

ROOT = Path(__file__).resolve().parents[2]


def run(*words, **how):
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, check=False, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_wheel_has_all_that_the_commands_need(tmp_path):
    pytest.importorskip("flit_core")
    offline = ["--no-deps", "--no-index", "--disable-pip-version-check"]
    run("-m", "pip", "wheel", *offline, "--no-build-isolation", "-w", tmp_path, ROOT / "python")
    run("-m", "pip", "install", *offline, "--target", tmp_path / "site", *tmp_path.glob("*.whl"))
    write_run(tmp_path / "out")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    where = run("-c", "import thalweg; print(thalweg.__file__)", cwd=tmp_path, env=environment)
    assert where.startswith(str(tmp_path / "site"))
    assert (tmp_path / f"site/thalweg-{thalweg.__version__}.dist-info").is_dir()
    run("-m", "thalweg", "report", "out", cwd=tmp_path, env=environment)
    assert "lineChart" in (tmp_path / "out/report.html").read_text()
    assert (tmp_path / "site/thalweg/py.typed").exists()


def test_without_the_compiled_module_simulations_say_where_it_is(tmp_path):
    script = "import thalweg\ntry:\n  thalweg.Simulation\nexcept ImportError as e:\n  print(e)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    assert "pip install ." in run("-c", script, cwd=tmp_path, env=environment)


def test_without_the_compiled_module_what_is_listed_is_there(tmp_path):
    script = "import thalweg, inspect, pydoc\nfrom thalweg import *\ninspect.getmembers(thalweg)\nprint('errors' in pydoc.render_doc(thalweg), 'Simulation' in dir(thalweg))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    assert run("-c", script, cwd=tmp_path, env=environment) == "True False\n"


def test_the_version_is_that_of_the_repository():
    (version,) = re.findall(r"project\(thalweg VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == version
    assert "version" in tomllib.loads((ROOT / "python/pyproject.toml").read_text())["project"]["dynamic"]
    assert thalweg.__version__ == version


def test_the_former_name_has_the_same_commands():
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    assert run("-m", "thalweg_tools", "vlasov", "--help", env=environment) == run(
        "-m", "thalweg", "vlasov", "--help", env=environment
    )
