#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kill, stop, starve and restart the program, under MPI, and compare what it computes in the end.

Usage: program.py --list
       program.py CASE --program thalweg --mpiexec mpirun --deck blast.toml --work FOLDER
A case is a function below; CMakeLists.txt makes a CTest case of each.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SUCCESS, BAD_REQUEST, FAILURE, STOPPED = 0, 2, 3, 75
N_KILLS, N_KILLS_OF_A_RANK = 40, 50 if "THALWEG_CAMPAIGN" in os.environ else 10  # of one process and of a rank of three
# Small, and checkpoints all the time, so that a kill mostly meets one being written.
SMALL = [
    "mesh.dim=2",
    "mesh.lower=[0, 0]",
    "mesh.upper=[1, 1]",
    "mesh.root_blocks=[4, 4]",
    "problem.centre=[0.45, 0.5]",
    "problem.velocity=[1, 0.5]",
    "boundary.lower=['periodic', 'periodic']",
    "boundary.upper=['periodic', 'periodic']",
    "regrid.box_lower=[0, 0]",
    "time.end=10",
]


@dataclass(frozen=True)
class Shell:
    """Runs the program in the case's folder."""

    program: str
    mpiexec: str
    deck: str
    folder: Path

    def command(self, arguments: list[str], ranks: int = 0) -> list[str]:
        start = [self.mpiexec, "-n", str(ranks)]
        return [*(start if ranks else []), self.program, *arguments]

    def start(self, arguments: list[str], ranks: int = 0) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(arguments, ranks),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *arguments: str, ranks: int = 0, code: int = SUCCESS) -> str:
        process = self.start(list(arguments), ranks)
        said = process.communicate()[0]
        assert process.returncode == code, f"exit code {process.returncode}, not {code}\n{said}"
        return said

    def blast(self, n_steps: int, *more: str) -> list[str]:
        return ["run", self.deck, *SMALL, f"time.max_steps={n_steps}", *more]

    def hash(self, plotfile: str) -> str:
        return self.run("hash", plotfile)


def checkpoints(folder: Path) -> list[Path]:
    """Those that have a manifest."""
    return sorted(path.parent for path in folder.glob("chk*/manifest"))


def is_one_unfinished(folder: Path) -> bool:
    """Whether a checkpoint is being written or removed."""
    return any(not (path / "manifest").exists() for path in folder.glob("chk*"))


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.01)


def ranks_of(process: subprocess.Popen[str]) -> list[int]:
    """The processes that mpirun has started."""
    pids: list[int] = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has come to its end
        for task in Path(f"/proc/{process.pid}/task").iterdir():
            pids += map(int, (task / "children").read_text().split())
    return pids


def survives_kills(shell: Shell) -> None:
    survives_so_many_kills(shell, N_KILLS)


def survives_kills_of_one_rank(shell: Shell) -> None:
    """Of three under MPI, which ends the others."""
    survives_so_many_kills(shell, N_KILLS_OF_A_RANK, ranks=3)


def survives_so_many_kills(shell: Shell, n: int, ranks: int = 0) -> None:
    """kill -9 at random times: the newest announced checkpoint is found whole each time, and in the
    end the results are those of a run that nobody has killed."""
    generator = random.Random(1)
    out = shell.folder / "out"
    reference = ["checkpoint.interval=0", "--out", "straight"]
    shell.run(*shell.blast(400, *reference))
    every = ["checkpoint.interval=1", "checkpoint.keep=1", "--out", "out"]
    n_kills, n_unfinished, announced = 0, 0, -1
    arguments = shell.blast(400, *every)
    while n_kills < n or (n_unfinished == 0 and n_kills < 4 * n):
        before = set(checkpoints(out))
        process = shell.start(arguments, ranks)
        # Mostly when they go on, however long MPI takes to start them; else while they start, too.
        if ranks or generator.random() < 0.7:
            wait_for(lambda: set(checkpoints(out)) - before or process.poll() is not None)
        # Mostly at any time; else as soon as a checkpoint is there without its manifest.
        time.sleep(generator.uniform(0.03, 0.25))
        if generator.random() < 0.3:
            end = time.monotonic() + 0.3
            while time.monotonic() < end and not is_one_unfinished(out):
                pass
        victims = ranks_of(process) if ranks else [process.pid]
        if process.poll() is None and victims:
            with contextlib.suppress(ProcessLookupError):  # it has come to the end just now
                os.kill(generator.choice(victims), signal.SIGKILL)
        said = process.communicate()[0]
        if process.returncode == SUCCESS:  # it has come to the end, so begin anew
            shutil.rmtree(out)
            announced, arguments = -1, shell.blast(400, *every)
            continue
        killed = 128 + signal.SIGKILL if ranks else -signal.SIGKILL  # as mpirun says it
        assert process.returncode == killed, f"{process.returncode}\n{said}"
        n_kills += 1
        for line in said.splitlines():
            if line.startswith("checkpoint ") and "MiB in" in line:
                announced = int(line.split("step ")[1].split(",")[0])
        n_unfinished += is_one_unfinished(out)
        if announced < 0:
            shutil.rmtree(out, ignore_errors=True)
            continue
        arguments = shell.blast(400, *every, "--restart", "latest")
        newest = max(int(path.name[3:8]) for path in checkpoints(out))
        assert newest >= announced, f"{newest} is found, {announced} was announced"
    print(f"{n_kills} kills, {n_unfinished} of them with a checkpoint half written or removed")
    assert n_unfinished > 0
    shell.run(*arguments)
    assert shell.hash("straight/plt00400") == shell.hash("out/plt00400")


def goes_on_where_one_that_went_back_was_killed(shell: Shell) -> None:
    """Before its first checkpoint; not on the way on which the run was before."""
    every = ["output.series_interval=5", "output.plot_interval=10", "checkpoint.interval=10", "checkpoint.keep=9"]
    shell.run(*shell.blast(60, *every, "--out", "straight"))
    shell.run(*shell.blast(30, *every, "--out", "out"))
    out = shell.folder / "out"
    endless = ["run", "--restart", "out/chk00010", "time.max_steps=1000000", "time.end=1e9", "checkpoint.interval=0"]
    process = shell.start(endless)
    wait_for(lambda: "\n35," in (out / "series.csv").read_text())
    process.kill()
    said = process.communicate()[0]
    assert process.returncode == -signal.SIGKILL, said
    left = sorted(path.name for path in out.glob("chk*"))
    assert left == ["chk00010", "chk00020.superseded", "chk00030.superseded"], left
    shell.run("run", "--restart", "latest", "--out", "out", "time.max_steps=60")
    assert (out / "series.csv").read_text() == (shell.folder / "straight/series.csv").read_text()
    assert shell.hash("straight/plt00060") == shell.hash("out/plt00060")
    assert not list(out.glob("*.superseded")), list(out.iterdir())


def stops_on_sigterm_and_goes_on(shell: Shell) -> None:
    """On other ranks and workers and in another model, to the same bits."""
    process = shell.start(shell.blast(100_000, "--out", "out"), ranks=3)
    wait_for(lambda: (shell.folder / "out/plt00000/Header").exists())
    time.sleep(0.3)
    for rank in ranks_of(process):  # as batch systems do
        with contextlib.suppress(ProcessLookupError):  # the signal of another has ended it
            os.kill(rank, signal.SIGTERM)
    said = process.communicate()[0]
    assert process.returncode == STOPPED, f"exit code {process.returncode}\n{said}"
    assert "stopped after step" in said, said
    last = int(checkpoints(shell.folder / "out")[-1].name[3:8]) + 20
    more = ["--restart", "latest", "--out", "out", "--model", "forkjoin", "--threads", "2"]
    said = shell.run("run", *more, f"time.max_steps={last}", ranks=2)
    assert "20 steps to" in said, said
    shell.run(*shell.blast(last, "--out", "straight"))
    assert shell.hash(f"straight/plt{last:05}") == shell.hash(f"out/plt{last:05}")


def goes_on_on_any_layout(shell: Shell) -> None:
    """A point explosion on adaptive meshes in one, two and three dimensions; 8 steps are made anew."""
    for dim in [1, 2, 3]:

        def each(value: str, n: int = dim) -> str:
            return f"[{', '.join([value] * n)}]"

        sedov = ["run", str(Path(shell.deck).with_name("sedov.toml")), f"mesh.dim={dim}"]
        sedov += [f"problem.centre={each('0')}", f"mesh.lower={each('0')}", f"mesh.upper={each('0.5')}"]
        sedov += [f"mesh.root_blocks={each('2')}", "mesh.block_cells=8"]
        sedov += [f"boundary.lower={each(repr('reflecting'))}", f"boundary.upper={each(repr('outflow'))}"]
        sedov += ["time.max_steps=20", "regrid.interval=3", "checkpoint.interval=12", "checkpoint.keep=9"]
        shell.run(*sedov, "--out", f"{dim}", ranks=2)
        reference = shell.hash(f"{dim}/plt00020")
        for ranks, model in [(1, "bulk"), (3, "phase"), (5, "dataflow")]:
            out = f"{dim}_{ranks}"
            more = ["--restart", f"{dim}/chk00012", "--model", model, "--threads", "2", "--out", out]
            said = shell.run("run", *more, ranks=ranks)
            assert "8 steps" in said, said
            assert shell.hash(f"{out}/plt00020") == reference, (dim, ranks, model)


def one_rank_is_signalled_and_all_write(shell: Shell) -> None:
    """SIGUSR2 to one rank: all write, and go on; then SIGTERM to another one."""
    process = shell.start(shell.blast(100_000, "--out", "out"), ranks=3)
    out = shell.folder / "out"
    wait_for(lambda: (out / "plt00000/Header").exists())
    ranks = ranks_of(process)
    assert len(ranks) == 3, ranks
    os.kill(ranks[1], signal.SIGUSR2)
    wait_for(lambda: len(checkpoints(out)) == 1)
    assert process.poll() is None
    os.kill(ranks[2], signal.SIGTERM)
    said = process.communicate()[0]
    assert process.returncode == STOPPED, f"exit code {process.returncode}\n{said}"
    assert len(checkpoints(out)) == 2


def stops_at_the_wall_limit(shell: Shell) -> None:
    said = shell.run(*shell.blast(1_000_000, "time.end=1e9", "run.wall_limit=3", "--out", "out"), ranks=2, code=STOPPED)
    assert "run.wall_limit" in said, said
    assert len(checkpoints(shell.folder / "out")) == 1


def stops_before_a_mesh_too_large(shell: Shell) -> None:
    """And goes on without the limit, to the bits of a run that never had it."""
    box = ["regrid.criteria=['box']", "regrid.interval=2", "regrid.box_lower=[0.4, 0.4]"]
    begin = shell.blast(3, "mesh.max_level=2", *box, "regrid.box_upper=[0.5, 0.5]", "checkpoint.interval=3", "run.log=both")
    shell.run(*begin, "--out", "out", ranks=2)
    shutil.copytree(shell.folder / "out", shell.folder / "free")
    refine_all = ["regrid.box_lower=[0, 0]", "regrid.box_upper=[1, 1]", "time.max_steps=7"]
    go_on = ["run", "--restart", "latest", *refine_all]
    said = shell.run(*go_on, "run.memory_limit_mib=17", "--out", "out", code=STOPPED)
    assert "run.memory_limit_mib" in said and "from step 6" in said, said
    events = [json.loads(line) for line in (shell.folder / "out/log.jsonl").read_text().splitlines()]
    assert events[-1]["event"] == "stopped" and events[-1]["step"] == 6, events[-1]
    shell.run(*go_on, "run.memory_limit_mib=0", "--out", "out")
    shell.run(*go_on, "--out", "free")
    assert shell.hash("out/plt00007") == shell.hash("free/plt00007")


def passes_over_a_damaged_one_with_a_word(shell: Shell) -> None:
    shell.run(*shell.blast(20, "checkpoint.interval=10", "--out", "out"))
    data = shell.folder / "out/chk00020/cells_00000"
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.write_bytes(content)
    said = shell.run("run", "--restart", "latest", "--out", "out", "time.max_steps=25", ranks=2)
    assert "skipping" in said and "chk00020" in said and "damaged" in said, said
    shell.run(*shell.blast(25, "--out", "straight"))
    assert shell.hash("straight/plt00025") == shell.hash("out/plt00025")


def says_what_cannot_be_gone_on_from(shell: Shell) -> None:
    shell.run(*shell.blast(4, "checkpoint.interval=2", "--out", "out"))
    said = shell.run("run", "--restart", "none", code=BAD_REQUEST)
    assert "'none'" in said and "--restart" in said, said
    said = shell.run("run", "--restart", "latest", "--out", "none", ranks=2, code=BAD_REQUEST)
    assert "'none'" in said and said.count("error: ") == 1, said
    said = shell.run("run", "--restart", "latest", code=BAD_REQUEST)
    assert "--out" in said, said
    said = shell.run("run", "--restart", "out/chk00004", "mesh.block_cells=24", "time.cfl=0.2", code=BAD_REQUEST)
    assert "mesh.block_cells" in said and "written with" in said and "cfl" not in said, said
    said = shell.run("run", "--restart", "out/chk00004", "tme.end=1", code=BAD_REQUEST)
    assert "did you mean 'time.end'" in said, said


def full_disk_does_not_end_a_run(shell: Shell) -> None:
    """On a small real file system, at whatever point it is full; needs root."""
    small = shell.folder / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(small)], capture_output=True)
    if mounted.returncode != 0:
        print("SKIPPED: cannot mount a small file system")
        sys.exit(77)
    try:
        shell.run(*shell.blast(60, "--out", "straight"))
        n_failed = n_lost = 0
        for ballast in range(0, 300, 20):  # [KiB] so that it is full at other points each time
            shutil.rmtree(small / "out", ignore_errors=True)
            (small / "ballast").write_bytes(bytes(1024 * ballast))
            more = ["mesh.max_level=1", "checkpoint.interval=3", "checkpoint.keep=2"]
            process = shell.start(shell.blast(30, *more, "--out", "small/out"))
            said = process.communicate()[0]
            failed = said.count("no checkpoint of step")
            n_failed += failed
            written = [line for line in said.splitlines() if "MiB in" in line]
            # Neither a plotfile nor a checkpoint that finds no room ends the run, or leaves a part of itself. At the
            # end one of them must have been written.
            is_kept = any((small / "out" / name).exists() for name in ["plt00030", "chk00030"])
            assert process.returncode == (SUCCESS if is_kept else FAILURE), said
            n_lost += not is_kept
            plots = [path for path in (small / "out").glob("plt*") if not (path / "Header").exists() or path.suffix == ".tmp"]
            assert not plots and not is_one_unfinished(small / "out"), plots
            if written:
                announced = int(written[-1].split("step ")[1].split(",")[0])
                (small / "ballast").unlink()
                again = shell.run("run", "--restart", "latest", "--out", "small/out", "run.model=bulk", "output.plot_interval=0",
                                  "checkpoint.interval=0", f"time.max_steps={announced}")
                assert "0 steps" in again, again
        print(f"{n_failed} checkpoints found no room, the end of {n_lost} runs")
        assert n_failed > 0 and n_lost > 0
    finally:
        subprocess.run(["umount", str(small)], check=True)


CASES: dict[str, Callable[[Shell], None]] = {
    function.__name__: function
    for function in [
        survives_kills,
        survives_kills_of_one_rank,
        goes_on_where_one_that_went_back_was_killed,
        goes_on_on_any_layout,
        stops_on_sigterm_and_goes_on,
        one_rank_is_signalled_and_all_write,
        stops_at_the_wall_limit,
        stops_before_a_mesh_too_large,
        passes_over_a_damaged_one_with_a_word,
        says_what_cannot_be_gone_on_from,
        full_disk_does_not_end_a_run,
    ]
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the names of all cases")
    parser.add_argument("case", nargs="?", choices=CASES)
    for name in ["--program", "--mpiexec", "--deck", "--work"]:
        parser.add_argument(name)
    options = parser.parse_args()
    if options.list:
        print(";".join(CASES), end="")
        return 0
    folder = Path(options.work) / options.case
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    CASES[options.case](Shell(options.program, options.mpiexec, options.deck, folder))
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
