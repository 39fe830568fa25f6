#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run each command that a text shows, in order, and compare what it prints with what the text shows.

Usage: commands.py TEXT --programs FOLDER --mpiexec mpirun --work FOLDER [--shorten] [--exact]

Commands are the lines "$ ..." of the blocks ```console; decks beside the text are where they run,
and the repository's apps/. All must succeed. The lines below a command are among those that it
prints, in this order: "..." stands for anything, numbers may differ by 1 % or 1e-12, with --exact not at all, and equal
hashes (16 hexadecimal digits) in the text are equal hashes. In blocks ```sh each line is a command,
but "export" and "python"; nothing is shown. With --shorten runs end after a few steps.
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

ROOT = Path(__file__).resolve().parents[2]
HASH = re.compile(r"[0-9a-f]{16}")
# What ends a run of each command early, unless it only says something.
SHORTER = {
    "run": ["time.max_steps=4"],
    "vlasov": ["time.max_steps=4"],
    "hpccg": ["--max_iter=5"],
    "lulesh": ["-i", "5"],
    "miniamr": ["--num_tsteps", "8"],
    "cholesky": ["--n", "300"],
}
SAYS_ONLY = {"-h", "--help", "--dry-run"}


def commands(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a text, each with the lines shown below it."""
    found = []
    for kind, block in re.findall(r"^```(console|sh)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        joined = block.replace("\\\n", " ")
        if kind == "console":
            parts = re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]
            found += [(command, shown) for command, *shown in (part.splitlines() for part in parts)]
        else:
            found += [(line, []) for line in joined.splitlines() if not line.startswith(("export ", "python "))]
    return found


def shortened(words: list[str]) -> list[str]:
    """A command whose run ends after a few steps."""
    name = words[words.index("thalweg") + 1] if "thalweg" in words else ""
    if name not in SHORTER or not SAYS_ONLY.isdisjoint(words):
        return words
    option = SHORTER[name][0]
    if option in words:  # with a value, which makes room for the smaller one
        at = words.index(option)
        words = words[:at] + words[at + 2 :]
    return [*words, *SHORTER[name]]


def is_same_word(shown: str, printed: str, hashes: dict[str, str], part: float) -> bool:
    """Whether a word of the text stands for one that was printed."""
    if HASH.fullmatch(shown) and HASH.fullmatch(printed):
        return hashes.setdefault(shown, printed) == printed
    try:
        return math.isclose(float(shown), float(printed), rel_tol=part, abs_tol=1e-12)
    except ValueError:
        return shown == printed


def is_same_line(shown: str, printed: str, hashes: dict[str, str], part: float) -> bool:
    """Whether a line of the text stands for one that was printed."""
    want, have = shown.split(), printed.split()
    if "..." in want:
        at = want.index("...")
        n_after = len(want) - at - 1
        if len(have) < at + n_after:
            return False
        have = [*have[:at], "...", *have[len(have) - n_after :]]
    return len(want) == len(have) and all(
        is_same_word(w, h, hashes, part) for w, h in zip(want, have, strict=True)
    )


def check(
    words: list[str], shown: list[str], hashes: dict[str, str], mpiexec: str, part: float
) -> list[str]:
    """Run a command; what is wrong with it."""
    command = shlex.join(words)
    if words[0] == "mpirun":
        words = [mpiexec, *words[1:]]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return [f"$ {command}", f"ended with {done.returncode}", done.stdout, done.stderr]
    lines = iter(done.stdout.splitlines())
    for line in shown:
        if line.split() != ["..."] and not any(is_same_line(line, p, hashes, part) for p in lines):
            return [f"$ {command}", f"does not print, where the text shows it: {line}", done.stdout]
    return []


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("text", type=Path)
    for name in ("--programs", "--mpiexec", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("--shorten", action="store_true")
    parser.add_argument("--exact", action="store_true")
    options = parser.parse_args()
    work = Path(options.work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for deck in options.text.parent.glob("*.toml"):
        shutil.copy(deck, work)
    (work / "apps").symlink_to(ROOT / "apps")
    text = options.text.read_text(encoding="utf-8")
    os.environ["PATH"] = str(Path(options.programs).resolve()) + os.pathsep + os.environ["PATH"]
    os.chdir(work)

    hashes: dict[str, str] = {}
    all_commands = commands(text)
    for command, shown in all_commands:
        words = shlex.split(command, comments=True)
        if options.shorten:
            words = shortened(words)
        if wrong := check(words, shown, hashes, options.mpiexec, 0.0 if options.exact else 0.01):
            print(*wrong, sep="\n")
            return 1
    print(f"{len(all_commands)} commands")
    return 0 if all_commands else 1


if __name__ == "__main__":
    sys.exit(main())
