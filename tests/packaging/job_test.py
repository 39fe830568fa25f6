#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The job of packaging/slurm: stopped before its limit again and again, it comes to the same bits.

Usage: job_test.py --program thalweg --job job.sh --decks FOLDER --work FOLDER
`srun` and `scontrol` are replaced: the first sends TERM at the limit, as Slurm's --signal does, the second notes what it
was asked for. Slurm itself is in slurm_test.py, which takes minutes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

STEPS = 1600
MESH = "mesh.root_blocks=[256]"  # large enough for a step to take a millisecond


# TERM goes to the ranks when the log has 300 lines of steps, so that each job gets on, but not to the end. A run that is
# far ahead of what is read of it waits, as its pipe is small.
SRUN = f'''
import fcntl, os, re, subprocess, sys
run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
fcntl.fcntl(run.stdout, fcntl.F_SETPIPE_SZ, 4096)
n_steps = 0
for line in run.stdout:
    if found := re.match(rb" *(\\d+) +[0-9.]+e", line):
        n_steps += 1
        if n_steps == 300 and os.path.exists("limited") and int(found[1]) + 400 < {STEPS}:
            run.terminate()
sys.exit(run.wait())
'''


def write_program(path: Path, text: str, language: str = "/bin/sh") -> None:
    path.write_text(f"#!{language}\n{text}\n")
    path.chmod(0o755)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ["--program", "--job", "--decks", "--work"]:
        parser.add_argument(name, required=True, type=Path)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    tools = options.work / "bin"
    tools.mkdir(parents=True)
    (tools / "thalweg").symlink_to(options.program)
    write_program(tools / "srun", SRUN, sys.executable)
    write_program(tools / "scontrol", 'echo "$@" >>scontrol.log')
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "SLURM_JOB_ID": "42"}

    def job(*words: str) -> int:
        done = subprocess.run([options.job, *words], cwd=options.work, env=environment, check=False)
        return done.returncode

    deck = (options.decks / "sod.toml").resolve()
    log = options.work / "scontrol.log"
    words = [str(deck), "out", f"time.max_steps={STEPS}", "time.end=10", "output.series_interval=20", MESH]
    (options.work / "limited").touch()
    n_jobs = 0
    while True:
        log.unlink(missing_ok=True)
        code = job(*words)
        n_jobs += 1
        assert code == 0, f"job {n_jobs} ended with {code}"
        if not log.exists():
            break
        assert log.read_text() == "requeue 42\n"
        assert n_jobs < STEPS
    assert n_jobs > 1, "the job was never stopped"

    def hash_of(folder: str) -> str:
        plotfile = options.work / folder / f"plt{STEPS:05}"
        return subprocess.run([options.program, "hash", plotfile], capture_output=True, text=True, check=True).stdout

    (options.work / "limited").unlink()
    assert job(words[0], "whole", *words[2:]) == 0
    assert hash_of("out") == hash_of("whole")
    print(f"{n_jobs} jobs, the same bits as one")

    # What cannot get on is not queued again.
    assert job(str(deck), "wrong", "time.end=-1") == 2
    assert not list(options.work.glob("wrong*")), "what was refused leaves something"
    write_program(tools / "srun", "exit 75")
    assert job(words[0], "stuck", *words[2:]) == 75
    assert not log.exists()

    # Queued again before the first checkpoint, as when a node fails: it begins again, over what it had begun.
    def words_of_srun(out: str, code: int = 1) -> list[str]:
        write_program(tools / "srun", f'printf "%s\\n" "$@" >words; exit {code}')
        assert job(words[0], out) == code
        return (options.work / "words").read_text().splitlines()

    begun = "runs/begun with blanks"
    assert "--restart" not in words_of_srun(begun)
    (options.work / begun / "plt00000").mkdir(parents=True)
    (options.work / begun / "chk00020").mkdir()  # its manifest comes last
    (options.work / begun / "chk_old").mkdir()
    assert {"--force", begun} <= set(words_of_srun(begun))
    # But not over what others have left, nor what another job has begun, nor when it is done.
    (options.work / "theirs" / "plt00000").mkdir(parents=True)
    assert "--force" not in words_of_srun("theirs")
    environment["SLURM_JOB_ID"] = "43"
    assert "--force" not in words_of_srun(begun, code=2)
    environment["SLURM_JOB_ID"] = "42"
    assert "--force" in words_of_srun(begun, code=0)
    assert "--force" not in words_of_srun(begun)
    (options.work / begun / "chk00020" / "manifest").touch()
    assert {"--restart", begun} <= set(words_of_srun(begun))

    # A folder behind a link has its checkpoints too.
    (options.work / "link").symlink_to("out")
    assert "--restart" in words_of_srun("link")

    # Steps of a long run have more digits than the names of its first checkpoints.
    (options.work / "long" / "chk99999").mkdir(parents=True)
    (options.work / "long" / "chk99999" / "manifest").touch()
    write_program(tools / "srun", "mkdir long/chk100000; touch long/chk100000/manifest; exit 75")
    assert job(words[0], "long", *words[2:]) == 0
    assert log.read_text() == "requeue 42\n"
    shutil.rmtree(options.work)


if __name__ == "__main__":
    main()
