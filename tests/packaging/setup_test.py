#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/setup/install makes anew a folder of Python packages that has no pip, and touches nothing once all is there."""

import argparse
import shutil
import subprocess
from pathlib import Path

LISTS = (
    "python/requirements.txt",
    "python/requirements-test.txt",
    "tools/setup/apt-packages.txt",
    "tools/setup/apt-packages-test.txt",
)


def install(tree):
    """What the script says in a tree for ./test."""
    command = [tree / "tools/setup/install", "test"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stdout}"
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--setup", type=Path, required=True, help="tools/setup/install")
    parser.add_argument("--work", type=Path, required=True, help="folder to work in")
    options = parser.parse_args()
    tree = options.work
    shutil.rmtree(tree, ignore_errors=True)
    for path in LISTS:  # nothing, so that there is nothing to load
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("# nothing\n")
    shutil.copy(options.setup, tree / "tools/setup/install")

    # As one that was cut short leaves it, but for the list of packages that had been installed before.
    venv = tree / "build/venv"
    subprocess.run(["python3", "-m", "venv", "--without-pip", venv], check=True)
    shutil.copy(tree / LISTS[0], venv)
    assert install(tree).count("Installing Python packages into build/venv") == 2
    subprocess.run([venv / "bin/python", "-m", "pip", "--version"], check=True)
    assert "Installing" not in (said := install(tree)), said
    shutil.rmtree(tree)


if __name__ == "__main__":
    main()
