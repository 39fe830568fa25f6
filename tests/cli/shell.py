# SPDX-License-Identifier: MIT
"""What the cases are made of: commands, and a folder to type them in."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

SUCCESS, DIFFERENCE, BAD_REQUEST, FAILURE, STOPPED = 0, 1, 2, 3, 75
SOD = ["run", "sod.toml", "time.max_steps=2"]  # a run of a few milliseconds
TRACED = "trace.steps=[2,3]"
PULSE = """
[application]
name = "advection"
[mesh]
dim = 2
root_blocks = [4, 4]
block_cells = 8
lower = [0, 0]
upper = [1, 1]
[boundary]
lower = ["periodic", "periodic"]
upper = ["periodic", "periodic"]
"""


@dataclass(frozen=True)
class Command:
    """What is typed in a folder that holds the decks of the repository, and what must come of it."""

    arguments: list[str]
    exit_code: int
    says: list[str]  # each of them, on stdout or stderr
    ranks: int = 0  # 0: without mpirun
    files: dict[str, str] = field(default_factory=dict)  # there before, and untouched after
    makes: list[str] = field(default_factory=list)  # files and folders there after
    makes_not: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Shell:
    """Runs commands in the case's folder."""

    program: str
    mpiexec: str
    folder: Path

    def run(self, arguments: list[str], ranks: int = 0) -> tuple[int, str]:
        """Run the program; give its exit code, and stdout and stderr together."""
        done = self._type(arguments, ranks, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def succeed(self, *arguments: str, ranks: int = 0) -> str:
        code, text = self.run(list(arguments), ranks)
        assert code == SUCCESS, code
        return text

    def events(self, *arguments: str, ranks: int = 0) -> list[dict]:
        """Run with a log for programs: nothing else may be on stdout. MPI may say things on stderr."""
        done = self._type([*arguments, "run.log=json"], ranks, stderr=subprocess.PIPE)
        print(done.stderr)
        assert done.returncode == SUCCESS, done.returncode
        return [json.loads(line) for line in done.stdout.splitlines()]

    def _type(self, arguments: list[str], ranks: int, stderr: int) -> subprocess.CompletedProcess[str]:
        start = [self.mpiexec, "-n", str(ranks)] if ranks else []
        done = subprocess.run(
            [*start, self.program, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=stderr, text=True
        )
        print("$ thalweg", *arguments, f"({ranks or 1} ranks, exit code {done.returncode})")
        print(done.stdout)
        return done


def check(command: Command, shell: Shell) -> None:
    """Run a row of COMMANDS."""
    for name, text in command.files.items():
        path = shell.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    code, said = shell.run(command.arguments, command.ranks)
    assert code == command.exit_code, f"exit code {code}, not {command.exit_code}"
    for part in command.says:
        assert part in said, f"'{part}' is not said"
    if command.exit_code == BAD_REQUEST:
        assert "error: " in said and "Traceback" not in said
        for line in said.splitlines():
            assert not line.startswith("error: ") or said.count(line) == 1, f"said twice: {line}"
    for name, text in command.files.items():
        assert (shell.folder / name).read_text() == text, f"{name} has changed"
    for name in command.makes:
        assert (shell.folder / name).exists(), f"{name} is missing"
    for name in command.makes_not:
        assert not (shell.folder / name).exists(), f"{name} has been made"
