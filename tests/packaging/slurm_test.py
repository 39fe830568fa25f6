#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The job of packaging/slurm under Slurm itself, on one node: longer than its limit, it comes to the same bits.

Usage: slurm_test.py --program thalweg --job job.sh --decks FOLDER --work FOLDER
Slurm's and MUNGE's daemons (Debian: slurm-wlm, munge) are started with a configuration of their own in a temporary
folder, on free ports, and stopped at the end; what is installed on the machine is neither read nor changed.
Exit code 77: they are not installed, so nothing was tested.
"""

from __future__ import annotations

import argparse
import contextlib
import getpass
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

N_RANKS = 2
LIMIT_MINUTES = 1  # the shortest that Slurm has
# Slurm looks at limits every 30 s, and sends the signal up to that much early: jobs run for 10 to 30 s.
SIGNAL = "TERM@20"
LONGER_S = 75.0  # than the limit, on the machine that the test runs on
DECK = "kelvin_helmholtz.toml"
SETTINGS = ["time.end=1000", "mesh.max_level=1", 'regrid.criteria=["density"]', "regrid.threshold=0.05", "trace.steps=[]"]
CREDENTIALS_S = 5  # the least that Slurm takes; a job that is queued again waits for as long

CONFIGURATION = """
ClusterName=thalweg
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire={credentials_s}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=pmix
SlurmdParameters=config_overrides
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={n_ranks}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(n: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(n)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def wait_until(is_so, seconds: float, what: str) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"after {seconds} s: not {what}")
        time.sleep(0.5)


@contextlib.contextmanager
def cluster() -> Iterator[dict[str, str]]:
    """Runs a Slurm of one node; its value is the environment in which its commands find it."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o711)  # MUNGE wants others to reach its socket
        for name in ["state", "spool"]:
            (folder / name).mkdir()
        key = folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        configuration = folder / "slurm.conf"
        configuration.write_text(
            CONFIGURATION.format(
                host=socket.gethostname().split(".")[0],
                user=getpass.getuser(),
                folder=folder,
                ports=free_ports(2),
                credentials_s=CREDENTIALS_S,
                n_ranks=N_RANKS,
            )
        )
        environment = {**os.environ, "SLURM_CONF": str(configuration)}

        def start(*words: str | Path) -> None:
            log = stack.enter_context((folder / f"{words[0]}.out").open("w"))
            daemon = subprocess.Popen(words, env=environment, stdout=log, stderr=subprocess.STDOUT)

            def stop() -> None:
                daemon.terminate()
                daemon.wait(timeout=60)

            stack.callback(stop)

        def answers(*words: str) -> bool:
            done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
            return done.returncode == 0 and "idle" in done.stdout

        names = ["socket", "pid", "log", "seed"]
        files = [f"--{name}-file={folder / f'munge.{name}'}" for name in names[1:]]
        start("munged", "--foreground", f"--key-file={key}", f"--socket={folder / 'munge.socket'}", *files)
        wait_until((folder / "munge.socket").exists, 20, "a socket of munged")
        start("slurmctld", "-D", "-f", configuration)
        start("slurmd", "-D", "-f", configuration)
        try:
            wait_until(lambda: answers("sinfo", "--noheader", "--format=%T"), 60, "an idle node")
            yield environment
        except BaseException:
            for log in sorted(folder.glob("*.log")) + sorted(folder.glob("*.out")):
                print(f"== {log.name}\n{log.read_text()[-4000:]}")
            raise


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ["--program", "--job", "--decks", "--work"]:
        parser.add_argument(name, required=True, type=Path)
    options = parser.parse_args()
    os.environ["PATH"] += f"{os.pathsep}/usr/sbin"
    missing = [name for name in ["munged", "slurmctld", "slurmd", "sbatch", "srun"] if not shutil.which(name)]
    if missing:
        print(f"Slurm is not installed (Debian: slurm-wlm, munge): no {', '.join(missing)}; nothing was tested.")
        return 77
    work = options.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    tools = work / "bin"
    tools.mkdir(parents=True)
    (tools / "thalweg").symlink_to(options.program.resolve())
    os.environ["PATH"] = f"{tools}{os.pathsep}{os.environ['PATH']}"
    deck = (options.decks / DECK).resolve()

    with cluster() as environment:

        def slurm(*words: str | Path) -> str:
            done = subprocess.run(words, cwd=work, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
            return done.stdout

        def run(out: str, n_steps: int) -> float:
            """Runs without a limit, and without a stop; returns how long it took."""
            begin = time.monotonic()
            slurm("srun", f"--ntasks={N_RANKS}", "thalweg", "run", deck, f"time.max_steps={n_steps}", *SETTINGS, "--out", out)
            return time.monotonic() - begin

        # Steps for longer than the limit, by how long some of them take here.
        n_few = 20
        run("few", n_few)
        step_s = (run("more", 11 * n_few) - run("few_again", n_few)) / (10 * n_few)
        n_steps = int(LONGER_S / step_s)
        whole_s = run("whole", n_steps)
        assert whole_s > 60 * LIMIT_MINUTES, f"{n_steps} steps took {whole_s:.0f} s, less than the limit"

        words = [f"--time={LIMIT_MINUTES}", f"--signal={SIGNAL}", f"--ntasks={N_RANKS}", "--output=log"]
        answer = slurm("sbatch", *words, options.job.resolve(), deck, "out", f"time.max_steps={n_steps}", *SETTINGS)
        job = answer.split()[-1]
        state = ""

        def is_over() -> bool:
            nonlocal state
            state = slurm("scontrol", "show", "job", job)
            return re.search("JobState=(PENDING|RUNNING|COMPLETING)", state) is None

        wait_until(is_over, 10 * whole_s, "the end of the job")
        assert "JobState=COMPLETED" in state, f"{state}\n{(work / 'log').read_text()[-4000:]}"
        restarts = int(re.search(r"Restarts=(\d+)", state).group(1))
        assert restarts > 0, f"the job was never queued again\n{state}"

    def hash_of(out: str) -> str:
        plotfile = work / out / f"plt{n_steps:05}"
        return subprocess.run(["thalweg", "hash", plotfile], capture_output=True, text=True, check=True).stdout

    assert hash_of("out") == hash_of("whole")
    print(
        f"{n_steps} steps on {N_RANKS} ranks, {whole_s:.0f} s without a stop; with a limit of {60 * LIMIT_MINUTES} s the job "
        f"was queued again {restarts} times, and came to the same bits: {hash_of('out').strip()}"
    )
    shutil.rmtree(work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
