# SPDX-License-Identifier: MIT
"""Functions of blocks change arrays in place: what they give is nobody's, and refused. Runs them without the compiled module."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from thalweg import cells

# A simulation whose run is made up: it calls the functions that it is given with a block.
SIMULATION = """
import sys, types
sys.modules["thalweg._thalweg"] = types.ModuleType("thalweg._thalweg")
import numpy as np
from thalweg.simulation import Simulation

class Run:
    def set_initial(self, f): self.change = f
    def set_source(self, f): self.change = lambda lent: f(lent, 0.5)

class Lent:
    level, time, n_ghosts, fields, derived_fields, centres, cell_size = 0, 0.0, 0, ["density"], [], [np.zeros(2)], [1.0]
    density = np.ones(2)
    def array(self, n): return self.density

sim = Simulation.__new__(Simulation)
sim._run, sim._called, sim._kinds = Run(), [], set()
sim.{kind}({f})
sim._run.change(Lent())
print(Lent.density)
"""


def change(kind, f):
    script = SIMULATION.format(kind=kind, f=f)
    return subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).resolve().parents[1], capture_output=True, text=True)


@pytest.mark.parametrize("kind", ["initial", "source"])
def test_a_function_that_gives_something_is_told_to_set_arrays(kind):
    done = change(kind, 'lambda c, *dt: c["density"] * 2')
    assert f"TypeError: the function of sim.{kind} gives an array" in done.stderr and 'cells["density"][:] = ...' in done.stderr
    done = change(kind, 'lambda c, *dt: c.__setitem__("density", 2)')
    assert done.returncode == 0 and done.stdout == "[2. 2.]\n", done.stderr


def test_what_was_given_is_named():
    cells.check_in_place("initial", None)
    for value, name in [(np.zeros(3), "an array"), (False, "False"), ({"density": 1}, "{'density': 1}")]:
        with pytest.raises(TypeError, match=f"sim.source gives {name} .*in place"):
            cells.check_in_place("source", value)
