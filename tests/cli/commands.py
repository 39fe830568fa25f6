#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run each command that a text shows, in order, and compare what it prints with what the text shows.

Usage: commands.py TEXT --programs FOLDER --mpiexec mpirun --work FOLDER

Commands are the lines "$ ..." of the blocks ```console; decks beside the text are where they run.
All must succeed. The lines below a command are among those that it prints, in this order: "..."
stands for anything, numbers may differ by 1 % or 1e-12, and equal hashes (16 hexadecimal digits) in
the text are equal hashes.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HASH = re.compile(r"[0-9a-f]{16}")


def blocks(text: str) -> list[str]:
    """The console blocks of a text."""
    return re.findall(r"```console\n(.*?)```", text, re.DOTALL)


def is_same_word(shown: str, printed: str, hashes: dict[str, str]) -> bool:
    """Whether a word of the text stands for one that was printed."""
    if HASH.fullmatch(shown) and HASH.fullmatch(printed):
        return hashes.setdefault(shown, printed) == printed
    try:
        return math.isclose(float(shown), float(printed), rel_tol=0.01, abs_tol=1e-12)
    except ValueError:
        return shown == printed


def is_same_line(shown: str, printed: str, hashes: dict[str, str]) -> bool:
    """Whether a line of the text stands for one that was printed."""
    want, have = shown.split(), printed.split()
    if "..." in want:
        at = want.index("...")
        n_after = len(want) - at - 1
        if len(have) < at + n_after:
            return False
        have = [*have[:at], "...", *have[len(have) - n_after :]]
    return len(want) == len(have) and all(
        is_same_word(w, h, hashes) for w, h in zip(want, have, strict=True)
    )


def check(command: str, shown: list[str], hashes: dict[str, str], mpiexec: str) -> list[str]:
    """Run a command; what is wrong with it."""
    words = shlex.split(command)
    if words[0] == "mpirun":
        words[0] = mpiexec
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return [f"$ {command}", f"ended with {done.returncode}", done.stdout, done.stderr]
    lines = iter(done.stdout.splitlines())
    for line in shown:
        if line.split() != ["..."] and not any(is_same_line(line, p, hashes) for p in lines):
            return [f"$ {command}", f"does not print, where the text shows it: {line}", done.stdout]
    return []


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("text", type=Path)
    for name in ("--programs", "--mpiexec", "--work"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    work = Path(options.work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for deck in options.text.parent.glob("*.toml"):
        shutil.copy(deck, work)
    text = options.text.read_text(encoding="utf-8")
    os.environ["PATH"] = options.programs + os.pathsep + os.environ["PATH"]
    os.chdir(work)

    hashes: dict[str, str] = {}
    n_commands = 0
    for block in blocks(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            n_commands += 1
            if wrong := check(command, shown, hashes, options.mpiexec):
                print(*wrong, sep="\n")
                return 1
    print(f"{n_commands} commands")
    return 0 if n_commands else 1


if __name__ == "__main__":
    sys.exit(main())
