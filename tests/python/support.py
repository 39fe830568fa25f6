# SPDX-License-Identifier: MIT
"""What tests of simulations share: the program beside which they are held, and scripts on several ranks.

THALWEG_PROGRAM names the program, THALWEG_MPIEXEC what starts its ranks.
"""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DECK = ROOT / "apps/hydro/decks/sedov_2d.toml"
N_STEPS = 30  # with regrids that change the mesh
SMALL = {"mesh.max_level": 2, "time.max_steps": N_STEPS, "trace.steps": []}


def program(*words):
    command = [os.environ["THALWEG_PROGRAM"], *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ), timeout=100)


def hash_of(plotfile):
    done = program("hash", plotfile)
    assert done.returncode == 0, done.stderr
    return done.stdout


def python(script, *, ranks=0):
    """Run a script in a process of its own, on ranks of MPI if there are to be some."""
    start = [os.environ["THALWEG_MPIEXEC"], "-n", str(ranks)] if ranks else []
    head = f"import numpy as np\nimport thalweg\nDECK, SMALL = {str(DECK)!r}, {SMALL!r}\n"
    command = [*start, sys.executable, "-c", head + textwrap.dedent(script)]
    # Without what MPI has put into the environment of this process, where it runs one rank.
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": dict(os.environ)}
    with subprocess.Popen(command, start_new_session=True, **pipes) as process:
        try:
            said = process.communicate(timeout=100)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with its children, which would keep the pipes open
            raise
    return subprocess.CompletedProcess(command, process.returncode, *said)
