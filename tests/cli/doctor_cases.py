# SPDX-License-Identifier: MIT
"""What `thalweg doctor` finds."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable

from shell import BAD_REQUEST, FAILURE, SOD, SUCCESS, Command, Shell

COMMANDS = {
    "doctor_finds_nothing_wrong": Command(
        ["doctor"],
        SUCCESS,
        ["good   thalweg", "good   mpi", "MPI_THREAD_", "1 rank on", "openblas", "processors", "GiB free for each rank",
         "good   self-test", "in all models", "Nothing is wrong."],
    ),
    "doctor_sends_messages": Command(
        ["doctor"], SUCCESS, ["2 ranks on", "between ranks 0 and 1", " us and ", " GB/s", "its integrals on all", "Nothing is wrong."], ranks=2
    ),
    "doctor_of_three_ranks": Command(["doctor"], SUCCESS, ["3 ranks on", "Nothing is wrong."], ranks=3),
    "doctor_notes_threads_without_processors": Command(
        ["doctor", "--threads", "1000"], SUCCESS, ["note   processors", "1000 threads share", "take fewer threads"]
    ),
    "doctor_with_no_number_of_threads": Command(["doctor", "--threads", "0"], BAD_REQUEST, ["--threads 0", "1 to 1024"]),
    "doctor_with_an_unknown_option": Command(["doctor", "--fast"], BAD_REQUEST, ["--fast", "--json"]),
    "doctor_help": Command(["doctor", "--help"], SUCCESS, ["Usage: thalweg doctor", "Exit codes"]),
}


def doctor_tells_programs(shell: Shell) -> None:
    told = json.loads(shell.succeed("doctor", "--json"))
    assert (told["schema"], told["state"]) in {("thalweg-doctor-1", state) for state in ("good", "note")}
    states = {finding["name"]: finding["state"] for finding in told["findings"]}
    assert list(states) == ["thalweg", "mpi", "openblas", "python", "processors", "memory", "messages", "self-test"]
    assert states["self-test"] == states["mpi"] == "good"


def doctor_finds_the_mpirun_of_another_mpi(shell: Shell) -> None:
    os.environ["PMI_SIZE"] = "4"  # as that of MPICH sets it; this rank knows of no other
    code, said = shell.run(["doctor"])
    assert code == FAILURE
    assert "wrong  mpi" in said and "4 ranks were started" in said and "Wrong: mpi." in said
    assert said.count("ranks were started") == 1, "the finding says it"
    # Runs and proxies say so too; what a rank has started is no rank, as in a shell of a job's step.
    for words in [SOD, ["hpccg", "4", "4", "4"]]:
        assert "warning: 4 ranks were started (each is alone" in shell.succeed(*words)
    code, said = shell.run(["predict", "sod.toml"])
    assert code == BAD_REQUEST and "start it without mpirun" in said and "warning" not in said
    step = {**os.environ, "PMI_RANK": "0"}
    command = f"{shlex.quote(shell.program)} doctor; true"
    done = subprocess.run(["sh", "-c", command], cwd=shell.folder, env=step, capture_output=True, text=True, check=True)
    assert "ranks were started" not in done.stdout + done.stderr, done


def doctor_finds_the_python_package(shell: Shell) -> None:
    python = shell.folder / "python"
    python.write_text("#!/bin/sh\nprintf /there/thalweg\n")
    python.chmod(0o755)
    os.environ["THALWEG_PYTHON"] = str(python)
    assert "good   python      /there/thalweg of " in shell.succeed("doctor")
    python.unlink()
    assert "note   python" in shell.succeed("doctor")


FUNCTIONS: list[Callable[[Shell], None]] = [
    doctor_tells_programs,
    doctor_finds_the_mpirun_of_another_mpi,
    doctor_finds_the_python_package,
]
