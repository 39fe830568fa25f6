#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plant faults in the sources one by one, and say which of them the tests notice, and by what.

Usage: plant.py LIST.toml... [--check] [--build FOLDER] [--limit SECONDS] [--only NAME...]
A list has tables [[fault]], whose keys are the fields of Fault below. For each, its text is
replaced in the file, its program alone is built and its tests are run, and the file is put back. Before,
each program must pass as it is. --check only looks whether each text is where the list says.
Exit code: 0 if all were noticed, 1 if not, 2 if a list or a build is wrong.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 60  # of tests; what takes longer has been noticed by nothing but this
# Open MPI refuses root and more ranks than cores unless told.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
}


class Wrong(Exception):
    """The list does not fit the sources, or the tests fail as they are."""


@dataclass(frozen=True)
class Fault:
    """One change of one file, and the program whose tests should notice."""

    name: str
    file: str  # below the root of the repository
    text: str  # what is replaced; it is in the file once
    by: str
    program: str  # target of the build; "": nothing is built
    tests: str = "*"  # of that program, as --gtest_filter has it
    ctest: str = ""  # cases of CTest in place of these, as its -R has it
    ranks: int = 0  # of MPI; 0: without
    equivalent: str = ""  # why no test can notice; such a fault is not planted

    def planted(self) -> str:
        """The file with the fault in it."""
        source = (ROOT / self.file).read_text()
        if (n := source.count(self.text)) != 1 or self.by == self.text:
            raise Wrong(f"{self.name}: {n} times in {self.file} (must be once): {self.text!r}")
        return source.replace(self.text, self.by)


def faults_in(path: Path) -> list[Fault]:
    """The faults of a list."""
    return [Fault(**table) for table in tomllib.loads(path.read_text())["fault"]]


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """Have a fault in its file for a while."""
    path, with_fault = ROOT / fault.file, fault.planted()
    before = path.read_bytes()
    try:
        path.write_text(with_fault)
        yield
    finally:
        path.write_bytes(before)


def build(folder: Path, program: str) -> str:
    """Build one program. @return what was said if that failed, else nothing"""
    if not program:
        return ""
    command = ["cmake", "--build", str(folder), "--target", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout[-4000:] + done.stderr[-4000:]


def said_by(command: list[str], folder: Path, limit_s: float) -> tuple[int | None, str]:
    """Run a command. @return its exit code, none where it took too long, and all that it said"""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=folder,
        # mpirun gives ranks a terminal, for which GoogleTest would colour the lines read below.
        env=MPI_ENVIRONMENT | os.environ | {"GTEST_COLOR": "no"},
        start_new_session=True,
    )
    try:
        said = process.communicate(timeout=limit_s)[0]
        return process.returncode, said
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace")
    finally:
        with suppress(ProcessLookupError):  # also the ranks that mpirun has started
            os.killpg(process.pid, signal.SIGKILL)


def summary_of(failed: list[str]) -> str:
    """The first names of a list."""
    return ", ".join(failed[:2]) + (f" and {len(failed) - 2} more" if len(failed) > 2 else "")


def run_cases(folder: Path, fault: Fault, limit_s: float) -> str:
    """Run the cases of CTest of a fault. @return as run()"""
    command = ["ctest", "--no-tests=error", "-R", fault.ctest]
    code, said = said_by(command, folder, limit_s)
    if code is None:
        return f"time-out after {limit_s:g} s"
    if "No tests were found" in said:
        raise Wrong(f"{fault.name}: no case of CTest is called {fault.ctest}")
    failed = re.findall(r"^\s*\d+ - (\S+) \(", said, re.MULTILINE)
    return "" if code == 0 else summary_of(failed) or f"exit code {code} of ctest"


def run(folder: Path, fault: Fault, limit_s: float) -> str:
    """Run the tests of a fault. @return which failed, or how the program ended; passed: nothing"""
    if fault.ctest:
        return run_cases(folder, fault, limit_s)
    # Other builds lie deeper: those with sanitizers.
    paths = sorted((p for p in folder.rglob(fault.program) if p.is_file()), key=lambda p: len(p.parts))
    if not paths:
        raise Wrong(f"{fault.name}: no program {fault.program} in {folder}")
    command = [str(paths[0]), f"--gtest_filter={fault.tests}"]
    if fault.ranks > 0:
        command = ["mpirun", "-n", str(fault.ranks), *command]
    code, said = said_by(command, folder, limit_s)
    if code is None:
        begun = re.findall(r"^\[ RUN      \] (\S+)", said, re.MULTILINE)
        return f"time-out after {limit_s:g} s" + (f" in {begun[-1]}" if begun else "")
    failed = sorted(set(re.findall(r"^\[  FAILED  \] ([^\s,]+\.[^\s,]+)", said, re.MULTILINE)))
    if code == 0:
        if not re.search(r"^\[  PASSED  \] [1-9]", said, re.MULTILINE):
            raise Wrong(f"{fault.name}: no test of {fault.program} is called {fault.tests}")
        return ""
    return summary_of(failed) or f"exit code {code}"


def expect_passes(folder: Path, faults: list[Fault], limit_s: float) -> None:
    """Build and run all programs without a fault."""
    for fault in {(f.program, f.tests, f.ctest, f.ranks): f for f in faults}.values():
        if said := build(folder, fault.program):
            raise Wrong(f"{fault.program} does not build as it is:\n{said}")
        if failed := run(folder, fault, limit_s):
            raise Wrong(f"{fault.program or fault.ctest} fails as it is: {failed}")


def plant(folder: Path, fault: Fault, limit_s: float) -> str:
    """Plant a fault, and say what noticed it. @return the word for how that went"""
    with planted(fault):
        if said := build(folder, fault.program):
            word, by = "invalid", next((x for x in said.splitlines() if " error: " in x), said[:200])
        else:
            by = run(folder, fault, limit_s)
            word = "noticed" if by else "MISSED"
    print(f"{word:10}{fault.name:52}{by}", flush=True)
    return word


def plant_all(folder: Path, faults: list[Fault], limit_s: float) -> int:
    """Plant each fault, and count. @return the exit code"""
    real = [f for f in faults if not f.equivalent]
    expect_passes(folder, real, limit_s)
    try:
        words = [plant(folder, fault, limit_s) for fault in real]
    finally:
        for program in {f.program for f in real}:  # as the sources are now
            build(folder, program)
    for fault in faults:
        if fault.equivalent:
            print(f"{'same':10}{fault.name:52}{fault.equivalent}")
    n_noticed, n_invalid = words.count("noticed"), words.count("invalid")
    print(f"{n_noticed} of {len(real) - n_invalid} noticed, {n_invalid} do not compile")
    return 2 if n_invalid > 0 else 0 if n_noticed == len(real) else 1


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("lists", nargs="+", type=Path, metavar="LIST.toml")
    parser.add_argument("--build", type=Path, default=ROOT / "build/ci-release", metavar="FOLDER")
    parser.add_argument("--limit", type=float, default=LIMIT_S, metavar="SECONDS")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--check", action="store_true", help="look, and plant nothing")
    options = parser.parse_args()
    try:
        faults = [fault for path in options.lists for fault in faults_in(path)]
        if unknown := set(options.only) - {f.name for f in faults}:
            raise Wrong(f"no fault is called {', '.join(sorted(unknown))}")
        if len({f.name for f in faults}) != len(faults):
            raise Wrong("two faults have one name")
        for fault in faults:
            fault.planted()
        if options.check:
            return 0
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that files are put back
        chosen = [f for f in faults if not options.only or f.name in options.only]
        return plant_all(options.build.resolve(), chosen, options.limit)
    except (Wrong, TypeError, KeyError, OSError, tomllib.TOMLDecodeError) as e:
        print(f"plant.py: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
