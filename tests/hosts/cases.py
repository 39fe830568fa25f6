#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the program on several virtual hosts, and kill or cut off one of them.

Usage: cases.py --list
       cases.py CASE --program thalweg --deck blast.toml --node-test comm_compute_node_mpi_test --work FOLDER
A case is a function below; CMakeLists.txt makes a CTest case of each. Where namespaces are not
allowed, all are skipped.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "restart"))
from program import Shell, checkpoints, is_one_unfinished, wait_for  # noqa: E402
from virtual_hosts import Hosts, enter  # noqa: E402

LIMIT_S = 60  # within which the others end where a host is lost
MINIAMR = (
    "miniamr --nx 8 --ny 8 --nz 8 --num_refine 2 --num_tsteps 4 --num_objects 1 "
    "--object 2 0 .2 .5 .5 .03 0 0 .15 .15 .15 0 0 0 --fingerprint"
).split()


@dataclass(frozen=True)
class OnHosts(Shell):
    """Runs the program from the login node; ranks are those of each host, 0 for one without MPI."""

    node_test: str
    hosts: Hosts

    def command(self, arguments: list[str], ranks: int = 0) -> list[str]:
        plain = [self.program, *arguments]
        return self.hosts.command(plain, ranks) if ranks else plain

    def start_with_checkpoints(self, out: str, *more: str) -> subprocess.Popen[str]:
        """A run on a rank a host that goes on for ever, once it is under way."""
        process = self.start(self.blast(1_000_000, "checkpoint.interval=1", "--out", out, *more), ranks=1)
        folder = self.folder / out
        wait_for(lambda: process.poll() is not None or len(checkpoints(folder)) > 0, 60)
        assert process.poll() is None, process.communicate()[0]
        return process

    def is_ended(self, process: subprocess.Popen[str], lost: str) -> str:
        """See a run end that has lost a host, soon and by name.

        All of its ranks do; on a busy machine mpirun itself, which has said so by then, sometimes stays for ever.
        """
        wait_for(lambda: n_running(self.program) == 0, LIMIT_S)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        process.kill()
        said = process.communicate()[0]
        assert process.returncode != 0, said
        assert lost in said, said
        return said

    def goes_on(self, out: str) -> None:
        """The newest checkpoint loads, and the results are those of a run that has lost nothing."""
        newest = int(checkpoints(self.folder / out)[-1].name[3:8])
        self.run("run", "--restart", "latest", "--out", out, "checkpoint.interval=0", f"time.max_steps={newest + 3}")
        self.run(*self.blast(newest + 3, "--out", f"straight_{out}"))
        last = f"plt{newest + 3:05}"
        assert self.hash(f"{out}/{last}") == self.hash(f"straight_{out}/{last}")


def have_the_bits_of_one_rank(shell: OnHosts) -> None:
    """Two ranks on each of two hosts, which have the table of owners once a host, or none."""
    shell.run(*shell.blast(30, "--out", "one"))
    for directory in ["table", "routed"]:
        words = [f"partition.directory={directory}", "--threads", "2", "--model", "dataflow"]
        shell.run(*shell.blast(30, *words, "--out", directory), ranks=2)
        assert shell.hash(f"{directory}/plt00030") == shell.hash("one/plt00030"), directory

    def hashes(said: str) -> list[str]:
        return [line for line in said.splitlines() if line.startswith(("mesh ", "field "))]

    one = hashes(shell.run(*MINIAMR, "--init_x", "2", "--init_y", "2"))
    four = hashes(shell.run(*MINIAMR, "--npx", "2", "--npy", "2", ranks=2))
    assert len(one) > 1 and one == four, (one, four)


def have_tables_once_each(shell: OnHosts) -> None:
    done = subprocess.run(shell.hosts.command([shell.node_test, "--gtest_color=no"], 2), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("[  PASSED  ] 5 tests") == 4, done.stdout


def go_on_on_one(shell: OnHosts) -> None:
    """From a checkpoint of four hosts without MPI, and back."""
    shell.run(*shell.blast(30, "--out", "one"))
    shell.run(*shell.blast(10, "checkpoint.interval=10", "--out", "parts"), ranks=1)
    more = ["run", "--restart", "latest", "--out", "parts"]
    shell.run(*more, "time.max_steps=20")
    shell.run(*more, "time.max_steps=30", ranks=1)
    assert shell.hash("parts/plt00030") == shell.hash("one/plt00030")


def calibrate_their_network_or_their_memory(shell: OnHosts) -> None:
    for ranks, wanted in [(1, "[network]"), (2, "[memory]")]:
        shell.run("calibrate", "-o", f"{ranks}.toml", ranks=ranks)
        written = (shell.folder / f"{ranks}.toml").read_text()
        assert wanted in written and written.count("latency_us") == 1, written


def end_with_the_name_of_one_that_dies(shell: OnHosts) -> None:
    process = shell.start_with_checkpoints("out", "checkpoint.keep=3")
    time.sleep(0.5)
    shell.hosts.kill(1)
    shell.is_ended(process, "host1")
    shell.goes_on("out")


def end_where_one_dies_while_a_checkpoint_is_written(shell: OnHosts) -> None:
    process = shell.start_with_checkpoints("out", "checkpoint.keep=1")
    wait_for(lambda: is_one_unfinished(shell.folder / "out"))
    shell.hosts.kill(1)
    shell.is_ended(process, "host1")
    shell.goes_on("out")


def end_where_one_is_cut_off(shell: OnHosts) -> None:
    """By the watchdog on both sides: the network says nothing of a cable that is pulled.

    mpirun itself waits for the host to come back.
    """
    process = shell.start_with_checkpoints("out", "run.watchdog=10")
    assert n_running(shell.program) == 2
    shell.hosts.cut_off(1)
    wait_for(lambda: n_running(shell.program) == 0, LIMIT_S)
    process.kill()
    said = process.communicate()[0]
    assert "run.watchdog" in said and "from rank 1" in said, said
    shell.goes_on("out")


def n_running(program: str) -> int:
    """Ranks of a program on all hosts; what has ended but was not yet waited for does not count."""
    n = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it ends meanwhile
            stat = path.read_text()
            n += f"({Path(program).name}) " in stat and ") Z " not in stat
    return n


# How many hosts each case has.
CASES: dict[str, tuple[int, Callable[[OnHosts], None]]] = {
    function.__name__: (n, function)
    for n, function in [
        (2, have_the_bits_of_one_rank),
        (2, have_tables_once_each),
        (4, go_on_on_one),
        (2, calibrate_their_network_or_their_memory),
        (3, end_with_the_name_of_one_that_dies),
        (2, end_where_one_dies_while_a_checkpoint_is_written),
        (2, end_where_one_is_cut_off),
    ]
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the names of all cases")
    parser.add_argument("case", nargs="?", choices=CASES)
    for name in ["--program", "--deck", "--node-test", "--work"]:
        parser.add_argument(name)
    options = parser.parse_args()
    if options.list:
        print(";".join(CASES), end="")
        return 0
    enter()
    folder = Path(options.work).resolve() / options.case
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    n_hosts, case = CASES[options.case]
    hosts = Hosts(n_hosts, folder / "hosts")
    case(OnHosts(options.program, "mpirun", options.deck, folder, options.node_test, hosts))
    shutil.rmtree(folder, ignore_errors=True)  # MPI's processes on the hosts still clear away their own files there
    return 0


if __name__ == "__main__":
    sys.exit(main())
