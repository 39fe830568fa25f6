# SPDX-License-Identifier: MIT
"""What the studies of Vlasov-Poisson share: the program and its time."""

import json
import subprocess
import tempfile

from studies import PROGRAM, ROOT

DECK = ROOT / "apps/vlasov/decks/published.toml"
# The published benchmark on 2048^2 points, with steps in which points move as many cells.
SIZE = ["vlasov.cells=[2048, 2048]", "time.dt=9.2e-4", "time.max_steps=10", "run.log=json", "output.plot_time=1e9"]


def seconds(n_ranks, settings):
    """The time of the steps of a run, without start and output [s]."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["mpirun", "-n", str(n_ranks), PROGRAM, "run", DECK, *SIZE, *settings, "--out", folder, "--force"]
        printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    return sum(line["wall_s"] for line in lines if line["event"] == "step")
